"""Random games, and what every check asks of a table."""

from __future__ import annotations

import copy
import itertools
import json
from collections.abc import Callable, Iterator
from hashlib import blake2b
from typing import Any

import numpy as np

from ..aec import TableEnv
from ..game import Game

Check = Callable[..., None]


class Broken(AssertionError):
    """A rulebook or the engine does not do what it must; the message ends with the game that shows it."""


def need(holds: Any, what: str, env: TableEnv | None = None) -> None:
    """Raise `Broken` unless `holds`.

    Args:
        holds: anything with a truth value.
        what: what does not hold, if it does not.
        env: the table that shows it.
    """
    if not holds:
        raise Broken(what + (f"\n{story(env)}" if env is not None else ""))


def story(env: TableEnv) -> str:
    """The game so far as a record, for messages."""
    try:
        return env.record().to_text()
    except Exception as error:
        return f"(no record: {error}; actions {env.moves} from {env._origin})"


def play(
    game: Game, num_players: int | None, seed: int, options: dict[str, Any], decisions: int, **more: Any
) -> Iterator[TableEnv]:
    """Random games: the table before every decision and at each end, the same object each time.

    Args:
        game: the rulebook.
        num_players: seats.
        seed: of deals and choices.
        options: the rulebook's options.
        decisions: how many there are at least; the last game is played to its end.
        **more: arguments of `TableEnv`.
    """
    env = TableEnv(game, num_players, **more, **options)
    rng = np.random.default_rng(seed)
    asked = 0
    while asked < decisions:
        env.reset(seed=int(rng.integers(1 << 63)))
        while live(env):
            asked += 1
            yield env
            legal = env.legal_actions()
            need(legal, f"{env.agent_selection} has no legal action, and the table is not over", env)
            act(env, int(rng.choice(legal)))
        yield env


def live(env: TableEnv) -> bool:
    """A decision is awaited."""
    return any(not (env.terminations[a] or env.truncations[a]) for a in env.agents)


def act(env: TableEnv, action: int) -> None:
    """Step, and let seats that were knocked out leave, unless the table is over."""
    env.step(action)
    while live(env) and (env.terminations[env.agent_selection] or env.truncations[env.agent_selection]):
        env.step(None)


def two_agents(env: TableEnv, number: int) -> list[str]:
    """The seat to act and another, a different one for each `number`."""
    acting = env.seat_of(env.agent_selection)
    others = len(env.possible_agents) - 1
    return [env.possible_agents[(acting + k) % (others + 1)] for k in (0, 1 + number % others)]


def sampled(tables: Iterator[TableEnv], every: int, most: int = 60) -> Iterator[TableEnv]:
    """Every so many-th table at which a decision is awaited, `most` of them at most, for games can be long."""
    return itertools.islice(filter(live, tables), 0, most * every, every)


def table_bytes(env: TableEnv) -> bytes:
    """The state of a table."""
    return env.states.tobytes()


def everything(env: TableEnv) -> tuple[Any, ...]:
    """All that a user can see of a table, to compare."""
    arrays = [env._mask, env._observation, env._seat_now, env.states]
    shown = (env.agents, env.rewards, env._cumulative_rewards, env.terminations, env.truncations, env.infos)
    return (*(a.tobytes() for a in arrays), copy.deepcopy(shown), env.agent_selection, env._moves)


def same_views(a: TableEnv, b: TableEnv, agent: str) -> bool:
    """Whether `agent` sees the same at two tables, and may do the same if it is to act."""
    return a.agent_selection == b.agent_selection and all(
        np.array_equal(mine, yours)
        for mine, yours in zip(a.observe(agent).values(), b.observe(agent).values(), strict=True)
    )


def reloaded(env: TableEnv) -> TableEnv:
    """A table loaded from the position of this one."""
    options: dict[str, Any] = {**env.game.options_of(env.states[0])}
    twin = TableEnv(env.game, len(env.possible_agents), **options)
    twin.load(json.dumps(env.position()))
    return twin


def future(env: TableEnv, seed: int, most: int = 300) -> list[str]:
    """Digests of the table and of what is seen and paid, for `most` decisions at most, chosen from `seed`."""
    rng = np.random.default_rng(seed)
    lines: list[str] = []
    while live(env) and len(lines) < most:
        act(env, int(rng.choice(env.legal_actions())))
        paid = [env._cumulative_rewards.get(a, 0.0) for a in env.possible_agents]
        seen = env.observe(env.agent_selection)["observation"].tobytes()
        lines.append(blake2b(table_bytes(env) + seen + repr(paid).encode(), digest_size=8).hexdigest())
    return lines


def without_rng(env: TableEnv) -> bytes:
    """The state of a table but for its random numbers."""
    states = env.states.copy()
    states["rng"] = 0
    return states.tobytes()


def check_record(env: TableEnv, shown: TableEnv) -> None:
    """The rulebook's own `check` holds at `env`; `shown` is the table to report, which `env` may be a world of."""
    try:
        env.game.check(env.game.record(env.states))
    except ValueError as error:
        world = "" if env is shown else "in a world of this table: "
        raise Broken(f"{world}{error}\n{story(shown)}") from None
