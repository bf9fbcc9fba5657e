"""The table as a picture: the board, the piles, city cards, and every seat's matrix and cards."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.compile import plain
from ..engine.fields import PUBLIC
from ..engine.render import Sheet
from . import cities
from .components import (
    CELLS,
    HUT,
    NUM_TERRAINS,
    PLACES,
    ROUTE_LENGTH,
    ROUTE_POINTS,
    RULE,
    Card,
)
from .state import NONE
from .text import (
    CARD_NAMES,
    LETTERS,
    TECHNOLOGIES,
    TERRAIN_NAMES,
    cities_at,
    cities_of,
    city_lines,
    city_text,
    decision,
    points_of,
    uses,
)

is_met = plain(cities.is_met)

WIDTH, MARGIN = 1240, 20
HEAD, TITLE = 52, 24  # heights of the head, of a tile's number
STRIP, TILE, ROW = 186, 62, 44  # the start strip, a tile, a row of terrain
LINE = 17  # of small print
PANEL, GAP = 236, 12  # a seat's panel
CITY_COLUMNS = 3

PAPER, SHEET, INK, FAINT = (244, 238, 226), (255, 252, 245), (48, 40, 34), (132, 121, 107)
EDGE, WHITE, HIDDEN = (214, 203, 184), (255, 255, 255), (176, 166, 150)
MET = (30, 110, 50)
TERRAIN_COLOURS = (
    (150, 146, 152),
    (98, 138, 90),
    (166, 196, 112),
    (222, 200, 120),
    (226, 178, 116),
    (64, 150, 112),
    (120, 176, 204),
)
SEAT_COLOURS = ((186, 48, 44), (44, 92, 176), (214, 160, 20), (116, 58, 140))
CARD_COLOURS = (
    (158, 104, 62),
    (196, 96, 60),
    (120, 116, 112),
    (110, 66, 120),
    (70, 110, 160),
    (164, 132, 40),
    (56, 134, 120),
    (140, 96, 40),
)


def picture(s: Any, seat: int | None) -> np.ndarray:
    """The table as `seat` sees it: uint8 (H, W, 3), of one size for each number of seats.

    Args:
        s: a table as a record.
        seat: who looks; all see the same, its own panel comes first.
    """
    order = [((seat or 0) % PUBLIC + k) % s.num_players for k in range(s.num_players)]
    board = TITLE + NUM_TERRAINS * ROW + 66
    lines = -(-(s.lands - 1) * (s.num_players + RULE.cities_beyond_players) // CITY_COLUMNS)
    panels = HEAD + board + (lines + 1) * LINE + 10
    sheet = Sheet(WIDTH, panels + -(-s.num_players // 2) * (PANEL + GAP) + MARGIN, PAPER)
    sheet.box(0, 0, WIDTH, HEAD - 10, INK, bend=0)
    end = sheet.write(MARGIN, 21, "Bronze", 22, WHITE)
    sheet.write(MARGIN + end + 26, 21, decision(s), 16, (255, 214, 150))
    _draw_strip(sheet, s, HEAD + TITLE)
    for tile in range(s.lands):
        _draw_tile(sheet, s, tile, MARGIN + STRIP + tile * TILE, HEAD)
    _draw_piles(sheet, s, MARGIN + STRIP + s.lands * TILE + 24, HEAD + TITLE)
    _draw_offers(sheet, s, HEAD + board)
    wide = (WIDTH - 2 * MARGIN - GAP) // 2
    for k, who in enumerate(order):
        x = MARGIN + k % 2 * (wide + GAP)
        _draw_seat(sheet, s, who, seat == who, x, panels + k // 2 * (PANEL + GAP), wide)
    return sheet.pixels()


# -- the board -------------------------------------------------------------------------------------------------------


def _draw_strip(sheet: Sheet, s: Any, top: float) -> None:
    """The start strip: terrains, and trade route tokens to their left, the best nearest."""
    for terrain in range(NUM_TERRAINS):
        y = top + terrain * ROW
        sheet.box(MARGIN + 78, y + 1, STRIP - 82, ROW - 2, TERRAIN_COLOURS[terrain], bend=4)
        sheet.write(MARGIN + 86, y + ROW / 2, TERRAIN_NAMES[terrain], 15)
        for level, holder in enumerate(s.route_of[terrain]):
            x = MARGIN + 12 + level * 25
            fill = SHEET if holder == NONE else SEAT_COLOURS[holder]
            sheet.dot(x, y + ROW / 2, 11, fill, FAINT)
            ink = INK if holder == NONE else WHITE
            sheet.write(x, y + ROW / 2, str(ROUTE_LENGTH[level]), 13, ink, "mm")
    points = ", ".join(f"{n}: {p}" for n, p in zip(ROUTE_LENGTH, ROUTE_POINTS, strict=True))
    sheet.write(MARGIN, top + NUM_TERRAINS * ROW + 14, f"routes {points} points", 12, FAINT)
    sheet.write(MARGIN, top + NUM_TERRAINS * ROW + 32, "f farmers h herders u hunters", 12, FAINT)


def _draw_tile(sheet: Sheet, s: Any, tile: int, x: float, top: float) -> None:
    """A land tile, its province token, and markers of the seats whose latest settlement it has."""
    sheet.write(x + TILE / 2, top + TITLE / 2, str(tile + 1), 15, FAINT, "mm")
    top += TITLE
    if s.tile[tile] == NONE:
        sheet.box(x + 2, top + 1, TILE - 4, NUM_TERRAINS * ROW - 2, HIDDEN, EDGE)
        sheet.write(x + TILE / 2, top + NUM_TERRAINS * ROW / 2, "?", 26, SHEET, "mm")
    for cell in range(CELLS if s.tile[tile] != NONE else 0):
        terrain, place = divmod(cell, PLACES)
        if place == 0:
            sheet.box(x + 2, top + terrain * ROW + 1, TILE - 4, ROW - 2, TERRAIN_COLOURS[terrain], bend=4)
        kind = HUT[s.tile[tile], cell]
        if kind != NONE:
            alone = HUT[s.tile[tile], terrain * PLACES + 1] == NONE
            where = x + (TILE / 2 if alone else 17 + place * 28)
            _draw_hut(sheet, where, top + (terrain + 0.5) * ROW, LETTERS[kind], s.owner[tile, cell])
    y = top + NUM_TERRAINS * ROW + 16
    holder = s.province_of[tile]
    sheet.dot(x + TILE / 2, y, 13, SHEET if holder == NONE else SEAT_COLOURS[holder], FAINT)
    sheet.write(x + TILE / 2, y, str(s.province[tile]), 15, INK if holder == NONE else WHITE, "mm")
    here = [seat for seat in range(s.num_players) if s.markers[seat] < RULE.markers and s.at[seat] == tile]
    for k, seat in enumerate(here):
        sheet.dot(x + TILE / 2 + (k - (len(here) - 1) / 2) * 13, y + 22, 5, SEAT_COLOURS[seat])


def _draw_hut(sheet: Sheet, x: float, y: float, letter: str, owner: int) -> None:
    """A hut with the letter of its type; a settlement fills it with the seat's colour."""
    if owner:
        sheet.box(x - 12, y - 13, 24, 26, SEAT_COLOURS[owner - 1], INK, bend=4)
        sheet.write(x, y - 4, str(owner - 1), 14, WHITE, "mm")
        sheet.write(x, y + 7, letter, 9, WHITE, "mm")
    else:
        sheet.dot(x, y, 12, SHEET, FAINT)
        sheet.write(x, y - 1, letter, 15, INK, "mm")


def _draw_piles(sheet: Sheet, s: Any, x: float, top: float) -> None:
    """The open cards with what they let settle, and the reserve."""
    sheet.write(x, top - TITLE / 2, "Piles", 14, FAINT)
    for pile, card in enumerate(s.top):
        y = top + pile * 58
        fill = HIDDEN if card == NONE else CARD_COLOURS[card]
        sheet.box(x, y, 214, 52, fill, EDGE)
        name = "empty" if card == NONE else CARD_NAMES[card]
        sheet.write(x + 10, y + 15, f"{pile + 1}  {name}", 15, WHITE)
        sheet.write(x + 204, y + 15, str(s.pile[pile]), 15, WHITE, "rm")
        if card != NONE:
            _draw_uses(sheet, card, x + 10, y + 30)
    sheet.write(x, top + 4 * 58 + 8, f"reserve: {s.pile[-1]} cards", 14, FAINT)
    for k, line in enumerate(TECHNOLOGIES):
        sheet.write(x, top + 4 * 58 + 26 + k * 14, line, 11, FAINT)


def _draw_uses(sheet: Sheet, card: int, x: float, y: float) -> None:
    """Terrains as colours, types as letters."""
    terrains, types = uses(card)
    for k, terrain in enumerate(terrains):
        sheet.box(x + k * 42, y, 38, 16, TERRAIN_COLOURS[terrain], WHITE, bend=3)
    sheet.write(x + 134, y + 8, " ".join(LETTERS[kind] for kind in types), 15, WHITE)


def _draw_offers(sheet: Sheet, s: Any, top: float) -> None:
    """City cards that lie at tiles."""
    sheet.write(MARGIN, top + LINE / 2, "City cards at tiles", 14, FAINT)
    words = [f"{tile + 1}: {city_text(city)}" for tile in range(s.lands) for city in cities_at(s, tile)]
    wide = (WIDTH - 2 * MARGIN) / CITY_COLUMNS
    for k, text in enumerate(words):
        x, y = MARGIN + k % CITY_COLUMNS * wide, top + (k // CITY_COLUMNS + 1.5) * LINE
        sheet.write(x, y, text, 12)


# -- seats -----------------------------------------------------------------------------------------------------------


def _draw_seat(sheet: Sheet, s: Any, seat: int, you: bool, x: float, y: float, wide: float) -> None:
    """A seat's points, its matrix and its city cards."""
    if seat == s.seat and not s.finished:
        sheet.box(x - 4, y - 4, wide + 8, PANEL + 8, (236, 150, 60), bend=9)
    sheet.box(x, y, wide, PANEL, SHEET, EDGE)
    sheet.box(x, y, wide, 32, SEAT_COLOURS[seat])
    first = ", first player" if seat == s.first else ""
    sheet.write(x + 10, y + 16, f"player_{seat}{' (you)' if you else ''}{first}", 16, WHITE)
    parts = points_of(s, seat)
    text = f"{sum(parts)} points ({parts[0]} + {parts[1]} + {parts[2]}), {s.markers[seat]} markers"
    sheet.write(x + wide - 10, y + 16, text, 14, WHITE, "rm")
    _draw_matrix(sheet, s, seat, x + 10, y + 40)
    for k, line in enumerate(city_lines(s, seat)):
        met = is_met(s, seat, cities_of(s, seat)[k])
        sheet.write(x + 306, y + 50 + k * 18, line, 10, MET if met else INK)


def _draw_matrix(sheet: Sheet, s: Any, seat: int, x: float, y: float) -> None:
    """Cards from the top down; activated technologies of the acting seat are framed."""
    rows = max(s.height[seat])
    pitch = min(24.0, (PANEL - 48) / max(1, rows))
    for column in range(s.columns[seat]):
        for row in range(s.height[seat, column]):
            card = s.matrix[seat, column, row]
            active = seat == s.seat and s.activated[card] > 0
            left, top = x + column * 73, y + row * pitch
            sheet.box(left, top, 70, pitch - 2, CARD_COLOURS[card], INK if active else None, bend=3)
            name = "Bronze" if card == Card.BRONZE_CASTING else CARD_NAMES[card]
            sheet.write(left + 35, top + pitch / 2 - 1, name, min(10, int(pitch - 2)), WHITE, "mm")
