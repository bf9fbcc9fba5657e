"""A table of Ages of War: its state, its action layout, its observation layout.

Seat 0 attacks and looks north, seat 1 defends and looks south. The state speaks of absolute cells and compass
directions; actions and observations speak of *ahead*, *right*, *back* and *left* as the seat sees them that decides or
looks, so that one network can play both sides.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ..engine.fields import LOOKED, OWNER, Field, table_dtype
from ..engine.layout import Layout, block
from .components import FACTION_NAMES, FACTIONS, HIGHEST, KIND_NAMES, NUM_FACTIONS, NUM_KINDS, RULE, Side

SIZES = ("6x8", "8x8", "8x10", "10x10")  # rows x columns; rows lie between the armies
ROWS = np.array([int(name.split("x")[0]) for name in SIZES], np.int64)
COLUMNS = np.array([int(name.split("x")[1]) for name in SIZES], np.int64)
MOST_ROWS = MOST_COLUMNS = 10
SLOTS = 10  # units of an army at most: two elites, eight regulars
PLACE_ROWS = MOST_ROWS // 2 - 1  # rows that an army may be deployed on, at most
WIDE = MOST_COLUMNS + 2  # the board has a ring of terrain around the largest field
BOARD = (MOST_ROWS + 2) * WIDE
LINES = max(MOST_ROWS, MOST_COLUMNS)
MOST_DISTANCE = HIGHEST.movement
MOST_REACH = HIGHEST.range

MARGIN = MOST_DISTANCE  # bits, and rows, around those of the field in sets of cells

MOST_TURNS = 500  # that the option max_turns allows
MOST_QUIET_TURNS = 100  # that the option quiet_turns allows

NONE = -1
FREE, TERRAIN = -1, -2  # what a cell holds other than a unit


class Phase(IntEnum):
    """What is being decided."""

    DEPLOY = 0  # which unit is deployed next
    PLACE = 1  # and on which cell
    TURN = 2  # what the next action point is spent on, and on which unit
    LINE = 3  # whether the moving line grows, or where it goes
    AXIS = 4  # whether the units in the row or those in the column attack
    TARGET = 5  # whom the attacking unit attacks
    VOLLEY = 6  # which unit of the attack is next, or that the rest pass
    REVIVE = 7  # which dead unit returns
    COLUMN = 8  # and where in the back row
    ENEMY = 9  # which enemy unit is moved
    DRIVE = 10  # and where to, or which way round
    WOUND = 11  # which unit of a player who passes takes a damage


class Direction(IntEnum):
    """Compass directions in the state; as a seat sees them: ahead, right, back, left, turned by half for seat 1."""

    NORTH = 0
    EAST = 1
    SOUTH = 2
    WEST = 3


AHEAD, RIGHT, BACK, LEFT = range(4)
SEEN_FROM_A_SEAT = ("AHEAD", "RIGHT", "BACK", "LEFT")

# Spots are the cells around a cell that a walk of so many spaces can reach. They are numbered so that a number is both
# an action and a bit: in a window of SPAN x SPAN bits around the cell, spot k is the bit that lies k + 1 behind the
# middle, SPOTS + 1 bits make one round. No two spots of a walk meet on one number, for such diamonds tile the plane; so
# half of a window, folded over the other, is the set of spots.
SPAN = 2 * MOST_DISTANCE + 1
SPOTS = 2 * MOST_DISTANCE * (MOST_DISTANCE + 1)


def _spots() -> list[tuple[int, int]]:
    """Rows ahead and columns to the right of each spot, in order."""
    within = range(-MOST_DISTANCE, MOST_DISTANCE + 1)
    cells = [
        (ahead, right) for ahead in within for right in within if 0 < abs(ahead) + abs(right) <= MOST_DISTANCE
    ]
    return sorted(cells, key=lambda cell: (SPAN * cell[0] + cell[1] - 1) % (SPOTS + 1))


def _spot_name(ahead: int, right: int) -> str:
    """``AHEAD_2_LEFT_1``."""
    ways = ((ahead, "AHEAD"), (-ahead, "BACK"), (right, "RIGHT"), (-right, "LEFT"))
    return "_".join(f"{way}_{spaces}" for spaces, way in ways if spaces > 0)


SPOT_CELLS = _spots()
SPOTS_SEEN = tuple(_spot_name(ahead, right) for ahead, right in SPOT_CELLS)
#: Spots that the power over an enemy unit reaches.
NEAR = tuple(k for k, cell in enumerate(SPOT_CELLS) if abs(cell[0]) + abs(cell[1]) <= RULE.enemy_steps)

_HAND = 2  # cards of a kind that an army can have
_MOST_FREE_MOVES = RULE.free_moves * RULE.actions

FIELDS = (
    Field("units", np.int8, low=2, high=8, doc="Option: regular units of each army, 2, 4, 6 or 8"),
    Field("field", np.int8, low=0, high=len(SIZES) - 1, doc="Option: rows x columns of the field, by number"),
    Field(
        "max_turns", np.int16, low=10, high=MOST_TURNS, doc="Option: turns after which the battle is cut off"
    ),
    Field(
        "quiet_turns", np.int16, low=0, high=MOST_QUIET_TURNS,
        doc="Option: turns in a row without damage that end the battle, 0 for never",
    ),
    Field(
        "faction", np.int8, 2, sees=LOOKED, low=0, high=NUM_FACTIONS - 1,
        doc="Of each seat, which sees it; its power has the same number. The other seat sees it when the battle "
        "begins, or before that when an elite unit is shown",
    ),
    Field(
        "hand", np.int8, (2, NUM_KINDS), sees=OWNER, low=0, high=_HAND,
        doc="Units still to be deployed, by kind; all see how many there are",
    ),
    Field(
        "kind", np.int8, (2, SLOTS), low=NONE, high=NUM_KINDS - 1,
        doc="Kind of each deployed unit in the order of deployment, -1 for none yet",
    ),
    Field(
        "cell", np.int16, (2, SLOTS), low=NONE, high=BOARD - 1,
        doc="Where it stands: row * WIDE + column, both from 1; -1 if it is dead or no unit",
    ),
    Field("health", np.int8, (2, SLOTS), low=0, high=RULE.health, doc="Boxes left, 0 if it is dead or no unit"),
    Field(
        "facing", np.int8, (2, SLOTS), low=0, high=1,
        doc="0: towards the enemy's side of the field, 1: away from it",
        unseen="where a dead unit looked: it returns facing the enemy",
    ),
    Field(
        "board", np.int8, BOARD, low=TERRAIN, high=2 * SLOTS - 1,
        doc="What each cell holds: seat * SLOTS + slot of a unit, -1 nothing, -2 terrain",
        unseen="it follows from cell and field",
    ),
    Field(
        "strips", np.int16, (2, 2, LINES), bits=LINES + MARGIN,
        doc="By army, row or column, line: bits of the cells that it holds, the first cell's after a margin",
        unseen="they follow from cell",
    ),
    Field(
        "taken", np.uint16, LINES + 2 * MARGIN, bits=LINES + 2 * MARGIN,
        doc="By row, with a margin all around: bits of the cells that hold a unit or terrain",
        unseen="they follow from cell and field",
    ),
    Field(
        "uses", np.int8, 2, low=0, high=max(faction["uses"] for faction in FACTIONS),
        doc="Uses left of each seat's power, 0 until factions are revealed",
    ),
    Field("phase", np.int8, low=0, high=len(Phase) - 1, doc="What is being decided, a Phase"),
    Field("turn", np.int8, low=0, high=1, doc="The seat whose turn it is; 0 before the battle"),
    Field("turns", np.int16, low=0, high=MOST_TURNS + 1, doc="Turns begun"),
    Field("hurt", np.int16, low=0, high=MOST_TURNS, doc="The last turn in which a box was crossed off, 0 for none"),
    Field("points", np.int8, low=0, high=RULE.actions, doc="Action points that the turn has left"),
    Field("free_moves", np.int8, low=0, high=_MOST_FREE_MOVES, doc="Move actions left that cost no point"),
    Field(
        "push", np.int8, low=0, high=RULE.push * RULE.actions,
        doc="Spaces that the next attack of this turn pushes further",
    ),
    Field(
        "splash", np.int8, low=0, high=RULE.splash * RULE.actions,
        doc="Damage of this turn's successful attacks to enemies beside the target",
    ),
    Field("all_out", np.int8, low=0, high=1, doc="In the next attack action of this turn all units may attack"),
    Field(
        "moved", np.int16, bits=SLOTS, doc="Units of `turn` that have moved in this turn, by slot",
        unseen="which dead units have moved: one that returns has not",
    ),
    Field(
        "charged", np.int16, bits=SLOTS, doc="Units of `turn` whose charge is used up for this turn, by slot",
    ),
    Field(
        "pending", np.int16, bits=SLOTS, doc="Units of `turn` that may still attack in this action, by slot",
        unseen="which dead units belonged to the attack",
    ),
    Field(
        "chosen", np.int8, low=NONE, high=max(SLOTS, NUM_KINDS) - 1,
        doc="Slot of the unit that is decided about, or the kind that is being deployed; -1 for none",
    ),
    Field(
        "axis", np.int8, low=0, high=1,
        doc="The moving line's: 0 along its row, to the right; 1 along its column, ahead",
    ),
    Field("length", np.int8, low=0, high=LINES, doc="Units in the moving line, 0 for none"),
    Field(
        "owed", np.int8, low=0, high=RULE.skip_damage,
        doc="Damage that the opponent may still deal for a passed action or turn",
    ),
)  # fmt: skip
STATE = table_dtype(*FIELDS)

_UNITS = tuple(f"unit_{slot}" for slot in range(SLOTS))
_REACH = tuple(f"at_{k + 1}" for k in range(MOST_REACH))

ACTIONS = Layout(
    block("move", _UNITS, SPOTS_SEEN, doc="Move this unit alone to this cell, counted from its own"),
    block("attack", _UNITS, doc="Attack with this unit"),
    block("target", SEEN_FROM_A_SEAT, _REACH, doc="Attack whom stands there, at this distance"),
    block("axis", ("ROW", "COLUMN"), doc="Attack with the units of the row, or of the column"),
    block("stand", doc="Pass the attacks that are left in this action"),
    block("face", _UNITS, doc="About face of this unit"),
    block("swap", _UNITS, ("AHEAD", "RIGHT"), doc="Swap this unit with the friend there"),
    block("form", _UNITS, ("RIGHT", "AHEAD"), doc="Form a line to move: this unit and its neighbour there"),
    block("extend", doc="The line's next neighbour joins it"),
    block("go", SEEN_FROM_A_SEAT, MOST_DISTANCE, doc="Move the line this many spaces (+ 1)"),
    block("power", doc="Use the faction's power"),
    block("revive", _UNITS, doc="Revive this unit"),
    block("column", MOST_COLUMNS, doc="Put it on this cell of the back row"),
    block("enemy", _UNITS, doc="Move this enemy unit"),
    block(
        "drive", tuple(SPOTS_SEEN[spot] for spot in NEAR), doc="Move it to this cell, counted from its own"
    ),
    block("turn", ("THERE", *SEEN_FROM_A_SEAT), doc="Turn it around, where it stands or a space further"),
    block("pass_action", doc="Pass an action: the opponent deals 1 damage"),
    block("skip_turn", doc="Skip the turn: the opponent deals 3 damage"),
    block("end_turn", doc="End the turn without its free moves"),
    block("wound", _UNITS, doc="Deal a damage to this unit of the player who passed"),
    block("spare", doc="Deal no more damage"),
    block("deploy", KIND_NAMES, doc="Deploy a unit of this kind"),
    block("place", PLACE_ROWS, MOST_COLUMNS, doc="On this cell: row and column from the own back left"),
)
A = ACTIONS.starts

_SIDES = ("own", "enemy")
STATS = (
    *("damage", "reach", "movement", "charge", "counter"),
    *(side.name.lower() for side in Side),
)
STATUS = ("chosen", "row", "column", "health", "looks_back", "moved", "charged", "pending")
PLANES = ("own", "enemy", "looks_ahead")

OBSERVATION = Layout(  # what is counted in other units than one comes first
    block("units", high=8, unit=8, doc="Regular units of each army"),
    block("points", high=RULE.actions, unit=3, doc="Action points left"),
    block("free_moves", high=6, unit=2, doc="Move actions left that cost no point"),
    block("push", high=3, doc="Spaces that the next attack pushes further"),
    block("splash", high=3, doc="Damage to enemies beside a target in this turn"),
    block("all_out", doc="In the next attack action of this turn all units may attack"),
    block(
        "line", ("RIGHT", "AHEAD"), high=SLOTS, unit=10, doc="Units in the moving line, by where it grows to"
    ),
    block("owed", high=RULE.skip_damage, unit=3, doc="Damage still to be dealt for passing"),
    block("turns_left", high=MOST_TURNS, unit=100, doc="Turns before the battle is cut off"),
    block("quiet", high=MOST_TURNS, unit=100, doc="Turns since the last damage, this one included"),
    block("quiet_turns", high=MOST_QUIET_TURNS, unit=100, doc="So many of them end the battle; 0 for never"),
    block("uses", _SIDES, high=3, unit=3, doc="Uses left of its power"),
    block("to_deploy", _SIDES, high=SLOTS, unit=10, doc="Units still to be deployed"),
    block("phase", Phase, doc="What is being decided"),
    block("deciding", doc="The decision is the observer's"),
    block("own_turn", doc="It is the observer's turn"),
    block("attacker", doc="The observer is the attacker"),
    block("field", SIZES, doc="The field, rows x columns"),
    block("faction", _SIDES, FACTION_NAMES, doc="Faction, as far as the observer knows it"),
    block("hand", KIND_NAMES, high=2, doc="Own units still to be deployed"),
    block("deploying", KIND_NAMES, doc="The unit that is being deployed"),
    block(
        "unit",
        _SIDES,
        STATUS,
        _UNITS,
        doc="Units by slot: where and how they stand, as the observer sees it",
    ),
    block("card", _SIDES, STATS, _UNITS, doc="Their cards, each number over its highest"),
    block(
        "deals", _UNITS, doc="Damage of the own unit's best attack times its chance, in lives of six boxes"
    ),
    block("suffers", _UNITS, doc="The same of the attacks of all enemies in reach, a life at most"),
    block("deals_there", _UNITS, SPOTS_SEEN, doc="What it deals after this move"),
    block("suffers_there", _UNITS, SPOTS_SEEN, doc="What it suffers after this move"),
    block("deals_to", SEEN_FROM_A_SEAT, _REACH, doc="The same of the attack that is to be chosen"),
    block(
        "planes",
        PLANES,
        MOST_ROWS,
        MOST_COLUMNS,
        low=-1,
        doc="Boxes of units on the field, and 1 or -1 for where they look: rows ahead, columns to the right",
    ),
)
O = OBSERVATION.starts  # noqa: E741 - the letter that stands for the layout, as A does
NUM_STATS, NUM_STATUS = len(STATS), len(STATUS)
