"""The fuzz run over edited positions: whatever table `load` accepts can be played to its end.

    python -m agezoo.envs.engine.conformance --edited GAME [--decisions N] [--seed N]

Positions of play are edited (counters moved, cards swapped between places, fields exchanged with those of other
tables, extreme values in range; edits.py), edits that `load` refuses are taken back, and what is left is played on by
players of every habit, with every index checked (the command sets ``AGEZOO_BOUNDSCHECK=1``). From every edited table
one game is played to its end, and a few for some decisions with other habits and other chance. A finding is: an
exception other than BadPosition; a table that play brings out of the declared ranges of its fields or that fails the
rulebook's `check` then; a change to a table beside it; nothing legal before the end; a game that never ends; a world
that does so.
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
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .. import position, table
from ..batch import Batch
from ..compile import PLAIN, copied, new_tables
from ..game import Game
from .edits import Editor, Ranges, differences
from .habits import Habit, Habits
from .strict import StrictInts, StrictRecord, strict
from .tables import act

POOL = 6 if PLAIN else 64  # tables in play, to be edited
LANES = 2 if PLAIN else 32  # edited tables that are played on side by side
GAMES_EACH, MOST_GAMES = 4, 20  # from one edited table: more of them where they are short
SHORT = 60  # decisions of all but the first of them
CHECK_EVERY, WORLD_EVERY = (4, 4) if PLAIN else (16, 32)  # decisions, on average
STUCK_AFTER = 120.0  # seconds for one call


class Finding(Exception):
    """What is wrong, and with which table."""


@dataclass
class Lane:
    """One of the tables side by side: an edited one, and the games that are played from it.

    Attributes:
        place: among the tables; before and after it lies one that nobody plays at.
        forced: decisions with one legal action are played without asking.
        edited: the table after its edits.
        edits: what was edited, in words.
        games: how many were begun.
        decisions: how many were played in them.
        start: the table where this game begins.
        moves: actions since then.
        imagined: in whose world the game goes on, in words.
        beside: the tables before and after it.
    """

    place: int
    forced: bool
    edited: np.ndarray
    edits: str = ""
    games: int = MOST_GAMES
    decisions: int = 0
    start: np.ndarray = field(init=False)
    moves: list[int] = field(default_factory=list)
    imagined: str = ""
    beside: tuple[bytes, bytes] = (b"", b"")

    def __post_init__(self) -> None:
        self.start = self.edited


class Edited:
    """One run over edited tables of one seat count and one set of options.

    Args:
        game: the rulebook.
        num_players: seats.
        options: the rulebook's options.
        seed: of everything.
        told: called with every finding of a new kind as it happens.

    Attributes:
        played, tables: decisions and edited tables so far.
        findings: how often each kind was found.
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
        self._players = Habits(game, LANES, seed, list(Habit))
        self._ranges = Ranges(game)
        self._tables = new_tables(2 * LANES + 1, game.state)
        self._runs = [
            table.Run(game, len(self._tables), limit=2**31 - 1, play_forced=forced)
            for forced in (False, True)
        ]
        self._imagine, self._look = game.compiled(table.imagine), game.compiled(table.look)
        self._seen = np.zeros(game.num_features, np.float32)
        self._action = np.zeros(1, np.int64)
        first = copied(self._pool._states[:1])
        self._lanes = [Lane(2 * k + 1, k % 2 == 1, first) for k in range(LANES)]
        self.lane = self._lanes[0]  # that is played at now
        self.busy_since = time.monotonic()

    def run(self, decisions: int, stop: Callable[[], bool] = lambda: False) -> None:
        """Edit and play on until so many decisions have been played, or `stop`."""
        for k in range(LANES):
            self._try(k, self._begin)
        while self.played < decisions and not stop():
            for k in range(LANES):
                self._try(k, self._play)
            self._hold_ranges()

    def _try(self, k: int, what: Callable[[int], None]) -> None:
        """Do something at a lane; if that finds something, go on there with another table."""
        self.lane = self._lanes[k]
        for _ in range(POOL):
            self.busy_since = time.monotonic()
            try:
                what(k)
            except Exception as error:
                self._found(error)
                self.played += 1  # so that a rulebook that fails at once comes to an end
                self.lane.games = MOST_GAMES
                what = self._begin
            else:
                return

    # -- tables -------------------------------------------------------------------------------------------------------

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
        lane = self.lane
        lane.forced = self._pool_forced
        where = np.array([lane.place])
        for i, action in enumerate(actions):
            self._tables[lane.place] = before[i]
            try:
                self._runs[lane.forced].step(self._tables, np.array([action]), where)
            except IndexError:
                lane.start, lane.edits, lane.imagined = copied(before[i : i + 1]), "not edited\n", ""
                lane.moves = [int(action)]
        self._pool.reset(int(self._rng.integers(1 << 63)))

    def _edit(self) -> None:
        """Take tables of play for this lane until one of them takes an edit."""
        lane, pool = self.lane, self._pool._states
        changed: list[str] = []
        while not changed:
            self._advance_pool()
            self.busy_since = time.monotonic()
            i = int(self._rng.integers(POOL))
            source = lane.start = copied(pool[i : i + 1])
            lane.moves, lane.imagined, lane.edits = [], "", ""
            lane.edited = lane.start = self._editor.edit(source, pool)
            changed = differences(self.game, source, lane.edited)
        shown = [f"edited: {line}" for line in changed[:12]]
        shown += [f"edited: {len(changed) - 12} numbers more"] if len(changed) > 12 else []
        lane.edits = "".join(line + "\n" for line in shown)
        lane.games = lane.decisions = 0
        self.tables += 1
        position.load(self.game, position.dump(self.game, lane.edited))

    def _begin(self, k: int) -> None:
        """The next game of a lane, with chance and habits of its own; tables of play on both sides."""
        lane, pool = self.lane, self._pool._states
        if lane.games >= GAMES_EACH and (lane.decisions >= SHORT or lane.games >= MOST_GAMES):
            self._edit()
        lane.games += 1
        lane.start, lane.moves, lane.imagined = copied(lane.edited), [], ""
        lane.start["rng"] = self._rng.integers(1 << 63)
        for beside in (lane.place - 1, lane.place + 1):
            self._tables[beside] = pool[int(self._rng.integers(POOL))]
        self._players.draw(np.array([k]))
        self._set(lane.start)

    def _set(self, states: np.ndarray) -> None:
        """Put a table where this lane plays."""
        lane = self.lane
        self._tables[lane.place] = states[0]
        self._runs[lane.forced].refresh(self._tables, where=np.array([lane.place]))
        for other in self._lanes:  # the tables beside this one lie beside others, too
            if abs(other.place - lane.place) <= 2:
                other.beside = self._beside(other)
        self._hold(lane)

    def _beside(self, lane: Lane) -> tuple[bytes, bytes]:
        return self._tables[lane.place - 1].tobytes(), self._tables[lane.place + 1].tobytes()

    # -- play ---------------------------------------------------------------------------------------------------------

    def _play(self, k: int) -> None:
        """One decision at a lane, or the next game if this one is over."""
        lane, run = self.lane, self._runs[self.lane.forced]
        part = slice(lane.place, lane.place + 1)
        if self._is_over(lane):
            self._hold_check(self._tables[part])
            if not lane.moves and not lane.imagined:
                lane.games = MOST_GAMES  # it was over when it was loaded
                self.played += 1  # so that a run of such tables comes to an end
            self._begin(k)
            return
        if not run.mask[lane.place].any():
            raise Finding("nothing is legal, and the table is not over")
        self._players.choose(self._tables[part], run.mask[part], self._action, slice(k, k + 1))
        lane.moves.append(int(self._action[0]))
        run.step(self._tables, self._action, np.array([lane.place]))
        self.played += 1
        lane.decisions += 1
        self._hold(lane)
        if self._rng.random() < 1 / CHECK_EVERY:
            self._hold_check(self._tables[part])
        if self._rng.random() < 1 / WORLD_EVERY:
            self._hold_world(lane)

    def _is_over(self, lane: Lane) -> bool:
        """The game at a lane is over, or has been played for long enough."""
        if self._runs[lane.forced].is_over(self._tables, lane.place):
            return True
        if len(lane.moves) > self.game.max_decisions:
            if self.game.ends_by_itself:
                raise Finding(f"{len(lane.moves)} decisions after the edit the table is not over")
            return True
        return lane.games > 1 and len(lane.moves) >= SHORT

    def _hold(self, lane: Lane) -> None:
        if self._beside(lane) != lane.beside:
            raise Finding("playing at one table has changed a table beside it")
        s = self.game.record(self._tables, lane.place)
        if not s.finished and not (0 <= s.seat < self.num_players and s.eliminated[s.seat] == 0):
            raise Finding(f"player_{s.seat} is asked and is not in play")

    def _hold_ranges(self) -> None:
        """Every field of every lane is in its range."""
        for _ in range(LANES):
            found = self._ranges.first_outside(self._tables[1::2])
            if found is None:
                return

            def fail(k: int, what: str = found[1]) -> None:
                raise Finding(what)

            self._try(found[0], fail)

    def _hold_check(self, states: np.ndarray, what: str = "") -> None:
        try:
            self.game.check(self.game.record(states))
        except ValueError as error:
            raise Finding(f"{what}{error}") from None

    def _hold_world(self, lane: Lane) -> None:
        """Every seat looks, one imagines; now and then play goes on in the world that it imagines, once in a game."""
        for seat in range(self.num_players):
            self._look(self._tables, lane.place, seat, self._seen)
        seat, world = int(self._rng.integers(self.num_players)), copied(self._tables[:1])
        self._imagine(self._tables, lane.place, world, 0, seat, np.uint64(self._rng.integers(1 << 63)))
        wrong = self._ranges.outside(world)
        if wrong:
            raise Finding(f"in a world of player_{seat}: {wrong}")
        self._hold_check(world, f"in a world of player_{seat}: ")
        if self._rng.integers(4) == 0 and not lane.imagined and not self._is_over(lane):
            lane.imagined = f"then, in a world of player_{seat}:\n"
            lane.start, lane.moves = copied(world), []
            self._set(world)

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
        states = copied(self.lane.start).view(np.ndarray)
        s = StrictRecord(states[0])
        mask = np.zeros(game.num_actions, np.bool_).view(StrictInts)

        def settle() -> None:
            while not s.finished:
                mask[:] = False
                legal(s, mask)
                if not self.lane.forced or mask.sum() != 1:
                    return
                play(s, int(mask.argmax()))

        mask[:] = False
        legal(s, mask)
        for action in self.lane.moves:
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

        lines = [self.lane.edits + self.lane.imagined.strip()]
        env = TableEnv(
            self.game, self.num_players, max_cycles=2**31 - 1, play_forced=self.lane.forced, **self.options
        )
        try:
            env.load(position.dump(self.game, self.lane.start))
            for action in self.lane.moves[:-1]:
                act(env, action)
            last = f"then: {env.action_text(self.lane.moves[-1])}" if self.lane.moves else "as it was loaded"
            return "\n".join([*lines, env.record().to_text().strip(), last])
        except Exception as error:
            start = position.dump(self.game, self.lane.start)
            return "\n".join([*lines, f"(no record: {error})", f"actions {self.lane.moves} from {start}"])


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
                sys.stdout.write(f"actions {now.lane.moves} from {position.dump(now.game, now.lane.start)}\n")
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
