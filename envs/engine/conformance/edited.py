"""The fuzz run over edited positions: whatever table `load` accepts can be played to its end.

    python -m agezoo.envs.engine.conformance --edited GAME [--decisions N] [--seed N]

Positions of play are edited (counters moved, cards swapped between places, fields exchanged with those of other tables,
extreme values in range), edits that `load` refuses are taken back, and what is left is played on by players of every
habit, with every index checked (the command sets ``AGEZOO_BOUNDSCHECK=1``). A finding is: an exception other than
BadPosition; a table that play brings out of the declared ranges of its fields or that fails the rulebook's `check`
then; a change to a table beside it; nothing legal before the end; a game that never ends; a world that does so.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .. import position, table
from ..batch import Batch
from ..compile import PLAIN, copied, new_tables
from ..errors import BadPosition
from ..fields import Field
from ..game import Game
from .habits import Habit, Habits
from .strict import StrictInts, StrictRecord, strict
from .tables import act

POOL = 6 if PLAIN else 64  # tables in play, to be edited
MOST_TRIES = 40  # edits that are tried on one of them
MOST_REMEMBERED = 60  # edits that were accepted
GAMES_EACH = 4  # from one edited table
CHECK_EVERY, WORLD_EVERY = (4, 4) if PLAIN else (16, 32)  # decisions
STUCK_AFTER = 120.0  # seconds for one call
MIDDLE = 1  # of three tables the one that is played


Edit = tuple[Callable[..., None], Field, Field]


class Finding(Exception):
    """What is wrong, and with which table."""


# -- edits ------------------------------------------------------------------------------------------------------------


class Editor:
    """Edits of tables of one rulebook.

    Args:
        game: the rulebook.
        rng: of all choices.
    """

    def __init__(self, game: Game, rng: np.random.Generator) -> None:
        self.game, self._rng = game, rng
        fixed = {"rng", "num_players", "decisions", *(option.name for option in game.options)}
        self._fields = [field for field in game.all_fields if field.name not in fixed]
        self._arrays = [field for field in self._fields if field.size > 1]
        self._ranges = Ranges(game)
        self._ways = (
            bump, bump, to_an_extreme, take_over, take_row_over, take_field_over, swap, swap, swap_rows, move, move,
            move_across, move_across, swap_across,
        )  # fmt: skip
        self._fruitful: list[Edit] = []

    def edit(self, states: np.ndarray, others: np.ndarray) -> np.ndarray:
        """A copy of the one table of `states` with all the edits that `load` accepted, one after the other."""
        kept = copied(states)
        for _ in range(int(self._rng.integers(1, MOST_TRIES))):
            tried = copied(kept)
            view = tried.view(np.ndarray)[0]
            other = others.view(np.ndarray)[self._rng.integers(len(others))]
            edits = [self._draw() for _ in range(int(self._rng.integers(1, 4)))]
            for way, one, two in edits:
                way(self._rng, view, other, one, two)
            if tried.tobytes() != kept.tobytes() and self._accepted(tried):
                kept = tried
                self._remember(edits)
        return kept

    def _draw(self) -> Edit:
        """A way with fields; in half the cases one that was accepted before."""
        if self._fruitful and self._rng.random() < 0.5:
            return self._fruitful[self._rng.integers(len(self._fruitful))]
        way = self._ways[self._rng.integers(len(self._ways))]
        fields = self._arrays if way in (swap, swap_rows, take_row_over, move) else self._fields
        one, two = (fields[self._rng.integers(len(fields))] for _ in range(2))
        return way, one, two

    def _remember(self, edits: list[Edit]) -> None:
        self._fruitful += [edit for edit in edits if edit not in self._fruitful]
        if len(self._fruitful) > MOST_REMEMBERED:
            del self._fruitful[self._rng.integers(len(self._fruitful))]

    def _accepted(self, states: np.ndarray) -> bool:
        """Whether `load` takes this table; anything but a refusal is raised."""
        if self._ranges.outside(states):
            return False
        try:
            position._check(self.game, states)
        except BadPosition:
            return False
        return True


def _cell(rng: np.random.Generator, field: Field) -> tuple[int, ...]:
    return tuple(int(rng.integers(length)) for length in field.axes)


def _put(s: Any, field: Field, at: tuple[int, ...], value: int) -> None:
    """Set one number, if it may be that."""
    low, high = field.range
    if low <= value <= high:
        if at:
            s[field.name][at] = value
        else:
            s[field.name] = value


def _number(s: Any, field: Field, at: tuple[int, ...]) -> int:
    return int(s[field.name][at] if at else s[field.name])


def bump(rng: np.random.Generator, s: Any, other: Any, one: Field, two: Field) -> None:
    """A number goes up or down a little; a thing is put into a set or taken out."""
    at = _cell(rng, one)
    here = _number(s, one, at)
    if one.bits and rng.random() < 0.8:
        _put(s, one, at, here ^ (1 << int(rng.integers(one.bits))))
    else:
        _put(s, one, at, here + int(rng.choice((-3, -2, -1, -1, -1, 1, 1, 1, 2, 3))))


def to_an_extreme(rng: np.random.Generator, s: Any, other: Any, one: Field, two: Field) -> None:
    """The smallest or largest number there may be."""
    _put(s, one, _cell(rng, one), one.range[int(rng.integers(2))])


def take_over(rng: np.random.Generator, s: Any, other: Any, one: Field, two: Field) -> None:
    """A number of another table."""
    at = _cell(rng, one)
    _put(s, one, at, _number(other, one, at))


def take_row_over(rng: np.random.Generator, s: Any, other: Any, one: Field, two: Field) -> None:
    """A row of another table."""
    row = int(rng.integers(one.axes[0]))
    s[one.name][row] = other[one.name][row]


def take_field_over(rng: np.random.Generator, s: Any, other: Any, one: Field, two: Field) -> None:
    """A field of another table."""
    s[one.name] = other[one.name]


def swap(rng: np.random.Generator, s: Any, other: Any, one: Field, two: Field) -> None:
    """Two numbers of a field change places."""
    _exchange(s, one, _cell(rng, one), one, _cell(rng, one))


def swap_rows(rng: np.random.Generator, s: Any, other: Any, one: Field, two: Field) -> None:
    """Two rows of a field change places."""
    a, b = rng.integers(one.axes[0], size=2)
    s[one.name][[a, b]] = s[one.name][[b, a]]


def swap_across(rng: np.random.Generator, s: Any, other: Any, one: Field, two: Field) -> None:
    """Two numbers of different fields change places."""
    _exchange(s, one, _cell(rng, one), two, _cell(rng, two))


def move(rng: np.random.Generator, s: Any, other: Any, one: Field, two: Field) -> None:
    """One more here and one less there, in a field."""
    _carry(rng, s, one, _cell(rng, one), one, _cell(rng, one))


def move_across(rng: np.random.Generator, s: Any, other: Any, one: Field, two: Field) -> None:
    """The same between two fields, of one kind of thing where both count the same kinds."""
    a, b = _cell(rng, one), _cell(rng, two)
    if one.axes and two.axes and one.axes[-1] == two.axes[-1]:
        b = (*b[:-1], a[-1])
    _carry(rng, s, one, a, two, b)


def _exchange(s: Any, one: Field, a: tuple[int, ...], two: Field, b: tuple[int, ...]) -> None:
    here, there = _number(s, one, a), _number(s, two, b)
    _put(s, one, a, there)
    _put(s, two, b, here)


def _carry(
    rng: np.random.Generator, s: Any, one: Field, a: tuple[int, ...], two: Field, b: tuple[int, ...]
) -> None:
    here = _number(s, one, a)
    if one.bits and two.bits:
        bit = 1 << int(rng.integers(one.bits))
        if here & bit:
            _put(s, one, a, here ^ bit)
            _put(s, two, b, _number(s, two, b) | bit)
        return
    _put(s, one, a, here - 1)
    _put(s, two, b, _number(s, two, b) + 1)


class Ranges:
    """The declared ranges of all fields, held against many tables at once.

    Args:
        game: the rulebook.
    """

    def __init__(self, game: Game) -> None:
        self._groups = []
        places = {name: game.state.fields[name][1] for name in game.state.names or ()}  # type: ignore[index]
        kinds = {np.dtype(field.kind) for field in game.all_fields} - {np.dtype(np.uint64)}
        for kind in sorted(kinds, key=str):
            fields = [field for field in game.all_fields if np.dtype(field.kind) == kind]
            cells = [
                (field, k, places[field.name] + k * kind.itemsize)
                for field in fields
                for k in range(field.size)
            ]
            where = np.array([[at + byte for byte in range(kind.itemsize)] for _, _, at in cells])
            low = np.array([field.range[0] for field, _, _ in cells], np.int64)
            high = np.array([field.range[1] for field, _, _ in cells], np.int64)
            self._groups.append((kind, where.reshape(-1), cells, low, high))

    def outside(self, states: np.ndarray) -> str:
        """The first number of any table that is outside its range, in words; "" if there is none."""
        raw = np.frombuffer(states.tobytes(), np.uint8).reshape(len(states), -1)
        for kind, where, cells, low, high in self._groups:
            values = np.ascontiguousarray(raw[:, where]).view(kind)
            wrong = np.argwhere((values < low) | (values > high))
            if len(wrong):
                i, k = wrong[0]
                field, cell, _ = cells[k]
                at = "".join(f"[{n}]" for n in np.unravel_index(cell, field.axes)) if field.axes else ""
                low_end, high_end = field.range
                return f"state.{field.name}{at} is {values[i, k]}, declared from {low_end} to {high_end}"
        return ""


def differences(game: Game, before: np.ndarray, after: np.ndarray) -> list[str]:
    """What is different at two tables, a line a number."""
    lines = []
    for name in [name for name in game.state.names or () if name != "rng"]:
        old, new = (np.asarray(states.view(np.ndarray)[name][0]) for states in (before, after))
        for at in map(tuple, np.argwhere(old != new).tolist()) if old.ndim else [()] * int(old != new):
            where = "".join(f"[{k}]" for k in at)
            lines.append(f"state.{name}{where}: {old[at]} -> {new[at]}")
    return lines


# -- play -------------------------------------------------------------------------------------------------------------


class Edited:
    """One run over edited tables of one seat count and one set of options.

    Args:
        game: the rulebook.
        num_players: seats.
        options: the rulebook's options.
        seed: of everything.
        told: called with every finding of a new kind as it happens.
    """

    def __init__(
        self,
        game: Game,
        num_players: int,
        options: dict[str, Any],
        seed: int,
        told: Callable[[str], None] = lambda text: None,
    ) -> None:
        self.game, self.num_players, self.options = game, num_players, options
        self.played = self.tables = 0
        self.findings: Counter[str] = Counter()
        self._told = told
        self._rng = np.random.default_rng(seed)
        self._editor = Editor(game, self._rng)
        self._pool_forced = seed % 2 == 0
        self._pool = Batch(game, POOL, seed, num_players, play_forced=self._pool_forced, **options)
        self._pool_players = Habits(game, POOL, seed, list(Habit))
        self._players = Habits(game, 1, seed, list(Habit))
        self._ranges = Ranges(game)
        self._three = new_tables(3, game.state)
        self._runs = [table.Run(game, 3, limit=2**31 - 1, play_forced=forced) for forced in (False, True)]
        self._imagine, self._look = game.compiled(table.imagine), game.compiled(table.look)
        self._seen = np.zeros(game.num_features, np.float32)
        self._where, self._action = np.array([MIDDLE]), np.zeros(1, np.int64)
        self._start = copied(self._pool._states[:1])
        self._moves: list[int] = []
        self._edits = self._imagined = ""
        self._forced = True
        self.busy_since = time.monotonic()

    def run(self, decisions: int, stop: Callable[[], bool] = lambda: False) -> None:
        """Edit and play on until so many decisions have been played, or `stop`."""
        while self.played < decisions and not stop():
            self.busy_since = time.monotonic()
            self._moves = []
            try:
                self._advance_pool()
                if self._edit():
                    for _ in range(GAMES_EACH):
                        self._begin()
                        self._play_on()
            except Exception as error:
                self._found(error)
                self.played += 1  # so that a rulebook that fails at once comes to an end

    def _advance_pool(self) -> None:
        """A few decisions at the tables that are edited."""
        pool = self._pool
        actions = np.zeros(POOL, np.int64)
        for _ in range(int(self._rng.integers(1, 8))):
            self._pool_players.choose(pool._states, pool.action_mask, actions)
            before = copied(pool._states)
            try:
                pool.step(actions)
            except IndexError:
                self._find_in_pool(before, actions)
                raise
            self._pool_players.draw(np.flatnonzero(pool.done | pool.truncated))

    def _find_in_pool(self, before: np.ndarray, actions: np.ndarray) -> None:
        """Take the table that failed, which nobody has edited, and deal the others anew."""
        for i, action in enumerate(actions):
            self._three[MIDDLE] = before[i]
            try:
                self._runs[self._pool_forced].step(self._three, np.array([action]), self._where)
            except IndexError:
                self._start, self._edits, self._imagined = copied(before[i : i + 1]), "not edited\n", ""
                self._moves, self._forced = [int(action)], self._pool_forced
        self._pool.reset(int(self._rng.integers(1 << 63)))

    def _edit(self) -> bool:
        """Edit a table of the pool; returns whether any edit was accepted."""
        pool = self._pool._states
        i = int(self._rng.integers(POOL))
        source = self._start = copied(pool[i : i + 1])
        self._edited = self._start = self._editor.edit(source, pool)
        changed = differences(self.game, source, self._edited)
        shown = [f"edited: {line}" for line in changed[:12]]
        shown += [f"edited: {len(changed) - 12} numbers more"] if len(changed) > 12 else []
        self._edits = "".join(line + "\n" for line in shown)
        self.tables += bool(changed)
        if changed:
            position.load(self.game, position.dump(self.game, self._start))
        return bool(changed)

    def _begin(self) -> None:
        """The edited table in the middle, with chance of its own; tables of play on both sides."""
        pool = self._pool._states
        self._start, self._moves, self._imagined = copied(self._edited), [], ""
        self._start["rng"] = self._rng.integers(1 << 63)
        for k in range(3):
            self._three[k] = pool[int(self._rng.integers(POOL))]
        self._three[MIDDLE] = self._start[0]
        self._beside = self._three[0].tobytes(), self._three[2].tobytes()
        self._forced = bool(self._rng.integers(2))
        self._players.draw(np.zeros(1, np.int64))

    def _play_on(self) -> None:
        game, run, three = self.game, self._runs[self._forced], self._three
        part = slice(MIDDLE, MIDDLE + 1)
        run.refresh(three, where=self._where)
        self._hold()
        while not game.record(three, MIDDLE).finished and not run.outcome["truncated"][MIDDLE]:
            if not run.mask[MIDDLE].any():
                raise Finding("nothing is legal, and the table is not over")
            if len(self._moves) > game.max_decisions:
                if game.ends_by_itself:
                    raise Finding(f"{len(self._moves)} decisions after the edit the table is not over")
                return
            self._players.choose(three[part], run.mask[part], self._action)
            self._moves.append(int(self._action[0]))
            self.busy_since = time.monotonic()
            run.step(three, self._action, self._where)
            self.played += 1
            self._hold()
            if self.played % WORLD_EVERY == 0:
                self._hold_world()
        self._hold_check(three[part])

    def _hold(self) -> None:
        three = self._three
        wrong = self._ranges.outside(three[MIDDLE : MIDDLE + 1])
        if wrong:
            raise Finding(wrong)
        if (three[0].tobytes(), three[2].tobytes()) != self._beside:
            raise Finding("playing at one table has changed a table beside it")
        s = self.game.record(three, MIDDLE)
        if not s.finished and not (0 <= s.seat < self.num_players and s.eliminated[s.seat] == 0):
            raise Finding(f"player_{s.seat} is asked and is not in play")
        if self.played % CHECK_EVERY == 0:
            self._hold_check(three[MIDDLE : MIDDLE + 1])

    def _hold_check(self, states: np.ndarray, what: str = "") -> None:
        try:
            self.game.check(self.game.record(states))
        except ValueError as error:
            raise Finding(f"{what}{error}") from None

    def _hold_world(self) -> None:
        """Every seat looks, one imagines; now and then play goes on in the world that it imagines."""
        game, three = self.game, self._three
        for seat in range(self.num_players):
            self._look(three, MIDDLE, seat, self._seen)
        seat, world = int(self._rng.integers(self.num_players)), copied(three[:1])
        self._imagine(three, MIDDLE, world, 0, seat, np.uint64(self._rng.integers(1 << 63)))
        wrong = self._ranges.outside(world)
        if wrong:
            raise Finding(f"in a world of player_{seat}: {wrong}")
        self._hold_check(world, f"in a world of player_{seat}: ")
        if self._rng.integers(4) == 0 and not game.record(three, MIDDLE).finished:
            three[MIDDLE] = world[0]
            self._imagined = f"then, in a world of player_{seat}:\n"
            self._start, self._moves = copied(world), []
            self._runs[self._forced].refresh(three, where=self._where)

    # -- what is found ------------------------------------------------------------------------------------------------

    def _found(self, error: Exception) -> None:
        reason = str(error) if isinstance(error, Finding) else f"{type(error).__name__}: {error}"
        where = "" if isinstance(error, Finding) else self._where_it_happens(error)
        key = re.sub(r"-?\d+", "#", reason.split("\n")[0]) + (
            where.strip().rsplit("\n", 1)[-1] if where else ""
        )
        self.findings[key] += 1
        if self.findings[key] == 1:
            self._told(f"{reason}\n{where}{self.story()}")

    def _where_it_happens(self, error: Exception) -> str:
        """The lines of Python that fail: those of the exception, or of the kernels run once more, uncompiled."""
        frames = _game_frames(error)
        if not frames:
            try:
                for _ in self._again():
                    pass
            except Exception as again:
                frames = _game_frames(again) or traceback.format_exc().splitlines()
                frames.append(f"    {type(again).__name__}: {again}")
        return "\n".join(frames[-6:]) + "\n" if frames else ""

    def _again(self) -> Iterator[None]:
        """The game so far by strict kernels."""
        game = self.game
        legal, play = strict(game.legal), strict(game.apply)
        states = copied(self._start).view(np.ndarray)
        s = StrictRecord(states[0])
        mask = np.zeros(game.num_actions, np.bool_).view(StrictInts)

        def settle() -> None:
            while not s.finished:
                mask[:] = False
                legal(s, mask)
                if not self._forced or mask.sum() != 1:
                    return
                play(s, int(mask.argmax()))

        mask[:] = False
        legal(s, mask)
        for action in self._moves:
            play(s, action)
            s.decisions += 1
            settle()
            yield
        for seat in range(self.num_players):
            strict(game.observe)(s, seat, np.zeros(game.num_features, np.float32).view(StrictInts))
            twin = copied(states).view(np.ndarray)
            strict(game.determinize)(StrictRecord(twin[0]), seat)
            if not hasattr(game.value, "__is_template__"):
                strict(game.value)(s, seat)
        strict(game.scores)(s, np.zeros(self.num_players, np.float32).view(StrictInts))
        yield

    def story(self) -> str:
        """The edits, and the game from there as a record that replays."""
        from ..aec import TableEnv

        lines = [self._edits + self._imagined.strip()]
        env = TableEnv(
            self.game, self.num_players, max_cycles=2**31 - 1, play_forced=self._forced, **self.options
        )
        try:
            env.load(position.dump(self.game, self._start))
            for action in self._moves[:-1]:
                act(env, action)
            last = f"then: {env.action_text(self._moves[-1])}" if self._moves else "as it was loaded"
            return "\n".join([*lines, env.record().to_text().strip(), last])
        except Exception as error:
            start = position.dump(self.game, self._start)
            return "\n".join([*lines, f"(no record: {error})", f"actions {self._moves} from {start}"])


def _game_frames(error: Exception) -> list[str]:
    """Where in a rulebook's own code an exception was raised, innermost last."""
    return [
        f"    {frame.filename}:{frame.lineno} in {frame.name}: {frame.line}"
        for frame in traceback.extract_tb(error.__traceback__)
        if "/engine/" not in frame.filename.replace(os.sep, "/") and "numba" not in frame.filename
    ]


class Watch(threading.Thread):
    """Ends the process, with the game that shows it, if one decision takes for ever; nothing else can then."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.over = threading.Event()
        self.run_now: Edited | None = None

    def run(self) -> None:
        """Look every few seconds."""
        while not self.over.wait(5):
            now = self.run_now
            if now is not None and time.monotonic() - now.busy_since > STUCK_AFTER:
                sys.stdout.write(f"one decision takes for ever (more than {STUCK_AFTER:.0f} s)\n")
                sys.stdout.write(f"actions {now._moves} from {position.dump(now.game, now._start)}\n")
                sys.stdout.flush()
                os._exit(1)


@contextlib.contextmanager
def watched(run: Edited, watch: Watch | None) -> Iterator[None]:
    """Have `watch` look at `run` meanwhile."""
    if watch is not None:
        run.busy_since, watch.run_now = time.monotonic(), run
    try:
        yield
    finally:
        if watch is not None:
            watch.run_now = None
