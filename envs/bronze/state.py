"""A table of Bronze: its state, its action layout, its observation layout.

Tiles on the table are numbered from the start strip on, 0 for the first land tile. A *cell* is a hut's place on a
tile: two cells for each terrain, from left to right, the second of which a tile may lack.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ..engine.fields import Field, table_dtype
from ..engine.layout import Layout, block
from .components import (
    CELLS,
    CITY_NAMES,
    DECK_TOTAL,
    FACES,
    FEWEST_LANDS,
    LANDS,
    MOST_ALIKE,
    MOST_TURNS,
    NUM_CARDS,
    NUM_CITIES,
    NUM_ROUTES,
    NUM_SETTLERS,
    NUM_TERRAINS,
    NUM_TILES,
    OFFER,
    PLACES,
    PROVINCE,
    RULE,
    SEATS,
    Card,
    Settler,
    Terrain,
)

NONE = -1


class Phase(IntEnum):
    """What is being decided."""

    TAKE = 0  # which open card is taken, and whether it is played face up or face down
    COLUMN = 1  # where in the matrix it goes
    SETTLE = 2  # where the next settlement is placed, or none any more
    CARD = 3  # which of the activated cards that fit was used for it
    CITY = 4  # which city card is taken


BEHIND = "tiles behind the observer or more than five further on are observed by counts and lines alone"

STATE_FIELDS = (
    Field("first", np.int8, low=0, high=SEATS - 1, doc="The seat that has the first-player token"),
    Field("phase", np.int8, low=0, high=len(Phase) - 1, doc="Phase"),
    Field("ending", np.bool_, doc="The round that is being played is the last"),
    Field("lands", np.int8, low=FEWEST_LANDS, high=LANDS, doc="Land tiles on the table"),
    Field("open", np.int8, low=1, high=LANDS, doc="How many of them are face up: those before this number"),
    Field(
        "tile", np.int8, LANDS, low=NONE, high=NUM_TILES - 1, unseen=BEHIND,
        doc="Which tile lies there, -1 if it is face down or there is none",
    ),
    Field(
        "tile_unseen", np.int8, NUM_TILES, low=0, high=1, unseen="it follows from `tile`",
        doc="1: this tile is face down or in the box",
    ),
    Field(
        "province", np.int8, LANDS, low=0, high=int(max(PROVINCE)),
        doc="Points of the token on each tile, 0 where there is no tile",
    ),
    Field(
        "province_of", np.int8, LANDS, low=NONE, high=SEATS - 1, doc="The seat that has taken it, -1 for none"
    ),
    Field(
        "owner", np.int8, (LANDS, CELLS), low=0, high=SEATS, unseen=BEHIND,
        doc="Whose settlement stands there: seat + 1, 0 for nobody's",
    ),
    Field("taken", np.int16, LANDS, bits=CELLS, unseen=BEHIND, doc="The cells that are not free, a bit each"),
    Field("free", np.int8, LANDS, low=0, high=CELLS, doc="Free huts; 0 while the tile is face down"),
    Field("count", np.int8, (SEATS, LANDS), low=0, high=CELLS, doc="Settlements of each seat on each tile"),
    Field(
        "at", np.int8, SEATS, low=0, high=LANDS - 1,
        doc="The tile of its latest settlement, 0 before: it may not go behind that",
    ),
    Field("markers", np.int8, SEATS, low=0, high=RULE.markers, doc="Settlement markers left"),
    Field(
        "in_terrain", np.int8, (SEATS, NUM_TERRAINS), low=0, high=LANDS * PLACES,
        doc="Settlements of each seat in each terrain",
    ),
    Field(
        "of_settler", np.int8, (SEATS, NUM_SETTLERS), low=0, high=RULE.markers,
        doc="Settlements of each seat by the type of hut",
    ),
    Field(
        "line", np.int8, (SEATS, NUM_TERRAINS), low=0, high=LANDS * PLACES,
        doc="Longest unbroken line of settlements in each row",
    ),
    Field(
        "tail", np.int8, NUM_TERRAINS, low=0, high=LANDS * PLACES,
        doc="Settlements in the unbroken line at the far end of each row",
    ),
    Field("tail_of", np.int8, NUM_TERRAINS, low=NONE, high=SEATS - 1, doc="Whose it is, -1 for an empty row"),
    Field(
        "route_of", np.int8, (NUM_TERRAINS, NUM_ROUTES), low=NONE, high=SEATS - 1,
        doc="Who has each trade route token, -1 for nobody",
    ),
    Field(
        "pile", np.int8, RULE.piles, low=0, high=int(max(DECK_TOTAL)),
        doc="Cards in each technology pile; the last one is the reserve",
    ),
    Field(
        "top", np.int8, RULE.piles_in_play, low=NONE, high=FACES - 1,
        doc="The open card of each pile in play, -1 for none",
    ),
    Field("empty", np.int8, low=0, high=RULE.piles, doc="Piles that have run out so far"),
    Field(
        "unseen", np.int8, FACES, low=0, high=MOST_ALIKE,
        doc="Cards of each technology that have not been turned up",
    ),
    Field(
        "face_down", np.int8, FACES, low=0, high=MOST_ALIKE, unseen="it follows from where the others are",
        doc="Cards of each technology that were played as Bronze Casting",
    ),
    Field(
        "card", np.int8, low=NONE, high=NUM_CARDS - 1,
        doc="The card that was taken and is to be put into the matrix, -1 for none",
    ),
    Field(
        "columns", np.int8, SEATS, low=0, high=RULE.columns, unseen="it follows from `height`",
        doc="Columns of each matrix, from left to right",
    ),
    Field("height", np.int8, (SEATS, RULE.columns), low=0, high=MOST_TURNS, doc="Cards in each column"),
    Field(
        "matrix", np.int8, (SEATS, RULE.columns, MOST_TURNS), low=NONE, high=NUM_CARDS - 1,
        unseen="of others only how many of each card and how high the columns are; of the own columns no order",
        doc="Card from the top down, -1 for none",
    ),
    Field("in_matrix", np.int8, (SEATS, NUM_CARDS), low=0, high=MOST_TURNS, doc="How many of each Card"),
    Field(
        "activated", np.int8, NUM_CARDS, low=0, high=MOST_TURNS,
        doc="Activated cards of the acting seat that it may still use",
    ),
    Field(
        "spot_tile", np.int8, low=NONE, high=LANDS - 1, unseen="it is the tile of the seat's latest settlement",
        doc="The tile of the settlement for which a card is to be named, -1 for none",
    ),
    Field("spot_cell", np.int8, low=NONE, high=CELLS - 1, doc="And its cell"),
    Field("city_unseen", np.int8, NUM_CITIES, low=0, high=1, doc="1: this city card is in the deck"),
    Field(
        "shown", np.int8, (LANDS, OFFER), low=NONE, high=NUM_CITIES - 1,
        doc="City cards that lie at each tile, -1 where one was taken or never lay",
    ),
    Field(
        "city", np.int8, (SEATS, LANDS), low=NONE, high=NUM_CITIES - 1,
        doc="City cards of each seat in the order in which it took them, -1 after the last",
    ),
    Field("cities", np.int8, SEATS, low=0, high=LANDS - 1, doc="City cards of each seat"),
)  # fmt: skip
STATE = table_dtype(*STATE_FIELDS)

_PILES = tuple(f"pile_{k + 1}" for k in range(RULE.piles_in_play))
_FACE = ("face_up", "face_down")
_COLUMNS = ("first", "second", "third", "fourth", "new_left", "new_right")
_AHEAD = ("own_tile", *(f"{k}_further_on" for k in range(1, LANDS)))
_HUTS = ("left", "right")

ACTIONS = Layout(
    block("take", _PILES, _FACE, doc="Take the open card of this pile and play it this way up"),
    block("column", _COLUMNS, doc="Put it under this column, or into a new one"),
    block(
        "settle", _AHEAD, Terrain, _HUTS, doc="Settle there, on a tile counted from the own latest settlement"
    ),
    block("use", Card, doc="Use an activated card of this technology for the settlement"),
    block("stop", doc="Place no more settlements in this turn"),
    block("city", CITY_NAMES, doc="Take this city card"),
)
A = ACTIONS.starts

WINDOW = 6  # tiles whose huts a seat sees in the observation, from its own on
_EACH = ("own", *(f"{k}_further_on" for k in range(1, SEATS)))  # seats from the observer on, in turn order

OBSERVATION = Layout(
    block("players", 3, doc="Number of players: 2, 3, 4"),
    block("phase", Phase, doc="What is being decided"),
    block("deciding", doc="The decision is the observer's"),
    block("turn_of", _EACH, doc="The seat whose turn it is"),
    block("first", _EACH, doc="The seat with the first-player token"),
    block("ending", doc="This is the last round"),
    block("top", _PILES, tuple(c.name for c in Card)[:FACES], doc="The open card of each pile"),
    block("pile", RULE.piles, high=14, unit=7, doc="Cards in each pile; the last one is the reserve"),
    block("empty", high=5, unit=2, doc="Piles that have run out"),
    block("unseen", tuple(c.name for c in Card)[:FACES], high=10, unit=5, doc="Cards not yet turned up"),
    block("card", Card, doc="The card that was taken and is to be put into the matrix"),
    block("activated", Card, high=12, unit=2, doc="Activated cards that the acting seat may still use"),
    block(
        "spot",
        *(Terrain, _HUTS),
        doc="The settlement for which a card is to be named, on the tile of its seat's latest settlement",
    ),
    block("height", _EACH, RULE.columns, high=MOST_TURNS, unit=4, doc="Cards in the columns of each seat"),
    block(
        "column", RULE.columns, Card, high=MOST_TURNS, unit=2, doc="Cards in each of the observer's columns"
    ),
    block("beside", _COLUMNS, Card, high=2, doc="Cards that would lie beside one put there"),
    block("in_matrix", _EACH, Card, high=MOST_TURNS, unit=3, doc="Cards in the matrix of each seat"),
    block(
        "at", _EACH, high=LANDS, unit=4, doc="The tile of its latest settlement, the first one is 1; 0 before"
    ),
    block("markers", _EACH, high=RULE.markers, unit=10, doc="Its settlement markers left"),
    block("cities", _EACH, high=LANDS, unit=4, doc="Its city cards"),
    block("points", _EACH, high=200, unit=20, doc="Its points as they stand"),
    block("in_terrain", _EACH, Terrain, high=22, unit=5, doc="Its settlements in each terrain"),
    block("of_settler", _EACH, Settler, high=RULE.markers, unit=10, doc="Its settlements by type of hut"),
    block("line", _EACH, Terrain, high=22, unit=5, doc="Its longest unbroken line in each row"),
    block("route", _EACH, Terrain, high=10, unit=5, doc="Points of its trade route token there"),
    block(
        "tail", _EACH, Terrain, high=22, unit=5, doc="Settlements in the line at the far end, if it is its"
    ),
    block("count", _EACH, LANDS, high=12, unit=4, doc="Its settlements on each tile"),
    block(
        "province_of", _EACH, LANDS, high=6, unit=5, doc="Points of this tile's province token, if it has it"
    ),
    block("province", LANDS, high=6, unit=5, doc="Points of the token, if nobody has it"),
    block("free", LANDS, high=12, unit=6, doc="Free huts of each open tile"),
    block(
        "board",
        (*(settler.name for settler in Settler), "settlement"),
        Terrain,
        WINDOW * PLACES,
        low=-3,
        doc="Huts of the tiles from the observer's own on: free for these people; 1: the observer's settlement, "
        "-k: of the k-th seat on",
    ),
    block(
        "city_at",
        CITY_NAMES,
        low=-1,
        high=LANDS,
        unit=4,
        doc="The tile at which this city card lies, the first one is 1; -1: it was discarded",
    ),
    block("shown", CITY_NAMES, doc="City cards at tiles where the observer can still arrive"),
    block("offer", CITY_NAMES, doc="City cards of which one is to be taken"),
    block("city_of", CITY_NAMES, low=-3, doc="1: the observer's card, -k: of the k-th seat on"),
    block("progress", CITY_NAMES, doc="How far the observer is with its own and the offered ones; 1 is met"),
    block(
        "uses",
        _PILES,
        _FACE,
        high=20,
        unit=2,
        doc="To be taken: cards of use that it activates in its best place",
    ),
    block(
        "uses_there",
        _COLUMNS,
        high=20,
        unit=2,
        doc="To be placed: cards of use that the card activates there",
    ),
    block(
        "line_there",
        _AHEAD,
        Terrain,
        _HUTS,
        high=23,
        unit=4,
        doc="To be settled: the observer's line through it",
    ),
    block(
        "lead_there",
        *(_AHEAD, Terrain, _HUTS),
        low=-12,
        high=12,
        unit=2,
        doc="To be settled: the observer's lead on that tile then, over the best other",
    ),
    block(
        "uses_left",
        *(_AHEAD, Terrain, _HUTS),
        high=20,
        unit=2,
        doc="To be settled: activated cards of use from that tile on",
    ),
)
O = OBSERVATION.starts  # noqa: E741 - the letter that stands for the layout, as A does


__all__ = ["ACTIONS", "NONE", "OBSERVATION", "PLACES", "STATE", "STATE_FIELDS", "WINDOW", "A", "O", "Phase"]
