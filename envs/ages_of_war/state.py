"""A table of Ages of War: its state, its action layout, its observation layout.

Seat 0 attacks and looks north, seat 1 defends and looks south. The state speaks of absolute cells and compass
directions; actions and observations speak of *ahead*, *right*, *back* and *left* as the seat sees them that decides or
looks, so that one network can play both sides.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ..engine.fields import Field, table_dtype
from ..engine.layout import Layout, block
from .components import FACTION_NAMES, HIGHEST, KIND_NAMES, NUM_KINDS, RULE, Side

FIELDS = ("6x8", "8x8", "8x10", "10x10")  # rows x columns; rows lie between the armies
ROWS = np.array([int(name.split("x")[0]) for name in FIELDS], np.int64)
COLUMNS = np.array([int(name.split("x")[1]) for name in FIELDS], np.int64)
MOST_ROWS = MOST_COLUMNS = 10
SLOTS = 10  # units of an army at most: two elites, eight regulars
PLACE_ROWS = MOST_ROWS // 2 - 1  # rows that an army may be deployed on, at most
WIDE = MOST_COLUMNS + 2  # the board has a ring of terrain around the largest field
BOARD = (MOST_ROWS + 2) * WIDE
LINES = max(MOST_ROWS, MOST_COLUMNS)
MOST_DISTANCE = HIGHEST.movement
MOST_REACH = HIGHEST.range

MOST_TURNS = 500  # that the option max_turns allows

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
    STEP = 10  # and how
    WOUND = 11  # which unit of a player who passes takes a damage


class Direction(IntEnum):
    """Compass directions in the state; as a seat sees them: ahead, right, back, left, turned by half for seat 1."""

    NORTH = 0
    EAST = 1
    SOUTH = 2
    WEST = 3


AHEAD, RIGHT, BACK, LEFT = range(4)
SEEN_FROM_A_SEAT = ("AHEAD", "RIGHT", "BACK", "LEFT")

STATE_FIELDS = (
    Field("units", np.int8, doc="Option: regular units of each army, 2, 4, 6 or 8"),
    Field("field", np.int8, doc="Option: index in FIELDS"),
    Field("max_turns", np.int16, doc="Option: turns after which the table is cut off"),
    Field("faction", np.int8, 2, doc="Of each seat; its power has the same number"),
    Field("hand", np.int8, (2, NUM_KINDS), doc="Units still to be deployed, by kind"),
    Field(
        "kind",
        np.int8,
        (2, SLOTS),
        doc="Kind of each deployed unit in the order of deployment, -1 for none yet",
    ),
    Field(
        "cell",
        np.int16,
        (2, SLOTS),
        doc="Where it stands: row * WIDE + column, both from 1; -1 if it is dead",
    ),
    Field("health", np.int8, (2, SLOTS), doc="Boxes left, 0 if it is dead"),
    Field("facing", np.int8, (2, SLOTS), doc="0: towards the enemy's side of the field, 1: away from it"),
    Field(
        "board", np.int8, BOARD, doc="What each cell holds: seat * SLOTS + slot of a unit, FREE or TERRAIN"
    ),
    Field("strips", np.int16, (2, 2, LINES), doc="By army, row or column, line: bits of cells that it holds"),
    Field("uses", np.int8, 2, doc="Uses left of each seat's power, 0 until factions are revealed"),
    Field("phase", np.int8, doc="Phase"),
    Field("turn", np.int8, doc="The seat whose turn it is"),
    Field("turns", np.int16, doc="Turns begun"),
    Field("points", np.int8, doc="Action points that it has left"),
    Field("free_moves", np.int8, doc="Move actions that cost no point"),
    Field("push", np.int8, doc="Spaces that the next attack pushes further"),
    Field("splash", np.int8, doc="Damage of this turn's successful attacks to enemies beside the target"),
    Field("all_out", np.int8, doc="Attack actions of this turn in which all units may attack"),
    Field("moved", np.int16, doc="Bit k: the unit in slot k of `turn` has moved in this turn"),
    Field("charged", np.int16, doc="Bit k: its charge is used up for this turn"),
    Field("pending", np.int16, doc="Bit k: it may still attack in this action"),
    Field(
        "chosen",
        np.int8,
        doc="Slot that is being decided about, or the kind that is being deployed; -1 for none",
    ),
    Field("axis", np.int8, doc="The moving line's: 0 along its row, to the right; 1 along its column, ahead"),
    Field("length", np.int8, doc="Units in the moving line"),
    Field("steps", np.int8, doc="Movement points left for the enemy unit"),
    Field("owed", np.int8, doc="Damage that the opponent still deals for a passed action or turn"),
)
STATE = table_dtype(*STATE_FIELDS)

_UNITS = tuple(f"unit_{slot}" for slot in range(SLOTS))
_SPACES = tuple(f"{k + 1}" for k in range(MOST_DISTANCE))
_REACH = tuple(f"at_{k + 1}" for k in range(MOST_REACH))

ACTIONS = Layout(
    block("move", _UNITS, SEEN_FROM_A_SEAT, _SPACES, doc="Move this unit alone, this many spaces"),
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
    block("step", SEEN_FROM_A_SEAT, doc="Move it one space"),
    block("turn_it", doc="Turn it around"),
    block("let_be", doc="Spend no more of its movement points"),
    block("pass_action", doc="Pass an action: the opponent deals 1 damage"),
    block("skip_turn", doc="Skip the turn: the opponent deals 3 damage"),
    block("end_turn", doc="End the turn without its free moves"),
    block("wound", _UNITS, doc="Deal a damage to this unit of the player who passed"),
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
    block("all_out", high=3, doc="Attack actions left in which all units may attack"),
    block("steps", high=RULE.enemy_steps, unit=2, doc="Movement points left for the enemy unit"),
    block(
        "line", ("RIGHT", "AHEAD"), high=SLOTS, unit=10, doc="Units in the moving line, by where it grows to"
    ),
    block("owed", high=RULE.skip_damage, unit=3, doc="Damage still to be dealt for passing"),
    block("turns_left", high=MOST_TURNS, unit=100, doc="Turns before the table is cut off"),
    block("uses", _SIDES, high=3, unit=3, doc="Uses left of its power"),
    block("to_deploy", _SIDES, high=SLOTS, unit=10, doc="Units still to be deployed"),
    block("phase", Phase, doc="What is being decided"),
    block("deciding", doc="The decision is the observer's"),
    block("own_turn", doc="It is the observer's turn"),
    block("attacker", doc="The observer is the attacker"),
    block("field", FIELDS, doc="The field, rows x columns"),
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
    block("deals_there", _UNITS, SEEN_FROM_A_SEAT, _SPACES, doc="What it deals after this move"),
    block("suffers_there", _UNITS, SEEN_FROM_A_SEAT, _SPACES, doc="What it suffers after this move"),
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
