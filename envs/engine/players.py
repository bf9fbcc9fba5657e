"""Two compiled players that need nothing but a rulebook: random, and greedy by one decision ahead.

Neither sees more than its seat may: greedy looks ahead in a determinized copy, with random numbers of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .chance import mix
from .compile import entry, spare, template, wrapping_kernel

if TYPE_CHECKING:
    apply: Any
    determinize: Any
    value: Any

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_S32 = np.uint64(32)
_BEST = 1e30
_STRIDE = 16

RANDOM, GREEDY = 0, 1
PLAYERS = ("random", "greedy")


@wrapping_kernel
def spin(rng: Any, i: int) -> np.uint64:
    """64 random bits from the player's own generator ``rng[i]``, never the table's."""
    rng[i] = rng[i] + _GAMMA
    return mix(rng[i])


@wrapping_kernel
def pick(rng: Any, i: int, n: int) -> Any:
    """An integer (int64) from 0 to n - 1; the bias is below n / 2**32."""
    return np.int64(((spin(rng, i) >> _S32) * np.uint64(n)) >> _S32)


@entry
def random_action(mask: Any, rng: Any, i: int) -> int:
    """A uniformly random action among those marked in `mask`, or -1 if there is none."""
    count = 0
    for action in range(len(mask)):
        count += mask[action]
    if count == 0:
        return -1
    left = pick(rng, i, count)
    start = 0
    while start + _STRIDE <= len(mask):  # counted by strides, which is many times as fast as one by one
        count = 0
        for action in range(_STRIDE):
            count += mask[start + action]
        if left < count:
            break
        left -= count
        start += _STRIDE
    for action in range(start, len(mask)):
        if mask[action]:
            if left == 0:
                return action
            left -= 1
    return -1


@entry
def random_actions(mask: Any, rng: Any, where: Any, out: Any) -> None:
    """`random_action` at the tables `where`, each with its own generator."""
    for j in range(len(where)):
        out[j] = random_action(mask[where[j]], rng, where[j])


@template
def greedy_action(states, i, mask, scratch, rng, k):
    """The action after which the table looks best to the seat to act, in one world that it holds possible.

    Every action is tried with the same world and the same chance; the first of two equals wins in half the cases.
    """
    seat = states[i].seat
    scratch[0] = states[i]
    scratch[0].rng = spin(rng, k)
    determinize(scratch[0], seat)
    best, chosen, level = -_BEST, -1, 0
    for action in range(len(mask)):
        if mask[action]:
            scratch[1] = scratch[0]
            apply(scratch[1], action)
            worth = value(scratch[1], seat)
            if worth > best:
                best, chosen, level = worth, action, 1
            elif worth == best:
                level += 1
                if pick(rng, k, level) == 0:
                    chosen = action
    return chosen


@template
def greedy_actions(states, mask, rng, where, out):
    """`greedy_action` at the tables `where`, each with its own generator."""
    scratch = spare(states, 2)
    for j in range(len(where)):
        i = where[j]
        out[j] = greedy_action(states, i, mask[i], scratch, rng, i)
