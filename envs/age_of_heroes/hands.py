"""Cards in hand, and who is sure of them.

A hand is a number of cards of each kind. Of every hand all seats are sure of `known` cards of each kind, because they
were shown: bought, offered, taken in for all to see. A single seat may be sure of some more (`noted`), because it
plundered that hand or was plundered by it. Cards of one kind cannot be told apart, so when one is shown and goes,
everybody is sure of one fewer; the rest of the hand is as unknown as it was.
"""

from __future__ import annotations

from ..engine.compile import kernel
from .components import NUM_HELD


@kernel
def sure_of(s, seat, holder, card):
    """How many cards of a kind `seat` is sure of in another's hand."""
    return s.known[holder, card] + s.noted[seat, holder, card]


@kernel
def _set_known(s, holder, card, number):
    """All are sure of `number`; what single seats are sure of in all stays what it was, or becomes `number`."""
    for seat in range(s.num_players):
        if seat != holder:
            more = sure_of(s, seat, holder, card) - number
            s.noted[seat, holder, card] = max(0, more)
    s.known[holder, card] = number


@kernel
def show(s, holder, card, number):
    """All see that the hand holds this many."""
    if number > s.known[holder, card]:
        _set_known(s, holder, card, number)


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


@kernel
def lose(s, holder, card, number):
    """Cards leave a hand for all to see: each seat is sure of so many fewer."""
    s.hand[holder, card] -= number
    s.hand_size[holder] -= number
    known = max(0, s.known[holder, card] - number)
    for seat in range(s.num_players):
        if s.noted[seat, holder, card] > 0:
            s.noted[seat, holder, card] = max(0, sure_of(s, seat, holder, card) - number) - known
    s.known[holder, card] = known


@kernel
def move_unseen(s, giver, taker, card):
    """One card changes hands, seen by these two alone; the others are sure of one fewer of each kind (ruling 24)."""
    for kind in range(NUM_HELD):
        known = max(0, s.known[giver, kind] - 1)
        for seat in range(s.num_players):
            if seat != giver:
                fewer = kind == card if seat == taker else 1
                s.noted[seat, giver, kind] = max(0, sure_of(s, seat, giver, kind) - fewer) - known
        s.known[giver, kind] = known
    s.hand[giver, card] -= 1
    s.hand_size[giver] -= 1
    s.hand[taker, card] += 1
    s.hand_size[taker] += 1
    s.noted[giver, taker, card] += 1


@kernel
def move_hand(s, giver, taker):
    """A whole hand changes hands: what anybody knew of it is known of the other hand now."""
    for card in range(NUM_HELD):
        number, known = s.hand[giver, card], s.known[giver, card]
        for seat in range(s.num_players):
            if seat == giver:
                s.noted[seat, taker, card] += number - known
            elif seat != taker:
                s.noted[seat, taker, card] += s.noted[seat, giver, card]
            s.noted[seat, giver, card] = 0
        s.known[taker, card] += known
        s.known[giver, card] = 0
        s.hand[taker, card] += number
        s.hand[giver, card] = 0
    s.hand_size[taker] += s.hand_size[giver]
    s.hand_size[giver] = 0


@kernel
def forget_hands(s, seat):
    """A seat left the game: nobody remembers its cards, and it remembers nobody's."""
    for card in range(NUM_HELD):
        s.known[seat, card] = 0
        for other in range(s.num_players):
            s.noted[seat, other, card] = 0
            s.noted[other, seat, card] = 0
