"""How good a table looks to a seat, for players that look ahead.

Points as they stand, the chances of places that are still open, and what a seat holds. Whatever two actions of one
decision can differ in must count here, or who looks one decision ahead throws dice: a trick that is under way counts
by what it will do to its victim, or to the best victim while none is named; a deity by its power and by whom it scores
for; a card in hand by what it can still become, which is nothing when the game is over.
"""

from __future__ import annotations

import numpy as np

from ..engine.compile import kernel
from ..engine.fields import MAX_SEATS
from .components import NUM_HELD, NUM_NATIONS, RULE, Card, Deity
from .rules import (
    DEITY_POINTS,
    FAMILY_POINTS,
    HAND_LIMIT,
    MOST_RICHES,
    MOST_TEMPLE,
    MOST_VICTORY,
    PILES,
    SECOND_RICHES,
    SECOND_TEMPLE,
    SECOND_VICTORY,
    affects,
    leaders,
    owner,
    points_beside,
)
from .state import NONE, Phase

# Ours, found by play of greedy players with different weights against each other.
_IN_HAND = {
    Card.FAMILY: 0.55,
    Card.TEMPLE: 0.21,
    Card.VICTORY: 0.54,
    Card.SPY: 0.3,
    Card.THEFT_OF_DEITY: 0.55,
    Card.FAMINE: 0.3,
    Card.DEFEAT: 0.2,
    Card.EARTHQUAKE: 0.25,
    Card.CURSE: 0.35,
    Card.BAD_KING: 0.2,
    Card.AUGURY: 0.31,
    Card.RICHES: 0.405,
}
_POWER = {  # of a deity, for each turn to come
    Deity.MAMMON: 0.1,
    Deity.UTU: 0.1,
    Deity.MARDUK: 0.07,
    Deity.NERGAL: 0.071,
    Deity.KIRIRISHA: 0.08,
    Deity.INARA: 0.075,
}
IN_HAND = np.array([_IN_HAND[Card(card)] for card in range(NUM_HELD)])
POWER = np.array([_POWER[deity] for deity in Deity])
BEST_FIRST = np.argsort(-IN_HAND, kind="stable")
ON_TABLE, GREATEST_TEMPLE, A_DEITY = (
    0.1,
    0.1,
    0.3,
)  # each, while there is time; the second for each turn to come
ACTION_LEFT = 0.05
NEAR_END = 0.5  # turns before the end at which a card in hand is half as good
HOPE = 0.6  # of the places: by what they may become, while there is time; the rest by what they are
SURE, OPEN = 0.7, 2.5  # cards by which one must lead for the place to be sure: at the end, and more before
MUCH_TIME, CARDS_A_TURN = 8.0, 2.3  # turns; cards that go from the deck in one
RAID, A_DISCARD = 0.6, 0.3  # of a raid's chances; of a card that a Curse takes
#: float64 (7,): how often a raid of so many Riches wins, its die plus the cards being higher than the other's die.
RAID_WINS = np.array([
    np.mean([own + cards > other for own in range(1, RULE.die + 1) for other in range(1, RULE.die + 1)])
    if cards else 0.0 for cards in range(RULE.die + 1)
])  # fmt: skip


@kernel
def value(s, seat):
    """How good the table looks to `seat`: points and prospects, over those of the strongest other and of all others."""
    worths, turns = np.zeros(MAX_SEATS), turns_left(s)
    _nations_worth(s, worths, turns)
    for other in range(s.num_players):
        worths[other] += 0.0 if s.finished else _hand_worth(s, other, turns)
    best, others, strongest = -100.0, 0.0, NONE
    for other in range(s.num_players):
        if other != seat:
            others += worths[other]
            if worths[other] > best:
                best, strongest = worths[other], other
    worth = worths[seat] - 0.5 * best - 0.5 * others / (s.num_players - 1)
    if s.phase == Phase.KEEP and s.seat == seat:
        return worth + _best_shown(s, seat, turns)
    if s.trick == NONE or s.finished:
        return worth
    trick = _trick_worth(s, owner(s, s.turn), strongest, turns)
    return worth + trick if owner(s, s.turn) == seat else worth - 0.5 * trick


@kernel
def turns_left(s):
    """About how many turns each nation still has: float, by the cards above the middle of the last pile."""
    end, last = s.pile_start[PILES], s.pile_start[PILES - 1]
    cards = end - s.deck_next - 0.5 * (end - last)
    if s.deck_next > last:  # the last End card may be anywhere in what is left
        cards = 0.5 * (end - s.deck_next)
    return 0.0 if s.finished else cards / (CARDS_A_TURN * s.nations)


@kernel
def _open(turns):
    """How open things are: float, 1 while there is much time, 0 at the end."""
    return min(1.0, turns / MUCH_TIME)


# -- Nations -----------------------------------------------------------------------------------------------------------


@kernel
def _nations_worth(s, worths, turns):
    """Add to each seat what its nations have on the table, and what may become of it."""
    ahead = leaders(s)
    if s.finished:
        for n in range(s.nations):
            worths[owner(s, n)] += points_beside(s, n, ahead)
        return
    victory, temple, riches = (
        _three_highest(s, s.victory),
        _three_highest(s, s.temple),
        _three_highest(s, s.riches),
    )
    hope, spread = HOPE * _open(turns), SURE + OPEN * _open(turns)
    for n in range(s.nations):
        families = s.family[n] * FAMILY_POINTS
        later = _places(s.victory[n], victory, MOST_VICTORY, SECOND_VICTORY, spread)
        later += _places(s.temple[n], temple, MOST_TEMPLE, SECOND_TEMPLE, spread)
        later += _places(s.riches[n], riches, MOST_RICHES, SECOND_RICHES, spread)
        later += DEITY_POINTS * (s.deity_holder[s.nation[n]] == n)
        worth = families + (1.0 - hope) * (points_beside(s, n, ahead) - families) + hope * later
        worth += ON_TABLE * _open(turns) * (s.victory[n] + s.temple[n] + s.riches[n])
        worth += GREATEST_TEMPLE * turns * (s.greatest_temple == n)
        for deity in range(NUM_NATIONS):
            if s.deity_holder[deity] == n:
                worth += _power_worth(deity, turns)
        worths[owner(s, n)] += worth


@kernel
def _three_highest(s, cards):
    """The three largest numbers of cards before nations, equal ones each for itself."""
    first, second, third = 0, 0, 0
    for n in range(s.nations):
        count = int(cards[n])
        if count > first:
            first, second, third = count, first, second
        elif count > second:
            second, third = count, second
        elif count > third:
            third = count
    return first, second, third


@kernel
def _places(count, highest, most, second, spread):
    """Points that a nation with so many cards may expect of a category, beside the `_three_highest` of all."""
    first, runner_up, third = highest
    rival = runner_up if count == first else first
    follower = third if count >= runner_up else runner_up
    return second * _chance(count - follower, spread) + (most - second) * _chance(count - rival, spread)


@kernel
def _chance(lead, spread):
    """The chance to be ahead or level in the end, when one leads by so many cards now."""
    sure = (lead + 0.5) / spread
    return 0.5 * (1.0 + sure / (1.0 + abs(sure)))


@kernel
def _power_worth(deity, turns):
    """What a deity's power will bring to whoever holds it."""
    return A_DEITY * _open(turns) + POWER[deity] * turns


# -- Hands -------------------------------------------------------------------------------------------------------------


@kernel
def _hand_worth(s, seat, turns):
    """Cards in hand, and actions left: what is beyond the limit, or cursed, are the cards of least worth."""
    left = HAND_LIMIT
    if s.phase == Phase.CURSE and s.seat == seat:
        left = min(left, s.hand_size[seat] - s.owed)
    worth = 0.0
    for k in range(NUM_HELD):
        cards = min(left, s.hand[seat, BEST_FIRST[k]])
        worth += cards * IN_HAND[BEST_FIRST[k]]
        left -= cards
    worth *= in_time(s, seat, turns)
    return worth + ACTION_LEFT * s.actions if owner(s, s.turn) == seat else worth


@kernel
def _best_shown(s, seat, turns):
    """The best of the cards that an Augury shows, of which the seat may keep one."""
    best, shown = 0.0, s.look_at[s.looks - 1] + s.look_size[s.looks - 1]
    for place in range(s.deck_next, shown):
        if s.deck[place] < NUM_HELD:  # no End card
            best = max(best, IN_HAND[s.deck[place]])
    return best * in_time(s, seat, turns)


@kernel
def in_time(s, seat, turns):
    """The part of its worth that a card in hand keeps: it may not come to be played before the end."""
    if owner(s, s.turn) == seat:
        turns += 0.25 * s.actions
    return turns / (turns + NEAR_END)


# -- Tricks under way --------------------------------------------------------------------------------------------------


@kernel
def _trick_worth(s, seat, strongest, turns):
    """What the trick will bring to the seat that plays it: on its target, or on the best one while there is none."""
    if s.phase == Phase.TARGET:
        best = 0.0
        for n in range(s.nations):
            if affects(s, s.trick, n):
                best = max(best, _trick_on(s, seat, n, strongest, turns))
        return best
    if s.phase in (Phase.COMMIT, Phase.DEITY, Phase.SPY):
        return _trick_on(s, seat, s.target, strongest, turns)
    return 0.0


@kernel
def _trick_on(s, seat, n, strongest, turns):
    """What the trick brings against nation `n`: what that loses counts most if its seat is the strongest."""
    harm = 0.5 * (owner(s, n) == strongest) + 0.5 / (s.num_players - 1)
    if s.trick == Card.SPY:
        return _best_card(s, owner(s, n)) * in_time(s, seat, turns) * (1.0 + harm)
    elif s.trick == Card.THEFT_OF_DEITY:
        return _best_deity(s, n, harm, turns)
    elif s.trick == Card.CURSE:
        discards = (min(s.hand_size[owner(s, n)], HAND_LIMIT) + 1) // 2
        return A_DISCARD * discards * in_time(s, seat, turns) * harm
    elif s.trick == Card.RICHES:
        return _best_raid(s, seat, harm, turns)
    elif s.trick == Card.FAMINE:
        return harm * FAMILY_POINTS
    elif s.trick == Card.DEFEAT:
        return harm * _loss(s, s.victory, n, MOST_VICTORY, SECOND_VICTORY, turns)
    elif s.trick == Card.EARTHQUAKE:
        return harm * _loss(s, s.temple, n, MOST_TEMPLE, SECOND_TEMPLE, turns)
    return harm * _loss(s, s.riches, n, MOST_RICHES, SECOND_RICHES, turns)


@kernel
def _best_card(s, victim):
    """What a Spy would take."""
    for k in range(NUM_HELD):
        if s.hand[victim, BEST_FIRST[k]] > 0:
            return IN_HAND[BEST_FIRST[k]]
    return 0.0


@kernel
def _best_deity(s, n, harm, turns):
    """What the best deity to be stolen from a nation brings: its power, and points for those to whom it belongs."""
    best = 0.0
    for deity in range(NUM_NATIONS):
        if s.deity_holder[deity] == n:
            worth = (1.0 + harm) * _power_worth(deity, turns)
            worth += DEITY_POINTS * ((s.nation[s.turn] == deity) + harm * (s.nation[n] == deity))
            best = max(best, worth)
    return best


@kernel
def _best_raid(s, seat, harm, turns):
    """A Family by the chances of the dice, for as many Riches as are worth it."""
    most = 1 if s.free_trick else min(len(RAID_WINS) - 1, s.hand[seat, Card.RICHES])
    best, price = 0.0, IN_HAND[Card.RICHES] * in_time(s, seat, turns)
    for cards in range(1, most + 1):
        best = max(best, RAID_WINS[cards] * FAMILY_POINTS * (1.0 + harm) - cards * price)
    return RAID * best


@kernel
def _loss(s, cards, n, most, second, turns):
    """What a nation loses with one card of a category."""
    highest = _three_highest(s, cards)
    first, runner_up, third = highest
    count = int(cards[n])
    without = (runner_up, runner_up, third) if count == first else highest
    hope, spread = HOPE * _open(turns), SURE + OPEN * _open(turns)
    later = _places(count, highest, most, second, spread) - _places(count - 1, without, most, second, spread)
    return hope * later + (1.0 - hope) * _place_lost(count, highest, most, second) + ON_TABLE * _open(turns)


@kernel
def _place_lost(count, highest, most, second):
    """Points that go at once with one card of a category."""
    first, runner_up, third = highest
    if count == first:
        still_first = first > runner_up and count - 1 >= runner_up
        return 0 if still_first else most - second
    if count == runner_up:
        still_second = runner_up > third and count - 1 >= third
        return 0 if still_second else second
    return 0


__all__ = ["in_time", "turns_left", "value"]
