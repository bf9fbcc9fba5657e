"""Fills the cache of compiled code, as for an image that is built once and started often."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from agezoo import agents
from agezoo.envs import AgezooError, Batch, Game
from agezoo.envs.engine import cache
from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.compile import PLAIN, place
from agezoo.envs.engine.players import PLAYERS
from agezoo.envs.engine.seat import SeatEnv


class NotKept(AgezooError):
    """There is no place for compiled code."""


def warm(game: Game) -> Path:
    """Compile what tables, batches and agents of `game` need, unless the cache has it.

    Returns:
        The folder that holds it.

    Raises:
        NotKept: nothing is compiled, or nothing can be kept.
    """
    where = place(game.source)
    if PLAIN:
        raise NotKept("AGEZOO_PLAIN is set: nothing is compiled")
    if where is None:
        raise NotKept("there is no folder for compiled code: set AGEZOO_CACHE_DIR to one")
    if not cache.writable(where):
        raise NotKept(f"{where} cannot be written: set AGEZOO_CACHE_DIR to a folder that can")
    env = TableEnv(game, play_forced=False)
    env.reset(seed=0)
    agent = env.agent_selection
    env.state()
    env.world(agent, seed=1).clone()
    env.load(env.position(agent))
    env.step(env.random_action(0))
    env.step(env.greedy_action(0))
    batch = Batch(game, 2, seed=0)
    rng = np.arange(2, dtype=np.uint64)
    batch.step(batch.random_actions(rng))
    batch.step(batch.greedy_actions(rng))
    env.montecarlo_action(0, simulations=2, depth=1)
    batch.montecarlo_actions(rng, simulations=2, depth=1)
    SeatEnv(game, opponents="greedy").reset(seed=0)
    for name in PLAYERS:
        agents.make(name, game).act(env, env.agent_selection)
        agents.play_games(game, [agents.make(name, game)] * game.default_players, games=1)
    return where
