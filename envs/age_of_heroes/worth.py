"""How good a table looks to a seat: what the greedy and the searching player go by.

All weights are ours, set by hand, and have no bearing on the rules. A half-made decision is worth what it may lead to:
an offer that is being put together, a war that is being prepared.
"""

from __future__ import annotations

import numpy as np

from ..engine.compile import kernel
from ..engine.fields import MAX_SEATS
from .components import COST, NUM_BUILDINGS, NUM_HELD, NUM_ORDINARY, RULE, Building, Card
from .hands import sure_of
from .rules.fair import is_meant, is_to_one, named, says_something
from .rules.promises import can_promise
from .rules.table import connected, has, seat_after, special_of
from .state import (
    ATTACK,
    BARBARIANS,
    DEFENCE,
    DUE,
    NEWEST,
    NONE,
    NUM_UNITS,
    NUM_VOWS,
    NUM_WORDS,
    Goal,
    Phase,
    Stage,
    Unit,
    Vow,
    Word,
)

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
CITY, ON_MONUMENT, GENERAL = 2.6, 1.5, 1.6
BOTH_WAYS = 0.3  # for every step that has been made both to five cities and to a monument
MORE_OF_A_KIND = 0.4  # of what a card is worth, beyond two of its kind
OUT_OF_THE_GAME = -20.0
ROAD, FEW_ROUNDS, MANY_ROUNDS = 0.15, 4, 10  # a card at each Fair that is still to come
# a foreign special resource is worth more by the monument that it is for, and little when that tribe is not there
TO_COLLECTORS, TO_NOBODY = 0.02, 0.13
ARMIES = np.array([0, 1.9, 3.5, 4.9, 6.1, 7.1, 7.9, 8.5, 9.0, 9.4, 9.7, 9.9, 10.0])
FORTRESSES = np.array([0, 1.7, 3.0, 4.0, 4.8, 5.4, 5.9, 6.3, 6.6, 6.8])
AWAY, SHAKEN, EXCESS = 0.3, 0.3, 0.1
EVEN_DUEL, BY_BONUS, LEAST_CHANCE, MOST_CHANCE = 0.42, 0.13, 0.02, 0.97  # that a duel is won
BEATEN, FALLEN = 0.6, 1.4  # an enemy's army, and one's own in an attack
DEFENDED, LOST = 1.2, 0.6  # to the attacked: an attacker's army, and its own
SPOILT, PART_LOST = (
    1.4,
    0.4,
)  # what a plundered card is worth over one at random; a part of a monument, for each there
STOPPED = 6.0  # a claim to victory that is taken away
FOR_A_CITY, FOR_TWO, SPREAD = (
    1.0,
    3.0,
    1.2,
)  # expected wins from which there is hope, and over which it becomes sure
A_CITY, ANOTHER = 4.0, 3.5  # cities that are conquered
BROKEN_PROMISE, VICTORY, WAR_ON_OTHERS = 0.3, 100.0, 0.95
RIVAL, OTHERS = 0.5, 0.5
CARD_AT_RANDOM = 0.45
RELIEF, RESTRAINT = 0.25, 0.1  # of a promise, for each army that one need not fear, or may not send
OF_A_WAR = 0.15  # as much of that, for each army to be feared of a third tribe with which one does not attack
ROAD_TO_COME, GIFT_TO_COME, GIFT_DUE = 0.05, 0.3, 1.0
EVEN, STEEP = (
    0.45,
    4.0,
)  # how likely a bargain is agreed to: one that brings the other side nothing, and by its gain
LEAST_PROFIT, HOPELESS = 0.03, 1.0  # an offer that brings nothing is worse than what comes after it
QUESTION, REPLY, TO_ALL = 0.04, 0.05, 0.005
SAYS_YES, SAYS_NO, SAYS_NOTHING, DECLINED = 0.9, 0.15, 0.6, 0.4  # what words say of a hand
UNKNOWN_USE = 0.15  # of an ordinary resource in a hand that one does not see
NUM_GOODS = NUM_HELD + 1  # what changes hands: cards, and peace
PEACE, NO_GOOD = NUM_HELD, -1
COMPOSING = (int(Phase.GIVE), int(Phase.ASK))
SO_FAR, GETS, GIVES, HOLDS, VOWS, NUM_ROWS = 0, 1, 2, 3, 4, 5  # of what single goods are worth in a bargain


@kernel
def value(s, seat):
    """How good the table looks to `seat`: its own prospects, over those of the strongest other and of all others."""
    if s.finished:
        return VICTORY if s.winner == seat else -VICTORY
    own, best, others, count, rival = 0.0, -100.0, 0.0, 0, NONE
    for other in range(s.num_players):
        if s.eliminated[other] == 0:
            worth = prospects(s, other)
            if other == seat:
                own = worth
            else:
                if worth > best:
                    best, rival = worth, other
                others += worth
                count += 1
    if s.eliminated[seat] > 0:
        own = OUT_OF_THE_GAME
    total = own - RIVAL * best - OTHERS * others / max(1, count)
    if s.attacker != NONE:
        total += _war_prospects(s, seat, rival)
    elif s.phase == Phase.CONSENT and s.turn == seat:
        total += _road_prospects(s, seat)
    elif s.stage == Stage.BARGAINING:
        total += _word_prospects(s, seat)
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
        CITY * cities
        + ON_MONUMENT * monument
        + PROGRESS[max(cities, monument)]
        + BOTH_WAYS * min(cities, monument)
    )
    worth += ARMIES[min(armies, len(ARMIES) - 1)] + GENERAL * led + FORTRESSES[s.fortresses[seat]]
    worth += _road_worth(s) * connected(s, seat) - AWAY * away - SHAKEN * shaken
    worth += _promises_worth(s, seat)
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
def _road_worth(s):
    """One more card at each Fair to come."""
    return ROAD * max(FEW_ROUNDS, MANY_ROUNDS - s.round)


@kernel
def _road_prospects(s, seat):
    """A road to which a neighbour is asked to consent: to both it brings cards, and one pays."""
    cards = np.zeros(NUM_HELD, np.int64)
    for card in range(NUM_HELD):
        cards[card] = s.hand[seat, card]
    stone = min(COST[Building.ROAD, Card.STONE], cards[Card.STONE])
    before = worth_of(s, seat, cards)
    cards[Card.STONE] -= stone
    cards[GOLD] -= COST[Building.ROAD, Card.STONE] - stone
    mine = _road_worth(s) * (1 + connected(s, s.seat)) - before + worth_of(s, seat, cards)
    theirs = _road_worth(s) * (1 + connected(s, seat))
    return SAYS_YES * (mine - _share(s) * theirs)


@kernel
def _promises_worth(s, seat):
    """Promises made to a tribe and by it, and those that it broke."""
    worth = 0.0
    for other in range(s.num_players):
        for vow in range(NUM_VOWS):
            worth -= BROKEN_PROMISE * s.broken[seat, other, vow]
            if s.promise[other, seat, vow] > 0:
                worth += vow_worth(s, other, seat, vow, s.against[other])
            if s.promise[seat, other, vow] > 0:
                worth -= vow_cost(s, seat, other, vow, s.against[seat])
    return worth


@kernel
def vow_worth(s, who, whom, vow, third):
    """What a promise is worth to the one to whom it is made, who remembers what became of others."""
    if vow == Vow.PEACE:
        worth = RELIEF * _threat(s, who, whom)
    elif vow == Vow.STAY_OUT:
        worth = OF_A_WAR * RELIEF * _threat(s, who, whom) * _threat_of(s, third, whom)
    else:
        worth = ROAD_TO_COME if vow == Vow.ROAD else GIFT_TO_COME
    kept, broken = 0, 0
    for other in range(s.num_players):
        for kind in range(NUM_VOWS):
            kept += s.kept[who, other, kind]
            broken += s.broken[who, other, kind]
    return worth * (2.0 + kept) / (2.0 + kept + 2.0 * broken)


@kernel
def vow_cost(s, who, whom, vow, third):
    """What a promise costs the one who makes it."""
    if vow == Vow.PEACE:
        return RESTRAINT * _threat(s, who, whom)
    if vow == Vow.STAY_OUT:
        return OF_A_WAR * RESTRAINT * _threat(s, who, whom) * _threat_of(s, third, whom)
    return GIFT_TO_COME if vow == Vow.GIFT else ROAD_TO_COME


@kernel
def _threat_of(s, thirds, whom):
    """The threat of the third tribe of a promise."""
    threat = 0
    for third in range(s.num_players):
        if has(thirds, third):
            threat += _threat(s, third, whom)
    return threat


@kernel
def hand_worth(s, seat):
    """Cards in hand."""
    return worth_of(s, seat, s.hand[seat])


@kernel
def worth_of(s, seat, cards):
    """Cards: each by itself, less when there are many of a kind, more when they pay for a building together."""
    worth = 0.0
    own = special_of(s, seat)
    for card in range(NUM_HELD):
        count = cards[card]
        if card == own:
            for k in range(count):
                worth += OWN_SPECIAL[min(len(OWN_SPECIAL) - 1, s.monument[seat] + k)]
        elif Card.LIMESTONE <= card <= Card.GRANITE:
            worth += _foreign_worth(s, card) * count
        elif count > 2 and card < GOLD:
            worth += IN_HAND[card] * (2 + MORE_OF_A_KIND * (count - 2))
        else:
            worth += IN_HAND[card] * count
    return worth + _nearest_building(cards)


@kernel
def _foreign_worth(s, card):
    """A special resource of another tribe, for which that tribe may give something."""
    for other in range(s.num_players):
        if special_of(s, other) == card and s.eliminated[other] == 0:
            return IN_HAND[card] + TO_COLLECTORS * s.monument[other]
    return TO_NOBODY


@kernel
def _nearest_building(cards):
    """The building that they pay for best: the square of the part that they pay."""
    best = 0.0
    for kind in range(NUM_BUILDINGS):
        cost, paid, gold = 0, 0, cards[GOLD]
        for card in range(NUM_ORDINARY):
            need = COST[kind, card]
            cost += need
            if card == GOLD:
                paid += min(need, gold)
                gold -= min(need, gold)
            else:
                paid += min(need, cards[card])
        paid = min(cost, paid + gold)
        best = max(best, TO_BUILD[kind] * (paid * paid) / (cost * cost))
    return best


# -- Wars --------------------------------------------------------------------------------------------------------------


@kernel
def _war_prospects(s, seat, rival):
    """What the war that is on will bring `seat`, as attacker, best of its strongest rival, or as attacked."""
    if seat == s.attacker:
        return _expected(s, True) * (1.0 if s.target == rival else WAR_ON_OTHERS)
    return -_expected(s, False) if seat == s.target else 0.0


@kernel
def _expected(s, for_attacker):
    """What the attacker may expect to win (and what that costs it), or the attacked to lose."""
    attack, attack_bonus = _force(s, ATTACK)
    defence, defence_bonus = _force(s, DEFENCE)
    duels = min(attack, defence)
    ahead = attack_bonus / max(1, attack) - defence_bonus / max(1, defence) - s.fortresses[s.target]
    beats = max(LEAST_CHANCE, min(MOST_CHANCE, EVEN_DUEL + BY_BONUS * ahead))
    falls = max(LEAST_CHANCE, min(MOST_CHANCE, EVEN_DUEL - BY_BONUS * ahead))
    wins = s.wins + duels * beats + max(0, attack - defence)
    if s.phase == Phase.GOAL:
        spoils = 0.0
        for goal in range(NUM_GOALS):
            spoils = max(spoils, _spoils(s, goal, wins))
    else:
        spoils = _spoils(s, s.goal, wins)
    if for_attacker:
        return spoils + BEATEN * duels * beats - FALLEN * duels * falls - _costs_a_promise(s)
    return spoils + DEFENDED * duels * beats - LOST * duels * falls


@kernel
def _costs_a_promise(s):
    if s.attacker == BARBARIANS:
        return 0.0
    broken = (s.promise[s.attacker, s.target, Vow.PEACE] > 0) + (
        s.promise[s.attacker, s.target, Vow.STAY_OUT] == DUE
    )
    return BROKEN_PROMISE * broken


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
    stops = STOPPED if s.claim[s.target] > 0 else 0.0
    if goal == Goal.CONQUEST:
        first = max(0.0, min(1.0, (wins - FOR_A_CITY) / SPREAD))
        second = max(0.0, min(1.0, (wins - FOR_TWO) / SPREAD))
        if s.cities[s.target] < EMPIRE:
            stops = 0.0
        return first * (A_CITY + stops) + (second * ANOTHER if s.cities[s.target] > 1 else 0.0)
    if goal == Goal.PLUNDER:
        return SPOILT * CARD_AT_RANDOM * min(2.0 * wins, s.hand_size[s.target])
    if s.monument[s.target] < MONUMENT:
        stops = 0.0
    return min(1.0, wins) * (PART_LOST * s.monument[s.target] + stops)


# -- The Fair ----------------------------------------------------------------------------------------------------------


@kernel
def _word_prospects(s, seat):
    """What a word of `seat` at the Fair may bring: an offer under way, a question, the reply to one."""
    if s.phase == Phase.WISH and s.floor == seat:
        return _question_prospects(s, seat, NONE) if s.asked else 0.0
    if s.word[NEWEST] == Word.QUESTION:
        if s.word_by[NEWEST] == seat:
            return _question_prospects(s, seat, _asked_about(s)) if s.speaking else 0.0
        return _reply_prospects(s, seat) if s.floor == s.word_by[NEWEST] and is_meant(s, seat) else 0.0
    if s.speaking and s.word_by[NEWEST] == seat:
        return _offer_prospects(s, seat)
    return 0.0


@kernel
def _asked_about(s):
    """The card that the newest question is about."""
    for card in range(NUM_HELD):
        if s.wanted[NEWEST, card] > 0:
            return card
    return NONE


@kernel
def _offer_prospects(s, seat):
    """An offer as it stands, or with one more card or peace on each side while these may still be named."""
    view = np.zeros((NUM_ROWS, MAX_SEATS, NUM_GOODS), np.float64)
    unseen = np.zeros(NUM_HELD, np.int64)
    _count_unseen(s, seat, unseen)
    _look_at_own(s, seat, True, view)
    for k in range(1, s.num_players):
        other = seat_after(s, seat, k)
        if is_meant(s, other) and not has(s.said_no[NEWEST], other):
            _look_at(s, seat, other, True, unseen, view)
    best = -HOPELESS
    if says_something(s):
        best = _bargain(s, seat, view, NO_GOOD, NO_GOOD)
    if s.phase in (Phase.GIVE, Phase.ASK):
        first_given = (
            _next_to_name(s, s.given[NEWEST], s.vow_given[NEWEST]) if s.phase == Phase.GIVE else NUM_GOODS
        )
        first_asked = _next_to_name(s, s.wanted[NEWEST], s.vow_wanted[NEWEST])
        for give in range(NO_GOOD, NUM_GOODS):
            if give == NO_GOOD or (give >= first_given and view[GIVES, seat, give] > 0):
                for ask in range(first_asked, NUM_GOODS):
                    if view[GETS, seat, ask] > 0 and (ask != give or ask == PEACE):
                        best = max(best, _bargain(s, seat, view, give, ask))
                if give != NO_GOOD and s.phase == Phase.GIVE:
                    best = max(best, _bargain(s, seat, view, give, NO_GOOD))
    if best < LEAST_PROFIT:
        return -HOPELESS
    parts = named(s.given[NEWEST]) + named(s.wanted[NEWEST])
    for vow in range(NUM_VOWS):
        parts += has(s.vow_given[NEWEST], vow) + has(s.vow_wanted[NEWEST], vow)
    return best - LEAST_PROFIT * (0.5 + parts) - (0.0 if is_to_one(s) else TO_ALL)


@kernel
def _next_to_name(s, cards, vows):
    """The first kind that may still be named on one side of an offer: they are named in order."""
    if vows > 0:
        return NUM_GOODS
    if named(cards) >= s.cards:
        return PEACE
    first = 0
    for card in range(NUM_HELD):
        if cards[card] > 0:
            first = card
    return first


@kernel
def _bargain(s, seat, view, give, ask):
    """What the offer with these two added is worth: those to whom it is made are asked in turn, until one accepts."""
    total, left = 0.0, 1.0
    own = view[SO_FAR, seat, 0]
    if give != NO_GOOD:
        own -= view[GIVES, seat, give]
    if ask != NO_GOOD:
        own += view[GETS, seat, ask]
    share = _share(s)
    for k in range(1, s.num_players):
        other = seat_after(s, seat, k)
        likely = view[HOLDS, other, PEACE]
        if likely > 0.0:
            mine, theirs = own + view[VOWS, other, 0], view[SO_FAR, other, 0]
            if give != NO_GOOD:
                theirs += view[GETS, other, give]
            if ask != NO_GOOD:
                theirs -= view[GIVES, other, ask]
                likely *= view[HOLDS, other, ask]
            chance = likely * _chance_of_yes(mine, theirs, share)
            total += left * chance * (mine - share * theirs)
            left *= 1.0 - chance
            if s.promise[seat, other, Vow.GIFT] == DUE and _would_be_gift(s, give, ask):
                total += GIFT_DUE
    return total


@kernel
def _would_be_gift(s, give, ask):
    """Whether the offer with these two added gives cards for nothing."""
    cards = named(s.given[NEWEST]) > 0 or NO_GOOD < give < PEACE
    return cards and ask == NO_GOOD and named(s.wanted[NEWEST]) == 0 and s.vow_wanted[NEWEST] == 0


@kernel
def _chance_of_yes(mine, theirs, share):
    """How likely the other side agrees to what brings so much to both."""
    return max(0.0, min(1.0, EVEN + STEEP * (theirs - share * mine)))


@kernel
def _share(s):
    """How much of the gain of the other side of a bargain counts against one's own."""
    return RIVAL * 0.6 + OTHERS / max(1, s.num_players - 1)


@kernel
def _look_at_own(s, seat, offer, view):
    """What single cards are worth to a seat: on top of the newest offer (`offer`), else by themselves."""
    cards = np.zeros(NUM_HELD, np.int64)
    for card in range(NUM_HELD):
        cards[card] = s.hand[seat, card]
    before = worth_of(s, seat, cards)
    if offer:
        for card in range(NUM_HELD):
            cards[card] += s.wanted[NEWEST, card] - s.given[NEWEST, card]
    own = worth_of(s, seat, cards)
    view[SO_FAR, seat, 0] = own - before
    if offer and s.phase not in COMPOSING:
        return
    for card in range(NUM_HELD):
        cards[card] += 1
        view[GETS, seat, card] = worth_of(s, seat, cards) - own
        cards[card] -= 1
        if cards[card] > 0 and (not offer or s.hand[seat, card] > s.given[NEWEST, card]):
            cards[card] -= 1
            view[GIVES, seat, card] = own - worth_of(s, seat, cards)
            cards[card] += 1


@kernel
def _look_at(s, seat, other, offer, unseen, view):
    """And to another seat, by what `seat` knows of its hand; `_look_at_own` comes first."""
    sure, cards = np.zeros(NUM_HELD, np.int64), np.zeros(NUM_HELD, np.int64)
    hidden = int(s.hand_size[other])
    for card in range(NUM_HELD):
        sure[card] = sure_of(s, seat, other, card)
        cards[card] = sure[card]
        hidden -= sure[card]
    before, unknown, likely = worth_of(s, other, cards), 0.0, 1.0
    if offer:
        for card in range(NUM_HELD):
            given, wanted = s.given[NEWEST, card], s.wanted[NEWEST, card]
            if wanted > 0:
                likely *= _chance_to_hold(s, seat, other, card, wanted - sure[card], hidden, unseen)
            unknown += max(0, wanted - cards[card]) * _unknown_worth(s, other, card, cards)
            cards[card] = max(0, cards[card] + given - wanted)
    own = worth_of(s, other, cards)
    view[SO_FAR, other, 0] = own - before - unknown
    if offer:
        _count_vows(s, seat, other, view)
    view[HOLDS, other, PEACE] = likely
    if offer and s.phase not in COMPOSING:
        return
    for card in range(NUM_HELD):
        more = 1 + (s.wanted[NEWEST, card] if offer else 0) - sure[card]
        view[HOLDS, other, card] = _chance_to_hold(s, seat, other, card, more, hidden, unseen)
        if view[GIVES, seat, card] > 0:
            cards[card] += 1
            view[GETS, other, card] = worth_of(s, other, cards) - own
            cards[card] -= 1
        if cards[card] > 0:
            cards[card] -= 1
            view[GIVES, other, card] = own - worth_of(s, other, cards)
            cards[card] += 1
        else:
            view[GIVES, other, card] = _unknown_worth(s, other, card, cards)
    _look_at_peace(s, seat, other, view)


@kernel
def _look_at_peace(s, seat, other, view):
    """And what a promise of peace is worth."""
    if can_promise(s, seat, other, Vow.PEACE):
        view[GIVES, seat, PEACE] = vow_cost(s, seat, other, Vow.PEACE, 0) + LEAST_PROFIT
        view[GETS, other, PEACE] = vow_worth(s, seat, other, Vow.PEACE, 0)
    if can_promise(s, other, seat, Vow.PEACE):
        view[GETS, seat, PEACE] = vow_worth(s, other, seat, Vow.PEACE, 0)
        view[GIVES, other, PEACE] = vow_cost(s, other, seat, Vow.PEACE, 0)


@kernel
def _count_vows(s, seat, other, view):
    """The promises in an offer."""
    for vow in range(NUM_VOWS):
        if has(s.vow_given[NEWEST], vow) and can_promise(s, seat, other, vow):
            view[VOWS, other, 0] -= vow_cost(s, seat, other, vow, s.third[NEWEST])
            view[SO_FAR, other, 0] += vow_worth(s, seat, other, vow, s.third[NEWEST])
        if has(s.vow_wanted[NEWEST], vow) and can_promise(s, other, seat, vow):
            view[VOWS, other, 0] += vow_worth(s, other, seat, vow, s.third[NEWEST])
            view[SO_FAR, other, 0] -= vow_cost(s, other, seat, vow, s.third[NEWEST])


@kernel
def _unknown_worth(s, holder, card, known):
    """What a card is worth to a hand of which one does not see it."""
    if card == special_of(s, holder):
        return OWN_SPECIAL[min(6, s.monument[holder] + known[card])]
    if Card.LIMESTONE <= card <= Card.GRANITE:
        return _foreign_worth(s, card)
    return IN_HAND[card] + (UNKNOWN_USE if card < GOLD else 0.0)


@kernel
def _chance_to_hold(s, seat, other, card, need, hidden, unseen):
    """How likely another hand holds so many more cards of a kind than are known, by what was seen and what was said."""
    if need <= 0:
        return 1.0
    if unseen[card] < need or hidden < need:
        return 0.0
    all_unseen = 0
    for kind in range(NUM_HELD):
        all_unseen += unseen[kind]
    likely = 1.0 - power(1.0 - unseen[card] / all_unseen, hidden)
    for k in range(NUM_WORDS):
        if s.word[k] == Word.QUESTION and has(s.word_to[k], other) and s.wanted[k, card] > 0:
            if has(s.said_yes[k], other):
                likely = max(likely, SAYS_YES)
            elif has(s.said_no[k], other):
                likely *= SAYS_NO
            elif k < NEWEST or not s.speaking:
                likely *= SAYS_NOTHING
        elif has(s.said_no[k], other) and s.wanted[k, card] > 0 and s.word_by[k] == seat:
            likely *= DECLINED
    return power(likely, need)


@kernel
def power(base, times):
    """`base` so many times with itself: the same to the last bit in compiled and in plain mode."""
    product = 1.0
    for _ in range(times):
        product *= base
    return product


@kernel
def _count_unseen(s, seat, unseen):
    """Cards by kind that `seat` has not seen: in the deck and in other hands."""
    for card in range(NUM_HELD):
        unseen[card] = s.deck[card]
        for holder in range(s.num_players):
            if holder != seat:
                unseen[card] += s.hand[holder, card] - sure_of(s, seat, holder, card)


@kernel
def _question_prospects(s, seat, about):
    """What an offer may bring to the first who says yes: about one card, or for NONE about the best."""
    left, total = np.ones(NUM_HELD, np.float64), np.zeros(NUM_HELD, np.float64)
    share = _share(s)
    view, unseen = np.zeros((NUM_ROWS, MAX_SEATS, NUM_GOODS), np.float64), np.zeros(NUM_HELD, np.int64)
    _count_unseen(s, seat, unseen)
    _look_at_own(s, seat, False, view)
    for k in range(1, s.num_players):
        other = seat_after(s, seat, k)
        if s.eliminated[other] == 0:
            _look_at(s, seat, other, False, unseen, view)
            for ask in range(NUM_HELD):
                if about in (NONE, ask) and 0.0 < view[HOLDS, other, ask] < 1.0:
                    best = 0.0
                    for give in range(NUM_HELD):
                        if give != ask and view[GIVES, seat, give] > 0:
                            mine = view[GETS, seat, ask] - view[GIVES, seat, give]
                            theirs = view[GETS, other, give] - view[GIVES, other, ask]
                            chance = _chance_of_yes(mine, theirs, share)
                            best = max(best, chance * (mine - share * theirs))
                    total[ask] += left[ask] * view[HOLDS, other, ask] * best
                    left[ask] *= 1.0 - view[HOLDS, other, ask]
    best = 0.0
    for ask in range(NUM_HELD):
        best = max(best, total[ask])
    return best - QUESTION if best > QUESTION else -HOPELESS


@kernel
def _reply_prospects(s, seat):
    """Yes for a card that one would part with; no where there is none; otherwise nothing."""
    card, asker = _asked_about(s), s.word_by[NEWEST]
    if has(s.said_no[NEWEST], seat):
        return 0.5 * REPLY if s.hand[seat, card] == 0 else -0.5 * REPLY
    if not has(s.said_yes[NEWEST], seat):
        return 0.0
    if s.hand[seat, card] == 0:
        return -REPLY
    cards, known = np.zeros(NUM_HELD, np.int64), np.zeros(NUM_HELD, np.int64)
    for kind in range(NUM_HELD):
        cards[kind] = s.hand[seat, kind]
        known[kind] = sure_of(s, seat, asker, kind)
    before = worth_of(s, seat, cards)
    cards[card] -= 1
    loss = before - worth_of(s, seat, cards)
    return REPLY if loss < _unknown_worth(s, asker, card, known) + UNKNOWN_USE else -REPLY
