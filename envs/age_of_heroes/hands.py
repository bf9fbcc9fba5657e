"""Cards in hand, and who is sure of them.

A hand is a number of cards of each kind. What a seat is sure of in another's hand has three parts:

- `known`: all seats are sure of these, because they were shown: bought, offered, taken in for all to see;
- `noted`: further ones that a single seat is sure of, because it plundered that hand or was plundered by it; the two
  seats know that, and nobody else;
- `secret`: further ones of which it alone knows that it is sure: it was sure of them in a hand that a third seat took.

Cards of one kind cannot be told apart, so when one is shown and goes, everybody is sure of one fewer; the rest of the
hand is as unknown as it was. After a Famine all know that there is no grain in any hand: `no_grain` counts the cards
of a hand of which that still holds, which the cards that came later may be.
"""

from __future__ import annotations

from ..engine.compile import kernel
from .components import NUM_HELD, Card

GRAIN = Card.GRAIN


@kernel
def sure_of(s, seat, holder, card):
    """How many cards of a kind `seat` is sure of in another's hand."""
    return s.known[holder, card] + s.noted[seat, holder, card] + s.secret[seat, holder, card]


@kernel
def seen_by(s, seat, holder, card):
    """Of how many cards of a kind in its own hand `holder` knows that `seat` is sure of them."""
    return s.known[holder, card] + s.noted[seat, holder, card]


@kernel
def _is_surer(s, seat, holder, card):
    """Whether a seat is sure of more than all are."""
    return s.noted[seat, holder, card] + s.secret[seat, holder, card] > 0


@kernel
def _note(s, seat, holder, card, known, noted, all_):
    """Set what a seat is sure of, when all are sure of `known`, the two seats know of `noted` and it of `all_`."""
    s.noted[seat, holder, card] = max(0, noted - known)
    s.secret[seat, holder, card] = max(0, all_ - max(noted, known))


@kernel
def _take_note(s, seat, holder, card, fewer, known):
    """A seat is sure of so many fewer, when all are sure of `known`."""
    noted = seen_by(s, seat, holder, card) - fewer
    _note(s, seat, holder, card, known, noted, sure_of(s, seat, holder, card) - fewer)


@kernel
def show(s, holder, card, number):
    """All see that the hand holds this many."""
    if number > s.known[holder, card]:
        for seat in range(s.num_players):
            if _is_surer(s, seat, holder, card):
                _take_note(s, seat, holder, card, 0, number)
        s.known[holder, card] = number


@kernel
def gain(s, holder, card):
    """A card comes into a hand unseen."""
    s.hand[holder, card] += 1
    s.hand_size[holder] += 1


@kernel
def gain_shown(s, holder, card, number):
    """Cards come into a hand for all to see."""
    s.hand[holder, card] += number
    s.hand_size[holder] += number
    s.known[holder, card] += number
    if card != GRAIN:
        s.no_grain[holder] += number


@kernel
def lose(s, holder, card, number):
    """Cards leave a hand for all to see: each seat is sure of so many fewer."""
    s.hand[holder, card] -= number
    s.hand_size[holder] -= number
    if card != GRAIN:
        s.no_grain[holder] = max(0, s.no_grain[holder] - number)
    known = max(0, s.known[holder, card] - number)
    for seat in range(s.num_players):
        if _is_surer(s, seat, holder, card):
            _take_note(s, seat, holder, card, number, known)
    s.known[holder, card] = known


@kernel
def lose_grain(s, holder):
    """All grain leaves a hand, for all to see: no card that stays is grain (Cards: Famine)."""
    lose(s, holder, GRAIN, s.hand[holder, GRAIN])
    s.no_grain[holder] = s.hand_size[holder]


@kernel
def move_unseen(s, giver, taker, card):
    """One card changes hands, seen by these two alone; the others are sure of one fewer of each kind (ruling 24)."""
    for kind in range(NUM_HELD):
        known = max(0, s.known[giver, kind] - 1)
        for seat in range(s.num_players):
            if seat != giver:
                _take_note(s, seat, giver, kind, kind == card if seat == taker else 1, known)
        s.known[giver, kind] = known
    if s.no_grain[giver] == s.hand_size[giver]:
        s.no_grain[taker] += 1
    s.no_grain[giver] = max(0, s.no_grain[giver] - 1)
    s.hand[giver, card] -= 1
    s.hand_size[giver] -= 1
    s.hand[taker, card] += 1
    s.hand_size[taker] += 1
    s.noted[giver, taker, card] += 1


@kernel
def move_hand(s, giver, taker):
    """A whole hand changes hands: what anybody knew of it is known of the other hand now.

    What a third seat alone was sure of it keeps to itself: the taker does not learn which cards these are.
    """
    for card in range(NUM_HELD):
        number, known = s.hand[giver, card], s.known[giver, card]
        for seat in range(s.num_players):
            if seat == giver:
                s.noted[seat, taker, card] += number - known
            elif seat != taker:
                s.secret[seat, taker, card] += s.noted[seat, giver, card] + s.secret[seat, giver, card]
            s.noted[seat, giver, card] = 0
            s.secret[seat, giver, card] = 0
        s.known[taker, card] += known
        s.known[giver, card] = 0
        s.hand[taker, card] += number
        s.hand[giver, card] = 0
    s.hand_size[taker] += s.hand_size[giver]
    s.hand_size[giver] = 0
    s.no_grain[taker] += s.no_grain[giver]
    s.no_grain[giver] = 0


@kernel
def forget_hands(s, seat):
    """A seat left the game: nobody remembers its cards, and it remembers nobody's."""
    s.no_grain[seat] = 0
    for card in range(NUM_HELD):
        s.known[seat, card] = 0
        for other in range(s.num_players):
            s.noted[seat, other, card] = 0
            s.noted[other, seat, card] = 0
            s.secret[seat, other, card] = 0
            s.secret[other, seat, card] = 0
