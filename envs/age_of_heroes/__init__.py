"""Age of Heroes: tribes that build, trade at the Fair and go to war, a card game for 2 to 6 players."""

from ..engine.game import Game, Option
from .check import check
from .components import RULE
from .knowledge import determinize, observe
from .picture import picture
from .rules import apply, cut, legal, scores, setup
from .state import (
    ACTIONS,
    LEAST_ROUNDS,
    MOST_CARDS,
    MOST_COUNTERS,
    MOST_OFFERS,
    MOST_ROUNDS,
    OBSERVATION,
    STATE_FIELDS,
)
from .text import action_text, heard_text, table_text
from .worth import value

VERSION = 0

GAME = Game(
    name="age_of_heroes",
    title="Age of Heroes",
    version=VERSION,
    players=(2, 6),
    default_players=4,
    fields=STATE_FIELDS,
    actions=ACTIONS,
    observation=OBSERVATION,
    max_decisions=RULE.max_decisions,
    ends_by_itself=False,  # nothing forces anybody to build or to fight; the limit on rounds cuts a table off
    options=(
        Option("tribes", "random", ("random", "drafted"), doc="How tribes are chosen"),
        Option(
            "fair", "full", ("full", "cards_only", "off"), doc="The Fair: whole, without bargaining, or none"
        ),
        Option("promises", True, doc="Whether promises may be part of an offer"),
        Option("open_offers", True, doc="Whether offers may be made to all"),
        Option("offers", 2, low=1, high=MOST_OFFERS, doc="How many times a seat may make an offer at a Fair"),
        Option("counters", 2, low=0, high=MOST_COUNTERS, doc="Counter-offers that may follow each other"),
        Option("cards", 6, low=1, high=MOST_CARDS, doc="Cards on one side of an offer"),
        Option(
            "rounds", 30, low=LEAST_ROUNDS, high=MOST_ROUNDS, doc="Rounds after which the table is cut off"
        ),
    ),
    setup=setup,
    legal=legal,
    apply=apply,
    observe=observe,
    determinize=determinize,
    scores=scores,
    value=value,
    cut=cut,
    action_text=action_text,
    table_text=table_text,
    heard_text=heard_text,
    picture=picture,
    check=check,
)
