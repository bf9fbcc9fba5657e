"""The table as a picture: the field in its ring of terrain, north up, and both armies beside it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.render import Sheet
from .components import CLASS, DEFENCE, FACTION_NAMES, FACTIONS, KIND_NAMES, NUM_REGULARS, RANGE, UnitClass
from .rules import HEALTH
from .state import COLUMNS, MOST_COLUMNS, MOST_ROWS, NONE, ROWS, SLOTS, TERRAIN, WIDE, Phase
from .text import ARMIES, boxes_left, card_text, decision, facing_of, faction_is_known, is_chosen

CELL, CARD, HEAD, MARGIN, PANEL = 64, 56, 50, 16, 470
FIELD = CELL * (MOST_COLUMNS + 2)
WIDTH, HEIGHT = FIELD + PANEL + 3 * MARGIN, HEAD + CELL * (MOST_ROWS + 2) + 2 * MARGIN
LINE_HEIGHT = 32

PAPER, SHEET, INK, FAINT = (236, 226, 204), (252, 248, 238), (44, 38, 34), (130, 120, 106)
SAND, NO_MANS, GRID, ROCK, HILL = (
    (226, 208, 170),
    (214, 194, 150),
    (196, 176, 134),
    (124, 112, 94),
    (146, 134, 114),
)
WHITE, BLACK, GOLD = (255, 255, 255), (20, 18, 18), (236, 180, 40)
COLOURS = ((182, 88, 62), (72, 98, 136))  # red sandstone, blue granite
DARK = ((120, 50, 34), (40, 58, 88))
AROUND = ((0, -1), (1, 0), (0, 1), (-1, 0))  # by Direction, as x and y run in pictures


def picture(s: Any, seat: int | None) -> np.ndarray:
    """The table as `seat` sees it, whole for None: uint8 (HEIGHT, WIDTH, 3).

    Args:
        s: a table as a record.
        seat: who looks; the enemy's faction and hand are hidden until they are shown.
    """
    sheet = Sheet(WIDTH, HEIGHT, PAPER)
    sheet.box(0, 0, WIDTH, HEAD - 6, INK, bend=0)
    end = MARGIN + sheet.write(MARGIN, 22, "Ages of War", 22, WHITE)
    sheet.write(end + 24, 22, decision(s), 17, (255, 214, 150))
    _draw_field(sheet, s)
    for owner in range(2):
        for slot in range(SLOTS):
            if s.cell[owner, slot] >= 0:
                _draw_unit(sheet, s, owner, slot)
    for k, owner in enumerate((1, 0)):  # as they stand on the field, blue in the north
        _draw_army(sheet, s, owner, seat, HEAD + MARGIN + k * (HEIGHT - HEAD) / 2)
    return sheet.pixels()


# -- the field ---------------------------------------------------------------------------------------------------------


def _corner(cell: int) -> tuple[float, float]:
    """Upper left corner of a cell in the picture."""
    row, column = divmod(cell, WIDE)
    return MARGIN + column * CELL, HEAD + MARGIN + (MOST_ROWS + 1 - row) * CELL


def _draw_field(sheet: Sheet, s: Any) -> None:
    rows, columns = int(ROWS[s.field]), int(COLUMNS[s.field])
    for cell in range((rows + 2) * WIDE):
        row, column = divmod(cell, WIDE)
        if column > columns + 1:
            continue
        x, y = _corner(cell)
        if s.board[cell] == TERRAIN:
            sheet.box(x, y, CELL, CELL, ROCK, PAPER, bend=4)
            for dx, dy, size in ((14, 40, 13), (32, 44, 17), (46, 42, 11)):
                sheet.shape(
                    [(x + dx - size, y + dy + 8), (x + dx, y + dy - size), (x + dx + size, y + dy + 8)], HILL
                )
        else:
            middle = row in (rows // 2, rows // 2 + 1)
            sheet.box(x, y, CELL, CELL, NO_MANS if middle else SAND, GRID, bend=0)
    for column in range(1, columns + 1):
        x, y = _corner(column)
        sheet.write(x + CELL / 2, y + 10, "abcdefghij"[column - 1], 14, WHITE, "mm")
    for row in range(1, rows + 1):
        x, y = _corner(row * WIDE)
        sheet.write(x + CELL - 10, y + CELL / 2, str(row), 14, WHITE, "mm")


def _draw_unit(sheet: Sheet, s: Any, owner: int, slot: int) -> None:
    """A unit card: marks of defence along its edges, a wedge where it looks, its number, its boxes."""
    x, y = _corner(int(s.cell[owner, slot]))
    x, y = x + (CELL - CARD) / 2, y + (CELL - CARD) / 2
    kind, facing = int(s.kind[owner, slot]), int(facing_of(s, owner, slot))
    acting = s.phase >= Phase.TURN and s.turn == owner and s.pending >> slot & 1
    rim = GOLD if acting or is_chosen(s, owner, slot) else BLACK if kind >= NUM_REGULARS else SHEET
    sheet.box(x - 2, y - 2, CARD + 4, CARD + 4, rim, bend=8)
    sheet.box(x, y, CARD, CARD, COLOURS[owner], bend=7)
    middle = CARD / 2
    ahead, right = AROUND[facing], AROUND[(facing + 1) % 4]
    points = [(middle - 3, 0), (middle - 14, -9), (middle - 14, 9)]
    wedge = [
        (x + middle + ahead[0] * far + right[0] * aside, y + middle + ahead[1] * far + right[1] * aside)
        for far, aside in points
    ]
    sheet.shape(wedge, WHITE)
    for side in range(4):
        _draw_marks(sheet, x + middle, y + middle, (facing + side) % 4, int(DEFENCE[kind, side]))
    sheet.write(x + middle - 9, y + middle + 1, str(slot + 1), 15, WHITE, "mm")
    _draw_sign(sheet, x + middle + 8, y + middle, kind)
    _draw_boxes(sheet, x + 10, y + (CARD - 13 if facing != 2 else 7), int(s.health[owner, slot]), 6)


def _draw_marks(sheet: Sheet, x: float, y: float, direction: int, number: int) -> None:
    """Short strokes along an edge, as many as the die must be higher than."""
    ahead, right = AROUND[direction], AROUND[(direction + 1) % 4]
    for k in range(number):
        aside = (k - (number - 1) / 2) * 6
        ends = [
            (x + ahead[0] * far + right[0] * aside, y + ahead[1] * far + right[1] * aside)
            for far in (CARD / 2 - 4, CARD / 2)
        ]
        sheet.stroke(ends, GOLD, 2)


def _draw_sign(sheet: Sheet, x: float, y: float, kind: int) -> None:
    """The class: a blade, a wheel, a bow (with a second string for a range of two)."""
    if CLASS[kind] == UnitClass.MELEE:
        sheet.stroke([(x - 4, y + 5), (x + 5, y - 6)], WHITE, 2)
        sheet.stroke([(x - 5, y), (x + 1, y + 5)], WHITE, 2)
    elif CLASS[kind] == UnitClass.MOUNTED:
        sheet.dot(x, y, 6, BLACK, WHITE)
        sheet.dot(x, y, 2, WHITE)
    else:
        for k in range(int(RANGE[kind])):
            sheet.stroke([(x - 4 + 5 * k, y - 6), (x + 1 + 5 * k, y), (x - 4 + 5 * k, y + 6)], WHITE, 2)


def _draw_boxes(sheet: Sheet, x: float, y: float, left: int, size: float) -> None:
    """Health boxes: white ones are left."""
    for k in range(HEALTH):
        sheet.box(x + k * size, y, size - 1, size - 1, WHITE if k < left else BLACK, bend=0)


# -- the armies --------------------------------------------------------------------------------------------------------


def _draw_army(sheet: Sheet, s: Any, owner: int, seat: int | None, top: float) -> None:
    x = FIELD + 2 * MARGIN
    known = seat is None or seat == owner or faction_is_known(s, owner)
    active = s.seat == owner and not s.finished
    sheet.box(x - 2, top - 2, PANEL + 4, 36, GOLD if active else DARK[owner], bend=7)
    sheet.box(x, top, PANEL, 32, DARK[owner], bend=6)
    faction = int(s.faction[owner])
    name = f"{ARMIES[owner]}: {FACTION_NAMES[faction] if known else 'faction unknown'}"
    end = sheet.write(x + 10, top + 16, name, 17, WHITE)
    if s.uses[owner]:
        words = f"{FACTIONS[faction]['power']}, {s.uses[owner]} left"
        sheet.write(x + 24 + end, top + 17, words, 14, (255, 224, 170))
    sheet.write(x + PANEL - 10, top + 16, f"{boxes_left(s, owner)} boxes", 15, WHITE, "rm")
    line = 0
    for slot in range(SLOTS):
        if s.kind[owner, slot] != NONE:
            _draw_line(sheet, s, owner, slot, x, top + 40 + line * LINE_HEIGHT)
            line += 1
    _draw_hand(sheet, s, owner, seat, x, top + 40 + line * LINE_HEIGHT)


def _draw_line(sheet: Sheet, s: Any, owner: int, slot: int, x: float, y: float) -> None:
    """One unit in the list: its number, boxes, name and card."""
    kind, alive = int(s.kind[owner, slot]), bool(s.cell[owner, slot] >= 0)
    sheet.box(x, y, 26, 28, COLOURS[owner] if alive else FAINT, bend=5)
    sheet.write(x + 13, y + 14, str(slot + 1), 15, WHITE, "mm")
    sheet.write(x + 34, y + 7, KIND_NAMES[kind], 14, INK if alive else FAINT)
    sheet.write(x + 34, y + 21, card_text(kind), 11, FAINT)
    _draw_boxes(sheet, x + PANEL - 80, y + 2, int(s.health[owner, slot]), 12)


def _draw_hand(sheet: Sheet, s: Any, owner: int, seat: int | None, x: float, y: float) -> None:
    """Units still to be deployed, face down for the enemy."""
    cards = [kind for kind, number in enumerate(s.hand[owner].tolist()) for _ in range(number)]
    for k, kind in enumerate(cards):
        left, top = x + k % 2 * PANEL / 2, y + k // 2 * LINE_HEIGHT
        sheet.box(left, top, PANEL / 2 - 6, 28, SHEET, FAINT, bend=5)
        shown = seat is None or seat == owner
        sheet.write(
            left + 10, top + 14, KIND_NAMES[kind] if shown else "to be deployed", 14, INK if shown else FAINT
        )
