"""The components as constants: names for kernels here, numbers from components.toml."""

from __future__ import annotations

import tomllib
from enum import IntEnum
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

TABLE: dict[str, Any] = tomllib.loads(Path(__file__).with_name("components.toml").read_text(encoding="utf-8"))


class Terrain(IntEnum):
    """The rows of the board, from the top down."""

    MOUNTAINS = 0
    WOODS = 1
    GRASSLANDS = 2
    SAVANNAS = 3
    DESERTS = 4
    JUNGLES = 5
    SHORE = 6


class Settler(IntEnum):
    """Whom a hut is for."""

    FARMERS = 0
    HERDERS = 1
    HUNTERS = 2


class Card(IntEnum):
    """Technologies: the seven faces, then Bronze Casting, the back of every card."""

    DOMESTICATION = 0
    POTTERY = 1
    MASONRY = 2
    AUTHORITY = 3
    RELIGION = 4
    WHEEL = 5
    IRRIGATION = 6
    BRONZE_CASTING = 7


class Condition(IntEnum):
    """What a city card counts; `of` and `and` in components.toml say the rest."""

    TERRAIN = 0  # settlements in one terrain
    PAIR = 1  # settlements in two terrains together
    SETTLERS = 2  # settlements in huts of one type
    BALANCE = 3  # settlements in huts of the type of which the player has the fewest
    SETTLEMENTS = 4  # settlements
    TERRAINS = 5  # terrains with so many settlements
    TILES = 6  # tiles with so many settlements
    LAST_TILE = 7  # settlements on the last tile
    PROVINCES = 8  # province tokens
    ROUTES = 9  # trade route tokens for lines of at least so many
    CITIES = 10  # city cards
    TECHNOLOGY = 11  # cards of one technology
    TECHNOLOGIES = 12  # technologies of which there is a card face up
    STACK = 13  # cards of one technology in one column
    COLUMN = 14  # cards in the longest column
    ROWS = 15  # complete rows of the matrix


SEATS = 4  # most players
RULE = SimpleNamespace(**TABLE["numbers"])
NUM_TERRAINS, NUM_SETTLERS, NUM_CARDS = len(Terrain), len(Settler), len(Card)
FACES = NUM_CARDS - 1  # technologies that stand on the face of a card
PLACES = 2  # most huts in a terrain's box of a tile
CELLS = NUM_TERRAINS * PLACES  # hut `place` of terrain `t` is cell `t * PLACES + place`
#: int8 (2 ** CELLS,): how many cells are marked.
CELLS_IN = np.array([cells.bit_count() for cells in range(1 << CELLS)], np.int8)
NUM_TILES = len(TABLE["tile"])
LANDS = RULE.lands_beyond_twice_players + 2 * SEATS  # most land tiles on the table
OFFER = SEATS + RULE.cities_beyond_players  # most city cards that a tile brings
FEWEST_LANDS = RULE.lands_beyond_twice_players + 2 * 2
NUM_CITIES = len(TABLE["city"])
CITY_NAMES = tuple(city["name"] for city in TABLE["city"])


def _word(name: str) -> str:
    return name.upper().replace(" ", "_")


def _huts() -> np.ndarray:
    """int64 (NUM_TILES, CELLS): the type of each hut, -1 where there is none."""
    huts = np.full((NUM_TILES, CELLS), -1, np.int64)
    for number, tile in enumerate(TABLE["tile"]):
        for terrain in Terrain:
            for place, name in enumerate(tile[terrain.name.lower()].split()):
                huts[number, terrain * PLACES + place] = Settler[_word(name) + "S"]
    return huts


def _fits(card: int, cell: int, settler: int) -> bool:
    """Whether a card lets people of this type settle in this cell."""
    if settler < 0:
        return False
    if card == Card.BRONZE_CASTING:
        return True
    row = TABLE["technology"][card]
    terrains = [Terrain[_word(name)] for name in row["terrains"].split()]
    return cell // PLACES in terrains and settler in [
        Settler[_word(name)] for name in row["settlers"].split()
    ]


HUT = _huts()
#: int64 (NUM_TILES,): huts of each tile.
HUT_COUNT = (HUT >= 0).sum(axis=1)
#: int64 (NUM_TILES, NUM_CARDS): the cells of a tile that a card lets settle, a bit each.
FIT = np.array(
    [
        [sum(1 << c for c in range(CELLS) if _fits(card, c, int(HUT[t, c]))) for card in Card]
        for t in range(NUM_TILES)
    ],
    np.int64,
)
#: int8 (seat counts, FACES): technology cards in play with 2, 3, 4 players.
DECK = np.cumsum(
    [[row[pawns] for row in TABLE["technology"]] for pawns in ("two_pawns", "three_pawns", "four_pawns")],
    axis=0,
).astype(np.int8)
DECK_TOTAL = DECK.sum(axis=1)
MOST_ALIKE = int(DECK.max())  # cards of one technology
#: A card is taken in each turn, and everybody has equally many turns.
MOST_TURNS = max(int(total) // (2 + k) for k, total in enumerate(DECK_TOTAL))
#: int8 (12,): points of the province tokens.
PROVINCE = np.repeat(
    [row["points"] for row in TABLE["province"]], [row["count"] for row in TABLE["province"]]
).astype(np.int8)
ROUTE_LENGTH = np.array([row["settlements"] for row in TABLE["route"]], np.int64)  # shortest first
ROUTE_POINTS = np.array([row["points"] for row in TABLE["route"]], np.int64)
NUM_ROUTES = len(ROUTE_LENGTH)


def _parameter(condition: Condition, name: str) -> int:
    """What `of` or `and` of a city card names, as the number that kernels take."""
    if condition in (Condition.TERRAIN, Condition.PAIR):
        return Terrain[_word(name)]
    if condition == Condition.SETTLERS:
        return Settler[_word(name)]
    if condition == Condition.TECHNOLOGY:
        return Card[_word(name)]
    if condition == Condition.ROUTES:
        return ROUTE_LENGTH.tolist().index(int(name))
    return int(name or 0)


_CITIES = [(Condition[_word(city["condition"])], city) for city in TABLE["city"]]
CITY_CONDITION = np.array([condition for condition, _ in _CITIES], np.int64)
CITY_OF = np.array([_parameter(condition, city["of"]) for condition, city in _CITIES], np.int64)
CITY_AND = np.array(
    [_parameter(condition, city["and"] or city["of"]) for condition, city in _CITIES], np.int64
)
CITY_NEED = np.array([city["need"] for _, city in _CITIES], np.int64)
CITY_POINTS = np.array([city["points"] for _, city in _CITIES], np.int64)
CITY_PAWNS = np.array([city["pawns"] for _, city in _CITIES], np.int64)

if [_word(row["name"]) for row in TABLE["technology"]] != [card.name for card in Card][:FACES]:
    raise ValueError("components.toml and Card disagree")
