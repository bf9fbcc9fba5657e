"""What a seat sees, and a world that it cannot tell from the real one."""

from __future__ import annotations

from ..engine.chance import draw
from ..engine.compile import kernel
from .components import RANKS
from .state import NONE, O, Phase


@kernel
def observe(s, seat, out):
    """Fill in what the seat may know: its own place first, the others in turn order; in natural units."""
    out[O.players + s.num_players - 2] = 1
    out[O.hand_size] = s.hand_size
    out[O.burying] = s.phase == Phase.BURY
    out[O.left] = s.left
    if not s.finished:
        out[O.to_act + (s.seat - seat) % s.num_players] = 1
    if s.top != NONE:
        out[O.top + s.top] = 1
    for rank in range(RANKS):
        out[O.hand + rank] = s.hand[seat, rank]
        out[O.buried + rank] = s.buried[seat, rank]
        out[O.pile + rank] = s.pile[rank]
    for k in range(s.num_players):
        other = (seat + k) % s.num_players
        out[O.held + k] = s.held[other]
        out[O.graves + k] = s.graves[other]
        for rank in range(RANKS):
            out[O.taken + k * RANKS + rank] = s.taken[other, rank]


@kernel
def determinize(s, seat):
    """Redraw what the seat cannot know: the hands and graves of the others, and the deck.

    All these cards go into one heap first, counted by rank, so that nothing of the truth decides what comes out.
    """
    for other in range(s.num_players):
        if other != seat:
            for rank in range(RANKS):
                s.deck[rank] += s.hand[other, rank] + s.buried[other, rank]
    for other in range(s.num_players):
        if other != seat:
            redraw(s, s.hand[other], s.held[other])
            redraw(s, s.buried[other], s.graves[other])


@kernel
def redraw(s, counts, cards):
    """So many cards, drawn anew."""
    counts[:] = 0
    for _ in range(cards):
        counts[draw(s, s.deck)] += 1
