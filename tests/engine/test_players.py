"""The two compiled players: random is uniform, greedy looks at nothing that is hidden."""

import dataclasses

import numpy as np
import pytest
from tiny import ACT, GAME, A

from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.compile import entry, kernel
from agezoo.envs.engine.conformance import play, surprise
from agezoo.envs.engine.players import greedy_actions, pick, random_action, random_actions


@entry
def picks(rng, n, out):
    for k in range(len(out)):
        out[k] = pick(rng, 0, n)


def test_random_actions_are_uniform_among_the_legal():
    mask = np.zeros((50_000, 9), np.bool_)
    mask[:, [1, 4, 8]] = True
    rng = np.arange(50_000, dtype=np.uint64)
    out = np.zeros(50_000, np.int64)
    everywhere = np.arange(50_000)
    random_actions(mask, rng, everywhere, out)
    counts = np.array([np.count_nonzero(out == a) for a in (1, 4, 8)])
    assert counts.sum() == 50_000
    assert surprise(counts, np.full(3, 50_000 / 3)) < 4
    again = out.copy()
    random_actions(mask, rng, everywhere, out)
    assert (again != out).any(), "the generators have moved on"


def test_random_actions_at_some_tables_leave_the_other_generators_alone():
    mask, rng, out = np.ones((10, 4), np.bool_), np.arange(10, dtype=np.uint64), np.zeros(3, np.int64)
    random_actions(mask, rng, np.array([7, 2, 5]), out)
    alone = [random_action(mask[k], np.array([k], np.uint64), 0) for k in (7, 2, 5)]
    assert out.tolist() == alone
    assert [k for k in range(10) if rng[k] != k] == [2, 5, 7]


def test_random_action_of_nothing():
    assert random_action(np.zeros(5, np.bool_), np.zeros(1, np.uint64), 0) == -1


@pytest.mark.parametrize("n", [2, 3, 7, 100])
def test_pick_is_uniform(n):
    out = np.zeros(50_000, np.int64)
    picks(np.array([n], np.uint64), n, out)
    counts = np.bincount(out, minlength=n)
    assert len(counts) == n
    assert surprise(counts, np.full(n, 50_000 / n)) < 4


def test_players_leave_the_table_alone():
    for env in play(GAME, 3, 1, {}, 60):
        if env.legal_actions():
            before = env._states.tobytes()
            env.greedy_action(3)
            env.random_action(3)
            assert env._states.tobytes() == before


def test_greedy_does_the_same_in_every_world_that_its_seat_cannot_tell_apart():
    different = 0
    for env in play(GAME, 3, 2, {}, 200):
        if env.legal_actions():
            for seed in range(4):
                world = env.world(env.agent_selection, seed)
                different += world._states["card"].tobytes() != env._states["card"].tobytes()
                assert [env.greedy_action(k) for k in range(5)] == [world.greedy_action(k) for k in range(5)]
    assert different > 100


def test_greedy_takes_what_is_best_and_breaks_ties_either_way():
    """Holding the highest card against one seat in play, a challenge wins a point; before that nothing is known."""
    for seed in range(300):
        env = TableEnv(GAME, 2, coin=False)
        env.reset(seed=seed)
        env.step(A.stay)
        env.step(A.stay)
        s = env._states[0]
        assert s["phase"] == ACT
        if s["card"][0] == 4:
            assert {env.greedy_action(k) for k in range(30)} == {A.challenge}
            break
    else:
        raise AssertionError("no deal has it")
    tied = TableEnv(GAME, 2)
    tied.reset(seed=1)
    assert {tied.greedy_action(k) for k in range(60)} == {A.stay, A.swap}


@kernel
def all_alike(s, seat):
    return 0.0


@pytest.mark.parametrize("legal", [1, 2, 3, 4, 5])
def test_equals_are_chosen_alike_often(legal):
    """However many are equal, and wherever they lie in the mask: each as often as every other (chi-square)."""
    game = dataclasses.replace(GAME, name="tiny_without_value", value=all_alike)
    env = TableEnv(game)
    env.reset(seed=1)
    for _ in range(3):
        env.step(A.stay)
    tables = 4_000
    mask = np.zeros((1, game.num_actions), np.bool_)
    mask[0, [2, 3, 4, 0, 1][:legal] if legal <= 3 else slice(0, legal)] = True
    acts = np.flatnonzero(mask[0])
    states = np.repeat(env.states, tables)
    choose = game.compiled(greedy_actions)
    out, rng = np.zeros(tables, np.int64), np.arange(tables, dtype=np.uint64)
    choose(states, np.repeat(mask, tables, axis=0), rng, np.arange(tables), out)
    counts = np.array([np.count_nonzero(out == a) for a in acts])
    assert counts.sum() == tables
    if legal > 1:
        assert surprise(counts, np.full(legal, tables / legal)) < 4
