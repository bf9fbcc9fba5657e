"""The rules of Bronze, in the order of the rulebook.

Rulings are numbered as in RULES.md. Nobody ever looks at a hidden card or tile alone, so what lies hidden is drawn when
it is turned up, evenly from all that has not been seen (ruling 1).
"""

from __future__ import annotations

import numpy as np

from ..engine.chance import draw, randint, shuffle
from ..engine.compile import kernel
from ..engine.table import place_by
from .cities import cards_in_column, city_points, route_level
from .components import (
    CELLS,
    CELLS_IN,
    CITY_PAWNS,
    DECK,
    FACES,
    FIT,
    HUT,
    HUT_COUNT,
    NUM_CARDS,
    NUM_CITIES,
    NUM_ROUTES,
    NUM_TERRAINS,
    OFFER,
    PLACES,
    PROVINCE,
    ROUTE_LENGTH,
    ROUTE_POINTS,
    RULE,
    Card,
)
from .state import NONE, A, Phase

MARKERS, COLUMNS = RULE.markers, RULE.columns
PILES, PILES_IN_PLAY = RULE.piles, RULE.piles_in_play
MORE_LANDS, MORE_CITIES = RULE.lands_beyond_twice_players, RULE.cities_beyond_players
OPEN_FOR_TWO, OPEN_FOR_MORE = RULE.open_for_two, RULE.open_for_more
RESERVE = PILES_IN_PLAY  # the reserve pile is the one after those in play
NEW_LEFT, NEW_RIGHT = COLUMNS, COLUMNS + 1  # after the numbers of the columns


# -- Setting up --------------------------------------------------------------------------------------------------------


@kernel
def setup(s):
    """Deal a table (Preparar)."""
    _lay_tiles(s)
    _lay_provinces(s)
    _form_piles(s)
    s.markers[: s.num_players] = MARKERS
    for city in range(NUM_CITIES):
        s.city_unseen[city] = CITY_PAWNS[city] <= s.num_players
    s.shown[:] = NONE
    s.city[:] = NONE
    s.route_of[:] = NONE
    s.tail_of[:] = NONE
    s.matrix[:] = NONE
    s.spot_tile = NONE
    s.spot_cell = NONE
    s.first = randint(s, s.num_players)
    s.seat = s.first
    _begin_turn(s)


@kernel
def _lay_tiles(s):
    """Random land tiles in a line from the start strip, one of them face up for two players, else two."""
    s.lands = MORE_LANDS + 2 * s.num_players
    s.tile[:] = NONE
    s.tile_unseen[:] = 1
    for _ in range(OPEN_FOR_TWO if s.num_players == 2 else OPEN_FOR_MORE):
        _open_tile(s)


@kernel
def _lay_provinces(s):
    """A random province token face up at every land tile."""
    s.province_of[:] = NONE
    s.province[:] = 0
    left = s.lands
    for k in range(len(PROVINCE)):  # a token in turn: it is among those laid out with the chance it has left
        if randint(s, len(PROVINCE) - k) < left:
            left -= 1
            s.province[left] = PROVINCE[k]
    shuffle(s, s.province, 0, s.lands)


@kernel
def _form_piles(s):
    """The technology cards for this many players in five piles as equal as can be, the first four with an open card."""
    total = 0
    for card in range(FACES):
        s.unseen[card] = DECK[s.num_players - 2, card]
        total += s.unseen[card]
    for pile in range(PILES):
        s.pile[pile] = (total + PILES - 1 - pile) // PILES
    for pile in range(PILES_IN_PLAY):
        s.top[pile] = draw(s, s.unseen)


# -- Game turn ---------------------------------------------------------------------------------------------------------


@kernel
def legal(s, mask):
    """Mark what the acting seat may do."""
    if s.phase == Phase.TAKE:
        for pile in range(PILES_IN_PLAY):
            mask[A.take + 2 * pile] = s.top[pile] != NONE
            mask[A.take + 2 * pile + 1] = s.top[pile] != NONE
    elif s.phase == Phase.COLUMN:
        _may_extend(s, mask)
    elif s.phase == Phase.SETTLE:
        mask[A.stop] = True
        _may_settle(s, mask)
    elif s.phase == Phase.CARD:
        for card in range(NUM_CARDS):
            mask[A.use + card] = s.activated[card] > 0 and fits(s, card, s.spot_tile, s.spot_cell)
    else:
        for k in range(OFFER):
            city = s.shown[s.at[s.seat], k]
            if city != NONE:
                mask[A.city + city] = True


@kernel
def apply(s, action):
    """Play a legal action and run on to the next decision."""
    if action < A.column:
        _take_card(s, action // 2, action % 2 == 1)
    elif action < A.settle:
        _place_card(s, action - A.column)
    elif action < A.use:
        _settle(s, s.at[s.seat] + (action - A.settle) // CELLS, (action - A.settle) % CELLS)
    elif action < A.stop:
        _use_card(s, action - A.use)
    elif action == A.stop:
        _end_turn(s)
    else:
        _take_city(s, action - A.city)


@kernel
def _begin_turn(s):
    """The acting seat chooses a technology card."""
    s.phase = Phase.TAKE
    s.card = NONE
    s.activated[:] = 0


# -- 1. Choosing and playing a technology card -------------------------------------------------------------------------


@kernel
def _take_card(s, pile, face_down):
    """Take the open card of a pile, to be played face up or as Bronze Casting; the next one is opened."""
    s.card = s.top[pile]
    if face_down:
        s.face_down[s.card] += 1
        s.card = Card.BRONZE_CASTING
    _open_card(s, pile)
    s.phase = Phase.COLUMN


@kernel
def _open_card(s, pile):
    """Turn up the next card of a pile; the reserve comes in for the first that is empty, the second ends the game."""
    s.pile[pile] -= 1
    if s.pile[pile] == 0:
        s.empty += 1
        if s.empty == 1:
            s.pile[pile] = s.pile[RESERVE]
            s.pile[RESERVE] = 0
        else:
            s.ending = True
            _award_provinces(s)  # seats that have played in this round cannot catch up (ruling 7)
    s.top[pile] = draw(s, s.unseen) if s.pile[pile] > 0 else NONE


@kernel
def _may_extend(s, mask):
    """Under a column of the matrix, or on top of a new one to its right or left, while there are not four."""
    columns = s.columns[s.seat]
    for column in range(columns):
        mask[A.column + column] = True
    if columns < COLUMNS:
        mask[A.column + NEW_LEFT] = columns > 0  # the first card has no sides (ruling 5)
        mask[A.column + NEW_RIGHT] = True


@kernel
def _place_card(s, where):
    """Put the card into the matrix; that activates it and others."""
    seat = s.seat
    if where == NEW_LEFT:
        _make_room_on_the_left(s, seat)
    if where >= NEW_LEFT:
        column = 0 if where == NEW_LEFT else s.columns[seat]
        s.columns[seat] += 1
    else:
        column = where
    row = s.height[seat, column]
    s.matrix[seat, column, row] = s.card
    s.height[seat, column] += 1
    s.in_matrix[seat, s.card] += 1
    _activate(s, seat, column, row)
    s.card = NONE
    if s.ending:
        s.phase = Phase.SETTLE
        _award_provinces(s)  # the cards that this seat can still use are known now (ruling 7)
    _go_on(s)


@kernel
def _make_room_on_the_left(s, seat):
    """Columns are numbered from the left: a new first one moves the numbers of the others on, not their cards."""
    for column in range(s.columns[seat], 0, -1):
        for row in range(s.height[seat, column - 1]):
            s.matrix[seat, column, row] = s.matrix[seat, column - 1, row]
            s.matrix[seat, column - 1, row] = NONE
        s.height[seat, column] = s.height[seat, column - 1]
    s.height[seat, 0] = 0


# -- 2. Activating technology cards ------------------------------------------------------------------------------------


@kernel
def _activate(s, seat, column, row):
    """The new card, its neighbours in the row, and cards of its technology in the column, but for Bronze Casting."""
    card = s.matrix[seat, column, row]
    s.activated[card] += 1 if card == Card.BRONZE_CASTING else cards_in_column(s, seat, column, card)
    for beside in (column - 1, column + 1):
        neighbour = card_at(s, seat, beside, row)
        if neighbour != NONE:
            s.activated[neighbour] += 1


@kernel
def card_at(s, seat, column, row):
    """The card in a place of the matrix, -1 for none."""
    if column < 0 or column >= s.columns[seat] or row >= s.height[seat, column]:
        return NONE
    return s.matrix[seat, column, row]


# -- 3. Placing settlements --------------------------------------------------------------------------------------------


@kernel
def fits(s, card, tile, cell):
    """Whether terrain and type of a hut are among those that the card shows."""
    return (FIT[s.tile[tile], card] >> cell) & 1 == 1


@kernel
def open_to(s, tile):
    """Cells of a tile that the activated cards let the acting seat settle, a bit each."""
    cells = 0
    for card in range(NUM_CARDS):
        cells |= FIT[s.tile[tile], card] * int(s.activated[card] > 0)
    return cells & ~s.taken[tile]


@kernel
def _may_settle(s, mask):
    """Free huts that fit an activated card, on open tiles from that of the latest settlement on: never back."""
    at = s.at[s.seat]
    for tile in range(at, s.open):
        cells = open_to(s, tile)
        start = A.settle + (tile - at) * CELLS
        for cell in range(CELLS):
            mask[start + cell] = (cells >> cell) & 1


@kernel
def _go_on(s):
    """Ask for the next settlement; the turn ends when none is possible."""
    if s.markers[s.seat] > 0:
        for tile in range(s.at[s.seat], s.open):
            if open_to(s, tile) != 0:
                s.phase = Phase.SETTLE
                return
    _end_turn(s)


@kernel
def _settle(s, tile, cell):
    """Place a marker; if cards of several technologies fit, the seat says which one it uses (ruling 4)."""
    fitting, used = 0, NONE
    for card in range(NUM_CARDS):
        if s.activated[card] > 0 and fits(s, card, tile, cell):
            fitting += 1
            used = card
    _place_marker(s, s.seat, tile, cell)
    if s.markers[s.seat] == 0 or (s.open == s.lands and s.free[s.lands - 1] == 0):
        s.ending = True
    s.spot_tile = tile
    s.spot_cell = cell
    s.phase = Phase.CARD
    if fitting == 1:
        _use_card(s, used)
    else:
        _award_provinces(s)


@kernel
def _place_marker(s, seat, tile, cell):
    """A settlement of the seat stands in this hut, its latest; lines in its row may have grown or been broken."""
    s.owner[tile, cell] = seat + 1
    s.taken[tile] |= 1 << cell
    s.free[tile] -= 1
    s.count[seat, tile] += 1
    s.at[seat] = tile
    s.markers[seat] -= 1
    s.in_terrain[seat, cell // PLACES] += 1
    s.of_settler[seat, HUT[s.tile[tile], cell]] += 1
    _trade_routes(s, seat, cell // PLACES)


@kernel
def _use_card(s, card):
    """The settlement was for this card, whose use is up; what it brings follows (ruling 4)."""
    tile = s.spot_tile
    s.activated[card] -= 1
    s.spot_tile = NONE
    s.spot_cell = NONE
    s.phase = Phase.SETTLE
    _award_provinces(s)
    if tile == s.open - 1 and s.open < s.lands:
        _open_tile(s)
    if s.count[s.seat, tile] == 1 and tile > 0:
        _arrive(s, tile)
    else:
        _go_on(s)


@kernel
def _open_tile(s):
    """Turn up the next face-down tile."""
    tile = draw(s, s.tile_unseen)
    s.tile[s.open] = tile
    s.free[s.open] = HUT_COUNT[tile]
    s.open += 1


@kernel
def _arrive(s, tile):
    """The first settlement of a seat on a tile: the first seat draws city cards, each takes one of those there."""
    first = True
    for seat in range(s.num_players):
        first = first and (seat == s.seat or s.count[seat, tile] == 0)
    if first:
        for k in range(s.num_players + MORE_CITIES):
            s.shown[tile, k] = draw(s, s.city_unseen)
    s.phase = Phase.CITY


@kernel
def _take_city(s, city):
    """Take one of the city cards at the tile; the one that is left when all have chosen is discarded."""
    seat, tile = s.seat, s.at[s.seat]
    s.city[seat, s.cities[seat]] = city
    s.cities[seat] += 1
    arrived = 0
    for other in range(s.num_players):
        arrived += s.count[other, tile] > 0
    for k in range(OFFER):
        if s.shown[tile, k] == city or arrived == s.num_players:
            s.shown[tile, k] = NONE
    _go_on(s)


# -- 4. Trade routes and provinces -------------------------------------------------------------------------------------


@kernel
def _trade_routes(s, seat, terrain):
    """Tokens for unbroken lines, after a settlement in this row; a token that was put back may serve another seat."""
    _measure_lines(s, terrain)
    changed = True
    while changed:
        changed = False
        for k in range(s.num_players):
            changed = _claim_route(s, (seat + k) % s.num_players, terrain) or changed


@kernel
def _measure_lines(s, terrain):
    """The longest line of each seat in a row: only settlements of others break it, not free huts."""
    for seat in range(s.num_players):
        s.line[seat, terrain] = 0
    holder, run = 0, 0
    for tile in range(s.open):
        for cell in range(terrain * PLACES, (terrain + 1) * PLACES):
            owner = s.owner[tile, cell]
            if owner != 0:
                run = run + 1 if owner == holder else 1
                holder = owner
                s.line[holder - 1, terrain] = max(s.line[holder - 1, terrain], run)
    s.tail[terrain] = run
    s.tail_of[terrain] = holder - 1


@kernel
def _claim_route(s, seat, terrain):
    """Take the best token that the line is long enough for and nobody has, and put a lower one back: whether it did."""
    own = route_level(s, seat, terrain)
    for level in range(NUM_ROUTES - 1, own, -1):
        if s.line[seat, terrain] >= ROUTE_LENGTH[level] and s.route_of[terrain, level] == NONE:
            s.route_of[terrain, level] = seat
            if own != NONE:
                s.route_of[terrain, own] = NONE
            return True
    return False


@kernel
def _award_provinces(s):
    """Whoever is certainly ahead on an open tile takes its token.

    All of them are looked at after anything that lets a seat add less: a marker spent counts on every tile that its
    owner can still reach, the end that has come near counts on all tiles.
    """
    for tile in range(s.open):
        if s.province_of[tile] == NONE:
            s.province_of[tile] = certainly_ahead(s, tile)


@kernel
def certainly_ahead(s, tile):
    """The seat that no other can reach any more on a tile, -1 for none (ruling 7)."""
    leader, most = NONE, 0
    for seat in range(s.num_players):
        if s.count[seat, tile] > most:
            leader, most = seat, s.count[seat, tile]
    if leader == NONE:
        return NONE
    for seat in range(s.num_players):
        if seat != leader and s.count[seat, tile] + can_add(s, seat, tile) >= most:
            return NONE
    return leader


@kernel
def can_add(s, seat, tile):
    """The most settlements that a seat may still place on a tile (ruling 7)."""
    if s.at[seat] > tile or s.finished:
        return 0
    room = min(s.free[tile], s.markers[seat])
    if s.ending:
        turn = (s.seat - s.first) % s.num_players
        if (seat - s.first) % s.num_players < turn:
            return 0
        if seat == s.seat and s.phase >= Phase.SETTLE:
            room = min(room, _most_by_turn(s, tile))
    return room


@kernel
def _most_by_turn(s, tile):
    """The most huts of a tile that the acting seat can still settle in its turn.

    While it is to name the card for a settlement, one of those that fit there is used up.
    """
    if s.phase != Phase.CARD:
        return _most_by_activated(s, tile, NONE)
    most = 0
    for card in range(NUM_CARDS):
        if s.activated[card] > 0 and fits(s, card, s.spot_tile, s.spot_cell):
            most = max(most, _most_by_activated(s, tile, card))
    return most


@kernel
def _most_by_activated(s, tile, used):
    """The most free huts of a tile that the activated cards but for one `used` can settle, each card one that fits it.

    That is the least, over all choices of some activated technologies, of the huts that fit any of them plus the cards
    of the others (König's theorem); three technologies at most are activated at a time.
    """
    active = 0
    for card in range(NUM_CARDS):
        if s.activated[card] > 0:
            active |= 1 << card
    chosen, most = active, CELLS
    while True:
        huts, cards = 0, 0
        for card in range(NUM_CARDS):
            if (chosen >> card) & 1:
                huts |= FIT[s.tile[tile], card]
            else:
                cards += s.activated[card] - int(card == used)
        most = min(most, cards + CELLS_IN[huts & ~s.taken[tile]])
        if chosen == 0:
            return most
        chosen = (chosen - 1) & active


# -- End of the game ---------------------------------------------------------------------------------------------------


@kernel
def _end_turn(s):
    """The next seat plays, clockwise; the last round ends with the seat to the right of the first player."""
    following = (s.seat + 1) % s.num_players
    if s.ending and following == s.first:
        s.finished = True
    else:
        s.seat = following
    _begin_turn(s)
    if s.ending:
        _award_provinces(s)  # who has no turn left cannot catch up (ruling 7)


@kernel
def province_points(s, seat):
    """Points of the seat's province tokens."""
    points = 0
    for tile in range(s.lands):
        if s.province_of[tile] == seat:
            points += s.province[tile]
    return points


@kernel
def route_points(s, seat):
    """Points of the seat's trade route tokens."""
    points = 0
    for terrain in range(NUM_TERRAINS):
        for level in range(NUM_ROUTES):
            if s.route_of[terrain, level] == seat:
                points += ROUTE_POINTS[level]
    return points


@kernel
def scores(s, out):
    """Points of each seat: provinces, trade routes, city cards (End of the Game)."""
    for seat in range(s.num_players):
        out[seat] = province_points(s, seat) + route_points(s, seat) + city_points(s, seat)


@kernel
def placing(s, out):
    """Most points; a tie goes to more points from cities, then trade routes, then provinces; then it is shared."""
    strengths = np.zeros(s.num_players, np.int64)
    for seat in range(s.num_players):
        strengths[seat] = _strength(s, seat)
    place_by(s, strengths, out)


@kernel
def _strength(s, seat):
    """Points, and those from cities and routes, in one number that is compared like the three.

    Seats that are equal in these three are equal in the points from provinces, too.
    """
    cities, routes = city_points(s, seat), route_points(s, seat)
    return ((province_points(s, seat) + routes + cities) * 1000 + cities) * 1000 + routes
