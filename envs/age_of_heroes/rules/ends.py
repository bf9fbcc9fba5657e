"""Defeat and Victory."""

from __future__ import annotations

from ...engine.compile import kernel
from ..components import NUM_EVENTS, RULE, Building, Card
from ..hands import forget_hands
from ..state import Stage
from .promises import forget_promises
from .table import before_in_play, next_in_play, seats_in_play

EMPIRE, MONUMENT, POINTS_FOR_VICTORY = RULE.empire, RULE.monument, RULE.points_for_victory


# -- Defeat ------------------------------------------------------------------------------------------------------------


@kernel
def note_defeats(s):
    """Whoever has no card in hand and no city has lost; all who lose at one stroke share their place (ruling 21)."""
    left, out = 0, 0
    for seat in range(s.num_players):
        if s.eliminated[seat] == 0:
            left += 1
            out += _is_defeated(s, seat)
    if out > 0:
        for seat in range(s.num_players):
            if s.eliminated[seat] == 0 and _is_defeated(s, seat):
                _leave_the_game(s, seat)
                s.eliminated[seat] = left - out + 1
        _join_roads_of_two(s)
        _last_one_wins(s)


@kernel
def _is_defeated(s, seat):
    """No card and no city; a card counts that is just being drawn, or that waits to be played at the Fair."""
    if s.cities[seat] > 0 or s.hand_size[seat] > 0 or (seat == s.turn and s.draws > 0):
        return False
    waiting = 0
    for event in range(NUM_EVENTS):
        waiting += s.waiting[seat, event]
    return waiting == 0


@kernel
def _leave_the_game(s, seat):
    """Roads that led there are destroyed, and all other cards go back to their decks."""
    s.supply[Building.ROAD] += s.road[seat]
    s.road[seat] = 0
    before = before_in_play(s, seat)
    s.supply[Building.ROAD] += s.road[before]
    s.road[before] = 0
    led = s.led[seat] + s.out_led[seat] + s.back_led[seat]
    unled = s.army[seat] + s.shaken[seat] + s.out[seat] + s.back[seat]
    s.supply[Building.ARMY] += led + unled
    s.supply[Building.GENERAL] += led
    s.supply[Building.FORTRESS] += s.fortresses[seat]
    s.discards[Card.EARTHQUAKE] += s.shaken[seat] + s.idle_quakes[seat]
    s.idle_quakes[seat] = 0
    s.discards[Card.LIMESTONE + s.tribe[seat]] += s.monument[seat]
    s.led[seat], s.out_led[seat], s.back_led[seat] = 0, 0, 0
    s.army[seat], s.shaken[seat], s.out[seat], s.back[seat] = 0, 0, 0, 0
    s.fortresses[seat], s.monument[seat], s.claim[seat] = 0, 0, 0
    forget_promises(s, seat)
    forget_hands(s, seat)


@kernel
def _join_roads_of_two(s):
    """Two tribes that are left are neighbours on both sides: their road is one."""
    if seats_in_play(s) == 2:
        seat = 0
        while s.eliminated[seat] > 0:
            seat += 1
        other = next_in_play(s, seat)
        joined = max(s.road[seat], s.road[other])
        s.supply[Building.ROAD] += s.road[seat] + s.road[other] - joined
        s.road[seat] = joined
        s.road[other] = 0


@kernel
def _last_one_wins(s):
    """The one player who remains has won; if nobody remains, those who went last share the victory (ruling 21)."""
    count = seats_in_play(s)
    if count > 1:
        return
    s.finished = True
    for seat in range(s.num_players):
        if s.eliminated[seat] == 0:
            s.winner = seat


# -- Victory -----------------------------------------------------------------------------------------------------------


@kernel
def claims_victory(s, seat):
    """An empire of five cities, or a monument of culture of five special resources."""
    return s.cities[seat] >= EMPIRE or s.monument[seat] >= MONUMENT


@kernel
def note_claims(s):
    """Five cities or a finished monument: the final turn begins (ruling 22)."""
    for seat in range(s.num_players):
        if s.claim[seat] == 0 and s.eliminated[seat] == 0 and claims_victory(s, seat):
            in_own_turn = seat == s.turn and s.stage >= Stage.DRAW
            s.claim[seat] = 1 if in_own_turn else 2


@kernel
def judge_claim(s):
    """At the end of the turn after a claim: whoever still has what it takes, or has it again, has won."""
    seat = s.turn
    if s.claim[seat] == 2:
        if claims_victory(s, seat):
            s.winner = seat
            s.finished = True
        else:
            s.claim[seat] = 0
    elif s.claim[seat] == 1:
        s.claim[seat] = 2


@kernel
def scores(s, out):
    """Cities and special resources on monuments, and twenty more for the winner: the rulebook has no points."""
    for seat in range(s.num_players):
        out[seat] = s.cities[seat] + s.monument[seat]
        if seat == s.winner:
            out[seat] += POINTS_FOR_VICTORY


@kernel
def cut(s):
    """The last round of the limit is over, and the Fair of the next one has not begun (ruling 23)."""
    return s.stage == Stage.ROUND and s.round >= s.rounds
