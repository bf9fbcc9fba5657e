"""How far a training run is, and how it may break off: a bar with the time left on a terminal, else lines at times."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agezoo.envs import AgezooError

_QUIET = 10.0  # seconds without an evaluation after which a log gets a line all the same
_FRAME = 0.1  # seconds between two pictures of the bar


class Interrupted(Exception):
    """Ctrl-C was pressed; the message says what has been saved and how to go on."""


class Failed(AgezooError):
    """The system broke a run off, such as by a full disk; the message says what has been saved and how to go on."""


@dataclass(frozen=True)
class Progress:
    """How far a stage of a run is.

    Attributes:
        stage: "imitating", "training", "evaluating" or "final evaluation".
        done, total: how much of it there is.
        unit: of what: "decisions", "steps" or "games".
        speed: units a second.
        win_rates: those of the last evaluation, by opponent.
        evaluations: how many there have been.
    """

    stage: str
    done: int
    total: int
    unit: str
    speed: float
    win_rates: Mapping[str, float] = field(default_factory=dict)
    evaluations: int = 0

    @property
    def seconds_left(self) -> float | None:
        """Until the stage is over, at this speed; None as long as that is not known."""
        return max(0, self.total - self.done) / self.speed if self.speed > 0 else None


Told = Callable[[Progress], None]


class Stage:
    """Counts one stage of a run and tells how far it is.

    Args:
        name, total, unit: as in `Progress`.
        told: who is told.
        clock: seconds.
    """

    def __init__(
        self, name: str, total: int, unit: str, told: Told, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.name, self.total, self.unit = name, total, unit
        self._told, self._clock, self._begin = told, clock, clock()

    def __call__(self, done: int) -> None:
        """So much of it is done."""
        seconds = self._clock() - self._begin
        self._told(Progress(self.name, done, self.total, self.unit, done / seconds if seconds > 0 else 0.0))


def win_rates_text(win_rates: Mapping[str, float]) -> str:
    """``wins 97% against random, 45% against greedy``."""
    if not win_rates:
        return ""
    return "wins " + ", ".join(f"{rate:.0%} against {Path(name).name}" for name, rate in win_rates.items())


def time_text(seconds: float | None) -> str:
    """``42 s left``, ``3:05 left``, ``1:02:03 left``."""
    if seconds is None:
        return ""
    whole = round(seconds)
    if whole < 100:
        return f"{whole} s left"
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02}:{whole % 60:02} left" if hours else f"{minutes}:{whole % 60:02} left"


class Lines:
    """Progress for logs: a line at every evaluation in training, and whenever there was none for a while.

    Args:
        say: prints a line.
        clock: seconds.
    """

    def __init__(self, say: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._say, self._clock = say, clock
        self._evaluations, self._last = 0, clock()

    def __call__(self, now: Progress) -> None:
        """Say it, if it is time."""
        new = now.stage == "training" and now.evaluations > self._evaluations
        if not new and self._clock() - self._last < _QUIET:
            return
        if now.stage == "training":
            self._evaluations = now.evaluations
        self._last = self._clock()
        self._say(
            f"{now.stage + ':':<17} {now.done:>12,} / {now.total:,} {now.unit}  {now.speed:>8,.0f} {now.unit}/s  "
            f"{time_text(now.seconds_left):>12}  {win_rates_text(now.win_rates)}".rstrip()
        )


@contextmanager
def shown(say: Callable[[str], None]) -> Iterator[Told]:
    """A progress bar on a terminal, lines elsewhere."""
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn
    from rich.progress import Progress as Bar

    console = Console()
    if not console.is_terminal:
        yield Lines(say)
        return
    columns: list[Any] = [
        TextColumn("{task.description}"),
        TextColumn("{task.completed:,.0f}/{task.total:,.0f} {task.fields[unit]}"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[speed]:,.0f} {task.fields[unit]}/s"),
        TextColumn("{task.fields[left]}"),
        TextColumn("{task.fields[win_rates]}"),
    ]
    with Bar(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=1, visible=False, speed=0.0, unit="", left="", win_rates="")
        last = float("-inf")

        def told(now: Progress) -> None:
            nonlocal last
            over = now.done >= now.total
            if not over and time.monotonic() - last < _FRAME:
                return
            last = time.monotonic()
            bar.update(
                task,
                description=now.stage,
                completed=min(now.done, now.total),
                total=now.total,
                unit=now.unit,
                speed=now.speed,
                left=time_text(now.seconds_left),
                win_rates=win_rates_text(now.win_rates),
                visible=not over,
            )

        yield told
