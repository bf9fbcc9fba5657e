"""The components as constants: names for kernels here, numbers and the map from components.toml."""

from __future__ import annotations

import tomllib
from enum import IntEnum
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

TABLE = tomllib.loads(Path(__file__).with_name("components.toml").read_text(encoding="utf-8"))


class People(IntEnum):
    """The 24 peoples, the largest first, six of each size."""

    HUMANS = 0
    CHAOS = 1
    HIGH_ELVES = 2
    DWARVES = 3
    BARBARIANS = 4
    ORCS = 5
    CENTAURS = 6
    GOBLINS = 7
    DARK_ELVES = 8
    NOMADS = 9
    LIZARDMEN = 10
    VORACIOUS = 11
    PIRATES = 12
    WOOD_ELVES = 13
    HOBBITS = 14
    AMAZONS = 15
    WINGED_FOLK = 16
    GNOMES = 17
    SORCERERS = 18
    MONKS = 19
    GIANTS = 20
    OGRES = 21
    NECROMANCERS = 22
    FAIRY_FOLK = 23


class God(IntEnum):
    """The twelve gods."""

    PEACE = 0
    DECEPTION = 1
    LOVE = 2
    WISDOM = 3
    PROTECTORS = 4
    VENGEANCE = 5
    LUCK = 6
    WAR = 7
    TIME = 8
    CRAFTS = 9
    DEATH = 10
    MAGIC = 11


class Effect(IntEnum):
    """What an ability does; each has a kernel in rules/abilities.py."""

    ATTACK = 0
    SWARM = 1
    AMBUSH = 2
    SIGHT = 3
    FORTIFY = 4
    VORTEX = 5
    FORTRESS = 6
    STRIKE = 7
    DEVOUR = 8
    EXCHANGE = 9
    RAISE = 10
    ATTACK_MARKER = 11
    DEFENCE_MARKER = 12
    BURGLARY = 13
    INVENTION = 14
    HOLY_WAR = 15


class Reach(IntEnum):
    """How far an ability reaches."""

    ADJACENT = 0
    TWO_STEPS = 1
    COAST = 2
    ANYWHERE = 3


class Wrath(IntEnum):
    """The divine wrath table by die."""

    PESTILENCE = 1
    FLOOD = 2
    EARTHQUAKE = 3
    LIGHTNING = 4
    DARK_AGE = 5
    REBIRTH = 6


def _word(name: str) -> str:
    return name.upper().replace(" ", "_")


def _column(kind: str, key: str, default: int = 0) -> np.ndarray:
    return np.array([row.get(key, default) for row in TABLE[kind]], np.int64)


for _kind, _names in (("people", People), ("god", God), ("wrath", Wrath)):
    if [_word(row["name"]) for row in TABLE[_kind]] != [member.name for member in _names]:
        raise ValueError(f"components.toml and {_names.__name__} disagree")

RULE = SimpleNamespace(**TABLE["numbers"], **TABLE["public_numbers"], **TABLE["our_numbers"])
MARKERS = {row["name"]: int(row["number"]) for row in TABLE["marker"]}

# -- peoples and their abilities -------------------------------------------------------------------------------------

NUM_PEOPLES, NUM_SIZES, OF_A_SIZE, NUM_GODS = len(People), 4, 6, len(God)
FIRST_RED = 2 * OF_A_SIZE  # peoples from this one on, of sizes 2 and 1, have red backs
SIZE = _column("people", "size")  # tokens on the board at the start
EFFECT = np.array([Effect[_word(row["effect"])] for row in TABLE["people"]], np.int64)
OWN_ATTACK = np.array([row.get("whose") == "own" for row in TABLE["people"]], np.bool_)
REACH = np.array([Reach[_word(row.get("reach", "adjacent"))] for row in TABLE["people"]], np.int64)
BONUS, ATTACKS, COUNT = (_column("people", key) for key in ("bonus", "attacks", "count"))
WHILE_WINNING = _column("people", "while_winning").astype(np.bool_)
BREAKTHROUGH_FROM = _column("people", "breakthrough", RULE.breakthrough)
NEEDS = _column("people", "needs")  # what the die must show, for a strike

# -- the map ---------------------------------------------------------------------------------------------------------

TERRITORIES = tuple(row["name"] for row in TABLE["territory"])
NUM_TERRITORIES = len(TERRITORIES)
PLACES = [(int(row["x"]), int(row["y"])) for row in TABLE["territory"]]
START = np.array([People[_word(row["people"])] for row in TABLE["territory"]], np.int64)
BIT = np.array([1 << t for t in range(NUM_TERRITORIES)], np.uint64)  # a set of territories is a uint64


def _set(territories: Any) -> np.uint64:
    return np.uint64(sum(1 << t for t in territories))


NEIGHBOURS = [[TERRITORIES.index(name) for name in row["neighbours"]] for row in TABLE["territory"]]
NEAR = np.array([_set(near) for near in NEIGHBOURS], np.uint64)
WITHIN_TWO = np.array(
    [_set({u for v in near for u in (v, *NEIGHBOURS[v])} - {t}) for t, near in enumerate(NEIGHBOURS)],
    np.uint64,
)
EVERYWHERE = _set(range(NUM_TERRITORIES))
CITIES = _set(t for t, row in enumerate(TABLE["territory"]) if row["city"])
COAST = _set(t for t, row in enumerate(TABLE["territory"]) if row["coast"])
IS_CITY = np.array([row["city"] for row in TABLE["territory"]], np.int64)
