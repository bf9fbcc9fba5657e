"""How far greedy play can be trusted as a yardstick, and whether a change of a game's `value` made it better.

    python benchmarks/greedy.py GAME [--players N ...] [--decisions 20000] [--seed 0]
    python benchmarks/greedy.py GAME --against REVISION [--players N ...] [--games 2000] [--seed 0]

The first counts, for every kind of decision (the game's `Phase`) in games between greedy players, how often the best
value is shared by actions after which the table is not the same, and which blocks of actions these are. There, greedy
throws dice. Not each of them is a fault: equals may be equal, such as the first of two tiles that are both placed.

The second plays greedy with today's `value` at one seat against greedy with the `worth.py` of a git revision at all
others, and the other way round, with today's rules and the same deals.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from agezoo import agents
from agezoo.agents.base import Generators
from agezoo.envs import AgezooError, Batch, Game, find
from agezoo.envs.engine import markdown
from agezoo.envs.engine.compile import new_tables, specialize, template
from agezoo.envs.engine.players import greedy_actions
from agezoo.envs.engine.table import imagine

ROOT = Path(__file__).resolve().parent.parent
TABLES = 64
SHOWN_PAIRS = 2  # kinds of sharing that are named for a kind of decision


@template
def after_each(states, i, mask, worlds, seed, after, worth):
    """The tables after each legal action in one world of the seat to act at table `i`, and their values to it."""
    seat = states[i].seat
    imagine(states, i, worlds, 0, seat, seed)
    for action in range(len(mask)):
        if mask[action]:
            after[action] = worlds[0]
            apply(after[action], action)  # noqa: F821 - the game's
            worth[action] = value(after[action], seat)  # noqa: F821
            after[action].rng = 0


class Ties:
    """Counts, by kind of decision, in greedy games of one game.

    Attributes:
        asked: decisions.
        shared: those whose best value is shared by actions after which the tables differ.
        blocks: of (kind, names of the blocks of actions that share it).
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.asked: Counter[str] = Counter()
        self.shared: Counter[str] = Counter()
        self.blocks: Counter[tuple[str, str]] = Counter()
        self._after = new_tables(game.num_actions, game.state)
        self._worlds = new_tables(1, game.state)
        self._worth = np.zeros(game.num_actions)
        self._each = game.compiled(after_each)
        state = importlib.import_module(f"agezoo.envs.{game.name}.state")
        self._phases = getattr(state, "Phase", None)

    def play(self, num_players: int, decisions: int, seed: int) -> None:
        """Look at so many decisions with more than one legal action."""
        batch = Batch(self.game, TABLES, seed, num_players)
        rng = np.arange(TABLES, dtype=np.uint64) + np.uint64(seed)
        seeds = np.random.default_rng(seed)
        for _step in range(-(-decisions // TABLES)):
            for i in range(TABLES):
                self._look(batch, i, np.uint64(seeds.integers(1 << 63)))
            batch.step(batch.greedy_actions(rng))

    def _look(self, batch: Batch, i: int, seed: np.uint64) -> None:
        mask = batch.action_mask[i]
        self._each(batch.states, i, mask, self._worlds, seed, self._after, self._worth)
        legal = np.flatnonzero(mask)
        best = legal[self._worth[legal] == self._worth[legal].max()]
        kind = self._phases(int(batch.states["phase"][i])).name if self._phases else "decision"
        self.asked[kind] += 1
        if len({self._after[a].tobytes() for a in best}) > 1:
            self.shared[kind] += 1
            names = sorted({self.game.actions.locate(int(a))[0].name for a in best})
            self.blocks[kind, ", ".join(names)] += 1

    def table(self) -> str:
        """A Markdown table: a line for each kind of decision."""
        total, lines = self.asked.total(), []
        for kind, asked in self.asked.most_common():
            pairs = [(n, names) for (k, names), n in self.blocks.most_common() if k == kind][:SHOWN_PAIRS]
            between = "; ".join(f"{names} {n / asked:.1%}" for n, names in pairs) or "-"
            lines.append([kind.lower(), f"{asked / total:.1%}", f"{self.shared[kind] / asked:.1%}", between])
        all_shared = self.shared.total() / max(1, total)
        lines.append(["all", "100.0%", f"{all_shared:.1%}", ""])
        return markdown.table(["decision", "of all", "best value shared", "between"], lines, "<>><")


class Before:
    """Greedy with the `worth.py` of a git revision.

    Args:
        game: the game as it is.
        revision: a commit.

    Raises:
        SystemExit: there is no such file there, or it does not go with the game as it is.
    """

    def __init__(self, game: Game, revision: str) -> None:
        self.name = f"greedy at {revision}"
        path = f"envs/{game.name}/worth.py"
        text = _git("show", f"{revision}:{path}")
        blob = _git("rev-parse", f"{revision}:{path}").strip()[:12]
        module = ModuleType(f"agezoo.envs.{game.name}.worth_{blob}")
        module.__package__ = f"agezoo.envs.{game.name}"
        sys.modules[module.__name__] = module
        try:
            exec(compile(text, f"{revision}:{path}", "exec"), module.__dict__)
        except (ImportError, AttributeError) as error:
            raise SystemExit(f"{path} at {revision} does not go with the game as it is: {error}") from error
        # a name of its own, as compiled code is kept by name
        then = dataclasses.replace(game, name=f"{game.name}_{blob}", value=module.value)
        self._choose = specialize(greedy_actions, then)
        self._rng = Generators(0)

    def seed(self, seed: int) -> None:
        """Start the random numbers anew."""
        self._rng = Generators(seed)

    def act(self, env: Any, agent: str) -> int:
        """The action of `agent`, whose turn it is."""
        raise AgezooError(f"{self.name} plays in batches alone")

    def choose(self, batch: Batch, tables: np.ndarray) -> np.ndarray:
        """Actions at `tables`: int64 (K,)."""
        out = np.zeros(len(tables), np.int64)
        self._choose(batch.states, batch.run.mask, self._rng.states(batch.num_envs), tables, out)
        return out


def _git(*command: str) -> str:
    done = subprocess.run(["git", *command], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr.strip())
    return done.stdout


def matches(game: Game, revision: str, counts: list[int], games: int, seed: int, **options: Any) -> str:
    """A Markdown table: one new among old, and one old among new, for each seat count."""
    new, old = agents.make("greedy", game), Before(game, revision)
    seats = range(max(counts))
    head = ["seats", "one", "among", "games", "win rate", "95 % interval", "chance"]
    head += [f"seat {s}" for s in seats]
    lines = []
    for count in counts:
        for one, others in ((new, old), (old, new)):
            results = agents.play_games(game, [one, *[others] * (count - 1)], games, seed, **options)
            low, high = results.interval(0)
            there = [f"{won / played:.1%}" if played else "-" for played, won in results.by_seat(0)]
            numbers = [f"{results.win_rate(0):.1%}", f"{low:.1%} to {high:.1%}", f"{1 / count:.1%}"]
            names = ["new" if p is new else "old" for p in (one, others)]
            lines.append([str(count), *names, f"{games:,}", *numbers, *there, *[""] * (len(seats) - count)])
    return markdown.table(head, lines, "<<<" + ">" * (len(head) - 3))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("game")
    parser.add_argument("--players", type=int, nargs="+", help="seat counts; default all")
    parser.add_argument("--decisions", type=int, default=20_000, help="to look at, for each seat count")
    parser.add_argument("--against", metavar="REVISION", help="play against the worth.py of this commit")
    parser.add_argument("--games", type=int, default=2000, help="of each match")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    try:
        game = find(given.game)
        counts = [game.num_players(n) for n in given.players or range(game.players[0], game.players[1] + 1)]
    except AgezooError as error:
        parser.error(str(error))
    if given.against:
        print(matches(game, given.against, counts, given.games, given.seed))
        return
    ties = Ties(game)
    for count in counts:
        ties.play(count, given.decisions, given.seed)
    print(
        f"{game.title}: {ties.asked.total():,} decisions of greedy players, {counts} seats\n\n{ties.table()}"
    )


if __name__ == "__main__":
    main()
