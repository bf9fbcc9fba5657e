"""The fields of a table: what each holds, in which range, and who may see it.

From these declarations come the dtype of a table, the ranges that a loaded position is held to, the table of fields in
the docs, and what a central critic sees of a whole table (`state_space`, `state_vector`). The conformance suite turns
`sees` around: it changes a field and looks who notices.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import prod
from typing import Any

import gymnasium
import numpy as np

from .errors import BadGame

MAX_SEATS = 6
PUBLIC = MAX_SEATS  # as a seat to look from: nobody's, who sees what lies open to all
_LEVELS = 1 << 24  # whole numbers up to here are all different as float32


class Sees(StrEnum):
    """Who may see what a field holds."""

    ALL = "all"  # it lies open
    OWNER = "owner"  # the seat that the first axis counts, nobody else
    LOOKED = "looked"  # seats that have looked, as another field tells
    NOBODY = "nobody"


ALL, OWNER, LOOKED, NOBODY = Sees


@dataclass(frozen=True)
class Field:
    """A field of a table.

    Args:
        name: a Python identifier.
        kind: an integer type, or np.bool_ where there is no shape (Numba knows no array of bools in a record).
        shape: as in a NumPy structured dtype.
        sees: who may see it.
        low, high: smallest and largest number that it may hold, both included; None for the type's own limit.
        bits: the number is a set of so many things, bit k for the k-th.
        unit: `state_vector` divides by it; None for the larger of -low and high.
        unseen: why observations leave it out, or some of it, though it may be seen.
        doc: what it means, with its unit.

    Raises:
        BadGame: the declaration contradicts itself.
    """

    name: str
    kind: Any
    shape: int | tuple[int, ...] = ()
    sees: Sees = ALL
    low: int | None = None
    high: int | None = None
    bits: int = 0
    unit: float | None = None
    unseen: str = ""
    doc: str = ""

    def __post_init__(self) -> None:
        dtype = np.dtype(self.kind)
        if dtype.kind not in ("iu" if self.axes else "iub"):
            raise BadGame(f"state field {self.name!r} is {dtype}: use integers, or a single bool")
        least, most = (0, 1) if dtype.kind == "b" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
        if not 0 <= self.bits <= 8 * dtype.itemsize:
            raise BadGame(
                f"state field {self.name!r} has {self.bits} bits: {dtype} holds {8 * dtype.itemsize}"
            )
        low, high = self.range
        if not least <= low <= high <= most:
            raise BadGame(
                f"state field {self.name!r} runs from {low} to {high}: {dtype} holds {least} to {most}"
            )
        if self.sees == OWNER and not self.axes:
            raise BadGame(f"state field {self.name!r} has no axis of seats, so no seat is its owner")

    @property
    def axes(self) -> tuple[int, ...]:
        """`shape` as a tuple."""
        return (self.shape,) if isinstance(self.shape, int) else tuple(self.shape)

    @property
    def size(self) -> int:
        """How many numbers it holds."""
        return prod(self.axes)

    @property
    def range(self) -> tuple[int, int]:
        """Smallest and largest number that it may hold."""
        dtype = np.dtype(self.kind)
        if dtype.kind == "b":
            return 0, 1
        limits = np.iinfo(dtype)
        low = 0 if self.bits and self.low is None else self.low
        high = (1 << self.bits) - 1 if self.bits and self.high is None else self.high
        return int(limits.min if low is None else low), int(limits.max if high is None else high)

    @property
    def vast(self) -> bool:
        """It holds more different numbers than float32 can tell apart."""
        low, high = self.range
        return not self.bits and high - low >= 2 * _LEVELS

    @property
    def scale(self) -> float:
        """What `state_vector` divides by."""
        low, high = self.range
        return float(self.unit or max(-low, high, 1))


#: What the engine reads and writes in every table, before the rulebook's own fields.
HEADER = (
    Field("rng", np.uint64, sees=NOBODY, doc="State of the random numbers, see chance.py"),
    Field(
        "decisions", np.int32, low=0, high=_LEVELS - 1, unit=1000,
        doc="Decisions that seats have been asked for so far", unseen="it only counts towards the limit",
    ),
    Field("num_players", np.int8, low=2, high=MAX_SEATS, doc="Seats at this table"),
    Field("seat", np.int8, low=0, high=MAX_SEATS - 1, doc="The seat whose decision is awaited"),
    Field("finished", np.bool_, doc="The game has ended by its rules", unseen="nobody is asked any more"),
    Field(
        "eliminated", np.int8, MAX_SEATS, low=0, high=MAX_SEATS,
        doc="0 while the seat is in play, else the place that it keeps, having been knocked out",
    ),
)  # fmt: skip


def table_dtype(*fields: Field) -> np.dtype[Any]:
    """The dtype of a table: the engine's header, then the rulebook's fields, packed.

    Raises:
        BadGame: two fields of one name.
    """
    names = [field.name for field in (*HEADER, *fields)]
    if len(set(names)) != len(names):
        raise BadGame(f"state fields need names of their own, got {names}")
    return np.dtype([(field.name, field.kind, field.axes) for field in (*HEADER, *fields)])


def state_space(fields: Iterable[Field]) -> gymnasium.spaces.Box:
    """Box of `state_vector`: float32."""
    low, high = [], []
    for field in fields:
        least, most = (0.0, 1.0) if field.bits else (end / field.scale for end in field.range)
        size = field.size * max(field.bits, 1)
        low.append(np.full(size, least, np.float32))
        high.append(np.full(size, most, np.float32))
    return gymnasium.spaces.Box(np.concatenate(low), np.concatenate(high), dtype=np.float32)


def state_vector(fields: Sequence[Field], states: np.ndarray) -> np.ndarray:
    """The first table of `states` as float32: fields in order, sets as a 0 or 1 for each thing, numbers scaled."""
    return np.concatenate([_numbers(field, np.asarray(states[field.name][0])) for field in fields])


def _numbers(field: Field, value: np.ndarray) -> np.ndarray:
    if field.bits:
        places = np.arange(field.bits, dtype=np.uint64)
        planes = (value.reshape(-1, 1).astype(np.uint64) >> places) & np.uint64(1)
        return planes.reshape(-1).astype(np.float32)
    return (value.reshape(-1) / field.scale).astype(np.float32)


def fields_table(fields: Iterable[Field]) -> list[list[str]]:
    """Rows for the docs: name, numbers, range, who sees it, meaning."""
    rows = []
    for field in fields:
        low, high = field.range
        held = (
            f"set of {field.bits}"
            if field.bits
            else "yes or no"
            if np.dtype(field.kind) == np.bool_
            else f"{low} to {high}"
        )
        meaning = field.doc + (f" (not observed: {field.unseen})" if field.unseen else "")
        rows.append(
            [f"`{field.name}`", " x ".join(map(str, field.axes)) or "1", held, str(field.sees), meaning]
        )
    return rows
