"""A start from greedy players' choices."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from sb3_contrib import MaskablePPO

from agezoo.agents.imitate import LENGTH, Games, imitate
from agezoo.agents.ppo import OneMaskPolicy
from agezoo.agents.vec import VecTables
from agezoo.envs import Batch, find

GAME = find("bronze")
TABLES = 4


def tables() -> Batch:
    return Batch(GAME, TABLES, 1, 2)


def learner() -> MaskablePPO:
    env = VecTables(GAME, TABLES, {"random": 1.0}, 0, num_players=2)
    network = {"net_arch": [32]}
    return MaskablePPO(OneMaskPolicy, env, policy_kwargs=network, n_steps=8, batch_size=256, seed=0)


def test_what_is_learned_from_are_the_choices_of_greedy_players():
    batch, again, rng = tables(), tables(), np.arange(TABLES, dtype=np.uint64) + np.uint64(7)
    games = Games(batch, 7)
    games.play()
    for t in range(LENGTH):
        assert np.array_equal(games.seen[t], again.observation)
        assert np.array_equal(games.masks[t], again.action_mask)
        assert np.array_equal(games.actions[t], again.greedy_actions(rng))
        again.step(games.actions[t])
    assert np.take_along_axis(games.masks, games.actions[:, :, None], 2).all()


def test_each_decision_gets_what_its_seat_came_to_if_the_game_was_over():
    games = Games(tables(), 7)
    games.play()
    assert games.over.any()
    assert not games.over[-1].all()
    for i in range(TABLES):
        ended = int(games.over[:, i].sum())
        assert games.over[:ended, i].all()  # those after the last end are open
        assert set(games.paid[:ended, i].tolist()) <= {-1.0, 0.0, 1.0}
        both = {seat: set(games.paid[:ended, i][games.seats[:ended, i] == seat].tolist()) for seat in (0, 1)}
        assert all(both.values())


@pytest.mark.parametrize("name", ["age_of_heroes"])
def test_a_seat_that_was_knocked_out_is_paid_then(name):
    batch = Batch(find(name), 32, 1, 3)
    games = Games(batch, 7)
    games.play()
    games.play()
    assert games.over.any()
    assert (games.paid[games.over] != 0).all()  # three seats: nobody's game comes to nothing


def test_a_network_comes_to_choose_as_greedy_players_do():
    model = learner()
    first, _ = imitate(model, tables(), 1, 1e-3, 0)
    later, _ = imitate(model, tables(), 12 * LENGTH * TABLES, 1e-3, 0)
    assert later > first + 0.05


def test_it_stops_when_told_to():
    model = learner()
    before = [value.clone() for value in model.policy.parameters()]
    assert imitate(model, tables(), 10**9, 1e-3, 0, lambda: True) == (0, 0)
    assert all((old == new).all() for old, new in zip(before, model.policy.parameters(), strict=True))
