"""Who notices what: the declared fields of a table (`Field.sees`) turned around."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .. import position
from ..aec import TableEnv
from ..batch import Batch
from ..compile import PLAIN, copied, new_tables, template
from ..errors import BadPosition
from ..fields import ALL, LOOKED, NOBODY, OWNER, Field, state_vector
from ..game import Game
from ..table import look
from .edits import Ranges, number_at, put
from .habits import Habit, Habits
from .tables import act, need, play, same_views, sampled

TABLES, LOOKS = (16, 8) if PLAIN else (48, 24)  # tables in play, and how often they are looked at
STEPS = 30 if PLAIN else 120  # the most decisions between looks
WORLDS = 8
MARGIN = (
    4096  # numbers beside an observation, should a kernel count too far in a table that contradicts itself
)
TRIES = 60
Cell = tuple[Field, tuple[int, ...]]


def check_fields(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """Every field is what its declaration says: in its range, told apart by state(), seen by those who may see it.

    A number that varies in play is changed, and whoever may see it has to notice, at some table. In the worlds of a
    seat, what it may see stays as it is.
    """
    tables = tables_of_play(game, num_players, seed, options)
    outside = Ranges(game).outside(tables)
    need(not outside, f"{outside}, at a table of play")
    _check_state_tells_apart(game, tables)
    _check_noticed(game, tables, seed)
    _check_worlds_keep(game, num_players, seed, options)


def check_secrets(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """Exchange things that are hidden from a seat by their declaration: nothing that it is shown changes.

    Neither what it observes, nor its words and positions, nor what it hears of others' actions.
    """
    rng = np.random.default_rng(seed)
    for number, env in enumerate(sampled(play(game, num_players, seed, options, 150), 12)):
        agent = env.possible_agents[number % len(env.possible_agents)]
        other, changed = exchanged(env, agent, rng)
        if not changed:
            continue
        what = f"{agent} notices when {', '.join(sorted(changed))} change, which it may not see, in"
        mine, yours = env.observe(agent), other.observe(agent)
        waits = agent != env.agent_selection
        differ = np.flatnonzero(mine["observation"] != yours["observation"])[:5]
        names = [game.observation.name(int(k)) for k in differ]
        need(not names, f"{what} its observation: {names}", env)
        need(np.array_equal(mine["action_mask"], yours["action_mask"]), f"{what} its mask", env)
        need(env.table_text(agent) == other.table_text(agent), f"{what} its table_text", env)
        need(env.position(agent) == other.position(agent), f"{what} its position", env)
        for action in sorted(set(env.legal_actions()) & set(other.legal_actions())) if waits else ():
            heard = env.told_text(action, agent), other.told_text(action, agent)
            shown = heard[0] != heard[1] and not _same_after(env, other, action, agent)
            need(heard[0] == heard[1] or shown, f"{what} told_text: {heard}", env)


def _same_after(one: TableEnv, two: TableEnv, action: int, agent: str) -> bool:
    """Whether `agent` still sees the same when `action` was played: if not, it shows what it is heard to be."""
    after = [one.clone(), two.clone()]
    for env in after:
        act(env, action)
    return same_views(after[0], after[1], agent)


def tables_of_play(game: Game, num_players: int | None, seed: int, options: dict[str, Any]) -> np.ndarray:
    """Tables from games by players of every habit, from the beginning to the end: array of dtype `game.state`."""
    batch = Batch(game, TABLES, seed, num_players, play_forced=False, **options)
    players = Habits(game, TABLES, seed, list(Habit))
    actions = np.zeros(TABLES, np.int64)
    found = new_tables(TABLES * LOOKS, game.state)
    rng = np.random.default_rng(seed)
    at = 0
    for k in range(LOOKS):
        for _ in range(int(rng.integers(1, 4 if k < 2 else STEPS))):
            players.choose(batch.states, batch.action_mask, actions)
            batch.step(actions)
            players.draw(np.flatnonzero(batch.done | batch.truncated))
        for i in range(TABLES):
            found[at] = batch.states[i]
            at += 1
    return found


def _check_state_tells_apart(game: Game, tables: np.ndarray) -> None:
    """state() of a table is another when any number of it is another that it takes in play."""
    fields = game.all_fields[1:]
    bare = tables.view(np.ndarray)
    for field, at in _varying(game, tables):
        values = np.unique(_column(bare, field, at))
        one = bare[:1].copy()
        vectors = []
        for value in values[:6]:
            one[field.name][(0, *at)] = value
            vectors.append(state_vector(fields, one).tobytes())
        need(
            len(set(vectors)) == len(vectors),
            f"state() does not tell apart {field.name}{list(at)} of {values[:6].tolist()}",
        )


def _column(bare: np.ndarray, field: Field, at: tuple[int, ...]) -> np.ndarray:
    """One number of a field, at every table."""
    where: Any = (slice(None), *at)
    return bare[field.name][where]


def _varying(game: Game, tables: np.ndarray) -> Iterator[Cell]:
    """The numbers of the state that are not the same at all tables."""
    bare = tables.view(np.ndarray)
    for field in game.all_fields[1:]:
        values = bare[field.name].reshape(len(tables), -1)
        for cell in np.flatnonzero((values != values[:1]).any(axis=0)):
            yield field, tuple(int(k) for k in np.unravel_index(cell, field.axes)) if field.axes else ()


@template
def notice(tables, where, offset, width, values, scratch, raw, before, after, seats, noticed):  # type: ignore[no-untyped-def]
    """Mark in `noticed` (bool per seat) who sees another thing at some table when a number is changed.

    Args:
        tables: of play (N,).
        where: int64 (K,), the tables to change.
        offset: the first byte of the number in the record.
        width: how many there are.
        values: uint8 (K, width), what is put there.
        scratch: one table, room to work in.
        raw: its bytes.
        before: float32 (features,), room to work in.
        after: the same.
        seats: bool per seat, those of interest.
        noticed: bool per seat.
    """
    for k in range(len(where)):
        i = where[k]
        for seat in range(tables[i].num_players):
            if seats[seat] and not noticed[seat]:
                scratch[0] = tables[i]
                look(scratch, 0, seat, before)
                for byte in range(width):
                    raw[offset + byte] = values[k, byte]
                look(scratch, 0, seat, after)
                for n in range(len(before)):
                    if before[n] != after[n]:
                        noticed[seat] = True


def _check_noticed(game: Game, tables: np.ndarray, seed: int) -> None:
    """Whoever may see a number notices, at some table, when it is another."""
    rng, bare = np.random.default_rng(seed), tables.view(np.ndarray)
    compiled = game.compiled(notice)
    scratch = new_tables(1, game.state)
    raw = scratch.view(np.ndarray).view(np.uint8)
    room = np.zeros((2, game.num_features + 2 * MARGIN), np.float32)
    before, after = (line[MARGIN:-MARGIN] for line in room)
    count = int(bare["num_players"][0])
    missed: dict[str, list[str]] = {}
    for field, at in _varying(game, tables):
        if field.sees == NOBODY or field.unseen:
            continue
        wanted = np.ones(count, np.bool_)
        if field.sees == OWNER:
            wanted = np.arange(count) == at[0]
        found = np.ascontiguousarray(_column(bare, field, at))
        where, given = _changes(found, rng)
        noticed = np.zeros(count, np.bool_)
        offset = game.state.fields[field.name][1]  # type: ignore[index]
        offset += int(np.ravel_multi_index(at, field.axes)) * found.itemsize if at else 0
        values = given.view(np.uint8).reshape(len(where), -1)
        compiled(tables, where, offset, found.itemsize, values, scratch, raw, before, after, wanted, noticed)
        blind = np.flatnonzero(wanted & ~noticed)
        if field.sees == LOOKED and noticed.any():
            blind = blind[:0]
        if len(blind):
            seats = "no seat" if len(blind) == wanted.sum() else f"not player_{blind[0]}"
            missed.setdefault(field.name, []).append(f"{list(at) or ''} ({seats})")
    lines = [
        f"state.{name}: {len(cells)} numbers, such as {', '.join(cells[:3])}"
        for name, cells in missed.items()
    ]
    need(
        not lines,
        "what seats may see by its declaration, none of them notices when it changes (show it, or give `unseen` a "
        "reason):\n" + "\n".join(lines),
    )


def _changes(found: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Tables in a random order, each with a value that it does not have and another one has."""
    values = np.unique(found)
    where = rng.permutation(len(found))
    given = rng.choice(values, len(found))
    given = np.where(given == found[where], values[(np.searchsorted(values, given) + 1) % len(values)], given)
    return where, np.ascontiguousarray(given.astype(found.dtype))


def _check_worlds_keep(game: Game, num_players: int | None, seed: int, options: dict[str, Any]) -> None:
    """What a seat may see is in its worlds as it is at the table."""
    for number, env in enumerate(sampled(play(game, num_players, seed, options, 150), 6)):
        agent = env.possible_agents[number % len(env.possible_agents)]
        seat, world = env.seat_of(agent), env.world(agent, number)
        here, there = env.states.view(np.ndarray), world.states.view(np.ndarray)
        for field in game.fields:
            part: Any = {ALL: (0,), OWNER: (0, seat)}.get(field.sees)
            if part is not None:
                need(
                    np.array_equal(here[field.name][part], there[field.name][part]),
                    f"state.{field.name} is declared to be seen by {field.sees}, and {agent} imagines another",
                    env,
                )


# -- what is hidden ---------------------------------------------------------------------------------------------------


def hidden_cells(env: TableEnv, agent: str, boldly: bool = False) -> list[Cell]:
    """The numbers of the state that `agent` may not see, by their declaration.

    Where that depends on who has looked: the numbers that are not the same in its worlds; `boldly`, all of a field of
    which any is not.
    """
    seat, count = env.seat_of(agent), len(env.possible_agents)
    worlds = np.concatenate([env.world(agent, k)._states.view(np.ndarray) for k in range(WORLDS)])
    cells = []
    for field in env.game.fields:
        here = env.states.view(np.ndarray)[field.name][0]
        varies = (worlds[field.name] != here).any(axis=0)
        if boldly:
            varies = np.full_like(varies, varies.any())
        cells += [
            (field, at)
            for at in np.ndindex(field.axes)
            if field.sees == NOBODY
            or (field.sees == OWNER and at[0] != seat and at[0] < count)
            or (field.sees == LOOKED and varies[at])
        ]
    return cells


def exchanged(
    env: TableEnv, agent: str, rng: np.random.Generator, boldly: bool = False
) -> tuple[TableEnv, set[str]]:
    """A copy in which things hidden from `agent` have changed places, and the fields that are different in it.

    Things change places two by two, so that there are as many in every place as before, and only where the game's
    own `check` accepts the table; `boldly`, whatever may be hidden (`hidden_cells`), where `agent` sees no difference.
    """
    game, other = env.game, env.clone()
    cells = hidden_cells(env, agent, boldly)
    hidden = {(field.name, at) for field, at in cells}
    ranges = Ranges(game)
    for _ in range(TRIES if len(cells) > 1 else 0):
        tried = copied(other.states)
        a, b = (cells[int(rng.integers(len(cells)))] for _ in range(2))
        if rng.random() < 0.5:
            near = [cell for cell in cells if cell[0] is a[0]]
            b = near[int(rng.integers(len(near)))]
        way = (_swap, _swap_kinds, _swap_for_kind)[int(rng.integers(3))]
        touched = way(tried.view(np.ndarray)[0], a, b, rng)
        same = tried.tobytes() == other.states.tobytes()
        if touched and not same and touched <= hidden and not ranges.outside(tried):
            try:
                position._check(game, tried)
            except BadPosition:
                continue
            before, other._states = other.states, tried
            if boldly:
                other._refresh()
                other._states = tried if same_views(env, other, agent) else before
    other._refresh()
    other._origin, other._moves = {"position": position.dump(game, other.states)}, None
    here, there = (e.states.view(np.ndarray) for e in (env, other))
    return other, {n for n in game.state.names or () if not np.array_equal(here[n], there[n])}


def _swap(s: Any, a: Cell, b: Cell, rng: np.random.Generator) -> set[tuple[str, tuple[int, ...]]]:
    """Two numbers change places."""
    (one, i), (two, j) = a, b
    here, there = number_at(s, one, i), number_at(s, two, j)
    if one.bits and two.bits:  # a thing that only one has for a thing that only the other has
        mine, yours = _bits(here & ~there), _bits(there & ~here)
        if not mine or not yours:
            return set()
        bits = (1 << mine[int(rng.integers(len(mine)))]) | (1 << yours[int(rng.integers(len(yours)))])
        here, there = there ^ bits, here ^ bits
    put(s, one, i, there)
    put(s, two, j, here)
    return {(one.name, i), (two.name, j)}


def _swap_kinds(s: Any, a: Cell, b: Cell, rng: np.random.Generator) -> set[tuple[str, tuple[int, ...]]]:
    """In two places that count the same kinds of things, one of a kind for one of another."""
    (one, i), (two, j) = a, b
    kinds = (
        min(one.axes[-1], two.axes[-1]) if i and j else 0
    )  # a deck may count more kinds than a hand, those last
    if kinds < 2:
        return set()
    k, m = rng.choice(kinds, 2, replace=False)
    touched = set()
    for field, at, change in (
        (one, (*i[:-1], int(k)), -1), (one, (*i[:-1], int(m)), 1),
        (two, (*j[:-1], int(k)), 1), (two, (*j[:-1], int(m)), -1),
    ):  # fmt: skip
        if number_at(s, field, at) + change < 0:
            return set()
        put(s, field, at, number_at(s, field, at) + change)
        touched.add((field.name, at))
    return touched


def _swap_for_kind(s: Any, a: Cell, b: Cell, rng: np.random.Generator) -> set[tuple[str, tuple[int, ...]]]:
    """A thing that lies in a place of its own, for one of those that are counted by kind somewhere else."""
    (one, i), (two, j) = a, b
    kind = number_at(s, one, i)
    if not j or not 0 <= kind < two.axes[-1]:
        return set()
    held = [m for m in range(two.axes[-1]) if int(s[two.name][(*j[:-1], m)]) > 0 and m != kind]
    if not held:
        return set()
    given = held[int(rng.integers(len(held)))]
    put(s, one, i, given)
    s[two.name][(*j[:-1], given)] -= 1
    s[two.name][(*j[:-1], kind)] += 1
    return {(one.name, i), (two.name, (*j[:-1], given)), (two.name, (*j[:-1], kind))}


def _bits(held: int) -> list[int]:
    return [k for k in range(held.bit_length()) if held >> k & 1]
