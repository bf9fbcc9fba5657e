"""Victory Conditions."""

from __future__ import annotations

from ...engine.compile import kernel
from ..components import NUM_PEOPLES, NUM_SIZES, RULE, God
from ..state import NONE
from .board import max_extent

TERRITORY_POINTS, CITY_POINTS, BET_POINTS = RULE.territory_points, RULE.city_points, RULE.bet_points
BETS, DEATH_PEOPLES, WISDOM = RULE.bets, RULE.death_peoples, RULE.wisdom


@kernel
def scores(s, out):
    """Points of each seat as they stand (Victory Conditions)."""
    for seat in range(s.num_players):
        out[seat] = people_points(s, seat) + bet_points(s, seat)
        if s.god[seat] == God.DEATH:
            out[seat] += wiped_out(s) // DEATH_PEOPLES


@kernel
def people_points(s, seat):
    """A point for each territory of the peoples it represents, and one more for each city there."""
    points = 0
    for k in range(NUM_SIZES):
        people = s.destiny[seat, k]
        if people != NONE:
            points += TERRITORY_POINTS * s.extent[people] + CITY_POINTS * s.towns[people]
    return points


@kernel
def bet_points(s, seat):
    """Three points for each card bet on a people at its maximum extent, none for a people it represents."""
    points = 0
    for k in range(BETS):
        people = s.bets[seat, k]
        if (
            people != NONE
            and s.extent[people] >= extent_to_bet_on(s, seat, people)
            and not represents(s, seat, people)
        ):
            points += BET_POINTS
    return points


@kernel
def extent_to_bet_on(s, seat, people):
    """A bet scores at the maximum extent of its people; with the god of wisdom a quarter less will do."""
    most = max_extent(s, people)
    return most - most // WISDOM if s.god[seat] == God.WISDOM else most


@kernel
def represents(s, seat, people):
    """Whether the seat holds the destiny card of a people."""
    for k in range(NUM_SIZES):
        if s.destiny[seat, k] == people:
            return True
    return False


@kernel
def wiped_out(s):
    """Peoples that control no territory."""
    count = 0
    for people in range(NUM_PEOPLES):
        count += s.extent[people] == 0
    return count
