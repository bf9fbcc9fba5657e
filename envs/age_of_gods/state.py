"""A table of Age of Gods: its state, its action layout, its observation layout.

A set of territories is a uint64, bit t for territory t. Destiny cards lie in four slots a seat, in the order in which
they are dealt: slot k holds a people of size 4 - k. Action cards are counted by people; those of sizes 1 and 2 have a
red back, those of sizes 3 and 4 a yellow one.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ..engine.fields import LOOKED, MAX_SEATS, OWNER, Field, table_dtype
from ..engine.layout import Layout, block
from .components import (
    ATTACKS,
    COUNT,
    MARKERS,
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
COPIES = 2  # action cards of each people
MOST_TECHNOLOGY = 12  # levels of a people; the cards in play give less
MOST_MARKERS = max(MARKERS.values())
MOST_ATTACKS = int(ATTACKS.max())
MOST_STEPS = max(MOST_ATTACKS, int(COUNT.max())) - 1  # when the last attack or choice is asked for

_LAST_TERRITORY, _LAST_PEOPLE = NUM_TERRITORIES - 1, NUM_PEOPLES - 1
_MOST_EXTENT = RULE.extent_factor * NUM_SIZES + 1  # Goblins: twice three, and three more; else twice four

STATE_FIELDS = (
    # the board
    Field(
        "owner", np.int8, NUM_TERRITORIES, low=NONE, high=_LAST_PEOPLE,
        doc="People whose token stands there, NONE if it is empty",
    ),
    Field("land", np.uint64, NUM_PEOPLES, bits=NUM_TERRITORIES, doc="Territories of each people"),
    Field("extent", np.int8, NUM_PEOPLES, low=0, high=_MOST_EXTENT, doc="How many they are"),
    Field("towns", np.int8, NUM_PEOPLES, low=0, high=_MOST_EXTENT, doc="How many of them hold a city"),
    Field("fortified", np.uint64, bits=NUM_TERRITORIES, doc="Territories with a fortification"),
    Field(
        "bulwarks", np.uint64, bits=NUM_TERRITORIES,
        doc="Cities that the god of protectors has fortified, which count for more",
    ),
    Field("love", np.uint64, bits=NUM_TERRITORIES, doc="Territories with a Love marker"),
    Field(
        "vortex", np.int8, low=NONE, high=_LAST_TERRITORY,
        doc="The territory of the Vortex, NONE if it is not on the board",
    ),
    Field("fortress", np.int8, low=NONE, high=_LAST_TERRITORY, doc="That of the Dwarven Fortress"),
    # the Well of Souls
    Field("attacker", np.int8, low=NONE, high=_LAST_PEOPLE, doc="The Holy War Attacker, a people or NONE"),
    Field("victim", np.int8, low=NONE, high=_LAST_PEOPLE, doc="The Holy War Victim"),
    Field(
        "marker", np.int8, (2, 2, NUM_PEOPLES), low=0, high=MOST_MARKERS,
        doc="ATTACK or DEFENCE markers, +1 or +2, on each people",
        unseen="what they add up to is observed, and how many of each are left; a +2 counts as two +1",
    ),
    Field("hated", np.int8, NUM_PEOPLES, low=0, high=1, doc="1 with a Hatred marker"),
    Field("technology", np.int8, NUM_PEOPLES, low=0, high=MOST_TECHNOLOGY, doc="Levels"),
    Field("spare_goblins", np.int8, low=0, high=RULE.spare_goblins, doc="Goblin tokens beside the board"),
    # gods, pieces, cards
    Field(
        "god", np.int8, MAX_SEATS, sees=LOOKED, low=NONE, high=len(God) - 1,
        doc="God of each seat, NONE before it is chosen; its owner alone sees it while `stage` is GODS, then all",
    ),
    Field(
        "offer", np.int8, (MAX_SEATS, RULE.gods_dealt), sees=OWNER, low=NONE, high=len(God) - 1,
        doc="The two gods to choose from, in order of their numbers; NONE when all have chosen",
    ),
    Field(
        "uses", np.int8, MAX_SEATS, low=0, high=MOST_MARKERS,
        doc="Markers or uses of its power that the seat's god has left",
    ),
    Field(
        "pieces", np.int8, MAX_SEATS, low=0, high=RULE.protected_fortifications,
        doc="Fortifications that it can still build",
    ),
    Field(
        "hand", np.int8, (MAX_SEATS, NUM_PEOPLES), sees=OWNER, low=0, high=COPIES,
        doc="Action cards in hand; the others see how many there are, and their backs but for Deception's",
    ),
    Field(
        "destiny", np.int8, (MAX_SEATS, NUM_SIZES), sees=LOOKED, low=NONE, high=_LAST_PEOPLE,
        doc="People on the destiny cards, NONE before they are dealt: seen by their owner, by all once `revealed`, "
        "and by those who have `looked`",
    ),
    Field(
        "spent", np.int8, (MAX_SEATS, NUM_SIZES), sees=LOOKED, low=0, high=1,
        doc="1 if the destiny card was played: all see it, for the card is `revealed`, but for Deception's, which its "
        "owner alone can tell from action cards",
    ),
    Field(
        "revealed", np.int8, NUM_PEOPLES, low=NONE, high=MAX_SEATS - 1,
        doc="The seat before which the people's destiny card lies face up, or NONE",
    ),
    Field(
        "looked", np.uint8, (MAX_SEATS, NUM_SIZES), bits=MAX_SEATS, doc="Seats that have looked at this destiny card"
    ),
    Field(
        "early", np.int8, NUM_PEOPLES, low=0, high=COPIES,
        doc="Cards of a people that Deception played before its destiny card was dealt",
    ),
    Field(
        "bets", np.int8, (MAX_SEATS, RULE.bets), sees=LOOKED, low=NONE, high=_LAST_PEOPLE,
        doc="People of the cards bet, in falling order, NONE for none; their owner sees them, at the end all",
        unseen="at the end nobody decides anything",
    ),
    Field(
        "bets_laid", np.int8, MAX_SEATS, low=0, high=1,
        doc="1 when all who bet at that time have: their number and backs are seen",
    ),
    Field("red_bets", np.int8, MAX_SEATS, low=0, high=RULE.bets, doc="Red backs among the bets, once they are seen"),
    # whose turn it is
    Field("turn", np.int8, low=0, high=RULE.turns, doc="1 to 9; 0 before the first"),
    Field("first", np.int8, low=0, high=MAX_SEATS - 1, doc="The first player"),
    Field("stage", np.int8, low=0, high=len(Stage) - 1, doc="Stage"),
    Field(
        "place", np.int8, low=0, high=MAX_SEATS - 1,
        doc="Whose turn it is in the stage: so many seats after the first player",
    ),
    Field("phase", np.int8, low=NONE, high=len(Phase) - 1, doc="Phase, NONE when the game is over"),
    # what is being resolved
    Field(
        "built", np.int8, low=0, high=RULE.fortify_at_once, doc="Fortifications that the seat has built in this phase"
    ),
    Field("used", np.int8, low=0, high=1, doc="1 if it has used its god's power in this phase"),
    Field("power", np.int8, low=0, high=1, doc="1 while a god's power asks for a territory or a people"),
    Field("double", np.int8, low=0, high=1, doc="1 if the card to be played works in both ways (god of magic)"),
    Field("ability", np.int8, low=NONE, high=_LAST_PEOPLE, doc="People whose card is being resolved, or NONE"),
    Field("wrath", np.int8, low=0, high=len(Wrath), doc="Wrath that it has called, 0 for none"),
    Field("step", np.int8, low=0, high=MOST_STEPS, doc="Choices made for it so far, attacks done, questions answered"),
    Field("chosen", np.int8, low=NONE, high=_LAST_TERRITORY, doc="The first of them, a territory or a people, or NONE"),
    Field("attacks", np.int8, low=0, high=MOST_ATTACKS, doc="Attacks that are left, with the one under way"),
    Field("origin", np.int8, low=NONE, high=_LAST_TERRITORY, doc="Attacking territory, or NONE"),
    Field("target", np.int8, low=NONE, high=_LAST_TERRITORY, doc="Attacked territory, or NONE"),
    Field("natural", np.int8, low=0, high=6, doc="The die as it fell, 0 before the roll"),
    Field("follow_up", np.int8, low=0, high=1, doc="1 if the attack follows a breakthrough"),
    Field(
        "boost", np.int8, low=0, high=RULE.deception, doc="What the god of deception adds to this attack"
    ),
    # what a careful player remembers
    Field("led", np.uint8, (MAX_SEATS, NUM_PEOPLES), doc="Attacks that a seat has launched with a people"),
    Field("harmed", np.uint8, (MAX_SEATS, NUM_PEOPLES), doc="Attacks and other blows of a seat against a people"),
    Field(
        "favoured", np.uint8, (MAX_SEATS, NUM_PEOPLES), doc="Fortifications, technology, markers, tokens it has given"
    ),
    Field(
        "played", np.uint8, (MAX_SEATS, NUM_PEOPLES), low=0, high=COPIES + 1,
        doc="Cards of a people that it has played, destiny cards too",
    ),
)  # fmt: skip
STATE = table_dtype(*STATE_FIELDS)

_SIZES = ("SIZE_4", "SIZE_3", "SIZE_2", "SIZE_1")
_OTHERS = tuple(f"{k}_further_on" for k in range(1, MAX_SEATS))  # seats after the own one, in turn order
_SEATS = ("own", *_OTHERS)

ACTIONS = Layout(
    block("god", God, doc="Choose this god of the two"),
    block("first", _SEATS, doc="Name the first player of the turn (god of time)"),
    block("done", doc="No card to bet, no more fortifications, no breakthrough, no more of an ability"),
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
        "markers_left", ("ATTACK", "DEFENCE"), ("PLUS_1", "PLUS_2"), high=MOST_MARKERS, unit=2,
        doc="Bonus markers that no people has",
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
    block("attacks", high=MOST_ATTACKS, doc="Attacks that are left, with the one under way"),
    block("step", high=MOST_STEPS, doc="Choices made for what is being resolved, attacks done, bets decided on"),
    block("double", doc="The card to be played works in both ways"),
    block("built", high=RULE.fortify_at_once, doc="Fortifications built in this phase"),
    block("used", doc="The acting seat has used its god's power in this phase"),
    block("power", doc="What is asked for is for a god's power"),
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
    block("full", People, doc="It is at its maximum extent"),
    block("technology", People, high=MOST_TECHNOLOGY, doc="Its technology levels"),
    block("hated", People, doc="It has a Hatred marker"),
    block("holy_war", People, low=-1, doc="1 for the Holy War Attacker, -1 for the Holy War Victim"),
    # what is known of each seat: revealed or looked at, and what it has done
    block("revealed", People, doc="Its destiny card lies face up"),
    block(
        "holder", People, high=MAX_SEATS - 1,
        doc="How many seats further on its destiny card is known to be; 0 if that is not known, or here",
    ),
    block(
        "suspect", People, high=3,
        doc="Cards of it played with the god of deception of which one may have been the destiny card",
    ),
    block(
        "played", _SEATS, People, high=COPIES + 1,
        doc="Cards of the people that it has played; action cards are discarded face up",
    ),
    block("led", _SEATS, People, high=255, doc="Attacks that it has launched with the people"),
    block("harmed", _SEATS, People, high=255, doc="Attacks and blows of it against the people"),
    block(
        "favoured", _SEATS, People, high=255,
        doc="Territories of the people that it has fortified, technology, markers and tokens that it has given",
    ),
)  # fmt: skip
O = OBSERVATION.starts  # noqa: E741 - the letter that stands for the layout, as A does

__all__ = [
    "ACTIONS",
    "ATTACK",
    "COPIES",
    "DEFENCE",
    "MOST_TECHNOLOGY",
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
