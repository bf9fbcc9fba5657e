"""What a seat sees, and a world that it cannot tell from the real one."""

from __future__ import annotations

import numpy as np

from ..engine.compile import kernel
from ..engine.table import places_after
from .cities import cards_in_column, progress
from .components import (
    CELLS,
    CITY_PAWNS,
    CITY_POINTS,
    FACES,
    FIT,
    HUT,
    LANDS,
    NUM_CARDS,
    NUM_CITIES,
    NUM_ROUTES,
    NUM_SETTLERS,
    NUM_TERRAINS,
    OFFER,
    PLACES,
    ROUTE_POINTS,
    SEATS,
    Card,
)
from .rules import (
    COLUMNS,
    MARKERS,
    NEW_LEFT,
    NEW_RIGHT,
    PILES,
    PILES_IN_PLAY,
    card_at,
    open_to,
)
from .state import NONE, WINDOW, O, Phase

COLUMNS_SEEN = WINDOW * PLACES
PLANE = NUM_TERRAINS * COLUMNS_SEEN  # numbers of one plane of the board
ALL = (1 << NUM_CARDS) - 1  # every technology
_IN_PLANE = np.arange(CELLS) // PLACES * COLUMNS_SEEN + np.arange(CELLS) % PLACES
#: int64 (NUM_TILES, CELLS, 2): where in `board` a cell of the seat's own tile is seen: free, settled.
SEEN_AT = np.stack([np.maximum(HUT, 0) * PLANE, np.full_like(HUT, NUM_SETTLERS * PLANE)], axis=-1)
SEEN_AT += _IN_PLANE[:, None]
#: int64 (NUM_TILES, CELLS): 1 where there is a hut.
IS_HUT = (HUT >= 0).astype(np.int64)
#: int64 (seat counts, SEATS, SEATS + 1): what a seat sees in a hut, by its owner as in the state.
SEEN_AS = np.array(
    [
        [
            [1, *(-((other - seat) % n) or 1 for other in range(n)), *[0] * (SEATS - n)]
            for seat in range(SEATS)
        ]
        for n in range(2, SEATS + 1)
    ]
)

# -- observe -----------------------------------------------------------------------------------------------------------


@kernel
def observe(s, seat, out):
    """What `seat` may know, in natural units: itself first, the other seats in turn order."""
    n, seat = s.num_players, int(seat)  # uncompiled, an int8 of NumPy comes in, too small for places in `out`
    out[O.players + n - 2] = 1
    out[O.phase + s.phase] = 1
    out[O.deciding] = s.seat == seat and not s.finished
    out[O.turn_of + places_after(s, s.seat, seat)] = 1
    out[O.first + places_after(s, s.first, seat)] = 1
    out[O.ending] = s.ending
    _observe_cards(s, out)
    if s.phase == Phase.CARD:
        out[O.spot + s.spot_cell] = 1
    _observe_matrix(s, seat, out)
    for other in range(n):
        _observe_seat(s, other, places_after(s, other, seat), out)
    _observe_routes(s, seat, out)
    _observe_tiles(s, seat, out)
    _observe_board(s, seat, out)
    _observe_cities(s, seat, out)
    if s.seat == seat:
        _observe_choice(s, seat, out)


@kernel
def _observe_cards(s, out):
    """The piles, and the turn that is being played."""
    for pile in range(PILES_IN_PLAY):
        if s.top[pile] != NONE:
            out[O.top + pile * FACES + s.top[pile]] = 1
    for pile in range(PILES):
        out[O.pile + pile] = s.pile[pile]
    out[O.empty] = s.empty
    for card in range(FACES):
        out[O.unseen + card] = s.unseen[card]
    if s.card != NONE:
        out[O.card + s.card] = 1
    for card in range(NUM_CARDS):
        out[O.activated + card] = s.activated[card]


@kernel
def _observe_matrix(s, seat, out):
    """The seat's own matrix: what each column holds, and what would lie beside the next card there."""
    columns = s.columns[seat]
    for column in range(columns):
        height = s.height[seat, column]
        for row in range(height):
            out[O.column + column * NUM_CARDS + s.matrix[seat, column, row]] += 1
        for beside in (column - 1, column + 1):
            card = card_at(s, seat, beside, height)
            if card != NONE:
                out[O.beside + column * NUM_CARDS + card] += 1
    if 0 < columns < COLUMNS:
        out[O.beside + NEW_LEFT * NUM_CARDS + s.matrix[seat, 0, 0]] = 1
        out[O.beside + NEW_RIGHT * NUM_CARDS + s.matrix[seat, columns - 1, 0]] = 1


@kernel
def _observe_seat(s, seat, k, out):
    """The seat that comes k-th after the observer."""
    k &= (
        SEATS - 1
    )  # tells the compiler that it is not negative: places in `out` are then not checked one by one
    for column in range(COLUMNS):
        out[O.height + k * COLUMNS + column] = s.height[seat, column]
    for card in range(NUM_CARDS):
        out[O.in_matrix + k * NUM_CARDS + card] = s.in_matrix[seat, card]
    out[O.at + k] = s.at[seat] + 1 if s.markers[seat] < MARKERS else 0
    out[O.markers + k] = s.markers[seat]
    out[O.cities + k] = s.cities[seat]
    for settler in range(NUM_SETTLERS):
        out[O.of_settler + k * NUM_SETTLERS + settler] = s.of_settler[seat, settler]
    for terrain in range(NUM_TERRAINS):
        out[O.in_terrain + k * NUM_TERRAINS + terrain] = s.in_terrain[seat, terrain]
        out[O.line + k * NUM_TERRAINS + terrain] = s.line[seat, terrain]
        out[O.tail + k * NUM_TERRAINS + terrain] = s.tail[terrain] * (s.tail_of[terrain] == seat)
    for tile in range(LANDS):
        out[O.count + k * LANDS + tile] = s.count[seat, tile]


@kernel
def _observe_routes(s, seat, out):
    """Trade route tokens."""
    for terrain in range(NUM_TERRAINS):
        for level in range(NUM_ROUTES):
            if s.route_of[terrain, level] != NONE:
                k = places_after(s, s.route_of[terrain, level], seat)
                out[O.route + k * NUM_TERRAINS + terrain] = ROUTE_POINTS[level]
                out[O.points + k] += ROUTE_POINTS[level]


@kernel
def _observe_tiles(s, seat, out):
    """Provinces and free huts, tile by tile."""
    for tile in range(s.lands):
        out[O.free + tile] = s.free[tile]
        if s.province_of[tile] == NONE:
            out[O.province + tile] = s.province[tile]
        else:
            k = places_after(s, s.province_of[tile], seat)
            out[O.province_of + k * LANDS + tile] = s.province[tile]
            out[O.points + k] += s.province[tile]


@kernel
def _observe_board(s, seat, out):
    """The huts of the tiles from that of the seat's latest settlement on, as planes of rows of terrain."""
    at, seen_as = s.at[seat], SEEN_AS[s.num_players - 2, seat]
    for tile in range(at, min(at + WINDOW, s.open)):
        kind, start = s.tile[tile], O.board + (tile - at) * PLACES
        for cell in range(
            CELLS
        ):  # no branches: no processor could foresee them, and they took twice the time
            owner = s.owner[tile, cell]
            out[start + SEEN_AT[kind, cell, int(owner != 0)]] = seen_as[owner] * IS_HUT[kind, cell]


@kernel
def _observe_cities(s, seat, out):
    """City cards at tiles and before the seats, and how far the observer is with those that are or may become its."""
    for city in range(NUM_CITIES):  # no branches, for speed
        out[O.city_at + city] = -int((s.city_unseen[city] == 0) & (CITY_PAWNS[city] <= s.num_players))
    for tile in range(1, s.open):
        for k in range(OFFER):
            city = s.shown[tile, k]
            if city != NONE:
                out[O.city_at + city] = tile + 1
                out[O.shown + city] = int(tile > s.at[seat])
    for holder in range(s.num_players):
        for k in range(s.cities[holder]):
            out[O.city_at + s.city[holder, k]] = 0
            _observe_city_of(s, seat, s.city[holder, k], holder, out)
    if s.phase == Phase.CITY:
        for k in range(OFFER):
            city = s.shown[s.at[s.seat], k]
            if city != NONE:
                out[O.offer + city] = 1
                out[O.progress + city] = progress(s, seat, city)


@kernel
def _observe_city_of(s, seat, city, holder, out):
    """A city card of a seat."""
    k, part = places_after(s, holder, seat), progress(s, holder, city)
    out[O.city_of + city] = 1 if k == 0 else -k
    out[O.points + k] += CITY_POINTS[city] * int(part >= 1.0)
    if k == 0:
        out[O.progress + city] = part


@kernel
def _observe_choice(s, seat, out):
    """What the observer's choices would bring it: numbers that stand for actions, in their order."""
    if s.phase == Phase.TAKE:
        _observe_open_cards(s, seat, out)
    elif s.phase == Phase.COLUMN:
        of_use = useful(s, seat)
        for where in range(COLUMNS + 2):
            out[O.uses_there + where] = activation(s, seat, s.card, where, of_use)
    elif s.phase == Phase.SETTLE:
        _observe_huts(s, seat, out)


@kernel
def _observe_open_cards(s, seat, out):
    """For each open card, both ways up, what it would activate in its best place."""
    of_use, face_down = useful(s, seat), 0
    for where in range(COLUMNS + 2):
        if may_lie(s, seat, where):
            beside = uses_beside(s, seat, where, of_use)
            face_down = max(face_down, beside + uses_above(s, seat, Card.BRONZE_CASTING, where, of_use))
            for pile in range(PILES_IN_PLAY):
                if s.top[pile] != NONE:
                    uses = beside + uses_above(s, seat, s.top[pile], where, of_use)
                    out[O.uses + 2 * pile] = max(out[O.uses + 2 * pile], uses)
    for pile in range(PILES_IN_PLAY):
        if s.top[pile] != NONE:
            out[O.uses + 2 * pile + 1] = face_down


@kernel
def _observe_huts(s, seat, out):
    """Huts that may be settled, from the last open tile back to that of the latest settlement."""
    uses, counted = 0, 0  # activated cards of use from here on; a bit for each technology among them
    cut_off = 0  # a bit for each terrain in which another seat has settled further on
    for tile in range(s.open - 1, s.at[seat] - 1, -1):
        for card in range(NUM_CARDS):
            fits = int(FIT[s.tile[tile], card] & ~s.taken[tile] != 0) & ~(counted >> card)
            counted |= fits << card
            uses += fits * s.activated[card]
        cells, lead = open_to(s, tile), s.count[seat, tile] + 1 - _most_of_others(s, seat, tile)
        start = (tile - s.at[seat]) * CELLS
        for cell in range(CELLS):
            may_settle = (cells >> cell) & 1
            out[O.lead_there + start + cell] = lead * may_settle
            out[O.uses_left + start + cell] = uses * may_settle
        cut_off = _observe_lines(s, seat, tile, cells, cut_off, out)


@kernel
def _observe_lines(s, seat, tile, cells, cut_off, out):
    """Lines through the huts of a tile that may be settled; returns what is cut off from here on.

    What nobody cuts off joins the line at the far end of its row, which is known.
    """
    start = O.line_there + (tile - s.at[seat]) * CELLS
    for cell in range(CELLS - 1, -1, -1):
        terrain, owner = cell // PLACES, s.owner[tile, cell]
        cut_off |= (int(owner != 0) & int(owner != seat + 1)) << terrain
        may_settle = (cells >> cell) & 1
        if may_settle & (cut_off >> terrain):
            out[start + cell] = line_through(s, seat, tile, cell)
        else:
            out[start + cell] = may_settle * (1 + s.tail[terrain] * int(s.tail_of[terrain] == seat))
    return cut_off


@kernel
def _most_of_others(s, seat, tile):
    """Most settlements of another seat on a tile."""
    most = 0
    for other in range(s.num_players):
        if other != seat:
            most = max(most, s.count[other, tile])
    return most


@kernel
def line_through(s, seat, tile, cell):
    """Settlements of the line that a settlement of the seat in this hut would belong to."""
    terrain, length = cell // PLACES, 1
    for step in (-1, 1):
        spot = tile * PLACES + cell % PLACES + step
        while 0 <= spot < s.open * PLACES:
            owner = s.owner[spot // PLACES, terrain * PLACES + spot % PLACES]
            if owner != 0 and owner != seat + 1:
                break
            length += owner != 0
            spot += step
    return length


# -- what a card would activate ----------------------------------------------------------------------------------------


@kernel
def useful(s, seat):
    """Technologies that some free hut fits, from the tile of the seat's latest settlement on, a bit each."""
    of_use = 0
    for tile in range(s.open - 1, s.at[seat] - 1, -1):  # the last ones have most free huts
        for card in range(NUM_CARDS):
            of_use |= int(FIT[s.tile[tile], card] & ~s.taken[tile] != 0) << card
        if of_use == ALL:
            break
    return of_use


@kernel
def may_lie(s, seat, where):
    """Whether a card has this place: under a column, or in a new one while there are not four."""
    return where < s.columns[seat] or (where >= COLUMNS and s.columns[seat] < COLUMNS)


@kernel
def activation(s, seat, card, where, of_use):
    """How many cards of use a card would activate in this place, itself included."""
    if not may_lie(s, seat, where):
        return 0
    return uses_beside(s, seat, where, of_use) + uses_above(s, seat, card, where, of_use)


@kernel
def uses_beside(s, seat, where, of_use):
    """How many cards of use lie beside this place."""
    column, row = where, 0
    if where == NEW_LEFT:
        column = -1
    elif where == NEW_RIGHT:
        column = s.columns[seat]
    else:
        row = s.height[seat, column]
    uses = 0
    for beside in (column - 1, column + 1):
        card = card_at(s, seat, beside, row)
        uses += card != NONE and (of_use >> card) & 1 == 1
    return uses


@kernel
def uses_above(s, seat, card, where, of_use):
    """A card of use in this place, and how many it would activate above itself."""
    if not (of_use >> card) & 1:
        return 0
    if card == Card.BRONZE_CASTING or where >= COLUMNS or s.in_matrix[seat, card] == 0:
        return 1
    return 1 + cards_in_column(s, seat, where, card)


# -- determinize -------------------------------------------------------------------------------------------------------


@kernel
def determinize(s, seat):
    """Nothing is known to one seat and not to another, and what nobody knows is not in the table yet (ruling 1)."""
