"""What must hold at every table of Ages of War: each card is somewhere, exactly once, and each unit on its cell."""

from __future__ import annotations

from typing import Any

import numpy as np

from .components import COPIES, NUM_KINDS, NUM_REGULARS, RULE, USES, Power
from .field import TERRAIN_ROWS
from .state import (
    BOARD,
    COLUMNS,
    FREE,
    MARGIN,
    MOST_REACH,
    NONE,
    ROWS,
    SIZES,
    SLOTS,
    TERRAIN,
    WIDE,
    Phase,
)
from .text import back_row_cell, friend_on, line_direction, line_may_go, line_of, target

POWER_OF = {
    Phase.REVIVE: Power.REVIVE,
    Phase.COLUMN: Power.REVIVE,
    Phase.ENEMY: Power.MOVE_AN_ENEMY,
    Phase.DRIVE: Power.MOVE_AN_ENEMY,
}


def check(s: Any) -> None:
    """Hold a table against the components and the field.

    Raises:
        ValueError: naming the field and what would be right.
    """
    _check_ranges(s)
    for seat in range(2):
        _check_cards(s, seat)
        _check_units(s, seat)
    _check_board(s)
    _check_sets(s)
    _check_deployment(s)
    if s.phase >= Phase.TURN:
        _check_turn(s)
        _check_phase(s)


def _need(holds: Any, message: str) -> None:
    if not holds:
        raise ValueError(message)


def _within(name: str, values: Any, low: int, high: int) -> None:
    """A number, or every number of an array, lies in this range."""
    found = np.asarray(values).reshape(-1)
    if found.min() < low or found.max() > high:
        wrong = found[(found < low) | (found > high)][0]
        raise ValueError(f"state.{name} is {wrong}, must be from {low} to {high}")


def _check_ranges(s: Any) -> None:
    """What depends on other fields; the range of each by itself is declared in state.FIELDS."""
    _within("turns", s.turns, 0, s.max_turns + 1)
    _within("hurt", s.hurt, 0, s.turns)
    _need(not any(s.eliminated), "state.eliminated must be all 0: the loss of an army ends the game")
    for seat in range(2):
        _within(f"uses[{seat}]", s.uses[seat], 0, USES[s.faction[seat]])


def _shown(s: Any, seat: int) -> int:
    """The kind that a seat has shown and not placed yet, or NONE."""
    return int(s.chosen) if s.phase == Phase.PLACE and s.seat == seat else NONE


def _check_cards(s: Any, seat: int) -> None:
    """The faction's elites once each, as many regulars as agreed, no more of a kind than there are cards."""
    shown = _shown(s, seat)
    counts = s.hand[seat].tolist()
    for kind in (*s.kind[seat].tolist(), shown):
        if kind != NONE:
            _need(0 <= kind < NUM_KINDS, f"state.chosen is {kind}, must be a kind of unit")
            counts[kind] += 1
    first = NUM_REGULARS + RULE.elites * s.faction[seat]
    elites = [int(first <= kind < first + RULE.elites) for kind in range(NUM_REGULARS, NUM_KINDS)]
    _need(
        counts[NUM_REGULARS:] == elites,
        f"the army of seat {seat} must have each elite unit of its faction once",
    )
    regulars = sum(counts[:NUM_REGULARS])
    _need(
        regulars == s.units,
        f"the army of seat {seat} has {regulars} regular units, state.units says {s.units}",
    )
    for kind, (count, cards) in enumerate(zip(counts, COPIES.tolist(), strict=False)):
        _need(count <= cards, f"the army of seat {seat} has {count} cards of kind {kind}, there are {cards}")


def _check_units(s: Any, seat: int) -> None:
    """A unit with boxes stands on the field and one without does not; slots fill up from the first one."""
    kinds, cells, boxes = s.kind[seat].tolist(), s.cell[seat].tolist(), s.health[seat].tolist()
    deployed = sum(kind != NONE for kind in kinds)
    for slot, (kind, cell, left) in enumerate(zip(kinds, cells, boxes, strict=True)):
        at = f"[{seat}][{slot}]"
        _need((kind != NONE) == (slot < deployed), f"state.kind{at}: slots are filled in order")
        _need(kind != NONE or left == 0, f"state.health{at} is {left}, must be 0: no unit has this slot")
        _need((left > 0) == (cell >= 0), f"state.cell{at} and health{at}: only the dead stand nowhere")
    _within(f"facing[{seat}] of a slot that no unit has", s.facing[seat].tolist()[deployed:] or 0, 0, 0)


def _empty(field: int) -> np.ndarray:
    """The board of a field without units."""
    board = np.full((BOARD // WIDE, WIDE), TERRAIN)
    board[1 : ROWS[field] + 1, 1 : COLUMNS[field] + 1] = FREE
    return board.reshape(-1)


EMPTY = [_empty(field) for field in range(len(SIZES))]


def _check_board(s: Any) -> None:
    """Terrain all around, and every unit on its own cell."""
    right = EMPTY[s.field].copy()
    for unit, cell in enumerate(s.cell.reshape(-1).tolist()):
        if cell >= 0:
            _need(
                right[cell] == FREE,
                f"state.cell: unit {unit} stands on {cell}, in terrain or on another unit",
            )
            right[cell] = unit
    wrong = np.flatnonzero(right != np.asarray(s.board))
    if len(wrong):
        found = int(s.board[wrong[0]])
        raise ValueError(f"state.board[{wrong[0]}] is {found}, by state.cell it must be {right[wrong[0]]}")


def _check_sets(s: Any) -> None:
    """Every unit in the strips of its army, in that of its row and in that of its column, and in the row of all."""
    strips, taken = np.zeros(s.strips.shape, np.int64), TERRAIN_ROWS[s.field].astype(np.int64)
    for seat in range(2):
        for cell in s.cell[seat].tolist():
            if cell >= 0:
                row, column = cell // WIDE - 1, cell % WIDE - 1
                strips[seat, 0, row] |= 1 << (MARGIN + column)
                strips[seat, 1, column] |= 1 << (MARGIN + row)
                taken[MARGIN + row] |= 1 << (MARGIN + column)
    _need((strips == s.strips).all(), f"state.strips must be {strips.tolist()} by state.cell")
    _need((taken == s.taken).all(), f"state.taken must be {taken.tolist()} by state.cell and state.field")


def _check_deployment(s: Any) -> None:
    """Until all units stand they are deployed in turn, whole, on their own side."""
    size = s.units + RULE.elites
    deployed = [sum(kind != NONE for kind in s.kind[seat].tolist()) for seat in range(2)]
    if s.phase > Phase.PLACE:
        _need(
            deployed == [size, size], f"state.kind has {deployed} units, the battle begins with {size} each"
        )
        return
    _need(not s.finished, "state.finished: nobody is destroyed before the battle")
    _need(
        deployed[0] - deployed[1] == s.seat and deployed[1] < size,
        f"state.kind has {deployed} units: they are deployed in turn, the attacker first",
    )
    if s.phase == Phase.DEPLOY:
        _need(s.chosen == NONE, f"state.chosen is {s.chosen}, must be {NONE}: no unit is shown")
    else:
        _need(s.chosen != NONE, f"state.chosen is {NONE}, must be the kind of the unit that is being placed")
    idle = ("turn", "turns", "hurt", "points", "free_moves", "push", "splash", "all_out", "moved", "charged")
    for name in (*idle, "pending", "axis", "length", "owed"):
        _need(s[name] == 0, f"state.{name} is {s[name]}, must be 0 before the battle")
    for seat in range(2):
        _need(s.uses[seat] == 0, f"state.uses[{seat}] is {s.uses[seat]}, must be 0 before the battle")
        for slot in range(deployed[seat]):
            row = s.cell[seat, slot] // WIDE
            own = row if seat == 0 else ROWS[s.field] + 1 - row
            fresh = s.health[seat, slot] == RULE.health and s.facing[seat, slot] == 0
            _need(
                fresh and own < ROWS[s.field] // 2,
                f"the unit in slot {slot} of seat {seat} must stand whole on its own side, and face the enemy",
            )


def _check_turn(s: Any) -> None:
    """What the turn has left, and what powers have prepared."""
    power = s.faction[s.turn]
    _need(s.turns > 0, "state.turns is 0, must be at least 1: the battle has begun")
    often = min(int(USES[power] - s.uses[s.turn]), RULE.actions)
    ready = {
        "free_moves": (Power.FREE_MOVES, often * RULE.free_moves),
        "push": (Power.PUSH, often * RULE.push),
        "splash": (Power.SPLASH, often * RULE.splash),
        "all_out": (Power.ALL_OUT_ATTACK, min(often, 1)),  # never twice in a turn (ruling 10)
    }
    for name, (of, most) in ready.items():
        _within(name, s[name], 0, most if power == of else 0)
    _within("chosen", s.chosen, NONE, SLOTS - 1)
    for name in ("moved", "charged", "pending"):
        _within(name, s[name], 0, (1 << (s.units + RULE.elites)) - 1)
    decides = 1 - s.turn if s.phase == Phase.WOUND else s.turn
    _need(s.finished or s.seat == decides, f"state.seat is {s.seat}, it does not decide in this phase")
    _check_end(s)


def _check_end(s: Any) -> None:
    """A battle ends with an army, or with turns without damage (ruling 21)."""
    armies, quiet = [max(s.cell[seat].tolist()) >= 0 for seat in range(2)], int(s.turns - s.hurt)
    _need(any(armies), "state.cell: one army at least has units left")
    if not all(armies):
        _need(s.finished, "state.finished is False: the battle ends with an army")
    elif s.finished:
        _need(
            0 < s.quiet_turns <= quiet,
            f"state.finished is True: both armies have units left, and {quiet} turns without damage end no battle",
        )
    else:
        _need(
            s.quiet_turns == 0 or quiet <= s.quiet_turns,
            f"state.hurt is {s.hurt}: after {s.quiet_turns} turns without damage the battle is over",
        )


def _check_phase(s: Any) -> None:
    """What is being resolved must be said, and can be."""
    if s.finished:
        return
    phase, seat, chosen = s.phase, s.turn, s.chosen
    if phase == Phase.TURN:
        _need(s.points + s.free_moves > 0, "state.points is 0 and no move is free: the turn is over")
    _need((phase == Phase.WOUND) == (s.owed > 0), f"state.owed is {s.owed} in phase {Phase(phase).name}")
    _need((phase == Phase.LINE) == (s.length > 0), f"state.length is {s.length} in phase {Phase(phase).name}")
    _need(
        phase == Phase.LINE or s.axis == 0, f"state.axis is {s.axis} in phase {Phase(phase).name}, must be 0"
    )
    about = (Phase.LINE, Phase.AXIS, Phase.TARGET, Phase.COLUMN, Phase.DRIVE)
    _need((phase in about) == (chosen != NONE), f"state.chosen is {chosen} in phase {Phase(phase).name}")
    if phase in (Phase.LINE, Phase.AXIS, Phase.TARGET):
        _need(s.cell[seat, chosen] >= 0, f"state.chosen is {chosen}, a unit that does not stand on the field")
    if phase == Phase.LINE:
        _check_line(s)
    elif phase in (Phase.AXIS, Phase.TARGET):
        _check_attack(s)
    elif phase == Phase.DRIVE:
        _need(s.cell[1 - seat, chosen] >= 0, f"state.chosen is {chosen}, no enemy unit on the field")
    elif phase in (Phase.REVIVE, Phase.COLUMN):
        _check_return(s)
    if phase in POWER_OF:
        _check_use(s, POWER_OF[phase])


def _check_use(s: Any, power: Power) -> None:
    """A power that is being carried out is the player's, and was marked."""
    name = Phase(s.phase).name
    _need(s.faction[s.turn] == power, f"state.phase is {name}, it belongs to the power {power.name}")
    _need(
        s.uses[s.turn] < USES[power],
        f"state.uses[{s.turn}] is {s.uses[s.turn]} in phase {name}: one is marked",
    )
    _within("points", s.points, 0, RULE.actions - 1)


def _check_attack(s: Any) -> None:
    """The unit whose attack it is belongs to the attack and has somebody to attack."""
    seat, chosen = s.turn, s.chosen
    _need(s.pending >> chosen & 1, f"state.pending must hold the attacking unit {chosen}")
    ways = [(d, r) for d in range(4) for r in range(1, MOST_REACH + 1)]
    _need(any(target(s, seat, chosen, d, r) != NONE for d, r in ways), f"state.chosen is {chosen}: no target")
    if s.phase == Phase.AXIS:
        lines = [line_of(s, chosen, axis) for axis in range(2)]
        _need(
            all(lines), "state.phase is AXIS, where friends stand beside the unit in its row and its column"
        )


def _check_line(s: Any) -> None:
    """The units of the moving line stand side by side."""
    cell, step = int(s.cell[s.turn, s.chosen]), (WIDE, 1, -WIDE, -1)[line_direction(s)]
    _need(s.length >= 2, f"state.length is {s.length}, a line has two units at least")
    _need(
        line_may_go(s, s.turn, s.chosen, line_direction(s), s.length), "state.length: this line goes nowhere"
    )
    for _ in range(s.length):
        _need(friend_on(s, s.turn, cell) != NONE, "state.length reaches beyond the line")
        cell += step
    _need(
        line_may_go(s, s.turn, s.chosen, line_direction(s), s.length), "state.length: this line goes nowhere"
    )


def _check_return(s: Any) -> None:
    dead = [slot for slot in range(s.units + RULE.elites) if s.cell[s.turn, slot] < 0]
    _need(dead and (s.phase == Phase.REVIVE or s.chosen in dead), f"state.chosen is {s.chosen}, no dead unit")
    free = [s.board[back_row_cell(s, s.turn, column)] == FREE for column in range(COLUMNS[s.field])]
    _need(any(free), "state.board: no cell of the back row is free")
