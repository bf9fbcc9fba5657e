"""The suites of PettingZoo, Gymnasium and stable-baselines3, and what they cannot ask."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import warnings
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from .. import table
from ..aec import TableEnv
from ..batch import Batch
from ..game import Game
from ..seat import SeatEnv
from .tables import live, need, play

NO_FAULTS = (
    "The old environment creation API",  # PettingZoo's test package imports a game of its own by its old name
    "Observation is not a NumPy array",  # it is a dict of two
    "Observation space for each agent probably should be",  # and so is its space
)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """PettingZoo's and Gymnasium's tests print; what they warn of is an error, but for what is no fault."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("error")
        for known in NO_FAULTS:
            warnings.filterwarnings("ignore", known)
        yield


def check_pettingzoo(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """PettingZoo's api_test, seed_test, render_test and state_test, which choose their own seeds.

    state_test samples without a mask, so an illegal action loses there instead of raising, and asks for a parallel
    environment beside the other, of which it wants no more than reset, state and state_space.
    """
    del seed
    make = partial(TableEnv, game, num_players, **options)
    with quiet():
        import pettingzoo.test as theirs

        suite: Any = theirs  # its names are not exported in the way that type checkers ask for
        suite.api_test(make(), num_cycles=60)
        suite.seed_test(make, num_cycles=30)
        suite.render_test(make)
        suite.state_test(make(illegal="lose"), make(), num_cycles=5)


def check_max_cycles(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """A table is truncated, never terminated, at exactly `max_cycles` decisions, rewards 0, the standing in infos.

    PettingZoo's own max_cycles_test asks for a `parallel_env` in which every agent acts in every cycle; at our tables
    one seat decides at a time, and all their decisions count.
    """
    for limit in (1, 2, 5, 30):
        asked = 0
        for env in play(game, num_players, seed, options, 1, max_cycles=limit):
            asked += live(env)
        need(asked <= limit, f"max_cycles={limit}: {asked} decisions were asked for", env)
        if env.states["finished"][0]:
            continue
        need(asked == limit, f"max_cycles={limit}: play stopped after {asked} decisions", env)
        for agent in env.agents:
            out = bool(env.states["eliminated"][0][env.seat_of(agent)])
            flags = env.terminations[agent], env.truncations[agent]
            need(flags == (out, not out), f"max_cycles={limit}: {agent} has flags {flags}", env)
            need(
                out or env.rewards[agent] == 0, f"max_cycles={limit}: {agent} gets {env.rewards[agent]}", env
            )
            standing = env.scores()[agent], env.places()[agent]
            told = env.infos[agent]
            need(
                (told["score"], told["place"]) == standing, f"{agent} is told {told}, stands {standing}", env
            )


def check_at_limit(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """With ``at_limit="decide"`` a game ends at its limit and the standing counts, alone and in a batch."""
    for limit in (1, 4, 25):
        more = {"max_cycles": limit, "at_limit": "decide", **options}
        batch = Batch(game, 1, seed, num_players, **more)
        env = TableEnv(game, num_players, **more)
        env.reset(seed=int(batch.seeds[0]))
        rng, paid = np.random.default_rng(seed), dict.fromkeys(env.possible_agents, 0.0)
        for _ in range(limit):
            action = int(rng.choice(env.legal_actions()))
            batch.step(np.array([action]))
            env.step(action)
            for agent, reward in env.rewards.items():
                paid[agent] += reward
            if batch.done[0] or batch.truncated[0]:
                break
            while env.terminations[env.agent_selection]:
                env.step(None)
        what = f"at_limit='decide', max_cycles={limit}:"
        need(batch.done[0] and not batch.truncated[0], f"{what} the batch is not done", env)
        need(all(env.terminations.values()), f"{what} agents {env.terminations} are not terminated", env)
        need(not any(env.truncations.values()), f"{what} agents {env.truncations} are truncated", env)
        points, places = (np.array([*of.values()]) for of in (env.scores(), env.places()))
        worth = np.zeros(len(points), np.float32)
        table.grade(len(points), points, places, table.WIN, worth)
        need(places.min() == 1, f"{what} nobody is first: {places}", env)
        need(
            np.allclose([*paid.values()], worth), f"{what} rewards {paid}, the standing is worth {worth}", env
        )
        for name, alone in (("scores", points), ("places", places)):
            row = getattr(batch, name)[0, : len(points)]
            need(np.array_equal(row, alone), f"{what} batch.{name} is {row}, alone {alone}", env)


def check_gymnasium(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """Gymnasium's env checker and, where installed, stable-baselines3's, on a seat.

    They sample without a mask, so an illegal action loses here instead of raising.
    """
    seat = SeatEnv(game, num_players=num_players, illegal="lose", opponents="greedy", **options)
    with quiet():
        from gymnasium.utils.env_checker import check_env

        check_env(seat, skip_render_check=True)
        if importlib.util.find_spec("stable_baselines3"):
            from stable_baselines3.common.env_checker import check_env as check_env_sb3

            check_env_sb3(seat)
    _check_seat_episode(game, num_players, seed, options)


def _check_seat_episode(game: Game, num_players: int | None, seed: int, options: dict[str, Any]) -> None:
    env = SeatEnv(game, seat="random", num_players=num_players, opponents="random", **options)
    rng = np.random.default_rng(seed)
    for episode in range(3):
        observation, info = env.reset(seed=seed + episode)
        over = env._over
        while not over:
            mask = env.action_masks()
            need(mask.dtype == np.bool_ and mask.any(), "the seat is to act and its mask is empty", env.env)
            need(
                env.observation_space.contains(observation),
                "the seat's observation leaves its space",
                env.env,
            )
            observation, reward, ended, stopped, info = env.step(rng.choice(np.flatnonzero(mask)))
            over = ended or stopped
            need(over or reward == 0, f"reward {reward} before the seat's game is over", env.env)
        need({"score", "place"} <= set(info), f"the seat's last info is {info}", env.env)
        need(env.action_masks().all(), "the seat's game is over and its mask rules something out", env.env)
