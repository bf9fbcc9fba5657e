"""Markdown tables: made here, wherever they are shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any


def table(head: Sequence[Any], rows: Iterable[Sequence[Any]], align: str = "") -> str:
    """A Markdown table, without a line break at its end.

    Args:
        head: names of the columns.
        rows: cells: words, numbers, yes or no for bools, several of these in lists or dicts.
        align: "<" or ">" for each column; left by default.
    """
    rules = ["---:" if align[k : k + 1] == ">" else "---" for k in range(len(head))]
    lines = [[cell(name) for name in head], rules, *([cell(value) for value in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def cell(value: Any) -> str:
    """What stands in a cell: one line, with no sign that would end it."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {cell(item)}" for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(cell(item) for item in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(str(value).split()).replace("|", "\\|")
