"""Destiny Phase: peoples are dealt, minor peoples rise, bets are laid."""

from __future__ import annotations

from ...engine.chance import draw
from ...engine.compile import kernel
from ..components import FIRST_RED, NUM_PEOPLES, NUM_SIZES, OF_A_SIZE, RULE, God
from ..state import NONE, A, Phase

BETS, BET_TURN, LATE_BET_TURN = RULE.bets, RULE.bet_turn, RULE.late_bet_turn


# -- Distribution of Peoples ---------------------------------------------------------------------------------------


@kernel
def deal_destiny(s, cards):
    """On turns 1, 3, 5 and 7 each player gets a destiny card, of size 4, 3, 2 and 1; `cards` is room for six counts."""
    if s.turn % 2 == 0 or s.turn > 2 * NUM_SIZES:
        return
    k = s.turn // 2
    for n in range(OF_A_SIZE):
        cards[n] = 1
    for seat in range(s.num_players):
        s.destiny[seat, k] = k * OF_A_SIZE + draw(s, cards)
    for seat in range(s.num_players):
        if s.god[seat] == God.DECEPTION:
            for n in range(OF_A_SIZE):
                s.early[k * OF_A_SIZE + n] = s.played[seat, k * OF_A_SIZE + n]


# -- Predictions ---------------------------------------------------------------------------------------------------


@kernel
def bets_now(s, seat):
    """Whether a seat lays its bets in this turn: turn 7, with the god of wisdom turn 9."""
    return s.turn == (LATE_BET_TURN if s.god[seat] == God.WISDOM else BET_TURN)


@kernel
def ask_for_bet(s):
    """Up to two red or yellow cards, face down (ruling 14: asked seat by seat, in secret).

    How often a seat is asked hangs on nothing but how many such cards it had, whose backs all have seen: twice, or
    once if it had one. A seat that has answered "no more" is asked again, or the others could count its bets.
    """
    s.phase = Phase.BET if s.step < min(BETS, to_bet_with(s, s.seat)) else NONE


@kernel
def to_bet_with(s, seat):
    """Action cards that a seat has in hand, or has laid as bets by now."""
    count = 0
    for people in range(NUM_PEOPLES):
        count += s.hand[seat, people]
    for k in range(BETS):
        count += s.bets[seat, k] != NONE
    return count


@kernel
def may_bet(s, mask):
    """Any action card in hand, or none."""
    for people in range(NUM_PEOPLES):
        mask[A.people + people] = s.hand[s.seat, people] > 0
    mask[A.done] = True


@kernel
def bet(s, people):
    """A card is laid face down before its player."""
    s.hand[s.seat, people] -= 1
    s.bets[s.seat, BETS - 1] = people  # the last place is free: it is filled by the last answer alone
    sort_bets(s, s.seat)
    bet_on(s)


@kernel
def bet_on(s):
    """One question is answered, with a card or without."""
    s.step += 1
    ask_for_bet(s)


@kernel
def uncover_backs(s):
    """Once all have laid their bets everybody sees how many they are, and their backs."""
    for seat in range(s.num_players):
        if bets_now(s, seat):
            s.bets_laid[seat] = 1
            for k in range(BETS):
                s.red_bets[seat] += s.bets[seat, k] >= FIRST_RED


@kernel
def sort_bets(s, seat):
    """Red backs first; the order in which cards are laid tells nothing."""
    if s.bets[seat, 0] < s.bets[seat, 1]:
        s.bets[seat, 0], s.bets[seat, 1] = s.bets[seat, 1], s.bets[seat, 0]
