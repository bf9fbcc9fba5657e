"""What must hold at every table of Bronze: each component is somewhere once, no field contradicts another."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.compile import plain
from . import rules
from .components import (
    CELLS,
    CITY_PAWNS,
    DECK,
    FACES,
    HUT,
    MOST_TURNS,
    NUM_CARDS,
    NUM_SETTLERS,
    NUM_TERRAINS,
    NUM_TILES,
    PLACES,
    PROVINCE,
    RULE,
    SEATS,
    Card,
)
from .state import NONE, Phase

certainly_ahead, fits = plain(rules.certainly_ahead), plain(rules.fits)


def check(s: Any) -> None:
    """Hold a table against the components.

    Raises:
        ValueError: naming the field and what would be right.
    """
    _check_ranges(s)
    _check_tiles(s)
    _check_settlements(s)
    _check_lines(s)
    _check_routes(s)
    _check_matrices(s)
    _check_cards(s)
    _check_piles(s)
    _check_turn(s)
    _check_cities(s)
    _check_provinces(s)


def _need(holds: Any, message: str) -> None:
    if not holds:
        raise ValueError(message)


def _need_equal(found: Any, wanted: Any, field: str) -> None:
    found, wanted = np.asarray(found), np.asarray(wanted)
    if not np.array_equal(found, wanted):
        raise ValueError(f"state.{field} is {found.tolist()}, must be {wanted.tolist()}")


def _check_ranges(s: Any) -> None:
    last = int(s.num_players) - 1
    lands = RULE.lands_beyond_twice_players + 2 * s.num_players
    _need(s.lands == lands, f"state.lands is {s.lands}, must be {lands} with {s.num_players} players")
    _need(not any(s.eliminated), "state.eliminated must be all 0: nobody is knocked out of this game")
    fewest = RULE.open_for_two if s.num_players == 2 else RULE.open_for_more
    within = {
        "seat": (0, last),
        "first": (0, last),
        "open": (fewest, lands),
        "spot_tile": (NONE, lands - 1),
        "owner": (0, last + 1),
        "route_of": (NONE, last),
        "province_of": (NONE, last),
    }
    for field, (low, high) in within.items():
        values = np.asarray(s[field])
        right = low <= values.min() and values.max() <= high
        _need(right, f"state.{field} is {values.tolist()}, must be from {low} to {high}")


# -- the board ---------------------------------------------------------------------------------------------------------


def _check_tiles(s: Any) -> None:
    """Tiles lie face up from the start strip on, each once; province tokens are there once each."""
    up = np.asarray(s.tile[: s.open])
    _need(up.min() >= 0, "state.tile must name the open tiles")
    _need(len(set(up.tolist())) == len(up), f"state.tile has a tile twice: {up.tolist()}")
    _need((np.asarray(s.tile[s.open :]) == NONE).all(), f"state.tile must be {NONE} from state.open on")
    unseen = np.ones(NUM_TILES, np.int64)
    unseen[up] = 0
    _need_equal(s.tile_unseen, unseen, "tile_unseen")
    tokens = np.asarray(s.province)
    for points in np.unique(PROVINCE):
        most, count = int((points == PROVINCE).sum()), int((tokens == points).sum())
        _need(count <= most, f"state.province has {count} tokens of {points}, there are {most}")
    _need(np.isin(tokens[: s.lands], PROVINCE).all(), "state.province must have a token for each land tile")
    _need(not tokens[s.lands :].any(), "state.province must be 0 where there is no tile")
    _need((s.province_of[s.lands :] == NONE).all(), "state.province_of names a tile that is not there")


def _check_settlements(s: Any) -> None:
    """Counts of settlements are those of the board."""
    owner = np.asarray(s.owner)
    huts = np.zeros(owner.shape, bool)
    huts[: s.open] = HUT[np.asarray(s.tile[: s.open])] >= 0
    _need(not owner[~huts].any(), "state.owner has a settlement where there is no open hut")
    bits = ((owner > 0) << np.arange(CELLS)).sum(axis=1)
    _need_equal(s.taken, bits, "taken")
    _need_equal(s.free, (huts & (owner == 0)).sum(axis=1), "free")
    kinds = np.full(owner.shape, NONE)
    kinds[: s.open] = HUT[np.asarray(s.tile[: s.open])]
    for seat in range(SEATS):
        own = owner == seat + 1
        _need_equal(s.count[seat], own.sum(axis=1), f"count[{seat}]")
        left = RULE.markers - own.sum() if seat < s.num_players else 0
        _need(s.markers[seat] == left, f"state.markers[{seat}] is {s.markers[seat]}, must be {left}")
        rows = own.reshape(len(own), NUM_TERRAINS, PLACES).sum(axis=(0, 2))
        _need_equal(s.in_terrain[seat], rows, f"in_terrain[{seat}]")
        types = np.bincount(kinds[own], minlength=NUM_SETTLERS)
        _need_equal(s.of_settler[seat], types, f"of_settler[{seat}]")
        at = int(np.flatnonzero(own.any(axis=1)).max(initial=0))
        _need(s.at[seat] == at, f"state.at[{seat}] is {s.at[seat]}, its latest settlement is on tile {at}")


def _check_lines(s: Any) -> None:
    """Lines are those of the board."""
    for terrain in range(NUM_TERRAINS):
        row = np.asarray(s.owner[:, terrain * PLACES : (terrain + 1) * PLACES]).ravel()
        longest, holder, run = [0] * SEATS, 0, 0
        for owner in row[row > 0].tolist():
            run = run + 1 if owner == holder else 1
            holder = owner
            longest[holder - 1] = max(longest[holder - 1], run)
        _need_equal(s.line[:, terrain], longest, f"line[:, {terrain}]")
        _need_equal((s.tail[terrain], s.tail_of[terrain]), (run, holder - 1), f"tail[{terrain}] and tail_of")


def _check_routes(s: Any) -> None:
    """A seat has one trade route token at most in a terrain."""
    for terrain in range(NUM_TERRAINS):
        holders = [int(holder) for holder in s.route_of[terrain] if holder != NONE]
        twice = len(holders) != len(set(holders))
        _need(not twice, f"state.route_of[{terrain}] {holders}: a seat has two tokens of one terrain")


def _check_provinces(s: Any) -> None:
    """Whoever is certainly ahead has the token, nobody else."""
    for tile in range(s.open):
        ahead = certainly_ahead(s, tile)
        _need(
            s.province_of[tile] == ahead,
            f"state.province_of[{tile}] is {s.province_of[tile]}, certainly ahead is {ahead}",
        )
    _need((s.province_of[s.open :] == NONE).all(), "state.province_of: a tile is face down and taken")


# -- cards -------------------------------------------------------------------------------------------------------------


def _check_matrices(s: Any) -> None:
    """Columns are built from the top down without gaps."""
    for seat in range(SEATS):
        heights = np.asarray(s.height[seat])
        _need(
            ((heights > 0) == (np.arange(RULE.columns) < s.columns[seat])).all(),
            f"state.height[{seat}] {heights}",
        )
        laid = np.arange(MOST_TURNS) < heights[:, None]
        matrix = np.asarray(s.matrix[seat])
        _need(
            ((matrix >= 0) == laid).all(),
            f"state.matrix[{seat}] has gaps, or other heights than state.height",
        )
        _need_equal(s.in_matrix[seat], np.bincount(matrix[laid], minlength=NUM_CARDS), f"in_matrix[{seat}]")


def _check_cards(s: Any) -> None:
    """Every technology card is in a pile, open, or in a matrix; everybody has had as many turns."""
    faces = np.asarray(s.unseen, np.int64) + np.asarray(s.face_down, np.int64)
    faces += np.asarray(s.in_matrix, np.int64)[:, :FACES].sum(axis=0)
    for card in (*s.top, s.card):
        if card not in (NONE, Card.BRONZE_CASTING):
            faces[card] += 1
    wanted = DECK[s.num_players - 2]
    _need(
        (faces == wanted).all(), f"technology cards in all places {faces.tolist()}, must be {wanted.tolist()}"
    )
    backs = sum(s.in_matrix[:, Card.BRONZE_CASTING]) + (s.card == Card.BRONZE_CASTING)
    _need(sum(s.face_down) == backs, f"state.face_down {list(s.face_down)}, {backs} cards lie face down")
    turns = np.asarray(s.height, np.int64).sum(axis=1)
    _need(not turns[s.num_players :].any(), "state.height: a seat that is not there has cards")
    played = [(seat - s.first) % s.num_players < _turns_done(s) for seat in range(s.num_players)]
    rounds = int(turns[s.first]) - played[s.first]
    _need_equal(turns[: s.num_players] - played, [rounds] * s.num_players, "height: rounds played")
    _need(s.finished or rounds < MOST_TURNS, f"state.height: {rounds} rounds, and another one to play")


def _turns_done(s: Any) -> int:
    """Seats that have put a card into their matrix in this round."""
    if s.finished:
        return 0
    return (s.seat - s.first) % s.num_players + (s.phase >= Phase.SETTLE)


def _check_piles(s: Any) -> None:
    shown = [top != NONE for top in s.top]
    _need(shown == [size > 0 for size in s.pile[:-1]], "state.top must name a card of each pile that has any")
    hidden = sum(s.pile) - sum(shown)
    _need(
        hidden == sum(s.unseen), f"state.pile: {hidden} cards not turned up, state.unseen has {sum(s.unseen)}"
    )
    out = shown.count(False)
    _need(s.empty in (out, out + 1), f"state.empty is {s.empty}, {out} piles in play are empty")
    _need(
        (s.empty == out) == (out == 0 and s.pile[-1] > 0),
        "state.pile: the reserve comes in for the first empty pile",
    )
    _need(s.ending or s.empty < 2, "state.ending must be true when a second pile is empty")
    to_come = s.num_players - (s.seat - s.first) % s.num_players - (s.phase != Phase.TAKE)
    _need(s.finished or sum(s.pile[:-1]) >= to_come, "state.pile: not enough cards for this round")


def _check_turn(s: Any) -> None:
    """What is being decided must be possible."""
    _need(
        (s.card != NONE) == (s.phase == Phase.COLUMN),
        f"state.card is {s.card} in phase {Phase(s.phase).name}",
    )
    active = np.asarray(s.activated)
    _need(not active.any() or s.phase >= Phase.SETTLE, "state.activated must be 0 until a card was placed")
    _need(
        (active <= np.asarray(s.in_matrix[s.seat])).all(), "state.activated: cards that are not in the matrix"
    )
    spot = NONE not in (s.spot_tile, s.spot_cell)
    _need(spot == (s.phase == Phase.CARD), f"state.spot_tile and spot_cell: phase is {Phase(s.phase).name}")
    _need(spot or s.spot_tile == s.spot_cell, "state.spot_tile and spot_cell must be set together")
    if spot:
        mine = s.owner[s.spot_tile, s.spot_cell] == s.seat + 1 and s.spot_tile == s.at[s.seat]
        _need(
            mine, "state.spot_tile and spot_cell must name a settlement on the tile of the seat's latest one"
        )
        usable = [card for card in Card if active[card] and fits(s, card, s.spot_tile, s.spot_cell)]
        _need(usable, "state.activated has no card for the settlement at state.spot_tile")
    full = s.open == s.lands and s.free[s.lands - 1] == 0
    near = full or min(s.markers[: s.num_players]) == 0 or s.finished
    _need(s.ending or not near, "state.ending must be true: a seat has no markers, or the last tile is full")
    if s.phase == Phase.CITY:
        arrived = s.at[s.seat] > 0 and s.count[s.seat, s.at[s.seat]] == 1
        _need(arrived, "state.phase: a city is chosen with the first settlement on a tile beyond the first")


def _check_cities(s: Any) -> None:
    """Every city card is in the deck, at a tile, with a seat, or the last one of a tile and gone."""
    n = int(s.num_players)
    places = np.asarray(s.city_unseen, np.int64).copy()
    gone = 0
    for tile in range(len(s.shown)):
        there = np.asarray(s.shown[tile])
        there = there[there != NONE]
        np.add.at(places, there, 1)
        drawn, taken = _drawn(s, tile) if tile < s.lands else (False, 0)
        left = n + RULE.cities_beyond_players - taken if drawn and taken < n else 0
        gone += taken == n
        _need(len(there) == left, f"state.shown[{tile}] has {len(there)} cards, must be {left}")
    for seat in range(SEATS):
        held = np.asarray(s.city[seat])
        count = sum(_has_city(s, seat, tile) for tile in range(1, s.lands)) if seat < n else 0
        _need(s.cities[seat] == count, f"state.cities[{seat}] is {s.cities[seat]}, must be {count}")
        right = ((held != NONE) == (np.arange(len(held)) < count)).all()
        _need(right, f"state.city[{seat}] is {held.tolist()}, must begin with its {count} cards")
        np.add.at(places, held[held != NONE], 1)
    _need(
        (places <= (n >= CITY_PAWNS)).all(), "a city card is twice at the table, or not for so many players"
    )
    lost = int((n >= CITY_PAWNS).sum() - places.sum())
    _need(
        lost == gone, f"{lost} city cards are nowhere, must be {gone}: one of each tile that all have reached"
    )


def _has_city(s: Any, seat: int, tile: int) -> bool:
    """The seat has taken a city card at this tile: it has settled there, and is not just arriving."""
    if s.count[seat, tile] == 0 or tile == 0:
        return False
    arriving = s.phase in (Phase.CARD, Phase.CITY) and tile == s.at[seat] and s.count[seat, tile] == 1
    return not (seat == s.seat and arriving and not s.finished)


def _drawn(s: Any, tile: int) -> tuple[bool, int]:
    """Whether city cards were drawn for this tile, and how many were taken."""
    taken = sum(_has_city(s, seat, tile) for seat in range(s.num_players))
    choosing = s.phase == Phase.CITY and tile == s.at[s.seat]
    return taken > 0 or choosing, taken
