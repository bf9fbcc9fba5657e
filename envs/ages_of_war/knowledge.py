"""What a seat sees, and a world that it cannot tell from the real one.

The battle is open; hidden are, until all units stand, a faction, its elite units and the regular units in hand. A
deployed elite unit gives its faction away, for every elite card belongs to one faction.
"""

from __future__ import annotations

import numpy as np

from ..engine.chance import randint
from ..engine.compile import kernel, lowest_bit
from .components import (
    CHARGE,
    COPIES,
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
)
from .field import (
    ARC,
    COLUMN_OF,
    OPPOSITE,
    ROW_OF,
    STEP,
    TO_SPOT,
    WAYS,
    WINDOW,
    seen_from,
    side_hit,
    spot_seen_from,
    spots_in,
    target,
    view,
    walk_of,
)
from .rules import cards_left, draw_elites, draw_regulars, turns_without_damage
from .state import (
    BOARD,
    LINES,
    MARGIN,
    MOST_COLUMNS,
    MOST_DISTANCE,
    MOST_REACH,
    MOST_ROWS,
    NONE,
    NUM_STATS,
    NUM_STATUS,
    PLANES,
    SLOTS,
    SPAN,
    SPOTS,
    STATS,
    STATUS,
    WIDE,
    O,
    Phase,
)

HEALTH = RULE.health
DIE = 6
CELLS = MOST_ROWS * MOST_COLUMNS
MOVED = STATUS.index("moved")
BEYOND = (
    MOST_REACH * WIDE
)  # cells of the rows off the board, before it and after it, which take what falls there
CONTESTED = BEYOND + BOARD + BEYOND
LOOKS_AHEAD = O.planes + CELLS * PLANES.index("looks_ahead")

# A fighter is what a unit is to enemies near it: a number of eight bytes, one for each cell within the longest reach,
# by distance, then by way as its army sees it. A byte holds the unit's damage if it strikes that cell, and above it a
# one for each face of the die that beats the side which the unit turns that way. Each army sees the other's unit on the
# same way, for what lies ahead to one lies ahead to the other; so the foes of a cell are the bytes of all for it.
BYTE_BITS, DAMAGE_BITS = 8, 2
REACH_BITS = WAYS * BYTE_BITS  # the bytes of one distance
BYTE, DAMAGES, FACES = 0xFF, 0x03030303, (1 << DIE) - 1
BYTES = np.left_shift(np.uint64(BYTE), np.arange(0, 64, BYTE_BITS, dtype=np.uint64)).view(np.int64)


def _stats() -> np.ndarray:
    """What each card shows, every number over its highest: float32 (kind, STATS)."""
    shown = {
        "damage": DAMAGE / HIGHEST.damage,
        "reach": RANGE / HIGHEST.range,
        "movement": MOVEMENT / HIGHEST.movement,
        "charge": CHARGE / HIGHEST.charge,
        "counter": COUNTER,
        "front": DEFENCE[:, 0] / HIGHEST.defence,
        "right": DEFENCE[:, 1] / HIGHEST.defence,
        "back": DEFENCE[:, 2] / HIGHEST.defence,
        "left": DEFENCE[:, 3] / HIGHEST.defence,
    }
    return np.stack([shown[name] for name in STATS], axis=1).astype(np.float32)


def _fighters() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Fighters; the bits of foes that a unit strikes; faces that beat it, last way first: int64 (facing, kind)."""
    fighters, strikes, beaten_by = (np.zeros((2, NUM_KINDS), np.uint64) for _ in range(3))
    for facing, kind, way in np.ndindex(2, NUM_KINDS, WAYS):
        faces = DIE - int(DEFENCE[kind, (way + OPPOSITE * facing) % len(Side)])
        beaten_by[facing, kind] |= np.uint64(faces << BYTE_BITS * (WAYS - 1 - way))
        for distance in range(MOST_REACH):
            at = BYTE_BITS * (distance * WAYS + way)
            struck = int(ARC[facing, kind]) >> (way * MOST_DISTANCE + distance) & 1
            byte = ((1 << faces) - 1) << DAMAGE_BITS | struck * int(DAMAGE[kind])
            fighters[facing, kind] |= np.uint64(byte << at)
            strikes[facing, kind] |= np.uint64(struck * FACES << DAMAGE_BITS << at)
    return fighters.view(np.int64), strikes.view(np.int64), beaten_by.view(np.int64)


def _costs() -> np.ndarray:
    """What an attack costs on average, in lives: float32 (damage, the faces that beat its target as ones)."""
    faces = np.array([ones.bit_length() for ones in range(FACES + 1)])
    return (np.outer(np.arange(HIGHEST.damage + 1), faces) / (DIE * HEALTH)).astype(np.float32)


PLACE = ROW_OF * MOST_COLUMNS + COLUMN_OF  # by cell
ROW, COLUMN = ((line / 10).astype(np.float32) for line in (ROW_OF, COLUMN_OF))
BOXES = (np.arange(HEALTH + 1) / HEALTH).astype(np.float32)
CARD = _stats()
FIGHTER, STRIKES, BEATEN_BY = _fighters()
COST = _costs()
SUFFERED = np.minimum(np.arange(BYTE + 1) / (DIE * HEALTH), 1).astype(np.float32)  # by faces times damage


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
    out[O.line + s.axis] = s.length
    out[O.owed] = s.owed
    out[O.turns_left] = max(0, s.max_turns - s.turns)
    out[O.quiet] = turns_without_damage(s)
    out[O.quiet_turns] = s.quiet_turns
    for side in range(2):
        _observe_army(s, seat, side, out)
    if s.phase <= Phase.PLACE:
        _observe_deployment(s, seat, out)
    else:
        _observe_turn(s, int(s.turn != seat), out)
        if s.seat == seat == s.turn and not s.finished:
            if s.phase == Phase.TARGET:
                _observe_targets(s, seat, out)
            elif s.phase in (Phase.TURN, Phase.VOLLEY):
                _observe_exchanges(s, seat, out)


@kernel
def _observe_army(s, seat, side, out):
    """One army: the observer's (side 0) or the enemy's."""
    owner = seat if side == 0 else 1 - seat
    if side == 0 or faction_is_known(s, owner):
        out[O.faction + side * NUM_FACTIONS + s.faction[owner]] = 1
    out[O.uses + side] = s.uses[owner]
    if s.chosen != NONE and is_chosen(s, owner, s.chosen):
        out[O.unit + side * NUM_STATUS * SLOTS + s.chosen] = 1
    corner, turn = view(s, seat)
    for slot in range(SLOTS):
        kind = s.kind[owner, slot]
        if kind == NONE:
            break
        at = O.card + side * NUM_STATS * SLOTS + slot
        for k in range(NUM_STATS):
            out[at + k * SLOTS] = CARD[kind, k]
        cell = s.cell[owner, slot]
        if cell >= 0:
            _observe_unit(s, side, owner, slot, corner + turn * cell, out)


@kernel
def is_chosen(s, owner, slot):
    """The decision is about this unit: one of the player whose turn it is, but for an enemy that is being moved."""
    return s.phase >= Phase.TURN and s.chosen == slot and (s.turn == owner) != (s.phase == Phase.DRIVE)


@kernel
def _observe_unit(s, side, owner, slot, cell, out):
    """A unit that stands on a cell, as the observer sees it, and its marks in the planes."""
    boxes, place = BOXES[s.health[owner, slot]], PLACE[cell]
    away = (side + s.facing[owner, slot]) & 1  # it looks towards the observer's back row
    at = O.unit + side * NUM_STATUS * SLOTS + slot
    out[at + SLOTS] = ROW[cell]
    out[at + 2 * SLOTS] = COLUMN[cell]
    out[at + 3 * SLOTS] = boxes
    out[at + 4 * SLOTS] = away
    out[O.planes + side * CELLS + place] = boxes
    out[LOOKS_AHEAD + place] = 1 - 2 * away


@kernel
def _observe_turn(s, side, out):
    """Which units of the army whose turn it is have moved, have used their charge, may still attack.

    Of dead ones the charge alone still counts: one that is revived in this turn has used it.
    """
    at = O.unit + (side * NUM_STATUS + MOVED) * SLOTS
    for slot in range(SLOTS):
        stands = s.cell[s.turn, slot] >= 0
        out[at + slot] = stands & (s.moved >> slot)
        out[at + SLOTS + slot] = (s.charged >> slot) & 1
        out[at + 2 * SLOTS + slot] = stands & (s.pending >> slot)


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
def _observe_targets(s, seat, out):
    """What each attack of the unit whose attack it is costs."""
    for way in range(WAYS):
        direction = seen_from(seat, way)
        for distance in range(MOST_REACH):
            victim = target(s, seat, s.chosen, direction, distance + 1)
            if victim != NONE:
                faces = DIE - DEFENCE[s.kind[1 - seat, victim], side_hit(s, 1 - seat, victim, direction)]
                cost = COST[DAMAGE[s.kind[seat, s.chosen]], (1 << faces) - 1]
                out[O.deals_to + way * MOST_REACH + distance] = cost


@kernel
def _observe_exchanges(s, seat, out):
    """What each unit deals and suffers where it stands and, before an action, after each move.

    One loop does it all: to hand its arrays on to other kernels for every unit would take longer than what it computes.
    """
    foes = np.zeros(CONTESTED + LINES + 2 * MARGIN, np.int64)  # foes by cell; then cells with foes by row
    _show_foes(s, seat, foes)
    if s.phase == Phase.TURN:
        _contest(s, 1 - seat, foes)
    corner, turn = view(s, seat)
    for slot in range(SLOTS):
        if s.cell[seat, slot] < 0:
            continue
        cell, facing, kind = corner + turn * s.cell[seat, slot], s.facing[seat, slot], s.kind[seat, slot]
        cell += BEYOND
        out[O.deals + slot] = deals(facing, kind, foes[cell])
        out[O.suffers + slot] = suffers(facing, kind, foes[cell])
        row, column = ROW_OF[s.cell[seat, slot]], COLUMN_OF[s.cell[seat, slot]]
        near = np.int64(0)
        for k in range(SPAN):
            near |= ((foes[CONTESTED + row + k] >> column) & WINDOW) << (SPAN * k)
        spots = spots_in(walk_of(s, seat, slot) & near)
        while spots > 0:
            spot = spot_seen_from(seat, lowest_bit(spots))
            spots &= spots - 1
            there = foes[cell + TO_SPOT[spot]]
            out[O.deals_there + slot * SPOTS + spot] = deals(facing, kind, there)
            out[O.suffers_there + slot * SPOTS + spot] = suffers(facing, kind, there)


@kernel
def _show_foes(s, seat, foes):
    """Put each byte of every enemy on the cell where it belongs, as `seat` sees the field."""
    corner, turn = view(s, seat)
    for slot in range(SLOTS):
        if s.cell[1 - seat, slot] >= 0:
            cell = BEYOND + corner + turn * s.cell[1 - seat, slot]
            fighter = FIGHTER[s.facing[1 - seat, slot], s.kind[1 - seat, slot]]
            for distance in range(MOST_REACH):
                for way in range(WAYS):
                    foes[cell - (distance + 1) * STEP[way]] |= fighter & BYTES[distance * WAYS + way]


@kernel
def _contest(s, enemy, foes):
    """Cells with an enemy within the longest reach, ahead, behind or to a side, by row as in `taken`."""
    for line in range(LINES):
        held = np.int64(s.strips[enemy, 0, line])
        for distance in range(1, MOST_REACH + 1):
            foes[CONTESTED + MARGIN + line] |= held << distance | held >> distance
            foes[CONTESTED + MARGIN + line + distance] |= held
            foes[CONTESTED + MARGIN + line - distance] |= held


@kernel
def deals(facing, kind, foes):
    """What a unit's best attack on the foes of its cell costs on average, in lives; charge and powers apart."""
    struck = foes & STRIKES[facing, kind]
    struck |= struck >> REACH_BITS  # all bytes come down into the first: the longest run of ones is left
    struck |= struck >> 2 * BYTE_BITS
    struck |= struck >> BYTE_BITS
    return COST[DAMAGE[kind], (struck >> DAMAGE_BITS) & FACES]


@kernel
def suffers(facing, kind, foes):
    """What the attacks of all the foes of its cell cost a unit on average, in lives, one at most."""
    damage = (foes & DAMAGES) + ((foes >> REACH_BITS) & DAMAGES)  # by way, near and far
    product = damage * BEATEN_BY[facing, kind]  # the byte of its last way is the sum of damage times faces
    return SUFFERED[(product >> (WAYS - 1) * BYTE_BITS) & BYTE]


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
    """Redraw the enemy's hand: a faction of the six unless it is known, regular cards as deals that fit have them."""
    owner = 1 - seat
    if s.phase > Phase.PLACE:
        return
    regulars = 0
    for kind in range(NUM_REGULARS):
        regulars += s.hand[owner, kind]
    if not faction_is_known(s, owner):
        for kind in range(NUM_REGULARS, NUM_KINDS):
            s.hand[owner, kind] = 0
        s.faction[owner] = randint(s, NUM_FACTIONS)
        draw_elites(s, owner)
    fits = False
    while not fits:
        s.hand[owner, :NUM_REGULARS] = 0
        draw_regulars(s, owner, regulars)
        fits = randint(s, 1 << _twins(s, owner)) == 0


@kernel
def _twins(s, owner):
    """Kinds of which one card was shown and the other was drawn into the hand.

    All deals that fit are equally likely. Of a kind that was shown once, twice as many deals give one card, either of
    the two, as give both; so for each such kind half of the hands that hold the second one are drawn again.
    """
    twins = 0
    for kind in range(NUM_REGULARS):
        twins += s.hand[owner, kind] > 0 and cards_left(s, owner, kind) + s.hand[owner, kind] < COPIES[kind]
    return twins
