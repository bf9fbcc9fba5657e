"""`state()`: what a central critic sees of a table tells tables apart, and is of a size that a network can use."""

import numpy as np
import pytest
from tiny import GAME

import agezoo.envs
from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.fields import ALL, Field, state_space, state_vector, table_dtype

GAMES = [GAME, *map(agezoo.envs.find, agezoo.envs.names())]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_no_field_of_any_game_is_lost(game):
    """Whatever number of whatever field is another, by one or in one bit of a set, `state()` is another."""
    env = TableEnv(game)
    env.reset(seed=1)
    before = env.state()
    assert before.shape == env.state_space.shape
    rng = np.random.default_rng(1)
    for field in game.all_fields:
        if field.name == "rng":
            continue
        low, high = field.range
        cells = list(np.ndindex(*field.axes))
        for at in [cells[k] for k in rng.permutation(len(cells))[:6]]:
            where = (0, *at)
            held = int(env.states[field.name][where])
            others = (
                [held ^ (1 << k) for k in range(field.bits)]
                if field.bits
                else [held + 1, held - 1, low, high]
            )
            for other in others:
                if low <= other <= high and other != held:
                    env.states[field.name][where] = other
                    assert (env.state() != before).any(), (
                        f"{field.name}{at}: {held} and {other} look the same"
                    )
            env.states[field.name][where] = held
    assert np.array_equal(env.state(), before)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_numbers_are_near_one(game):
    """In play, that is: no number of `state()` dwarfs the others, and none is lost beside them."""
    largest, env = 0.0, TableEnv(game)
    for seed in range(3):
        env.reset(seed=seed)
        for move in range(150):
            if not env.agents or any(env.terminations.values()):
                break
            if move % 10 == 0:
                seen = env.state()
                assert env.state_space.contains(seen)
                largest = max(largest, float(np.abs(seen).max()))
            env.step(env.random_action(move))
    assert 0.5 <= largest <= 4
    steps = [1 / field.scale for field in game.all_fields[1:] if not field.bits and field.name != "decisions"]
    assert min(steps) >= 1 / 1000, "one more or less is lost in the noise"


def test_sets_are_planes_of_zeros_and_ones():
    fields = (
        Field("set", np.uint64, 2, sees=ALL, bits=60, doc="x"),
        Field("few", np.int8, low=-2, high=8, doc="x"),
    )
    states = np.zeros(1, table_dtype(*fields))
    states["set"][0] = 1 | 1 << 59, 1 << 33
    states["few"] = -2
    seen = state_vector(fields, states)
    assert np.flatnonzero(seen[:120]).tolist() == [0, 59, 60 + 33]
    assert set(seen[:120].tolist()) == {0.0, 1.0}
    assert seen[120] == -0.25
    assert state_space(fields).contains(seen)


@pytest.mark.parametrize(
    ("declared", "wanted"),
    [
        ({"kind": np.uint8, "bits": 3}, (0, 7)),
        ({"kind": np.uint8, "bits": 8}, (0, 255)),
        ({"kind": np.int8, "bits": 3, "low": -1}, (-1, 7)),
        ({"kind": np.int8}, (-128, 127)),
        ({"kind": np.int8, "low": 0, "high": 4}, (0, 4)),
        ({"kind": np.bool_}, (0, 1)),
    ],
)
def test_ranges(declared, wanted):
    assert Field("x", **declared).range == wanted
