"""The command line of train.py: arguments, a progress bar, exit codes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agezoo.envs import AgezooError

from . import config as configs
from .config import BadConfig
from .cores import share_cores

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .training import Run

DEFAULT = Path("configs/age_de_bronze_ppo.yaml")
RUNS = Path("runs")
REACHED, MISSED, REFUSED, INTERRUPTED = 0, 1, 2, 130

HELP = f"""\
usage: python train.py [CONFIG.yaml] [key=value ...] [run=FOLDER]
       python train.py resume=FOLDER [key=value ...]

Trains an agent by MaskablePPO against random players, greedy players and past selves, then judges it.
CONFIG.yaml is {DEFAULT} when left out. Exit code {REACHED}: every goal was reached; {MISSED}: one was not;
{REFUSED}: nothing was done; {INTERRUPTED}: interrupted by Ctrl-C, saved.

  run=FOLDER      where everything goes; by default a new folder in {RUNS}/
  resume=FOLDER   go on with a run, up to its configured number of steps

Keys (nested keys with dots, values as in YAML), with their defaults:
"""


def main(arguments: Sequence[str]) -> int:
    """Run train.py with these arguments; returns the exit code."""
    share_cores()
    if any(word in ("-h", "--help") for word in arguments):
        print(help_text())
        return REACHED
    try:
        return _train(prepare(arguments))
    except AgezooError as error:
        print(f"train.py: {error}", file=sys.stderr)
        return REFUSED


def help_text() -> str:
    """What ``--help`` prints."""
    lines = [f"  {f'{name}={_short(default)}':<44} {doc}" for name, doc, default in configs.all_keys()]
    return HELP + "\n".join(lines)


def _short(default: Any) -> str:
    if isinstance(default, tuple) and default and not isinstance(default[0], int):
        return "[...]"
    if isinstance(default, bool) or default is None:
        return {True: "true", False: "false", None: "null"}[default]
    return str(list(default) if isinstance(default, tuple) else default)


def prepare(arguments: Sequence[str]) -> Run:
    """The run that the arguments ask for; nothing is written yet.

    Raises:
        BadConfig: they ask for what cannot be.
        BadAgent: the checkpoint to go on from cannot be read.
    """
    files = [word for word in arguments if "=" not in word]
    words = {"run": "", "resume": ""}
    overrides = []
    for word in arguments:
        name, mark, value = word.partition("=")
        if mark and name in words:
            words[name] = value
        elif mark:
            overrides.append(word)
    if len(files) > 1:
        raise BadConfig(f"{' '.join(files)}: give one configuration; everything else is key=value")
    if words["resume"]:
        if files or words["run"]:
            raise BadConfig(
                "resume: a resumed run has its configuration and its folder; leave the others out"
            )
        from .training import resumed_run

        return resumed_run(words["resume"], overrides)
    file = Path(files[0]) if files else DEFAULT
    config = configs.read(file, overrides)
    from .training import new_run

    return new_run(config, words["run"] or _free(RUNS / file.stem))


def _free(folder: Path) -> Path:
    """`folder`, or the first of folder-2, folder-3, ... that does not exist."""
    found, number = folder, 1
    while found.exists():
        number += 1
        found = folder.with_name(f"{folder.name}-{number}")
    return found


def _train(run: Run) -> int:
    from .training import Interrupted, train

    try:
        with shown() as progress:
            reached = train(run, lambda line: print(line, flush=True), progress)
    except Interrupted as what:
        print(f"Interrupted: {what}", flush=True)
        return INTERRUPTED
    print("Every goal was reached." if reached else "NOT every goal was reached, see the table.")
    print(f"Everything is in {run.folder}; play it with agezoo.agents.load({str(run.folder)!r}).")
    return REACHED if reached else MISSED


@contextmanager
def shown() -> Iterator[Callable[[dict[str, Any]], None]]:
    """A progress bar on a terminal, a line at every look at the win shares elsewhere."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    console = Console()
    if not console.is_terminal:
        yield _Lines()
        return
    columns = [
        TextColumn("{task.completed:,.0f}/{task.total:,.0f} steps"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[speed]:,.0f} steps/s"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[shares]}"),
    ]
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=1, visible=False, speed=0.0, shares="")

        def progress(now: dict[str, Any]) -> None:
            done = now["steps"] >= now["total"]
            bar.update(
                task,
                completed=min(now["steps"], now["total"]),
                total=now["total"],
                speed=now["speed"],
                shares=shares_text(now["shares"]),
                visible=not done,
            )

        yield progress


class _Lines:
    """Progress for logs."""

    def __init__(self) -> None:
        self._looks = -1

    def __call__(self, now: dict[str, Any]) -> None:
        if now["looks"] > self._looks and now["looks"]:
            left = (now["total"] - now["steps"]) / now["speed"] if now["speed"] else 0.0
            print(
                f"{now['steps']:>12,} / {now['total']:,} steps  {now['speed']:>8,.0f} steps/s  "
                f"{left:>5.0f} s left  {shares_text(now['shares'])}",
                flush=True,
            )
            self._looks = now["looks"]


def shares_text(shares: dict[str, float]) -> str:
    """``wins 97% against random, 45% against greedy``."""
    if not shares:
        return ""
    return "wins " + ", ".join(f"{share:.0%} against {Path(name).name}" for name, share in shares.items())
