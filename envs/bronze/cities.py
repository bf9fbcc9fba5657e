"""City cards: what each condition counts, and whether it is met."""

from __future__ import annotations

from ..engine.compile import kernel
from .components import (
    CITY_AND,
    CITY_CONDITION,
    CITY_NEED,
    CITY_OF,
    CITY_POINTS,
    FACES,
    LANDS,
    NUM_CARDS,
    NUM_ROUTES,
    NUM_SETTLERS,
    NUM_TERRAINS,
    RULE,
    Condition,
)
from .state import NONE

COLUMNS, MARKERS = RULE.columns, RULE.markers


@kernel
def is_met(s, seat, city):
    """Whether the seat fulfils the condition of a city card (End of the Game)."""
    return counted(s, seat, city) >= CITY_NEED[city]


@kernel
def city_points(s, seat):
    """Points of the seat's city cards whose conditions are met now."""
    points = 0
    for k in range(s.cities[seat]):
        if is_met(s, seat, s.city[seat, k]):
            points += CITY_POINTS[s.city[seat, k]]
    return points


@kernel
def progress(s, seat, city):
    """How far the seat is with a city card: float, 1 when it is met."""
    return min(1.0, counted(s, seat, city) / CITY_NEED[city])


@kernel
def counted(s, seat, city):
    """What the seat has of that which a city card counts."""
    kind, of = CITY_CONDITION[city], CITY_OF[city]
    if kind == Condition.TERRAIN:
        return s.in_terrain[seat, of]
    elif kind == Condition.PAIR:
        return s.in_terrain[seat, of] + s.in_terrain[seat, CITY_AND[city]]
    elif kind == Condition.SETTLERS:
        return s.of_settler[seat, of]
    elif kind == Condition.BALANCE:
        return _fewest_of_a_type(s, seat)
    elif kind == Condition.SETTLEMENTS:
        return MARKERS - s.markers[seat]
    elif kind == Condition.TERRAINS:
        return _terrains_with(s, seat, of)
    elif kind == Condition.TILES:
        return _tiles_with(s, seat, of)
    elif kind == Condition.LAST_TILE:
        return s.count[seat, s.lands - 1]
    elif kind == Condition.PROVINCES:
        return _provinces(s, seat)
    elif kind == Condition.ROUTES:
        return _routes_from(s, seat, of)
    elif kind == Condition.CITIES:
        return s.cities[seat]
    elif kind == Condition.TECHNOLOGY:
        return s.in_matrix[seat, of]
    elif kind == Condition.TECHNOLOGIES:
        return _technologies(s, seat)
    elif kind == Condition.STACK:
        return _largest_stack(s, seat)
    elif kind == Condition.COLUMN:
        return _longest_column(s, seat)
    return _complete_rows(s, seat)


@kernel
def _fewest_of_a_type(s, seat):
    """Settlements in huts of the type of which the seat has the fewest."""
    fewest = s.of_settler[seat, 0]
    for settler in range(1, NUM_SETTLERS):
        fewest = min(fewest, s.of_settler[seat, settler])
    return fewest


@kernel
def _terrains_with(s, seat, least):
    """Terrains in which the seat has at least so many settlements."""
    found = 0
    for terrain in range(NUM_TERRAINS):
        found += s.in_terrain[seat, terrain] >= least
    return found


@kernel
def _tiles_with(s, seat, least):
    """Tiles on which the seat has at least so many settlements."""
    found = 0
    for tile in range(LANDS):  # those not open have none
        found += s.count[seat, tile] >= least
    return found


@kernel
def _provinces(s, seat):
    """Province tokens of the seat."""
    found = 0
    for tile in range(LANDS):
        found += s.province_of[tile] == seat
    return found


@kernel
def _routes_from(s, seat, level):
    """Trade route tokens of the seat, of this level or a higher one; it has at most one in a terrain."""
    found = 0
    for terrain in range(NUM_TERRAINS):
        for higher in range(level, NUM_ROUTES):
            found += s.route_of[terrain, higher] == seat
    return found


@kernel
def route_level(s, seat, terrain):
    """Level of the seat's trade route token in a terrain: 0, 1, 2, or -1 without one."""
    if s.route_of[terrain, 0] == seat:
        return 0
    elif s.route_of[terrain, 1] == seat:
        return 1
    return 2 if s.route_of[terrain, 2] == seat else NONE


@kernel
def _technologies(s, seat):
    """Technologies of which the seat has a card face up; Bronze Casting is a back."""
    found = 0
    for card in range(FACES):
        found += s.in_matrix[seat, card] > 0
    return found


@kernel
def _largest_stack(s, seat):
    """Most cards of one technology in one column, Bronze Casting among them."""
    most = min(s.columns[seat], 1)
    for card in range(NUM_CARDS):
        if s.in_matrix[seat, card] > most:
            for column in range(s.columns[seat]):
                most = max(most, cards_in_column(s, seat, column, card))
    return most


@kernel
def cards_in_column(s, seat, column, card):
    """Cards of one technology in a column."""
    found = 0
    for row in range(s.height[seat, column]):
        found += s.matrix[seat, column, row] == card
    return found


@kernel
def _longest_column(s, seat):
    """Cards in the longest column."""
    longest = 0
    for column in range(s.columns[seat]):
        longest = max(longest, s.height[seat, column])
    return longest


@kernel
def _complete_rows(s, seat):
    """Rows of the matrix with a card in each of four columns: as many as the shortest column has cards."""
    shortest = s.height[seat, 0]
    for column in range(1, COLUMNS):
        shortest = min(shortest, s.height[seat, column])
    return shortest
