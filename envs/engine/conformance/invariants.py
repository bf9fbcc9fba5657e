"""What holds at every table: components, observations and masks, standing, rewards."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import table
from ..aec import REWARDS, TableEnv
from ..game import Game, _no_check
from .tables import check_record, live, need, play


def check_components(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """The rulebook's own `check` holds at every table, and in every world."""
    need(game.check is not _no_check, f"{game.name} has no `check`: count its components there")
    for number, env in enumerate(play(game, num_players, seed, options, 400)):
        check_record(env, env)
        if number % 10 == 0:
            for agent in env.possible_agents:
                check_record(env.world(agent, number), env)


def check_observations(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """What seats see is finite, inside its space, the caller's own; masks are as `TableEnv` says."""
    for env in play(game, num_players, seed, options, 200):
        need(env.state_space.contains(env.state()), "state() leaves state_space", env)
        for agent in env.possible_agents:
            seen = env.observe(agent)
            vector, mask = seen["observation"], seen["action_mask"]
            space = env.observation_space(agent)["observation"]  # type: ignore[index]
            need(np.isfinite(vector).all(), f"{agent} sees a number that is not finite", env)
            outside = np.flatnonzero((vector < space.low) | (vector > space.high))
            names = [game.observation.name(int(k)) for k in outside[:5]]
            need(not names, f"{agent} sees numbers outside their range: {names}", env)
            need(env.observation_space(agent).contains(seen), f"{agent}'s observation leaves its space", env)
            vector[:] = -1
            mask[:] = 9
        _check_masks(env)


def _check_masks(env: TableEnv) -> None:
    for agent in env.possible_agents:
        mask = env.observe(agent)["action_mask"]
        over = agent not in env.agents or env.terminations[agent] or env.truncations[agent]
        wanted = np.full(env.game.num_actions, not over, np.int8)
        if not over and agent == env.agent_selection:
            wanted = np.isin(np.arange(env.game.num_actions), env.legal_actions()).astype(np.int8)
        need(np.array_equal(mask, wanted), f"{agent}'s mask is not what it must be", env)


def check_standing(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """Scores are finite; places are those of a ranking; who is knocked out keeps its place and leaves the table."""
    kept: dict[str, int] = {}
    for env in play(game, num_players, seed, options, 200):
        if not env._moves:
            kept = {}
        scores, places = env.scores(), env.places()
        need(np.isfinite(list(scores.values())).all(), f"scores {scores}", env)
        out = env.states["eliminated"][0]
        for agent, place in kept.items():
            need(
                places[agent] == place, f"{agent} was knocked out on place {place}, now {places[agent]}", env
            )
            need(
                agent not in env.agents or not live(env),
                f"{agent} was knocked out and still sits there",
                env,
            )
        living = sorted(p for a, p in places.items() if not out[env.seat_of(a)])
        need(
            living == [1 + sum(q < p for q in living) for p in living], f"places {places} are no ranking", env
        )
        now_out = {a: p for a, p in places.items() if out[env.seat_of(a)]}
        need(
            not living or all(p > len(living) for p in now_out.values()), f"places {places} of seats out", env
        )
        kept = now_out


def check_rewards(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """Rewards add up: each agent collects what the final standing is worth, in every reward mode."""
    for kind, mode in enumerate(REWARDS):
        _check_rewards_of(game, num_players, seed, options, mode, kind)


def _check_rewards_of(
    game: Game, num_players: int | None, seed: int, options: dict[str, Any], mode: str, kind: int
) -> None:
    env = TableEnv(game, num_players, reward=mode, **options)
    rng = np.random.default_rng(seed)
    asked = 0
    while asked < 150:
        env.reset(seed=int(rng.integers(1 << 63)))
        collected, summed = dict.fromkeys(env.possible_agents, 0.0), dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter(1 << 40):
            _, reward, terminated, truncated, _ = env.last()
            collected[agent] += reward
            env.step(None if terminated or truncated else int(rng.choice(env.legal_actions())))
            for other, given in env.rewards.items():
                summed[other] += given
        asked += int(env.states["decisions"][0])
        paid = np.zeros(len(collected), np.float32)
        places = np.array(list(env.places().values()))
        table.grade(len(paid), np.array(list(env.scores().values())), places, kind, paid)
        finished = env.states["finished"][0]
        if not finished:  # truncated: only seats that were knocked out have been paid
            paid[env.states["eliminated"][0][: len(paid)] == 0] = 0
        need(
            np.allclose(list(collected.values()), paid), f"{mode}: collected {collected}, must be {paid}", env
        )
        need(summed == collected, f"{mode}: rewards summed {summed}, collected {collected}", env)
        if mode != "score" and game.zero_sum and finished:
            need(abs(sum(collected.values())) < 1e-5, f"{mode}: rewards {collected} do not sum to 0", env)
