"""The field: cells, directions as each seat sees them, what stands where."""

from __future__ import annotations

import numpy as np

from ..engine.compile import kernel
from .components import MOVEMENT, RANGE
from .state import (
    AHEAD,
    BACK,
    BOARD,
    COLUMNS,
    FREE,
    MOST_DISTANCE,
    MOST_REACH,
    NONE,
    RIGHT,
    ROWS,
    SEEN_FROM_A_SEAT,
    SLOTS,
    TERRAIN,
    WIDE,
)

STEP = np.array([WIDE, 1, -WIDE, -1], np.int64)  # by Direction
OPPOSITE = 2  # added to a direction
WAYS = len(SEEN_FROM_A_SEAT)

# Spots are the cells in a straight line from a cell, as a seat sees them, numbered as moves are: by way, then by
# distance. Sets of spots are bits of a number, so that what lies around a unit is found without a look at each of them.
SPOTS = WAYS * MOST_DISTANCE
NEXT_SPOTS = sum(1 << (way * MOST_DISTANCE) for way in range(WAYS))  # the spots at distance one
STAY = SPOTS  # the cell itself
TO_SPOT = np.array([*(step * (k + 1) for step in STEP for k in range(MOST_DISTANCE)), 0], np.int64)
_SETS = 1 << len(TO_SPOT)
FIRST_SPOT = np.array([max(0, (spots & -spots).bit_length() - 1) for spots in range(_SETS)], np.int16)

# Strips are the rows and columns of the field, as a seat sees them, each a number with a bit for each of its cells.
FREE_CELLS, FRIENDS, ENEMIES, NEAR_ENEMIES = range(4)
MARGIN = MOST_DISTANCE  # bits below a strip's first cell, and strips before the first one
STRIPS = 16  # a power of two that holds the largest field and its margins
ROW_OF, COLUMN_OF = (np.maximum(line - 1, 0).astype(np.int16) for line in np.divmod(np.arange(BOARD), WIDE))
WINDOW = (1 << (2 * MOST_DISTANCE + 1)) - 1  # the bits of a strip around a cell


def _field_strips() -> np.ndarray:
    """The cells of each field as strips: (field, row or column, strip)."""
    strips = np.zeros((len(ROWS), 2, STRIPS), np.int32)
    for field, (rows, columns) in enumerate(zip(ROWS.tolist(), COLUMNS.tolist(), strict=True)):
        for axis, (count, cells) in enumerate(((rows, columns), (columns, rows))):
            strips[field, axis, MARGIN : MARGIN + count] = ((1 << cells) - 1) << MARGIN
    return strips


def _spots_in() -> np.ndarray:
    """Spots of a cell that a window of its row or its column holds: int16 (row or column, window)."""
    spots = np.zeros((2, WINDOW + 1), np.int16)
    for axis, window, way in np.ndindex(2, WINDOW + 1, WAYS):
        along = 1 if way in (AHEAD, RIGHT) else -1
        for distance in range(1, MOST_DISTANCE + 1):
            if axis == (way in (AHEAD, BACK)) and (window >> (MOST_DISTANCE + along * distance)) & 1:
                spots[axis, window] |= 1 << (way * MOST_DISTANCE + distance - 1)
    return spots


def _arcs() -> np.ndarray:
    """Spots that a unit strikes, as its army sees them, by where it looks (0 ahead, 1 back): int16 (facing, kind)."""
    arcs = np.zeros((2, len(RANGE)), np.int16)
    for facing, kind, way in np.ndindex(2, len(RANGE), WAYS):
        if way != (OPPOSITE + OPPOSITE * facing) & 3:
            arcs[facing, kind] |= ((1 << RANGE[kind]) - 1) << (way * MOST_DISTANCE)
    return arcs


FIELD_STRIPS = _field_strips()
SPOTS_IN = _spots_in()
ARC = _arcs()


@kernel
def seen_from(seat, direction):
    """A compass direction as `seat` sees it, and the other way round: seat 1 looks south."""
    return (direction + OPPOSITE * seat) & 3


@kernel
def cell_seen_from(s, seat, cell):
    """A cell as `seat` sees it, from its own back left corner, and the other way round."""
    corner, turn = view(s, seat)
    return corner + turn * cell


@kernel
def view(s, seat):
    """What makes a cell the one that `seat` sees: it is `corner + turn * cell`."""
    if seat == 0:
        return 0, 1
    return (ROWS[s.field] + 1) * WIDE + COLUMNS[s.field] + 1, -1


@kernel
def facing_of(s, seat, slot):
    """The direction that a unit looks in."""
    return (OPPOSITE * (seat + s.facing[seat, slot])) & 3


@kernel
def side_hit(s, seat, slot, direction):
    """The Side of a unit on which an attack comes in that goes in `direction` (Defence Strength)."""
    return (direction + OPPOSITE - facing_of(s, seat, slot)) & 3


@kernel
def may_strike(s, seat, slot, direction):
    """Forward and to the sides, never backward (Attack)."""
    return (direction - facing_of(s, seat, slot)) & 3 != OPPOSITE


@kernel
def belongs(unit, seat):
    """Whether what a cell holds is a unit of `seat`."""
    return (unit >= 0) & ((unit >= SLOTS) == (seat == 1))


@kernel
def enemy_on(s, seat, cell):
    """Slot of the enemy of `seat` on a cell, or NONE."""
    unit = s.board[cell]
    return unit - (1 - seat) * SLOTS if belongs(unit, 1 - seat) else NONE


@kernel
def friend_on(s, seat, cell):
    """Slot of the unit of `seat` on a cell, or NONE."""
    unit = s.board[cell]
    return unit - seat * SLOTS if belongs(unit, seat) else NONE


@kernel
def target(s, seat, slot, direction, reach):
    """Slot of the enemy that a unit can attack in this direction at this distance, or NONE (Ranged Targets).

    A range of two shoots over friend and foe.
    """
    if reach > RANGE[s.kind[seat, slot]] or not may_strike(s, seat, slot, direction):
        return NONE
    cell = s.cell[seat, slot] + STEP[direction]
    if reach == 1:
        return enemy_on(s, seat, cell)
    return NONE if s.board[cell] == TERRAIN else enemy_on(s, seat, cell + STEP[direction])


@kernel
def arc_of(s, seat, slot):
    """Spots that a unit strikes, as its own seat sees them: forward and to the sides, never backward (Attack)."""
    return ARC[s.facing[seat, slot], s.kind[seat, slot]]


@kernel
def strips_of(s, seat):
    """The strips of the field as `seat` sees them: int32 (FREE_CELLS and so on, row or column, strip)."""
    strips = np.zeros((NEAR_ENEMIES + 1, 2, STRIPS), np.int32)
    corner, turn = view(s, seat)
    for side in range(2):
        owner = seat if side == 0 else 1 - seat
        for slot in range(SLOTS):
            cell = s.cell[owner, slot]
            if cell >= 0:
                mark(strips, FRIENDS + side, corner + turn * cell)
    mark_free_cells(s, strips)
    return strips


@kernel
def mark(strips, which, cell):
    """A cell comes to FRIENDS or ENEMIES."""
    row, column = MARGIN + ROW_OF[cell], MARGIN + COLUMN_OF[cell]
    strips[which, 0, row] |= 1 << column
    strips[which, 1, column] |= 1 << row


@kernel
def mark_free_cells(s, strips):
    """FREE_CELLS are those of the field without a unit."""
    for axis in range(2):
        for k in range(STRIPS):
            units = strips[FRIENDS, axis, k] | strips[ENEMIES, axis, k]
            strips[FREE_CELLS, axis, k] = FIELD_STRIPS[s.field, axis, k] & ~units


@kernel
def mark_near_enemies(strips):
    """NEAR_ENEMIES are the cells that have an enemy ahead, right, back or left of them within the longest reach."""
    for axis in range(2):
        for k in range(MARGIN, STRIPS - MARGIN):
            enemies, near = strips[ENEMIES, axis, k], 0
            for reach in range(1, MOST_REACH + 1):
                near |= enemies << reach | enemies >> reach
                near |= strips[ENEMIES, axis, k - reach] | strips[ENEMIES, axis, k + reach]
            strips[NEAR_ENEMIES, axis, k] = near


@kernel
def around(strips, which, cell):
    """Spots of a cell that are FREE_CELLS, FRIENDS or others; the cell is given as the strips' seat sees it."""
    row, column = ROW_OF[cell], COLUMN_OF[cell]
    across = (strips[which, 0, MARGIN + row] >> column) & WINDOW
    ahead = (strips[which, 1, MARGIN + column] >> row) & WINDOW
    return SPOTS_IN[0, across] | SPOTS_IN[1, ahead]


@kernel
def within(free, speed):
    """Spots that a unit gets to over free ones: nobody passes through units or terrain (Movement)."""
    reached, front = 0, free & NEXT_SPOTS
    for distance in range(MOST_DISTANCE):
        if distance < speed:
            reached |= front
        front = free & (front << 1)
    return reached


@kernel
def has_target(s, seat, slot):
    """Whether a unit can attack somebody: `target`, asked in all directions at once."""
    cell, facing, enemy = s.cell[seat, slot], facing_of(s, seat, slot), 1 - seat
    far = RANGE[s.kind[seat, slot]] > 1
    found = False
    for side in range(-1, 2):  # its left, ahead, its right
        step = STEP[(facing + side) & 3]
        found |= belongs(s.board[cell + step], enemy)
        if far:
            found |= (s.board[cell + step] != TERRAIN) and belongs(s.board[cell + 2 * step], enemy)
    return found


@kernel
def on_field(s, seat):
    """Units of an army that stand on the field."""
    count = 0
    for slot in range(SLOTS):
        count += s.cell[seat, slot] >= 0
    return count


@kernel
def put(s, seat, slot, cell):
    """A unit stands on a free cell."""
    s.cell[seat, slot] = cell
    s.board[cell] = seat * SLOTS + slot


@kernel
def lift(s, seat, slot):
    """A unit leaves its cell."""
    s.board[s.cell[seat, slot]] = FREE
    s.cell[seat, slot] = NONE


@kernel
def shift(s, seat, slot, direction, spaces):
    """A unit goes straight to a free cell."""
    cell = s.cell[seat, slot] + spaces * STEP[direction]
    lift(s, seat, slot)
    put(s, seat, slot, cell)


@kernel
def room(s, cell, direction, most):
    """Free cells in a direction, `most` at most: nobody passes through units or terrain (Movement)."""
    spaces = 0
    while spaces < most and s.board[cell + (spaces + 1) * STEP[direction]] == FREE:
        spaces += 1
    return spaces


# -- lines of adjacent units (Adjacent Actions) ------------------------------------------------------------------------


@kernel
def run(s, seat, slot, direction):
    """Bit k: the unit in slot k stands in the unbroken line of friends from a unit on in a direction, itself apart."""
    bits = 0
    cell = s.cell[seat, slot] + STEP[direction]
    friend = friend_on(s, seat, cell)
    while friend != NONE:
        bits |= 1 << friend
        cell += STEP[direction]
        friend = friend_on(s, seat, cell)
    return bits


@kernel
def line_speed(s, seat, first, direction, length):
    """If adjacent cards have different movement, they all perform the lowest."""
    cell, speed = s.cell[seat, first], MOVEMENT[s.kind[seat, first]]
    for _ in range(length - 1):
        cell += STEP[direction]
        speed = min(speed, MOVEMENT[s.kind[seat, friend_on(s, seat, cell)]])
    return speed


@kernel
def line_room(s, seat, first, along, length, direction, most):
    """Spaces that a line can go in a direction as a block: it stands from unit `first` on in the direction `along`."""
    cell = s.cell[seat, first]
    if direction == along:
        return room(s, cell + (length - 1) * STEP[along], direction, most)
    if (direction + OPPOSITE) & 3 == along:
        return room(s, cell, direction, most)
    for _ in range(length):
        most = min(most, room(s, cell, direction, most))
        cell += STEP[along]
    return most


@kernel
def line_may_go(s, seat, first, along, length):
    """Whether a line of so many units can go anywhere, or could if it grew."""
    cell, step = s.cell[seat, first], STEP[along]
    if s.board[cell - step] == FREE:
        return True
    for side in (1, 3):
        if line_room(s, seat, first, along, length, (along + side) & 3, 1) > 0:
            return True
    while belongs(s.board[cell], seat):
        cell += step
    return s.board[cell] == FREE


@kernel
def shift_line(s, seat, first, along, length, direction, spaces):
    """The line moves as a block; nobody has to wait for a cell that another leaves. Returns its members' bits."""
    cell, bits = s.cell[seat, first], 0
    for _ in range(length):
        slot = friend_on(s, seat, cell)
        bits |= 1 << slot
        cell += STEP[along]
    for slot in range(SLOTS):
        if (bits >> slot) & 1:
            s.board[s.cell[seat, slot]] = FREE
    for slot in range(SLOTS):
        if (bits >> slot) & 1:
            put(s, seat, slot, s.cell[seat, slot] + spaces * STEP[direction])
    return bits
