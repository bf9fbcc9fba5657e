"""Pictures of a table: "ansi" text, "rgb_array", and "human", which prints the text.

A rulebook draws its own picture where it has one; otherwise its text is set in a grid of characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from .game import Game

PAPER, INK, WHITE = (250, 247, 240), (40, 36, 32), (255, 255, 255)
_ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def render(game: Game, s: Any, seat: int | None, mode: str) -> str | np.ndarray | None:
    """The table as `seat` sees it (whole for None): text, uint8 (H, W, 3), or None after printing it."""
    if mode == "rgb_array":
        return picture(game, s, seat)
    text = game.table_text(s, seat)
    if mode == "human":
        print(text, flush=True)
        return None
    return text


def picture(game: Game, s: Any, seat: int | None) -> np.ndarray:
    """uint8 (H, W, 3)."""
    if game.picture is not None:
        return game.picture(s, seat)
    return text_picture(game.table_text(s, seat))


@cache
def font(size: int) -> Any:
    """Pillow's own font, so that pictures need no file and look alike everywhere."""
    return ImageFont.load_default(size)


Colour = tuple[int, int, int]


class Sheet:
    """A sheet of paper to draw a table on, with a pen that thinks in final pixels.

    It is drawn larger and then reduced, so that edges are smooth.

    Args:
        width, height: in pixels.
        paper: its colour.
    """

    SHARP = 2  # times as large while it is drawn

    def __init__(self, width: int, height: int, paper: Colour = PAPER) -> None:
        self.image = Image.new("RGB", (width * self.SHARP, height * self.SHARP), paper)
        self.pen = ImageDraw.Draw(self.image)

    def box(
        self,
        x: float,
        y: float,
        wide: float,
        high: float,
        fill: Colour,
        line: Colour | None = None,
        bend: float = 7,
    ) -> None:
        """A rectangle with its upper left corner at (x, y), its corners rounded by `bend`, and an outline if wished."""
        corners = [v * self.SHARP for v in (x, y, x + wide, y + high)]
        self.pen.rounded_rectangle(corners, bend * self.SHARP, fill, line, self.SHARP if line else 0)

    def shape(self, points: Sequence[tuple[float, float]], fill: Colour) -> None:
        """A polygon."""
        self.pen.polygon([(x * self.SHARP, y * self.SHARP) for x, y in points], fill)

    def stroke(self, points: Sequence[tuple[float, float]], fill: Colour, width: float = 1) -> None:
        """A line through `points`."""
        self.pen.line([(x * self.SHARP, y * self.SHARP) for x, y in points], fill, round(width * self.SHARP))

    def dot(self, x: float, y: float, radius: float, fill: Colour, line: Colour | None = None) -> None:
        """A disc around (x, y), with an outline if wished."""
        corners = [v * self.SHARP for v in (x - radius, y - radius, x + radius, y + radius)]
        self.pen.ellipse(corners, fill, line, self.SHARP if line else 0)

    def write(
        self, x: float, y: float, words: str, size: int, fill: Colour = INK, anchor: str = "lm"
    ) -> float:
        """Set a line of text, `anchor` as in Pillow; returns its width."""
        face = font(size * self.SHARP)
        self.pen.text((x * self.SHARP, y * self.SHARP), words, fill, font=face, anchor=anchor)
        return face.getlength(words) / self.SHARP

    def length(self, words: str, size: int) -> float:
        """How wide a line of text would be."""
        return font(size * self.SHARP).getlength(words) / self.SHARP

    def chips(
        self,
        chips: Sequence[tuple[str, Colour]],
        x: float,
        y: float,
        wide: float,
        ink: Callable[[Colour], Colour] = lambda ground: WHITE,
    ) -> float:
        """Words on coloured ground, in as many lines as it takes; where the next line begins.

        Args:
            chips: words and their grounds.
            x: left end of every line.
            y: upper edge of the first.
            wide: room for a line.
            ink: colour of the words on a ground.
        """
        left = x
        for words, ground in chips:
            long = self.length(words, 13) + 14
            if left > x and left + long > x + wide:
                left, y = x, y + 26
            self.box(left, y, long, 22, ground, bend=6)
            self.write(left + long / 2, y + 11, words, 13, ink(ground), "mm")
            left += long + 5
        return y + 26

    def pile(
        self, x: float, y: float, wide: float, high: float, fill: Colour, line: Colour, bend: float
    ) -> None:
        """The back of the top card of a pile, and two under it."""
        for under in (2, 1, 0):
            self.box(x + 3 * under, y + 3 * under, wide, high, fill, line, bend)

    def panel(
        self,
        x: float,
        y: float,
        wide: float,
        high: float,
        head: Colour,
        fill: Colour,
        line: Colour,
        around: Colour | None = None,
    ) -> None:
        """A seat's own area under a coloured head of 36, framed in `around` if there is one."""
        if around is not None:
            self.box(x - 4, y - 4, wide + 8, high + 8, around, bend=11)
        self.box(x, y, wide, high, fill, line, bend=8)
        self.box(x, y, wide, 36, head, bend=8)

    def pixels(self) -> np.ndarray:
        """The sheet: uint8 (height, width, 3)."""
        return np.asarray(self.image.reduce(self.SHARP))


def in_columns(
    count: int, columns: int, x: float, y: float, wide: int, high: float, gap: int
) -> list[tuple[float, float, int]]:
    """Left, top and width of `count` areas of height `high`, in so many columns from (x, y) on; `wide` over all."""
    each = (wide - (columns - 1) * gap) // columns
    return [(x + k % columns * (each + gap), y + k // columns * (high + gap), each) for k in range(count)]


def _plain_letters(text: str) -> str:
    """Letters without their accents: Pillow's own font has none."""
    return "".join(
        letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter)
    )


def text_picture(text: str, size: int = 14) -> np.ndarray:
    """Text on paper, every character in a cell of its own so that columns stay columns: uint8 (H, W, 3)."""
    lines = _plain_letters(_ESCAPE.sub("", text)).splitlines() or [""]
    wide, high = round(size * 0.66), round(size * 1.4)
    image = Image.new("RGB", ((max(map(len, lines)) + 2) * wide, (len(lines) + 1) * high), PAPER)
    pen = ImageDraw.Draw(image)
    for row, line in enumerate(lines):
        for column, letter in enumerate(line):
            if letter != " ":
                at = ((column + 1.5) * wide, (row + 0.5) * high)
                pen.text(at, letter, INK, font=font(size), anchor="ma")
    return np.asarray(image)
