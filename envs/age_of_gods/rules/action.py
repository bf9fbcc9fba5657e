"""Action Phase: one card, for technology or for the ability of its people."""

from __future__ import annotations

from ...engine.compile import kernel
from ..components import NUM_PEOPLES, NUM_SIZES, God
from ..state import NONE, A, Phase
from .abilities import begin_ability, improve, is_of_use
from .board import remember
from .gods import may_use_power
from .wrath import call_wrath


@kernel
def may_play_card(s, mask):
    """Any card in hand: for technology if its people lives, for the ability if it is of use, else for divine wrath."""
    for people in range(NUM_PEOPLES):
        if s.hand[s.seat, people] > 0:
            mask[A.technology + people] = may_improve(s, people)
            mask[A.ability + people] = may_invoke(s, people)
    for k in range(NUM_SIZES):
        people = s.destiny[s.seat, k]
        if people != NONE and not s.spent[s.seat, k]:
            mask[A.destiny_technology + k] = may_improve(s, people)
            mask[A.destiny_ability + k] = may_invoke(s, people)
    mask[A.power] = may_use_power(s, Phase.CARD)


@kernel
def may_improve(s, people):
    """Technology is for peoples that still control a territory."""
    return s.extent[people] > 0


@kernel
def may_invoke(s, people):
    """The ability of a people on the board that can do something; a people wiped out calls divine wrath."""
    return s.extent[people] == 0 or is_of_use(s, people)


@kernel
def play_action_card(s, people, for_technology):
    """A red or yellow card is discarded once played."""
    s.hand[s.seat, people] -= 1
    resolve_card(s, people, for_technology)


@kernel
def play_destiny_card(s, k, for_technology):
    """A destiny card stays face up before its player, but for the god of deception (ruling 12)."""
    people = s.destiny[s.seat, k]
    s.spent[s.seat, k] = 1
    if s.god[s.seat] != God.DECEPTION:
        s.revealed[people] = s.seat
    resolve_card(s, people, for_technology)


@kernel
def resolve_card(s, people, for_technology):
    """Technology up, or the ability (both with the god of magic), or the divine wrath."""
    remember(s.played, s.seat, people)
    s.phase = NONE
    if s.extent[people] == 0:
        call_wrath(s, people)  # nothing to do in both ways (ruling 23)
        return
    if for_technology or s.double:
        improve(s, people)
    if not for_technology:
        begin_ability(s, people)
