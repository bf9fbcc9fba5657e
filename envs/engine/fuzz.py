"""The fuzz run: millions of random decisions, every table held against what must be true of it.

    python -m agezoo.envs.engine.conformance [GAME ...] [--decisions N] [--players N ...] [--seed N]

Tables of every seat count and option are played in batches. After every decision, compiled: something is legal, the
seat to act is in play, what it and one other seat see is finite and in range, and is the same, with the same legal
actions, in a world redrawn for that seat. At every end: places are a ranking, rewards are what they are worth. At a
sample of tables, as they are slower: the rulebook's own `check`, words that parse back, `conformance.checks()`.

A failure prints the game as a record that replays, and the command that finds it again.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from . import conformance, registry
from .aec import TableEnv
from .batch import Batch, check_seed
from .compile import new_tables, template
from .conformance import Broken
from .errors import BadOption
from .game import Game
from .players import spin
from .position import _act
from .table import imagine, look

if TYPE_CHECKING:
    legal: Any

TABLES = 512  # played side by side
CHECK_EVERY = 256  # of so many tables one is checked in Python after each decision
WORDS_EVERY = 1024
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
    """

    game: Game
    num_players: int
    options: dict[str, Any]
    seed: int
    decisions: int
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
        rng = np.arange(size, dtype=np.uint64) + np.uint64(self.seed)
        actions = np.zeros(size, np.int64)
        kind = np.uint8 if self.game.num_actions <= 256 else np.uint16
        self._audit = _auditor(self.game, self.seed)
        while self.played < self.decisions:
            self._hold()
            batch.random_actions(rng, actions)
            self._history.append(actions.astype(kind))
            batch.step(actions)
            self._hold_ends()
            self.played += size
        self._hold()

    def _hold(self) -> None:
        """Invariants of all tables, then those of a sample."""
        self._seeds = self.batch.seeds.copy()
        found = self._audit(self.batch)
        if found >= 0:
            self._broken(found >> 3, REASONS[found & 7])
        step, size = len(self._history), self.batch.num_envs
        for every, what in ((CHECK_EVERY, self._hold_check), (WORDS_EVERY, self._hold_words)):
            for i in range(step * 37 % every, size, every):
                what(i)

    def _hold_check(self, i: int) -> None:
        try:
            self.game.check(self.game.record(self.batch._states, i))
        except ValueError as error:
            self._broken(i, str(error))

    def _hold_words(self, i: int) -> None:
        s = self.game.record(self.batch._states, i)
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
        self._dealt[ended] = len(self._history)

    def _broken(self, i: int, what: str) -> None:
        """Raise `Broken` with the game that table `i` has played."""
        moves = [int(row[i]) for row in self._history[int(self._dealt[i]) :]]
        env = TableEnv(self.game, self.num_players, **self.options)
        env.reset(seed=int(self._seeds[i]))
        for action in moves:
            _act(env, action)
        raise Broken(
            f"table {i} of the batch, after {len(moves)} decisions: {what}\n{env.record().to_text()}"
        )


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
    game: Game, decisions: int, players: list[int] | None = None, seed: int = 0, suite: bool = True
) -> tuple[int, int, list[str]]:
    """Play `decisions` decisions of a rulebook, spread over its seat counts and options.

    Args:
        game: the rulebook.
        decisions: how many; every configuration plays its share, rounded up to whole batches.
        players: seat counts; None for all.
        seed: of everything.
        suite: run `conformance.checks()` on every configuration, too.

    Returns:
        Decisions and games played, and what failed.
    """
    configs = configurations(game, players)
    played, games, failures = 0, 0, []
    for number, (count, options) in enumerate(configs):
        where = f"{game.name}, {count} players" + "".join(f", {k}={v}" for k, v in options.items())
        _progress(f"{where}: {played:,} decisions, {number} of {len(configs)} configurations done")
        run = Fuzz(game, count, options, seed, -(-decisions // len(configs)))
        try:
            run.run()
            for check in conformance.checks().values() if suite else ():
                check(game, count, seed, **options)
        except Exception as error:
            kind = "" if isinstance(error, Broken) else traceback.format_exc()
            again = (
                f"python -m agezoo.envs.engine.conformance {game.name} --decisions {decisions} --seed {seed}"
            )
            failures.append(f"{where}: {kind}{error}\nagain: {again} --players {count}")
        played += run.played
        games += run.games
    return played, games, failures


def _progress(line: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{line:<100}")
        sys.stderr.flush()


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns 1 if anything failed."""
    parser = argparse.ArgumentParser(
        prog="python -m agezoo.envs.engine.conformance",
        description="Play random games of rulebooks and hold every table against the invariants.",
    )
    parser.add_argument(
        "games", nargs="*", metavar="GAME", help=f"rulebooks; default all: {', '.join(registry.names())}"
    )
    parser.add_argument(
        "--decisions", type=int, default=1_000_000, help="decisions for each rulebook; default 1,000,000"
    )
    parser.add_argument("--players", type=int, nargs="+", help="seat counts; default all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--fuzz-only", action="store_true", help="leave out the suite's slower checks")
    given = parser.parse_args(arguments)
    try:
        check_seed(given.seed)
        games = [registry.find(name) for name in given.games or registry.names()]
        for game in games:
            configurations(game, given.players)
    except BadOption as error:
        parser.error(str(error))
    if given.decisions < 1:
        parser.error(f"--decisions {given.decisions}: give a positive number")
    return max([_report(game, given) for game in games], default=0)


def _report(game: Game, given: argparse.Namespace) -> int:
    start = time.monotonic()
    played, games, failures = fuzz(game, given.decisions, given.players, given.seed, not given.fuzz_only)
    seconds = time.monotonic() - start
    _progress("")
    for failure in failures:
        print(failure, end="\n\n")
    print(
        f"{game.name}: {played:,} decisions, {games:,} games, {seconds:.0f} s, seed {given.seed}: "
        + (f"{len(failures)} failures" if failures else "no failure")
    )
    return int(bool(failures))
