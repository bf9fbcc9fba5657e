"""The rules of Ages of War, in the order of the rulebook.

Rulings are numbered as in RULES.md.
"""

from __future__ import annotations

import numpy as np

from ..engine.chance import randint, roll
from ..engine.compile import kernel
from ..engine.table import place_by
from .components import (
    CHARGE,
    CLASS,
    COPIES,
    COUNTER,
    DAMAGE,
    DEFENCE,
    NUM_FACTIONS,
    NUM_REGULARS,
    RULE,
    USES,
    Power,
    UnitClass,
)
from .field import (
    NEARBY,
    OPPOSITE,
    STEP,
    TERRAIN_ROWS,
    belongs,
    carry,
    cell_seen_from,
    enemy_on,
    friend_on,
    has_target,
    lift,
    line_may_go,
    line_room,
    line_speed,
    may_strike,
    on_field,
    put,
    room,
    run,
    seen_from,
    shift_line,
    side_hit,
    spot_cell,
    spot_seen_from,
    spots_in,
    target,
    walk,
    walk_of,
)
from .state import (
    AHEAD,
    BOARD,
    COLUMNS,
    FREE,
    MOST_COLUMNS,
    MOST_DISTANCE,
    MOST_REACH,
    NONE,
    RIGHT,
    ROWS,
    SLOTS,
    SPOTS,
    TERRAIN,
    WIDE,
    A,
    Phase,
)

ACTION_POINTS, HEALTH, ELITES = RULE.actions, RULE.health, RULE.elites
FREE_MOVES, PUSH, SPLASH, REVIVED, ENEMY_STEPS = (
    RULE.free_moves,
    RULE.push,
    RULE.splash,
    RULE.revived,
    RULE.enemy_steps,
)
PASS_DAMAGE, SKIP_DAMAGE = RULE.pass_damage, RULE.skip_damage
REGULAR_CARDS = RULE.regulars
ROW, COLUMN = 0, 1  # the axis of a line
ALONG = (RIGHT, AHEAD)  # where a line grows to, by its axis, as its player sees it


def _marks() -> np.ndarray:
    """Eight bits of a set of spots as marks in a mask, for seat 1 from the last to the first: uint64 (seat, byte)."""
    bits = np.unpackbits(np.arange(1 << 8, dtype=np.uint8)[:, None], axis=1)  # the highest first
    return np.stack([np.ascontiguousarray(order).view(np.uint64)[:, 0] for order in (bits[:, ::-1], bits)])


BYTES = SPOTS // 8  # of a set of spots
MARKS = _marks()


# -- Draw Your Army, Build the Game Area -------------------------------------------------------------------------------


@kernel
def setup(s):
    """Deal a table (Standard Game); seat 0 is the attacker (ruling 1)."""
    s.chosen = NONE
    s.kind[:] = NONE
    s.cell[:] = NONE
    for seat in range(2):
        _draw_army(s, seat)
    _build_field(s)
    s.phase = Phase.DEPLOY


@kernel
def _draw_army(s, seat):
    """A faction with its two elite units, and regular units from a shuffled deck of 22, all of it hidden."""
    s.faction[seat] = randint(s, NUM_FACTIONS)
    draw_elites(s, seat)
    draw_regulars(s, seat, s.units)


@kernel
def draw_elites(s, seat):
    """The two units that the faction card shows."""
    for k in range(ELITES):
        s.hand[seat, NUM_REGULARS + ELITES * s.faction[seat] + k] = 1


@kernel
def draw_regulars(s, seat, number):
    """That many of the regular cards that this army does not have yet, each as likely as the others."""
    left = REGULAR_CARDS
    for slot in range(SLOTS):
        left -= 0 <= s.kind[seat, slot] < NUM_REGULARS
    left -= s.phase == Phase.PLACE and s.seat == seat and s.chosen < NUM_REGULARS
    for _ in range(number):
        card = randint(s, left)
        kind = 0
        while card >= cards_left(s, seat, kind):
            card -= cards_left(s, seat, kind)
            kind += 1
        s.hand[seat, kind] += 1
        left -= 1


@kernel
def cards_left(s, seat, kind):
    """Regular cards of a kind that are in an army's deck: neither in hand nor on the field nor on the way there."""
    cards = COPIES[kind] - s.hand[seat, kind]
    for slot in range(SLOTS):
        cards -= s.kind[seat, slot] == kind
    cards -= s.phase == Phase.PLACE and s.seat == seat and s.chosen == kind
    return cards


@kernel
def _build_field(s):
    """Terrain encloses the field (Build the Game Area)."""
    for cell in range(BOARD):
        row, column = cell // WIDE, cell % WIDE
        inside = 1 <= row <= ROWS[s.field] and 1 <= column <= COLUMNS[s.field]
        s.board[cell] = FREE if inside else TERRAIN
    s.taken[:] = TERRAIN_ROWS[s.field]


# -- what may be done and doing it -------------------------------------------------------------------------------------


@kernel
def legal(s, mask):
    """Mark what the deciding seat may do."""
    if s.phase == Phase.TURN:
        _may_act(s, mask)
    elif s.phase == Phase.TARGET:
        _may_choose_target(s, mask)
    elif s.phase == Phase.VOLLEY:
        _may_go_on_attacking(s, mask)
    elif s.phase == Phase.LINE:
        _may_move_line(s, mask)
    elif s.phase == Phase.AXIS:
        mask[A.axis + ROW] = True
        mask[A.axis + COLUMN] = True
    elif s.phase == Phase.DEPLOY:
        for kind in range(len(s.hand[s.seat])):
            mask[A.deploy + kind] = s.hand[s.seat, kind] > 0
    elif s.phase == Phase.PLACE:
        _may_place(s, mask)
    elif s.phase == Phase.WOUND:
        _may_choose_unit(s, 1 - s.seat, A.wound, mask)
        mask[A.spare] = True
    elif s.phase == Phase.ENEMY:
        _may_choose_unit(s, 1 - s.seat, A.enemy, mask)
    elif s.phase == Phase.DRIVE:
        _may_drive(s, mask)
    elif s.phase == Phase.REVIVE:
        for slot in range(SLOTS):
            mask[A.revive + slot] = is_dead(s, s.seat, slot)
    else:
        for column in range(COLUMNS[s.field]):
            mask[A.column + column] = s.board[back_row_cell(s, s.seat, column)] == FREE


@kernel
def apply(s, action):
    """Play a legal action and run on to the next decision."""
    if action < A.attack:
        _move(s, action - A.move)
    elif action < A.target:
        _attack_with(s, action - A.attack)
    elif action < A.axis:
        _attack(s, seen_from(s.seat, (action - A.target) // MOST_REACH), (action - A.target) % MOST_REACH + 1)
    elif action < A.stand:
        _choose_axis(s, action - A.axis)
    elif action == A.stand:
        _action_over(s)
    elif action < A.swap:
        _about_face(s, action - A.face)
    elif action < A.form:
        _swap(s, (action - A.swap) // 2, seen_from(s.seat, AHEAD + (action - A.swap) % 2))
    elif action < A.extend:
        _form_line(s, (action - A.form) // 2, (action - A.form) % 2)
    elif action == A.extend:
        s.length += 1
    elif action < A.power:
        _move_line(s, action - A.go)
    elif action == A.power:
        _use_power(s)
    elif action < A.pass_action:
        _carry_out_power(s, action)
    elif action < A.wound:
        _give_up(s, action)
    elif action < A.deploy:
        _deal_damage_owed(s, action)
    elif action < A.place:
        _deploy(s, action - A.deploy)
    else:
        _place(s, action - A.place)


@kernel
def _carry_out_power(s, action):
    """The parts of the powers that ask for more."""
    if action < A.column:
        s.chosen = action - A.revive
        s.phase = Phase.COLUMN
    elif action < A.enemy:
        _revive(s, back_row_cell(s, s.seat, action - A.column))
    elif action < A.drive:
        s.chosen = action - A.enemy
        s.phase = Phase.DRIVE
    elif action < A.turn:
        _drive(s, NEARBY[action - A.drive])
    else:
        _turn_enemy(s, action - A.turn)


@kernel
def _give_up(s, action):
    """Actions not taken (Passing an action or turn; ruling 11 on free moves)."""
    if action == A.end_turn:
        _end_turn(s)
    else:
        _pass(s, action == A.skip_turn)


@kernel
def _may_choose_unit(s, owner, start, mask):
    """Any unit that stands on the field."""
    for slot in range(SLOTS):
        mask[start + slot] = s.cell[owner, slot] >= 0


# -- Deploy Your Army --------------------------------------------------------------------------------------------------


@kernel
def _deploy(s, kind):
    """One unit is shown; where it stands is asked next."""
    s.hand[s.seat, kind] -= 1
    s.chosen = kind
    s.phase = Phase.PLACE


@kernel
def _may_place(s, mask):
    """The own side of the field, but for the two inner rows, no man's land."""
    for row in range(ROWS[s.field] // 2 - 1):
        for column in range(COLUMNS[s.field]):
            cell = cell_seen_from(s, s.seat, (row + 1) * WIDE + column + 1)
            mask[A.place + row * MOST_COLUMNS + column] = s.board[cell] == FREE


@kernel
def _place(s, place):
    """It faces the enemy (ruling 3); then the other army deploys a unit, until all stand."""
    slot = 0
    while s.kind[s.seat, slot] != NONE:
        slot += 1
    s.kind[s.seat, slot] = s.chosen
    s.health[s.seat, slot] = HEALTH
    cell = (place // MOST_COLUMNS + 1) * WIDE + place % MOST_COLUMNS + 1
    put(s, s.seat, slot, cell_seen_from(s, s.seat, cell))
    s.chosen = NONE
    s.phase = Phase.DEPLOY
    if s.seat == 1 and slot + 1 == s.units + ELITES:
        _begin_battle(s)
    else:
        s.seat = 1 - s.seat


@kernel
def _begin_battle(s):
    """Faction cards are revealed; the attacker has the first turn."""
    for seat in range(2):
        s.uses[seat] = USES[s.faction[seat]]
    _begin_turn(s, 0)


# -- Turns and Actions -------------------------------------------------------------------------------------------------


@kernel
def _begin_turn(s, seat):
    """Three action points; what powered up the last turn is gone (ruling 10)."""
    s.turn = seat
    s.turns += 1
    s.points = ACTION_POINTS
    s.free_moves = 0
    s.push = 0
    s.splash = 0
    s.all_out = 0
    s.moved = 0
    s.charged = 0
    _choose_on(s)


@kernel
def _choose_on(s):
    """The player whose turn it is decides what is next."""
    s.seat = s.turn
    s.phase = Phase.TURN
    s.chosen = NONE
    s.pending = 0
    s.length = 0
    s.axis = ROW


@kernel
def _action_over(s):
    """An action is done: another one, or the other army's turn; an army without units has lost (Goal of the Game)."""
    if on_field(s, 0) == 0 or on_field(s, 1) == 0:
        s.finished = True
    elif s.points + s.free_moves > 0:
        _choose_on(s)
    else:
        _end_turn(s)


@kernel
def _end_turn(s):
    """Armies take turns; as an option, ours, too many of them without damage end the battle (ruling 21)."""
    if 0 < s.quiet_turns <= turns_without_damage(s):
        s.finished = True
    else:
        _begin_turn(s, 1 - s.turn)


@kernel
def turns_without_damage(s):
    """Turns since the last damage, this one included."""
    return s.turns - s.hurt


@kernel
def _may_act(s, mask):
    """Spend an action point or a free move, or give it up."""
    _may_act_with_units(s, mask)
    if s.points > 0:
        mask[A.power] = _power_is_of_use(s)
        mask[A.pass_action] = True
        mask[A.skip_turn] = s.points == ACTION_POINTS
    else:
        mask[A.end_turn] = True


@kernel
def _may_act_with_units(s, mask):
    """What each unit may begin, by what lies around it.

    It moves to any cell that a walk within its movement reaches; where it turns corners is not asked (ruling 4).
    """
    seat, points = s.seat, s.points > 0
    marks = mask[A.move : A.attack].view(np.uint64)  # of eight spots at a time; see MARKS
    for slot in range(SLOTS):
        cell = s.cell[seat, slot]
        if cell >= 0:
            mask[A.face + slot] = points
            mask[A.attack + slot] = points and has_target(s, seat, slot)
            spots, first = spots_in(walk_of(s, seat, slot)), slot * BYTES
            for k in range(BYTES):
                marks[first + (k if seat == 0 else BYTES - 1 - k)] = MARKS[seat, (spots >> (8 * k)) & 0xFF]
            for way in (AHEAD, RIGHT):
                if belongs(s.board[cell + STEP[seen_from(seat, way)]], seat):
                    mask[A.swap + slot * 2 + way] = points
                    axis = RIGHT - way  # of the line that grows this way
                    mask[A.form + slot * 2 + axis] = line_may_go(s, seat, slot, seen_from(seat, way), 2)


@kernel
def _pay_for_move(s):
    """Free moves go first."""
    if s.free_moves > 0:
        s.free_moves -= 1
    else:
        s.points -= 1


@kernel
def _move(s, which):
    """A unit walks to another cell (Movement; ruling 4)."""
    _pay_for_move(s)
    slot, spot = which // SPOTS, which % SPOTS
    carry(s, s.seat, slot, spot_cell(s.seat, s.cell[s.seat, slot], spot))
    s.moved |= 1 << slot
    _action_over(s)


@kernel
def _about_face(s, slot):
    """A unit turns 180 degrees; this powers no charge (About Face)."""
    s.points -= 1
    s.facing[s.seat, slot] ^= 1
    _action_over(s)


@kernel
def _swap(s, slot, direction):
    """Two adjacent friends change places, each with its facing; this powers no charge (Swap Position)."""
    s.points -= 1
    here = s.cell[s.seat, slot]
    there = here + STEP[direction]
    friend = friend_on(s, s.seat, there)
    put(s, s.seat, slot, there)
    put(s, s.seat, friend, here)
    _action_over(s)


# -- Adjacent Actions --------------------------------------------------------------------------------------------------


@kernel
def _form_line(s, slot, axis):
    """Adjacent units of one row or column are going to move together for one action."""
    _pay_for_move(s)
    s.chosen = slot
    s.axis = axis
    s.length = 2
    s.phase = Phase.LINE


@kernel
def line_direction(s):
    """The compass direction in which the moving line grows."""
    return seen_from(s.seat, ALONG[s.axis])


@kernel
def _may_move_line(s, mask):
    """Go as far as the slowest may, in any of the four directions, or take in the next neighbour."""
    seat, along = s.seat, line_direction(s)
    speed = line_speed(s, seat, s.chosen, along, s.length)
    for way in range(4):
        for distance in range(line_room(s, seat, s.chosen, along, s.length, seen_from(seat, way), speed)):
            mask[A.go + way * MOST_DISTANCE + distance] = True
    after = s.cell[seat, s.chosen] + s.length * STEP[along]
    if friend_on(s, seat, after) != NONE:
        mask[A.extend] = line_may_go(s, seat, s.chosen, along, s.length + 1)


@kernel
def _move_line(s, which):
    """They move in the block they started with, in one direction (Can group moved cards go in different ways?)."""
    direction, spaces = seen_from(s.seat, which // MOST_DISTANCE), which % MOST_DISTANCE + 1
    s.moved |= shift_line(s, s.seat, s.chosen, line_direction(s), s.length, direction, spaces)
    _action_over(s)


# -- Combat ------------------------------------------------------------------------------------------------------------


@kernel
def _attack_with(s, slot):
    """A unit attacks; the first one of an action says with whom before any die is rolled (Group attacks)."""
    s.chosen = slot
    if s.phase == Phase.VOLLEY:
        s.phase = Phase.TARGET
        return
    s.points -= 1
    if s.all_out > 0:
        s.all_out -= 1
        s.pending = _everybody(s)
        s.phase = Phase.TARGET
        return
    row, column = line_of(s, slot, ROW), line_of(s, slot, COLUMN)
    s.phase = Phase.TARGET if row == 0 or column == 0 else Phase.AXIS
    s.pending = row | column | 1 << slot


@kernel
def _everybody(s):
    """Bits of all units of the attacking player that stand on the field."""
    bits = 0
    for slot in range(SLOTS):
        if s.cell[s.seat, slot] >= 0:
            bits |= 1 << slot
    return bits


@kernel
def line_of(s, slot, axis):
    """Bits of the friends in one unbroken line with a unit, in its row or its column."""
    direction = seen_from(s.seat, ALONG[axis])
    return run(s, s.seat, slot, direction) | run(s, s.seat, slot, (direction + OPPOSITE) & 3)


@kernel
def _choose_axis(s, axis):
    """The line is fixed before the action begins (Adjacent Actions)."""
    s.pending = line_of(s, s.chosen, axis) | 1 << s.chosen
    s.phase = Phase.TARGET


@kernel
def _may_choose_target(s, mask):
    """One target for each attacking unit, chosen when its turn comes."""
    for way in range(4):
        for reach in range(MOST_REACH):
            mask[A.target + way * MOST_REACH + reach] = (
                target(s, s.seat, s.chosen, seen_from(s.seat, way), reach + 1) != NONE
            )


@kernel
def _may_go_on_attacking(s, mask):
    """Any unit of the line that has not attacked yet, in any order; the rest may be passed."""
    mask[A.stand] = True
    for slot in range(SLOTS):
        mask[A.attack + slot] = may_still_attack(s, slot)


@kernel
def may_still_attack(s, slot):
    """A unit of the attack has not acted, stands, and has a target."""
    return (s.pending >> slot) & 1 == 1 and s.cell[s.turn, slot] >= 0 and has_target(s, s.turn, slot)


@kernel
def _attack(s, direction, reach):
    """Roll a die: higher than the defence on the side attacked is a success (Defence Strength, Attacker's Roll)."""
    slot, enemy = s.chosen, 1 - s.seat
    victim = target(s, s.seat, slot, direction, reach)
    s.pending &= ~(1 << slot)
    push = s.push  # the power strengthens the next attack, whether it succeeds or not (ruling 9)
    s.push = 0
    if roll(s) > DEFENCE[s.kind[enemy, victim], side_hit(s, enemy, victim, direction)]:
        _success(s, slot, victim, direction, push)
    else:
        _counter(s, slot, victim, direction)
    _attack_over(s)


@kernel
def _success(s, slot, victim, direction, push):
    """Damage, then the charge, then the splash, around where the target has come to stand."""
    enemy, kind = 1 - s.seat, s.kind[s.seat, slot]
    if is_charging(s, slot):
        push += CHARGE[kind]
        s.charged |= 1 << slot
    cell = s.cell[enemy, victim]
    wound(s, enemy, victim, DAMAGE[kind])
    if s.cell[enemy, victim] >= 0:
        cell = _charge(s, enemy, victim, direction, push)
    if s.splash > 0:
        _splash(s, enemy, cell)


@kernel
def is_charging(s, slot):
    """A charge is powered up by moving within the turn and used once a turn (Charge)."""
    return (s.moved >> slot) & 1 == 1 and (s.charged >> slot) & 1 == 0 and CHARGE[s.kind[s.turn, slot]] > 0


@kernel
def _charge(s, enemy, victim, direction, push):
    """The target is pushed back; spaces that it cannot go are damage instead. Returns where it stands, or fell."""
    spaces = room(s, s.cell[enemy, victim], direction, push)
    if spaces > 0:
        carry(s, enemy, victim, s.cell[enemy, victim] + spaces * STEP[direction])
    cell = s.cell[enemy, victim]
    wound(s, enemy, victim, push - spaces)
    return cell


@kernel
def _counter(s, slot, victim, direction):
    """A failed attack of a melee or mounted unit is countered if both have the symbol; one roll, never countered.

    Ranged units neither counter nor are countered, and nobody counters behind its back (ruling 8).
    """
    enemy = 1 - s.seat
    kind, other = s.kind[s.seat, slot], s.kind[enemy, victim]
    if CLASS[kind] == UnitClass.RANGED or CLASS[other] == UnitClass.RANGED:
        return
    if COUNTER[kind] == 0 or COUNTER[other] == 0:
        return
    back = (direction + OPPOSITE) & 3
    if may_strike(s, enemy, victim, back) and roll(s) > DEFENCE[kind, side_hit(s, s.seat, slot, back)]:
        wound(s, s.seat, slot, DAMAGE[other])


@kernel
def wound(s, owner, slot, damage):
    """Cross off boxes; a unit without any leaves the field (Success)."""
    if damage > 0:
        s.hurt = s.turns
    s.health[owner, slot] = max(0, s.health[owner, slot] - damage)
    if s.health[owner, slot] == 0 and s.cell[owner, slot] >= 0:
        lift(s, owner, slot)


@kernel
def is_dead(s, owner, slot):
    """The unit has taken all its damage and left the field."""
    return s.kind[owner, slot] != NONE and s.cell[owner, slot] < 0


@kernel
def _attack_over(s):
    """The next unit of the line may attack, if one can."""
    if on_field(s, 1 - s.turn) > 0:
        for slot in range(SLOTS):
            if may_still_attack(s, slot):
                s.chosen = NONE
                s.phase = Phase.VOLLEY
                return
    _action_over(s)


# -- Faction Powers ----------------------------------------------------------------------------------------------------


@kernel
def _power_is_of_use(s):
    """Uses left, and something to use it on; what powers up later actions needs one (ruling 10)."""
    power = s.faction[s.seat]
    if s.uses[s.seat] == 0:
        return False
    if power in (Power.FREE_MOVES, Power.MOVE_AN_ENEMY):
        return True
    if power == Power.REVIVE:
        return _somebody_can_return(s)
    return s.points > 1 + s.all_out  # an all-out attack that is still to come takes a point, too


@kernel
def _somebody_can_return(s):
    """A dead unit, and a free cell in the back row."""
    dead = False
    for slot in range(SLOTS):
        dead = dead or is_dead(s, s.seat, slot)
    if not dead:
        return False
    for column in range(COLUMNS[s.field]):
        if s.board[back_row_cell(s, s.seat, column)] == FREE:
            return True
    return False


@kernel
def back_row_cell(s, seat, column):
    """A cell of the row closest to a player, columns from its left."""
    return cell_seen_from(s, seat, WIDE + column + 1)


@kernel
def _use_power(s):
    """An action point and a mark on the faction card."""
    s.points -= 1
    s.uses[s.seat] -= 1
    power = s.faction[s.seat]
    if power == Power.REVIVE:
        s.phase = Phase.REVIVE
        return
    if power == Power.MOVE_AN_ENEMY:
        s.phase = Phase.ENEMY
        return
    if power == Power.PUSH:
        s.push += PUSH
    elif power == Power.FREE_MOVES:
        s.free_moves += FREE_MOVES
    elif power == Power.ALL_OUT_ATTACK:
        s.all_out += 1
    else:
        s.splash += SPLASH
    _action_over(s)


@kernel
def _splash(s, enemy, cell):
    """Enemies beside the target, not diagonally, take damage too; after the charge."""
    for direction in range(4):
        beside = enemy_on(s, 1 - enemy, cell + STEP[direction])
        if beside != NONE:
            wound(s, enemy, beside, s.splash)


@kernel
def _revive(s, cell):
    """A dead unit returns to the back row with three boxes left, facing the enemy; it has not moved (ruling 13)."""
    s.health[s.seat, s.chosen] = REVIVED
    s.facing[s.seat, s.chosen] = 0
    s.moved &= ~(1 << s.chosen)
    put(s, s.seat, s.chosen, cell)
    _action_over(s)


@kernel
def _may_drive(s, mask):
    """To a cell within two spaces; or turned around, for one of the points, with a space or none (ruling 14)."""
    cell = s.cell[1 - s.seat, s.chosen]
    spots = spots_in(walk(s, cell, ENEMY_STEPS))
    for k in range(len(NEARBY)):
        mask[A.drive + k] = (spots >> spot_seen_from(s.seat, NEARBY[k])) & 1
    mask[A.turn] = True
    for way in range(4):
        mask[A.turn + 1 + way] = s.board[cell + STEP[seen_from(s.seat, way)]] == FREE


@kernel
def _drive(s, spot):
    """The enemy unit stands elsewhere; being moved powers no charge (ruling 14)."""
    enemy = 1 - s.seat
    carry(s, enemy, s.chosen, spot_cell(s.seat, s.cell[enemy, s.chosen], spot))
    _action_over(s)


@kernel
def _turn_enemy(s, where):
    """It looks the other way, where it stands (0) or a space further ahead, to the right, back or to the left."""
    enemy = 1 - s.seat
    s.facing[enemy, s.chosen] ^= 1
    if where > 0:
        carry(s, enemy, s.chosen, s.cell[enemy, s.chosen] + STEP[seen_from(s.seat, where - 1)])
    _action_over(s)


# -- Passing an action or turn -----------------------------------------------------------------------------------------


@kernel
def _pass(s, whole_turn):
    """The opponent may deal 1 damage for an action, 3 for a turn, wherever it likes, even if it kills (ruling 17)."""
    s.owed = SKIP_DAMAGE if whole_turn else PASS_DAMAGE
    s.points = 0 if whole_turn else s.points - 1
    s.phase = Phase.WOUND
    s.seat = 1 - s.turn


@kernel
def _deal_damage_owed(s, action):
    """One box of one unit, or no more of them; an army that is destroyed by it has lost."""
    if action == A.spare:
        s.owed = 0
    else:
        wound(s, s.turn, action - A.wound, 1)
        s.owed -= 1
    if s.owed == 0 or on_field(s, s.turn) == 0:
        s.owed = 0
        _action_over(s)


@kernel
def cut(s):
    """Battles that lead nowhere are cut off before a turn too many (ruling 2)."""
    return s.turns > s.max_turns


# -- Goal of the Game --------------------------------------------------------------------------------------------------


@kernel
def scores(s, out):
    """Health boxes that each army has left; an army that was destroyed has none (ruling 2)."""
    for seat in range(2):
        out[seat] = boxes_left(s, seat)


@kernel
def placing(s, out):
    """The army with more boxes, of equals the one with more units; who was destroyed is last (ruling 2)."""
    keys = np.zeros(2, np.int64)
    for seat in range(2):
        keys[seat] = (SLOTS + 1) * boxes_left(s, seat) + units_left(s, seat)
    place_by(s, keys, out)


@kernel
def units_left(s, seat):
    """Units on the field and in the hand."""
    units = on_field(s, seat)
    for kind in range(len(s.hand[seat])):
        units += s.hand[seat, kind]
    return units + (s.phase == Phase.PLACE and s.seat == seat)


@kernel
def boxes_left(s, seat):
    """Health boxes left on the field and in the hand."""
    boxes = 0
    for slot in range(SLOTS):
        boxes += s.health[seat, slot]
    for kind in range(len(s.hand[seat])):
        boxes += HEALTH * s.hand[seat, kind]
    if s.phase == Phase.PLACE and s.seat == seat:
        boxes += HEALTH
    return boxes
