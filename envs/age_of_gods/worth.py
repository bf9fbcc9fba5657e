"""How good a table looks to a seat: what greedy and searching players go by. The weights are ours."""

from __future__ import annotations

import numpy as np

from ..engine.chance import DIE
from ..engine.compile import kernel
from .components import (
    ATTACKS,
    BIT,
    BREAKTHROUGH_FROM,
    COUNT,
    EFFECT,
    IS_CITY,
    NEAR,
    NEEDS,
    NUM_PEOPLES,
    NUM_SIZES,
    NUM_TERRITORIES,
    RULE,
    Effect,
    God,
)
from .components import MARKERS as MARKER_NUMBERS
from .components import NEIGHBOURS as NEIGHBOUR_LISTS
from .rules.abilities import eligible, is_of_use
from .rules.board import NOWHERE, attack_of, closed, defence_of, has, max_extent
from .rules.combat import (
    at_peace,
    circumstances,
    lucky,
    margin,
    may_lead,
    modifiers,
    reach_of,
)
from .rules.end import extent_to_bet_on, represents, wiped_out
from .rules.wrath import wrath_strikes
from .state import NONE, Phase

BETS, BET_POINTS, WIN_FROM, DEATH_PEOPLES = RULE.bets, RULE.bet_points, RULE.win_from, RULE.death_peoples
LUCK, PEACE, VENGEANCE, HOLY_WAR = RULE.luck, RULE.peace, RULE.vengeance, RULE.holy_war
CITY, FORTIFIED, BULWARK, DWARVEN_FORTRESS = RULE.city, RULE.fortified, RULE.bulwark, RULE.dwarven_fortress
TURNS, BREAKTHROUGH, LOVE_MARKERS = RULE.turns, RULE.breakthrough, MARKER_NUMBERS["Love"]

RISK = 0.045  # a turn, for each neighbour that might attack and would be sure to win
MOST_RISK = 0.8
SPEAR = 0.12  # a turn, of a level of attack of the strongest people that the seat may lead in combat
ATTACK_WORTH, DEFENCE_WORTH = 0.25, 0.1  # of a level or marker of a people that counts, besides
HOLY_WAR_WORTH = 0.06  # a turn, for each of two territories from which the victim can be attacked
LOVE_KEPT = 0.3  # of a Love marker kept
OTHERS = 0.6  # share of what others gain that is taken as lost
CHOICE_WORTH = 0.3  # of a choice under way whose outcome is not looked at
ANOTHER_ATTACK = 0.5  # of the best attack, for each that may follow it
LAST_WORD_WORTH = 0.2  # of each seat that acts before this one, for the god of time chooses who does
MAGIC_KEPT = 0.2  # of a use kept
DECEPTION_KEPT = 0.4
BREAKTHROUGH_WORTH = 0.4
SECRET_WORTH = 0.12  # a turn: of a people that can be led in combat
KNOWN_WORTH = 0.01  # of each territory that a destiny card looked at stands for

# What a value is reckoned with, by people: what its territories are worth, what it adds to its attacks, what attacks
# on it are lowered by.
WEIGHT, STRENGTH, SHIELD = 0, 1, 2
MOST_NEIGHBOURS = max(map(len, NEIGHBOUR_LISTS))
AROUND = np.array(
    [near + [NONE] * (MOST_NEIGHBOURS - len(near)) for near in NEIGHBOUR_LISTS], np.int64
)  # neighbours of each territory, then NONE


@kernel
def value(s, seat):
    """Points that can be expected for `seat` over those of the others, in the world at hand."""
    of = np.zeros((3, NUM_PEOPLES))
    weigh_peoples(s, seat, of)
    worth = 0.0
    for people in range(NUM_PEOPLES):
        if of[WEIGHT, people] != 0.0:
            worth += prospects(s, people, of)
    for t in range(NUM_TERRITORIES):
        if s.owner[t] != NONE:
            worth += held(s, t, s.owner[t], of)
    worth += bets_worth(s, seat) + secrets_worth(s, seat)
    worth += LAST_WORD_WORTH * ((seat - s.first) % s.num_players)
    worth += power_worth(s, seat)
    if s.seat == seat and not s.finished:
        worth += pending(s, of)
    return worth


@kernel
def weigh_peoples(s, seat, of):
    """What a territory of each people is worth to the seat: 1 if it represents it, less than 0 if another does."""
    for other in range(s.num_players):
        share = 1.0 if other == seat else -OTHERS / (s.num_players - 1)
        for k in range(NUM_SIZES):
            if s.destiny[other, k] != NONE:
                of[WEIGHT, s.destiny[other, k]] += share
    for people in range(NUM_PEOPLES):
        of[STRENGTH, people] = attack_of(s, people)
        of[SHIELD, people] = defence_of(s, people) + PEACE * at_peace(s, people) - VENGEANCE * s.hated[people]


@kernel
def turns_left(s):
    """Turns that are still to be played, the one under way by half."""
    return 0.0 if s.finished else TURNS - s.turn + 0.5


@kernel
def later(s):
    """The part of the game that is still to come."""
    return (TURNS - s.turn) / TURNS


@kernel
def prospects(s, people, of):
    """How strong a people is, beyond what its territories are worth today."""
    if s.extent[people] == 0:
        return 0.0
    worth = ATTACK_WORTH * later(s) * of[STRENGTH, people]
    worth += DEFENCE_WORTH * later(s) * min(4.0, of[SHIELD, people])
    worth *= of[WEIGHT, people]
    if s.attacker == people:
        worth += holy_war_worth(s, people, s.victim, of)
    return worth


@kernel
def holy_war_worth(s, people, victim, of):
    """What a Holy War adds to the attacks of a people, where it meets the victim."""
    if of[WEIGHT, people] <= 0.0 or s.extent[victim] == 0:
        return 0.0
    meets = 0
    for t in range(NUM_TERRITORIES):
        if s.owner[t] == people and NEAR[t] & s.land[victim] != NOWHERE:
            meets += 1
    return min(2, meets) * HOLY_WAR_WORTH * (TURNS - s.turn) * (of[WEIGHT, people] - of[WEIGHT, victim])


# -- territories and what threatens them -------------------------------------------------------------------------------


@kernel
def held(s, t, people, of):
    """What it is worth that a people holds a territory: its points, less what the neighbours threaten."""
    weight = of[WEIGHT, people]
    if weight == 0.0:
        return 0.0
    return weight * (1 + IS_CITY[t]) * (1.0 - risk(s, t, people, of))


@kernel
def risk(s, t, people, of):
    """The chance that a territory is lost to a neighbour by the end, were it the people's."""
    if has(s.love, t):
        return 0.0
    wall = of[SHIELD, people] + walls_of(s, t)
    faces = 0.0
    for n in range(MOST_NEIGHBOURS):
        u = AROUND[t, n]
        if u == NONE:
            break
        faces += threat(s, u, s.owner[u], people, wall, of)
    return min(MOST_RISK, RISK * turns_left(s) * faces / DIE)


@kernel
def threat(s, u, attacker, people, wall, of):
    """Faces of the die that win an attack of a people (if any) from `u` on a neighbour of another, so well defended."""
    if attacker == NONE:
        return 0.0
    if attacker == people or has(s.love, u):
        return 0.0
    strength = of[STRENGTH, attacker]
    if s.attacker == attacker and s.victim == people:
        strength += HOLY_WAR
    return min(float(DIE), max(0.0, DIE + 1 - WIN_FROM + strength - wall))


@kernel
def walls_of(s, t):
    """What a territory itself lowers attacks by: city, fortification, Dwarven Fortress."""
    walls = CITY * IS_CITY[t] + FORTIFIED * has(s.fortified, t) + BULWARK * has(s.bulwarks, t)
    return walls + DWARVEN_FORTRESS if s.fortress == t else walls


@kernel
def change(s, t, after, of):
    """What it is worth that a territory falls to a people, or lies empty (NONE)."""
    before = s.owner[t]
    worth = 0.0
    if before != NONE:
        worth -= held(s, t, before, of)
    if after != NONE and of[WEIGHT, after] != 0.0:
        worth += held(s, t, after, of)
        if has(s.fortified, t):  # it falls
            share = RISK * turns_left(s) * (1 + IS_CITY[t]) * of[WEIGHT, after]
            worth -= share * hostile(s, t, after) / DIE
    for n in range(MOST_NEIGHBOURS):
        u = AROUND[t, n]
        if u == NONE:
            break
        people = s.owner[u]
        if people != NONE and of[WEIGHT, people] != 0.0 and not has(s.love, u):
            wall = of[SHIELD, people] + walls_of(s, u)
            faces = threat(s, t, after, people, wall, of) - threat(s, t, before, people, wall, of)
            worth -= of[WEIGHT, people] * (1 + IS_CITY[u]) * RISK * turns_left(s) * faces / DIE
    return worth


@kernel
def hostile(s, t, people):
    """Neighbours of a territory that are in the hands of other peoples."""
    count = 0
    for n in range(MOST_NEIGHBOURS):
        u = AROUND[t, n]
        if u == NONE:
            break
        count += s.owner[u] != NONE and s.owner[u] != people
    return count


# -- cards and powers --------------------------------------------------------------------------------------------------


@kernel
def secrets_worth(s, seat):
    """Destiny cards that are not revealed: their peoples can still be led in the Combat Phase, the strongest best."""
    worth, spear = 0.0, 0.0
    for k in range(NUM_SIZES):
        people = s.destiny[seat, k]
        if people != NONE and s.extent[people] > 0 and s.revealed[people] != seat:
            worth += SECRET_WORTH * (TURNS - s.turn)
            spear = max(spear, attack_of(s, people))
    worth += SPEAR * (TURNS - s.turn) * min(4.0, spear)
    for other in range(s.num_players):
        for k in range(NUM_SIZES):
            if (s.looked[other, k] >> seat) & 1:
                worth += KNOWN_WORTH * (NUM_SIZES - k)
    return worth


@kernel
def power_worth(s, seat):
    """What the god's power will still bring."""
    god = s.god[seat]
    if god == God.DEATH:
        return wiped_out(s) / DEATH_PEOPLES
    if s.turn > 0 and s.turn < TURNS:
        if god == God.LOVE:
            return LOVE_KEPT * s.uses[seat]
        if god == God.DECEPTION:
            return DECEPTION_KEPT * s.uses[seat]
    return 0.0


@kernel
def bets_worth(s, seat):
    """Cards bet on other peoples, the more the nearer they are to their maximum extent."""
    worth = 0.0
    for k in range(BETS):
        people = s.bets[seat, k]
        if people != NONE and not represents(s, seat, people):
            part = min(1.0, s.extent[people] / extent_to_bet_on(s, seat, people))
            worth += BET_POINTS * part * part * part
    return worth


# -- what is under way -------------------------------------------------------------------------------------------------


@kernel
def pending(s, of):
    """What the decision that is asked for next can bring, when it is the seat's own."""
    if s.phase == Phase.ROLL:
        return expected(s, s.origin, s.target, margin(s), of)
    if s.phase == Phase.TARGET:
        best = best_from(s, s.origin, of)
        return max(0.0, best) if s.follow_up else best
    if s.phase in (Phase.ORIGIN, Phase.LOOK):
        return best_attacks(s, s.attacks, of)
    if s.phase == Phase.EXTENT:
        return max(change(s, s.target, NONE, of), give_up_gain(s, s.origin, s.target, of))
    if s.phase == Phase.TERRITORY:
        return best_territory(s, of)
    if s.phase == Phase.PEOPLE:
        return best_people(s, of)
    if s.double:
        return best_of_both(s, of) - MAGIC_KEPT
    return 0.0


@kernel
def best_of_both(s, of):
    """The best card in hand to be played in both ways."""
    best = 0.0
    for people in range(NUM_PEOPLES):
        in_hand = s.hand[s.seat, people] > 0
        for k in range(NUM_SIZES):
            in_hand = in_hand or (s.destiny[s.seat, k] == people and not s.spent[s.seat, k])
        if in_hand and s.extent[people] > 0 and is_of_use(s, people):
            level = attack_gain(s, people, 1, of) + defence_gain(s, people, 1, of)
            best = max(best, level + ability_worth(s, people, of))
    return best


@kernel
def ability_worth(s, people, of):
    """What the ability of a people can bring, were its card played now."""
    before, step = s.ability, s.step
    s.ability, s.step = people, 0
    if EFFECT[people] <= Effect.SIGHT:
        worth = best_attacks(s, ATTACKS[people], of)
    elif EFFECT[people] <= Effect.RAISE:
        worth = best_territory(s, of)
    else:
        worth = best_people(s, of)
    s.ability, s.step = before, step
    return worth


@kernel
def best_attacks(s, number, of):
    """So many attacks: the best that can be launched now, and a part of it for each further one."""
    best = best_attack(s, of)
    return best + ANOTHER_ATTACK * max(0, number - 1) * max(0.0, best)


@kernel
def best_attack(s, of):
    """The best attack that can be launched now."""
    best = -100.0
    shut = closed(s)
    for t in range(NUM_TERRITORIES):
        people = s.owner[t]
        if people != NONE and not has(shut, t) and may_lead(s, people):
            best = max(best, best_from(s, t, of))
    return best if best > -100.0 else 0.0


@kernel
def best_from(s, origin, of):
    """The best attack from a territory."""
    best = -100.0
    people = s.owner[origin]
    targets = reach_of(s, origin) & ~(s.land[people] | closed(s))
    if targets == NOWHERE:
        return best
    added = circumstances(s)
    for t in range(NUM_TERRITORIES):
        if has(targets, t):
            best = max(best, expected(s, origin, t, modifiers(s, origin, t) + added, of))
    return best


@kernel
def expected(s, origin, target, added, of):
    """What an attack brings on average."""
    attacker = s.owner[origin]
    ways = DIE if s.owner[target] == NONE else min(DIE, max(0, DIE + 1 - WIN_FROM + added))
    chance = ways / DIE
    if ways == 0:
        return 0.0
    if lucky(s):
        chance += min(DIE - ways, LUCK) / DIE * ways / DIE
    if s.extent[attacker] >= max_extent(s, attacker):
        return chance * max(change(s, target, NONE, of), give_up_gain(s, origin, target, of))
    gain = change(s, target, attacker, of)
    if not s.follow_up:
        least = BREAKTHROUGH if s.ability == NONE else BREAKTHROUGH_FROM[s.ability]
        gain += BREAKTHROUGH_WORTH * max(0.0, of[WEIGHT, attacker]) * min(ways, DIE + 1 - least) / ways
    return chance * gain


@kernel
def give_up_gain(s, origin, target, of):
    """What it is worth to move from one territory to another."""
    return change(s, origin, NONE, of) + change(s, target, s.owner[origin], of)


@kernel
def best_territory(s, of):
    """The best territory for an ability, a god's power or the wrath."""
    if s.power:
        return best_love(s, of)
    if s.wrath:
        return best_blow(s, wrath_strikes(s), of)
    effect = EFFECT[s.ability]
    found = eligible(s, s.ability, s.step, s.chosen)
    if effect in (Effect.VORTEX, Effect.DEVOUR):
        return best_blow(s, found, of)
    if effect == Effect.STRIKE:
        return (DIE + 1 - NEEDS[s.ability]) / DIE * best_blow(s, found, of)
    if effect == Effect.FORTIFY:
        return best_walls(s, found, 1, COUNT[s.ability] - s.step, of)
    if effect == Effect.FORTRESS:
        return best_walls(s, found, DWARVEN_FORTRESS, 1, of)
    if effect == Effect.EXCHANGE:
        return best_trek(s, of)
    return best_raised(s, found, of)


@kernel
def best_walls(s, territories, height, number, of):
    """What so many walls add to the territories that they help most."""
    total = 0.0
    left = territories
    for _ in range(number):
        best, where = 0.0, NONE
        for t in range(NUM_TERRITORIES):
            if has(left, t):
                gain = wall_gain(s, t, height, of)
                if gain > best or where == NONE:
                    best, where = gain, t
        if where == NONE:
            break
        total += best
        left &= ~BIT[where]
    return total


@kernel
def wall_gain(s, t, height, of):
    """What a wall of so many adds to a territory."""
    people = s.owner[t]
    before = risk(s, t, people, of)
    of[SHIELD, people] += height
    after = risk(s, t, people, of)
    of[SHIELD, people] -= height
    return of[WEIGHT, people] * (1 + IS_CITY[t]) * (before - after)


@kernel
def best_trek(s, of):
    """The best exchange of a Nomad token, or of the one that was named."""
    best = -100.0
    first, second = eligible(s, s.ability, 0, NONE), eligible(s, s.ability, 1, NONE)
    for t in range(NUM_TERRITORIES):
        if has(first, t) and (s.step == 0 or t == s.chosen):
            for u in range(NUM_TERRITORIES):
                if has(second, u):
                    other = s.owner[u]
                    gain = held(s, u, s.ability, of) + held(s, t, other, of)
                    gain -= held(s, u, other, of) + held(s, t, s.ability, of)
                    best = max(best, gain)
    return best


@kernel
def best_raised(s, territories, of):
    """The best territory and people for a token from the Well of Souls."""
    best = -100.0
    for t in range(NUM_TERRITORIES):
        if has(territories, t):
            best = max(best, best_raised_in(s, t, of))
    return best if best > -100.0 else 0.0


@kernel
def best_raised_in(s, t, of):
    """The best people for an empty territory."""
    best = -100.0
    for people in range(NUM_PEOPLES):
        if s.extent[people] < max_extent(s, people):
            best = max(best, held(s, t, people, of))
    return best


@kernel
def best_love(s, of):
    """The best territory for a Love marker."""
    best = -100.0
    for t in range(NUM_TERRITORIES):
        people = s.owner[t]
        if people != NONE and not has(s.love, t):
            best = max(best, of[WEIGHT, people] * (1 + IS_CITY[t]) * risk(s, t, people, of))
    return best - LOVE_KEPT * (s.turn < TURNS)


@kernel
def best_blow(s, territories, of):
    """The best territory to empty among these."""
    best = -100.0
    for t in range(NUM_TERRITORIES):
        if has(territories, t):
            best = max(best, change(s, t, NONE, of))
    return best if best > -100.0 else 0.0


@kernel
def best_people(s, of):
    """The best people for an ability or a god's power."""
    if s.power or s.wrath:
        return CHOICE_WORTH
    effect = EFFECT[s.ability]
    if effect == Effect.RAISE:
        return best_raised_in(s, s.chosen, of)
    if effect == Effect.HOLY_WAR:
        return best_holy_war(s, of)
    best = -100.0
    for people in range(NUM_PEOPLES):
        if effect == Effect.BURGLARY:
            if people != s.ability and s.technology[people] > 0:
                lost = attack_gain(s, people, 1, of) - defence_gain(s, people, -1, of)
                best = max(best, -lost)
        elif s.extent[people] > 0:
            gain = 0.0
            if effect in (Effect.ATTACK_MARKER, Effect.INVENTION):
                gain += attack_gain(s, people, max(1, COUNT[s.ability]), of)
            if effect in (Effect.DEFENCE_MARKER, Effect.INVENTION):
                gain += defence_gain(s, people, max(1, COUNT[s.ability]), of)
            best = max(best, gain)
    if effect == Effect.BURGLARY:
        best += attack_gain(s, s.ability, 1, of) + defence_gain(s, s.ability, 1, of)
    elif ATTACKS[s.ability] > 0:
        best += max(0.0, best_attack(s, of))
    return best


@kernel
def best_holy_war(s, of):
    """The best two peoples for a Holy War, or the best victim for the attacker that was named."""
    best = 0.0
    for people in range(NUM_PEOPLES):
        if of[WEIGHT, people] > 0.0 and s.extent[people] > 0 and (s.step == 0 or people == s.chosen):
            for victim in range(NUM_PEOPLES):
                if victim != people:
                    best = max(best, holy_war_worth(s, people, victim, of))
    return best


@kernel
def attack_gain(s, people, levels, of):
    """What so many levels of attack add to a people."""
    if of[WEIGHT, people] == 0.0 or s.extent[people] == 0:
        return 0.0
    worth = of[WEIGHT, people] * ATTACK_WORTH * later(s) * levels
    if of[WEIGHT, people] > 0.0 and s.revealed[people] != s.seat:
        worth += SPEAR * (TURNS - s.turn) * levels
    return worth


@kernel
def defence_gain(s, people, levels, of):
    """What so many levels of defence add to a people."""
    if of[WEIGHT, people] == 0.0 or s.extent[people] == 0:
        return 0.0
    worth = of[WEIGHT, people] * DEFENCE_WORTH * later(s) * levels
    for t in range(NUM_TERRITORIES):
        if s.owner[t] == people:
            worth += wall_gain(s, t, levels, of)
    return worth
