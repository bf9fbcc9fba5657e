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
    LINES,
    MARGIN,
    MOST_DISTANCE,
    NEAR,
    NONE,
    RIGHT,
    ROWS,
    SEEN_FROM_A_SEAT,
    SIZES,
    SLOTS,
    SPAN,
    SPOT_CELLS,
    SPOTS,
    TERRAIN,
    WIDE,
)

STEP = np.array([WIDE, 1, -WIDE, -1], np.int64)  # by Direction
OPPOSITE = 2  # added to a direction
WAYS = len(SEEN_FROM_A_SEAT)

# Lanes are the cells in a straight line from a cell, as a seat sees them, by way, then by distance; sets of them are
# bits of a number, so that what lies around a unit is found without a look at each of them.
TO_SPOT = np.array([ahead * WIDE + right for ahead, right in SPOT_CELLS], np.int64)
NEARBY = np.array(NEAR, np.int64)
MIDDLE = SPOTS  # the bit of a window (see state.SPAN) that is the cell it lies around
ALL_SPOTS = (1 << SPOTS) - 1

# Strips are the rows and columns of the field, each a number with a bit for each of its cells.
ROW_OF, COLUMN_OF = (np.maximum(line - 1, 0) for line in np.divmod(np.arange(BOARD), WIDE))
WINDOW = (1 << SPAN) - 1  # the bits of a strip around a cell


def _terrain() -> np.ndarray:
    """The bits of `taken` where no cell of the field is: uint16 (field, row)."""
    terrain = np.zeros((len(SIZES), LINES + 2 * MARGIN), np.uint16)
    for size, (rows, columns) in enumerate(zip(ROWS.tolist(), COLUMNS.tolist(), strict=True)):
        terrain[size] = (1 << (LINES + 2 * MARGIN)) - 1
        terrain[size, MARGIN : MARGIN + rows] -= np.uint16(((1 << columns) - 1) << MARGIN)
    return terrain


def _lanes_in() -> np.ndarray:
    """Lanes of a cell, as a seat sees them, in a window of its row or column: int16 (seat, row or column, window)."""
    lanes = np.zeros((2, 2, WINDOW + 1), np.int16)
    for seat, axis, window, way in np.ndindex(2, 2, WINDOW + 1, WAYS):
        along = 1 if (way in (AHEAD, RIGHT)) == (seat == 0) else -1
        for distance in range(1, MOST_DISTANCE + 1):
            if axis == (way in (AHEAD, BACK)) and (window >> (MOST_DISTANCE + along * distance)) & 1:
                lanes[seat, axis, window] |= 1 << (way * MOST_DISTANCE + distance - 1)
    return lanes


def _arcs() -> np.ndarray:
    """Lanes that a unit strikes, as its army sees them, by where it looks (0 ahead, 1 back): int16 (facing, kind)."""
    arcs = np.zeros((2, len(RANGE)), np.int16)
    for facing, kind, way in np.ndindex(2, len(RANGE), WAYS):
        if way != (OPPOSITE + OPPOSITE * facing) & 3:
            arcs[facing, kind] |= ((1 << RANGE[kind]) - 1) << (way * MOST_DISTANCE)
    return arcs


TERRAIN_ROWS = _terrain()
LANES_IN = _lanes_in()
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
def around(s, seat, army, cell):
    """Lanes of a cell, as `seat` sees them, that units of an army hold."""
    row, column = ROW_OF[cell], COLUMN_OF[cell]
    across = (s.strips[army, 0, row] >> column) & WINDOW
    ahead = (s.strips[army, 1, column] >> row) & WINDOW
    return LANES_IN[seat, 0, across] | LANES_IN[seat, 1, ahead]


@kernel
def window(rows, cell):
    """The cells around a cell as SPAN x SPAN bits, from sets of cells by row as in `taken`."""
    row, column = ROW_OF[cell], COLUMN_OF[cell]
    bits = np.int64(0)
    for k in range(SPAN):
        bits |= ((np.int64(rows[row + k]) >> column) & WINDOW) << (SPAN * k)
    return bits


@kernel
def walk(s, cell, spaces):
    """Where a walk over free cells gets to, forward, backward and to the sides, as a window (Movement).

    Nobody passes through units or terrain. A walk of so many spaces never leaves the window, nor comes from the end of
    one of its rows to the start of the next.
    """
    free = ~window(s.taken, cell)
    reached = np.int64(1) << MIDDLE
    for _ in range(spaces):
        reached |= (reached << SPAN | reached >> SPAN | reached << 1 | reached >> 1) & free
    return reached


@kernel
def walk_of(s, seat, slot):
    """Where a unit may walk, as a window."""
    return walk(s, s.cell[seat, slot], MOVEMENT[s.kind[seat, slot]])


@kernel
def spots_in(walked):
    """Spots, as seat 0 sees them, of a window that holds nothing else."""
    return (walked | walked >> (SPOTS + 1)) & ALL_SPOTS


@kernel
def spot_seen_from(seat, spot):
    """A spot as `seat` sees it, and the other way round: turned by half, the numbers run backward."""
    return spot if seat == 0 else SPOTS - 1 - spot


@kernel
def spot_cell(seat, cell, spot):
    """The cell on a spot, as `seat` sees it, of another cell."""
    return cell + TO_SPOT[spot] if seat == 0 else cell - TO_SPOT[spot]


@kernel
def has_target(s, seat, slot):
    """Whether a unit can attack somebody: `target`, asked on all lanes at once."""
    return around(s, seat, 1 - seat, s.cell[seat, slot]) & ARC[s.facing[seat, slot], s.kind[seat, slot]] != 0


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
    row, column = ROW_OF[cell], COLUMN_OF[cell]
    s.cell[seat, slot] = cell
    s.board[cell] = seat * SLOTS + slot
    s.strips[seat, 0, row] |= 1 << (MARGIN + column)
    s.strips[seat, 1, column] |= 1 << (MARGIN + row)
    s.taken[MARGIN + row] |= 1 << (MARGIN + column)


@kernel
def leave(s, seat, cell):
    """An army's unit leaves its cell."""
    row, column = ROW_OF[cell], COLUMN_OF[cell]
    s.board[cell] = FREE
    s.strips[seat, 0, row] &= ~(1 << (MARGIN + column))
    s.strips[seat, 1, column] &= ~(1 << (MARGIN + row))
    s.taken[MARGIN + row] &= ~(1 << (MARGIN + column))


@kernel
def lift(s, seat, slot):
    """A unit leaves the field."""
    leave(s, seat, s.cell[seat, slot])
    s.cell[seat, slot] = NONE


@kernel
def carry(s, seat, slot, cell):
    """A unit goes to a free cell."""
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
            leave(s, seat, s.cell[seat, slot])
    for slot in range(SLOTS):
        if (bits >> slot) & 1:
            put(s, seat, slot, s.cell[seat, slot] + spaces * STEP[direction])
    return bits
