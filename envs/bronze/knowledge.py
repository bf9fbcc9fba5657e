"""What a seat sees, a world that it cannot tell from the real one, and how good the table looks to it."""

from __future__ import annotations

import numpy as np

from ..engine.compile import kernel
from ..engine.table import places_after
from .cities import cards_in_column, progress, route_level
from .components import (
    CELLS,
    CITY_POINTS,
    DECK,
    FACES,
    FIT,
    HUT,
    HUT_COUNT,
    LANDS,
    NUM_CARDS,
    NUM_ROUTES,
    NUM_SETTLERS,
    NUM_TERRAINS,
    PLACES,
    ROUTE_LENGTH,
    ROUTE_POINTS,
    SEATS,
    Card,
)
from .rules import (
    COLUMNS,
    MARKERS,
    MORE_CITIES,
    NEW_LEFT,
    NEW_RIGHT,
    PILES,
    PILES_IN_PLAY,
    card_at,
    open_to,
    province_points,
    route_points,
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
        out[O.height + column] = height
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
            out[O.province_of + k * LANDS + tile] = 1
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
    for tile in range(s.at[seat] + 1, s.open):
        if s.count[seat, tile] == 0:  # the card for its settlement there may still have to be told
            for k in range(s.num_players + MORE_CITIES):
                if s.shown[tile, k] != NONE:
                    out[O.shown + s.shown[tile, k]] = 1
    if s.phase == Phase.CITY:
        for k in range(s.num_players + MORE_CITIES):
            city = s.shown[s.at[s.seat], k]
            if city != NONE:
                out[O.offer + city] = 1
                out[O.progress + city] = progress(s, seat, city)
    for other in range(s.num_players):
        _observe_cities_of(s, other, places_after(s, other, seat), out)


@kernel
def _observe_cities_of(s, seat, k, out):
    """City cards of the seat that comes k-th after the observer."""
    points = 0
    for n in range(s.cities[seat]):
        city = s.city[seat, n]
        part = progress(s, seat, city)
        points += CITY_POINTS[city] * int(part >= 1.0)
        out[O.city_of + city] = 1 if k == 0 else -k
        if k == 0:
            out[O.progress + city] = part
    out[O.points + k] += points


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


# -- determinize -------------------------------------------------------------------------------------------------------


@kernel
def determinize(s, seat):
    """Nothing is known to one seat and not to another, and what nobody knows is not in the table yet (ruling 1)."""


# -- value -------------------------------------------------------------------------------------------------------------

# Ours, found by play of greedy players with different weights against each other.
CITY_HOPE, CITY_CHOICE = (
    0.52,
    0.7,
)  # an open condition, by the square of its progress; a card about to be chosen
ROUTE_HOPE, SETTLEMENT, ACTIVE = 0.78, 0.12, 2.9
AHEAD, RUSH = 0.77, 1.5  # of each tile gone on; of each tile beyond what the game has come to, squared
SIDE, STACK = 0.36, 0.13  # cards that the next one in the best column would activate beside it, in the column
UNPLAYED = 0.25  # of the cards, when a game ends
LEAD = np.array([0.01, 0.02, 0.02, 0.14, 0.16, 0.79, 1])  # of a province: behind by 3, ..., level, ahead by 3


@kernel
def value(s, seat):
    """How good the table looks to `seat`: points and prospects, over those of the strongest other and of all others."""
    own, best, others = 0.0, -1000.0, 0.0
    for other in range(s.num_players):
        worth = _prospects(s, other)
        if other == seat:
            own = worth
        else:
            best = max(best, worth)
            others += worth
    return own - 0.5 * best - 0.5 * others / (s.num_players - 1)


@kernel
def _prospects(s, seat):
    """Points, and what can become of the seat's cards and settlements."""
    worth = float(province_points(s, seat) + route_points(s, seat))
    left = part_left(s)
    worth += _cities_worth(s, seat, left)
    if s.finished:
        return worth
    for terrain in range(NUM_TERRAINS):
        worth += left * _route_hope(s, seat, terrain)
    for tile in range(s.open):
        if s.province_of[tile] == NONE:
            worth += s.province[tile] * _province_hope(s, seat, tile)
    ahead = max(0.0, s.at[seat] - (1.0 - left) * (s.lands - 1))
    worth += SETTLEMENT * (MARKERS - s.markers[seat]) - AHEAD * s.at[seat] - RUSH * ahead * ahead
    worth += left * (SIDE * _best_sides(s, seat) + STACK * _best_stack(s, seat))
    if seat == s.seat:
        worth += _turn_worth(s, seat)
    return worth


@kernel
def part_left(s):
    """About how much of the game is left: float, 1 at the start, 0 when the end is near."""
    cards, total = 0, -PILES_IN_PLAY  # one of each pile in play is open from the start
    for card in range(FACES):
        cards += s.unseen[card]
        total += DECK[s.num_players - 2, card]
    left = max(0.0, cards / total - UNPLAYED) / (1.0 - UNPLAYED)
    if s.open == s.lands:
        left = min(left, s.free[s.lands - 1] / HUT_COUNT[s.tile[s.lands - 1]])
    return 0.0 if s.ending else left


@kernel
def _cities_worth(s, seat, left):
    """Points of conditions that are met; of the others, while there is play left, a part that grows with progress."""
    worth = 0.0
    for k in range(s.cities[seat]):
        part = progress(s, seat, s.city[seat, k])
        if part < 1.0:
            part = left * CITY_HOPE * part * part
        worth += part * CITY_POINTS[s.city[seat, k]]
    return worth


@kernel
def _route_hope(s, seat, terrain):
    """The best token that the line at the far end of the row may still bring, by the square of its progress."""
    if s.tail_of[terrain] != seat:
        return 0.0
    own, length, hope = route_level(s, seat, terrain), s.tail[terrain], 0.0
    has = ROUTE_POINTS[own] if own != NONE else 0
    for level in range(own + 1, NUM_ROUTES):
        if s.route_of[terrain, level] == NONE and length < ROUTE_LENGTH[level]:
            part = length / ROUTE_LENGTH[level]
            hope = max(hope, (ROUTE_POINTS[level] - has) * part * part)
    return ROUTE_HOPE * hope


@kernel
def _province_hope(s, seat, tile):
    """The chance of the province, from the lead over the best other and from who can still settle there."""
    own, best = s.count[seat, tile], 0
    for other in range(s.num_players):
        if other != seat:
            best = max(best, s.count[other, tile])
    lead = own - best
    if s.at[seat] > tile:
        return LEAD[min(lead, 3) + 3] if lead > 0 else 0.0
    return 0.0 if own == 0 else LEAD[max(-3, min(lead, 3)) + 3]


@kernel
def _best_sides(s, seat):
    """The most cards that the next card in any column would lie beside."""
    best = 0
    for column in range(s.columns[seat]):
        sides = 0
        for beside in (column - 1, column + 1):
            sides += card_at(s, seat, beside, s.height[seat, column]) != NONE
        best = max(best, sides)
    return best


@kernel
def _best_stack(s, seat):
    """The most cards of one technology in a column, which the next one of them would activate."""
    best = 0
    for column in range(s.columns[seat]):
        for card in range(FACES):
            if s.in_matrix[seat, card] > best:
                best = max(best, cards_in_column(s, seat, column, card))
    return best


@kernel
def _turn_worth(s, seat):
    """What the seat is about to do: cards to place, settlements to make, a city to choose."""
    of_use = useful(s, seat)
    if s.phase == Phase.COLUMN:
        return ACTIVE * best_activation(s, seat, s.card, of_use)
    worth = CITY_CHOICE if s.phase == Phase.CITY else 0.0
    for card in range(NUM_CARDS):
        if s.activated[card] > 0 and (of_use >> card) & 1:
            worth += ACTIVE * s.activated[card]
    return worth - ACTIVE if s.phase == Phase.CARD else worth


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
def best_activation(s, seat, card, of_use):
    """The most settlements that a card can bring, over all places for it."""
    best = 0
    for where in range(COLUMNS + 2):
        best = max(best, activation(s, seat, card, where, of_use))
    return best


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
