"""Flat Monte Carlo: each legal action is tried in worlds that the seat to act holds possible, and played on from there.

A simulation imagines a world, plays one action there and goes on for some decisions, every seat choosing what looks
best to it right after (`best_action`). The game's `value` judges after every decision, and what comes later counts for
less: the judgement is a lambda-return (Sutton, "Learning to Predict by the Methods of Temporal Differences", 1988). By
the last table alone, luck on the way there drowned what the action had done. All actions that are still in the running
are tried in the same worlds with the same luck. How the simulations are shared out is sequential halving (Karnin,
Koren, Somekh, "Almost Optimal Exploration in Multi-Armed Bandits", 2013): each round tries all that are left equally
often and drops the worse half.

Nothing but worlds of the seat's own is looked at, with random numbers of the player's own. In a world all seats know
each other's cards, as everywhere in Monte Carlo over worlds: it does not bluff, and does not see through bluffs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .arguments import check_whole
from .compile import kernel, spare, template
from .errors import BadOption
from .players import best_action, pick, spin
from .playout import NO_LIMIT
from .table import imagine, over, play

if TYPE_CHECKING:
    legal: Any
    value: Any

NAME = "montecarlo"
SIMULATIONS = 400  # a decision, where none are named
DEPTH = 30  # decisions that a simulation plays on, where none are named
LAMBDA = 0.85  # of what a judgement weighs, so much is left to the decisions that follow
EACH = 4  # worlds in which every action is tried before any is dropped
WORLD, TRIED, AHEAD, WORLDS = (
    0,
    1,
    2,
    3,
)  # rooms: what is imagined, an action played on in it, one decision ahead


def parse_name(name: str) -> tuple[int, int]:
    """Simulations and depth of the player called `name`: ``montecarlo``, ``montecarlo:400`` or ``montecarlo:400:20``.

    Raises:
        BadOption: it is not one of these, or a number is outside its range.
    """
    first, *numbers = name.split(":")
    whole = all(number.isascii() and number.isdecimal() for number in numbers)
    if first != NAME or len(numbers) > 2 or not whole:
        raise BadOption(
            f"{name}: give {NAME}:SIMULATIONS or {NAME}:SIMULATIONS:DEPTH, whole numbers "
            f"({NAME}:{SIMULATIONS}, {NAME}:{SIMULATIONS}:{DEPTH})"
        )
    simulations, depth = [*map(int, numbers), *(SIMULATIONS, DEPTH)[len(numbers) :]]
    return check_whole(f"{name}: simulations", simulations, 1), check_whole(f"{name}: depth", depth, 0)


@kernel
def halvings(count: int) -> int:
    """How often `count` is halved, rounded up, until one is left."""
    rounds = 0
    while (1 << rounds) < count:
        rounds += 1
    return rounds


@kernel
def affordable(simulations: int) -> int:
    """The most actions that can all be tried in `EACH` worlds in every round that they live to see; at least one."""
    count = 1
    while (count + 1) * halvings(count + 1) * EACH <= simulations:
        count += 1
    return count


@kernel
def shuffled(mask: Any, order: Any, rng: Any, k: int) -> int:
    """Put the actions of `mask` into `order`, in a random one, so that none wins a draw by its number; how many."""
    count = 0
    for action in range(len(mask)):
        if mask[action]:
            other = pick(rng, k, count + 1)
            order[count] = order[other]
            order[other] = action
            count += 1
    return count


@kernel
def best_first(order: Any, worth: Any, count: int) -> None:
    """Sort the first `count` actions of `order` by their `worth`; those alike stay in their order."""
    for last in range(1, count):
        action, at = order[last], last
        while at > 0 and worth[order[at - 1]] < worth[action]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = action


@template
def play_on(worlds: Any, action: int, mask: Any, rng: Any, k: int, depth: int, seat: int) -> float:
    """Play `action` at ``worlds[TRIED]``, then `depth` decisions at most by what looks best to each seat.

    Returns:
        What that came to for `seat`: its values after every decision, each weighing less than the one before.
    """
    s = worlds[TRIED]
    total, weight = 0.0, 1.0
    for ahead in range(depth + 1):
        if ahead > 0:
            mask[:] = False
            legal(s, mask)
            action = best_action(worlds, TRIED, mask, worlds, AHEAD, rng, k)
        play(s, action)
        worth = value(s, seat)
        if ahead == depth or over(s, NO_LIMIT):
            return total + weight * worth
        total += weight * (1.0 - LAMBDA) * worth
        weight *= LAMBDA
    return total


@template
def try_each(
    states: Any,
    i: int,
    worlds: Any,
    mask: Any,
    order: Any,
    count: int,
    worth: Any,
    rng: Any,
    k: int,
    depth: int,
) -> None:
    """Add to `worth` what each of the first `count` actions of `order` comes to in one more world, luck alike."""
    seat = states[i].seat
    imagine(states, i, worlds, WORLD, seat, spin(rng, k))
    luck = rng[k]
    for n in range(count):
        rng[k] = luck
        worlds[TRIED] = worlds[WORLD]
        worth[order[n]] += play_on(worlds, order[n], mask, rng, k, depth, seat)


@template
def montecarlo_action(
    states: Any, i: int, mask: Any, worlds: Any, playing: Any, order: Any, worth: Any, rng: Any, k: int,
    simulations: int, depth: int,
) -> int:  # fmt: skip
    """What sequential halving over worlds of the seat to act chooses at table `i`.

    Where there are more actions than `simulations` can try, those that look best right after in `EACH` worlds are.

    Args:
        states: tables of the rulebook.
        i: which of them; it does not change.
        mask: bool (num_actions,), what is legal there.
        worlds: `WORLDS` tables of the same dtype, room to work in.
        playing: bool (num_actions,), room to work in.
        order: int64 (num_actions,), room to work in.
        worth: float64 (num_actions,), room to work in.
        rng: uint64, generators of the player; ``rng[k]`` is used.
        k: index of the generator.
        simulations: the most that are made.
        depth: decisions after which a simulation is judged.

    Returns:
        A legal action; -1 if there is none.
    """
    count, most = shuffled(mask, order, rng, k), affordable(simulations)
    if count == 0:
        return -1
    sifted = count <= most
    rounds = halvings(min(count, most))
    worth[:] = 0.0
    while count > 1:  # in one loop, as every call of `try_each` is compiled anew
        times, ahead, left = EACH, 0, most
        if sifted:
            times, ahead, left = simulations // (rounds * count), depth, (count + 1) // 2
        for _ in range(times):
            try_each(states, i, worlds, playing, order, count, worth, rng, k, ahead)
        best_first(order, worth, count)
        count = left
        if not sifted:
            worth[:] = 0.0
            sifted = True
    return order[0]


@template
def montecarlo_actions(
    states: Any, mask: Any, rng: Any, where: Any, simulations: int, depth: int, out: Any
) -> None:
    """`montecarlo_action` at the tables `where`, each with its own generator."""
    worlds = spare(states, WORLDS)
    playing = np.zeros(mask.shape[1], np.bool_)
    order, worth = np.zeros(mask.shape[1], np.int64), np.zeros(mask.shape[1], np.float64)
    for j in range(len(where)):
        i = where[j]
        out[j] = montecarlo_action(
            states, i, mask[i], worlds, playing, order, worth, rng, i, simulations, depth
        )
