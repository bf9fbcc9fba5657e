"""The components as constants: names for kernels here, numbers from components.toml."""

from __future__ import annotations

import tomllib
from enum import IntEnum
from pathlib import Path
from types import SimpleNamespace

import numpy as np

TABLE = tomllib.loads(Path(__file__).with_name("components.toml").read_text(encoding="utf-8"))


class Tribe(IntEnum):
    """The six tribe cards."""

    EGYPTIANS = 0
    ROMANS = 1
    GREEKS = 2
    BABYLONIANS = 3
    CELTS = 4
    CHINESE = 5


class Card(IntEnum):
    """The resource deck by kind: first what a hand can hold, then what is played as soon as it is drawn."""

    IRON = 0
    WOOD = 1
    GRAIN = 2
    STONE = 3
    GOLD = 4
    LIMESTONE = 5
    CONCRETE = 6
    MARBLE = 7
    BRICKS = 8
    SANDSTONE = 9
    GRANITE = 10
    OLYMPIC_GAMES = 11
    HERO = 12
    LUCK = 13
    POPULATION_GROWTH = 14
    EARTHQUAKE = 15
    ERUPTION = 16
    FAMINE = 17
    BARBARIANS = 18


class Building(IntEnum):
    """The main deck by kind."""

    CITY = 0
    ARMY = 1
    FORTRESS = 2
    GENERAL = 3
    ROAD = 4


HELD_CARDS = tuple(card.name for card in Card if card <= Card.LUCK)
EVENT_CARDS = tuple(card.name for card in Card if card > Card.LUCK)  # played as soon as they are drawn

NUM_CARDS = len(Card)
NUM_HELD = len(HELD_CARDS)
NUM_EVENTS = len(EVENT_CARDS)
NUM_ORDINARY = int(Card.GOLD) + 1
NUM_TRIBES = len(Tribe)
NUM_BUILDINGS = len(Building)
NUM_STRENGTHS = len(TABLE["battle_card"])

COUNTS = np.array([card["count"] for card in TABLE["card"]], np.int64)  # by Card
SUPPLY = np.array([card["count"] for card in TABLE["main_card"]], np.int64)  # by Building
BATTLE_CARDS = np.array([card["count"] for card in TABLE["battle_card"]], np.int64)  # by strength - 1
RULE = SimpleNamespace(**TABLE["numbers"])


def _word(name: str) -> str:
    return name.upper().replace(" ", "_")


def _cost(words: str) -> list[int]:
    """``iron, 2 grain`` as numbers of each ordinary resource."""
    cost = [0] * NUM_ORDINARY
    for part in words.split(","):
        number, _, name = part.strip().rpartition(" ")
        cost[Card[_word(name)]] = int(number or 1)
    return cost


COST = np.array(
    [_cost(card["cost"]) for card in TABLE["main_card"]], np.int64
)  # by Building, ordinary resource

if [_word(card["name"]) for card in TABLE["card"]] != [card.name for card in Card]:
    raise ValueError("components.toml and Card disagree")
if [_word(card["name"]) for card in TABLE["main_card"]] != [kind.name for kind in Building]:
    raise ValueError("components.toml and Building disagree")
if [_word(tribe["name"]) for tribe in TABLE["tribe"]] != [tribe.name for tribe in Tribe]:
    raise ValueError("components.toml and Tribe disagree")
if [_word(tribe["special_resource"]) for tribe in TABLE["tribe"]] != [
    Card(Card.LIMESTONE + tribe).name for tribe in Tribe
]:
    raise ValueError("components.toml and Card disagree about special resources")
if [card["strength"] for card in TABLE["battle_card"]] != list(range(1, NUM_STRENGTHS + 1)):
    raise ValueError("components.toml must list the battle cards by strength, from 1 on")
