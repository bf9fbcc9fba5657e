"""What a training run says at the end: tables and the learning curve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from agezoo.envs.engine import markdown

from .config import Config, Goal
from .evaluate import Results
from .files import replacing

_AT_LIMIT = {
    "decide": "A game at the limit of decisions was decided as it stood.",
    "truncate": "A game that was broken off at the limit of decisions counts as it stood.",
}


def evaluation_rows(goals: Sequence[Goal], found: Mapping[str, Results]) -> list[dict[str, Any]]:
    """One JSON-able row for each goal: opponent, games, those at the limit, wins, win rate, interval, goal, reached."""
    rows = []
    for goal in goals:
        results = found[goal.opponent]
        rate = results.win_rate(0)
        rows.append(
            {
                "opponent": goal.opponent,
                "games": results.games,
                "at_limit": int(results.at_limit.sum()),
                "wins": float(results.wins[0]),
                "win_rate": rate,
                "interval": list(results.interval(0)),
                "times_chance": rate / results.chance,
                "goal": goal.win_rate,
                "reached": rate >= goal.win_rate,
            }
        )
    return rows


def goal_table(rows: Sequence[Mapping[str, Any]], seats: int) -> str:
    """A Markdown table of `evaluation_rows`."""
    head = (
        f"against {seats - 1}", "games", "at the limit", "wins", "win rate", "95 % interval", "times chance", "goal",
        "",
    )  # fmt: skip
    lines = []
    for row in rows:
        low, high = row["interval"]
        lines.append(
            (
                row["opponent"],
                f"{row['games']:,}",
                f"{row['at_limit']:,}",
                f"{row['wins']:,.1f}",
                f"{row['win_rate']:.1%}",
                f"{low:.1%} to {high:.1%}",
                f"{row['times_chance']:.2f}",
                f"{row['goal']:.1%}",
                "reached" if row["reached"] else "NOT reached",
            )
        )
    return markdown.table(head, lines, "<>>>><>><")


def evaluation_page(
    config: Config, name: str, steps: int, rows: Sequence[Mapping[str, Any]], found: Mapping[str, Results]
) -> str:
    """The page evaluation.md: the goals, then every opponent with win rates by seat."""
    seats = config.seats()
    parts = [
        f"# {name}\n",
        f"{config.rulebook().title}, {seats} seats, after {steps:,} steps, seed {config.seed}.",
        f"Chance is {1 / seats:.1%}. A win shared by k counts 1/k. {_AT_LIMIT[config.at_limit]}\n",
        goal_table(rows, seats) + "\n" if rows else "The configuration has no goals.\n",
        "## Seats\n",
    ]
    for opponent, results in found.items():
        at_limit = f"{int(results.at_limit.sum()):,} of {results.games:,} games ended at a limit"
        parts.append(f"Against {opponent} ({at_limit}):\n")
        parts.append(results.table() + "\n")
    return "\n".join(parts)


def draw_curve(
    curve: Sequence[Mapping[str, Any]], goals: Mapping[str, float], chance: float, path: Path
) -> None:
    """Draw win rates over steps, with their 95 % intervals, and the goals as dashed lines, into a PNG.

    Args:
        curve: evaluations: ``steps``, and by opponent ``win_rates`` and ``intervals``.
        goals: win rate to reach by opponent.
        chance: win rate of equal players.
        path: the file.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 4.5), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    for k, (opponent, goal) in enumerate(goals.items()):
        found = [point for point in curve if opponent in point["win_rates"]]
        steps = [point["steps"] for point in found]
        rates = [point["win_rates"][opponent] for point in found]
        bands = np.array([point["intervals"][opponent] for point in found]).reshape(-1, 2)
        axes.plot(steps, rates, color=f"C{k}", marker=".", label=f"against {opponent}")
        axes.fill_between(steps, bands[:, 0], bands[:, 1], color=f"C{k}", alpha=0.2, linewidth=0)
        axes.axhline(goal, color=f"C{k}", linestyle="--", linewidth=1)
    axes.axhline(chance, color="grey", linestyle=":", linewidth=1, label="chance")
    axes.set(xlabel="steps", ylabel="win rate", ylim=(0, 1.02))
    axes.legend(loc="lower right")
    with replacing(path) as partial:
        figure.savefig(partial, dpi=120, format="png")
