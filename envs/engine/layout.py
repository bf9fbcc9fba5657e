"""Named blocks over flat action numbers and observation vectors: no offset is ever a bare number.

A layout is made once from blocks. Kernels use ``layout.starts``, a namedtuple of block starts that Numba takes as
constants (``A.take + card``); people get the block, the index in it and its label back from a flat number.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from . import markdown
from .errors import BadGame

Axis = int | Sequence[str] | type[IntEnum]


@dataclass(frozen=True)
class Block:
    """A run of consecutive numbers with one meaning.

    Args:
        name: a Python identifier, unique in its layout.
        axes: what each number of the block stands for: a length, the labels themselves, or an IntEnum; several axes
            are laid out in C order, and no axis at all makes a block of one.
        doc: one sentence for people.
        low, high: observation blocks only: smallest and largest value that `observe` writes, in natural units.
        unit: observation blocks only: the engine divides by it, so that networks see numbers of about one.
    """

    name: str
    axes: tuple[Axis, ...] = ()
    doc: str = ""
    low: float = 0.0
    high: float = 1.0
    unit: float = 1.0

    @cached_property
    def labels(self) -> tuple[tuple[str, ...], ...]:
        """Labels of each axis."""
        return tuple(_labels(axis) for axis in self.axes)

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """Length of each axis."""
        return tuple(len(labels) for labels in self.labels)

    @cached_property
    def size(self) -> int:
        """How many flat numbers the block takes."""
        return prod(self.shape)


def block(
    name: str, *axes: Axis, doc: str = "", low: float = 0.0, high: float = 1.0, unit: float = 1.0
) -> Block:
    """A `Block`, with its axes written one after the other."""
    return Block(name, axes, doc, low, high, unit)


class Layout:
    """Blocks one after the other, from flat number 0 on.

    Attributes:
        blocks: the blocks in order.
        size: length of the whole.
        starts: namedtuple of the first flat number of each block.

    Raises:
        BadGame: two blocks of one name.
    """

    def __init__(self, *blocks: Block) -> None:
        names = [b.name for b in blocks]
        if len(set(names)) != len(names):
            raise BadGame(f"layout blocks need names of their own, got {names}")
        self.blocks = blocks
        offsets = np.cumsum([0, *(b.size for b in blocks)]).tolist()
        self.size: int = offsets[-1]
        self.starts: Any = namedtuple("Starts", names)(*offsets[:-1])  # noqa: PYI024 - the fields are data
        self._block_of = [k for k, b in enumerate(blocks) for _ in range(b.size)]

    def locate(self, number: int) -> tuple[Block, tuple[int, ...]]:
        """The block that holds flat number `number`, and the index in it (empty for a block of one).

        Raises:
            IndexError: `number` is outside the layout.
        """
        if not 0 <= number < self.size:
            raise IndexError(f"number {number} is outside this layout, which runs from 0 to {self.size - 1}")
        found = self.blocks[self._block_of[number]]
        inner, index = int(number) - self.starts[self._block_of[number]], []
        for length in reversed(found.shape):
            inner, last = divmod(inner, length)
            index.append(last)
        return found, tuple(reversed(index))

    def name(self, number: int) -> str:
        """A name without context, such as ``take[FAMILY]``."""
        found, index = self.locate(number)
        return found.name + "".join(f"[{labels[i]}]" for labels, i in zip(found.labels, index, strict=True))

    def slices(self) -> dict[str, slice]:
        """Where each block lies in the flat vector."""
        return {
            b.name: slice(start, start + b.size) for b, start in zip(self.blocks, self.starts, strict=True)
        }

    def unpack(self, vector: np.ndarray) -> dict[str, np.ndarray]:
        """A flat vector as named arrays of each block's shape (views)."""
        return {
            b.name: vector[part].reshape(b.shape)
            for b, part in zip(self.blocks, self.slices().values(), strict=True)
        }

    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest value of each number after scaling: float32 arrays of length `size`."""
        low = [np.full(b.size, np.float32(b.low) * np.float32(1 / b.unit), np.float32) for b in self.blocks]
        high = [np.full(b.size, np.float32(b.high) * np.float32(1 / b.unit), np.float32) for b in self.blocks]
        return np.concatenate(low), np.concatenate(high)

    def scale(self) -> np.ndarray:
        """What the engine multiplies each observed number by: float32 array of length `size`."""
        return np.concatenate([np.full(b.size, 1 / b.unit, np.float32) for b in self.blocks])

    def scaled(self, gap: int = 32) -> np.ndarray:
        """Where `scale` is not 1: first and last + 1 of each run, uint64 (runs, 2).

        Runs less than `gap` apart are one: short ones cost more than they save.
        """
        runs: list[list[int]] = []
        for b, start in zip(self.blocks, self.starts, strict=True):
            if b.unit != 1 and runs and start - runs[-1][1] < gap:
                runs[-1][1] = start + b.size
            elif b.unit != 1:
                runs.append([start, start + b.size])
        return np.array(runs, np.uint64).reshape(-1, 2)

    def table(self) -> str:
        """The layout as a Markdown table."""
        rows = []
        for b, start in zip(self.blocks, self.starts, strict=True):
            numbers = f"{start}" if b.size == 1 else f"{start}-{start + b.size - 1}"
            index = " x ".join(_axis_text(labels) for labels in b.labels)
            rows.append([numbers, f"`{b.name}`", index, b.doc])
        return markdown.table(["numbers", "block", "index", "meaning"], rows)


def _labels(axis: Axis) -> tuple[str, ...]:
    if isinstance(axis, int):
        return tuple(str(i) for i in range(axis))
    if isinstance(axis, type):
        return tuple(member.name for member in sorted(axis))
    return tuple(axis)


def _axis_text(labels: tuple[str, ...]) -> str:
    if labels == tuple(str(i) for i in range(len(labels))):
        return str(len(labels))
    return ", ".join(label.lower().replace("_", " ") for label in labels)
