"""The field: cells, directions as each seat sees them, what stands where."""

from __future__ import annotations

import numpy as np

from ..engine.compile import kernel
from .components import MOVEMENT, RANGE
from .state import COLUMNS, FREE, NONE, ROWS, SLOTS, TERRAIN, WIDE

STEP = np.array([WIDE, 1, -WIDE, -1], np.int64)  # by Direction
OPPOSITE = 2  # added to a direction


@kernel
def seen_from(seat, direction):
    """A compass direction as `seat` sees it, and the other way round: seat 1 looks south."""
    return (direction + OPPOSITE * seat) & 3


@kernel
def cell_seen_from(s, seat, cell):
    """A cell as `seat` sees it, from its own back left corner, and the other way round."""
    if seat == 0:
        return cell
    return (ROWS[s.field] + 1) * WIDE + COLUMNS[s.field] + 1 - cell


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
