"""What `Game` declares, its options, and positions that are refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..aec import TableEnv
from ..errors import BadOption, BadPosition
from ..game import Game
from .tables import (
    Broken,
    act,
    everything,
    future,
    live,
    need,
    play,
    reloaded,
    same_views,
    sampled,
    two_agents,
    without_rng,
)

MOST_BYTES = 4096  # a table may take


def check_facts(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """What `Game` declares: lengths, chance, seats, options, size."""
    need(
        game.state.itemsize <= MOST_BYTES,
        f"a table takes {game.state.itemsize} bytes, more than {MOST_BYTES}",
    )
    longest, deals = 0, set()
    for env in play(game, num_players, seed, options, 300):
        longest = max(longest, int(env.states["decisions"][0]))
        need(
            env.states["decisions"][0] == len(env.moves),
            "state.decisions does not count decisions",
            env,
        )
        if not env._moves:
            deals.add(without_rng(env))
        if game.ends_by_itself and not live(env):
            need(env.states["finished"][0], f"max_decisions={game.max_decisions} came before the end", env)
    need(longest <= game.max_decisions, f"{longest} decisions, max_decisions is {game.max_decisions}", env)
    need(_chance_shows(game, num_players, seed, options) == game.chance, f"chance={game.chance} is wrong")
    for wrong in (game.players[0] - 1, game.players[1] + 1, 0, -1, 2.0, "2", True):
        _refuses_option(game, num_players=wrong)
    _refuses_option(game, no_such_option=1)


def _chance_shows(game: Game, num_players: int | None, seed: int, options: dict[str, Any]) -> bool:
    """Whether games from other seeds differ while the same actions are played."""
    one, two = TableEnv(game, num_players, **options), TableEnv(game, num_players, **options)
    for start in range(seed, seed + 5):
        one.reset(seed=start)
        two.reset(seed=start + 1)
        while live(one) and live(two):
            if without_rng(one) != without_rng(two):
                return True
            action = one.random_action(start)
            act(one, action)
            act(two, action)
    return False


def _refuses_option(game: Game, **options: Any) -> None:
    try:
        TableEnv(game, **options)
    except BadOption:
        return
    raise Broken(f"{game.name} takes {options}")


def option_sets(game: Game) -> list[dict[str, Any]]:
    """The defaults; then each option at each of its `samples`, the others as by default."""
    sets: list[dict[str, Any]] = [{}]
    for option in game.options:
        values = option.samples
        sets += [{option.name: v} for v in values if option.encode(v) != option.encode(option.default)]
    return sets


def check_options(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """Options are kept in positions and records, and refuse what is outside their range."""
    for option in game.options:
        for wrong in (option.low - 1, option.high + 1, "nonsense", None, 0.5, [0]):
            _refuses_option(game, **{option.name: wrong})
        for value in option.samples:
            env = TableEnv(game, num_players, **{**options, option.name: value})
            env.reset(seed=seed)
            need(env.position()["options"][option.name] == value, f"{option.name}={value} is not kept", env)
            act(env, env.legal_actions()[0])
            need(
                list(env.record().replay())[-1].position() == env.position(),
                "a record loses its options",
                env,
            )


def check_positions(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """A position with a broken field is refused, and nothing is loaded; a seat's own position loads and plays on."""
    rng = np.random.default_rng(seed)
    for number, env in enumerate(sampled(play(game, num_players, seed, options, 30), 10)):
        where, before = env.position(), everything(env)
        for broken in _broken_positions(where, rng):
            try:
                env.load(broken)
            except BadPosition:
                need(everything(env) == before, "a refused position changed the table", env)
            else:
                raise Broken(f"this position was loaded: {broken}")
        for agent in two_agents(env, number):
            view = json.loads(json.dumps(env.position(agent)))
            twin = reloaded(env)
            twin.load(view)
            need(same_views(twin, env, agent), f"the position of {agent} looks different to it", env)
            named = [entry["action"] for entry in view["legal_actions"]]
            mine = env.legal_actions() if agent == env.agent_selection else []
            need(named == mine, f"the position of {agent} lists actions {named}, must list {mine}", env)
            future(twin, 0)


def _broken_positions(where: dict[str, Any], rng: np.random.Generator) -> Iterator[Any]:
    yield from ("", "[", "null", "3", "[]", b"\xff", 7, None, [], "[" * 100_000)
    wrong: Any
    for key in ("agezoo", "game", "version", "num_players", "options", "state"):
        yield {k: v for k, v in where.items() if k != key}
        for wrong in (None, "x", -1, 1.5, [], {"x": 1}):
            if wrong != where[key]:
                yield {**where, key: wrong}
    state = where["state"]
    yield {**where, "state": {**state, "no_such_field": 0}}
    yield {**where, "state": {**state, 7: 0}}
    for name in rng.permutation(list(state))[:12]:
        yield {**where, "state": {k: v for k, v in state.items() if k != name}}
        for wrong in (None, "x", 1.5, [[1], [1, 2]], 1 << 70, {"x": 1}, [*([state[name]] * 3)]):
            yield {**where, "state": {**state, str(name): wrong}}
