"""What a training run says at the end: tables and the learning curve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .config import Config, Goal
from .evaluate import Results, wilson


def evaluation_rows(goals: Sequence[Goal], found: Mapping[str, Results]) -> list[dict[str, Any]]:
    """One JSON-able row for each goal: opponent, games, wins, share, interval, goal, reached."""
    rows = []
    for goal in goals:
        results = found[goal.opponent]
        share = results.share(0)
        rows.append(
            {
                "opponent": goal.opponent,
                "games": results.games,
                "wins": float(results.wins[0]),
                "share": share,
                "interval": list(results.interval(0)),
                "times_chance": share / results.chance,
                "goal": goal.share,
                "reached": share >= goal.share,
            }
        )
    return rows


def goal_table(rows: Sequence[Mapping[str, Any]], seats: int) -> str:
    """A Markdown table of `evaluation_rows`."""
    lines = [
        f"| against {seats - 1} | games | wins | share | 95 % interval | times chance | goal | |",
        "| --- | ---: | ---: | ---: | --- | ---: | ---: | --- |",
    ]
    for row in rows:
        low, high = row["interval"]
        lines.append(
            f"| {row['opponent']} | {row['games']:,} | {row['wins']:,.1f} | {row['share']:.1%} | {low:.1%} to "
            f"{high:.1%} | {row['times_chance']:.2f} | {row['goal']:.1%} | "
            f"{'reached' if row['reached'] else 'NOT reached'} |"
        )
    return "\n".join(lines)


def evaluation_page(
    config: Config, name: str, steps: int, rows: Sequence[Mapping[str, Any]], found: Mapping[str, Results]
) -> str:
    """The page evaluation.md: the goals, then every opponent with shares by seat."""
    seats = config.seats()
    parts = [
        f"# {name}\n",
        f"{config.rulebook().title}, {seats} seats, after {steps:,} steps, seed {config.seed}.",
        f"Chance is {1 / seats:.1%}. A win shared by k counts 1/k.\n",
        goal_table(rows, seats) + "\n" if rows else "The configuration has no goals.\n",
        "## Seats\n",
    ]
    for opponent, results in found.items():
        parts.append(f"Against {opponent} ({int(results.truncated.sum())} games cut off at the limit):\n")
        parts.append(results.table() + "\n")
    return "\n".join(parts)


def draw_curve(
    curve: Sequence[Mapping[str, Any]], goals: Mapping[str, float], chance: float, path: str | Path
) -> None:
    """Draw win share over steps, with 95 % bands, and the goals as dashed lines, into a PNG."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 4.5), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    for k, (opponent, goal) in enumerate(goals.items()):
        looks = [look for look in curve if opponent in look["shares"]]
        steps = [look["steps"] for look in looks]
        shares = [look["shares"][opponent] for look in looks]
        bands = np.array([wilson(look["shares"][opponent], look["games"]) for look in looks]).reshape(-1, 2)
        axes.plot(steps, shares, color=f"C{k}", marker=".", label=f"against {opponent}")
        axes.fill_between(steps, bands[:, 0], bands[:, 1], color=f"C{k}", alpha=0.2, linewidth=0)
        axes.axhline(goal, color=f"C{k}", linestyle="--", linewidth=1)
    axes.axhline(chance, color="grey", linestyle=":", linewidth=1, label="chance")
    axes.set(xlabel="steps", ylabel="win share", ylim=(0, 1.02))
    axes.legend(loc="lower right")
    figure.savefig(path, dpi=120)
