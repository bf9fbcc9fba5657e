"""What must hold at every table: each card is somewhere once, no field contradicts another.

The engine has seen to it that every number is in its field's range; refused here is what could not be played on.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .components import COPIES
from .state import NONE, Phase


def check(s: Any) -> None:
    """Hold a table against the components.

    Raises:
        ValueError: naming the field and what would be right.
    """
    places = ("hand", "buried", "taken")
    counts = sum(np.asarray(s[name], np.int64).sum(axis=0) for name in places)
    counts = counts + np.asarray(s["pile"], np.int64) + np.asarray(s["deck"], np.int64)
    if (counts != COPIES).any():
        raise ValueError(f"each rank has {COPIES} cards, found by rank {counts.tolist()}")
    seats = int(s["num_players"])
    for name in places:
        if np.asarray(s[name])[seats:].any():
            raise ValueError(f"state.{name}: there are {seats} seats, the rows behind them must be 0")
    for name, cards in (("held", s["hand"]), ("graves", s["buried"])):
        found = np.asarray(cards, np.int64).sum(axis=1)
        if (found != s[name]).any():
            raise ValueError(f"state.{name} is {list(map(int, s[name]))}, there are {found.tolist()}")
    if int(s["left"]) != int(np.asarray(s["deck"], np.int64).sum()):
        raise ValueError(f"state.left is {int(s['left'])}, state.deck has another number of cards")
    top = int(s["top"])
    if top == NONE and np.asarray(s["pile"]).any():
        raise ValueError("state.top is NONE, but there are cards in state.pile")
    if top != NONE and s["pile"][top] == 0:
        raise ValueError(f"state.top is {top}, but state.pile has no card of that rank")
    held = np.asarray(s["held"])
    if bool(s["finished"]) != (not held.any()):
        raise ValueError(f"state.finished is {bool(s['finished'])}: the game is over when no hand has cards")
    if not s["finished"] and held[int(s["seat"])] == 0:
        raise ValueError(f"state.seat is {int(s['seat'])}, which has no cards to play")
    if s["phase"] == Phase.BURY and (s["finished"] or top == NONE):
        raise ValueError("state.phase is BURY, which comes after a card was laid on the pile")
