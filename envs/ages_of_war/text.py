"""Actions and tables in words: cells as on a chess board, a1 in the attacker's back left corner, and north up."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.compile import plain
from . import field, knowledge, rules
from .components import CHARGE, COUNTER, DAMAGE, FACTION_NAMES, FACTIONS, KIND_NAMES, NUM_KINDS, UNITS, Side
from .rules import HEALTH
from .state import (
    ACTIONS,
    COLUMNS,
    FREE,
    MOST_COLUMNS,
    MOST_ROWS,
    NEAR,
    NONE,
    ROWS,
    SIZES,
    SLOTS,
    WIDE,
    Direction,
    Phase,
)

back_row_cell, boxes_left = plain(rules.back_row_cell), plain(rules.boxes_left)
faction_is_known, is_chosen = plain(knowledge.faction_is_known), plain(knowledge.is_chosen)
cell_seen_from, seen_from = plain(field.cell_seen_from), plain(field.seen_from)
facing_of, friend_on, target = plain(field.facing_of), plain(field.friend_on), plain(field.target)
spot_cell = plain(field.spot_cell)
line_direction, line_of = plain(rules.line_direction), plain(rules.line_of)
line_may_go = plain(field.line_may_go)
place_armies = plain(rules.placing)
STEP = field.STEP.tolist()

ARMIES = ("Red", "Blue")  # of seat 0, the attacker, and of seat 1
COMPASS = tuple(direction.name.lower() for direction in Direction)
ARROWS = "^>v<"


def cell_name(cell: int) -> str:
    """``c3``: column and row, both counted from the south-west."""
    return f"{'abcdefghij'[cell % WIDE - 1]}{cell // WIDE}"


def unit_name(s: Any, seat: int, slot: int) -> str:
    """``Archers c3``, or ``Archers (unit 4)`` for one that is dead."""
    if slot == NONE or s["kind"][seat, slot] == NONE:
        return f"unit {slot + 1}"
    name, cell = KIND_NAMES[s["kind"][seat, slot]], int(s["cell"][seat, slot])
    return f"{name} {cell_name(cell)}" if cell >= 0 else f"{name} (unit {slot + 1})"


def action_text(s: Any, action: int) -> str:
    """What `action` says, at a table where it is legal."""
    found, index = ACTIONS.locate(action)
    seat = int(s["seat"])
    make = _SAYS.get(found.name)
    if make is not None:
        return make(s, seat, *index)
    return {
        "stand": "pass the other attacks",
        "power": f"use the power of {FACTION_NAMES[s['faction'][seat]]}: {FACTIONS[s['faction'][seat]]['power']}",
        "spare": "deal no more damage",
        "pass_action": "pass an action",
        "skip_turn": "skip the turn",
        "end_turn": "end the turn without the free moves",
    }[found.name]


def _way(seat: int, way: int) -> str:
    return COMPASS[seen_from(seat, way)]


def _beside(s: Any, seat: int, slot: int, way: int) -> str:
    """The friend of a unit that stands next to it."""
    cell = int(s["cell"][seat, slot])
    if cell < 0:
        return "nobody"
    friend = friend_on(s, seat, cell + STEP[seen_from(seat, way)])
    return "nobody" if friend == NONE else unit_name(s, seat, friend)


def _where(cell: int) -> str:
    """``c3``, or where no unit can stand."""
    row, column = divmod(cell, WIDE)
    return cell_name(cell) if 1 <= row <= MOST_ROWS and 1 <= column <= MOST_COLUMNS else "nowhere"


def _say_move(s: Any, seat: int, slot: int, spot: int) -> str:
    cell = int(s["cell"][seat, slot])
    where = _where(spot_cell(seat, cell, spot)) if cell >= 0 else "nowhere"
    return f"move {unit_name(s, seat, slot)} to {where}"


def _say_drive(s: Any, seat: int, near: int) -> str:
    cell = _driven(s, seat)
    return f"to {_where(spot_cell(seat, cell, NEAR[near])) if cell >= 0 else 'nowhere'}"


def _say_turn(s: Any, seat: int, where: int) -> str:
    cell = _driven(s, seat)
    if where == 0 or cell < 0:
        return "about face"
    return f"about face on {_where(cell + STEP[seen_from(seat, where - 1)])}"


def _driven(s: Any, seat: int) -> int:
    """The cell of the enemy unit that is being moved, NONE for none."""
    chosen = int(s["chosen"])
    return int(s["cell"][1 - seat, chosen]) if 0 <= chosen < SLOTS else NONE


def _say_target(s: Any, seat: int, way: int, reach: int) -> str:
    chosen = int(s["chosen"])
    if not 0 <= chosen < SLOTS or s["cell"][seat, chosen] < 0:
        return f"at nobody {_way(seat, way)} {reach + 1}"
    victim = target(s, seat, chosen, seen_from(seat, way), reach + 1)
    if victim == NONE:
        return f"at nobody {_way(seat, way)} {reach + 1}"
    return f"at {unit_name(s, 1 - seat, victim)}"


def _say_axis(s: Any, seat: int, axis: int) -> str:
    members = line_of(s, int(s["chosen"]), axis) | 1 << int(s["chosen"])
    cells = sorted(int(s["cell"][seat, slot]) for slot in range(SLOTS) if members >> slot & 1)
    return f"with the {('row', 'column')[axis]} {cell_name(cells[0])}-{cell_name(cells[-1])}"


def _say_form(s: Any, seat: int, slot: int, axis: int) -> str:
    return f"form a line: {unit_name(s, seat, slot)} and {_beside(s, seat, slot, rules.ALONG[axis])}"


def _say_extend(s: Any, seat: int) -> str:
    if s["chosen"] == NONE or s["length"] == 0:
        return "extend the line"
    cell = int(s["cell"][seat, s["chosen"]]) + int(s["length"]) * STEP[line_direction(s)]
    friend = friend_on(s, seat, cell)
    return f"extend the line with {unit_name(s, seat, friend) if friend != NONE else 'nobody'}"


def _say_place(s: Any, seat: int, row: int, column: int) -> str:
    return f"on {cell_name(cell_seen_from(s, seat, (row + 1) * WIDE + column + 1))}"


_SAYS: dict[str, Any] = {
    "move": _say_move,
    "attack": lambda s, seat, slot: f"attack with {unit_name(s, seat, slot)}",
    "target": _say_target,
    "axis": _say_axis,
    "face": lambda s, seat, slot: f"about face {unit_name(s, seat, slot)}",
    "swap": lambda s, seat, slot, way: f"swap {unit_name(s, seat, slot)} with {_beside(s, seat, slot, way)}",
    "form": _say_form,
    "extend": _say_extend,
    "go": lambda s, seat, way, distance: f"the line goes {_way(seat, way)} {distance + 1}",
    "revive": lambda s, seat, slot: f"revive {unit_name(s, seat, slot)}",
    "column": lambda s, seat, column: f"on {cell_name(back_row_cell(s, seat, column))}",
    "enemy": lambda s, seat, slot: f"move the enemy's {unit_name(s, 1 - seat, slot)}",
    "drive": _say_drive,
    "turn": _say_turn,
    "wound": lambda s, seat, slot: f"damage {unit_name(s, 1 - seat, slot)}",
    "deploy": lambda s, seat, kind: f"deploy {KIND_NAMES[kind]}",
    "place": _say_place,
}


# -- the table ---------------------------------------------------------------------------------------------------------


def table_text(s: Any, seat: int | None = None) -> str:
    """The table as `seat` sees it; whole, with all that is hidden, for None."""
    lines = [f"Ages of War - {decision(s)}", "", *_board(s), ""]
    for owner in range(2):
        lines += [_army(s, owner, seat), *_units(s, owner)]
        if sum(s["hand"][owner]):
            lines.append(f"  to deploy: {_hand(s, owner, seat)}")
    return "\n".join(lines)


def decision(s: Any) -> str:
    """Whose turn it is and what is being decided."""
    if s["finished"]:
        return f"the battle is over, {_outcome(s)}"
    phase, seat = Phase(int(s["phase"])), int(s["seat"])
    who = f"{ARMIES[seat]} (player_{seat})"
    if phase == Phase.DEPLOY:
        return f"{who} deploys a unit"
    if phase == Phase.PLACE:
        return f"{who} places {KIND_NAMES[s['chosen']]}"
    return f"turn {s['turns']}, {who}: {_question(s, phase)}"


def _outcome(s: Any) -> str:
    places = np.zeros(2, np.int8)
    place_armies(s, places)
    if places[0] == places[1]:
        return "nobody has won"
    winner = int(places.argmin())
    return f"{ARMIES[winner]} (player_{winner}) has won"


def _question(s: Any, phase: Phase) -> str:
    owner, chosen = int(s["turn"]), int(s["chosen"])
    name = unit_name(s, owner, chosen)
    return {
        Phase.TURN: f"{_points(s)}{_ready(s)}",
        Phase.LINE: f"the line of {s['length']} from {name} goes where?",
        Phase.AXIS: f"{name} attacks with which line?",
        Phase.TARGET: f"{name} attacks whom?",
        Phase.VOLLEY: "who else attacks?",
        Phase.REVIVE: "which unit returns?",
        Phase.COLUMN: f"{name} returns where?",
        Phase.ENEMY: "which enemy unit is moved?",
        Phase.DRIVE: f"{unit_name(s, 1 - owner, chosen)} is moved where?",
        Phase.WOUND: f"{ARMIES[owner]} passes, which unit takes a damage? {s['owed']} in all",
    }[phase]


def _points(s: Any) -> str:
    return f"{s['points']} action{'' if s['points'] == 1 else 's'} left"


def _ready(s: Any) -> str:
    """What powers have prepared."""
    quiet = s["quiet_turns"] and f"{s['turns'] - s['hurt']} of {s['quiet_turns']}"
    parts = [
        (quiet, "{} turns without damage"),
        (s["free_moves"], "free moves {}"),
        (s["push"], "next attack pushes {} further"),
        (s["splash"], "splash {}"),
        (s["all_out"], "all-out attacks {}"),
    ]
    return "".join(f", {words.format(number)}" for number, words in parts if number)


def _board(s: Any) -> list[str]:
    """North up; a unit is its army's letter, its number, where it looks and its boxes; # is terrain."""
    rows, columns = int(ROWS[s["field"]]), int(COLUMNS[s["field"]])
    edge = "   " + " ".join(["#####"] * (columns + 2))
    lines = [f"Field {SIZES[s['field']]}", edge]
    for row in range(rows, 0, -1):
        cells = [_cell(s, row * WIDE + column) for column in range(1, columns + 1)]
        lines.append(f"{row:>2} ##### {' '.join(cells)} #####")
    letters = " ".join(f"{letter:^5}" for letter in "abcdefghij"[:columns])
    return [*lines, edge, f"{'':9}{letters}".rstrip()]


def _cell(s: Any, cell: int) -> str:
    unit = int(s["board"][cell])
    if unit == FREE:
        row, rows = cell // WIDE, int(ROWS[s["field"]])
        return "  -  " if row in (rows // 2, rows // 2 + 1) else "  .  "
    owner, slot = divmod(unit, SLOTS)
    arrow, boxes = ARROWS[facing_of(s, owner, slot)], int(s["health"][owner, slot])
    return f"{ARMIES[owner][0]}{slot + 1}{arrow}{boxes}".ljust(5)


def _army(s: Any, owner: int, seat: int | None) -> str:
    known = seat is None or seat == owner or faction_is_known(s, owner)
    faction = FACTION_NAMES[s["faction"][owner]] if known else "unknown faction"
    power = f", {FACTIONS[s['faction'][owner]]['power']} {s['uses'][owner]} left" if s["uses"][owner] else ""
    mark = ">" if s["seat"] == owner and not s["finished"] else " "
    role = ("attacker", "defender")[owner]
    return f"{mark} {ARMIES[owner]} (player_{owner}, {role}): {faction}{power}, {boxes_left(s, owner)} boxes"


def _units(s: Any, owner: int) -> list[str]:
    lines = []
    for slot in range(SLOTS):
        kind = int(s["kind"][owner, slot])
        if kind == NONE:
            continue
        health, cell = int(s["health"][owner, slot]), int(s["cell"][owner, slot])
        where = f"{cell_name(cell)} {ARROWS[facing_of(s, owner, slot)]}" if cell >= 0 else "dead"
        boxes = "o" * health + "x" * (HEALTH - health)
        lines.append(f"  {slot + 1:>2} {where:<6} {boxes} {KIND_NAMES[kind]:<19} {card_text(kind)}")
    return lines


def card_text(kind: int) -> str:
    """The numbers of a unit card in a line."""
    unit = UNITS[kind]
    sides = "/".join(str(unit["defence"][side]) for side in Side)
    ranged = f"ranged {unit['range']}" if unit["class"] == "ranged" else unit["class"]
    more = f", charge {CHARGE[kind]}" if CHARGE[kind] else ""
    more += ", counter" if COUNTER[kind] else ""
    return f"{ranged}, damage {DAMAGE[kind]}, defence {sides}, moves {unit['movement']}{more}"


def _hand(s: Any, owner: int, seat: int | None) -> str:
    if seat is not None and seat != owner:
        return f"{sum(int(n) for n in s['hand'][owner])} units"
    counts = [(int(s["hand"][owner, kind]), KIND_NAMES[kind]) for kind in range(NUM_KINDS)]
    return ", ".join(f"{number} {name}" for number, name in counts if number)


__all__ = ["action_text", "card_text", "cell_name", "decision", "table_text", "unit_name"]
