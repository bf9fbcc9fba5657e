"""Cards: event cards that are played at once, and the Luck that turns them away."""

from __future__ import annotations

from ...engine.compile import kernel
from ..components import NUM_HELD, Building, Card
from ..hands import lose_grain
from ..state import NONE, A, Phase
from .battles import barbarians_come
from .table import ask, clear_event, discard, end_event, first_unmarked, gain_city, seat_after


@kernel
def play_event(s, seat, card):
    """A card that must be played at once is played by whoever drew it."""
    s.event = card
    s.drawer = seat
    s.victim = NONE
    s.aim = 0
    s.declined = 0


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
    """An Earthquake strikes an army that no general leads, an Eruption a city, of any other tribe."""
    if seat == s.drawer or s.eliminated[seat] > 0:
        return False
    if s.event == Card.EARTHQUAKE:
        return s.army[seat] > 0
    return s.cities[seat] > 0


@kernel
def _can_be_struck_idly(s, seat):
    """An army at war, or under an earthquake, is an army of its tribe all the same (ruling 29)."""
    if seat == s.drawer or s.eliminated[seat] > 0 or s.event != Card.EARTHQUAKE:
        return False
    return s.shaken[seat] + s.out[seat] + s.back[seat] > 0


@kernel
def _anybody_to_strike(s):
    found = False
    for seat in range(s.num_players):
        found = found or _can_be_struck(s, seat) or _can_be_struck_idly(s, seat)
    return found


@kernel
def may_strike(s, mask):
    """Whom an Earthquake or Eruption may be played on."""
    for k in range(s.num_players - 1):
        other = seat_after(s, s.seat, k + 1)
        mask[A.strike + k] = _can_be_struck(s, other)
        mask[A.strike_idle + k] = _can_be_struck_idly(s, other)


@kernel
def strike(s, seat, idle):
    """The victim is named and may have Luck (ruling 14)."""
    s.victim = seat
    s.aim = idle
    ask(s, seat, Phase.LUCK)


@kernel
def may_use_luck(s, mask):
    """Luck cancels the catastrophe (Cards: Luck)."""
    mask[A.no_luck] = True
    mask[A.luck] = s.hand[s.seat, Card.LUCK] > 0


@kernel
def use_luck(s):
    """Luck is discarded, and the catastrophe has no effect, a Famine on nobody (ruling 14)."""
    discard(s, s.seat, Card.LUCK, 1)
    end_event(s)


@kernel
def let_it_happen(s):
    """No Luck is played: the catastrophe strikes, a Famine when all have let it happen."""
    if s.event == Card.FAMINE:
        s.declined |= 1 << s.seat
    elif s.event == Card.EARTHQUAKE:
        _shake(s)
    else:
        s.cities[s.victim] -= 1
        s.supply[Building.CITY] += 1
        end_event(s)


@kernel
def _shake(s):
    """The card lies on the army until it is discarded (Turn, 5)."""
    if s.aim:
        s.idle_quakes[s.victim] += 1
    else:
        s.army[s.victim] -= 1
        s.shaken[s.victim] += 1
    clear_event(s)


@kernel
def _ask_about_famine(s):
    """Whether anybody plays Luck: each is asked in turn, with or without one (ruling 15); if not, the grain is gone."""
    seat = first_unmarked(s, s.declined)
    if seat == NONE:
        _starve(s)
    else:
        ask(s, seat, Phase.LUCK)


@kernel
def _starve(s):
    """All players discard their grain cards (Cards: Famine)."""
    for seat in range(s.num_players):
        s.discards[Card.GRAIN] += s.hand[seat, Card.GRAIN]
        lose_grain(s, seat)
    end_event(s)


@kernel
def is_catastrophe(card):
    """Famine, Barbarians, Earthquake or Eruption (Setup)."""
    return card >= NUM_HELD and card != Card.POPULATION_GROWTH
