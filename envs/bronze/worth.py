"""How good a table looks to a seat, for players that look ahead.

Points, and what can still become of cards, settlements and conditions. Whatever two actions of one decision can differ
in must count here, or who looks one decision ahead throws dice: where a card is still to be placed, its best place
counts; a matrix counts by what the next card will activate in it, and a card face up by all those like it that are
still to come; an activated card counts by the huts that it fits, so that the one that fits most is kept; a condition
counts by what a seat still comes to.
"""

from __future__ import annotations

import numpy as np

from ..engine.compile import kernel
from .cities import cards_in_column, counted, route_level
from .components import (
    CELLS_IN,
    CITY_CONDITION,
    CITY_NEED,
    CITY_OF,
    CITY_POINTS,
    DECK,
    FACES,
    FIT,
    HUT_COUNT,
    NUM_CARDS,
    NUM_CITIES,
    NUM_ROUTES,
    NUM_TERRAINS,
    PLACES,
    ROUTE_LENGTH,
    ROUTE_POINTS,
    Card,
    Condition,
    Terrain,
)
from .knowledge import may_lie
from .rules import (
    COLUMNS,
    MARKERS,
    NEW_LEFT,
    NEW_RIGHT,
    PILES_IN_PLAY,
    card_at,
    province_points,
    route_points,
)
from .state import NONE, Phase

# Ours, found by play of greedy players with different weights against each other.
CITY_HOPE, CITY_CHOICE = 0.8, 0.95  # an open condition, at most; a card about to be chosen
COMING, LATE = (
    0.8,
    0.5,
)  # of what a seat comes to in a whole game; a condition keeps its worth until the last half
ROUTE_HOPE, SETTLEMENT, ACTIVE = 0.78, 0.12, 3.2
COVERED = 0.5  # of a line: by the part of the cards in the matrix that settle its terrain
AHEAD, RUSH = 0.77, 1.5  # of each tile gone on; of each tile beyond what the game has come to, squared
NEXT_CARD = 2.5  # each card that the next one will activate, while there is much to come
AGAIN = 4.0  # each card face up of the technology of an average card to come, which can activate it again
CROWDED = 0.6  # huts that an activated card must fit, to be half as good as one that fits any number
UNPLAYED = 0.25  # of the cards, when a game ends
LEAD = np.array([0.01, 0.02, 0.02, 0.14, 0.16, 0.79, 1])  # of a province: behind by 3, ..., level, ahead by 3
FILLED = 0.5  # of the huts that are left on a tile: with one of these a lead is half as safe
# What a seat comes to in a game, by condition, in the mean of greedy games
_COMES_TO = {
    Condition.TERRAIN: 3.5,
    Condition.PAIR: 7.0,
    Condition.SETTLERS: 8.2,
    Condition.BALANCE: 4.8,
    Condition.SETTLEMENTS: 24.0,
    Condition.LAST_TILE: 3.0,
    Condition.PROVINCES: 2.5,
    Condition.CITIES: 7.0,
    Condition.TECHNOLOGIES: 3.5,
    Condition.STACK: 3.7,
    Condition.COLUMN: 4.3,
    Condition.ROWS: 1.8,
}
_COMES_TO_OF = {  # and by what it is counted of
    Condition.TERRAINS: {1: 6.2, 2: 5.0, 3: 4.0, 4: 3.0},
    Condition.TILES: {2: 6.5, 3: 4.8, 5: 1.4, 6: 0.5},
    Condition.ROUTES: {0: 2.7, 1: 1.1, 2: 0.3},
    Condition.TECHNOLOGY: {**dict.fromkeys(range(FACES), 1.1), int(Card.BRONZE_CASTING): 3.8},
}


def _comes_to(city: int) -> float:
    kind, of = Condition(int(CITY_CONDITION[city])), int(CITY_OF[city])
    return _COMES_TO_OF[kind][of] if kind in _COMES_TO_OF else _COMES_TO[kind]


COMES_TO = np.array([_comes_to(city) for city in range(NUM_CITIES)])
_BOX = (1 << PLACES) - 1
#: float64 (NUM_CARDS, NUM_TERRAINS): 1 where a card settles huts of a terrain.
COVERS = np.array(
    [
        [float(((FIT[:, card] >> (terrain * PLACES)) & _BOX).any()) for terrain in Terrain]
        for card in range(NUM_CARDS)
    ]
)
DIGIT = 5  # bits of a count of cards in a column; several such counts are kept in one number
LOW = (1 << DIGIT) - 1


@kernel
def value(s, seat):
    """How good the table looks to `seat`: points and prospects, over those of the strongest other and of all others."""
    own, best, others = 0.0, -1000.0, 0.0
    left = part_left(s)
    for other in range(s.num_players):
        worth = _prospects(s, other, left)
        if other == seat:
            own = worth
        else:
            best = max(best, worth)
            others += worth
    return own - 0.5 * best - 0.5 * others / (s.num_players - 1)


@kernel
def _prospects(s, seat, left):
    """Points, and what can become of the seat's cards and settlements."""
    worth = float(province_points(s, seat) + route_points(s, seat))
    for k in range(s.cities[seat]):
        worth += _city_worth(s, seat, s.city[seat, k], left)
    if s.finished:
        return worth
    for terrain in range(NUM_TERRAINS):
        if s.tail_of[terrain] == seat:
            worth += left * _route_hope(s, seat, terrain)
    for tile in range(s.open):
        if s.province_of[tile] == NONE:
            worth += s.province[tile] * _province_hope(s, seat, tile)
    ahead = max(0.0, s.at[seat] - (1.0 - left) * (s.lands - 1))
    worth += SETTLEMENT * (MARKERS - s.markers[seat]) - AHEAD * s.at[seat] - RUSH * ahead * ahead
    worth += left * AGAIN * activated_again(s, seat)
    if seat != s.seat:
        return worth + left * NEXT_CARD * next_activation(s, seat, NONE, NONE)
    if s.phase == Phase.COLUMN:
        return worth + _best_place(s, seat, left)
    return worth + left * NEXT_CARD * next_activation(s, seat, NONE, NONE) + _turn_worth(s, seat)


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


# -- City cards, trade routes, provinces ------------------------------------------------------------------------------


@kernel
def _city_worth(s, seat, city, left):
    """Points of a condition that is met; else a part, by what the seat has and comes to of what is needed."""
    has, need = _counted_with_card(s, seat, city), CITY_NEED[city]
    if has >= need:
        return float(CITY_POINTS[city])
    if left == 0.0:
        return 0.0
    part = (has + COMING * left * COMES_TO[city]) / need
    odds = part * part * part
    return CITY_HOPE * CITY_POINTS[city] * min(1.0, LATE + left) * odds / (1.0 + odds)


@kernel
def _counted_with_card(s, seat, city):
    """What the seat has of that which a city card counts, the card that it is about to place included."""
    has = counted(s, seat, city)
    if s.phase == Phase.COLUMN and seat == s.seat:
        if CITY_CONDITION[city] == Condition.TECHNOLOGY:
            has += CITY_OF[city] == s.card
        elif CITY_CONDITION[city] == Condition.TECHNOLOGIES:
            has += s.card < FACES and s.in_matrix[seat, s.card] == 0
    return has


@kernel
def _route_hope(s, seat, terrain):
    """The best token that the line at the far end of the row may still bring, by the square of its progress.

    More if the seat's cards settle that terrain.
    """
    own, length, hope = route_level(s, seat, terrain), s.tail[terrain], 0.0
    has = ROUTE_POINTS[own] if own != NONE else 0
    for level in range(own + 1, NUM_ROUTES):
        if s.route_of[terrain, level] == NONE and length < ROUTE_LENGTH[level]:
            part = length / ROUTE_LENGTH[level]
            hope = max(hope, (ROUTE_POINTS[level] - has) * part * part)
    if hope == 0.0:
        return 0.0
    cards, covering = 1, 0.5
    for card in range(NUM_CARDS):
        cards += s.in_matrix[seat, card]
        covering += s.in_matrix[seat, card] * COVERS[card, terrain]
    return ROUTE_HOPE * hope * (1.0 + COVERED * (covering / cards - 0.5))


@kernel
def _province_hope(s, seat, tile):
    """The chance of the province, from the lead over the best other, who can still settle there, and the huts left."""
    own, best = s.count[seat, tile], 0
    for other in range(s.num_players):
        if other != seat:
            best = max(best, s.count[other, tile])
    lead, gone = own - best, s.at[seat] > tile
    if own == 0 or (gone and lead <= 0):
        return 0.0
    safe = lead / (1.0 + FILLED * s.free[tile])
    part = safe / (1.0 + abs(safe))
    chance = part if gone else 0.5 * (1.0 + part)
    return 0.5 * (LEAD[max(-3, min(lead, 3)) + 3] + chance)


# -- Cards ------------------------------------------------------------------------------------------------------------


@kernel
def _turn_worth(s, seat):
    """What the seat is about to do: settlements to make, a city to choose."""
    worth = CITY_CHOICE if s.phase == Phase.CITY else 0.0
    for card in range(NUM_CARDS):
        if s.activated[card] > 0:
            worth += ACTIVE * settlements_by(s, seat, card, s.activated[card])
    return worth - ACTIVE if s.phase == Phase.CARD else worth


@kernel
def settlements_by(s, seat, card, many):
    """About how many settlements so many activated cards of one technology bring: the more huts they fit, the surer."""
    huts = 0
    for tile in range(s.at[seat], s.open):
        huts += CELLS_IN[FIT[s.tile[tile], card] & ~s.taken[tile]]
    return many * huts / (huts + CROWDED * many) if huts > 0 else 0.0


@kernel
def _best_place(s, seat, left):
    """What the card to be placed activates now, and leaves for later, in the place where that is most."""
    best = 0.0
    for where in range(COLUMNS + 2):
        if may_lie(s, seat, where):
            later = left * NEXT_CARD * next_activation(s, seat, s.card, where)
            best = max(best, ACTIVE * settlements_from(s, seat, s.card, where) + later)
    return best


@kernel
def settlements_from(s, seat, card, where):
    """About how many settlements a card brings in this place, by all that it activates."""
    column, row, same = where, 0, 1
    if where == NEW_LEFT:
        column = -1
    elif where == NEW_RIGHT:
        column = s.columns[seat]
    else:
        row = s.height[seat, column]
        if card != Card.BRONZE_CASTING:
            same += cards_in_column(s, seat, column, card)
    left, right = card_at(s, seat, column - 1, row), card_at(s, seat, column + 1, row)
    same += (left == card) + (right == card)
    settlements = settlements_by(s, seat, card, same)
    if left not in (NONE, card):
        settlements += settlements_by(s, seat, left, 1 + (left == right))
    if right not in (NONE, card, left):
        settlements += settlements_by(s, seat, right, 1)
    return settlements


@kernel
def activated_again(s, seat):
    """How many cards face up in the matrix are of the technology of a card to come, on average.

    Under them it activates them all. Cards face down are activated again by neighbours alone.
    """
    cards, alike = 0, 0
    for face in range(FACES):
        to_come = int(s.unseen[face])
        for pile in range(PILES_IN_PLAY):
            to_come += s.top[pile] == face
        placing = s.phase == Phase.COLUMN and seat == s.seat and s.card == face
        cards += to_come
        alike += to_come * (s.in_matrix[seat, face] + placing)
    return alike / max(1, cards)


@kernel
def next_activation(s, seat, card, where):
    """The cards that the best of the open ones will activate for the seat in its next turn, as expected.

    Four cards lie open then, each of them like any that is not played yet. In its best place each activates itself, its
    neighbours and, face up, those like it above; face down each can be had.

    Args:
        s: a table.
        seat: whose matrix.
        card: a card that is taken to lie there, too; `NONE` for the matrix as it is.
        where: its place.
    """
    columns, moved, added = int(s.columns[seat]), int(where == NEW_LEFT), where
    if where >= NEW_LEFT:
        added = 0 if where == NEW_LEFT else columns
        columns += 1
    heights = 0
    for column in range(moved, columns):
        heights |= int(s.height[seat, column - moved]) << (DIGIT * column)
    if card != NONE:
        heights += 1 << (DIGIT * added)
    sides, most = int(0 < columns < COLUMNS), 0  # a new column lies beside one
    uses = np.zeros(FACES, np.int64)
    for column in range(columns):
        height = (heights >> (DIGIT * column)) & LOW
        beside = int((heights >> (DIGIT * (column + 1))) & LOW > height)
        if column > 0:
            beside += int((heights >> (DIGIT * (column - 1))) & LOW > height)
        sides = max(sides, beside)
        counts = 1 << (DIGIT * card) if card != NONE and column == added else 0
        for row in range(height - int(counts != 0)):
            counts += 1 << (DIGIT * s.matrix[seat, column - moved, row])
        for face in range(FACES):
            above = (counts >> (DIGIT * face)) & LOW
            if above > 0:
                uses[face] = max(uses[face], above + beside)
                most = max(most, uses[face])
    return 1.0 + sides + _more_than(s, uses, sides, most)


@kernel
def _more_than(s, uses, sides, most):
    """By how much the best of four open cards is expected to surpass `sides`, when each technology has its `uses`."""
    cards = 0
    for face in range(FACES):
        cards += s.unseen[face]
    for pile in range(PILES_IN_PLAY):
        cards += s.top[pile] != NONE
    more = 0.0
    for least in range(sides + 1, most + 1):
        fitting = 0
        for face in range(FACES):
            if uses[face] >= least:
                fitting += s.unseen[face]
                for pile in range(PILES_IN_PLAY):
                    fitting += s.top[pile] == face
        none = 1.0 - fitting / max(1, cards)
        more += 1.0 - none * none * none * none
    return more


__all__ = ["activated_again", "next_activation", "part_left", "settlements_from", "value"]
