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
def best_action(worlds, j, mask, scratch, k, rng, i):
    """The action of `mask` after which `worlds[j]` looks best to the seat to act there, nothing in it being hidden.

    Every action is tried with the same chance, which is not that of the world: nobody foresees dice. Of actions that
    come to the same, each is chosen as often as the others.

    Args:
        worlds: tables of the rulebook.
        j: which of them.
        mask: bool (num_actions,), what is legal there.
        scratch: tables of the same dtype, room to work in; ``scratch[k]`` is used.
        k: index of the room.
        rng: uint64, generators of the player; ``rng[i]`` is used.
        i: index of the generator.
    """
    seat, chance = worlds[j].seat, spin(rng, i)
    best, chosen, level = -_BEST, -1, 0
    for action in range(len(mask)):
        if mask[action]:
            scratch[k] = worlds[j]
            scratch[k].rng = chance
            apply(scratch[k], action)
            worth = value(scratch[k], seat)
            if worth > best:
                best, chosen, level = worth, action, 1
            elif worth == best:
                level += 1
                if pick(rng, i, level) == 0:
                    chosen = action
    return chosen


@template
def greedy_action(states, i, mask, scratch, rng, k):
    """`best_action` for the seat to act at table `i`, in one world that it holds possible."""
    scratch[0] = states[i]
    scratch[0].rng = spin(rng, k)
    determinize(scratch[0], states[i].seat)
    return best_action(scratch, 0, mask, scratch, 1, rng, k)


@template
def greedy_actions(states, mask, rng, where, out):
    """`greedy_action` at the tables `where`, each with its own generator."""
    scratch = spare(states, 2)
    for j in range(len(where)):
        i = where[j]
        out[j] = greedy_action(states, i, mask[i], scratch, rng, i)
