"""Who sits where, roads, decks: what all sections of the rulebook ask for."""

from __future__ import annotations

from ...engine.chance import draw
from ...engine.compile import kernel
from ..components import NUM_CARDS, Building, Card
from ..hands import lose
from ..state import NONE


@kernel
def seat_after(s, seat, places):
    """The seat so many places further on, from 0 to a whole round."""
    other = int(seat) + int(places)
    return other - s.num_players if other >= s.num_players else other


@kernel
def next_in_play(s, seat):
    """The left-hand neighbour: the next seat that is still in play."""
    other = seat_after(s, seat, 1)
    while s.eliminated[other] > 0 and other != seat:
        other = seat_after(s, other, 1)
    return other


@kernel
def before_in_play(s, seat):
    """The right-hand neighbour."""
    other = seat_after(s, seat, s.num_players - 1)
    while s.eliminated[other] > 0 and other != seat:
        other = seat_after(s, other, s.num_players - 1)
    return other


@kernel
def seats_in_play(s):
    """How many seats are still in play."""
    count = 0
    for seat in range(s.num_players):
        count += s.eliminated[seat] == 0
    return count


@kernel
def first_unmarked(s, marks):
    """The first seat in turn order, from the first player on, that is in play and not marked; NONE if there is none."""
    for k in range(s.num_players):
        seat = seat_after(s, s.first, k)
        if s.eliminated[seat] == 0 and not (marks >> seat) & 1:
            return seat
    return NONE


@kernel
def has(marks, k):
    """1 if `k` is in a set, else 0."""
    return 1 if (marks >> k) & 1 else 0


@kernel
def ask(s, seat, phase):
    """The table waits for a decision of this seat."""
    s.seat = seat
    s.phase = phase
    s.asked = True


# -- Roads -------------------------------------------------------------------------------------------------------------


@kernel
def road_start(s, seat, other):
    """The seat from which a road between two neighbours runs to its left, NONE if they are no neighbours.

    Two seats left in play are neighbours on both sides, and share one road (ruling 12).
    """
    if next_in_play(s, seat) == other:
        if next_in_play(s, other) == seat:
            return min(seat, other)
        return seat
    return other if next_in_play(s, other) == seat else NONE


@kernel
def direct_road(s, seat, other):
    """Whether a road that passes through no other tribe joins two seats."""
    start = road_start(s, seat, other)
    return start != NONE and s.road[start] == 1


@kernel
def connected(s, seat):
    """To how many other tribes the roads of a tribe lead, through one or several others if need be (Fair)."""
    count = 0
    at = seat
    while count < s.num_players:
        after = next_in_play(s, at)
        if after == seat or not direct_road(s, at, after):
            break
        count += 1
        at = after
    if at != seat and next_in_play(s, at) == seat:
        return count  # all the way round
    end = at
    at = seat
    while True:
        before = before_in_play(s, at)
        if before in (end, seat) or not direct_road(s, before, at):
            break
        count += 1
        at = before
    return count


# -- Decks -------------------------------------------------------------------------------------------------------------


@kernel
def draw_card(s):
    """The top card of the resource deck, or NONE; a deck that has run out is made anew from the discards (Turn, 1)."""
    card = draw(s, s.deck)
    if card == NONE:
        for kind in range(NUM_CARDS):
            s.deck[kind] = s.discards[kind]
            s.discards[kind] = 0
        card = draw(s, s.deck)
    return card


@kernel
def discard(s, holder, card, number):
    """Cards go from a hand to the discards, face up."""
    lose(s, holder, card, number)
    s.discards[card] += number


@kernel
def gain_city(s, seat):
    """A city for free, if one is left in the main deck (Cards: Population Growth)."""
    if s.supply[Building.CITY] > 0:
        s.supply[Building.CITY] -= 1
        s.cities[seat] += 1


@kernel
def special_of(s, seat):
    """The special resource that a seat's tribe collects."""
    return Card.LIMESTONE + s.tribe[seat]


@kernel
def end_event(s):
    """An event is over and goes to the discards."""
    s.discards[s.event] += 1
    clear_event(s)


@kernel
def clear_event(s):
    """No event is on."""
    s.event = NONE
    s.drawer = NONE
    s.victim = NONE
    s.aim = 0
    s.declined = 0
