"""A table of Age of Heroes: its state, its action layout, its observation layout.

A seat is a player and its tribe. Hands and decks are numbers of cards of each kind: nobody ever knows the order of a
deck, so drawing at random from what is left in it is the same as drawing from the top.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from ..engine.fields import MAX_SEATS, Field, Sees, table_dtype
from ..engine.layout import Layout, block
from .components import (
    BATTLE_CARDS,
    COUNTS,
    EVENT_CARDS,
    HELD_CARDS,
    NUM_BUILDINGS,
    NUM_CARDS,
    NUM_EVENTS,
    NUM_HELD,
    NUM_STRENGTHS,
    NUM_TRIBES,
    RULE,
    SUPPLY,
    Building,
    Card,
    Tribe,
)


class Phase(IntEnum):
    """What is being decided."""

    TRIBE = 0  # which tribe, where tribes are drafted
    ACTION = 1  # taxes, building, war, or nothing
    CONSENT = 2  # whether a neighbour may build a road to here
    GOAL = 3  # what an attack is for
    SEND = 4  # how many armies without a general go to war
    SEND_LED = 5  # how many armies with one
    MUSTER = 6  # whether the attacker adds Heroes
    DEFEND = 7  # how the attacked answers
    LAY = 8  # which battle card goes under which army
    DUEL = 9  # which army fights next
    SPOILS = 10  # how much the attacker takes
    MONUMENT = 11  # how many special resources are laid on the monument
    DISCARD = 12  # what goes, over five cards
    EARTHQUAKE = 13  # whose army an earthquake strikes
    ERUPTION = 14  # whose city an eruption destroys
    LUCK = 15  # whether a Luck card turns a catastrophe away
    OFFER = 16  # the Fair: what to say, if anything: a question, or an offer to whom
    GIVE = 17  # the Fair: what is offered
    ASK = 18  # the Fair: what is asked for it
    ANSWER = 19  # the Fair: whether an offer is accepted
    WISH = 20  # the Fair: which card the table is asked about
    REPLY = 21  # the Fair: what is replied to such a question


class Stage(IntEnum):
    """Where in a round the table is; every decision belongs to one of these."""

    CHOOSING = 0  # tribes
    ROUND = 1  # the start of a round
    FAIR_CARDS = 2  # the Fair: cards that are played at once
    BARGAINING = 3  # the Fair: offers
    NEXT_TURN = 4
    DRAW = 5  # phase 1 of a turn
    ACTION = 6  # phase 2
    TAXES = 7  # phase 2, cards still to be drawn
    MONUMENT = 8  # phase 3
    DISCARD = 9  # phase 4
    TURN_END = 10  # phase 5


class Goal(IntEnum):
    """What an attack is for."""

    CONQUEST = 0
    PLUNDER = 1
    DESTRUCTION = 2


class Unit(IntEnum):
    """What fights: an army or a Hero in place of one, alone or led."""

    ARMY = 0
    LED_ARMY = 1  # by a general
    HERO_LED_ARMY = 2  # by a Hero in place of a general
    HERO = 3  # a Hero in place of an army


class Word(IntEnum):
    """What is said at the Fair."""

    NONE = 0
    QUESTION = 1  # "Does anyone have marble?"
    OFFER = 2  # cards and promises, for cards and promises
    COUNTER_OFFER = 3  # by the one to whom an offer was made


class Vow(IntEnum):
    """What can be promised at the Fair."""

    PEACE = 0  # not to attack you until the next Fair
    STAY_OUT = 1  # not to attack you once a third tribe, which is named, has: not together with it
    ROAD = 2  # to consent to a road of yours until the next Fair
    GIFT = 3  # to offer you a gift at the next Fair


class Reply(IntEnum):
    """What is said to a question."""

    NOTHING = 0
    NO = 1
    YES = 2


class Fair(IntEnum):
    """The option `fair`."""

    FULL = 0
    CARDS_ONLY = 1
    OFF = 2


NUM_UNITS = len(Unit)
NUM_EACH = MAX_SEATS - 1
BARBARIANS = MAX_SEATS  # as an attacker
NONE = -1
ATTACK, DEFENCE = 0, 1  # the two sides of a battle
MOST_UNITS = int(SUPPLY[Building.ARMY] + COUNTS[Card.HERO])  # all armies and all Heroes on one side
MOST_SPOILS = RULE.cards_a_winner * MOST_UNITS
MOST_CARDS = 8  # of the option `cards`
MOST_OFFERS = 4  # of the option `offers`
MOST_COUNTERS = 3  # of the option `counters`
NUM_WORDS = 1 + MOST_COUNTERS  # that are remembered: an offer with all that it was answered by
NEWEST = NUM_WORDS - 1
NUM_VOWS = len(Vow)
_MOST_HELD = int(COUNTS[:NUM_HELD].sum())
_EARTHQUAKES = int(COUNTS[Card.EARTHQUAKE])
LEAST_ROUNDS, MOST_ROUNDS = 10, 200  # of the option `rounds`
DUE = 2  # a gift that was promised at the last Fair; a promise to stay out of a war that has begun
MOST_TRADES = MOST_ROUNDS * MOST_OFFERS * MAX_SEATS

_Range = dict[str, Any]  # arguments of Field
_SEAT: _Range = {"low": 0, "high": MAX_SEATS - 1}
_NO_SEAT: _Range = {"low": NONE, "high": MAX_SEATS - 1}
_YES_OR_NO: _Range = {"low": 0, "high": 1}
_CARDS: _Range = {"low": 0, "high": int(COUNTS.max())}  # of one kind
_ARMIES: _Range = {"low": 0, "high": int(SUPPLY[Building.ARMY])}
_LED: _Range = {"low": 0, "high": int(SUPPLY[Building.GENERAL])}
_BATTLE_CARDS: _Range = {"low": 0, "high": int(BATTLE_CARDS.max())}  # of one strength

STATE_FIELDS = (
    # options
    Field("tribes", np.int8, **_YES_OR_NO, doc="Option: tribes are dealt at random (0) or drafted (1)"),
    Field("fair", np.int8, low=0, high=len(Fair) - 1, doc="Option: the Fair is full, cards only, or off"),
    Field("promises", np.int8, **_YES_OR_NO, doc="Option: promises may be part of an offer"),
    Field("open_offers", np.int8, **_YES_OR_NO, doc="Option: an offer may be open to all"),
    Field("offers", np.int8, low=1, high=MOST_OFFERS, doc="Option: offers that a seat may make at a Fair"),
    Field("cards", np.int8, low=1, high=MOST_CARDS, doc="Option: cards on one side of an offer"),
    Field("counters", np.int8, low=0, high=MOST_COUNTERS, doc="Option: counter-offers that follow each other"),
    Field("rounds", np.int16, low=LEAST_ROUNDS, high=MOST_ROUNDS, doc="Option: rounds that are played at most"),
    # tribes and what they have
    Field("tribe", np.int8, MAX_SEATS, low=NONE, high=NUM_TRIBES - 1, doc="Tribe of each seat, -1 for none yet"),
    Field("first", np.int8, **_SEAT, doc="The seat that plays first"),
    Field("hand", np.int8, (MAX_SEATS, NUM_HELD), sees=Sees.OWNER, **_CARDS, doc="Cards in hand by kind"),
    Field("hand_size", np.int8, MAX_SEATS, low=0, high=_MOST_HELD, doc="Cards in hand"),
    Field("known", np.int8, (MAX_SEATS, NUM_HELD), **_CARDS, doc="Of them, those that everybody is sure of"),
    Field(
        "noted", np.int8, (MAX_SEATS, MAX_SEATS, NUM_HELD), sees=Sees.LOOKED, **_CARDS,
        doc="[who, whose]: further ones that `who` is sure of, as these two seats know and nobody else",
    ),
    Field(
        "secret", np.int8, (MAX_SEATS, MAX_SEATS, NUM_HELD), sees=Sees.OWNER, **_CARDS,
        doc="[who, whose]: further ones that `who` is sure of, as it alone knows",
    ),
    Field(
        "no_grain", np.int8, MAX_SEATS, low=0, high=_MOST_HELD,
        doc="Cards in hand of which all know, since a Famine, that they are no grain",
    ),
    Field("cities", np.int8, MAX_SEATS, low=0, high=int(SUPPLY[Building.CITY]), doc="Cities"),
    Field("fortresses", np.int8, MAX_SEATS, low=0, high=int(SUPPLY[Building.FORTRESS]), doc="Fortresses"),
    Field(
        "monument", np.int8, MAX_SEATS, low=0, high=int(COUNTS[Card.LIMESTONE]),
        doc="Special resources laid on the monument",
    ),
    Field("road", np.int8, MAX_SEATS, **_YES_OR_NO, doc="1: a road leads to the next seat in play"),
    Field("army", np.int8, MAX_SEATS, **_ARMIES, doc="Armies at home without a general, fit to fight"),
    Field("shaken", np.int8, MAX_SEATS, low=0, high=_EARTHQUAKES, doc="Armies at home under an earthquake card"),
    Field(
        "idle_quakes", np.int8, MAX_SEATS, low=0, high=_EARTHQUAKES,
        doc="Earthquake cards on armies that take no part in any case: at war, or under another one",
    ),
    Field("led", np.int8, MAX_SEATS, **_LED, doc="Armies at home with a general"),
    Field("out", np.int8, MAX_SEATS, **_ARMIES, doc="Armies without a general that went to war in this turn"),
    Field("out_led", np.int8, MAX_SEATS, **_LED, doc="And those with one"),
    Field("back", np.int8, MAX_SEATS, **_ARMIES, doc="Armies that return at the end of the seat's next turn"),
    Field("back_led", np.int8, MAX_SEATS, **_LED, doc="And those with a general"),
    Field(
        "claim", np.int8, MAX_SEATS, low=0, high=2,
        doc="Claim of victory: 0 none; 1 made in this turn; 2 judged at the end of the seat's next turn",
    ),
    Field("supply", np.int8, NUM_BUILDINGS, low=0, high=int(SUPPLY.max()), doc="Main deck by kind"),
    # decks
    Field("deck", np.int8, NUM_CARDS, sees=Sees.NOBODY, **_CARDS, doc="Resource deck by kind"),
    Field("discards", np.int8, NUM_CARDS, **_CARDS, doc="Resource discards by kind"),
    Field(
        "battle_deck", np.int8, NUM_STRENGTHS, sees=Sees.NOBODY, **_BATTLE_CARDS, doc="Battle deck by strength"
    ),
    # the course of play
    Field("round", np.int16, low=0, high=MOST_ROUNDS, doc="Rounds begun"),
    Field("stage", np.int8, low=0, high=len(Stage) - 1, doc="Where in a round the table is"),
    Field("phase", np.int8, low=0, high=len(Phase) - 1, doc="What is being decided"),
    Field(
        "asked", np.bool_, doc="A decision is awaited: always, but at the limit on rounds and at the end",
        unseen="where nothing is asked, the table is cut off or over",
    ),
    Field("turn", np.int8, **_SEAT, doc="The seat whose turn it is; at a Fair the last one that had one"),
    Field(
        "marked", np.uint8, bits=MAX_SEATS,
        doc="Seats that had their turn in this round, or at a Fair their say this time round",
    ),
    Field("draws", np.int8, low=0, high=int(SUPPLY[Building.CITY]), doc="Cards that the active seat still draws"),
    Field("built", np.int8, **_YES_OR_NO, doc="1: the active seat builds in this turn"),
    Field("refused", np.uint8, bits=2, doc="The left and right neighbour that refused a road in this turn"),
    Field("road_to", np.int8, **_YES_OR_NO, doc="The neighbour that is asked for consent: 0 left, 1 right"),
    Field(
        "waiting", np.int8, (MAX_SEATS, NUM_EVENTS), low=0, high=int(COUNTS[NUM_HELD:].max()),
        doc="Cards drawn at the Fair that are played at once, face up",
    ),
    Field("event", np.int8, low=NONE, high=NUM_CARDS - 1, doc="The event that is being played, -1 for none"),
    Field("drawer", np.int8, **_NO_SEAT, doc="Who drew it, -1 for nobody"),
    Field("victim", np.int8, **_NO_SEAT, doc="Whom it strikes, -1 until that is said"),
    Field("aim", np.int8, **_YES_OR_NO, doc="1: the Earthquake is played on an army that takes no part anyway"),
    Field("declined", np.uint8, bits=MAX_SEATS, doc="Seats that play no Luck against the Famine"),
    # battle
    Field("attacker", np.int8, low=NONE, high=BARBARIANS, doc="A seat, 6 for barbarians, -1: no war"),
    Field("target", np.int8, **_NO_SEAT, doc="The seat attacked, -1: no war"),
    Field("goal", np.int8, low=0, high=len(Goal) - 1, doc="What the attack is for"),
    Field(
        "sent", np.int8, **_ARMIES, doc="Armies without a general on the attack, those led by Heroes included"
    ),
    Field("sent_led", np.int8, **_LED, doc="Armies with a general on the attack"),
    Field(
        "heroes", np.int8, 2, low=0, high=int(COUNTS[Card.HERO]), doc="Hero cards played by attacker and defender"
    ),
    Field(
        "units", np.int8, (2, NUM_UNITS), low=0, high=MOST_UNITS,
        doc="By side and kind of unit: those that have not fought yet",
    ),
    Field(
        "drawn", np.int8, (2, NUM_STRENGTHS), sees=Sees.LOOKED, **_BATTLE_CARDS,
        doc="By side: battle cards that are not laid yet, seen by the seat that fights on this side",
    ),
    Field(
        "laid", np.int8, (2, NUM_UNITS, NUM_STRENGTHS), sees=Sees.LOOKED, **_BATTLE_CARDS,
        doc="By side: battle cards under units that have not fought yet, seen by the seat that fights on this side",
    ),
    Field("shown", np.int8, NUM_STRENGTHS, **_BATTLE_CARDS, doc="Battle cards that were turned up, by strength"),
    Field(
        "chosen", np.int8, sees=Sees.LOOKED, low=NONE, high=NUM_UNITS * NUM_STRENGTHS - 1,
        doc="The attacker's choice for the next duel (6 * unit + strength - 1, -1: none yet), seen by the attacker",
    ),
    Field("wins", np.int8, low=0, high=MOST_UNITS, doc="Winning armies of the attacker"),
    # the Fair
    Field("lap", np.int8, low=0, high=MOST_OFFERS - 1, doc="How many times everybody has had a say"),
    Field("spoken", np.int8, **_YES_OR_NO, doc="1: somebody has said something this time round"),
    Field("floor", np.int8, **_NO_SEAT, doc="The seat that has its say, -1 but in bargaining"),
    Field("questioned", np.int8, **_YES_OR_NO, doc="1: it has asked its question"),
    Field("speaking", np.int8, **_YES_OR_NO, doc="1: the newest word is still being said or answered"),
    Field("chain", np.int8, low=0, high=MOST_COUNTERS, doc="How many counter-offers it follows, itself included"),
    Field(
        "word", np.int8, NUM_WORDS, low=0, high=len(Word) - 1,
        doc="What was said last in this round, oldest first: 0 nothing, 1 a question, 2 an offer, 3 a counter-offer",
    ),
    Field("word_by", np.int8, NUM_WORDS, **_SEAT, doc="Who said it"),
    Field("word_to", np.uint8, NUM_WORDS, bits=MAX_SEATS, doc="To whom it was said"),
    Field("third", np.uint8, NUM_WORDS, bits=MAX_SEATS, doc="The third tribe of a promise in it to stay out of a war"),
    Field("given", np.int8, (NUM_WORDS, NUM_HELD), low=0, high=MOST_CARDS, doc="Cards offered"),
    Field("wanted", np.int8, (NUM_WORDS, NUM_HELD), low=0, high=MOST_CARDS, doc="Cards asked for, or about"),
    Field("vow_given", np.uint8, NUM_WORDS, bits=NUM_VOWS, doc="Promises offered"),
    Field("vow_wanted", np.uint8, NUM_WORDS, bits=NUM_VOWS, doc="Promises asked for"),
    Field("said_yes", np.uint8, NUM_WORDS, bits=MAX_SEATS, doc="Who said yes to it"),
    Field("said_no", np.uint8, NUM_WORDS, bits=MAX_SEATS, doc="Who said no to it, or made a counter-offer"),
    Field("dropped", np.int8, NUM_WORDS, **_YES_OR_NO, doc="1: it was dropped before it was put to anybody"),
    Field(
        "promise", np.int8, (MAX_SEATS, MAX_SEATS, NUM_VOWS), low=0, high=DUE,
        doc="[who, whom, what]: 1: has promised it; 2: a gift that is due, a war to stay out of that has begun",
    ),
    Field(
        "against", np.uint8, MAX_SEATS, bits=MAX_SEATS,
        doc="The third tribe with which the seat has promised not to attack somebody",
    ),
    Field(
        "kept", np.uint8, (MAX_SEATS, MAX_SEATS, NUM_VOWS), low=0, high=MOST_ROUNDS,
        doc="[who, to whom, what]: promises kept",
    ),
    Field(
        "broken", np.uint8, (MAX_SEATS, MAX_SEATS, NUM_VOWS), low=0, high=MOST_ROUNDS,
        doc="[who, to whom, what]: promises broken",
    ),
    Field(
        "trades", np.int16, low=0, high=MOST_TRADES, unit=100, doc="Offers accepted so far",
        unseen="it counts what all have seen, and nothing follows from it",
    ),
    Field(
        "winner", np.int8, **_NO_SEAT, doc="Who won, -1 while nobody has",
        unseen="the game is over when there is one",
    ),
)  # fmt: skip
STATE = table_dtype(*STATE_FIELDS)

_MORE = tuple(f"{k}_further_on" for k in range(1, MAX_SEATS))  # seats after the acting one, in turn order
_STRENGTHS = tuple(str(k + 1) for k in range(NUM_STRENGTHS))
_VOWS = tuple(vow.name for vow in Vow if vow != Vow.STAY_OUT)  # that name no third tribe
VOW_OF = tuple(int(vow) for vow in Vow if vow != Vow.STAY_OUT)

ACTIONS = Layout(
    block("tribe", Tribe, doc="Choose this tribe"),
    block("no_action", doc="No action, or no more building"),
    block("taxes", doc="Collect taxes: a card for each city"),
    block("swap", HELD_CARDS, doc="Collect taxes without a city: discard a card of this kind, draw another"),
    block("build", Building, doc="Build this (a road: to the left neighbour)"),
    block("road_right", doc="Build a road to the right neighbour"),
    block("war", _MORE, doc="Attack this seat"),
    block("goal", Goal, doc="Declare the goal of the attack"),
    block("send", int(SUPPLY[Building.ARMY]) + 1, doc="Send so many armies without a general"),
    block("send_led", int(SUPPLY[Building.GENERAL]) + 1, doc="Send so many armies with a general"),
    block("hero_army", doc="Play a Hero as an army"),
    block("hero_general", doc="Play a Hero as a general"),
    block("ready", doc="Attack with these, or defend with what is there"),
    block("olympic_games", doc="Play the Olympic Games: the attack is called off"),
    block("luck", doc="Play Luck: the catastrophe has no effect"),
    block("no_luck", doc="Let the catastrophe strike"),
    block("lay", _STRENGTHS, doc="Lay a battle card of this strength under the next army"),
    block("duel", Unit, _STRENGTHS, doc="This army, with this battle card, fights next"),
    block("alike", doc="Lay, or fight with, any of those that are left: they are all alike"),
    block("take", MOST_SPOILS + 1, doc="Take so much: cities, cards, or special resources destroyed"),
    block(
        "lay_special",
        int(COUNTS[Card.LIMESTONE]),
        doc="Lay so many special resources, plus one, on the monument",
    ),
    block("no_special", doc="Lay none"),
    block("discard", HELD_CARDS, doc="Discard a card of this kind"),
    block("strike", _MORE, doc="Strike a city of this seat, or an army that is fit to fight"),
    block("strike_idle", _MORE, doc="Strike an army of this seat that is at war, or under an earthquake"),
    block("consent", ("no", "yes"), doc="Consent to a neighbour's road"),
    block("offer", ("all", *_MORE), doc="The Fair: make an offer to all, or to this seat"),
    block("question", doc="The Fair: ask the table whether anybody has a card"),
    block("no_offer", doc="The Fair: say nothing more"),
    block("reply", Reply, doc="The Fair: answer such a question, or do not"),
    block("give", HELD_CARDS, doc="The Fair: offer a card of this kind"),
    block("promise", _VOWS, doc="The Fair: and promise peace, consent to a road, or a gift at the next Fair"),
    block("promise_out", _MORE, doc="The Fair: and promise not to attack together with this seat"),
    block("for_what", doc="The Fair: that is what is offered, if anything"),
    block("ask", HELD_CARDS, doc="The Fair: ask for a card of this kind, or about it"),
    block("ask_promise", _VOWS, doc="The Fair: and ask for such a promise"),
    block("ask_out", _MORE, doc="The Fair: and ask for the promise not to attack together with this seat"),
    block("send_offer", doc="The Fair: that is the offer"),
    block("drop_offer", doc="The Fair: drop it"),
    block("answer", ("decline", "accept"), doc="The Fair: answer an offer"),
    block("counter", doc="The Fair: answer it with a counter-offer"),
)
A = ACTIONS.starts

_EACH = ("own", *_MORE)  # seats from the observer's own on, in turn order
_CARDS_HIGH = 12
_WORDS = tuple(
    f"{k}_ago" if k else "newest" for k in reversed(range(NUM_WORDS))
)  # the last words, oldest first
_MOST_PROMISES = NUM_EACH * NUM_VOWS * MOST_ROUNDS

OBSERVATION = Layout(
    block("players", 5, doc="Number of players: 2, 3, 4, 5, 6"),
    block("drafted", doc="Tribes are drafted"),
    block("fair", Fair, doc="What the Fair is like"),
    block("promises", doc="Promises may be part of an offer"),
    block("open_offers", doc="Offers may be open to all"),
    block("cards", high=MOST_CARDS, unit=3, doc="Cards on one side of an offer"),
    block("counters", high=MOST_COUNTERS, unit=2, doc="Counter-offers that may follow each other"),
    block("phase", Phase, doc="What is being decided"),
    block("stage", Stage, doc="Where in the round the table is"),
    block("deciding", doc="The decision is the observer's"),
    block("acting", _EACH, doc="The seat that decides"),
    block("turn_of", _EACH, doc="The seat whose turn it is, or was before the Fair"),
    block("first", _EACH, doc="The seat that plays first in a round"),
    block("in_play", _EACH, doc="The seat is in play"),
    block("had_its_turn", _EACH, doc="It has had its turn this round, or its say this time round the Fair"),
    block("round", high=MOST_ROUNDS, unit=20, doc="Rounds begun"),
    block("rounds_left", high=MOST_ROUNDS, unit=20, doc="Rounds after this one until the table is cut off"),
    block("tribe", _EACH, Tribe, doc="Its tribe"),
    block("cities", _EACH, high=12, unit=3, doc="Its cities"),
    block("fortresses", _EACH, high=9, unit=3, doc="Its fortresses"),
    block("monument", _EACH, high=6, unit=3, doc="Special resources on its monument"),
    block(
        "claim",
        _EACH,
        ("this turn", "due"),
        doc="It claims victory; it is judged at the end of its next turn",
    ),
    block("road", _EACH, doc="A road leads from it to the next seat in play"),
    block("connected", _EACH, high=5, unit=3, doc="Other tribes to which its roads lead"),
    block("army", _EACH, high=12, unit=3, doc="Its armies at home without a general, fit to fight"),
    block("led", _EACH, high=12, unit=3, doc="Its armies at home with a general"),
    block("shaken", _EACH, high=12, unit=3, doc="Its armies under an earthquake"),
    block("idle_quakes", _EACH, high=2, doc="Earthquakes on its armies at war, or under another one"),
    block("away", _EACH, high=12, unit=3, doc="Its armies without a general away after a war"),
    block("away_led", _EACH, high=12, unit=3, doc="Its armies with a general away after a war"),
    block(
        "returning", _EACH, high=12, unit=3, doc="Of those without one: return at the end of its next turn"
    ),
    block(
        "returning_led", _EACH, high=12, unit=3, doc="Of those with one: return at the end of its next turn"
    ),
    block("hand_size", _EACH, high=108, unit=5, doc="Cards in its hand"),
    block("hand", _EACH, HELD_CARDS, high=_CARDS_HIGH, unit=3, doc="Of them, those that the observer knows"),
    block(
        "seen_by",
        _EACH,
        HELD_CARDS,
        high=_CARDS_HIGH,
        unit=3,
        doc="Cards of the observer's that it is sure of, as the observer knows",
    ),
    block("no_grain", _EACH, high=108, unit=5, doc="Cards in its hand that are no grain, since a Famine"),
    block("waiting", _EACH, EVENT_CARDS, high=3, doc="Cards before it that are played at once, at the Fair"),
    block("supply", Building, high=12, unit=6, doc="Main deck"),
    block("deck_left", high=108, unit=50, doc="Cards left in the resource deck"),
    block("discards", (*HELD_CARDS, *EVENT_CARDS), high=_CARDS_HIGH, unit=6, doc="Resource discards"),
    block("event", EVENT_CARDS, doc="The event that is being played"),
    block("drawer", _EACH, doc="Who drew it"),
    block("victim", _EACH, doc="Whom it strikes"),
    block("aim", doc="It strikes an army that takes no part anyway"),
    block("declined", _EACH, doc="Plays no Luck against the Famine"),
    block("draws", high=12, unit=3, doc="Cards that the active seat still draws"),
    block("built", doc="The active seat builds in this turn"),
    block("refused", ("left", "right"), doc="Neighbours that refused the active seat a road in this turn"),
    block("road_to", doc="The neighbour on the right is asked for consent, not the left one"),
    block("attacker", (*_EACH, "barbarians"), doc="Who attacks"),
    block("target", _EACH, doc="Who is attacked"),
    block("goal", Goal, doc="What for"),
    block("sent", high=12, unit=3, doc="Armies without a general on the attack"),
    block("sent_led", high=12, unit=3, doc="Armies with a general on the attack"),
    block(
        "units",
        ("attack", "defence"),
        Unit,
        high=15,
        unit=3,
        doc="Units of both sides that have not fought yet",
    ),
    block("heroes", ("attack", "defence"), high=3, doc="Hero cards played"),
    block("drawn", _STRENGTHS, high=3, doc="The observer's battle cards that are not laid yet"),
    block(
        "laid",
        Unit,
        _STRENGTHS,
        high=3,
        doc="The observer's battle cards under units that have not fought yet",
    ),
    block("shown", _STRENGTHS, high=3, doc="Battle cards turned up"),
    block("chosen", Unit, _STRENGTHS, doc="The observer's choice for the next duel"),
    block("wins", high=15, unit=3, doc="Winning armies of the attacker"),
    block("lap", high=MOST_OFFERS, unit=2, doc="How many times everybody has had a say at this Fair"),
    block("laps_left", high=MOST_OFFERS, unit=2, doc="How many times more everybody may have one"),
    block("spoken", doc="Somebody has said something this time round"),
    block("floor", _EACH, doc="Who has its say"),
    block("questioned", doc="It has asked its question"),
    block("speaking", doc="The newest word is still being said or answered"),
    block("chain", high=MOST_COUNTERS, unit=2, doc="How many counter-offers it follows, itself included"),
    block(
        "word", _WORDS, ("question", "offer", "counter_offer", "dropped"), doc="What was said in this round"
    ),
    block(
        "word_who",
        _WORDS,
        _EACH,
        low=-1,
        high=2,
        unit=2,
        doc="2: said it; 1: to this seat; -1: it is the third tribe of a promise to stay out of a war",
    ),
    block(
        "word_cards",
        _WORDS,
        HELD_CARDS,
        low=-MOST_CARDS,
        high=MOST_CARDS,
        doc="Cards asked for, or about; negative: offered",
    ),
    block("word_vows", _WORDS, Vow, low=-1, high=2, doc="Promises: -1: offered; 1: asked for; 2: both"),
    block(
        "word_answers", _WORDS, _EACH, low=-1, high=1, doc="1: said yes; -1: said no, or made a counter-offer"
    ),
    block("peace", _EACH, _EACH, doc="The first has promised not to attack the second until the next Fair"),
    block(
        "stay_out",
        _EACH,
        _EACH,
        low=-1,
        high=2,
        unit=2,
        doc="It has promised not to attack this seat (1; 2: war has begun) together with another (-1)",
    ),
    block("road_promised", _EACH, _EACH, doc="The first has promised to consent to a road of the second"),
    block(
        "gift_promised",
        _EACH,
        _EACH,
        high=2,
        unit=2,
        doc="The first has promised the second a gift: at the next Fair; 2: at this one",
    ),
    block("kept", _EACH, Vow, high=_MOST_PROMISES, unit=5, doc="Promises that it kept, by kind"),
    block("broken", _EACH, Vow, high=_MOST_PROMISES, unit=5, doc="Promises that it broke, by kind"),
    block("kept_to", _EACH, high=_MOST_PROMISES, unit=5, doc="Promises to the observer that it kept"),
    block("broken_to", _EACH, high=_MOST_PROMISES, unit=5, doc="Promises to the observer that it broke"),
)
O = OBSERVATION.starts  # noqa: E741 - the letter that stands for the layout, as A does

__all__ = [
    "ACTIONS",
    "ATTACK",
    "BARBARIANS",
    "DEFENCE",
    "DUE",
    "LEAST_ROUNDS",
    "MOST_CARDS",
    "MOST_COUNTERS",
    "MOST_OFFERS",
    "MOST_ROUNDS",
    "MOST_SPOILS",
    "MOST_UNITS",
    "NEWEST",
    "NONE",
    "NUM_EACH",
    "NUM_TRIBES",
    "NUM_UNITS",
    "NUM_VOWS",
    "NUM_WORDS",
    "OBSERVATION",
    "STATE",
    "STATE_FIELDS",
    "VOW_OF",
    "A",
    "Card",
    "Fair",
    "Goal",
    "O",
    "Phase",
    "Reply",
    "Stage",
    "Unit",
    "Vow",
    "Word",
]
