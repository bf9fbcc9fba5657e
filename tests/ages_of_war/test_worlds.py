"""Worlds held against rejection: many tables are dealt and played blindly, and those that look the same are kept.

Nothing here knows how `determinize` reasons. The enemy follows a plan that does not look at its hand, so what it does
tells nothing but what it shows: tables that a seat cannot tell from its own must come up as often as its worlds say.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from agezoo.envs.ages_of_war.components import NUM_KINDS, NUM_REGULARS
from agezoo.envs.ages_of_war.state import A, Phase
from agezoo.envs.engine import table
from agezoo.envs.engine.compile import kernel, template
from agezoo.envs.engine.players import spin
from agezoo.envs.engine.table import deal, look

from .scenario import GAME

NUMBER = 6000  # of tables that are kept, and of worlds
OPTIONS = {"units": 2, "field": "6x8"}


@kernel
def first(mask):
    """The first legal action."""
    action = 0
    while not mask[action]:
        action += 1
    return action


@template
def kept(states, prototypes, rng, seat, own, plan, decisions, view, mask, seen):
    """Fill `states` with tables that look to `seat` like `view`, with any if it is empty. Returns how many were dealt.

    The seat's own army is always `own`, a faction and a hand; it deploys what comes first. Its enemy deploys what
    `plan` says, whatever it holds; where it does not hold that, the table is thrown away.
    """
    found, dealt = 0, 0
    while found < len(states):
        dealt += 1
        deal(states, found, prototypes, 0, spin(rng, 0))
        s = states[found]
        s.faction[seat] = own[0]
        s.hand[seat] = own[1:]
        planned, same = 0, True
        for _ in range(decisions):
            mask[:] = False
            legal(s, mask)  # noqa: F821 - a kernel of the rulebook, put in place by `specialize`
            action = first(mask)
            if s.seat != seat and s.phase == Phase.DEPLOY:
                action = A.deploy + plan[planned]
                planned += 1
            same = same and mask[action]
            if same:
                apply(s, action)  # noqa: F821
        if same:
            look(states, found, seat, seen)
            for k in range(len(view)):
                same = same and view[k] == seen[k]
        found += same
    return dealt


def sample(
    number: int, seat: int, plan: list[int], decisions: int, view: np.ndarray, seed: int
) -> np.ndarray:
    """`kept`, with an army of the first faction and two kinds of regular units."""
    prototype = GAME.prototype(None, OPTIONS)
    states = np.repeat(prototype, number)
    own = np.zeros(1 + NUM_KINDS, np.int8)
    own[1 + np.array([0, 4, NUM_REGULARS, NUM_REGULARS + 1])] = 1
    mask, seen = np.zeros(GAME.num_actions, np.bool_), np.zeros(GAME.num_features, np.float32)
    rng, kinds = np.array([seed], np.uint64), np.array([*plan, 0], np.int64)
    GAME.compiled(kept)(states, prototype, rng, seat, own, kinds, decisions, view, mask, seen)
    states["rng"] = 0
    return states


ELITE = NUM_REGULARS + 6  # of the fourth faction


@pytest.mark.parametrize(
    ("seat", "decisions", "plan"),
    [
        (0, 0, []),
        (1, 0, []),
        (0, 3, [2]),  # shown, not placed
        (1, 2, [2]),
        (0, 4, [ELITE]),
        (1, 6, [7, 7]),
        (0, 7, [2, 9]),
        (0, 8, [2, ELITE]),
    ],
)
def test_worlds_come_up_as_often_as_tables_that_look_the_same(seat, decisions, plan):
    """Every field of every table counts. One such test in 30,000 fails by chance; there are eight, seeds are set."""
    where = sample(1, seat, plan, decisions, np.zeros(0, np.float32), seed=1)
    view = np.zeros(GAME.num_features, np.float32)
    GAME.compiled(table.look)(where, 0, seat, view)
    tables = sample(NUMBER, seat, plan, decisions, view, seed=2)
    worlds = np.repeat(where, NUMBER)
    imagine = GAME.compiled(table.imagine)
    for k in range(NUMBER):
        imagine(where, 0, worlds, k, seat, np.uint64(k))
    worlds["rng"] = 0
    assert surprise(Counter(t.tobytes() for t in tables), Counter(w.tobytes() for w in worlds)) < 4


def surprise(one: Counter, two: Counter) -> float:
    """Chi-square of two samples of one size over all that came up, in standard deviations (Wilson and Hilferty)."""
    kinds = set(one) | set(two)
    free = len(kinds) - 1
    if free == 0:
        return 0.0
    square = sum((one[kind] - two[kind]) ** 2 / (one[kind] + two[kind]) for kind in kinds)
    return float(((square / free) ** (1 / 3) - (1 - 2 / (9 * free))) / np.sqrt(2 / (9 * free)))
