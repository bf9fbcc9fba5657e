"""Random play inside compiled code: what tree search and benchmarks simulate with.

Random numbers come from the caller's own generator, as for the players of players.py; the chance of the rulebook
comes from the copy of the table, which `determinize` or the caller reseeded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .compile import template
from .players import random_action, spin
from .table import imagine, over, play

if TYPE_CHECKING:
    legal: Any
    value: Any

NO_LIMIT = 1 << 62  # decisions; `depth` ends a playout


@template
def playout(states: Any, i: int, mask: Any, rng: Any, k: int, depth: int) -> int:
    """Play table `i` on, in place, by random legal actions: to its end, its `cut`, or for `depth` decisions.

    Args:
        states: tables of the rulebook.
        i: which of them.
        mask: bool (num_actions,), room to work in.
        rng: uint64, generators of the caller; ``rng[k]`` is used.
        k: index of the generator.
        depth: the most decisions that are played.

    Returns:
        How many decisions were played.
    """
    s = states[i]
    played = 0
    while played < depth and not over(s, NO_LIMIT):
        mask[:] = False
        legal(s, mask)
        play(s, random_action(mask, rng, k))
        played += 1
    return played


@template
def simulate(states: Any, i: int, worlds: Any, mask: Any, rng: Any, k: int, depth: int, times: int) -> float:
    """The mean `value` to the seat to act at table `i` after random play in worlds that it holds possible.

    Each simulation redraws what the seat cannot know, with a future of its own, plays `depth` decisions at random
    and asks the rulebook how good the table then looks to the seat. ``states[i]`` does not change.

    Args:
        states: tables of the rulebook.
        i: which of them.
        worlds: one table of the same dtype, room to work in.
        mask: bool (num_actions,), room to work in.
        rng: uint64, generators of the caller; ``rng[k]`` is used.
        k: index of the generator.
        depth: decisions after which a simulation is cut.
        times: simulations, at least one.

    Returns:
        float, the mean value.
    """
    seat = states[i].seat
    total = 0.0
    for _ in range(times):
        imagine(states, i, worlds, 0, seat, spin(rng, k))
        playout(worlds, 0, mask, rng, k, depth)
        total += value(worlds[0], seat)
    return total / times
