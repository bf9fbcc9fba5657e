"""Cards in hand, and who knows them.

A hand is a list of slots without order. Each slot carries the seats that know its card: the holder always, everybody
for a card taken from the row, the two concerned after a Spy. What a seat remembers of another hand is a number of
cards of each kind that it is sure of; cards of one kind cannot be told apart, so when one is shown and goes, everybody
is sure of one fewer.
"""

from __future__ import annotations

import numpy as np

from ..engine.compile import kernel


@kernel
def bit(seat):
    """The mark of a seat in `seen` and `deck_seen`."""
    return np.uint8(1 << seat)


@kernel
def holds(s, seat):
    """Bit k: the hand holds a card of kind k."""
    cards = np.int64(0)
    for slot in range(s.hand_size[seat]):
        cards |= np.int64(1) << s.hand[seat, slot]
    return cards


@kernel
def held(s, seat, card):
    """How many cards of a kind the hand holds."""
    count = 0
    for slot in range(s.hand_size[seat]):
        count += s.hand[seat, slot] == card
    return count


@kernel
def gain(s, seat, card, known_to):
    """A card comes into a hand, known to the seats marked in `known_to`."""
    slot = s.hand_size[seat]
    s.hand[seat, slot] = card
    s.seen[seat, slot] = known_to | bit(seat)
    s.hand_size[seat] += 1


@kernel
def lose(s, seat, card):
    """A card of this kind leaves a hand for all to see."""
    for slot in range(s.hand_size[seat]):
        if s.hand[seat, slot] == card:
            known_to = s.seen[seat, slot]
            last = s.hand_size[seat] - 1
            s.hand[seat, slot] = s.hand[seat, last]
            s.seen[seat, slot] = s.seen[seat, last]
            s.hand[seat, last] = 0
            s.seen[seat, last] = 0
            s.hand_size[seat] = last
            forget_one(s, seat, card, ~(known_to | bit(seat)))
            return


@kernel
def forget_one(s, seat, card, observers):
    """Each of `observers` that is sure of cards of this kind in the hand is sure of one fewer."""
    left = np.uint8(observers)
    for slot in range(s.hand_size[seat]):
        if s.hand[seat, slot] == card:
            fewer = s.seen[seat, slot] & left
            s.seen[seat, slot] &= ~fewer
            left &= ~fewer
