"""How good a table looks to a seat: what the greedy and the searching player go by.

All weights are ours, set by hand, and have no bearing on the rules. A half-made decision is worth what it may lead to:
an offer that is being put together, a war that is being prepared.
"""

from __future__ import annotations

import numpy as np

from ..engine.compile import kernel
from .components import COST, NUM_BUILDINGS, NUM_HELD, NUM_ORDINARY, RULE, Card
from .rules.fair import is_meant, named
from .rules.table import connected, seat_after, special_of
from .state import ATTACK, BARBARIANS, DEFENCE, NONE, NUM_UNITS, Goal, Phase, Unit

HAND_LIMIT, EMPIRE, MONUMENT = RULE.hand_limit, RULE.empire, RULE.monument
GOLD = Card.GOLD
NUM_GOALS = len(Goal)

# What is worth how much; one is about two cards.
IN_HAND = np.array([0.4, 0.4, 0.4, 0.45, 0.7, 0.15, 0.15, 0.15, 0.15, 0.15, 0.15, 0.7, 0.8, 0.5])  # by Card
OWN_SPECIAL = np.array([0.9, 1.0, 1.2, 1.6, 2.4, 0.5, 0.5])  # in hand, by how many there are already
TO_BUILD = np.array(
    [1.2, 0.5, 0.5, 0.6, 0.6]
)  # by Building: cards in hand that pay for one, over the cards alone
PROGRESS = np.array([0, 0, 0.4, 1.4, 3.2, 7.0, 7.2, 7.3, 7.4, 7.5, 7.6, 7.7, 7.8])  # by cities, or monument
CITY, ON_MONUMENT, GENERAL, ROAD = 2.6, 1.5, 1.6, 0.9
ARMIES = np.array([0, 1.9, 3.5, 4.9, 6.1, 7.1, 7.9, 8.5, 9.0, 9.4, 9.7, 9.9, 10.0])
FORTRESSES = np.array([0, 1.7, 3.0, 4.0, 4.8, 5.4, 5.9, 6.3, 6.6, 6.8])
AWAY, SHAKEN, EXCESS = 0.3, 0.3, 0.1
BROKEN_PROMISE, VICTORY = 0.3, 100.0
RIVAL, OTHERS = 0.5, 0.5
CARD_AT_RANDOM, UNKNOWN_HOLDER = 0.45, 0.3
RELIEF, RESTRAINT = 0.25, 0.1
LEAST_PROFIT, HOPELESS = 0.01, 1.0  # an offer that brings nothing is worse than what comes after it
GETS, GIVES, OTHER_GETS, OTHER_GIVES = 0, 1, 2, 3  # rows of what single cards are worth in a bargain


@kernel
def value(s, seat):
    """How good the table looks to `seat`: its own prospects, over those of the strongest other and of all others."""
    if s.finished:
        return VICTORY if s.winner == seat else -VICTORY
    own, best, others, count = 0.0, -100.0, 0.0, 0
    for other in range(s.num_players):
        if s.eliminated[other] == 0:
            worth = prospects(s, other)
            if other == seat:
                own = worth
            else:
                best = max(best, worth)
                others += worth
                count += 1
    if s.eliminated[seat] > 0:
        own = -20.0
    total = own - RIVAL * best - OTHERS * others / max(1, count)
    if s.attacker != NONE:
        total += _war_prospects(s, seat)
    elif s.floor == seat and s.offer_to != NONE:
        total += _offer_prospects(s, seat)
    return total


# -- What a tribe has --------------------------------------------------------------------------------------------------


@kernel
def prospects(s, seat):
    """What a tribe has on the table and in hand, and will have when the event that is on has struck."""
    struck = s.victim == seat and s.aim == 0
    cities, monument = s.cities[seat] - (struck and s.event == Card.ERUPTION), s.monument[seat]
    shaken = s.shaken[seat] + (struck and s.event == Card.EARTHQUAKE)
    away = s.out[seat] + s.out_led[seat] + s.back[seat] + s.back_led[seat]
    led = s.led[seat] + s.out_led[seat] + s.back_led[seat]
    armies = s.army[seat] + s.led[seat] + s.shaken[seat] + away
    if s.attacker == seat:
        armies += s.sent + s.sent_led
        led += s.sent_led
    worth = (
        CITY * cities + ON_MONUMENT * monument + PROGRESS[max(cities, monument)] + 0.3 * min(cities, monument)
    )
    worth += ARMIES[min(armies, 12)] + GENERAL * led + FORTRESSES[s.fortresses[seat]]
    worth += ROAD * connected(s, seat) - AWAY * away - SHAKEN * shaken
    for other in range(s.num_players):
        worth -= BROKEN_PROMISE * s.broken[seat, other]
        worth += RELIEF * s.promise[other, seat] * _threat(s, other, seat)
        worth -= RESTRAINT * s.promise[seat, other] * _threat(s, seat, other)
    return worth + _hand_to_be(s, seat) - EXCESS * max(0, s.hand_size[seat] - HAND_LIMIT)


@kernel
def _hand_to_be(s, seat):
    """What the hand is worth; while a Famine is on, without its grain."""
    if s.event != Card.FAMINE:
        return hand_worth(s, seat)
    grain = s.hand[seat, Card.GRAIN]
    s.hand[seat, Card.GRAIN] = 0
    worth = hand_worth(s, seat)
    s.hand[seat, Card.GRAIN] = grain
    return worth


@kernel
def _threat(s, who, whom):
    """How much stronger an attack would be than the defence, from 0 to 3."""
    attack = s.army[who] + 2 * s.led[who]
    defence = s.army[whom] + 2 * s.led[whom] + s.fortresses[whom]
    return max(0, min(3, attack - defence + 1))


@kernel
def hand_worth(s, seat):
    """Cards in hand: each by itself, less when there are many of a kind, more when they pay for a building together."""
    worth = 0.0
    own = special_of(s, seat)
    for card in range(NUM_HELD):
        count = s.hand[seat, card]
        if card == own:
            for k in range(count):
                worth += OWN_SPECIAL[min(6, s.monument[seat] + k)]
        elif count > 2 and card < GOLD:
            worth += IN_HAND[card] * (2 + 0.4 * (count - 2))
        else:
            worth += IN_HAND[card] * count
    return worth + _nearest_building(s, seat)


@kernel
def _nearest_building(s, seat):
    """The building that the hand pays for best: the square of the part that it pays."""
    best = 0.0
    for kind in range(NUM_BUILDINGS):
        cost, paid, gold = 0, 0, s.hand[seat, GOLD]
        for card in range(NUM_ORDINARY):
            need = COST[kind, card]
            cost += need
            if card == GOLD:
                paid += min(need, gold)
                gold -= min(need, gold)
            else:
                paid += min(need, s.hand[seat, card])
        paid = min(cost, paid + gold)
        best = max(best, TO_BUILD[kind] * (paid * paid) / (cost * cost))
    return best


# -- Wars --------------------------------------------------------------------------------------------------------------


@kernel
def _war_prospects(s, seat):
    """What the war that is on will bring `seat`, as attacker or as attacked."""
    if seat == s.attacker:
        return _expected(s, True)
    return -_expected(s, False) if seat == s.target else 0.0


@kernel
def _expected(s, for_attacker):
    """What the attacker may expect to win (and what that costs it), or the attacked to lose."""
    attack, attack_bonus = _force(s, ATTACK)
    defence, defence_bonus = _force(s, DEFENCE)
    duels = min(attack, defence)
    ahead = attack_bonus / max(1, attack) - defence_bonus / max(1, defence) - s.fortresses[s.target]
    beats = max(0.02, min(0.97, 0.42 + 0.13 * ahead))
    falls = max(0.02, min(0.97, 0.42 - 0.13 * ahead))
    wins = s.wins + duels * beats + max(0, attack - defence)
    if s.phase == Phase.GOAL:
        spoils = 0.0
        for goal in range(NUM_GOALS):
            spoils = max(spoils, _spoils(s, goal, wins))
    else:
        spoils = _spoils(s, s.goal, wins)
    if for_attacker:
        return spoils + 0.6 * duels * beats - 1.4 * duels * falls - _costs_a_promise(s)
    return spoils + 1.2 * duels * beats - 0.6 * duels * falls


@kernel
def _costs_a_promise(s):
    if s.attacker == BARBARIANS:
        return 0.0
    return BROKEN_PROMISE * s.promise[s.attacker, s.target]


@kernel
def _force(s, side):
    """Units of a side and their bonuses, those included that may still be chosen."""
    count, bonus = 0, 0
    for unit in range(NUM_UNITS):
        count += s.units[side, unit]
    bonus = 2 * (s.units[side, Unit.LED_ARMY] + s.units[side, Unit.HERO_LED_ARMY])
    if s.attacker == BARBARIANS:
        return (1, 0) if side == ATTACK else (count, bonus)
    if side == DEFENCE:
        if s.phase < Phase.DEFEND:
            count = s.army[s.target] + s.led[s.target]
            bonus = 2 * s.led[s.target]
        return count, bonus
    if s.phase <= Phase.SEND:
        count += s.army[s.attacker]
    if s.phase <= Phase.SEND_LED:
        count += s.led[s.attacker]
        bonus += 2 * s.led[s.attacker]
    return count, bonus


@kernel
def _spoils(s, goal, wins):
    """What so many winning armies are worth with this goal."""
    stops = 6.0 if s.claim[s.target] > 0 else 0.0
    if goal == Goal.CONQUEST:
        first = max(0.0, min(1.0, (wins - 1.0) / 1.2))
        second = max(0.0, min(1.0, (wins - 3.0) / 1.2))
        if s.cities[s.target] < EMPIRE:
            stops = 0.0
        return first * (4.0 + stops) + (second * 3.5 if s.cities[s.target] > 1 else 0.0)
    if goal == Goal.PLUNDER:
        return 1.4 * CARD_AT_RANDOM * min(2.0 * wins, s.hand_size[s.target])
    if s.monument[s.target] < MONUMENT:
        stops = 0.0
    return min(1.0, wins) * (0.4 * s.monument[s.target] + stops)


# -- Offers ------------------------------------------------------------------------------------------------------------


@kernel
def _offer_prospects(s, seat):
    """What the offer that is being made or answered may bring: its worth to both sides, times the chance of a yes."""
    best = 0.0
    for k in range(1, s.num_players):
        other = seat_after(s, seat, k)
        if is_meant(s, other, s.offer_to) and not (s.answered >> other) & 1:
            best = max(best, _bargain_with(s, seat, other))
    if best < LEAST_PROFIT:
        return -HOPELESS
    return best - LEAST_PROFIT * (named(s.given) + named(s.wanted) + s.vow_wanted)


@kernel
def _bargain_with(s, seat, other):
    """The offer as it stands with one seat; while it is being composed, with the card added that fits best."""
    mine, theirs = _after_exchange(s, seat, other)
    if s.phase == Phase.ANSWER or (s.phase == Phase.ASK and (named(s.wanted) > 0 or s.vow_wanted)):
        return _worth_trying(s, other, mine, theirs)
    best = _worth_trying(s, other, mine, theirs) if s.phase == Phase.ASK else 0.0
    worth = np.zeros((4, NUM_HELD), np.float64)
    _marginal(s, seat, other, worth)
    for ask in range(NUM_HELD):
        if s.given[ask] == 0:
            likely = 0.9 if s.hand[other, ask] > 0 else 0.9 * UNKNOWN_HOLDER
            best = max(best, likely * _best_for(s, ask, mine, theirs, worth))
    return best


@kernel
def _best_for(s, ask, mine, theirs, worth):
    """What asking for a card may bring: for what is offered already, or else for the card that is best given."""
    gain, cost = mine + worth[GETS, ask], theirs - worth[OTHER_GIVES, ask]
    if named(s.given) > 0 or s.vow_given:
        return _agreed(s, gain, cost)
    best = 0.0
    for give in range(NUM_HELD):
        if worth[GIVES, give] > 0 and give != ask:
            best = max(best, _agreed(s, gain - worth[GIVES, give], cost + worth[OTHER_GETS, give]))
    return best


@kernel
def _worth_trying(s, other, mine, theirs):
    """An offer that is complete."""
    holds = True
    for card in range(NUM_HELD):
        holds = holds and s.hand[other, card] >= s.wanted[card]
    return (1.0 if holds else UNKNOWN_HOLDER) * _agreed(s, mine, theirs)


@kernel
def _agreed(s, mine, theirs):
    """Gain over what the other gains, times the chance that the other agrees."""
    share = RIVAL * 0.6 + OTHERS / max(1, s.num_players - 1)
    chance = max(0.0, min(1.0, 0.5 + 2.0 * (theirs - share * mine)))
    return chance * (mine - share * theirs)


@kernel
def _loss(s, seat, card):
    """What giving a card away costs."""
    before = hand_worth(s, seat)
    s.hand[seat, card] -= 1
    after = hand_worth(s, seat)
    s.hand[seat, card] += 1
    return before - after


@kernel
def _gain(s, seat, card):
    """What one more card is worth."""
    before = hand_worth(s, seat)
    s.hand[seat, card] += 1
    after = hand_worth(s, seat)
    s.hand[seat, card] -= 1
    return after - before


@kernel
def _marginal(s, seat, other, worth):
    """What each card is worth: to `seat` if it gets or gives it, to `other` if it gets or gives it."""
    for card in range(NUM_HELD):
        worth[GETS, card] = _gain(s, seat, card)
        worth[GIVES, card] = _loss(s, seat, card) if s.hand[seat, card] > 0 else 0.0
        worth[OTHER_GETS, card] = _gain(s, other, card)
        worth[OTHER_GIVES, card] = _loss(s, other, card) if s.hand[other, card] > 0 else _gain(s, other, card)


@kernel
def _after_exchange(s, seat, other):
    """What the offer as it stands is worth to both sides."""
    mine, theirs = -hand_worth(s, seat), -hand_worth(s, other)
    _exchange(s, seat, other, 1)
    mine += hand_worth(s, seat)
    theirs += hand_worth(s, other)
    _exchange(s, seat, other, -1)
    if s.vow_given:
        mine -= RESTRAINT * _threat(s, seat, other)
        theirs += RELIEF * _threat(s, seat, other)
    if s.vow_wanted:
        mine += RELIEF * _threat(s, other, seat)
        theirs -= RESTRAINT * _threat(s, other, seat)
    return mine, theirs


@kernel
def _exchange(s, seat, other, sign):
    """The cards of the offer change hands, or go back."""
    for card in range(NUM_HELD):
        change = sign * (s.wanted[card] - s.given[card])
        s.hand[seat, card] += change
        s.hand[other, card] -= change
