"""What a table holds, what can be done, what is observed.

A rank is an index here, 0 for the card 1, and cards are counted by rank: what has no order has none in the state.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ..engine.fields import ALL, MAX_SEATS, NOBODY, OWNER, Field, table_dtype
from ..engine.layout import Layout, block
from .components import COPIES, NUM_CARDS, RANKS, RULE, SEATS

NONE = -1


class Phase(IntEnum):
    """What the seat to act decides. The golden games have to show every member, and every block of actions."""

    PLAY = 0  # which card to lay on the pile
    BURY = 1  # which card to bury, if any, after taking the pile


#: Who may see a field is declared with it; the conformance suite holds observations and worlds to that. How many cards
#: lie hidden somewhere is open to all, so it has a field of its own.
STATE_FIELDS = (
    Field(
        "hand_size",
        np.int8,
        sees=ALL,
        low=RULE.least_hand,
        high=RULE.most_hand,
        doc="Option: cards dealt to each seat",
    ),
    Field("phase", np.int8, sees=ALL, low=0, high=len(Phase) - 1, doc="What is being decided (Phase)"),
    Field("hand", np.int8, (MAX_SEATS, RANKS), sees=OWNER, low=0, high=COPIES, doc="Cards in hand, by rank"),
    Field("buried", np.int8, (MAX_SEATS, RANKS), sees=OWNER, low=0, high=COPIES, doc="Buried, by rank"),
    Field("held", np.int8, MAX_SEATS, sees=ALL, low=0, high=NUM_CARDS, doc="Cards in each hand"),
    Field("graves", np.int8, MAX_SEATS, sees=ALL, low=0, high=NUM_CARDS, doc="Cards that each has buried"),
    Field("left", np.int8, sees=ALL, low=0, high=NUM_CARDS, doc="Cards in the deck"),
    Field("taken", np.int8, (MAX_SEATS, RANKS), sees=ALL, low=0, high=COPIES, doc="Taken, by rank"),
    Field("pile", np.int8, RANKS, sees=ALL, low=0, high=COPIES, doc="Cards in the pile, by rank"),
    Field("top", np.int8, sees=ALL, low=NONE, high=RANKS - 1, doc="Rank on top of the pile, or NONE"),
    Field("deck", np.int8, RANKS, sees=NOBODY, low=0, high=COPIES, doc="Cards in the deck, by rank"),
)
STATE = table_dtype(*STATE_FIELDS)

RANK_NAMES = tuple(str(rank + 1) for rank in range(RANKS))

ACTIONS = Layout(
    block("play", RANK_NAMES, doc="Lay a card of this rank on the pile"),
    block("bury", RANK_NAMES, doc="Bury a card of this rank"),
    block("keep", doc="Bury nothing"),
)
A = ACTIONS.starts  # A.play + rank is an action, no offset is ever a bare number

OBSERVATION = Layout(
    block("players", SEATS - 1, doc="Two players, three, ..."),
    block("hand_size", high=RULE.most_hand, unit=RULE.most_hand, doc="Option: cards dealt to each"),
    block("burying", doc="A card may be buried now"),
    block("to_act", SEATS, doc="Whose decision it is"),
    block("hand", RANK_NAMES, high=COPIES, unit=COPIES, doc="The observer's hand"),
    block("buried", RANK_NAMES, high=COPIES, unit=COPIES, doc="What the observer has buried"),
    block("held", SEATS, high=NUM_CARDS, unit=RULE.most_hand, doc="Cards in each hand"),
    block("graves", SEATS, high=NUM_CARDS, unit=RULE.most_hand, doc="Cards that each has buried"),
    block("taken", SEATS, RANK_NAMES, high=COPIES, unit=COPIES, doc="What each has taken"),
    block("pile", RANK_NAMES, high=COPIES, unit=COPIES, doc="Cards in the pile"),
    block("top", RANK_NAMES, doc="The card on top of it"),
    block("left", high=NUM_CARDS, unit=NUM_CARDS, doc="Cards in the deck"),
)
O = OBSERVATION.starts  # noqa: E741 - the letter that stands for the layout, as A does
