"""Rows of words as a table: for the terminal, or as Markdown, which the engine makes."""

from __future__ import annotations

from collections.abc import Sequence

from agezoo.envs.engine.markdown import table as markdown

_LEFT = "<"


def columns(head: Sequence[str], rows: Sequence[Sequence[str]], align: str = "") -> str:
    """A table for the terminal, its columns as wide as their longest cell.

    Args:
        head: names of the columns.
        rows: cells.
        align: "<" or ">" for each column; left by default.
    """
    table = [list(head), *(list(row) for row in rows)]
    wide = [max(len(row[k]) for row in table) for k in range(len(head))]
    sides = [align[k] if k < len(align) else _LEFT for k in range(len(head))]
    return "\n".join(
        "  ".join(
            f"{cell:{side}{width}}" for cell, side, width in zip(row, sides, wide, strict=True)
        ).rstrip()
        for row in table
    )


__all__ = ["columns", "markdown"]
