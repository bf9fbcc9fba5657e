"""How fast a game runs: the measurements behind `agezoo bench` and ``benchmarks/steps.py``.

Every measurement is a short burst; bursts of different things take turns, so that a busy moment of the machine falls
on all of them alike, and the median of each is reported.
"""

from __future__ import annotations

import json
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

import numba
import numpy as np

from agezoo.envs import Batch, Game
from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.compile import template
from agezoo.envs.engine.players import spin
from agezoo.envs.engine.playout import playout, simulate
from agezoo.envs.engine.table import deal

from .tables import markdown

if TYPE_CHECKING:
    from pettingzoo import AECEnv

TABLES = 1024  # in the batch that is stepped
CROWD = 100_000  # tables that must fit into one process
DEPTH = 20  # decisions after which a simulation is cut
_POOL = 64  # tables in mid-game that clones and simulations start from
_SEED = 20240


@dataclass(frozen=True)
class Measure:
    """Something to be measured.

    Args:
        of: the game, or the peer and its game.
        what: what is counted.
        kind: measurements of one kind are compared with each other.
        burst: measures for about the given number of seconds and returns a rate per second.
        reach: the rate to reach, if there is one.
    """

    of: str
    what: str
    kind: str
    burst: Callable[[float], float]
    reach: float | None = None


@dataclass
class Row:
    """A result.

    Attributes:
        of, what, kind: as in `Measure`.
        unit: "/s", or the unit of a size or time.
        measured: the median, or the one value there is.
        reach: what to reach, a lower limit for rates and an upper limit for everything else.
        spread: lowest and highest burst.
        times_peer: ratio to the fastest peer of the same kind.
    """

    of: str
    what: str
    kind: str
    unit: str
    measured: float
    reach: float | None = None
    spread: tuple[float, float] | None = None
    times_peer: float | None = None
    peer: str = ""

    @property
    def reached(self) -> bool | None:
        """Whether the goal is met; None where there is none."""
        if self.reach is None:
            return None
        return self.measured >= self.reach if self.unit == "/s" else self.measured <= self.reach


@dataclass
class Report:
    """All results of one run, with the machine they come from."""

    machine: str
    rows: list[Row] = field(default_factory=list)
    peers: list[Row] = field(default_factory=list)

    def to_markdown(self) -> str:
        """One table for each game, and one of the peers."""
        parts = [self.machine]
        for name in dict.fromkeys(row.of for row in self.rows):
            cells = [_cells(row) for row in self.rows if row.of == name]
            parts.append(f"### {name}\n\n{markdown(_HEAD, cells, '<>>><>')}")
        if self.peers:
            cells = [[row.of, row.what, _number(row.measured, row.unit)] for row in self.peers]
            parts.append(
                f"### Peers in the same run\n\n{markdown(('peer', 'what', 'measured'), cells, '<<>')}"
            )
        return "\n\n".join(parts)

    def summary(self) -> str:
        """A line for each game, as a Markdown table."""
        lines = []
        for name in dict.fromkeys(row.of for row in self.rows):
            found = {row.what: _number(row.measured, row.unit) for row in self.rows if row.of == name}
            lines.append([f"`{name}`", *(found[what] for what in _SUMMARY)])
        return markdown(("game", *_SUMMARY.values()), lines, "<" + ">" * len(_SUMMARY))

    def to_json(self) -> str:
        """The same with every digit, and the lowest and highest burst of each rate."""
        rows = [asdict(row) | {"reached": row.reached} for row in self.rows]
        return json.dumps(
            {"machine": self.machine, "rows": rows, "peers": [asdict(p) for p in self.peers]}, indent=2
        )


_COLD, _WARM = "import to first steps, nothing compiled yet", "import to first steps, from the cache"
_BATCH, _AEC, _CLONE = "batch decisions, mask and observation", "AEC loop decisions", "env.clone()"
_SIMULATED = f"simulations cut at {DEPTH} decisions"
_SUMMARY = {
    _BATCH: "batch decisions",
    _AEC: "AEC loop decisions",
    _CLONE: "`env.clone()`",
    _SIMULATED: _SIMULATED,
    _COLD: "first use, compiling",
    _WARM: "start from the cache",
}
_HEAD = ("what", "to reach", "measured", "ratio", "to the fastest peer", "reached")


def run(
    games: Iterable[Game],
    peers: Sequence[Measure] = (),
    seconds: float = 0.3,
    repeats: int = 7,
    say: Callable[[str], None] = lambda line: None,
    options: Mapping[str, Any] = MappingProxyType({}),
) -> Report:
    """Measure games, and peers beside them.

    Args:
        games: the games.
        peers: what else is measured in between.
        seconds: length of a burst.
        repeats: bursts of each measurement.
        say: told what is going on.
        options: of all the games; costs are measured with the defaults.
    """
    games = list(games)
    report = Report(machine())
    for game in games:
        say(f"{game.name}: compile, memory")
        report.rows += costs(game)
    measures = [measure for game in games for measure in speeds(game, options)]
    say(f"{len(measures)} measurements, {len(peers)} of peers, {repeats} bursts of {seconds:g} s each")
    rows = _bursts([*measures, *peers], seconds, repeats, say)
    report.rows += rows[: len(measures)]
    report.peers = rows[len(measures) :]
    for row in report.rows:
        rivals = [peer for peer in report.peers if peer.kind == row.kind]
        if rivals:
            fastest = max(rivals, key=lambda peer: peer.measured)
            row.peer, row.times_peer = fastest.of, row.measured / fastest.measured
    return report


def _bursts(
    measures: Sequence[Measure], seconds: float, repeats: int, say: Callable[[str], None]
) -> list[Row]:
    rates: list[list[float]] = [[] for _ in measures]
    for measure in measures:
        measure.burst(0.0)  # compile, fill caches
    for number in range(repeats):
        say(f"round {number + 1} of {repeats}")
        for measure, found in zip(measures, rates, strict=True):
            found.append(measure.burst(seconds))
    return [
        Row(m.of, m.what, m.kind, "/s", statistics.median(found), m.reach, (min(found), max(found)))
        for m, found in zip(measures, rates, strict=True)
    ]


def timed(work: Callable[[], int], seconds: float) -> float:
    """Repeat `work`, which returns how much it did, for `seconds` (at least once): how much a second."""
    start = time.perf_counter()
    done = work()
    while (elapsed := time.perf_counter() - start) < seconds:
        done += work()
    return done / elapsed


# -- what is measured ----------------------------------------------------------------------------------------------


def speeds(game: Game, options: Mapping[str, Any] = MappingProxyType({})) -> list[Measure]:
    """The rates of one game, with its `options`."""
    middle = _middle_of_games(game, options)
    return [
        Measure(game.name, _BATCH, "batch", _batch(game, options, 1), 1e6),
        Measure(game.name, "batch decisions, two threads", "batch, threads", _batch(game, options, 2)),
        Measure(game.name, _AEC, "aec", aec_loop(TableEnv(game, **options), {}), 6e4),
        Measure(game.name, "clones in kernels", "clone", _copies(game, middle), 1e7),
        Measure(game.name, _CLONE, "clone", _clones(game, options), 2e5),
        Measure(game.name, "whole random games", "games", _games(game, options)),
        Measure(game.name, _SIMULATED, "simulations", _simulations(game, middle), 5e4),
    ]


def _batch(game: Game, options: Mapping[str, Any], threads: int) -> Callable[[float], float]:
    """Random legal play of many tables; each decision with its mask and observation."""
    batch = Batch(game, TABLES, seed=_SEED, threads=threads, **options)
    rng, actions = np.arange(TABLES, dtype=np.uint64), np.zeros(TABLES, np.int64)

    def step() -> int:
        batch.step(batch.random_actions(rng, actions))
        return TABLES

    return lambda seconds: timed(step, seconds)


def aec_loop(env: AECEnv[Any, Any, Any], reset: dict[str, Any]) -> Callable[[float], float]:
    """Random legal play the PettingZoo way: `last`, choose from the mask, `step`. Works for peers, too.

    Args:
        env: an AEC environment with its mask in the observation or in the info.
        reset: arguments of `reset`.
    """
    choose = random.Random(_SEED)
    env.reset(seed=_SEED, **reset)

    def game() -> int:
        decisions = 0
        env.reset(**reset)
        for _ in env.agent_iter():
            seen, _, termination, truncation, info = env.last()
            if termination or truncation:
                env.step(None)
                continue
            mask = (info if "action_mask" in info else cast("dict[str, Any]", seen))["action_mask"]
            legal = mask.nonzero()[0]
            env.step(int(legal[int(choose.random() * len(legal))]))
            decisions += 1
        return decisions

    return lambda seconds: timed(game, seconds)


def _clones(game: Game, options: Mapping[str, Any]) -> Callable[[float], float]:
    env = TableEnv(game, **options)
    env.reset(seed=_SEED)
    env.step(env.random_action(0))

    def clones() -> int:
        for _ in range(100):
            env.clone()
        return 100

    return lambda seconds: timed(clones, seconds)


@template
def copy_tables(states: Any, twins: Any, times: int) -> int:
    """Copy every table `times` times, to another place each time."""
    count = len(states)
    for turn in range(times):
        for i in range(count):
            twins[(i + turn) % count] = states[i]
    return count * times


def _copies(game: Game, middle: np.ndarray) -> Callable[[float], float]:
    copy, twins = game.compiled(copy_tables), middle.copy()
    return lambda seconds: timed(lambda: copy(middle, twins, 100), seconds)


@template
def random_games(states: Any, prototypes: Any, mask: Any, rng: Any, limit: int) -> int:
    """Deal every table and play it at random, to its end or for `limit` decisions; returns how many were played."""
    decisions = 0
    for i in range(len(states)):
        deal(states, i, prototypes, 0, spin(rng, 0))
        decisions += playout(states, i, mask, rng, 0, limit)
    return decisions


def _games(game: Game, options: Mapping[str, Any]) -> Callable[[float], float]:
    play, states = _random_games(game, options, 20)

    def games() -> int:
        play(game.max_decisions)
        return len(states)

    return lambda seconds: timed(games, seconds)


def _random_games(
    game: Game, options: Mapping[str, Any], tables: int
) -> tuple[Callable[[int], int], np.ndarray]:
    """`random_games` over tables of its own, as a function of its limit."""
    work, prototype = game.compiled(random_games), game.prototype(None, options)
    states = np.repeat(prototype, tables)
    mask, rng = np.zeros(game.num_actions, np.bool_), np.array([_SEED], np.uint64)
    return lambda limit: work(states, prototype, mask, rng, limit), states


def _middle_of_games(game: Game, options: Mapping[str, Any]) -> np.ndarray:
    """Tables that random play has brought about half-way through an average game."""
    play, states = _random_games(game, options, _POOL)
    play(play(game.max_decisions) // _POOL // 2)
    return states[~states["finished"]]


def _simulations(game: Game, middle: np.ndarray) -> Callable[[float], float]:
    """Redraw what is hidden, play at random, ask for the value; from tables in mid-game."""
    work, worlds = game.compiled(simulate), game.prototype()
    mask, rng = np.zeros(game.num_actions, np.bool_), np.array([_SEED], np.uint64)

    def simulations() -> int:
        for i in range(len(middle)):
            work(middle, i, worlds, mask, rng, 0, DEPTH, 10)
        return 10 * len(middle)

    return lambda seconds: timed(simulations, seconds)


# -- what it costs to have ------------------------------------------------------------------------------------------

_FIRST_TABLE = """
import sys, time
start = time.perf_counter()
import numpy as np
import agezoo.envs
name = sys.argv[1]
env = agezoo.envs.make(name)
env.reset(seed=0)
env.step(env.random_action(0))
batch = agezoo.envs.make_batch(name, 8)
batch.step(batch.random_actions(np.arange(8, dtype=np.uint64)))
print(time.perf_counter() - start)
"""

_CROWD = """
import resource, sys
import numpy as np
import agezoo.envs
def used():
    with open("/proc/self/statm") as numbers:
        return int(numbers.read().split()[1]) * resource.getpagesize()
name, tables = sys.argv[1], int(sys.argv[2])
agezoo.envs.make_batch(name, 8)
before = used()
batch = agezoo.envs.make_batch(name, tables)
batch.step(batch.random_actions(np.arange(tables, dtype=np.uint64)))
print(used() - before)
"""


def costs(game: Game) -> list[Row]:
    """Seconds to the first table, in processes of their own, with an empty cache and with a full one; bytes."""
    with tempfile.TemporaryDirectory() as folder:
        cold = _in_process(_FIRST_TABLE, folder, game.name)
        warm = statistics.median(_in_process(_FIRST_TABLE, folder, game.name) for _ in range(3))
        rows = [
            Row(game.name, _COLD, "cold", "s", cold, 20),
            Row(game.name, _WARM, "warm", "s", warm, 2),
            Row(game.name, "a table", "table", "bytes", game.state.itemsize, 4096),
        ]
        if Path("/proc/self/statm").exists():
            crowd = _in_process(_CROWD, folder, game.name, str(CROWD)) / 2**20
            rows.append(Row(game.name, f"{CROWD:,} tables in a batch, all arrays", "crowd", "MiB", crowd))
    return rows


def _in_process(code: str, cache: str, *arguments: str) -> float:
    """Run `code` with its own cache folder; the number that it prints."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={**os.environ, "AGEZOO_CACHE_DIR": cache},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"measuring in a process of its own failed:\n{done.stderr}")
    return float(done.stdout)


# -- words -----------------------------------------------------------------------------------------------------------


def machine() -> str:
    """Where this runs, and how busy it was in the minute before, in one line."""
    name = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        models = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        name = models[0].split(":", 1)[1].strip() if models else name
    busy = f"; load average before: {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return (
        f"{name}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}, "
        f"Numba {numba.__version__}, NumPy {np.__version__}{busy}"
    )


def _cells(row: Row) -> list[str]:
    return [
        row.what,
        "-" if row.reach is None else _number(row.reach, row.unit),
        _number(row.measured, row.unit),
        "-" if row.times_peer is None else f"{row.times_peer:.3g}",
        row.peer or "-",
        {True: "yes", False: "no", None: "-"}[row.reached],
    ]


def _number(value: float, unit: str) -> str:
    """Three significant digits and the unit; sizes in full."""
    if unit == "/s":
        digits = float(f"{value:.3g}")
        return f"{digits:,.0f}/s" if digits >= 100 else f"{digits:g}/s"
    return f"{value:,.0f} {unit}" if value >= 100 else f"{value:.3g} {unit}"
