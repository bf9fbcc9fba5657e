"""Setup."""

from __future__ import annotations

from ...engine.chance import draw, shuffle
from ...engine.compile import kernel
from ...engine.fields import MAX_SEATS
from ..components import (
    BATTLE_CARDS,
    COUNTS,
    NUM_BUILDINGS,
    NUM_CARDS,
    NUM_HELD,
    NUM_STRENGTHS,
    NUM_TRIBES,
    RULE,
    SUPPLY,
    Building,
    Card,
)
from ..hands import gain
from ..state import NONE, A, Phase, Stage
from .table import ask, draw_card, first_unmarked, gain_city, seat_after

HAND_DEALT, START_CITIES, START_ARMIES = RULE.hand_dealt, RULE.start_cities, RULE.start_armies


@kernel
def lay_out_decks(s):
    """Resource deck, main deck and battle deck as they come out of the box."""
    for card in range(NUM_CARDS):
        s.deck[card] = COUNTS[card]
    for kind in range(NUM_BUILDINGS):
        s.supply[kind] = SUPPLY[kind]
    for seat in range(MAX_SEATS):
        s.tribe[seat] = NONE
    shuffle_battle_deck(s)
    s.event = NONE
    s.drawer = NONE
    s.victim = NONE
    s.attacker = NONE
    s.target = NONE
    s.chosen = NONE
    s.floor = NONE
    s.winner = NONE


@kernel
def shuffle_battle_deck(s):
    """All battle cards are in their deck again."""
    for strength in range(NUM_STRENGTHS):
        s.battle_deck[strength] = BATTLE_CARDS[strength]
        s.shown[strength] = 0


@kernel
def draw_for_first_turn(s):
    """Everybody draws a battle card, the strongest begins; those who tie draw again among themselves."""
    out = 0  # marks of those who have drawn less than another
    while True:
        shuffle_battle_deck(s)
        best, ties = NONE, 0
        for seat in range(s.num_players):
            if not (out >> seat) & 1:
                strength = draw(s, s.battle_deck)
                if strength > best:
                    out |= (1 << seat) - 1
                    best, ties, s.first = strength, 1, seat
                elif strength == best:
                    ties += 1
                else:
                    out |= 1 << seat
        if ties == 1:
            break
    shuffle_battle_deck(s)
    s.turn = seat_after(s, s.first, s.num_players - 1)


@kernel
def draw_tribes(s):
    """Tribes at random."""
    for tribe in range(NUM_TRIBES):
        s.tribe[tribe] = tribe
    shuffle(s, s.tribe, 0, NUM_TRIBES)
    for absent in range(s.num_players, NUM_TRIBES):
        s.tribe[absent] = NONE


@kernel
def choose_tribes(s):
    """Whoever makes the first turn chooses first; then all have their cards and the game begins."""
    chosen = 0
    for seat in range(s.num_players):
        if s.tribe[seat] != NONE:
            chosen |= 1 << seat
    seat = first_unmarked(s, chosen)
    if seat != NONE:
        ask(s, seat, Phase.TRIBE)
        return
    _found_tribes(s)
    _deal_hands(s)
    s.stage = Stage.ROUND


@kernel
def may_choose_tribe(s, mask):
    """Any tribe that nobody has."""
    for tribe in range(NUM_TRIBES):
        free = True
        for seat in range(s.num_players):
            free = free and s.tribe[seat] != tribe
        mask[A.tribe + tribe] = free


@kernel
def _found_tribes(s):
    """One city and one army each."""
    for seat in range(s.num_players):
        for _ in range(START_CITIES):
            gain_city(s, seat)
        s.army[seat] = START_ARMIES
        s.supply[Building.ARMY] -= START_ARMIES


@kernel
def _deal_hands(s):
    """Three cards each; catastrophes among them are discarded, a Population Growth is played at once."""
    for _ in range(HAND_DEALT):
        for k in range(s.num_players):
            seat = seat_after(s, s.first, k)
            card = draw_card(s)
            if card < NUM_HELD:
                gain(s, seat, card)
            else:
                s.discards[card] += 1
                if card == Card.POPULATION_GROWTH:
                    gain_city(s, seat)
