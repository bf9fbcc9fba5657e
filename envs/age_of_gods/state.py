"""A table of Age of Gods: its state, its action layout, its observation layout.

A set of territories is a uint64, bit t for territory t. Destiny cards lie in four slots a seat, in the order in which
they are dealt: slot k holds a people of size 4 - k. Action cards are counted by people; those of sizes 1 and 2 have a
red back, those of sizes 3 and 4 a yellow one.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ..engine.fields import MAX_SEATS, Field, table_dtype
from ..engine.layout import Layout, block
from .components import (
    NUM_PEOPLES,
    NUM_SIZES,
    NUM_TERRITORIES,
    OF_A_SIZE,
    RULE,
    TERRITORIES,
    God,
    People,
    Wrath,
)


class Stage(IntEnum):
    """Where in a turn play is."""

    GODS = 0  # before the first turn: each player chooses one of two gods
    ORDER = 1  # who is first in this turn
    DESTINY = 2  # destiny cards are dealt
    UPRISING = 3
    BETS = 4
    FORTIFICATION = 5
    COMBAT = 6
    ACTION = 7


class Phase(IntEnum):
    """What is being decided."""

    GOD = 0  # which god
    FIRST = 1  # who is first (god of time)
    BET = 2  # a card to bet, or no more
    FORTIFY = 3  # a territory to fortify, a god's power, or no more
    ORIGIN = 4  # the attacking territory
    TARGET = 5  # the attacked territory
    ROLL = 6  # the die is rolled (a decision for the god of deception alone)
    EXTENT = 7  # at the maximum extent: raze, or give up the origin
    CARD = 8  # the card to play and its use, or a god's power
    TERRITORY = 9  # a territory for an ability, a power or the divine wrath
    PEOPLE = 10  # a people for one
    LOOK = 11  # a destiny card to look at


NONE = -1
RED, YELLOW = 0, 1
ATTACK, DEFENCE = 0, 1

STATE_FIELDS = (
    Field("owner", np.int8, NUM_TERRITORIES, doc="People whose token stands there, NONE if it is empty"),
    Field("land", np.uint64, NUM_PEOPLES, bits=NUM_TERRITORIES, doc="Territories of each people"),
    Field("extent", np.int8, NUM_PEOPLES, doc="How many they are"),
    Field("towns", np.int8, NUM_PEOPLES, doc="How many of them hold a city"),
    Field("fortified", np.uint64, bits=NUM_TERRITORIES, doc="Territories with a fortification"),
    Field(
        "bulwarks",
        np.uint64,
        bits=NUM_TERRITORIES,
        doc="Cities that the god of protectors has fortified, which count for more",
    ),
    Field("love", np.uint64, bits=NUM_TERRITORIES, doc="Territories with a Love marker"),
    Field("vortex", np.int8, doc="The territory of the Vortex, NONE if it is not on the board"),
    Field("fortress", np.int8, doc="That of the Dwarven Fortress"),
    Field("attacker", np.int8, doc="The Holy War Attacker, a people or NONE"),
    Field("victim", np.int8, doc="The Holy War Victim"),
    Field("marker", np.int8, (2, 2, NUM_PEOPLES), doc="ATTACK or DEFENCE markers, +1 or +2, on each people"),
    Field("hated", np.int8, NUM_PEOPLES, doc="1 with a Hatred marker"),
    Field("technology", np.int8, NUM_PEOPLES, doc="Levels"),
    Field("spare_goblins", np.int8, doc="Goblin tokens beside the board"),
    Field("god", np.int8, MAX_SEATS, doc="God of each seat, NONE before it is chosen"),
    Field("offer", np.int8, (MAX_SEATS, 2), doc="The two gods to choose from; NONE when all have chosen"),
    Field("uses", np.int8, MAX_SEATS, doc="Markers or single uses that the seat's god has left"),
    Field("pieces", np.int8, MAX_SEATS, doc="Fortifications that it can still build"),
    Field("hand", np.int8, (MAX_SEATS, NUM_PEOPLES), doc="Action cards in hand"),
    Field(
        "destiny",
        np.int8,
        (MAX_SEATS, NUM_SIZES),
        doc="People on the destiny cards, NONE before they are dealt",
    ),
    Field("spent", np.int8, (MAX_SEATS, NUM_SIZES), doc="1 if the destiny card was played"),
    Field(
        "revealed",
        np.int8,
        NUM_PEOPLES,
        doc="The seat before which the people's destiny card lies face up, or NONE",
    ),
    Field("looked", np.uint8, (MAX_SEATS, NUM_SIZES), doc="Bit k: seat k has looked at this destiny card"),
    Field(
        "early",
        np.int8,
        NUM_PEOPLES,
        doc="Cards of a people that Deception played before its destiny card was dealt",
    ),
    Field("bets", np.int8, (MAX_SEATS, RULE.bets), doc="People of the cards bet, NONE for none"),
    Field(
        "bets_laid",
        np.int8,
        MAX_SEATS,
        doc="1 when all who bet at that time have: their number and backs are seen",
    ),
    Field("turn", np.int8, doc="1 to 9; 0 before the first"),
    Field("first", np.int8, doc="The first player"),
    Field("stage", np.int8, doc="Stage"),
    Field("place", np.int8, doc="Whose turn it is in the stage: so many seats after the first player"),
    Field("phase", np.int8, doc="Phase, NONE while the table runs on"),
    Field("built", np.int8, doc="Fortifications that the seat has built in this phase"),
    Field("used", np.int8, doc="1 if it has used its god's power in this phase"),
    Field("power", np.int8, doc="1 while a god's power asks for a territory or a people"),
    Field("double", np.int8, doc="1 if the card to be played works in both ways (god of magic)"),
    Field("ability", np.int8, doc="People whose card is being resolved, or NONE"),
    Field("wrath", np.int8, doc="Wrath that it has called, 0 for none"),
    Field("step", np.int8, doc="Choices made for it so far"),
    Field("chosen", np.int8, doc="The first of them, a territory or a people, or NONE"),
    Field("attacks", np.int8, doc="Attacks that it has left, with the one under way"),
    Field("origin", np.int8, doc="Attacking territory, or NONE"),
    Field("target", np.int8, doc="Attacked territory, or NONE"),
    Field("natural", np.int8, doc="The die as it fell, 0 before the roll"),
    Field("follow_up", np.int8, doc="1 if the attack follows a breakthrough"),
    Field("boost", np.int8, doc="What the god of deception adds to this attack"),
    Field("led", np.uint8, (MAX_SEATS, NUM_PEOPLES), doc="Attacks that a seat has launched with a people"),
    Field(
        "harmed", np.uint8, (MAX_SEATS, NUM_PEOPLES), doc="Attacks and other blows of a seat against a people"
    ),
    Field(
        "favoured",
        np.uint8,
        (MAX_SEATS, NUM_PEOPLES),
        doc="Fortifications, technology, markers, tokens it has given",
    ),
    Field("played", np.uint8, (MAX_SEATS, NUM_PEOPLES), doc="Cards of a people that it has played"),
)
STATE = table_dtype(*STATE_FIELDS)

_SIZES = ("SIZE_4", "SIZE_3", "SIZE_2", "SIZE_1")
_OTHERS = tuple(f"{k}_further_on" for k in range(1, MAX_SEATS))  # seats after the own one, in turn order
_SEATS = ("own", *_OTHERS)

ACTIONS = Layout(
    block("god", God, doc="Choose this god of the two"),
    block("first", _SEATS, doc="Name the first player of the turn (god of time)"),
    block("done", doc="No more: bets, fortifications, a breakthrough, what an ability allows further"),
    block("power", doc="Use the own god's power"),
    block(
        "territory", TERRITORIES, doc="This territory: to fortify, attack from, attack, or for what is asked"
    ),
    block("people", People, doc="This people: to bet on, or for what is asked"),
    block("technology", People, doc="Play an action card of this people to raise its technology"),
    block("ability", People, doc="Play an action card of this people for its ability (or the divine wrath)"),
    block("destiny_technology", _SIZES, doc="Play the destiny card of this size to raise technology"),
    block(
        "destiny_ability",
        _SIZES,
        doc="Play the destiny card of this size for the ability (or the divine wrath)",
    ),
    block("roll", doc="Roll the die for the attack"),
    block("raze", doc="At the maximum extent: destroy what was attacked, and stay"),
    block("give_up", doc="At the maximum extent: give up the attacking territory for the attacked one"),
    block("look", _OTHERS, _SIZES, doc="Look at this destiny card"),
)
A = ACTIONS.starts

OBSERVATION = Layout(
    # What has a unit of its own comes first: the engine scales no further than to the last of it.
    block("place", high=MAX_SEATS - 1, unit=3, doc="How many have acted before it in this stage"),
    block("uses", _SEATS, high=4, unit=2, doc="Markers or uses that the god has left"),
    block("pieces", _SEATS, high=RULE.protected_fortifications, unit=5, doc="Fortifications left to build"),
    block("cards", _SEATS, high=12, unit=6, doc="Cards in hand, destiny cards too"),
    block(
        "reds", _SEATS, high=RULE.hand_red, unit=2,
        doc="Red action cards among them; 0 with the god of deception, whose backs nobody sees",
    ),
    block(
        "looked", _SEATS, _SIZES, high=(1 << MAX_SEATS) - 1, unit=8,
        doc="Who has looked at this destiny card: 1 for the observer, 2 for the next seat, then 4, 8, ..., added up",
    ),
    block(
        "points", high=80, unit=10, doc="Territories and cities of the peoples that the observer represents"
    ),
    block("margin", low=-40, high=40, unit=3, doc="What is added to the die of the attack"),
    block("natural", high=6, unit=6, doc="The die as it fell"),
    block(
        "owner", TERRITORIES, low=-1, high=NUM_PEOPLES, unit=OF_A_SIZE,
        doc="Its people's number, the Humans' being 1; 0 if it is empty, -1 in the Vortex",
    ),
    block(
        "faces", TERRITORIES, high=6, unit=3,
        doc="Faces of the die that win the attack asked for on it, or from it the easiest not on the observer's own",
    ),
    block("extent", People, high=9, unit=4, doc="Its territories"),
    block("towns", People, high=9, unit=2, doc="Its cities"),
    block("attack", People, high=24, unit=2, doc="What it adds to an attack"),
    block(
        "shield", People, low=-1, high=24, unit=2,
        doc="What attacks on it are lowered by, wherever it lives, Hatred counted",
    ),
    # the turn
    block("players", 5, doc="Number of players: 2, 3, 4, 5, 6"),
    block("stage", Stage, doc="Where in the turn play is"),
    block("phase", Phase, doc="What is being decided"),
    block("deciding", doc="The decision is the observer's"),
    block("turn", RULE.turns, doc="The turn, one-hot; none before the first"),
    block("first", _SEATS, doc="The first player"),
    block("acting", _SEATS, doc="The seat that decides"),
    block("offer", God, doc="Gods that the observer may choose from"),
    block("god", _SEATS, God, doc="Each seat's god"),
    block("bets_laid", _SEATS, ("RED", "YELLOW"), high=RULE.bets, doc="Cards bet, by their backs"),
    block("spare_goblins", high=RULE.spare_goblins, doc="Goblin tokens beside the board"),
    # what is being resolved
    block("wrath", len(Wrath), doc="The divine wrath that was called"),
    block("follow_up", doc="The attack follows a breakthrough"),
    block("attacks", high=3, doc="Attacks that an ability has left"),
    block("step", high=2, doc="Choices made for what is being resolved"),
    block("double", doc="The card to be played works in both ways"),
    block("resolving", People, doc="The people whose card is being resolved"),
    block(
        "named_people", People, low=-1,
        doc="1 for the attacking people or the Holy War Attacker to be, -1 for the attacked people",
    ),
    block(
        "named", TERRITORIES, low=-1,
        doc="1 for the attacking territory or the first that an ability named, -1 for the attacked one",
    ),
    # by territory
    block(
        "stake", TERRITORIES, low=-2, high=2,
        doc="Points it gives the observer; negative if it gives them to a seat known to represent its people",
    ),
    block(
        "walls", TERRITORIES, high=6,
        doc="What the territory itself lowers attacks by: city, fortification, Dwarven Fortress",
    ),
    block("loved", TERRITORIES, doc="It has a Love marker"),
    block("full_there", TERRITORIES, doc="Its people is at its maximum extent"),
    # by people
    block("represented", People, doc="The observer has its destiny card, played or not"),
    block("unplayed", _SIZES, doc="The observer holds its destiny card of this size in hand"),
    block("in_hand", People, high=2, doc="Action cards of it in the observer's hand"),
    block("own_bets", People, high=RULE.bets, doc="Cards of it that the observer has bet"),
    block("gone", People, high=3, doc="Cards of it that have been played"),
    block("full", People, doc="It is at its maximum extent"),
    block("technology", People, high=12, doc="Its technology levels"),
    block("hated", People, doc="It has a Hatred marker"),
    block("holy_war", People, low=-1, doc="1 for the Holy War Attacker, -1 for the Holy War Victim"),
    # what is known of the others: revealed or looked at, and what they have done
    block("revealed", People, doc="Its destiny card lies face up"),
    block(
        "holder", People, high=MAX_SEATS - 1,
        doc="How many seats further on its destiny card is known to be; 0 if that is not known, or here",
    ),
    block(
        "suspect", People, high=3,
        doc="Cards of it played by another seat's god of deception of which one may have been the destiny card",
    ),
    block("led", _OTHERS, People, high=255, doc="Attacks that it has launched with the people"),
    block("harmed", _OTHERS, People, high=255, doc="Attacks and blows of it against the people"),
    block(
        "favoured", _OTHERS, People, high=255,
        doc="Territories of the people that it has fortified, technology, markers and tokens that it has given",
    ),
)  # fmt: skip
O = OBSERVATION.starts  # noqa: E741 - the letter that stands for the layout, as A does

__all__ = [
    "ACTIONS",
    "ATTACK",
    "DEFENCE",
    "NONE",
    "OBSERVATION",
    "RED",
    "STATE",
    "STATE_FIELDS",
    "YELLOW",
    "A",
    "O",
    "Phase",
    "Stage",
]
