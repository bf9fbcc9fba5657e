"""Actions and tables in words."""

from __future__ import annotations

from typing import Any

from .components import RANKS
from .state import ACTIONS, RANK_NAMES, Phase


def action_text(s: Any, action: int) -> str:
    """An action as a player would say it; no two that are legal at the same time may read alike."""
    found, index = ACTIONS.locate(action)
    return f"{found.name} {RANK_NAMES[index[0]]}" if index else "bury nothing"


def heard_text(s: Any, action: int, seat: int) -> str:
    """The same as the others hear of it: which card is buried is a secret."""
    found, _ = ACTIONS.locate(action)
    return "bury a card" if found.name == "bury" else action_text(s, action)


def table_text(s: Any, seat: int | None) -> str:
    """The table as a seat sees it; whole for None."""
    lines = [f"Deck: {s['left']} cards. Pile: {_cards(s['pile'])}, on top {_top(s)}."]
    for k in range(s["num_players"]):
        hand, buried = s["hand"][k], s["buried"][k]
        if seat in (None, k):
            secret = f"hand {_cards(hand)}; buried {_cards(buried)}"
        else:
            secret = f"hand of {s['held'][k]}, unknown; {s['graves'][k]} buried"
        lines.append(f"player_{k}: {secret}; taken {_cards(s['taken'][k])}")
    if s["finished"]:
        lines.append("The game is over.")
    else:
        decision = "plays a card" if s["phase"] == Phase.PLAY else "may bury a card"
        lines.append(f"player_{s['seat']} {decision}.")
    return "\n".join(lines)


def _cards(counts: Any) -> str:
    return " ".join(RANK_NAMES[rank] for rank in range(RANKS) for _ in range(int(counts[rank]))) or "-"


def _top(s: Any) -> str:
    return RANK_NAMES[s["top"]] if s["top"] >= 0 else "nothing"
