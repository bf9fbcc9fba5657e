"""Pictures of a table: "ansi" text, "rgb_array", and "human", which prints the text.

A rulebook draws its own picture where it has one; otherwise its text is set in a grid of characters.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from .game import Game

PAPER, INK = (250, 247, 240), (40, 36, 32)
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
