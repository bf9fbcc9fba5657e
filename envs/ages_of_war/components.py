"""The components as constants: names for kernels here, numbers from components.toml."""

from __future__ import annotations

import tomllib
from enum import IntEnum
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

TABLE = tomllib.loads(Path(__file__).with_name("components.toml").read_text(encoding="utf-8"))
RULE = SimpleNamespace(**TABLE["numbers"])


class Power(IntEnum):
    """The six faction powers, in the rulebook's order; a faction has the number of its power."""

    PUSH = 0
    FREE_MOVES = 1
    ALL_OUT_ATTACK = 2
    SPLASH = 3
    REVIVE = 4
    MOVE_AN_ENEMY = 5


class UnitClass(IntEnum):
    """How a unit fights; melee and mounted units engage, ranged ones neither counter nor are countered."""

    MELEE = 0
    MOUNTED = 1
    RANGED = 2


class Side(IntEnum):
    """The edges of a unit card as its unit sees them, clockwise."""

    FRONT = 0
    RIGHT = 1
    BACK = 2
    LEFT = 3


UNITS: list[dict[str, Any]] = TABLE["unit"]  # regular kinds first, then two elites of each faction in turn
FACTIONS: list[dict[str, Any]] = TABLE["faction"]
NUM_REGULARS = sum(unit["army"] == "regular" for unit in UNITS)  # kinds of regular units
NUM_KINDS = len(UNITS)
NUM_FACTIONS = len(FACTIONS)
KIND_NAMES = tuple(unit["name"] for unit in UNITS)
FACTION_NAMES = tuple(faction["name"] for faction in FACTIONS)

COPIES = np.array([unit["copies"] for unit in UNITS[:NUM_REGULARS]], np.int64)  # cards of each regular kind
USES = np.array([faction["uses"] for faction in FACTIONS], np.int64)
CLASS = np.array([UnitClass[unit["class"].upper()] for unit in UNITS], np.int64)
DEFENCE = np.array([unit["defence"] for unit in UNITS], np.int64)  # (kind, Side)
MOVEMENT = np.array([unit["movement"] for unit in UNITS], np.int64)
DAMAGE = np.array([unit["damage"] for unit in UNITS], np.int64)
RANGE = np.array([unit["range"] for unit in UNITS], np.int64)
CHARGE = np.array([unit["charge"] for unit in UNITS], np.int64)
COUNTER = np.array([unit["counter"] for unit in UNITS], np.int64)
POINTS = np.array([unit["points"] for unit in UNITS], np.int64)
HIGHEST = SimpleNamespace(movement=3, damage=3, range=2, charge=2, defence=5)  # that a card can show


def stat_points(unit: dict[str, Any]) -> int:
    """What the numbers of a unit card are worth: the balance currency that the card shows."""
    return int(
        RULE.points_damage * unit["damage"]
        + RULE.points_movement * unit["movement"]
        + RULE.points_defence * sum(unit["defence"])
        + RULE.points_charge * unit["charge"]
        + RULE.points_counter * unit["counter"]
        + RULE.points_ranged * (unit["class"] == "ranged")
        + RULE.points_reach * (unit["range"] - 1)
    )


def _word(name: str) -> str:
    return name.upper().replace(" ", "_").replace("-", "_")


def _hold() -> None:
    """Hold components.toml against what kernels take for granted."""
    if [_word(faction["power"]) for faction in FACTIONS] != [power.name for power in Power]:
        raise ValueError("components.toml and Power disagree")
    armies = ["regular"] * NUM_REGULARS + [name for name in FACTION_NAMES for _ in range(RULE.elites)]
    if [unit["army"] for unit in UNITS] != armies:
        raise ValueError(
            "components.toml: units stand in order, regular ones first, then the factions' elites"
        )
    if COPIES.sum() != RULE.regulars:
        raise ValueError(f"components.toml: {COPIES.sum()} regular cards, must be {RULE.regulars}")
    for unit in UNITS:
        if unit["points"] != stat_points(unit):
            raise ValueError(f"components.toml: {unit['name']} is worth {stat_points(unit)} points")
    for field, most in vars(HIGHEST).items():
        if max(np.max(unit[field]) for unit in UNITS) > most:
            raise ValueError(f"components.toml: no card shows a {field} over {most}")


_hold()
