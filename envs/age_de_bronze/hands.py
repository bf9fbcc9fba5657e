"""Cards in hand, and who knows them.

A hand has no order, and cards of one kind cannot be told apart: it is a number of cards of each kind. Of every other
hand a seat keeps in mind how many cards of each kind it is sure of (`known`). When one of them is shown and goes, it is
sure of one fewer.

A Spy moves a card that third seats do not see. Of all cards that such a seat knew in the robbed hand it then knows that
they are among the cards that were in it (`lost`), some of which are still there and one with the thief (`mixed`). These
cards are a group, in which any of them may be any other. There are two Spies, so two groups at most.
"""

from __future__ import annotations

from ..engine.compile import kernel
from .components import NUM_HELD
from .state import GROUPS


@kernel
def holds(s, seat):
    """Bit k: the hand holds a card of kind k."""
    cards = 0
    for card in range(NUM_HELD):
        cards |= int(s.hand[seat, card] > 0) << card
    return cards


@kernel
def gain_openly(s, seat, card):
    """A card comes into a hand for all to see."""
    _gain(s, seat, card)
    s.known_to_all[seat, card] += 1
    for other in range(s.num_players):
        if other != seat:
            s.known[other, seat, card] += 1


@kernel
def gain_secretly(s, seat, card, witness):
    """A card comes into a hand that nobody else sees, but for a `witness`, who may be nobody."""
    _gain(s, seat, card)
    for other in range(s.num_players):
        if other == witness and other != seat:
            s.known[other, seat, card] += 1
        elif other != seat and _revealed(s, other, seat) > 0:
            s.fresh[other, seat] += 1


@kernel
def _gain(s, seat, card):
    s.hand[seat, card] += 1
    s.hand_size[seat] += 1


@kernel
def lose(s, seat, card):
    """A card of this kind leaves a hand for all to see."""
    for other in range(s.num_players):
        if other != seat:
            _see_go(s, other, seat, card)
    s.known_to_all[seat, card] = max(0, s.known_to_all[seat, card] - 1)
    s.hand[seat, card] -= 1
    s.hand_size[seat] -= 1


@kernel
def _see_go(s, seat, holder, card):
    """A card goes from the hand of `holder`: `seat` takes it to be one that it was sure of, if there is one."""
    if s.known[seat, holder, card] > 0:
        s.known[seat, holder, card] -= 1
        return
    others = unknown_beside(s, seat, holder)
    if others == 0 and s.mixed[seat, 0, holder] > 0 and s.mixed[seat, 1, holder] > 0:
        _join_groups(s, seat)
    for group in range(GROUPS):
        if s.mixed[seat, group, holder] > 0 and s.lost[seat, group, card] > 0:
            s.lost[seat, group, card] -= 1
            if others == 0:
                s.mixed[seat, group, holder] -= 1
            else:
                _forget_revealed(s, seat, holder)
            _conclude(s, seat, group)
            return
    if others == 1:
        _forget_revealed(s, seat, holder)
    elif others > 1:
        s.revealed[seat, holder, card] += 1
        s.fresh[seat, holder] = 0
    if others > 0:
        return
    for group in range(GROUPS):
        if s.mixed[seat, group, holder] > 0:
            s.mixed[seat, group, holder] -= 1
            _conclude(s, seat, group)
            return


@kernel
def _revealed(s, seat, holder):
    """Cards that came out of those of which `seat` knew nothing in a hand."""
    cards = 0
    for card in range(NUM_HELD):
        cards += s.revealed[seat, holder, card]
    return cards


@kernel
def _forget_revealed(s, seat, holder):
    """It tells nothing any more of what is left in the hand."""
    s.revealed[seat, holder, :] = 0
    s.fresh[seat, holder] = 0


@kernel
def _in_groups(s, seat, holder):
    """Cards of a hand that `seat` counts among those that a Spy has mixed."""
    cards = 0
    for group in range(GROUPS):
        cards += s.mixed[seat, group, holder]
    return cards


@kernel
def unknown_beside(s, seat, holder):
    """Cards of a hand of which `seat` knows nothing, not even that a Spy has mixed them."""
    cards = s.hand_size[holder] - _in_groups(s, seat, holder)
    for card in range(NUM_HELD):
        cards -= s.known[seat, holder, card]
    return cards


@kernel
def look_at_hand(s, seat, holder):
    """Spy: `seat` sees a whole hand, and what it sees is no longer lost."""
    for card in range(NUM_HELD):
        found = s.hand[holder, card] - s.known[seat, holder, card]
        for group in range(GROUPS):
            if s.mixed[seat, group, holder] > 0:
                s.lost[seat, group, card] = max(0, s.lost[seat, group, card] - found)
        s.known[seat, holder, card] = s.hand[holder, card]
    _forget_revealed(s, seat, holder)
    for group in range(GROUPS):
        s.mixed[seat, group, holder] = 0
        _conclude(s, seat, group)


@kernel
def rob(s, thief, victim, card):
    """Spy: one card changes hands; the two know which, the others know that it is any of the victim's (ruling 8)."""
    for other in range(s.num_players):
        if other not in (thief, victim):
            _lose_sight(s, other, thief, victim)
    s.hand[victim, card] -= 1
    s.hand_size[victim] -= 1
    s.known[thief, victim, card] -= 1
    s.known_to_all[victim, :] = 0
    s.known[victim, thief, card] += 1
    _gain(s, thief, card)


@kernel
def _lose_sight(s, seat, thief, victim):
    """All cards of the victim's hand form a group, one of which is now the thief's."""
    if s.mixed[seat, 0, victim] > 0 and s.mixed[seat, 1, victim] > 0:
        _join_groups(s, seat)
    group = 0
    if s.mixed[seat, 1, victim] > 0 or (s.mixed[seat, 0, victim] == 0 and _places(s, seat, 0) > 0):
        group = 1
    for card in range(NUM_HELD):
        s.lost[seat, group, card] += s.known[seat, victim, card]
        s.known[seat, victim, card] = 0
    _forget_revealed(s, seat, victim)
    s.mixed[seat, group, victim] = s.hand_size[victim] - 1
    s.mixed[seat, group, thief] += 1
    _conclude(s, seat, group)


@kernel
def _places(s, seat, group):
    """Cards of a group, in all hands."""
    cards = 0
    for holder in range(s.num_players):
        cards += s.mixed[seat, group, holder]
    return cards


@kernel
def _join_groups(s, seat):
    """Two groups that meet in one hand become one."""
    for card in range(NUM_HELD):
        s.lost[seat, 0, card] += s.lost[seat, 1, card]
        s.lost[seat, 1, card] = 0
    for holder in range(s.num_players):
        s.mixed[seat, 0, holder] += s.mixed[seat, 1, holder]
        s.mixed[seat, 1, holder] = 0


@kernel
def _conclude(s, seat, group):
    """A group is over when nothing is lost in it, when it lies in one hand, or when all of it is of one kind."""
    lost, kinds, kind = 0, 0, 0
    for card in range(NUM_HELD):
        lost += s.lost[seat, group, card]
        if s.lost[seat, group, card] > 0:
            kinds, kind = kinds + 1, card
    places, hands, last = 0, 0, 0
    for holder in range(s.num_players):
        places += s.mixed[seat, group, holder]
        if s.mixed[seat, group, holder] > 0:
            hands, last = hands + 1, holder
    if hands == 1:
        for card in range(NUM_HELD):
            s.known[seat, last, card] += s.lost[seat, group, card]
    elif lost == places and kinds == 1:
        for holder in range(s.num_players):
            s.known[seat, holder, kind] += s.mixed[seat, group, holder]
    elif lost > 0:
        return
    s.lost[seat, group, :] = 0
    s.mixed[seat, group, :] = 0
