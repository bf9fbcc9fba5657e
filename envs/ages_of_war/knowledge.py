"""What a seat sees, and a world that it cannot tell from the real one.

The battle is open; hidden are, until all units stand, a faction, its elite units and the regular units in hand. A
deployed elite unit gives its faction away, for every elite card belongs to one faction.
"""

from __future__ import annotations

import numpy as np

from ..engine.chance import randint
from ..engine.compile import kernel
from .components import (
    CHARGE,
    CLASS,
    COUNTER,
    DAMAGE,
    DEFENCE,
    HIGHEST,
    MOVEMENT,
    NUM_FACTIONS,
    NUM_KINDS,
    NUM_REGULARS,
    RANGE,
    RULE,
    UnitClass,
)
from .field import (
    OPPOSITE,
    STEP,
    cell_seen_from,
    enemy_on,
    facing_of,
    has_target,
    may_strike,
    seen_from,
    side_hit,
    target,
)
from .rules import draw_elites, draw_regulars
from .state import (
    BOARD,
    COLUMNS,
    FIELDS,
    FREE,
    MOST_COLUMNS,
    MOST_DISTANCE,
    MOST_REACH,
    MOST_ROWS,
    NONE,
    NUM_STATS,
    NUM_STATUS,
    PLANES,
    ROWS,
    SLOTS,
    STATS,
    TERRAIN,
    WIDE,
    O,
    Phase,
)

HEALTH = RULE.health
DIE = 6
CELLS = MOST_ROWS * MOST_COLUMNS
(
    OUTSIDE,
    OWN,
    ENEMY,
    LOOKS_AHEAD,
    DAMAGE_PLANE,
    REACH_PLANE,
    DEFENCE_PLANE,
) = (O.planes + CELLS * PLANES.index(name) for name in (*PLANES[:6], "defence_ahead"))
MAY_ACT = O.planes + CELLS * PLANES.index("may_act")


def _stats() -> np.ndarray:
    """What each card shows, every number over its highest: float32 (kind, STATS)."""
    shown = {
        "damage": DAMAGE / HIGHEST.damage,
        "reach": RANGE / HIGHEST.range,
        "movement": MOVEMENT / HIGHEST.movement,
        "charge": CHARGE / HIGHEST.charge,
        "counter": COUNTER,
        "ranged": CLASS == UnitClass.RANGED,
        "mounted": CLASS == UnitClass.MOUNTED,
        "front": DEFENCE[:, 0] / HIGHEST.defence,
        "right": DEFENCE[:, 1] / HIGHEST.defence,
        "back": DEFENCE[:, 2] / HIGHEST.defence,
        "left": DEFENCE[:, 3] / HIGHEST.defence,
    }
    return np.stack([shown[name] for name in STATS], axis=1).astype(np.float32)


def _outside() -> np.ndarray:
    """1 for each cell of the planes that lies outside a field: float32 (field, cells)."""
    inside = np.zeros((len(FIELDS), MOST_ROWS, MOST_COLUMNS), np.float32)
    for field in range(len(FIELDS)):
        inside[field, : ROWS[field], : COLUMNS[field]] = 1
    return 1 - inside.reshape(len(FIELDS), -1)


def _places() -> np.ndarray:
    """Number in the planes of each cell of the board; 0 in the ring."""
    row, column = np.divmod(np.arange(BOARD), WIDE)
    inside = (row >= 1) & (row <= MOST_ROWS) & (column >= 1) & (column <= MOST_COLUMNS)
    return np.where(inside, (row - 1) * MOST_COLUMNS + column - 1, 0)


PLACE = _places()
TENTH = (np.arange(10) / 10).astype(np.float32)
BOXES = (np.arange(HEALTH + 1) / HEALTH).astype(np.float32)
CARD = _stats()
OUTSIDE_OF = _outside()
EDGES = (np.stack([DEFENCE, np.roll(DEFENCE, 2, axis=1)]) / HIGHEST.defence).astype(
    np.float32
)  # (away, kind, way)


# -- observe -----------------------------------------------------------------------------------------------------------


@kernel
def observe(s, seat, out):
    """What `seat` may know, its own army first, the field as it lies before it."""
    out[O.phase + s.phase] = 1
    out[O.deciding] = s.seat == seat and not s.finished
    out[O.own_turn] = s.turn == seat and s.phase >= Phase.TURN
    out[O.attacker] = seat == 0
    out[O.field + s.field] = 1
    out[O.units] = s.units
    out[O.points] = s.points
    out[O.free_moves] = s.free_moves
    out[O.push] = s.push
    out[O.splash] = s.splash
    out[O.all_out] = s.all_out
    out[O.steps] = s.steps
    out[O.line + s.axis] = s.length
    out[O.owed] = s.owed
    out[O.turns_left] = max(0, s.max_turns - s.turns)
    field = s.field
    for cell in range(CELLS):
        out[OUTSIDE + cell] = OUTSIDE_OF[field, cell]
    for side in range(2):
        _observe_army(s, seat, side, out)
    if s.phase <= Phase.PLACE:
        _observe_deployment(s, seat, out)
    elif s.seat == seat and s.turn == seat:
        _observe_choice(s, seat, out)


@kernel
def _observe_army(s, seat, side, out):
    """One army: the observer's (side 0) or the enemy's."""
    owner = seat if side == 0 else 1 - seat
    if side == 0 or faction_is_known(s, owner):
        out[O.faction + side * NUM_FACTIONS + s.faction[owner]] = 1
    out[O.uses + side] = s.uses[owner]
    for slot in range(SLOTS):
        kind = s.kind[owner, slot]
        if kind != NONE:
            card, at = CARD[kind], O.card + side * NUM_STATS * SLOTS + slot
            for k in range(NUM_STATS):
                out[at + k * SLOTS] = card[k]
            chosen = is_chosen(s, owner, slot)
            out[O.unit + side * NUM_STATUS * SLOTS + slot] = chosen
            if s.cell[owner, slot] >= 0:
                _observe_unit(s, seat, side, owner, slot, chosen, out)


@kernel
def is_chosen(s, owner, slot):
    """The decision is about this unit: one of the player whose turn it is, but for an enemy that is being moved."""
    return s.phase >= Phase.TURN and s.chosen == slot and (s.turn == owner) != (s.phase == Phase.STEP)


@kernel
def _observe_unit(s, seat, side, owner, slot, chosen, out):
    """A unit that stands on the field: how it stands, and its marks in the planes."""
    kind, boxes = s.kind[owner, slot], BOXES[s.health[owner, slot]]
    place = PLACE[cell_seen_from(s, seat, s.cell[owner, slot])]
    away = (side + s.facing[owner, slot]) & 1  # it looks towards the observer's back row
    bit = (1 << slot) if s.turn == owner else 0
    pending = s.pending & bit != 0
    if side == 0:
        out[O.has_target + slot] = has_target(s, owner, slot)
    at = O.unit + side * NUM_STATUS * SLOTS + slot
    out[at + SLOTS] = TENTH[place // MOST_COLUMNS]
    out[at + 2 * SLOTS] = TENTH[place % MOST_COLUMNS]
    out[at + 3 * SLOTS] = boxes
    out[at + 4 * SLOTS] = away
    out[at + 5 * SLOTS] = s.moved & bit != 0
    out[at + 6 * SLOTS] = s.charged & bit != 0
    out[at + 7 * SLOTS] = pending
    out[(OWN if side == 0 else ENEMY) + place] = boxes
    out[LOOKS_AHEAD + place] = 1 - 2 * away
    out[DAMAGE_PLANE + place] = CARD[kind, 0]
    out[REACH_PLANE + place] = CARD[kind, 1]
    out[MAY_ACT + place] = pending or chosen
    for way in range(4):
        out[DEFENCE_PLANE + way * CELLS + place] = EDGES[away, kind, way]


@kernel
def _observe_deployment(s, seat, out):
    """What is still in hand, and the unit that has been shown and not yet placed."""
    for kind in range(NUM_KINDS):
        out[O.hand + kind] = s.hand[seat, kind]
        for side in range(2):
            out[O.to_deploy + side] += s.hand[seat if side == 0 else 1 - seat, kind]
    if s.phase == Phase.PLACE:
        out[O.deploying + s.chosen] = 1


@kernel
def _observe_choice(s, seat, out):
    """What the observer's choices come to, as numbers that stand for actions, in their order."""
    if s.phase == Phase.TARGET:
        for way in range(4):
            for reach in range(MOST_REACH):
                victim = target(s, seat, s.chosen, seen_from(seat, way), reach + 1)
                if victim != NONE:
                    cost = average_cost(s, 1 - seat, victim, s.kind[seat, s.chosen], seen_from(seat, way))
                    out[O.deals_to + way * MOST_REACH + reach] = cost
    elif s.phase in (Phase.TURN, Phase.VOLLEY):
        near = _near_enemies(s, seat)
        for slot in range(SLOTS):
            cell = s.cell[seat, slot]
            if cell >= 0:
                if near[cell]:
                    out[O.deals + slot] = deals(s, seat, slot, cell)
                    out[O.suffers + slot] = suffers(s, seat, slot, cell)
                if s.phase == Phase.TURN:
                    _observe_moves(s, seat, slot, near, out)


@kernel
def _near_enemies(s, seat):
    """Cells from which an enemy is in reach, or which one may reach, facing apart: int8 (BOARD,)."""
    near = np.zeros(BOARD, np.int8)
    for slot in range(SLOTS):
        cell = s.cell[1 - seat, slot]
        if cell >= 0:
            for step in STEP:
                near[cell + step] = 1
                if s.board[cell + step] != TERRAIN:
                    near[cell + 2 * step] = 1
    return near


@kernel
def _observe_moves(s, seat, slot, near, out):
    """A unit's moves."""
    cell, speed = s.cell[seat, slot], MOVEMENT[s.kind[seat, slot]]
    for way in range(4):
        step = STEP[seen_from(seat, way)]
        place = (slot * 4 + way) * MOST_DISTANCE
        there = cell + step
        for distance in range(speed):
            if s.board[there] != FREE:
                break
            if near[there]:
                out[O.deals_there + place + distance] = deals(s, seat, slot, there)
                out[O.suffers_there + place + distance] = suffers(s, seat, slot, there)
            there += step


@kernel
def average_cost(s, owner, slot, kind, direction):
    """What an attack by a unit of a kind in a direction costs on average, in lives; charge and powers apart."""
    chance = (DIE - DEFENCE[s.kind[owner, slot], side_hit(s, owner, slot, direction)]) / DIE
    return chance * BOXES[min(DAMAGE[kind], s.health[owner, slot])]


@kernel
def deals(s, seat, slot, cell):
    """What the best attack of a unit costs if it stands on a cell, in lives."""
    kind, facing, enemy, best = s.kind[seat, slot], facing_of(s, seat, slot), 1 - seat, 0.0
    for side in range(-1, 2):
        direction = (facing + side) & 3
        there = cell
        for _ in range(RANGE[kind]):
            if s.board[there] == TERRAIN:
                break
            there += STEP[direction]
            victim = enemy_on(s, seat, there)
            if victim != NONE:
                best = max(best, average_cost(s, enemy, victim, kind, direction))
    return best


@kernel
def suffers(s, seat, slot, cell):
    """What the attacks of all enemies that reach a unit cost if it stands on a cell, a life at most."""
    enemy, cost = 1 - seat, 0.0
    for direction in range(4):
        there = cell
        for reach in range(1, MOST_REACH + 1):
            if s.board[there] == TERRAIN:
                break
            there += STEP[direction]
            other = enemy_on(s, seat, there)
            back = (direction + OPPOSITE) & 3
            if other != NONE and RANGE[s.kind[enemy, other]] >= reach and may_strike(s, enemy, other, back):
                cost += average_cost(s, seat, slot, s.kind[enemy, other], back)
    return min(1.0, cost)


@kernel
def faction_is_known(s, owner):
    """Factions are revealed when all units stand; an elite unit that was shown gives one away before."""
    if s.phase > Phase.PLACE:
        return True
    if s.phase == Phase.PLACE and s.seat == owner and s.chosen >= NUM_REGULARS:
        return True
    for slot in range(SLOTS):
        if s.kind[owner, slot] >= NUM_REGULARS:
            return True
    return False


# -- determinize -------------------------------------------------------------------------------------------------------


@kernel
def determinize(s, seat):
    """Redraw the enemy's hand: a faction of the six unless it is known, regular cards of those not seen."""
    owner = 1 - seat
    if s.phase > Phase.PLACE:
        return
    regulars = 0
    for kind in range(NUM_REGULARS):
        regulars += s.hand[owner, kind]
        s.hand[owner, kind] = 0
    if not faction_is_known(s, owner):
        for kind in range(NUM_REGULARS, NUM_KINDS):
            s.hand[owner, kind] = 0
        s.faction[owner] = randint(s, NUM_FACTIONS)
        draw_elites(s, owner)
    draw_regulars(s, owner, regulars)
