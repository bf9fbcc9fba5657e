"""The table as a picture."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.render import text_picture
from .text import table_text


def picture(s: Any, seat: int | None) -> np.ndarray:
    """The table as `seat` sees it: uint8 (H, W, 3)."""
    return text_picture(table_text(s, seat))
