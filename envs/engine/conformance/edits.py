"""Edits of positions, and the ranges that numbers of a table must keep, for runs that play on from what is accepted.

Whatever is edited stays in its declared range. Where `load` refuses a table and says what one number must be ("is 3,
must be 4"), that number is mended and the table tried again: so an edit that moves a card takes along what counts it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import position
from ..compile import copied
from ..errors import BadPosition
from ..fields import Field
from ..game import Game

MOST_TRIES = 40  # edits that are tried on one table
MOST_MENDED = 4  # numbers after one edit
MOST_REMEMBERED = 60  # edits that were accepted
_MUST_BE = re.compile(
    r"state\.(?P<name>\w+)(?P<at>\[[\d, \]\[]+\])? is -?\d+.* must be (?:at most |at least )?(?P<right>-?\d+)\b"
)

Edit = tuple[Callable[..., None], Field, Field]


class Editor:
    """Edits of tables of one rulebook.

    Args:
        game: the rulebook.
        rng: of all choices.
    """

    def __init__(self, game: Game, rng: np.random.Generator) -> None:
        self.game, self._rng = game, rng
        fixed = {"rng", "num_players", "decisions", *(option.name for option in game.options)}
        self._fields = [field for field in game.all_fields if field.name not in fixed]
        self._arrays = [field for field in self._fields if field.size > 1]
        self._ranges = Ranges(game)
        self._ways = (
            bump, bump, to_an_extreme, take_over, take_row_over, take_field_over, swap, swap, swap_rows, move, move,
            move_across, move_across, swap_across,
        )  # fmt: skip
        self._named = {field.name: field for field in self._fields}
        self._fruitful: list[Edit] = []

    def edit(self, states: np.ndarray, others: np.ndarray) -> np.ndarray:
        """A copy of the one table of `states` with all the edits that `load` accepted, one after the other."""
        kept = copied(states)
        for _ in range(int(self._rng.integers(1, MOST_TRIES))):
            tried = copied(kept)
            view = tried.view(np.ndarray)[0]
            other = others.view(np.ndarray)[self._rng.integers(len(others))]
            edits = [self._draw() for _ in range(int(self._rng.integers(1, 4)))]
            for way, one, two in edits:
                way(self._rng, view, other, one, two)
            if tried.tobytes() != kept.tobytes() and self._accepted_in_the_end(tried):
                kept = tried
                self._remember(edits)
        return kept

    def _accepted_in_the_end(self, tried: np.ndarray) -> bool:
        """Whether `load` takes this table when a few numbers are made what it says that they must be."""
        refused = self._refused(tried)
        for _ in range(MOST_MENDED):
            if not refused or not self._mend(tried, refused):
                break
            refused = self._refused(tried)
        return not refused

    def _mend(self, tried: np.ndarray, refused: str) -> bool:
        """Put in place the number that a refusal asks for; returns whether it names one."""
        found = _MUST_BE.search(refused)
        field = self._named.get(found["name"]) if found else None
        if not found or not field:
            return False
        at = tuple(int(k) for k in re.findall(r"\d+", found["at"] or ""))
        if len(at) != len(field.axes) or not all(
            k < length for k, length in zip(at, field.axes, strict=True)
        ):
            return False
        before = tried.tobytes()
        put(tried.view(np.ndarray)[0], field, at, int(found["right"]))
        return tried.tobytes() != before

    def _draw(self) -> Edit:
        """A way with fields; in half the cases one that was accepted before."""
        if self._fruitful and self._rng.random() < 0.5:
            return self._fruitful[self._rng.integers(len(self._fruitful))]
        way = self._ways[self._rng.integers(len(self._ways))]
        fields = self._arrays if way in (swap, swap_rows, take_row_over, move) else self._fields
        one, two = (fields[self._rng.integers(len(fields))] for _ in range(2))
        return way, one, two

    def _remember(self, edits: list[Edit]) -> None:
        self._fruitful += [edit for edit in edits if edit not in self._fruitful]
        if len(self._fruitful) > MOST_REMEMBERED:
            del self._fruitful[self._rng.integers(len(self._fruitful))]

    def _refused(self, states: np.ndarray) -> str:
        """Why `load` does not take this table, "" if it does; anything but a refusal is raised."""
        outside = self._ranges.outside(states)
        if outside:
            return outside
        try:
            position._check(self.game, states)
        except BadPosition as error:
            return str(error)
        return ""


def _cell(rng: np.random.Generator, field: Field) -> tuple[int, ...]:
    return tuple(int(rng.integers(length)) for length in field.axes)


def put(s: Any, field: Field, at: tuple[int, ...], value: int) -> None:
    """Set one number, if it may be that."""
    low, high = field.range
    if low <= value <= high:
        if at:
            s[field.name][at] = value
        else:
            s[field.name] = value


def number_at(s: Any, field: Field, at: tuple[int, ...]) -> int:
    """One number of a table."""
    return int(s[field.name][at] if at else s[field.name])


def bump(rng: np.random.Generator, s: Any, other: Any, one: Field, two: Field) -> None:
    """A number goes up or down a little; a thing is put into a set or taken out."""
    at = _cell(rng, one)
    here = number_at(s, one, at)
    if one.bits and rng.random() < 0.8:
        put(s, one, at, here ^ (1 << int(rng.integers(one.bits))))
    else:
        put(s, one, at, here + int(rng.choice((-3, -2, -1, -1, -1, 1, 1, 1, 2, 3))))


def to_an_extreme(rng: np.random.Generator, s: Any, other: Any, one: Field, two: Field) -> None:
    """The smallest or largest number there may be."""
    put(s, one, _cell(rng, one), one.range[int(rng.integers(2))])


def take_over(rng: np.random.Generator, s: Any, other: Any, one: Field, two: Field) -> None:
    """A number of another table."""
    at = _cell(rng, one)
    put(s, one, at, number_at(other, one, at))


def take_row_over(rng: np.random.Generator, s: Any, other: Any, one: Field, two: Field) -> None:
    """A row of another table."""
    row = int(rng.integers(one.axes[0]))
    s[one.name][row] = other[one.name][row]


def take_field_over(rng: np.random.Generator, s: Any, other: Any, one: Field, two: Field) -> None:
    """A field of another table."""
    s[one.name] = other[one.name]


def swap(rng: np.random.Generator, s: Any, other: Any, one: Field, two: Field) -> None:
    """Two numbers of a field change places."""
    _exchange(s, one, _cell(rng, one), one, _cell(rng, one))


def swap_rows(rng: np.random.Generator, s: Any, other: Any, one: Field, two: Field) -> None:
    """Two rows of a field change places."""
    a, b = rng.integers(one.axes[0], size=2)
    s[one.name][[a, b]] = s[one.name][[b, a]]


def swap_across(rng: np.random.Generator, s: Any, other: Any, one: Field, two: Field) -> None:
    """Two numbers of different fields change places."""
    _exchange(s, one, _cell(rng, one), two, _cell(rng, two))


def move(rng: np.random.Generator, s: Any, other: Any, one: Field, two: Field) -> None:
    """One more here and one less there, in a field."""
    _carry(rng, s, one, _cell(rng, one), one, _cell(rng, one))


def move_across(rng: np.random.Generator, s: Any, other: Any, one: Field, two: Field) -> None:
    """The same between two fields, of one kind of thing where both count the same kinds."""
    a, b = _cell(rng, one), _cell(rng, two)
    if one.axes and two.axes and one.axes[-1] == two.axes[-1]:
        b = (*b[:-1], a[-1])
    _carry(rng, s, one, a, two, b)


def _exchange(s: Any, one: Field, a: tuple[int, ...], two: Field, b: tuple[int, ...]) -> None:
    here, there = number_at(s, one, a), number_at(s, two, b)
    put(s, one, a, there)
    put(s, two, b, here)


def _carry(
    rng: np.random.Generator, s: Any, one: Field, a: tuple[int, ...], two: Field, b: tuple[int, ...]
) -> None:
    here = number_at(s, one, a)
    if one.bits and two.bits:
        bit = 1 << int(rng.integers(one.bits))
        if here & bit:
            put(s, one, a, here ^ bit)
            put(s, two, b, number_at(s, two, b) | bit)
        return
    put(s, one, a, here - 1)
    put(s, two, b, number_at(s, two, b) + 1)


class Ranges:
    """The declared ranges of all fields, held against many tables at once.

    Args:
        game: the rulebook.
    """

    def __init__(self, game: Game) -> None:
        self._groups = []
        places = {name: game.state.fields[name][1] for name in game.state.names or ()}  # type: ignore[index]
        kinds = {np.dtype(field.kind) for field in game.all_fields} - {np.dtype(np.uint64)}
        for kind in sorted(kinds, key=str):
            cells = [
                (field, k, places[field.name] + k * kind.itemsize)
                for field in game.all_fields
                if np.dtype(field.kind) == kind and field.range != _all_of(kind)
                for k in range(field.size)
            ]
            where = np.array([[at + byte for byte in range(kind.itemsize)] for _, _, at in cells], np.int64)
            low = np.array([field.range[0] for field, _, _ in cells], np.int64)
            high = np.array([field.range[1] for field, _, _ in cells], np.int64)
            self._groups.append((kind, where.reshape(-1), cells, low, high))

    def first_outside(self, states: np.ndarray) -> tuple[int, str] | None:
        """A table with a number outside its range, and which number, in words."""
        raw = np.frombuffer(states.tobytes(), np.uint8).reshape(len(states), -1)
        for kind, where, cells, low, high in self._groups:
            values = np.ascontiguousarray(raw[:, where]).view(kind)
            wrong = np.argwhere((values < low) | (values > high))
            if len(wrong):
                i, k = wrong[0]
                field, cell, _ = cells[k]
                at = "".join(f"[{n}]" for n in np.unravel_index(cell, field.axes)) if field.axes else ""
                low_end, high_end = field.range
                return int(
                    i
                ), f"state.{field.name}{at} is {values[i, k]}, declared from {low_end} to {high_end}"
        return None

    def outside(self, states: np.ndarray) -> str:
        """The first number of any table that is outside its range, in words; "" if there is none."""
        found = self.first_outside(states)
        return found[1] if found else ""


def _all_of(kind: np.dtype[Any]) -> tuple[int, int]:
    """Every number that the type holds; a bool may hold more than its two."""
    return (0, -1) if kind.kind == "b" else (int(np.iinfo(kind).min), int(np.iinfo(kind).max))


def differences(game: Game, before: np.ndarray, after: np.ndarray) -> list[str]:
    """What is different at two tables, a line a number."""
    lines = []
    for name in [name for name in game.state.names or () if name != "rng"]:
        old, new = (np.asarray(states.view(np.ndarray)[name][0]) for states in (before, after))
        for at in map(tuple, np.argwhere(old != new).tolist()) if old.ndim else [()] * int(old != new):
            where = "".join(f"[{k}]" for k in at)
            lines.append(f"state.{name}{where}: {old[at]} -> {new[at]}")
    return lines
