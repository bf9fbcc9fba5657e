"""The table as a picture: the map with owners, cities, fortifications and markers, the seats, and one's own cards."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ..engine.compile import plain
from ..engine.fields import PUBLIC
from ..engine.render import Sheet
from .components import (
    CITIES,
    COAST,
    NEIGHBOURS,
    NUM_PEOPLES,
    NUM_SIZES,
    NUM_TERRITORIES,
    PLACES,
    TERRITORIES,
    People,
)
from .rules import board, end
from .state import NONE, Stage
from .text import ABILITY_NAMES, GOD_NAMES, PEOPLE_NAMES, bet_backs, decision, god_text, people_notes

max_extent, attack_of, defence_of = plain(board.max_extent), plain(board.attack_of), plain(board.defence_of)
people_points = plain(end.people_points)

WIDTH, MARGIN, HEAD = 1540, 18, 46
MAP_TOP, MAP_WIDE, MAP_HIGH, LEGEND_HIGH = HEAD + 8, 1070, 640, 30
SEATS_TOP, SEAT_HIGH, HAND_HIGH = MAP_TOP + MAP_HIGH + LEGEND_HIGH, 52, 96
CLEAR, BEND = 26, 34  # a road that would pass another territory so near is bent so far away from it

SEA, LAND, INK, FAINT = (198, 220, 232), (236, 229, 208), (44, 40, 36), (128, 120, 108)
ROAD, MINE, STONE, VORTEX = (176, 164, 136), (255, 226, 120), (150, 146, 140), (120, 60, 150)
PAPER, SHEET, WHITE, RED, GOLD, PINK = (
    (246, 241, 231),
    (255, 252, 245),
    (255, 255, 255),
    (186, 42, 38),
    (226, 178, 40),
    (226, 96, 148),
)
COLOURS = (
    (52, 96, 176), (118, 30, 92), (96, 170, 196), (132, 92, 58), (168, 116, 46), (86, 110, 42),
    (196, 140, 78), (112, 164, 58), (70, 52, 96), (222, 184, 96), (46, 132, 110), (150, 44, 44),
    (38, 62, 92), (44, 112, 60), (188, 156, 60), (206, 86, 70), (128, 150, 206), (150, 106, 150),
    (88, 70, 170), (214, 126, 44), (104, 112, 122), (120, 70, 40), (60, 62, 64), (220, 132, 180),
)  # by people  # fmt: skip


def picture(s: Any, seat: int | None) -> np.ndarray:
    """The table as `seat` sees it, whole for None: uint8 (H, W, 3), of one size for each number of players.

    Args:
        s: a table as a record.
        seat: who looks; its cards lie at the bottom.
    """
    shown = list(range(s.num_players)) if seat is None else [] if seat == PUBLIC else [seat]
    height = SEATS_TOP + s.num_players * SEAT_HIGH + len(shown) * HAND_HIGH + MARGIN
    sheet = Sheet(WIDTH, height, PAPER)
    sheet.box(0, 0, WIDTH, HEAD, INK, bend=0)
    end_of_title = MARGIN + sheet.write(MARGIN, HEAD / 2, "Age of Gods", 21, WHITE)
    sheet.write(end_of_title + 24, HEAD / 2, decision(s), 16, (255, 214, 150))
    _draw_map(sheet, s, seat)
    _draw_legend(sheet)
    _draw_peoples(sheet, s, seat)
    for k in range(s.num_players):
        _draw_seat(sheet, s, k, seat, SEATS_TOP + k * SEAT_HIGH)
    for n, holder in enumerate(shown):
        _draw_hand(sheet, s, holder, SEATS_TOP + s.num_players * SEAT_HIGH + n * HAND_HIGH)
    return sheet.pixels()


# -- the map -----------------------------------------------------------------------------------------------------------


def _at(t: int) -> tuple[float, float]:
    """Where a territory lies on the sheet."""
    x, y = PLACES[t]
    return MARGIN + 18 + x * (MAP_WIDE - 36) / 1000, MAP_TOP + 14 + y * (MAP_HIGH - 28) / 600


@cache
def _road(t: int, u: int) -> list[tuple[float, float]]:
    """From one territory to another, around any that the straight line would run through."""
    a, b = np.array(_at(t)), np.array(_at(u))
    for v in range(NUM_TERRITORIES):
        c = np.array(_at(v))
        along = (c - a) @ (b - a) / ((b - a) @ (b - a))
        off = a + along * (b - a) - c
        if v not in (t, u) and 0 < along < 1 and np.hypot(*off) < CLEAR:
            by = c + off / np.hypot(*off) * BEND
            return [_at(t), (float(by[0]), float(by[1])), _at(u)]
    return [_at(t), _at(u)]


def _draw_map(sheet: Sheet, s: Any, seat: int | None) -> None:
    sheet.box(MARGIN, MAP_TOP, MAP_WIDE, MAP_HIGH, SEA, FAINT, 10)
    for t in range(NUM_TERRITORIES):
        sheet.dot(*_at(t), 50, LAND)
    for t, near in enumerate(NEIGHBOURS):
        for u in near:
            if u > t:
                sheet.stroke(_road(t, u), ROAD, 2.5)
    mine = [] if seat in (None, PUBLIC) else [p for p in s.destiny[seat].tolist() if p != NONE]
    for t in range(NUM_TERRITORIES):
        (x, y), wide = _at(t), sheet.length(TERRITORIES[t], 12)
        sheet.box(x - wide / 2 - 4, y + 26, wide + 8, 16, MINE if s.owner[t] in mine else LAND, bend=5)
        sheet.write(x, y + 34, TERRITORIES[t], 12, INK, "mm")
    for t in range(NUM_TERRITORIES):
        _draw_territory(sheet, s, t)


def _draw_territory(sheet: Sheet, s: Any, t: int) -> None:
    x, y = _at(t)
    people, bit = s.owner[t], np.uint64(1 << t)
    colour = WHITE if people == NONE else COLOURS[people]
    if t in (s.origin, s.target):
        sheet.dot(x, y, 30, GOLD if t == s.origin else INK)
    if CITIES & bit:
        sheet.dot(x, y, 25, RED)
    sheet.dot(x, y, 21, SEA if COAST & bit else INK)
    sheet.dot(x, y, 18.5 if COAST & bit else 20, colour)
    if t == s.vortex:
        _draw_vortex(sheet, x, y)
    elif people != NONE:
        words = "".join(word[:3] for word in PEOPLE_NAMES[people].split()[:1])
        sheet.write(x, y, words, 14, WHITE, "mm")
    if s.fortified & bit:
        _draw_piece(sheet, x + 19.5, y - 17.5, "F", INK if s.bulwarks & bit else STONE)
    if t == s.fortress:
        _draw_piece(sheet, x - 19.5, y - 17.5, "D", COLOURS[People.DWARVES])
    if s.love & bit:
        _draw_love(sheet, x + 20, y + 15)


def _draw_piece(sheet: Sheet, x: float, y: float, letter: str, colour: tuple[int, int, int]) -> None:
    sheet.box(x - 8.5, y - 8.5, 17, 17, colour, INK, 2)
    sheet.write(x, y, letter, 12, INK if colour == STONE else WHITE, "mm")


def _draw_love(sheet: Sheet, x: float, y: float) -> None:
    sheet.dot(x, y, 9, PINK, INK)
    sheet.write(x, y, "L", 11, WHITE, "mm")


def _draw_vortex(sheet: Sheet, x: float, y: float) -> None:
    sheet.dot(x, y, 19, INK)
    sheet.dot(x, y, 12, VORTEX)
    sheet.dot(x, y, 6, INK)


def _draw_legend(sheet: Sheet) -> None:
    """What the marks on the map mean."""
    x, y = MARGIN + 14.0, MAP_TOP + MAP_HIGH + LEGEND_HIGH / 2
    for ring, rim, words in (
        (GOLD, INK, "attacks"), (INK, INK, "attacked"), (RED, INK, "city"), (PAPER, SEA, "coast"),
        (PAPER, INK, "empty"),
    ):  # fmt: skip
        sheet.dot(x, y, 12, ring)
        sheet.dot(x, y, 9, rim)
        sheet.dot(x, y, 7, WHITE)
        x += 44 + sheet.write(x + 17, y, words, 13)
    for letter, colour, words in (
        ("F", STONE, "fortified"),
        ("F", INK, "by Protectors in a city"),
        ("D", COLOURS[People.DWARVES], "Dwarven Fortress"),
    ):
        _draw_piece(sheet, x, y, letter, colour)
        x += 44 + sheet.write(x + 15, y, words, 13)
    _draw_love(sheet, x, y)
    x += 44 + sheet.write(x + 15, y, "Love", 13)
    sheet.dot(x, y, 10, INK)
    sheet.dot(x, y, 6, VORTEX)
    x += 34 + sheet.write(x + 15, y, "Vortex", 13)
    sheet.box(x, y - 8, 30, 16, MINE, bend=5)
    sheet.write(x + 38, y, "of a people that you represent", 13)


# -- the Well of Souls -------------------------------------------------------------------------------------------------


def _draw_peoples(sheet: Sheet, s: Any, seat: int | None) -> None:
    left, top = MARGIN + MAP_WIDE + 10, MAP_TOP
    sheet.write(left + 30, top + 8, "people", 12, FAINT)
    for k, head in enumerate(("land", "tech", "att", "def", "gone")):
        sheet.write(left + 160 + k * 38, top + 8, head, 12, FAINT, "mm")
    mine = [] if seat in (None, PUBLIC) else s.destiny[seat].tolist()
    for people in range(NUM_PEOPLES):
        y = top + 28 + people * 25.5
        if people in mine:
            sheet.box(left, y - 12, WIDTH - MARGIN - left, 24, MINE, bend=5)
        sheet.dot(left + 14, y, 9, COLOURS[people], INK)
        sheet.write(left + 30, y, PEOPLE_NAMES[people], 14)
        numbers = (
            f"{s.extent[people]}/{max_extent(s, people)}",
            str(s.technology[people]),
            str(attack_of(s, people)),
            str(defence_of(s, people)),
            str(s.played[:, people].sum()),
        )
        for k, number in enumerate(numbers):
            sheet.write(left + 160 + k * 38, y, number, 14, INK if number != "0" else FAINT, "mm")
        sheet.write(left + 328, y, _notes(s, people), 12, RED)


def _notes(s: Any, people: int) -> str:
    """Holy War, Hatred and who has revealed the people, in short."""
    notes = ["war" if people == s.attacker else "victim"] if people in (s.attacker, s.victim) else []
    notes += ["hated" for note in people_notes(s, people) if note == "Hatred"]
    notes += [f"p{s.revealed[people]}"] if s.revealed[people] != NONE else []
    return " ".join(notes)


# -- seats and hands ---------------------------------------------------------------------------------------------------


def _draw_seat(sheet: Sheet, s: Any, k: int, seat: int | None, y: float) -> None:
    active = k == s.seat and not s.finished
    sheet.box(MARGIN, y, WIDTH - 2 * MARGIN, SEAT_HIGH - 6, SHEET, RED if active else (214, 203, 184), 7)
    middle = y + (SEAT_HIGH - 6) / 2
    sheet.write(MARGIN + 14, middle, f"player_{k}" + (" (you)" if k == seat else ""), 16)
    known = s.god[k] != NONE and (s.stage != Stage.GODS or seat is None or seat == k)
    sheet.write(MARGIN + 150, middle, f"god of {god_text(s, k)}" if known else "god not revealed", 15)
    if k == s.first:
        sheet.write(MARGIN + 355, middle, "first player", 14, RED)
    sheet.write(MARGIN + 455, middle, f"{s.pieces[k]} fortifications left", 14, FAINT)
    laid = [people for people in s.bets[k].tolist() if people != NONE]
    held = int(s.hand[k].sum()) + sum(
        1 for n in range(NUM_SIZES) if s.destiny[k, n] != NONE and not s.spent[k, n]
    )
    held += 0 if s.bets_laid[k] else len(laid)
    backs = bet_backs(s, k)
    words = f"{held} cards" + (f", bet: {', '.join(backs)}" if backs else "")
    sheet.write(MARGIN + 620, middle, words, 14, FAINT)
    x = float(MARGIN + 830)
    for people in range(NUM_PEOPLES):
        revealed = s.revealed[people] == k
        if revealed or _saw(s, k, people, seat):
            sheet.dot(x, middle, 9, COLOURS[people], INK)
            words = PEOPLE_NAMES[people] + ("" if revealed else " (seen by you)")
            x += 34 + sheet.write(x + 13, middle, words, 14)


def _saw(s: Any, holder: int, people: int, seat: int | None) -> bool:
    """Whether `seat` has looked at this destiny card."""
    return seat is not None and any(
        s.destiny[holder, k] == people and s.looked[holder, k] >> seat & 1 for k in range(NUM_SIZES)
    )


def _draw_hand(sheet: Sheet, s: Any, holder: int, y: float) -> None:
    points = f"{people_points(s, holder)} points"
    sheet.write(MARGIN, y + 10, f"Cards of player_{holder}, {points}", 13, FAINT)
    cards = [(p, "action", False) for p in range(NUM_PEOPLES) for _ in range(s.hand[holder, p])]
    cards += [
        (s.destiny[holder, k], "destiny", bool(s.spent[holder, k]))
        for k in range(NUM_SIZES)
        if s.destiny[holder, k] != NONE
    ]
    cards += [(people, "bet", True) for people in s.bets[holder].tolist() if people != NONE]
    for n, (people, what, played) in enumerate(cards):
        _draw_card(sheet, MARGIN + n * 102, y + 22, people, what, played)
    offered = [GOD_NAMES[god] for god in s.offer[holder].tolist() if god != NONE]
    if offered:
        sheet.write(MARGIN + 260, y + 10, f"chooses between the gods of {' and '.join(offered)}", 14, RED)


def _draw_card(sheet: Sheet, x: float, y: float, people: int, what: str, played: bool) -> None:
    edge = GOLD if what == "destiny" else RED if what == "bet" else FAINT
    sheet.box(x, y, 98, 66, edge, INK, 6)
    sheet.box(x + 3, y + 3, 92, 60, FAINT if played else COLOURS[people], bend=4)
    sheet.write(x + 49, y + 20, PEOPLE_NAMES[people], 13, WHITE, "mm")
    sheet.write(x + 49, y + 38, ABILITY_NAMES[people], 10, WHITE, "mm")
    sheet.write(
        x + 49, y + 54, what + (", played" if played and what == "destiny" else ""), 10, (240, 232, 210), "mm"
    )
