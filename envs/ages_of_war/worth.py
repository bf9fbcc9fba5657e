"""How good a table looks to a seat: what the greedy and the searching player go by.

A unit is worth its boxes and its life. To that come the attacks that both armies can make from where they stand, at
what they are worth on average, and how near the armies are to each other. In the middle of an action, what the action
has in hand is counted as if it were played well, so that beginning one looks no worse than having done it.

The weights are ours and have no bearing on the rules.
"""

from __future__ import annotations

import numpy as np

from ..engine.compile import kernel
from .components import CHARGE, CLASS, COUNTER, DAMAGE, DEFENCE, POINTS, RANGE, RULE, UnitClass
from .field import (
    NEARBY,
    OPPOSITE,
    STEP,
    carry,
    enemy_on,
    facing_of,
    friend_on,
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
from .state import FREE, NONE, ROWS, SLOTS, WIDE, Phase

DIE = 6
REVIVED, ENEMY_STEPS = RULE.revived, RULE.enemy_steps
WORTH = POINTS / POINTS.min()  # of a box, by kind
LIFE = 2.0  # boxes that being alive is worth
OWN_ATTACKS = np.array([0.6, 0.7, 0.75, 0.8])  # by the action points left in the own turn
ENEMY_ATTACKS = np.array([0.5, 0.45, 0.4, 0.35])
NEAR, IN_SIGHT = 0.15, 0.2  # for every space nearer to the nearest enemy; for not having it behind
SHOVE = 0.15  # for every space that a target is pushed
USE_LEFT = 0.45  # for every use of a power that is left
PUSH_READY, FREE_MOVE, ENEMY_POINT, ALL_OUT = 0.5, 0.35, 0.4, 0.3
VOLLEY = 0.95  # of attacks that an action still holds
IN_LINE, IN_FRONT = 0.1, 0.15  # while armies are deployed
VICTORY = 1000.0


@kernel
def value(s, seat):
    """How good the table looks to `seat`, in boxes."""
    if s.finished:
        return _outcome(s, seat)
    if s.phase <= Phase.PLACE:
        return _formation(s, seat) - _formation(s, 1 - seat)
    if s.phase == Phase.LINE and seat == s.turn:
        return _line_worth(s)
    if s.phase == Phase.DRIVE and seat == s.turn:
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
    """The table as the units stand."""
    points = min(s.points, len(OWN_ATTACKS) - 1) if seat == s.turn else 0
    own, enemy = _attacks(s, seat), _attacks(s, 1 - seat)
    worth = _army(s, seat) - _army(s, 1 - seat) + _contact(s, seat)
    worth += USE_LEFT * (s.uses[seat] - s.uses[1 - seat])
    worth += OWN_ATTACKS[points] * own - ENEMY_ATTACKS[points] * enemy
    return worth + (_in_hand(s, own) if seat == s.turn else -_in_hand(s, enemy))


@kernel
def _in_hand(s, attacks):
    """What the turn has begun and not yet brought to an end."""
    worth = FREE_MOVE * s.free_moves - s.owed
    if s.points > 0 and attacks > 0:
        worth += PUSH_READY * s.push + ALL_OUT * attacks * min(s.all_out, 1)
    if s.phase in (Phase.TARGET, Phase.VOLLEY, Phase.AXIS):
        worth += _volley(s)
    elif s.phase == Phase.ENEMY:
        worth += ENEMY_POINT * ENEMY_STEPS
    elif s.phase == Phase.REVIVE:
        worth += _best_return(s)
    elif s.phase == Phase.COLUMN:
        worth += WORTH[s.kind[s.turn, s.chosen]] * (LIFE + REVIVED)
    return worth


@kernel
def _volley(s):
    """Attacks that the action still holds."""
    worth = 0.0
    for slot in range(SLOTS):
        if slot == s.chosen and s.phase != Phase.VOLLEY:
            worth += _best_attack(s, s.turn, slot)
        elif may_still_attack(s, slot):
            worth += VOLLEY * _best_attack(s, s.turn, slot)
    return worth


@kernel
def _best_return(s):
    """The best of the dead."""
    best = 0.0
    for slot in range(SLOTS):
        if is_dead(s, s.turn, slot):
            best = max(best, WORTH[s.kind[s.turn, slot]])
    return best * (LIFE + REVIVED)


@kernel
def _army(s, seat):
    """Boxes and lives."""
    worth = 0.0
    for slot in range(SLOTS):
        if s.cell[seat, slot] >= 0:
            worth += WORTH[s.kind[seat, slot]] * (LIFE + s.health[seat, slot])
    return worth


@kernel
def _contact(s, seat):
    """How near the units are to their nearest enemies, and whether they can see them; armies that wait win nothing."""
    worth = 0.0
    for slot in range(SLOTS):
        cell = s.cell[seat, slot]
        if cell >= 0:
            enemy = s.cell[1 - seat, _nearest(s, seat, cell)]
            spaces = abs(enemy // WIDE - cell // WIDE) + abs(enemy % WIDE - cell % WIDE)
            worth -= NEAR * max(0, spaces - RANGE[s.kind[seat, slot]])
            behind = (enemy // WIDE - cell // WIDE) * (1 - facing_of(s, seat, slot)) < 0
            worth -= IN_SIGHT * behind
    return worth


@kernel
def _nearest(s, seat, cell):
    """Slot of the enemy nearest to a cell."""
    row, column, nearest, best = cell // WIDE, cell % WIDE, 0, 2 * WIDE
    for slot in range(SLOTS):
        other = s.cell[1 - seat, slot]
        if other >= 0:
            spaces = abs(other // WIDE - row) + abs(other % WIDE - column)
            if spaces < best:
                nearest, best = slot, spaces
    return nearest


# -- attacks -----------------------------------------------------------------------------------------------------------


@kernel
def _attacks(s, seat):
    """The best attack of every unit, on average."""
    worth = 0.0
    for slot in range(SLOTS):
        if s.cell[seat, slot] >= 0:
            worth += _best_attack(s, seat, slot)
    return worth


@kernel
def _best_attack(s, seat, slot):
    """Boxes that a unit's best attack is worth, at least nothing: it need not attack."""
    best = 0.0
    for direction in range(4):
        for reach in range(1, RANGE[s.kind[seat, slot]] + 1):
            victim = target(s, seat, slot, direction, reach)
            if victim != NONE:
                best = max(best, _attack_worth(s, seat, slot, victim, direction))
    return best


@kernel
def _attack_worth(s, seat, slot, victim, direction):
    """What an attack brings on average, less what a counter costs."""
    enemy, kind, other = 1 - seat, s.kind[seat, slot], s.kind[1 - seat, victim]
    chance = (DIE - DEFENCE[other, side_hit(s, enemy, victim, direction)]) / DIE
    damage, worth = DAMAGE[kind], 0.0
    if seat == s.turn:
        push = s.push + (CHARGE[kind] if is_charging(s, slot) else 0)
        if push > 0:
            spaces = room(s, s.cell[enemy, victim], direction, push)
            damage += push - spaces
            worth += SHOVE * spaces
        if s.splash > 0:
            worth += _splash_worth(s, enemy, s.cell[enemy, victim])
    worth = chance * (worth + _loss(s, enemy, victim, damage))
    return worth - (1 - chance) * _counter_worth(s, seat, slot, victim, direction)


@kernel
def _loss(s, owner, slot, damage):
    """What a unit loses by some damage."""
    health = s.health[owner, slot]
    return WORTH[s.kind[owner, slot]] * (damage if damage < health else health + LIFE)


@kernel
def _splash_worth(s, enemy, cell):
    """What enemies beside a target lose."""
    worth = 0.0
    for direction in range(4):
        beside = enemy_on(s, 1 - enemy, cell + STEP[direction])
        if beside != NONE:
            worth += _loss(s, enemy, beside, s.splash)
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
    return chance * _loss(s, seat, slot, DAMAGE[other])


# -- lines and deployment ----------------------------------------------------------------------------------------------


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
    """Units that are being deployed: in lines, those that fight hand to hand in front, archers behind them."""
    worth = 0.0
    front = ROWS[s.field] // 2 - 1
    for slot in range(SLOTS):
        cell = s.cell[seat, slot]
        if cell >= 0:
            row = cell // WIDE if seat == 0 else ROWS[s.field] + 1 - cell // WIDE
            wanted = front if RANGE[s.kind[seat, slot]] == 1 else front - 1
            worth -= IN_FRONT * abs(row - wanted)
            for direction in (1, 3):
                worth += IN_LINE * (friend_on(s, seat, cell + STEP[direction]) != NONE)
    return worth
