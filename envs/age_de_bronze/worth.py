"""How good a table looks to a seat, for players that look ahead."""

from __future__ import annotations

import numpy as np

from ..engine.compile import kernel
from .components import NUM_HELD, NUM_NATIONS
from .rules import HAND_LIMIT, leaders, owner, points_beside
from .state import NONE, Phase

IN_HAND = np.array([0.55, 0.45, 0.4, 0.3, 0.55, 0.3, 0.2, 0.25, 0.35, 0.2, 0.3, 0.3])  # ours, by Card
BEST_FIRST = np.argsort(-IN_HAND, kind="stable")
BEING_PLAYED = np.array([0, 0, 0, 0.8, 1.9, 0.7, 0.4, 0.4, 0.6, 0.4, 0, 0.9])  # ours, by trick
ON_TABLE, ACTION_LEFT, GREATEST_TEMPLE, A_DEITY = 0.15, 0.05, 0.6, 0.7


@kernel
def value(s, seat):
    """How good the table looks to `seat`: points and prospects, over those of the strongest other and of all others.

    The weights are ours, set by hand: what a card in hand, a deity, an action left or a trick under way is worth.
    """
    own, best, others = 0.0, -100.0, 0.0
    ahead = leaders(s)
    for holder in range(s.num_players):
        worth = _prospects(s, holder, ahead)
        if holder == seat:
            own = worth
        else:
            best = max(best, worth)
            others += worth
    return own - 0.5 * best - 0.5 * others / (s.num_players - 1)


@kernel
def _prospects(s, seat, ahead):
    worth = 0.0
    for n in range(seat, s.nations, s.num_players):  # its nations, without asking each for its owner
        worth += points_beside(s, n, ahead)
        worth += ON_TABLE * (s.temple[n] + s.victory[n] + s.riches[n])
        worth += GREATEST_TEMPLE * (s.greatest_temple == n)
        deities = 0
        for deity in range(NUM_NATIONS):
            deities += s.deity_holder[deity] == n
        worth += A_DEITY * deities
    left = HAND_LIMIT  # what is beyond will be discarded: the cards of least worth
    for k in range(NUM_HELD):
        cards = min(left, s.hand[seat, BEST_FIRST[k]])
        worth += cards * IN_HAND[BEST_FIRST[k]]
        left -= cards
    if owner(s, s.turn) == seat and not s.finished:
        worth += ACTION_LEFT * s.actions
        if s.trick != NONE and s.phase != Phase.TURN:
            worth += BEING_PLAYED[s.trick]
    return worth
