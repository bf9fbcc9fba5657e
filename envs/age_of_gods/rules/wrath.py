"""Divine Wrath: the die and its table."""

from __future__ import annotations

from ...engine.chance import roll
from ...engine.compile import kernel
from ..components import CITIES, COAST, EVERYWHERE, NUM_PEOPLES, NUM_TERRITORIES, Wrath
from ..state import NONE, A, Phase
from .abilities import harm
from .board import NOWHERE, destroy, empty, has, remember, settle, tear_down, torn


@kernel
def call_wrath(s, people):
    """The people on the card is wiped off the board: the die says what happens instead."""
    s.ability = people
    s.wrath = roll(s)
    s.phase = NONE  # nothing to strike: nothing happens (ruling 11)
    if s.wrath == Wrath.DARK_AGE:
        for other in range(NUM_PEOPLES):
            if s.technology[other] > 0:
                s.phase = Phase.PEOPLE
    elif wrath_strikes(s) != NOWHERE:
        s.phase = Phase.TERRITORY


@kernel
def wrath_strikes(s):
    """Territories that the wrath can fall on."""
    if s.wrath == Wrath.PESTILENCE:
        return largest(s) & ~s.love
    if s.wrath == Wrath.FLOOD:
        return COAST & ~empty(s)
    if s.wrath == Wrath.EARTHQUAKE:
        return CITIES & ~empty(s) & ~s.love
    if s.wrath == Wrath.LIGHTNING:
        return s.fortified
    return EVERYWHERE & ~CITIES & ~s.fortified & ~torn(s) & ~s.love


@kernel
def largest(s):
    """Territories of every people of the greatest extent."""
    most = 0
    for people in range(NUM_PEOPLES):
        most = max(most, s.extent[people])
    found = NOWHERE
    for people in range(NUM_PEOPLES):
        if s.extent[people] == most:
            found |= s.land[people]
    return found


@kernel
def may_choose_struck(s, mask):
    """The player who rolled chooses the territory."""
    found = wrath_strikes(s)
    for t in range(NUM_TERRITORIES):
        mask[A.territory + t] = has(found, t)


@kernel
def may_choose_dimmed(s, mask):
    """Dark Age: a people that has technology."""
    for people in range(NUM_PEOPLES):
        mask[A.people + people] = s.technology[people] > 0


@kernel
def wrath_on_territory(s, t):
    """Pestilence, Flood, Earthquake empty a territory, Lightning breaks walls, Rebirth brings a people back."""
    s.phase = NONE
    harm(s, t)
    if s.wrath == Wrath.LIGHTNING:
        tear_down(s, t)
        return
    destroy(s, t)
    if s.wrath == Wrath.REBIRTH:
        settle(s, s.ability, t)


@kernel
def wrath_on_people(s, people):
    """Dark Age: a technology level is lost."""
    s.phase = NONE
    s.technology[people] -= 1
    remember(s.harmed, s.seat, people)
