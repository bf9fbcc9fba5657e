"""Cards: event cards that are played at once, and the Luck that turns them away."""

from __future__ import annotations

from ...engine.compile import kernel
from ..components import NUM_HELD, Building, Card
from ..hands import show
from ..state import NONE, A, Phase
from .battles import barbarians_come
from .table import ask, discard, end_event, first_unmarked, gain_city


@kernel
def play_event(s, seat, card):
    """A card that must be played at once is played by whoever drew it."""
    s.event = card
    s.drawer = seat
    s.victim = NONE
    s.spared = 0


@kernel
def go_on_with_event(s):
    """What the card does, or whom it asks next."""
    if s.event == Card.FAMINE:
        _ask_about_famine(s)
    elif s.event == Card.BARBARIANS:
        barbarians_come(s, s.drawer)
    elif s.event != Card.POPULATION_GROWTH and _anybody_to_strike(s):
        ask(s, s.drawer, Phase.EARTHQUAKE if s.event == Card.EARTHQUAKE else Phase.ERUPTION)
    else:
        if s.event == Card.POPULATION_GROWTH:
            gain_city(s, s.drawer)
        end_event(s)  # or there is no army or no city that it could be played on (ruling 16)


@kernel
def _can_be_struck(s, seat):
    """An Earthquake strikes an army at home that no general leads, an Eruption a city, of any other tribe."""
    if seat == s.drawer or s.eliminated[seat] > 0:
        return False
    if s.event == Card.EARTHQUAKE:
        return s.army[seat] > 0
    return s.cities[seat] > 0


@kernel
def _anybody_to_strike(s):
    found = False
    for seat in range(s.num_players):
        found = found or _can_be_struck(s, seat)
    return found


@kernel
def may_strike(s, mask):
    """Whom an Earthquake or Eruption may be played on."""
    for k in range(s.num_players - 1):
        mask[A.strike + k] = _can_be_struck(s, (s.seat + 1 + k) % s.num_players)


@kernel
def strike(s, seat):
    """The victim is named and may have Luck (ruling 14)."""
    s.victim = seat
    ask(s, seat, Phase.LUCK)


@kernel
def may_use_luck(s, mask):
    """Luck turns a catastrophe away from the one it strikes; who has no grain need not fear a Famine."""
    mask[A.no_luck] = True
    in_danger = s.event != Card.FAMINE or s.hand[s.seat, Card.GRAIN] > 0
    mask[A.luck] = in_danger and s.hand[s.seat, Card.LUCK] > 0


@kernel
def use_luck(s):
    """Luck is discarded, and the catastrophe does nothing to this seat (ruling 14)."""
    discard(s, s.seat, Card.LUCK, 1)
    if s.event == Card.FAMINE:
        s.spared |= 1 << s.seat
        show(s, s.seat, Card.GRAIN, 1)  # or there would have been nothing to keep
    else:
        end_event(s)


@kernel
def suffer(s):
    """The catastrophe strikes the seat that was asked."""
    seat = s.seat
    if s.event == Card.FAMINE:
        s.spared |= 1 << seat
        grain = s.hand[seat, Card.GRAIN]
        if grain > 0:
            discard(s, seat, Card.GRAIN, grain)
    elif s.event == Card.EARTHQUAKE:  # the card lies on the army until it is discarded (Turn, 5)
        s.army[seat] -= 1
        s.shaken[seat] += 1
        s.event = NONE
        s.drawer = NONE
        s.victim = NONE
    else:
        s.cities[seat] -= 1
        s.supply[Building.CITY] += 1
        end_event(s)


@kernel
def _ask_about_famine(s):
    """All players discard their grain cards: each is asked in turn, with or without Luck (ruling 15)."""
    seat = first_unmarked(s, s.spared)
    if seat == NONE:
        s.spared = 0
        end_event(s)
    else:
        ask(s, seat, Phase.LUCK)


@kernel
def is_catastrophe(card):
    """Famine, Barbarians, Earthquake or Eruption (Setup)."""
    return card >= NUM_HELD and card != Card.POPULATION_GROWTH
