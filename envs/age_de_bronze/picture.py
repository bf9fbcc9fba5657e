"""The table as a picture: nations with their stacks, row, decks, and the cards that a seat may see."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.compile import plain
from ..engine.fields import PUBLIC
from ..engine.render import WHITE, Colour, Sheet, in_columns
from . import rules
from .components import NUM_HELD, NUM_MAIN, RULE, Card
from .state import AMBUSH, RICHES
from .text import CARD_NAMES, DEITY_NAMES, NATION_NAMES, decision, known_cards, row_length

looker, nation_points, owner = plain(rules.looker), plain(rules.nation_points), plain(rules.owner)

WIDTH, MARGIN, GAP = 1240, 20, 14
HEAD, MIDDLE, PANEL, HAND = 58, 206, 266, 172  # heights of the title, the middle, a nation's panel, the hand

PAPER, SHEET, INK, FAINT, LINE = (
    (244, 238, 226),
    (255, 252, 245),
    (48, 40, 34),
    (132, 121, 107),
    (214, 203, 184),
)
ACTIVE = (196, 60, 36)
BROWN, BLUE, YELLOW, GREEN = (136, 92, 58), (49, 98, 160), (222, 176, 44), (38, 128, 98)
RED, ORANGE, BLACK, BACK = (172, 48, 46), (214, 120, 36), (40, 38, 44), (96, 84, 76)
CARD_COLOURS = (
    BROWN,
    YELLOW,
    BLUE,
    RED,
    RED,
    RED,
    RED,
    RED,
    RED,
    RED,
    ORANGE,
    GREEN,
    BLACK,
    BLACK,
)  # by Card
NATION_COLOURS = ((122, 62, 110), (46, 112, 136), (150, 84, 40), (92, 104, 48), (164, 62, 92), (62, 74, 132))
STACKS = (
    ("Family", "family", BROWN),
    ("Temple", "temple", YELLOW),
    ("Victory", "victory", BLUE),
    ("Riches", "riches", GREEN),
)


def picture(s: Any, seat: int | None) -> np.ndarray:
    """The table as `seat` sees it, whole for None: uint8 (H, W, 3), of one size for each number of nations.

    Args:
        s: a table as a record.
        seat: who looks; its hand lies at the bottom.
    """
    columns = 2 if s.nations == 4 else 3
    lines = -(-int(s.nations) // columns)
    height = HEAD + MIDDLE + lines * (PANEL + GAP) + (HAND if seat not in (None, PUBLIC) else 0) + MARGIN
    sheet = Sheet(WIDTH, height, PAPER)
    _draw_head(sheet, s)
    _draw_middle(sheet, s, seat)
    places = in_columns(int(s.nations), columns, MARGIN, HEAD + MIDDLE, WIDTH - 2 * MARGIN, PANEL, GAP)
    for n, place in enumerate(places):
        _draw_nation(sheet, s, n, seat, *place)
    if seat not in (None, PUBLIC):
        _draw_hand(sheet, s, seat, height - HAND - MARGIN + GAP)
    return sheet.pixels()


# -- title and middle ------------------------------------------------------------------------------------------------


def _draw_head(sheet: Sheet, s: Any) -> None:
    sheet.box(0, 0, WIDTH, HEAD - 10, INK, bend=0)
    end = MARGIN + sheet.write(MARGIN, 25, "Age de Bronze", 22, WHITE)
    sheet.shape([(MARGIN + 7.5, 10), (MARGIN + 11.5, 14), (MARGIN + 3.5, 14)], WHITE)  # the font knows no Â
    sheet.shape([(MARGIN + 7.5, 12.2), (MARGIN + 9.5, 14.2), (MARGIN + 5.5, 14.2)], INK)
    sheet.write(end + 26, 25, decision(s), 17, (255, 214, 150))


def _draw_middle(sheet: Sheet, s: Any, seat: int | None) -> None:
    top = HEAD
    sheet.write(MARGIN, top + 8, f"Row ({row_length(s)})", 14, FAINT)
    row = [card for card in range(NUM_MAIN) for _ in range(s.row[card])]
    for k in range(row_length(s)):
        sheet.box(MARGIN + k * 98, top + 22, 88, 124, PAPER, LINE, bend=8)
    for k, card in enumerate(row):
        _draw_card(sheet, MARGIN + k * 98, top + 22, card)
    _draw_decks(sheet, s, MARGIN + 6 * 98 + 14, top)
    _draw_discards(sheet, s, MARGIN + 6 * 98 + 14 + 230, top)
    known = _deck_top(s, seat)
    if known:
        sheet.write(MARGIN, top + 176, "You know the top of the deck:", 14, FAINT)
        chips = [
            (CARD_NAMES[c] if c is not None else "?", CARD_COLOURS[c] if c is not None else BACK)
            for c in known
        ]
        sheet.chips(chips, MARGIN + 205, top + 165, 560, _on)


def _draw_decks(sheet: Sheet, s: Any, x: float, top: float) -> None:
    sheet.write(x, top + 8, "Deck", 14, FAINT)
    _draw_back(sheet, x, top + 22, BACK, str(s.pile_start[rules.PILES] - s.deck_next))
    for k in range(rules.PILES):
        out = k < s.ends_out
        sheet.dot(x + 12 + k * 21, top + 158, 8, BLACK if out else SHEET, BLACK)
        sheet.write(x + 12 + k * 21, top + 158, "E", 10, WHITE if out else FAINT, "mm")
    x += 112
    sheet.write(x, top + 8, "Riches deck", 14, FAINT)
    riches, ambush = int(s.riches_deck[RICHES]), int(s.riches_deck[AMBUSH])
    _draw_back(sheet, x, top + 22, GREEN, str(riches + ambush))
    sheet.write(x + 44, top + 158, f"{ambush} Ambush in it", 13, INK, "mm")


def _draw_discards(sheet: Sheet, s: Any, x: float, top: float) -> None:
    sheet.write(x, top + 8, "Discards", 14, FAINT)
    chips = [(f"{s.discards[c]} {CARD_NAMES[c]}", CARD_COLOURS[c]) for c in range(NUM_MAIN) if s.discards[c]]
    if s.riches_discards[RICHES]:
        chips.append((f"{s.riches_discards[RICHES]} Riches", GREEN))
    if s.riches_discards[AMBUSH]:
        chips.append((f"{s.riches_discards[AMBUSH]} Ambush", BLACK))
    sheet.chips(chips, x, top + 22, WIDTH - MARGIN - x, _on)


def _deck_top(s: Any, seat: int | None) -> list[int | None]:
    """The first five cards of the deck as far as `seat` knows them; nothing if it knows none."""
    if seat is None:
        return []
    places = range(s.deck_next, min(s.deck_next + RULE.augury, s.pile_start[rules.PILES]))
    cards = [int(s.deck[p]) if looker(s, p) == seat else None for p in places]
    return cards if any(card is not None for card in cards) else []


# -- nations ---------------------------------------------------------------------------------------------------------


def _draw_nation(sheet: Sheet, s: Any, n: int, seat: int | None, x: float, y: float, wide: float) -> None:
    active = n == s.turn and not s.finished
    colour = NATION_COLOURS[s.nation[n]]
    sheet.panel(x, y, wide, PANEL, colour, SHEET, LINE, ACTIVE if active else None)
    end = sheet.write(x + 12, y + 18, NATION_NAMES[s.nation[n]], 19, WHITE)
    who = f"player_{owner(s, n)}" + (" (you)" if seat == owner(s, n) else "")
    sheet.write(x + 24 + end, y + 19, who, 14, (240, 228, 214))
    points = int(nation_points(s, n))
    sheet.write(x + wide - 12, y + 18, f"{points} point{'' if points == 1 else 's'}", 18, WHITE, "rm")
    for k, (name, field, colour) in enumerate(STACKS):
        _draw_stack(sheet, name, int(s[field][n]), colour, x + 12 + k * (wide - 24) / 4, y + 38)
    below = _draw_deities(sheet, s, n, x + 12, y + 132, wide - 24)
    _draw_held(sheet, s, n, seat, x + 12, below + 2, wide - 24)


def _draw_stack(sheet: Sheet, name: str, number: int, colour: Colour, x: float, y: float) -> None:
    """Cards that lie on each other so that one can count them, and their number."""
    if number == 0:
        sheet.box(x, y + 20, 38, 50, SHEET, LINE, bend=5)
    for k in range(min(number, 6)):
        sheet.box(x, y + 20 - (min(number, 6) - 1 - k) * 4, 38, 50, colour, SHEET, bend=5)
    sheet.write(x + 46, y + 44, str(number), 24, INK if number else LINE)
    sheet.write(x, y + 82, name, 13, INK if number else FAINT)


def _draw_deities(sheet: Sheet, s: Any, n: int, x: float, y: float, wide: float) -> float:
    """Deities and the Greatest Temple; where the next line begins."""
    chips: list[tuple[str, Colour]] = []
    for deity, name in enumerate(DEITY_NAMES):
        if s.deity_holder[deity] == n:
            used = n == s.turn and s.deity_used[deity]
            chips.append((f"{name} (used)" if used else name, FAINT if used else NATION_COLOURS[deity]))
    if s.greatest_temple == n:
        chips.append(("Greatest Temple", YELLOW))
    if not chips:
        sheet.write(x, y + 11, "no deity", 13, FAINT)
    return sheet.chips(chips, x, y, wide, _on)


def _draw_held(sheet: Sheet, s: Any, n: int, seat: int | None, x: float, y: float, wide: float) -> None:
    """The hand of the nation's player: known cards by name, the others as backs."""
    holder = owner(s, n)
    size = int(s.hand_size[holder])
    sheet.write(x, y + 11, f"{size} in hand", 13, FAINT)
    known = known_cards(s, holder, seat)
    chips = [(f"{known[c]} {CARD_NAMES[c]}", CARD_COLOURS[c]) for c in range(NUM_HELD) if known[c]]
    hidden = size - sum(known)
    if hidden:
        chips.append((f"{hidden} hidden", BACK))
    if chips:
        sheet.chips(chips, x + 80, y, wide - 80, _on)


def _draw_hand(sheet: Sheet, s: Any, seat: int, top: float) -> None:
    sheet.write(MARGIN, top + 8, f"Your hand, player_{seat}: {s.hand_size[seat]} cards", 14, FAINT)
    counts = known_cards(s, seat, seat)
    kinds = [card for card in range(NUM_HELD) if counts[card]]
    for k, card in enumerate(kinds):
        x = MARGIN + k * 100
        for under in range(min(counts[card] - 1, 2), 0, -1):
            _draw_card(sheet, x + 3 * under, top + 22 + 3 * under, card, face=False)
        _draw_card(sheet, x, top + 22, card)
        if counts[card] > 1:
            sheet.dot(x + 80, top + 30, 13, INK, SHEET)
            sheet.write(x + 80, top + 30, str(counts[card]), 16, WHITE, "mm")


# -- cards and chips -------------------------------------------------------------------------------------------------


def _draw_card(sheet: Sheet, x: float, y: float, card: int, face: bool = True) -> None:
    """A card of 88 x 124 with its sign: green diamond, red triangle or orange circle."""
    sheet.box(x, y, 88, 124, SHEET, FAINT, bend=8)
    colour = CARD_COLOURS[card]
    sheet.box(x + 5, y + 5, 78, 114, colour, bend=6)
    if not face:
        return
    _draw_sign(sheet, x + 44, y + 36, card)
    words = CARD_NAMES[card].split()
    lines = [words[0], " ".join(words[1:])] if len(words) > 1 else words
    for k, line in enumerate(lines):
        size = 17 if len(line) <= 8 else 13
        sheet.write(x + 44, y + 86 + (k - (len(lines) - 1) / 2) * 20, line, size, _on(colour), "mm")


def _draw_sign(sheet: Sheet, x: float, y: float, card: int) -> None:
    sheet.dot(x, y, 22, SHEET)
    if card in (Card.FAMILY, Card.TEMPLE, Card.VICTORY, Card.RICHES):
        sheet.shape([(x, y - 13), (x + 13, y), (x, y + 13), (x - 13, y)], (58, 140, 72))
    elif card == Card.AUGURY:
        sheet.dot(x, y, 12, ORANGE)
    elif card < NUM_MAIN:
        sheet.shape([(x, y - 13), (x + 13, y + 9), (x - 13, y + 9)], RED)


def _draw_back(sheet: Sheet, x: float, y: float, colour: Colour, words: str) -> None:
    sheet.pile(x, y, 88, 120, colour, SHEET, bend=8)
    sheet.box(x + 8, y + 8, 72, 104, colour, SHEET, bend=5)
    sheet.write(x + 44, y + 60, words, 30, WHITE, "mm")


def _on(colour: Colour) -> Colour:
    """Ink that can be read on this ground."""
    return INK if colour == YELLOW else WHITE
