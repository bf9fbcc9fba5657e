"""The components as constants: names for kernels here, numbers from components.toml."""

from __future__ import annotations

import tomllib
from enum import IntEnum
from pathlib import Path
from types import SimpleNamespace

import numpy as np

TABLE = tomllib.loads(Path(__file__).with_name("components.toml").read_text(encoding="utf-8"))


class Nation(IntEnum):
    """The six Nation cards."""

    AKKADIANS = 0
    SUMERIANS = 1
    AMORITES = 2
    HURRIANS = 3
    ELAMITES = 4
    HITTITES = 5


class Deity(IntEnum):
    """The six Deity cards; each has the number of the nation that it belongs to."""

    MAMMON = 0
    UTU = 1
    MARDUK = 2
    NERGAL = 3
    KIRIRISHA = 4
    INARA = 5


class Card(IntEnum):
    """Cards by kind: the main deck's first, then Riches, which hands hold too, then those that nobody holds."""

    FAMILY = 0
    TEMPLE = 1
    VICTORY = 2
    SPY = 3
    THEFT_OF_DEITY = 4
    FAMINE = 5
    DEFEAT = 6
    EARTHQUAKE = 7
    CURSE = 8
    BAD_KING = 9
    AUGURY = 10
    RICHES = 11
    END_OF_THE_BRONZE_AGE = 12
    AMBUSH = 13


MAIN_CARDS = tuple(card.name for card in Card if card < Card.RICHES)  # what the row can show
HELD_CARDS = tuple(card.name for card in Card if card <= Card.RICHES)  # what a hand can hold
LOOKED_CARDS = (*MAIN_CARDS, "END_OF_THE_BRONZE_AGE")  # what the deck can hold
PROGRESS = ("FAMILY", "TEMPLE", "VICTORY", "RICHES")
TRICKS = ("SPY", "THEFT_OF_DEITY", "FAMINE", "DEFEAT", "EARTHQUAKE", "CURSE", "BAD_KING", "RICHES")

NUM_MAIN = len(MAIN_CARDS)
NUM_HELD = len(HELD_CARDS)
NUM_NATIONS = len(Nation)
COUNTS = np.array([card["count"] for card in TABLE["card"]], np.int64)  # by Card
RULE = SimpleNamespace(**TABLE["numbers"])
MAIN_TOTAL = int(COUNTS[:NUM_MAIN].sum())
RICHES_TOTAL = int(COUNTS[Card.RICHES])
AMBUSH_TOTAL = int(COUNTS[Card.AMBUSH])
ENDS_TOTAL = int(COUNTS[Card.END_OF_THE_BRONZE_AGE])
DECK_ROOM = MAIN_TOTAL + ENDS_TOTAL
MIN_NATIONS = 3  # with three players; two run two each


def _word(name: str) -> str:
    return name.upper().replace(" ", "_")


if [_word(card["name"]) for card in TABLE["card"]] != [card.name for card in Card]:
    raise ValueError("components.toml and Card disagree")
if [(_word(n["name"]), _word(n["deity"])) for n in TABLE["nation"]] != [
    (n.name, d.name) for n, d in zip(Nation, Deity, strict=True)
]:
    raise ValueError("components.toml and Nation or Deity disagree")
