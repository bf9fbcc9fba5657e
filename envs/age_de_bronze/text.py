"""Actions and tables in words."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.compile import plain
from ..engine.fields import PUBLIC
from . import rules
from .components import Card, Deity, Nation
from .rules import PILES, ROW
from .state import ACTIONS, GROUPS, NONE, Phase

looker, nation_points = plain(rules.looker), plain(rules.nation_points)
owner, placing = plain(rules.owner), plain(rules.placing)


def _words(name: str) -> str:
    """``Theft of Deity`` for ``THEFT_OF_DEITY``."""
    return " ".join(w if w in ("of", "the") else w.capitalize() for w in name.lower().split("_"))


CARD_NAMES = [_words(card.name) for card in Card]
DEITY_NAMES = [_words(deity.name) for deity in Deity]
NATION_NAMES = [_words(nation.name) for nation in Nation]
_POWERS = {
    Deity.MAMMON: "Mammon: take a Riches card",
    Deity.UTU: "Utu: draw the top card",
    Deity.MARDUK: "Marduk: play Temple",
    Deity.NERGAL: "Nergal: play a dirty trick",
    Deity.KIRIRISHA: "Kiririsha: play Family",
    Deity.INARA: "Inara: play Victory",
}


def action_text(s: Any, action: int) -> str:
    """What `action` says, at a table where it is legal."""
    found, index = ACTIONS.locate(action)
    what = _words(found.labels[0][index[0]]) if index else ""
    if found.name == "deity":
        return _POWERS[Deity(index[0])]
    if found.name == "target":
        n = (int(s["turn"]) + 1 + index[0]) % max(1, int(s["nations"]))
        return (
            f"against the {NATION_NAMES[s['nation'][n]]}"
            if index[0] + 1 < s["nations"]
            else f"against nobody ({what})"
        )
    texts = {
        "end_turn": "end the turn",
        "take": f"take {what} from the row",
        "play": f"play {what}",
        "augury": "play Augury",
        "trick": f"play {what} as a dirty trick",
        "commit": f"raid with {index[0] + 1 if index else 0} Riches",
        "steal": f"steal {what}",
        "spy": f"take {what} from the hand",
        "keep": f"keep {what}",
        "keep_none": "keep nothing",
        "put_back": f"put back {what}",
        "discard": f"discard {what}",
    }
    return texts[found.name]


def heard_text(s: Any, action: int, seat: int) -> str:
    """What `seat` hears of another's action: not which card an Augury shows, nor which one a Spy takes elsewhere."""
    block = ACTIONS.locate(action)[0].name
    if block == "keep":
        return "keep a card"
    if block == "put_back":
        return "put a card back"
    if block == "spy" and seat != owner(s, s["target"]):
        return "take a card from the hand"
    return action_text(s, action)


def table_text(s: Any, seat: int | None = None) -> str:
    """The table as `seat` sees it; whole, with all that is hidden, for None."""
    lines = [_heading(s), f"Row ({row_length(s)}): {_cards(s['row'])}", _decks(s), ""]
    lines.append(
        f"{'':4}{'nation':<12}{'player':<10}{'Fam':>4}{'Tem':>4}{'Vic':>4}{'Ric':>4}{'hand':>5}{'points':>7}  deities"
    )
    lines += [_nation(s, n) for n in range(s.nations)]
    lines.append("")
    lines += [f"player_{holder} holds {_hand(s, holder, seat)}" for holder in range(s.num_players)]
    known = _deck_top(s, seat)
    if known:
        lines.append(f"On top of the deck: {known}")
    return "\n".join(lines)


def _heading(s: Any) -> str:
    return f"Âge de Bronze - {decision(s)}"


def decision(s: Any) -> str:
    """Whose turn it is and what is being decided."""
    if s["finished"]:
        return f"the game is over, first: {', '.join(_first(s))}"
    n, phase = int(s["turn"]), Phase(int(s["phase"]))
    actions = f"{s['actions']} action{'' if s['actions'] == 1 else 's'} left"
    what = {
        Phase.TURN: "plays which dirty trick with Nergal's power?" if s["free_trick"] else actions,
        Phase.TARGET: f"plays {_card(s['trick'])} against whom?",
        Phase.COMMIT: "raids with how many Riches?",
        Phase.DEITY: "steals which deity?",
        Phase.SPY: "takes which card?",
        Phase.KEEP: "keeps which of the cards on top of the deck?",
        Phase.PUT_BACK: "puts back which card next?",
        Phase.DISCARD: "discards down to eight",
        Phase.CURSE: f"player_{s['seat']} discards {s['owed']} more",
    }[phase]
    return f"turn of the {NATION_NAMES[s['nation'][n]]} (player_{owner(s, n)}): {what}"


def _first(s: Any) -> list[str]:
    places = np.zeros(int(s["num_players"]), np.int8)
    placing(s, places)
    return [f"player_{seat}" for seat, place in enumerate(places) if place == 1]


def row_length(s: Any) -> int:
    """Cards that the row holds when it is full; the last End card lengthens it no more."""
    return ROW + min(int(s["ends_out"]), PILES - 1)


def _decks(s: Any) -> str:
    return (
        f"Deck: {int(s['pile_start'][PILES]) - int(s['deck_next'])}, End cards out: {s['ends_out']} of {PILES}   "
        f"Riches deck: {s['riches_deck'][0]} Riches, {s['riches_deck'][1]} Ambush   "
        f"discarded: {_cards(s['discards'])}; {s['riches_discards'][0]} Riches, {s['riches_discards'][1]} Ambush"
    )


def _nation(s: Any, n: int) -> str:
    mark = ">" if n == s["turn"] and not s["finished"] else " "
    deities = [DEITY_NAMES[d] for d in range(len(DEITY_NAMES)) if s["deity_holder"][d] == n]
    used = [
        name + " (used)" if s["deity_used"][DEITY_NAMES.index(name)] and mark == ">" else name
        for name in deities
    ]
    if s["greatest_temple"] == n:
        used.append("Greatest Temple")
    name, who = NATION_NAMES[s["nation"][n]], f"player_{owner(s, n)}"
    cards = "".join(f"{s[field][n]:>4}" for field in ("family", "temple", "victory", "riches"))
    numbers = f"{cards}{s.hand_size[owner(s, n)]:>5}{int(nation_points(s, n)):>7}"
    return f"  {mark} {name:<12}{who:<10}{numbers}  {', '.join(used)}".rstrip()


def _hand(s: Any, holder: int, seat: int | None) -> str:
    known = known_cards(s, holder, seat)
    parts = [_cards(known)] if sum(known) else []
    hidden = int(s["hand_size"][holder]) - sum(known)
    if hidden:
        parts.append(f"{hidden} unknown{_among_them(s, holder, seat)}")
    return ", ".join(parts) or "nothing"


def known_cards(s: Any, holder: int, seat: int | None) -> list[int]:
    """Cards of a hand that `seat` is sure of, by kind; all for None."""
    if seat == PUBLIC:
        return [0] * len(s["hand"][holder])
    own = seat is None or seat == holder
    return [int(number) for number in (s["hand"][holder] if own else s["known"][seat, holder])]


def _among_them(s: Any, holder: int, seat: int | None) -> str:
    """Which cards a seat lost sight of by a Spy may be among the unknown ones of a hand."""
    if seat in (None, PUBLIC):
        return ""
    lost = [s["lost"][seat, group] for group in range(GROUPS) if s["mixed"][seat, group, holder]]
    return "".join(f" (some of {_cards(cards)}?)" for cards in lost)


def _deck_top(s: Any, seat: int | None) -> str:
    if seat is None:
        return ""
    first, last = int(s["deck_next"]), int(s["pile_start"][PILES])
    cards = [
        _card(s["deck"][p]) if looker(s, p) == seat else "unknown" for p in range(first, min(first + 5, last))
    ]
    return ", ".join(cards) if set(cards) - {"unknown"} else ""


def _cards(counts: Any) -> str:
    names = [f"{counts[k]} {CARD_NAMES[k]}" for k in range(len(counts)) if counts[k]]
    return ", ".join(names) or "nothing"


def _card(card: int) -> str:
    return "nothing" if card == NONE else CARD_NAMES[card]


__all__ = [
    "CARD_NAMES",
    "DEITY_NAMES",
    "NATION_NAMES",
    "action_text",
    "decision",
    "known_cards",
    "row_length",
    "table_text",
]
