"""The fuzz run: millions of decisions by players of every habit, every table held against what must be true of it.

    python -m agezoo.envs.engine.conformance [GAME ...] [--decisions N] [--players N ...] [--habits HABIT ...]
    python -m agezoo.envs.engine.conformance --edited [GAME ...] [--decisions N]       (see conformance/edited.py)

Tables of every seat count and option are played in batches. After every decision, compiled: something is legal, the
seat to act is in play, what it and one other seat see is finite and in range, and is the same, with the same legal
actions, in a world redrawn for that seat. Every few steps every field is in its range. At every end: places are a
ranking, rewards are what they are worth. At a sample of tables, as they are slower: the rulebook's own `check`, words
of their own for all actions, positions that load again, whole and as every seat knows the table, games that replay from
their records; and `conformance.checks()`.

A failure prints, as it happens, the game as a record that replays, and the command that finds it again.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from . import conformance, registry
from .aec import TableEnv
from .arguments import check_seed
from .batch import Batch
from .compile import BOUNDSCHECK, PLAIN, new_tables, template
from .conformance import Broken
from .conformance.edited import Edited, Watch, watched
from .conformance.edits import Ranges
from .conformance.habits import WORDS, Habit, Habits, habits_named
from .errors import AgezooError, BadOption
from .game import Game
from .players import spin
from .position import GameRecord, _act, dump
from .table import imagine, look

if TYPE_CHECKING:
    legal: Any

TABLES = 512  # played side by side
RANGES_EVERY = 4  # steps, of all tables
CHECK_EVERY = 256  # of so many tables one is checked in Python after each decision
WORDS_EVERY = 1024
LOAD_EVERY = 8192
REPLAY_EVERY = 256  # games that ended
SHOWN_EVERY = 0.5  # seconds
MOST_FINDINGS = 25  # of different kinds, then an edited run stops
NOTHING_LEGAL, WRONG_SEAT, OUT_OF_RANGE, OTHER_VIEW, OTHER_ACTIONS = 1, 2, 3, 4, 5
REASONS = {
    NOTHING_LEGAL: "nothing is legal, and the table is not over",
    WRONG_SEAT: "the seat to act is not in play, or is not batch.seat",
    OUT_OF_RANGE: "a seat sees a number outside its range",
    OTHER_VIEW: "a world looks different to its seat",
    OTHER_ACTIONS: "the seat to act may do other things in a world of it",
}


@template
def audit(
    states: Any, mask: Any, seat: Any, low: Any, high: Any, rng: Any, worlds: Any, seen: Any, actions: Any
) -> int:
    """The first table that breaks an invariant, times 8, plus why (REASONS); or -1."""
    for i in range(len(states)):
        why = audit_table(states, i, mask[i], seat[i], low, high, rng, worlds, seen, actions)
        if why > 0:
            return i * 8 + why
    return -1


@template
def audit_table(states, i, mask, acting, low, high, rng, worlds, seen, actions):  # type: ignore[no-untyped-def]
    """What is wrong with table `i`, or 0."""
    s = states[i]
    count = 0
    for action in range(len(mask)):
        count += mask[action]
    if count == 0:
        return NOTHING_LEGAL
    if s.finished or acting != s.seat or s.seat < 0 or s.seat >= s.num_players or s.eliminated[s.seat] > 0:
        return WRONG_SEAT
    for k in range(2):
        viewer = (acting + k * (1 + i % (s.num_players - 1))) % s.num_players
        look(states, i, viewer, seen[0])
        for n in range(len(low)):
            if not low[n] <= seen[0, n] <= high[n]:
                return OUT_OF_RANGE
        imagine(states, i, worlds, 0, viewer, spin(rng, 0))
        look(worlds, 0, viewer, seen[1])
        for n in range(len(low)):
            if seen[0, n] != seen[1, n]:
                return OTHER_VIEW
        if viewer == acting:
            actions[:] = False
            legal(worlds[0], actions)
            for action in range(len(mask)):
                if mask[action] != actions[action]:
                    return OTHER_ACTIONS
    return 0


@dataclass
class Fuzz:
    """One run over tables of one seat count and one set of options.

    Args:
        game: the rulebook.
        num_players: seats.
        options: the rulebook's options.
        seed: of deals and choices.
        decisions: how many to play.
        habits: of the players; empty for all.
        shown: called now and then with decisions and games so far.
    """

    game: Game
    num_players: int
    options: dict[str, Any]
    seed: int
    decisions: int
    habits: list[Habit] = field(default_factory=list)
    shown: Callable[[int, int], None] = lambda played, games: None
    games: int = field(default=0, init=False)
    played: int = field(default=0, init=False)

    def run(self) -> None:
        """Play.

        Raises:
            Broken: with the game that shows what does not hold.
        """
        size = min(TABLES, max(1, self.decisions // 50))
        self.batch = batch = Batch(self.game, size, self.seed, self.num_players, **self.options)
        self._history: list[np.ndarray] = []
        self._dealt = np.zeros(size, np.int64)  # steps after which each table was dealt
        self._players = Habits(self.game, size, self.seed, self.habits or list(Habit))
        self._ranges = Ranges(self.game)
        actions = np.zeros(size, np.int64)
        kind = np.uint8 if self.game.num_actions <= 256 else np.uint16
        self._audit = _auditor(self.game, self.seed)
        while self.played < self.decisions:
            self._hold()
            self._players.choose(batch.states, batch.action_mask, actions)
            self._history.append(actions.astype(kind))
            batch.step(actions)
            self._hold_ends()
            self.played += size
            self.shown(self.played, self.games)
        self._hold()

    def _hold(self) -> None:
        """Invariants of all tables, then those of a sample."""
        self._seeds = self.batch.seeds.copy()
        found = self._audit(self.batch)
        if found >= 0:
            self._broken(found >> 3, REASONS[found & 7])
        step, size = len(self._history), self.batch.num_envs
        outside = self._ranges.first_outside(self.batch.states) if step % RANGES_EVERY == 0 else None
        if outside is not None:
            self._broken(*outside)
        for every, what in (
            (CHECK_EVERY, self._hold_check),
            (WORDS_EVERY, self._hold_words),
            (LOAD_EVERY, self._hold_positions),
        ):
            for i in range(step * 37 * TABLES // size % every, size, every):
                what(i)

    def _hold_check(self, i: int) -> None:
        try:
            self.game.check(self.game.record(self.batch.states, i))
        except ValueError as error:
            self._broken(i, str(error))

    def _hold_positions(self, i: int) -> None:
        """The table loads, whole and as each seat knows it, and looks the same to that seat."""
        env = TableEnv(self.game, self.num_players, **self.options)
        twin = TableEnv(self.game, self.num_players, **self.options)
        try:
            env.load(dump(self.game, self.batch.states[i : i + 1]))
            if env.states.tobytes() != self.batch.states[i : i + 1].tobytes():
                self._broken(i, "load(position()) is another table")
            for agent in env.possible_agents:
                twin.load(json.dumps(env.position(agent)))
                if (
                    twin.observe(agent)["observation"].tobytes()
                    != env.observe(agent)["observation"].tobytes()
                ):
                    self._broken(i, f"load(position({agent!r})) looks another to it")
        except AgezooError as error:
            self._broken(i, str(error))

    def _hold_words(self, i: int) -> None:
        s = self.game.record(self.batch.states, i)
        words = [self.game.action_text(s, int(a)) for a in np.flatnonzero(self.batch.action_mask[i])]
        if len({w.lower() for w in words}) != len(words):
            self._broken(i, f"two legal actions have the same words: {words}")

    def _hold_ends(self) -> None:
        batch, n = self.batch, self.num_players
        ended = np.flatnonzero(batch.done | batch.truncated)
        if not len(ended):
            return
        self.games += len(ended)
        done = batch.done[ended]
        points, places, reward = batch.scores[ended, :n], batch.places[ended, :n], batch.reward[ended, :n]
        better = (places[:, None, :] < places[:, :, None]).sum(axis=2) + 1
        winners = (places == 1).sum(axis=1)
        fair = np.where(
            places == 1, (1 / np.maximum(winners, 1) - 1 / n)[:, None] * n / (n - 1), -1 / (n - 1)
        )
        right = np.isclose(reward, fair, atol=1e-5)
        right |= (reward == 0) & (places > 1)  # it was paid when it was knocked out
        for holds, what in (
            (np.isfinite(points).all(axis=1), "scores are not finite"),
            ((better == places).all(axis=1), "places are no ranking"),
            (~done | right.all(axis=1), "rewards are not those of the places"),
            (done | ~np.bool_(self.game.ends_by_itself), "max_decisions came before the end"),
        ):
            if not holds.all():
                self._broken(int(ended[np.argmin(holds)]), f"{what}, at the end of a game")
        for k, i in enumerate(ended.tolist()):
            if (self.games - k) % REPLAY_EVERY == 0:
                self._hold_replay(i)
        self._dealt[ended] = len(self._history)
        self._players.draw(ended)

    def _hold_replay(self, i: int) -> None:
        """The game that has just ended, played again alone, ends alike; and so does its record."""
        env = self._game_of(i)
        if [*env.scores().values()] != self.batch.scores[i, : self.num_players].tolist():
            self._broken(i, f"alone the scores are {env.scores()}, in the batch {self.batch.scores[i]}")
        try:
            for _ in GameRecord.from_text(env.record().to_text()).replay():
                pass
        except AgezooError as error:
            self._broken(i, f"its record does not replay: {error}")

    def _game_of(self, i: int) -> TableEnv:
        """The game that table `i` has played, alone."""
        env = TableEnv(self.game, self.num_players, **self.options)
        env.reset(seed=int(self._seeds[i]))
        for row in self._history[int(self._dealt[i]) :]:
            _act(env, int(row[i]))
        return env

    def _broken(self, i: int, what: str) -> None:
        """Raise `Broken` with the game that table `i` has played."""
        after = len(self._history) - int(self._dealt[i])
        story = self._game_of(i).record().to_text()
        raise Broken(f"table {i} of the batch, after {after} decisions: {what}\n{story}")


def _auditor(game: Game, seed: int) -> Callable[[Batch], int]:
    """`audit` over a batch, with room to work in."""
    low, high = game.observation.bounds()
    rng, worlds = np.array([seed], np.uint64), new_tables(1, game.state)
    seen, actions = np.zeros((2, game.num_features), np.float32), np.zeros(game.num_actions, np.bool_)
    compiled = game.compiled(audit)
    return lambda b: int(compiled(b._states, b.action_mask, b.seat, low, high, rng, worlds, seen, actions))


def configurations(game: Game, players: list[int] | None) -> list[tuple[int, dict[str, Any]]]:
    """Every seat count with every set of options."""
    counts = players or range(game.players[0], game.players[1] + 1)
    return [
        (game.num_players(count), options) for count in counts for options in conformance.option_sets(game)
    ]


def fuzz(
    game: Game,
    decisions: int,
    players: list[int] | None = None,
    seed: int = 0,
    suite: bool = True,
    habits: list[str] | None = None,
    told: Callable[[str], None] = lambda failure: None,
) -> tuple[int, int, list[str]]:
    """Play `decisions` decisions of a rulebook, spread over its seat counts and options.

    Args:
        game: the rulebook.
        decisions: how many; every configuration plays its share, rounded up to whole batches.
        players: seat counts; None for all.
        seed: of everything.
        suite: run `conformance.checks()` on every configuration, too.
        habits: of the players (`habits.WORDS`); None for all.
        told: called with every failure as it happens.

    Returns:
        Decisions and games played, and what failed.

    Raises:
        BadOption: there is no such seat count or habit.
    """
    configs, chosen = configurations(game, players), habits_named(habits or [])
    again = f"again: {_COMMAND} {game.name} --decisions {decisions} --seed {seed}"
    again += f" --habits {' '.join(habits)}" if habits else ""
    played, games, failures = 0, 0, []

    def failed(where: str, error: Exception, count: int) -> None:
        kind = "" if isinstance(error, Broken) else traceback.format_exc()
        failures.append(f"{where}: {kind}{error}\n{again} --players {count}")
        told(failures[-1])

    for number, (count, options) in enumerate(configs):
        where = _where(game, count, options)
        progress = Progress(f"{where} ({number + 1} of {len(configs)})", decisions, played, games)
        run = Fuzz(game, count, options, seed, -(-decisions // len(configs)), chosen, progress.show)
        try:
            run.run()
        except Exception as error:
            failed(where, error, count)
        for name, check in conformance.checks().items() if suite else ():
            progress.say(f"check_{name}")
            try:
                check(game, count, seed, **options)
            except Exception as error:
                failed(f"{where}, check_{name}", error, count)
        played += run.played
        games += run.games
    return played, games, failures


def fuzz_edited(
    game: Game,
    decisions: int,
    players: list[int] | None = None,
    seed: int = 0,
    told: Callable[[str], None] = lambda finding: None,
) -> tuple[int, int, int]:
    """Play `decisions` decisions at edited tables of a rulebook (conformance/edited.py).

    Args:
        game: the rulebook.
        decisions: how many, spread over its seat counts and options.
        players: seat counts; None for all.
        seed: of everything.
        told: called with every finding of a new kind as it happens.

    Returns:
        Decisions played, tables edited, findings.

    Raises:
        BadOption: there is no such seat count.
    """
    configs, kinds = configurations(game, players), set()
    played = tables = found = 0
    watch = Watch()
    watch.start()

    def new_kind(finding: str) -> None:
        kind = finding.split("\n", maxsplit=1)[0]
        if kind not in kinds:
            told(finding)
        kinds.add(kind)

    for number, (count, options) in enumerate(configs):
        where = _where(game, count, options)
        progress = Progress(f"{where} ({number + 1} of {len(configs)})", decisions, played, tables, "tables")

        def say(finding: str, where: str = where, count: int = count) -> None:
            again = f"{_COMMAND} --edited {game.name} --decisions {decisions} --seed {seed} --players {count}"
            new_kind(f"{where}: {finding}\nagain: {again}")

        run = Edited(game, count, options, seed + number, say)

        def enough(run: Edited = run, progress: Progress = progress) -> bool:
            progress.show(run.played, run.tables)
            return len(kinds) >= MOST_FINDINGS

        with watched(run, watch):
            run.run(-(-decisions // len(configs)), enough)
        played, tables, found = played + run.played, tables + run.tables, found + run.findings.total()
        if len(kinds) >= MOST_FINDINGS:
            break
    watch.over.set()
    return played, tables, found


_COMMAND = "python -m agezoo.envs.engine.conformance"


def _where(game: Game, count: int, options: dict[str, Any]) -> str:
    return f"{game.name}, {count} players" + "".join(f", {k}={v}" for k, v in options.items())


class Progress:
    """One line on a terminal's stderr that says how far a run is.

    Args:
        what: which part of it.
        wanted: decisions of the whole run.
        played, counted: decisions, and games or tables, before this part.
        things: what is counted.
    """

    def __init__(self, what: str, wanted: int, played: int, counted: int, things: str = "games") -> None:
        self._what, self._wanted, self._before = what, wanted, (played, counted)
        self._things = things
        self._shown = 0.0
        self.show(0, 0)

    def show(self, played: int, counted: int) -> None:
        """Say it, if it was not said just now."""
        if time.monotonic() - self._shown > SHOWN_EVERY:
            self._shown = time.monotonic()
            played, counted = self._before[0] + played, self._before[1] + counted
            self.say(f"{played:,} of {self._wanted:,} decisions, {counted:,} {self._things}")

    def say(self, line: str) -> None:
        """Say how far it is."""
        _progress(f"{self._what}: {line}")


def _progress(line: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{line:<110}")
        sys.stderr.flush()


def _tell(failure: str) -> None:
    _progress("")
    print(failure, end="\n\n", flush=True)


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns 1 if anything failed."""
    parser = argparse.ArgumentParser(
        prog=_COMMAND,
        description="Play games with players of many habits and hold every table against the invariants; or edit "
        "positions and play on from those that are accepted.",
    )
    parser.add_argument(
        "games", nargs="*", metavar="GAME", help=f"games; default all: {', '.join(registry.names())}"
    )
    parser.add_argument(
        "--decisions", type=int, default=1_000_000, help="decisions for each game; default 1,000,000"
    )
    parser.add_argument("--players", type=int, nargs="+", help="seat counts; default all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--habits", nargs="+", metavar="HABIT", help=f"how seats choose; default all: {', '.join(WORDS)}"
    )
    parser.add_argument("--fuzz-only", action="store_true", help="leave out the suite's slower checks")
    parser.add_argument(
        "--edited",
        action="store_true",
        help="edit positions of play, keep what load() accepts, and play on with every index checked",
    )
    given = parser.parse_args(arguments)
    try:
        check_seed(given.seed)
        habits_named(given.habits or [])
        games = [registry.find(name) for name in given.games or registry.names()]
        for game in games:
            configurations(game, given.players)
    except BadOption as error:
        parser.error(str(error))
    if given.decisions < 1:
        parser.error(f"--decisions {given.decisions}: give a positive number")
    if given.edited and (given.habits or given.fuzz_only):
        parser.error(
            "--edited plays with all habits and without the suite: leave out --habits and --fuzz-only"
        )
    if given.edited and not (BOUNDSCHECK or PLAIN):
        return _with_bounds_checked(sys.argv[1:] if arguments is None else arguments)
    return max([_report(game, given) for game in games], default=0)


def _with_bounds_checked(arguments: list[str]) -> int:
    """The same command in a process whose kernels check every index."""
    command = [sys.executable, "-m", f"{__package__}.conformance", *arguments]
    return subprocess.call(command, env={**os.environ, "AGEZOO_BOUNDSCHECK": "1"})


def _report(game: Game, given: argparse.Namespace) -> int:
    """Run one game and print what came of it; returns 1 if anything failed."""
    start = time.monotonic()
    if given.edited:
        played, tables, found = fuzz_edited(game, given.decisions, given.players, given.seed, _tell)
        of, what = f" from {tables:,} edited tables", "finding"
    else:
        played, games, failures = fuzz(
            game, given.decisions, given.players, given.seed, not given.fuzz_only, given.habits, _tell
        )
        found, of, what = len(failures), f", {games:,} games", "failure"
    seconds = time.monotonic() - start
    _progress("")
    print(
        f"{game.name}: {played:,} decisions{of}, {seconds:.0f} s, seed {given.seed}: "
        + (f"{found} {what}s" if found else f"no {what}"),
        flush=True,
    )
    return int(bool(found))
