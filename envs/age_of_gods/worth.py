"""How good a table looks to a seat: what greedy and searching players go by. The weights are ours."""

from __future__ import annotations

import numpy as np

from ..engine.compile import kernel
from .components import (
    ATTACKS,
    BREAKTHROUGH_FROM,
    EFFECT,
    IS_CITY,
    NEEDS,
    NUM_PEOPLES,
    NUM_SIZES,
    NUM_TERRITORIES,
    RULE,
    Effect,
    God,
)
from .components import MARKERS as MARKER_NUMBERS
from .rules.abilities import eligible, is_of_use
from .rules.board import NOWHERE, attack_of, closed, defence_of, has, max_extent
from .rules.combat import circumstances, lucky, margin, may_lead, modifiers, reach_of
from .rules.end import extent_to_bet_on, represents, wiped_out
from .rules.wrath import wrath_strikes
from .state import NONE, Phase

BETS, BET_POINTS, WIN_FROM, DEATH_PEOPLES = RULE.bets, RULE.bet_points, RULE.win_from, RULE.death_peoples
LUCK = RULE.luck
TURNS, BREAKTHROUGH, LOVE_MARKERS = RULE.turns, RULE.breakthrough, MARKER_NUMBERS["Love"]
FORTRESS_WORTH = 0.25
FORT_WORTH, LOVE_WORTH, LOVE_KEPT = (
    0.12,
    0.5,
    0.3,
)  # of a territory that counts, for being safer; of a marker kept
ATTACK_WORTH, DEFENCE_WORTH = 0.25, 0.3  # of a level or marker of a people that counts
HATRED_WORTH, HOLY_WAR_WORTH = 0.4, 0.3
OTHERS = 0.6  # share of what others gain that is taken as lost
CHOICE_WORTH = 0.3  # of a choice under way whose outcome is not looked at
ANOTHER_ATTACK = 0.3
LAST_WORD_WORTH = 0.2  # of each seat that acts before this one, for the god of time chooses who does
MAGIC_KEPT = 0.2  # of a use kept
BREAKTHROUGH_WORTH = 0.4
SECRET_WORTH = 0.12  # a turn: of a people that can be led in combat


@kernel
def value(s, seat):
    """Points that can be expected for `seat` over those of the others, in the world at hand."""
    weight = np.zeros(NUM_PEOPLES)
    weigh_peoples(s, seat, weight)
    worth = 0.0
    for people in range(NUM_PEOPLES):
        if weight[people] != 0.0:
            worth += weight[people] * prospects(s, people)
    worth += bets_worth(s, seat) + secrets_worth(s, seat)
    worth += LAST_WORD_WORTH * ((seat - s.first) % s.num_players)
    if s.god[seat] == God.LOVE:
        worth -= LOVE_KEPT * (LOVE_MARKERS - s.uses[seat]) * (s.turn > 0)
    elif s.god[seat] == God.DEATH:
        worth += wiped_out(s) / DEATH_PEOPLES
    if s.seat == seat and not s.finished:
        worth += pending(s, weight)
    return worth


@kernel
def weigh_peoples(s, seat, weight):
    """What a territory of each people is worth to the seat: 1 if it represents it, less than 0 if another does."""
    for other in range(s.num_players):
        share = 1.0 if other == seat else -OTHERS / (s.num_players - 1)
        for k in range(NUM_SIZES):
            if s.destiny[other, k] != NONE:
                weight[s.destiny[other, k]] += share


@kernel
def prospects(s, people):
    """Territories and cities of a people, and how safe and how strong it is."""
    if s.extent[people] == 0:
        return 0.0
    later = (TURNS - s.turn) / TURNS
    worth = 1.0 * s.extent[people] + s.towns[people]
    worth += ATTACK_WORTH * later * attack_of(s, people)
    worth += DEFENCE_WORTH * (0.4 + later) * min(4, defence_of(s, people))
    worth -= HATRED_WORTH * (0.4 + later) * s.hated[people]
    if s.attacker == people:
        worth += HOLY_WAR_WORTH * later
    if s.victim == people:
        worth -= HOLY_WAR_WORTH * later
    shelter = s.land[people] & (s.fortified | s.love)
    if shelter != NOWHERE:
        for t in range(NUM_TERRITORIES):
            if has(shelter, t):
                worth += FORT_WORTH * has(s.fortified, t) * (1 + IS_CITY[t])
                worth += has(s.love, t) * love_worth(s, t)
    if s.fortress != NONE and s.owner[s.fortress] == people:
        worth += FORTRESS_WORTH * (1 + IS_CITY[s.fortress])
    return worth


@kernel
def secrets_worth(s, seat):
    """Destiny cards that are not revealed: their peoples can still be led in the Combat Phase."""
    worth = 0.0
    for k in range(NUM_SIZES):
        people = s.destiny[seat, k]
        if people != NONE and s.extent[people] > 0 and s.revealed[people] != seat:
            worth += SECRET_WORTH * (TURNS - s.turn)
    return worth


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
def pending(s, weight):
    """What the decision that is asked for next can bring, when it is the seat's own."""
    if s.phase == Phase.ROLL:
        return expected(s, s.origin, s.target, margin(s), weight)
    if s.phase == Phase.TARGET:
        best = best_from(s, s.origin, weight)
        return max(0.0, best) if s.follow_up else best
    if s.phase in (Phase.ORIGIN, Phase.LOOK):
        return best_attack(s, weight) + ANOTHER_ATTACK * max(0, s.attacks - 1)
    if s.phase == Phase.EXTENT:
        return max(raze_gain(s, s.target, weight), give_up_gain(s, s.origin, s.target, weight))
    if s.phase == Phase.TERRITORY:
        return best_territory(s, weight)
    if s.phase == Phase.PEOPLE:
        return CHOICE_WORTH
    if s.double:
        return best_of_both(s, weight) - MAGIC_KEPT
    return 0.0


@kernel
def best_of_both(s, weight):
    """The best card in hand to be played in both ways."""
    best = 0.0
    for people in range(NUM_PEOPLES):
        held = s.hand[s.seat, people] > 0
        for k in range(NUM_SIZES):
            held = held or (s.destiny[s.seat, k] == people and not s.spent[s.seat, k])
        if held and s.extent[people] > 0 and is_of_use(s, people):
            best = max(best, weight[people] * level_worth(s) + ability_worth(s, people, weight))
    return best


@kernel
def level_worth(s):
    """What a technology level adds to a people."""
    later = (TURNS - s.turn) / TURNS
    return ATTACK_WORTH * later + DEFENCE_WORTH * (0.4 + later)


@kernel
def ability_worth(s, people, weight):
    """What the ability of a people can bring, were its card played now."""
    if EFFECT[people] > Effect.RAISE:
        return CHOICE_WORTH
    before = s.ability
    s.ability = people
    if EFFECT[people] <= Effect.SIGHT:
        worth = best_attack(s, weight) + ANOTHER_ATTACK * max(0, ATTACKS[people] - 1)
    else:
        worth = best_territory(s, weight)
    s.ability = before
    return worth


@kernel
def best_attack(s, weight):
    """The best attack that can be launched now."""
    best = -100.0
    shut = closed(s)
    for t in range(NUM_TERRITORIES):
        people = s.owner[t]
        if people != NONE and not has(shut, t) and may_lead(s, people):
            best = max(best, best_from(s, t, weight))
    return best if best > -100.0 else 0.0


@kernel
def best_from(s, origin, weight):
    """The best attack from a territory."""
    best = -100.0
    people = s.owner[origin]
    targets = reach_of(s, origin) & ~(s.land[people] | closed(s))
    if targets == NOWHERE:
        return best
    added = circumstances(s)
    for t in range(NUM_TERRITORIES):
        if has(targets, t):
            best = max(best, expected(s, origin, t, modifiers(s, origin, t) + added, weight))
    return best


@kernel
def expected(s, origin, target, added, weight):
    """What an attack brings on average."""
    attacker = s.owner[origin]
    ways = 6 if s.owner[target] == NONE else min(6, max(0, 7 - WIN_FROM + added))
    chance = ways / 6
    if lucky(s):
        chance += min(6 - ways, LUCK) / 6 * ways / 6
    if s.extent[attacker] >= max_extent(s, attacker):
        gain = max(raze_gain(s, target, weight), give_up_gain(s, origin, target, weight))
        return chance * gain
    gain = raze_gain(s, target, weight) + weight[attacker] * (1 + IS_CITY[target])
    if not s.follow_up:
        least = BREAKTHROUGH if s.ability == NONE else BREAKTHROUGH_FROM[s.ability]
        if ways > 0:
            gain += BREAKTHROUGH_WORTH * max(0.0, weight[attacker]) * min(ways, 7 - least) / ways
    return chance * gain


@kernel
def raze_gain(s, t, weight):
    """What it is worth that a territory is emptied."""
    people = s.owner[t]
    if people == NONE:
        return 0.0
    return -weight[people] * (1 + IS_CITY[t] + FORT_WORTH * has(s.fortified, t))


@kernel
def give_up_gain(s, origin, target, weight):
    """What it is worth to move from one territory to another."""
    people = s.owner[origin]
    return (
        raze_gain(s, origin, weight) + raze_gain(s, target, weight) + weight[people] * (1 + IS_CITY[target])
    )


@kernel
def best_territory(s, weight):
    """The best territory for an ability, a god's power or the wrath, or what such a choice is worth by and large."""
    if s.power:
        return best_love(s, weight)
    if s.wrath:
        return best_blow(s, wrath_strikes(s), weight)
    effect = EFFECT[s.ability]
    if effect in (Effect.VORTEX, Effect.DEVOUR):
        return best_blow(s, eligible(s, s.ability, s.step, s.chosen), weight)
    if effect == Effect.STRIKE:
        chance = (7 - NEEDS[s.ability]) / 6
        return chance * best_blow(s, eligible(s, s.ability, s.step, s.chosen), weight)
    if effect == Effect.FORTIFY:
        return FORT_WORTH * weight[s.ability]
    if effect == Effect.FORTRESS:
        return FORTRESS_WORTH * weight[s.ability]
    return CHOICE_WORTH


@kernel
def best_love(s, weight):
    """The best territory for a Love marker, against the marker kept."""
    best = -100.0
    for t in range(NUM_TERRITORIES):
        if s.owner[t] != NONE and not has(s.love, t):
            best = max(best, weight[s.owner[t]] * love_worth(s, t))
    return best - LOVE_KEPT


@kernel
def love_worth(s, t):
    """What a Love marker adds to a territory."""
    return LOVE_WORTH * (1 + IS_CITY[t]) * s.turn / TURNS


@kernel
def best_blow(s, territories, weight):
    """The best territory to empty among these."""
    best = -100.0
    for t in range(NUM_TERRITORIES):
        if has(territories, t):
            best = max(best, raze_gain(s, t, weight))
    return best if best > -100.0 else 0.0
