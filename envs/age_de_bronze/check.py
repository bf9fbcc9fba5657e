"""What must hold at every table of Âge de Bronze: each component is somewhere, exactly once."""

from __future__ import annotations

from typing import Any

import numpy as np

from .components import COUNTS, ENDS_TOTAL, NUM_MAIN, NUM_NATIONS, RULE, Card
from .state import AMBUSH, HAND_ROOM, RICHES, Phase


def check(s: Any) -> None:
    """Hold a table against the components.

    Raises:
        ValueError: naming the field and what would be right.
    """
    _check_ranges(s)
    _check_nations(s)
    _check_main_cards(s)
    _check_riches(s)


def _need(holds: Any, message: str) -> None:
    if not holds:
        raise ValueError(message)


def _check_ranges(s: Any) -> None:
    players = int(s["num_players"])
    nations = RULE.nations_of_two if players == 2 else players
    _need(
        s["nations"] == nations, f"state.nations is {s['nations']}, must be {nations} with {players} players"
    )
    _need(0 <= s["turn"] < nations, f"state.turn is {s['turn']}, must be from 0 to {nations - 1}")
    _need(0 <= s["phase"] < len(Phase), f"state.phase is {s['phase']}, must be from 0 to {len(Phase) - 1}")
    _need(
        -1 <= s["greatest_temple"] < nations,
        f"state.greatest_temple is {s['greatest_temple']}, names no nation",
    )
    _need(-1 <= s["target"] < nations, f"state.target is {s['target']}, names no nation")
    _need(
        0 <= s["ends_out"] <= ENDS_TOTAL, f"state.ends_out is {s['ends_out']}, must be from 0 to {ENDS_TOTAL}"
    )
    _need(
        0 <= s["actions"] <= RULE.actions + 2,
        f"state.actions is {s['actions']}, a turn has {RULE.actions} or 5",
    )
    _need(
        0 <= s["looks"] <= COUNTS[Card.AUGURY],
        f"state.looks is {s['looks']}, there are {COUNTS[Card.AUGURY]} Auguries",
    )
    sizes = s["hand_size"]
    _need(
        sizes.min() >= 0 and sizes.max() <= HAND_ROOM,
        f"state.hand_size {sizes.tolist()} must be 0 to {HAND_ROOM}",
    )
    starts = s["pile_start"]
    room = len(s["deck"])
    _need(
        starts[0] == 0 and (np.diff(starts) > 0).all() and starts[-1] <= room,
        f"state.pile_start {starts.tolist()} must rise from 0",
    )
    _need(
        0 <= s["deck_next"] <= starts[-1],
        f"state.deck_next is {s['deck_next']}, the deck has {starts[-1]} cards",
    )
    for field in (
        "family",
        "temple",
        "victory",
        "riches",
        "row",
        "discards",
        "riches_deck",
        "riches_discards",
    ):
        _need(np.min(s[field]) >= 0, f"state.{field} must not be negative")
    if s["phase"] in (Phase.TARGET, Phase.COMMIT, Phase.DEITY, Phase.SPY):
        _need(
            s["trick"] in range(Card.RICHES + 1),
            f"state.trick is {s['trick']}, a dirty trick is being played",
        )
    if s["phase"] in (Phase.DEITY, Phase.SPY, Phase.CURSE, Phase.COMMIT):
        _need(s["target"] >= 0, "state.target must name a nation in this phase")
    if s["phase"] in (Phase.KEEP, Phase.PUT_BACK):
        _need(s["looks"] > 0, "state.looks must count the Augury that is being played")


def _check_nations(s: Any) -> None:
    nations = int(s["nations"])
    cards = s["nation"][:nations].tolist()
    _need(
        len(set(cards)) == nations and set(cards) <= set(range(NUM_NATIONS)),
        f"state.nation {cards} must be different nations",
    )
    for deity in range(NUM_NATIONS):
        holder = int(s["deity_holder"][deity])
        in_play = deity in cards
        _need(
            (0 <= holder < nations) == in_play,
            f"state.deity_holder[{deity}] is {holder}, its nation is {'' if in_play else 'not '}in play",
        )


def _check_main_cards(s: Any) -> None:
    deck = s["deck"][int(s["deck_next"]) : int(s["pile_start"][-1])]
    _need(
        set(np.unique(deck)) <= {*range(NUM_MAIN), int(Card.END_OF_THE_BRONZE_AGE)},
        "state.deck holds a card that is none of the main deck's",
    )
    counts = np.bincount(deck[deck < NUM_MAIN], minlength=NUM_MAIN)
    counts = counts + s["row"] + s["discards"] + _in_hands(s)[:NUM_MAIN]
    for card, field in ((Card.FAMILY, "family"), (Card.TEMPLE, "temple"), (Card.VICTORY, "victory")):
        counts[card] += s[field].sum()
    for card in range(NUM_MAIN):
        _need(
            counts[card] == COUNTS[card],
            f"{counts[card]} {Card(card).name} cards in all places together, must be {COUNTS[card]}",
        )
    ends = int((deck == Card.END_OF_THE_BRONZE_AGE).sum()) + int(s["ends_out"])
    _need(ends == ENDS_TOTAL, f"{ends} End cards in deck and out, must be {ENDS_TOTAL}")


def _check_riches(s: Any) -> None:
    riches = (
        int(s["riches_deck"][RICHES])
        + int(s["riches_discards"][RICHES])
        + int(s["riches"].sum())
        + int(_in_hands(s)[Card.RICHES])
    )
    _need(
        riches == COUNTS[Card.RICHES],
        f"{riches} Riches cards in all places together, must be {COUNTS[Card.RICHES]}",
    )
    ambush = int(s["riches_deck"][AMBUSH]) + int(s["riches_discards"][AMBUSH])
    _need(
        ambush == COUNTS[Card.AMBUSH],
        f"{ambush} Ambush cards in all places together, must be {COUNTS[Card.AMBUSH]}",
    )


def _in_hands(s: Any) -> np.ndarray:
    counts = np.zeros(Card.RICHES + 1, np.int64)
    for seat in range(int(s["num_players"])):
        hand = s["hand"][seat, : int(s["hand_size"][seat])]
        _need(
            hand.min(initial=0) >= 0 and hand.max(initial=0) <= Card.RICHES,
            f"state.hand[{seat}] holds a card that no hand can hold",
        )
        counts += np.bincount(hand, minlength=Card.RICHES + 1)
    return counts
