"""A table of Âge de Bronze: its state, its action layout, its observation layout.

A *nation* is a place in turn order, 0 to 5: seat n runs nation n, but with two players seat 0 runs nations 0 and 2,
seat 1 runs nations 1 and 3. A *seat* holds the hand.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ..engine.fields import LOOKED, MAX_SEATS, OWNER, Field, table_dtype
from ..engine.layout import Layout, block
from .components import (
    COUNTS,
    DECK_ROOM,
    ENDS_TOTAL,
    HELD_CARDS,
    LOOKED_CARDS,
    MAIN_CARDS,
    MIN_NATIONS,
    NUM_HELD,
    NUM_MAIN,
    NUM_NATIONS,
    PROGRESS,
    RICHES_TOTAL,
    RULE,
    TRICKS,
    Card,
    Deity,
    Nation,
)

MOST_HELD = 80  # cards of a hand in mid-turn: 38 Riches, 8 others, and what a turn's actions and powers bring
MOST_LOOKS = int(COUNTS[Card.AUGURY])
GROUPS = int(COUNTS[Card.SPY])  # see hands.py
MOST = int(COUNTS.max())  # cards of one kind
NONE = -1


class Phase(IntEnum):
    """What is being decided."""

    TURN = 0  # the active nation's next action, or the end of its turn
    TARGET = 1  # the nation that a dirty trick is played on
    COMMIT = 2  # how many Riches cards go into a raid
    DEITY = 3  # which deity is stolen
    SPY = 4  # which card is taken from the hand that was looked at
    KEEP = 5  # which of the cards that an Augury shows is kept
    PUT_BACK = 6  # the order of the others, from the top of the deck down
    DISCARD = 7  # what goes, over the hand limit
    CURSE = 8  # what goes, as the victim of a Curse


WEIGHS = "it only weighs what others may hold"

STATE_FIELDS = (
    Field(
        "nations", np.int8, low=MIN_NATIONS, high=NUM_NATIONS,
        doc="Nations in play: 4 with two players, else one a seat",
    ),
    Field(
        "nation", np.int8, NUM_NATIONS, low=NONE, high=NUM_NATIONS - 1,
        doc="Nation card of each nation in turn order, -1 for none",
    ),
    Field(
        "deity_holder", np.int8, NUM_NATIONS, low=NONE, high=NUM_NATIONS - 1,
        doc="By Deity: the nation that holds it, -1 if it is not in play",
    ),
    Field(
        "deity_used", np.int8, NUM_NATIONS, low=0, high=1, doc="By Deity: 1 if its power was used in this turn"
    ),
    Field(
        "family", np.int8, NUM_NATIONS, low=0, high=int(COUNTS[Card.FAMILY]),
        doc="Family cards on the table before each nation",
    ),
    Field("temple", np.int8, NUM_NATIONS, low=0, high=int(COUNTS[Card.TEMPLE]), doc="Temple cards there"),
    Field("victory", np.int8, NUM_NATIONS, low=0, high=int(COUNTS[Card.VICTORY]), doc="Victory cards there"),
    Field("riches", np.int8, NUM_NATIONS, low=0, high=int(COUNTS[Card.RICHES]), doc="Riches cards there"),
    Field(
        "greatest_temple", np.int8, low=NONE, high=NUM_NATIONS - 1,
        doc="The nation that holds the Greatest Temple, -1 for none",
    ),
    Field(
        "hand", np.int8, (MAX_SEATS, NUM_HELD), sees=OWNER, low=0, high=MOST,
        doc="Cards of each kind in each seat's hand",
    ),
    Field("hand_size", np.int8, MAX_SEATS, low=0, high=MOST_HELD, doc="Cards in each hand"),
    Field(
        "known", np.int8, (MAX_SEATS, MAX_SEATS, NUM_HELD), sees=OWNER, low=0, high=MOST,
        doc="Cards of each kind that a seat is sure of in each other seat's hand",
    ),
    Field(
        "known_to_all", np.int8, (MAX_SEATS, NUM_HELD), low=0, high=MOST,
        unseen="of other hands it is a part of what the observer knows",
        doc="Cards of each kind that came into each hand for all to see, and have not left it",
    ),
    Field(
        "lost", np.int8, (MAX_SEATS, GROUPS, NUM_HELD), sees=OWNER, low=0, high=MOST,
        doc="Cards of each kind that a seat lost sight of by a Spy: they are among the `mixed` ones",
    ),
    Field(
        "mixed", np.int8, (MAX_SEATS, GROUPS, MAX_SEATS), sees=OWNER, low=0, high=MOST_HELD,
        doc="Cards of each hand that, for all a seat knows, may be one of the `lost` ones",
    ),
    Field(
        "revealed", np.int8, (MAX_SEATS, MAX_SEATS, NUM_HELD), sees=OWNER, low=0, high=MOST, unseen=WEIGHS,
        doc="Cards that came out of those of which a seat knew nothing in each other hand, while some are left",
    ),
    Field(
        "fresh", np.int8, (MAX_SEATS, MAX_SEATS), sees=OWNER, low=0, high=MOST_HELD, unseen=WEIGHS,
        doc="How many of those left came after the last of these",
    ),
    Field(
        "deck", np.int8, DECK_ROOM, sees=LOOKED, low=NONE, high=int(Card.END_OF_THE_BRONZE_AGE),
        unseen="only the cards on top are observed, by who knows them; a place that is drawn tells nothing more",
        doc="Card by position; before deck_next: End cards that came out, -1 for others",
    ),
    Field("deck_next", np.int16, low=0, high=DECK_ROOM, doc="Position of the top card"),
    Field(
        "pile_start", np.int16, RULE.piles + 1, low=0, high=DECK_ROOM,
        doc="Where each pile of the setup began, and the end of the deck",
    ),
    Field("row", np.int8, NUM_MAIN, low=0, high=MOST, doc="Face-up cards by Card"),
    Field("ends_out", np.int8, low=0, high=ENDS_TOTAL, doc="End of the Bronze Age cards that have come out"),
    Field("discards", np.int8, NUM_MAIN, low=0, high=MOST, doc="Main discards by Card"),
    Field("riches_deck", np.int8, 2, low=0, high=MOST, doc="Riches and Ambush cards in the Riches deck"),
    Field("riches_discards", np.int8, 2, low=0, high=MOST, doc="And in its discard pile"),
    Field("phase", np.int8, low=0, high=len(Phase) - 1, doc="Phase"),
    Field("turn", np.int8, low=0, high=NUM_NATIONS - 1, doc="The nation whose turn it is"),
    Field("actions", np.int8, low=0, high=RULE.actions + RULE.extra_action, doc="Actions that it has left"),
    Field("trick", np.int8, low=NONE, high=int(Card.RICHES), doc="Card of the dirty trick being played, else -1"),
    Field("free_trick", np.bool_, doc="It is played with Nergal's power"),
    Field("target", np.int8, low=NONE, high=NUM_NATIONS - 1, doc="Nation that it is played on, else -1"),
    Field("owed", np.int8, low=0, high=MOST_HELD, doc="Cards that the victim of a Curse still has to discard"),
    Field("placed", np.int8, low=0, high=RULE.augury, doc="Cards put back so far after an Augury"),
    Field(
        "looks", np.int8, low=0, high=MOST_LOOKS,
        doc="Auguries that still matter, as their cards are not all drawn; and for each of them:",
    ),
    Field("look_at", np.int16, MOST_LOOKS, low=0, high=DECK_ROOM, doc="Deck position of the first card it showed"),
    Field("look_size", np.int8, MOST_LOOKS, low=0, high=RULE.augury, doc="Cards it showed"),
    Field("look_kept", np.int8, MOST_LOOKS, low=0, high=1, doc="1 if one of them was kept"),
    Field("look_seat", np.int8, MOST_LOOKS, low=0, high=MAX_SEATS - 1, doc="Who looked"),
    Field(
        "look_ends", np.uint8, MOST_LOOKS, sees=LOOKED, bits=RULE.augury,
        unseen="who looked observes the cards themselves",
        doc="The places after look_at where an End card was put back",
    ),
)  # fmt: skip
STATE = table_dtype(*STATE_FIELDS)

_MORE = tuple(f"{k}_further_on" for k in range(1, NUM_NATIONS))  # nations after the active one, in turn order

ACTIONS = Layout(
    block("end_turn", doc="End the turn"),
    block("take", MAIN_CARDS, doc="Take a card of this kind from the row (one action)"),
    block("play", PROGRESS, doc="Play a progress card into the own nation (one action)"),
    block("deity", Deity, doc="Use this deity's power, once a turn (free)"),
    block("augury", doc="Play Augury (one action)"),
    block("trick", TRICKS, doc="Play a dirty trick (one action, or Nergal's power)"),
    block("target", _MORE, doc="Play it on this nation"),
    block("commit", RICHES_TOTAL, doc="Raid with this many Riches cards, plus one"),
    block("steal", Deity, doc="Steal this deity"),
    block("spy", HELD_CARDS, doc="Take a card of this kind from the hand that the Spy looks at"),
    block("keep", MAIN_CARDS, doc="Keep a card of this kind from those that the Augury shows"),
    block("keep_none", doc="Keep none of them"),
    block("put_back", LOOKED_CARDS, doc="Put a card of this kind back, below those put back before"),
    block("discard", HELD_CARDS, doc="Discard a card of this kind (hand limit or Curse)"),
)
A = ACTIONS.starts

_EACH = ("own", *_MORE)  # nations from the observer's own on, in turn order

OBSERVATION = Layout(
    block("players", 5, doc="Number of players: 2, 3, 4, 5, 6"),
    block("phase", Phase, doc="What is being decided"),
    block("deciding", doc="The decision is the observer's"),
    block("turn_of", _EACH, doc="The nation whose turn it is"),
    block("in_play", _EACH, doc="The nation is in play"),
    block("mine", _EACH, doc="The nation is the observer's"),
    block("nation", _EACH, Nation, doc="Its Nation card"),
    block("deities", _EACH, Deity, doc="Deities that it holds"),
    block("family", _EACH, high=27, unit=8, doc="Its Family cards on the table"),
    block("temple", _EACH, high=22, unit=5, doc="Its Temple cards"),
    block("victory", _EACH, high=22, unit=5, doc="Its Victory cards"),
    block("riches", _EACH, high=38, unit=5, doc="Its Riches cards on the table"),
    block("greatest_temple", _EACH, doc="It holds the Greatest Temple"),
    block("points", _EACH, high=64, unit=10, doc="Its points as they stand"),
    block("hand_size", _EACH, high=MOST_HELD, unit=8, doc="Cards in its player's hand"),
    block(
        "known", _EACH, HELD_CARDS, high=MOST, unit=3, doc="Cards of that hand that the observer is sure of"
    ),
    block("shown", HELD_CARDS, high=MOST, unit=3, doc="Cards of the observer's hand that all are sure of"),
    block(
        "lost", GROUPS, HELD_CARDS, high=MOST, unit=3, doc="Cards that the observer lost sight of by a Spy"
    ),
    block("mixed", GROUPS, _EACH, high=MOST_HELD, unit=8, doc="Cards of that hand that may be one of these"),
    block("row", MAIN_CARDS, high=6, unit=2, doc="Face-up cards in the row"),
    block("ends_out", high=4, unit=4, doc="End of the Bronze Age cards that have come out"),
    block("deck_left", high=DECK_ROOM, unit=60, doc="Cards left in the main deck"),
    block("pile_left", high=40, unit=27, doc="Cards left in the pile of the setup that is on top"),
    block("pile_end_out", doc="This pile's End card is out"),
    block("deck_top", RULE.augury, LOOKED_CARDS, doc="Cards on top of the deck that the observer knows"),
    block(
        "look",
        MOST_LOOKS,
        ("DRAWN", "LEFT", "KEPT"),
        high=RULE.augury,
        unit=5,
        doc="Of each Augury of whose cards some are left: cards drawn, left, kept",
    ),
    block("look_by", MOST_LOOKS, _EACH, doc="Whose player played it"),
    block("discards", MAIN_CARDS, high=27, unit=5, doc="Main discards"),
    block("riches_deck", ("RICHES", "AMBUSH"), high=38, unit=10, doc="Cards left in the Riches deck"),
    block("riches_discards", ("RICHES", "AMBUSH"), high=38, unit=10, doc="Cards in its discard pile"),
    block("actions", high=8, unit=4, doc="Actions that the active nation has left"),
    block("deity_used", Deity, doc="Deity powers used in this turn"),
    block("trick", TRICKS, doc="The dirty trick that is being played"),
    block("free_trick", doc="It is played with Nergal's power"),
    block("target", _EACH, doc="The nation that it is played on"),
    block("owed", high=MOST_HELD, unit=4, doc="Cards that the victim of a Curse still has to discard"),
    block("placed", high=RULE.augury, unit=5, doc="Cards put back so far after an Augury"),
)
O = OBSERVATION.starts  # noqa: E741 - the letter that stands for the layout, as A does

RICHES, AMBUSH = 0, 1  # index in riches_deck and riches_discards

__all__ = [
    "ACTIONS",
    "AMBUSH",
    "GROUPS",
    "MOST_HELD",
    "MOST_LOOKS",
    "NONE",
    "OBSERVATION",
    "RICHES",
    "STATE",
    "STATE_FIELDS",
    "A",
    "Card",
    "O",
    "Phase",
]
