"""The rules, in the order of RULES.md. A kernel is a sentence of the rulebook, in the rulebook's words."""

from __future__ import annotations

from ..engine.chance import draw
from ..engine.compile import kernel
from .components import COPIES, NUM_CARDS, RANKS
from .state import NONE, A, Phase


@kernel
def setup(s):
    """Every player is dealt a hand from the shuffled deck (Setup)."""
    s.deck[:] = COPIES
    s.left = NUM_CARDS
    s.top = NONE
    for seat in range(s.num_players):
        for _ in range(s.hand_size):
            draw_card(s, seat)


@kernel
def draw_card(s, seat):
    """Take the next card of the deck into the hand, while there are any (Setup, Drawing)."""
    rank = draw(s, s.deck)  # the deck is counted, so its next card is any of them, each equally likely
    if rank != NONE:
        s.left -= 1
        s.hand[seat, rank] += 1
        s.held[seat] += 1


@kernel
def legal(s, mask):
    """Mark what the seat to act may do (A Turn)."""
    if s.phase == Phase.PLAY:
        for rank in range(RANKS):
            mask[A.play + rank] = s.hand[s.seat, rank] > 0
    else:
        mask[A.keep] = True
        for rank in range(RANKS):
            mask[A.bury + rank] = s.hand[s.seat, rank] > 0


@kernel
def apply(s, action):
    """Play a legal action, and all that follows from it up to the next decision."""
    if s.phase == Phase.PLAY:
        play(s, action - A.play)
    else:
        if action != A.keep:
            bury(s, action - A.bury)
        end_turn(s)


@kernel
def play(s, rank):
    """Lay a card on the pile; one that is higher than the top takes the pile below it (Playing)."""
    takes = s.top != NONE and rank > s.top
    s.hand[s.seat, rank] -= 1
    s.held[s.seat] -= 1
    if takes:
        take_pile(s)
    s.pile[rank] += 1
    s.top = rank
    if takes and s.held[s.seat] > 0:
        s.phase = Phase.BURY
    else:
        end_turn(s)


@kernel
def take_pile(s):
    """The cards of the pile are the player's (Playing)."""
    for rank in range(RANKS):
        s.taken[s.seat, rank] += s.pile[rank]
        s.pile[rank] = 0


@kernel
def bury(s, rank):
    """Lay a card of the hand face down before oneself, where it is a point (Burying)."""
    s.hand[s.seat, rank] -= 1
    s.held[s.seat] -= 1
    s.buried[s.seat, rank] += 1
    s.graves[s.seat] += 1


@kernel
def end_turn(s):
    """Draw a card; the next player who has cards is to play, and if nobody has, the game is over (Ending)."""
    draw_card(s, s.seat)
    s.phase = Phase.PLAY
    for k in range(1, s.num_players + 1):
        following = (s.seat + k) % s.num_players
        if s.held[following] > 0:
            s.seat = following
            return
    s.finished = True


@kernel
def scores(s, out):
    """A point for every card that was taken or buried (Ending)."""
    for seat in range(s.num_players):
        out[seat] = s.graves[seat]
        for rank in range(RANKS):
            out[seat] += s.taken[seat, rank]
