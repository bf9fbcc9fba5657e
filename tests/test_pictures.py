"""The table as a picture, for every rulebook."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import agezoo.envs
from agezoo.envs.engine import conformance
from agezoo.envs.engine.aec import TableEnv

TABLES = [  # of games that draw one of their own; without, the engine draws the words (tests/engine/test_render.py)
    (name, count)
    for name in agezoo.envs.names()
    if agezoo.envs.find(name).picture is not None
    for count in range(agezoo.envs.find(name).players[0], agezoo.envs.find(name).players[1] + 1)
]


def draw(env: TableEnv, seat: int | None) -> np.ndarray:
    return env.game.picture(env.game.record(env.states), seat)


@pytest.mark.parametrize(("name", "count"), TABLES)
def test_every_seat_gets_a_picture_of_one_size_at_every_moment(name, count):
    sizes = set()
    for number, env in enumerate(conformance.play(agezoo.envs.find(name), count, count, {}, 1)):
        if number % 100 == 0 or not env.agents:
            for seat in (*range(count), None):
                image = draw(env, seat)
                assert image.dtype == np.uint8
                assert image.ndim == 3
                assert image.shape[2] == 3
                assert image.std() > 20
                if seat is not None:
                    sizes.add(image.shape)
    assert len(sizes) == 1


@pytest.mark.parametrize(("name", "count"), TABLES)
def test_a_picture_shows_nothing_that_the_seat_cannot_know(name, count):
    """A world that the seat cannot tell from the real one looks the same to it, though not to the whole table."""
    tables = conformance.play(agezoo.envs.find(name), count, count, {}, 1)
    env = next(itertools.islice(tables, 6, None))
    worlds = [(agent, env.world(agent, seed)) for agent in env.possible_agents for seed in range(3)]
    for agent, world in worlds:
        seat = env.possible_agents.index(agent)
        assert np.array_equal(draw(world, seat), draw(env, seat))
    if env.game.hidden_information:
        assert any(not np.array_equal(draw(world, None), draw(env, None)) for _, world in worlds)
