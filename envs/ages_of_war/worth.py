"""How good a table looks to a seat: what the greedy and the searching player go by.

A unit is worth its boxes and its life, and a use of a power something, too. To that comes what the rest of the turn
will bring if it is spent as well as it looks: an attack with every point, by the best line that stands ready, or a move
that brings a unit to the enemy and attacks after it. So an action is good if it makes the points that are left worth
more than it costs: a power that strengthens them, an enemy turned around in front of them, a step into reach. What the
enemy does in its next turn, and the army after that, counts in the same way, for less. What an action has in hand is
counted as if it were played well, so that beginning one looks no worse than having done it.

The weights are ours and have no bearing on the rules. They were found by play: two greedy players whose weights
differed at random played each other, and the weights went towards those of the winner.
"""

from __future__ import annotations

import numpy as np

from ..engine.compile import kernel
from .components import (
    CHARGE,
    CLASS,
    COUNTER,
    DAMAGE,
    DEFENCE,
    MOVEMENT,
    NUM_REGULARS,
    POINTS,
    RANGE,
    RULE,
    Power,
    Side,
    UnitClass,
)
from .field import (
    NEARBY,
    OPPOSITE,
    STEP,
    belongs,
    carry,
    enemy_on,
    facing_of,
    friend_on,
    has_target,
    line_room,
    line_speed,
    may_strike,
    room,
    seen_from,
    shift_line,
    side_hit,
    spot_cell,
    spots_in,
    target,
    walk,
)
from .rules import is_charging, is_dead, line_direction, may_still_attack, placing
from .state import COLUMNS, FREE, NONE, ROWS, SLOTS, WIDE, Direction, Phase

DIE = 6
REVIVED, ENEMY_STEPS, MORE_POINTS = RULE.revived, RULE.enemy_steps, RULE.actions - 1
REGULAR = POINTS[:NUM_REGULARS].mean()
WORTH = np.where(np.arange(len(POINTS)) < NUM_REGULARS, 1.0, POINTS / REGULAR)  # of a box, by kind
LIFE = 0.64  # boxes that being alive is worth
AGAIN = 0.95  # what a further action of the turn brings, of what the first one does
NEXT, LATER = 0.31, 0.11  # the enemy's next turn, and the own one after that
REACH = 0.77  # of an attack for which a unit must move first
READY = 0.23  # of all attacks that are possible, whether there are points for them or not
MOVE = 0.12  # a point with which nobody can attack
NEAR, IN_SIGHT = 0.065, 0.4  # for every space nearer to the nearest enemy; for not having it behind
TOGETHER = 0.038  # for friends side by side
SHOVE = 0.26  # for every space that a target is pushed
FREE_MOVE, ALL_OUT = 0.3, 1.1  # a free move; of the attacks of an all-out attack
RETURN = 0.44  # of a unit that is about to be revived
USE_LEFT = np.array([0.3, 0.3, 0.1, 0.92, 0.58, 0.83])  # for every use of a power that is left, by Power
VOLLEY = 1.7  # of attacks that an action still holds, but for the one that is being made
IN_LINE, IN_FRONT, OFF_CENTRE = 0.03, 0.31, 0.057  # while armies are deployed
VICTORY = 1000.0
#: The chance that an attack by somebody who has yet to come near succeeds: half on the front, half on the weaker side.
OPEN = 1 - (DEFENCE[:, Side.FRONT] + np.minimum(DEFENCE[:, Side.RIGHT], DEFENCE[:, Side.LEFT])) / (2 * DIE)


@kernel
def value(s, seat):
    """How good the table looks to `seat`, in boxes."""
    if s.finished:
        return _outcome(s, seat)
    if s.phase <= Phase.PLACE:
        return _formation(s, seat) - _formation(s, 1 - seat)
    if seat == s.turn:
        if s.phase == Phase.LINE:
            return _line_worth(s)
        if s.phase == Phase.ENEMY:
            return _best_drive(s)
        if s.phase == Phase.DRIVE:
            return _drive_worth(s)
    return _standing_worth(s, seat)


@kernel
def _outcome(s, seat):
    """Won or lost, or neither."""
    places = np.zeros(2, np.int8)
    placing(s, places)
    if places[seat] == places[1 - seat]:
        return 0.0
    return VICTORY if places[seat] < places[1 - seat] else -VICTORY


@kernel
def _standing_worth(s, seat):
    """The table as the units stand, and what the turns to come will bring."""
    turn, other = s.turn, 1 - s.turn
    reach, contact = _approach(s, turn)
    their_reach, their_contact = _approach(s, other)
    worth = _army(s, turn) - _army(s, other) + TOGETHER * (_pairs(s, turn) - _pairs(s, other))
    worth += _own_turns(s, REACH * reach) - _enemy_turn(s, REACH * their_reach)
    return worth + contact if seat == turn else their_contact - worth


@kernel
def _army(s, seat):
    """Boxes, lives, uses of the power."""
    worth = USE_LEFT[s.faction[seat]] * s.uses[seat]
    for slot in range(SLOTS):
        if s.cell[seat, slot] >= 0:
            worth += WORTH[s.kind[seat, slot]] * (LIFE + s.health[seat, slot])
    return worth


@kernel
def _pairs(s, seat):
    """Friends side by side in a row: lines that can go and attack together."""
    pairs = 0
    for slot in range(SLOTS):
        cell = s.cell[seat, slot]
        pairs += cell >= 0 and belongs(s.board[cell + STEP[Direction.EAST]], seat)
    return pairs


@kernel
def _approach(s, seat):
    """The best attack for which a unit would have to move first; and how near the army is to the enemy.

    The second is how far the units are from their nearest enemies, and whether they can see them; armies that wait win
    nothing.
    """
    reach, contact = 0.0, 0.0
    for slot in range(SLOTS):
        cell, kind = s.cell[seat, slot], s.kind[seat, slot]
        if cell < 0:
            continue
        row, column = cell // WIDE, cell % WIDE
        nearest, ahead = 2 * WIDE, 0
        for enemy in range(SLOTS):
            there = s.cell[1 - seat, enemy]
            if there >= 0:
                spaces = abs(there // WIDE - row) + abs(there % WIDE - column)
                if spaces < nearest:
                    nearest, ahead = spaces, there // WIDE - row
                if spaces <= MOVEMENT[kind] + RANGE[kind]:
                    chance = OPEN[s.kind[1 - seat, enemy]]
                    reach = max(reach, chance * _loss(s, 1 - seat, enemy, DAMAGE[kind], LIFE))
        contact -= NEAR * max(0, nearest - RANGE[kind])
        contact -= IN_SIGHT * (ahead * (1 - facing_of(s, seat, slot)) < 0)
    return reach, contact


# -- the turns to come -------------------------------------------------------------------------------------------------


@kernel
def _own_turns(s, reach):
    """What this turn still brings, and the next one of the same player."""
    turn = s.turn
    attacks = np.zeros(
        (2, SLOTS)
    )  # the best of each unit: now; and again, when its charge and a weak enemy are gone
    shove = _get_ready(s, attacks)
    everybody = 0.0
    for slot in range(SLOTS):
        everybody += attacks[0, slot]
    first, again = _best_line(s, turn, attacks[0]), _best_line(s, turn, attacks[1])
    worth = READY * everybody + _rest_of_turn(s, first, again, everybody, reach) + _in_hand(s, attacks[0])
    if s.points > 0 or s.phase in (Phase.TARGET, Phase.AXIS):
        worth += shove
    later = (1 + AGAIN * MORE_POINTS) * max(again, reach)
    if _has_all_out(s):
        later = max(later, _all_out_turn(everybody, again, MORE_POINTS))
    return worth + LATER * later


@kernel
def _enemy_turn(s, reach):
    """What the enemy's next turn brings it."""
    other, everybody = 1 - s.turn, 0.0
    attacks = np.zeros(SLOTS)
    for slot in range(SLOTS):
        if s.cell[other, slot] >= 0 and has_target(s, other, slot):
            attacks[slot] = _best_attack(s, other, slot, 0, LIFE)
            everybody += attacks[slot]
    best = max(_best_line(s, other, attacks), reach)
    return READY * everybody + NEXT * (1 + AGAIN * MORE_POINTS) * best


@kernel
def _get_ready(s, attacks):
    """Fill in the best attack of each unit; returns what the power to push adds to one of them, at most."""
    turn, shove = s.turn, 0.0
    for slot in range(SLOTS):
        if s.cell[turn, slot] >= 0 and has_target(s, turn, slot):
            charge = CHARGE[s.kind[turn, slot]] if is_charging(s, slot) else 0
            attacks[0, slot] = _best_attack(s, turn, slot, charge, LIFE)
            attacks[1, slot] = _best_attack(s, turn, slot, 0, 0.0)
            if s.push > 0:
                shove = max(shove, _best_attack(s, turn, slot, charge + s.push, LIFE) - attacks[0, slot])
    return shove


@kernel
def _rest_of_turn(s, first, again, everybody, reach):
    """The points that are left: attacks, a move and then attacks, or an all-out attack; and free moves."""
    points, free = s.points, FREE_MOVE * s.free_moves
    if points == 0:
        return free
    if s.free_moves > 0:
        first, again = max(first, reach), max(again, reach)
    first, again = max(first, MOVE), max(again, MOVE)
    plan = max(first + AGAIN * again * (points - 1), MOVE + AGAIN * reach * (points - 1))
    if s.all_out > 0:
        plan = max(plan, ALL_OUT * everybody + AGAIN * again * (points - 1))
    elif points > 1 and _has_all_out(s):
        plan = max(plan, _all_out_turn(everybody, again, points - 1))
    return free + plan


@kernel
def _has_all_out(s):
    """The player whose turn it is has an all-out attack left."""
    return s.faction[s.turn] == Power.ALL_OUT_ATTACK and s.uses[s.turn] > 0


@kernel
def _all_out_turn(everybody, again, points):
    """An all-out attack and what points are left after it, less the use of the power; `points` are those after that."""
    return ALL_OUT * everybody + AGAIN * again * (points - 1) - USE_LEFT[Power.ALL_OUT_ATTACK]


@kernel
def _in_hand(s, attacks):
    """What an action has begun and not yet brought to an end."""
    worth = 0.0 - s.owed
    if s.phase in (Phase.TARGET, Phase.VOLLEY, Phase.AXIS):
        for slot in range(SLOTS):
            if slot == s.chosen:
                worth += attacks[slot]
            elif may_still_attack(s, slot):
                worth += VOLLEY * attacks[slot]
    elif s.phase == Phase.REVIVE:
        worth += RETURN * _best_return(s)
    elif s.phase == Phase.COLUMN:
        worth += RETURN * _return_worth(s, s.chosen)
    return worth


@kernel
def _best_return(s):
    """The best of the dead."""
    best = 0.0
    for slot in range(SLOTS):
        if is_dead(s, s.turn, slot):
            best = max(best, _return_worth(s, slot))
    return best


@kernel
def _return_worth(s, slot):
    """A unit that is revived."""
    return WORTH[s.kind[s.turn, slot]] * (LIFE + REVIVED)


# -- attacks -----------------------------------------------------------------------------------------------------------


@kernel
def _best_line(s, seat, attacks):
    """The best attack for one action: of all units in one unbroken line, a row or a column."""
    best = 0.0
    for slot in range(SLOTS):
        if attacks[slot] > 0:
            for axis in (Direction.NORTH, Direction.EAST):
                step = STEP[axis]
                before = friend_on(s, seat, s.cell[seat, slot] - step)
                if before == NONE or attacks[before] <= 0:  # otherwise it was, or will be, counted from there
                    best = max(best, _line_from(s, seat, s.cell[seat, slot], step, attacks))
    return best


@kernel
def _line_from(s, seat, cell, step, attacks):
    """The attacks of the units from a cell on."""
    worth = 0.0
    friend = friend_on(s, seat, cell)
    while friend != NONE:
        worth += attacks[friend]
        cell += step
        friend = friend_on(s, seat, cell)
    return worth


@kernel
def _best_attack(s, seat, slot, push, life):
    """Boxes that a unit's best attack is worth, at least nothing: it need not attack."""
    best = 0.0
    for direction in range(4):
        for reach in range(1, RANGE[s.kind[seat, slot]] + 1):
            victim = target(s, seat, slot, direction, reach)
            if victim != NONE:
                best = max(best, _attack_worth(s, seat, slot, victim, direction, push, life))
    return best


@kernel
def _attack_worth(s, seat, slot, victim, direction, push, life):
    """What an attack brings on average that pushes so many spaces, less what a counter costs; `life` for a kill."""
    enemy, kind, other = 1 - seat, s.kind[seat, slot], s.kind[1 - seat, victim]
    chance = (DIE - DEFENCE[other, side_hit(s, enemy, victim, direction)]) / DIE
    damage, worth = DAMAGE[kind], 0.0
    if push > 0:
        spaces = room(s, s.cell[enemy, victim], direction, push)
        damage += push - spaces
        worth += SHOVE * spaces
    if s.splash > 0 and seat == s.turn:
        worth += _splash_worth(s, enemy, s.cell[enemy, victim], life)
    worth = chance * (worth + _loss(s, enemy, victim, damage, life))
    return worth - (1 - chance) * _counter_worth(s, seat, slot, victim, direction)


@kernel
def _loss(s, owner, slot, damage, life):
    """What a unit loses by some damage; `life` as well if it falls."""
    health = s.health[owner, slot]
    return WORTH[s.kind[owner, slot]] * (damage if damage < health else health + life)


@kernel
def _splash_worth(s, enemy, cell, life):
    """What enemies beside a target lose."""
    worth = 0.0
    for direction in range(4):
        beside = enemy_on(s, 1 - enemy, cell + STEP[direction])
        if beside != NONE:
            worth += _loss(s, enemy, beside, s.splash, life)
    return worth


@kernel
def _counter_worth(s, seat, slot, victim, direction):
    """What a counter brings on average."""
    enemy, kind, other = 1 - seat, s.kind[seat, slot], s.kind[1 - seat, victim]
    back = (direction + OPPOSITE) & 3
    if CLASS[kind] == UnitClass.RANGED or CLASS[other] == UnitClass.RANGED:
        return 0.0
    if COUNTER[kind] == 0 or COUNTER[other] == 0 or not may_strike(s, enemy, victim, back):
        return 0.0
    chance = (DIE - DEFENCE[kind, side_hit(s, seat, slot, back)]) / DIE
    return chance * _loss(s, seat, slot, DAMAGE[other], LIFE)


# -- lines, enemies that are moved, deployment -------------------------------------------------------------------------


@kernel
def _line_worth(s):
    """The moving line, where it would stand best; the table is changed for a look at each place, and changed back."""
    seat, along, moved = s.turn, line_direction(s), s.moved
    speed = line_speed(s, seat, s.chosen, along, s.length)
    best = -VICTORY
    for way in range(4):
        direction = seen_from(seat, way)
        for spaces in range(1, line_room(s, seat, s.chosen, along, s.length, direction, speed) + 1):
            s.moved |= shift_line(s, seat, s.chosen, along, s.length, direction, spaces)
            best = max(best, _standing_worth(s, seat))
            shift_line(s, seat, s.chosen, along, s.length, (direction + OPPOSITE) & 3, spaces)
            s.moved = moved
    return best if best > -VICTORY else _standing_worth(s, seat)


@kernel
def _best_drive(s):
    """The power over an enemy unit: the one that it would harm most."""
    best = -VICTORY
    for slot in range(SLOTS):
        if s.cell[1 - s.turn, slot] >= 0:
            s.chosen = slot
            best = max(best, _drive_worth(s))
    s.chosen = NONE
    return best


@kernel
def _drive_worth(s):
    """The enemy unit, where it would stand worst; the table is changed for a look at each way, and changed back."""
    seat, enemy, slot, best = s.turn, 1 - s.turn, s.chosen, -VICTORY
    cell = s.cell[enemy, slot]
    spots = spots_in(walk(s, cell, ENEMY_STEPS))
    for k in range(len(NEARBY)):
        if (spots >> NEARBY[k]) & 1:
            carry(s, enemy, slot, spot_cell(0, cell, NEARBY[k]))
            best = max(best, _standing_worth(s, seat))
            carry(s, enemy, slot, cell)
    s.facing[enemy, slot] ^= 1
    best = max(best, _standing_worth(s, seat))
    for direction in range(4):
        if s.board[cell + STEP[direction]] == FREE:
            carry(s, enemy, slot, cell + STEP[direction])
            best = max(best, _standing_worth(s, seat))
            carry(s, enemy, slot, cell)
    s.facing[enemy, slot] ^= 1
    return best


@kernel
def _formation(s, seat):
    """Units that are being deployed: in lines near the middle, archers behind those that fight hand to hand."""
    worth = 0.0
    front = ROWS[s.field] // 2 - 1
    for slot in range(SLOTS):
        cell = s.cell[seat, slot]
        if cell >= 0:
            row = cell // WIDE if seat == 0 else ROWS[s.field] + 1 - cell // WIDE
            wanted = front if RANGE[s.kind[seat, slot]] == 1 else front - 1
            worth -= IN_FRONT * abs(row - wanted)
            worth -= OFF_CENTRE * abs(2 * (cell % WIDE) - COLUMNS[s.field] - 1)
            for direction in (Direction.EAST, Direction.WEST):
                worth += IN_LINE * (friend_on(s, seat, cell + STEP[direction]) != NONE)
    return worth
