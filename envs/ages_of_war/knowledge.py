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
    Side,
    UnitClass,
)
from .field import (
    ARC,
    COLUMN_OF,
    ENEMIES,
    FIRST_SPOT,
    FREE_CELLS,
    FRIENDS,
    NEAR_ENEMIES,
    OPPOSITE,
    ROW_OF,
    SPOTS,
    STAY,
    STRIPS,
    TO_SPOT,
    WAYS,
    arc_of,
    around,
    mark,
    mark_free_cells,
    mark_near_enemies,
    view,
    within,
)
from .rules import draw_elites, draw_regulars
from .state import (
    BOARD,
    MOST_COLUMNS,
    MOST_DISTANCE,
    MOST_REACH,
    MOST_ROWS,
    NONE,
    NUM_STATS,
    NUM_STATUS,
    PLANES,
    SLOTS,
    STATS,
    O,
    Phase,
)

HEALTH = RULE.health
DIE = 6
CELLS = MOST_ROWS * MOST_COLUMNS
LOOKS_AHEAD = O.planes + CELLS * PLANES.index("looks_ahead")

# A fighter is what counts of a unit in an attack, as bits of a number: for each way, as its army sees it, the faces of
# the die that beat the side which it turns that way; the spots that it strikes; its damage; its boxes.
WAY_BITS, DAMAGE_BITS, BOX_BITS = 3, 2, 3
STRIKES_AT = WAYS * WAY_BITS
DAMAGE_AT = STRIKES_AT + SPOTS
BOXES_AT = DAMAGE_AT + DAMAGE_BITS


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


def _fighters() -> np.ndarray:
    """Fighters without boxes: int32 (facing, kind)."""
    fighters = ARC.astype(np.int32) << STRIKES_AT | DAMAGE.astype(np.int32) << DAMAGE_AT
    for facing, way in np.ndindex(2, WAYS):
        side = (way + OPPOSITE * facing) % len(Side)
        fighters[facing] |= (DIE - DEFENCE[:, side]) << (way * WAY_BITS)
    return fighters


def _costs() -> np.ndarray:
    """What an attack costs on average, in lives: (whether there is one, hits, damage, boxes).

    Every axis has a power of two of numbers, those that cannot be among them.
    """
    costs = np.zeros((2, 1 << WAY_BITS, 1 << DAMAGE_BITS, 1 << BOX_BITS))
    for hits, damage, boxes in np.ndindex(DIE + 1, HIGHEST.damage + 1, HEALTH + 1):
        costs[1, hits, damage, boxes] = hits / DIE * float(BOXES[min(damage, boxes)])
    return costs


TENTH = (np.arange(10) / 10).astype(np.float32)
BOXES = (np.arange(HEALTH + 1) / HEALTH).astype(np.float32)
CARD = _stats()
FIGHTER = _fighters()
COST = _costs()


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
    strips = np.zeros((NEAR_ENEMIES + 1, 2, STRIPS), np.int32)
    fighters = np.zeros(BOARD, np.int32)
    for side in range(2):
        _observe_army(s, seat, side, strips, fighters, out)
    if s.phase <= Phase.PLACE:
        _observe_deployment(s, seat, out)
    else:
        _observe_contact(s, seat, strips, fighters, out)


@kernel
def _observe_army(s, seat, side, strips, fighters, out):
    """One army: the observer's (side 0) or the enemy's; its units are also put on the strips and among the fighters."""
    owner = seat if side == 0 else 1 - seat
    if side == 0 or faction_is_known(s, owner):
        out[O.faction + side * NUM_FACTIONS + s.faction[owner]] = 1
    out[O.uses + side] = s.uses[owner]
    corner, turn = view(s, seat)
    chosen = s.chosen if is_chosen(s, owner, s.chosen) else NONE
    for slot in range(SLOTS):
        kind = s.kind[owner, slot]
        if kind == NONE:
            break
        at = O.card + side * NUM_STATS * SLOTS + slot
        for k in range(NUM_STATS):
            out[at + k * SLOTS] = CARD[kind, k]
        out[O.unit + side * NUM_STATUS * SLOTS + slot] = slot == chosen
        cell = s.cell[owner, slot]
        if cell >= 0:
            cell = corner + turn * cell
            mark(strips, FRIENDS + side, cell)
            fighters[cell] = fighter(s, owner, slot)
            _observe_unit(s, side, owner, slot, cell, out)


@kernel
def is_chosen(s, owner, slot):
    """The decision is about this unit: one of the player whose turn it is, but for an enemy that is being moved."""
    return s.phase >= Phase.TURN and s.chosen == slot and (s.turn == owner) != (s.phase == Phase.STEP)


@kernel
def _observe_unit(s, side, owner, slot, cell, out):
    """A unit that stands on a cell, as the observer sees it, and its marks in the planes."""
    row, column, boxes = ROW_OF[cell], COLUMN_OF[cell], BOXES[s.health[owner, slot]]
    away = (side + s.facing[owner, slot]) & 1  # it looks towards the observer's back row
    acts = s.turn == owner
    at = O.unit + side * NUM_STATUS * SLOTS + slot
    out[at + SLOTS] = TENTH[row]
    out[at + 2 * SLOTS] = TENTH[column]
    out[at + 3 * SLOTS] = boxes
    out[at + 4 * SLOTS] = away
    out[at + 5 * SLOTS] = acts & (s.moved >> slot)
    out[at + 6 * SLOTS] = acts & (s.charged >> slot)
    out[at + 7 * SLOTS] = acts & (s.pending >> slot)
    place = row * MOST_COLUMNS + column
    out[O.planes + side * CELLS + place] = boxes
    out[LOOKS_AHEAD + place] = 1 - 2 * away


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
def _observe_contact(s, seat, strips, fighters, out):
    """Whom the observer's units can attack and, if it acts, what its choices come to."""
    corner, turn = view(s, seat)
    acts = s.seat == seat and s.turn == seat
    mark_free_cells(s, strips)
    mark_near_enemies(strips)
    for slot in range(SLOTS):
        cell = s.cell[seat, slot]
        if cell >= 0:
            cell = corner + turn * cell
            enemies = around(strips, ENEMIES, cell)
            out[O.has_target + slot] = enemies & arc_of(s, seat, slot) != 0
            if acts and s.phase in (Phase.TURN, Phase.VOLLEY):
                _observe_exchanges(s, seat, slot, cell, strips, fighters, out)
    if acts and s.phase == Phase.TARGET:
        _observe_targets(s, seat, corner + turn * s.cell[seat, s.chosen], strips, fighters, out)


@kernel
def _observe_targets(s, seat, cell, strips, fighters, out):
    """What each attack of the unit whose attack it is costs."""
    spots = around(strips, ENEMIES, cell) & arc_of(s, seat, s.chosen)
    while spots > 0:
        spot = FIRST_SPOT[spots]
        spots &= spots - 1
        at = spot // MOST_DISTANCE * MOST_REACH + spot % MOST_DISTANCE
        out[O.deals_to + at] = attack_cost(fighters[cell], fighters[cell + TO_SPOT[spot]], spot)


@kernel
def _observe_exchanges(s, seat, slot, cell, strips, fighters, out):
    """What a unit deals and suffers where it stands and, before an action, after each move; nothing if far off."""
    spots = around(strips, NEAR_ENEMIES, cell) if s.phase == Phase.TURN else 0
    spots &= within(around(strips, FREE_CELLS, cell), MOVEMENT[s.kind[seat, slot]])
    spots |= (around(strips, ENEMIES, cell) != 0) << STAY
    while spots > 0:
        spot = FIRST_SPOT[spots]
        spots &= spots - 1
        there = cell + TO_SPOT[spot]
        deals, suffers = exchange(fighters[cell], fighters, there, around(strips, ENEMIES, there))
        at = slot * SPOTS + spot
        out[O.deals_there + at if spot != STAY else O.deals + slot] = deals
        out[O.suffers_there + at if spot != STAY else O.suffers + slot] = suffers


@kernel
def fighter(s, owner, slot):
    """A unit as a fighter."""
    return FIGHTER[s.facing[owner, slot], s.kind[owner, slot]] | s.health[owner, slot] << BOXES_AT


@kernel
def exchange(unit, fighters, cell, spots):
    """What a unit deals at best to the enemies on these spots of a cell, and suffers from them, a life at most."""
    deals, suffers = 0.0, 0.0
    while spots > 0:
        spot = FIRST_SPOT[spots]
        spots &= spots - 1
        foe = fighters[cell + TO_SPOT[spot]]
        deals = max(deals, attack_cost(unit, foe, spot))
        suffers += attack_cost(foe, unit, spot)
    return deals, min(1.0, suffers)


@kernel
def attack_cost(unit, other, spot):
    """What an attack of a fighter on another costs on average, in lives; charge and powers apart.

    Each army sees the other's unit on the same spot, for what lies ahead to one lies ahead to the other.
    """
    way = spot // MOST_DISTANCE
    return COST[
        (unit >> (STRIKES_AT + spot)) & 1,
        (other >> (way * WAY_BITS)) & ((1 << WAY_BITS) - 1),
        (unit >> DAMAGE_AT) & ((1 << DAMAGE_BITS) - 1),
        other >> BOXES_AT,
    ]


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
