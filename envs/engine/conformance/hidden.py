"""What a determinized copy (a world) must be, see the package."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np

from ..aec import TableEnv
from ..compile import new_tables, template
from ..game import Game
from ..players import spin
from ..table import deal, imagine
from .tables import (
    Broken,
    act,
    check_record,
    future,
    live,
    need,
    play,
    same_views,
    sampled,
    story,
    table_bytes,
    two_agents,
    without_rng,
)


def check_worlds(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """Worlds look to their seat like the table, do vary, play on, and show nothing of what is hidden.

    Exactly: a table and a world of it, played on alike for as long as the seat sees the same at both, have the same
    worlds and the same position for that seat. So a determinize that copies, or that remembers somewhere what it
    should forget, or that shuffles hidden things from the order they lie in, is found.
    """
    varied = False
    for number, env in enumerate(sampled(play(game, num_players, seed, options, 200), 4)):
        for agent in two_agents(env, number):
            worlds = [env.world(agent, number * 1000 + k) for k in range(4)]
            for world in worlds:
                need(same_views(world, env, agent), f"a world of {agent} looks different to it", env)
            again = env.world(agent, number * 1000)
            need(
                table_bytes(again) == table_bytes(worlds[0]),
                f"two worlds of {agent} from one seed differ",
                env,
            )
            hidden = {without_rng(world) for world in [env, *worlds]}
            varied |= len(hidden) > 1
            need(
                game.hidden_information or len(hidden) == 1, "worlds vary, but nothing should be hidden", env
            )
            need(
                len({int(w._states["rng"][0]) for w in worlds}) == 4, "worlds share their random numbers", env
            )
            _check_twins(env, worlds[1], agent, number)
            future(worlds[2], number)
            check_record(worlds[2], env)
    need(varied or not game.hidden_information, "worlds never vary: nothing that is hidden is ever redrawn")


def _check_twins(env: TableEnv, world: TableEnv, agent: str, seed: int, most: int = 8) -> None:
    """Play a table and a world of it alike; while `agent` sees the same, it must believe the same."""
    one, two = env.clone(), world.clone()
    one._origin, one._moves = env._origin, env._moves
    two._states["rng"] = one._states["rng"]
    rng = np.random.default_rng(seed)
    for _ in range(most):
        _check_same_beliefs(one, two, agent, int(rng.integers(1 << 60)))
        both = sorted(set(one.legal_actions()) & set(two.legal_actions()))
        if not both:
            return
        action = int(rng.choice(both))
        act(one, action)
        act(two, action)
        if not (live(one) and live(two) and same_views(one, two, agent)):
            return


def _check_same_beliefs(one: TableEnv, two: TableEnv, agent: str, seed: int) -> None:
    """Two tables that `agent` cannot tell apart."""
    game, a, b = one.game, one.world(agent, seed), two.world(agent, seed)
    differ = [n for n in game.state.names or () if not np.array_equal(_rows(a, n), _rows(b, n))]
    if set(differ) - set(game.memory):
        raise Broken(
            f"what {agent} cannot know shows in its worlds, in {', '.join(differ)}: two tables that it cannot tell "
            f"apart have different worlds from one seed (see `Game` on determinize)\n{story(one)}"
        )
    if not game.memory:
        need(
            one.position(agent) == two.position(agent),
            f"position({agent!r}) depends on what it cannot know",
            one,
        )
    need(
        one.table_text(agent) == two.table_text(agent),
        f"table_text of {agent} depends on what it cannot know",
        one,
    )


def _rows(env: TableEnv, field: str) -> np.ndarray:
    """A field of the state; sorted within rows where the game has `memory`, for cards move up when one is played."""
    values = env._states[field][0]
    return np.sort(values) if env.game.memory and np.ndim(values) else values


def check_blindness(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """Exchange hidden things in a table behind a seat's back, and its worlds stay the same to everybody in them.

    Two numbers of the state change places wherever worlds vary, the table still passes the rulebook's `check` and the
    seat sees no difference. So a determinize that keeps one hidden thing is found, which no comparison of worlds with
    their worlds would show: it looks as if the seat knew it.
    """
    if not game.hidden_information:
        return
    rng = np.random.default_rng(seed)
    for number, env in enumerate(sampled(play(game, num_players, seed, options, 100), 12)):
        for agent in two_agents(env, number):
            other = _exchange(env, agent, rng)
            for k in range(3):
                one, two = env.world(agent, k), other.world(agent, k)
                for watcher in env.possible_agents:
                    need(
                        same_views(one, two, watcher),
                        f"what {agent} cannot know shows in its worlds: {watcher} sees other things in them when "
                        "hidden things change places",
                        env,
                    )


def _exchange(env: TableEnv, agent: str, rng: np.random.Generator) -> TableEnv:
    """A copy in which numbers hidden from `agent` have changed places."""
    worlds = np.concatenate([env.world(agent, k)._states for k in range(8)])
    cells = [
        (name, at)
        for name in env.game.state.names or ()
        if name not in ("rng", *env.game.memory) and (worlds[name] != env._states[name]).any()
        for at in np.ndindex(env._states[name].shape)
    ]
    varies = [
        bool((worlds[name][(slice(None), *at[1:])] != env._states[name][at]).any()) for name, at in cells
    ]
    other = env.clone()
    for _ in range(80 if cells else 0):
        a, b = rng.integers(len(cells), size=2)
        kinds = [env.game.state[cells[k][0]].base for k in (a, b)]
        if kinds[0] == kinds[1] and (varies[a] or varies[b]):
            _try_exchange(env, other, agent, cells[a], cells[b])
    return other


def _try_exchange(env: TableEnv, other: TableEnv, agent: str, a: Any, b: Any) -> None:
    before, states = other._states.copy(), other._states
    here, there = states[a[0]][a[1]], states[b[0]][b[1]]
    if here == there:
        return
    states[a[0]][a[1]], states[b[0]][b[1]] = there, here
    other._refresh()
    fits = same_views(env, other, agent)
    with contextlib.suppress(ValueError):
        if fits:
            fits = False
            env.game.check(env.game.record(states))
            fits = True
    if not fits:
        states[:] = before
        other._refresh()


def check_calibration(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """A deal and its worlds are exchangeable: among them the deal ranks anywhere, equally often.

    At the deal nobody has chosen anything yet, so what a seat believes is what the deal makes likely. Ranks of random
    sums over the bytes of the state are counted over many deals, and the counts held against equal ones (chi-square).
    """
    ranks, sums, deals = 6, 24, 1200
    states = new_tables(ranks, game.state)
    prototype, rng = game.prototype(num_players, options), np.array([seed], np.uint64)
    generator = np.random.default_rng(seed)
    weights = generator.normal(size=(game.state.itemsize, sums))
    counts = np.zeros((ranks, sums))
    deal_and_imagine = game.compiled(deal_and_worlds)
    for number in range(deals):
        deal_and_imagine(states, prototype, number % int(prototype["num_players"][0]), rng)
        states["rng"] = 0
        values = np.frombuffer(states.tobytes(), np.uint8).reshape(ranks, -1) @ weights
        tied = np.isclose(values[1:], values[0])
        below = (values[1:] < values[0]) & ~tied
        at = below.sum(axis=0) + generator.integers(tied.sum(axis=0) + 1)
        counts[at, np.arange(sums)] += 1
    worst = surprise(counts, np.full_like(counts, deals / ranks)).max()
    need(
        worst < 6, f"a deal does not look like one of its worlds: ranks are {worst:.1f} deviations from equal"
    )


@template
def deal_and_worlds(states: Any, prototypes: Any, seat: int, rng: Any) -> None:
    """Deal a table into ``states[0]``; what `seat` holds possible goes into the others."""
    deal(states, 0, prototypes, 0, spin(rng, 0))
    for j in range(1, len(states)):
        imagine(states, 0, states, j, seat, spin(rng, 0))


def surprise(counts: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """Chi-square of counts against expected ones, in standard deviations (Wilson and Hilferty).

    Args:
        counts: (kinds, tests).
        expected: the same shape, adding up to the same.

    Returns:
        One number a test: about normal, 6 once in a billion.
    """
    free = len(counts) - 1
    square = ((counts - expected) ** 2 / expected).sum(axis=0)
    return ((square / free) ** (1 / 3) - (1 - 2 / (9 * free))) / np.sqrt(2 / (9 * free))
