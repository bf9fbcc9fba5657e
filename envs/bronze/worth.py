"""How good a table looks to a seat, for players that look ahead."""

from __future__ import annotations

import numpy as np

from ..engine.compile import kernel
from .cities import cards_in_column, progress, route_level
from .components import (
    CITY_POINTS,
    DECK,
    FACES,
    HUT_COUNT,
    NUM_CARDS,
    NUM_ROUTES,
    NUM_TERRAINS,
    ROUTE_LENGTH,
    ROUTE_POINTS,
)
from .knowledge import activation, useful
from .rules import COLUMNS, MARKERS, PILES_IN_PLAY, card_at, province_points, route_points
from .state import NONE, Phase

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
        city = s.city[seat, k]
        part = progress(s, seat, city)
        if part < 1.0:
            part = left * CITY_HOPE * part * part
        worth += part * CITY_POINTS[city]
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
def best_activation(s, seat, card, of_use):
    """The most settlements that a card can bring, over all places for it."""
    best = 0
    for where in range(COLUMNS + 2):
        best = max(best, activation(s, seat, card, where, of_use))
    return best
