"""What must hold at every table of Âge de Bronze: each component is somewhere, exactly once."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from ..engine.compile import plain
from .components import COUNTS, ENDS_TOTAL, MAIN_CARDS, NUM_MAIN, NUM_NATIONS, RULE, Card
from .knowledge import first_look
from .state import AMBUSH, HAND_ROOM, MAX_LOOKS, NONE, RICHES, Phase

END = Card.END_OF_THE_BRONZE_AGE
MAIN_IN_HAND = (
    RULE.hand_limit + 5 + 1 + 2 + 2
)  # kept from the last turn, five actions, Utu, two Spies, two Auguries


def check(s: Any) -> None:
    """Hold a table against the components.

    Raises:
        ValueError: naming the field and what would be right.
    """
    _check_ranges(s)
    _check_nations(s)
    _check_main_cards(s)
    _check_riches(s)
    _check_ends(s)


def _need(holds: Any, message: str) -> None:
    if not holds:
        raise ValueError(message)


def _check_ranges(s: Any) -> None:
    players = s.num_players
    nations = RULE.nations_of_two if players == 2 else players
    _need(s.nations == nations, f"state.nations is {s.nations}, must be {nations} with {players} players")
    _need(not any(s.eliminated), "state.eliminated must be all 0: nobody is knocked out of this game")
    last = nations - 1
    within = {
        "turn": (0, last),
        "phase": (0, len(Phase) - 1),
        "greatest_temple": (NONE, last),
        "target": (NONE, last),
        "trick": (NONE, int(Card.RICHES)),
        "ends_out": (0, ENDS_TOTAL),
        "actions": (0, RULE.actions + RULE.extra_action),
        "looks": (0, MAX_LOOKS),
        "placed": (0, RULE.augury),
        "owed": (0, RULE.hand_limit),
    }
    for field, (low, high) in within.items():
        _need(low <= s[field] <= high, f"state.{field} is {s[field]}, must be from {low} to {high}")
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
        _need(min(s[field]) >= 0, f"state.{field} must not be negative")
    starts, room = s.pile_start.tolist(), len(s.deck)
    rising = all(a < b for a, b in pairwise(starts))
    _need(
        starts[0] == 0 and rising and starts[-1] <= room,
        f"state.pile_start {starts} must rise from 0 to {room}",
    )
    _need(
        0 <= s.deck_next <= starts[-1], f"state.deck_next is {s.deck_next}, the deck has {starts[-1]} cards"
    )
    _check_phase(s)
    _check_looks(s)


def _check_phase(s: Any) -> None:
    """What is being resolved must be said."""
    if s.phase in (Phase.TARGET, Phase.COMMIT, Phase.DEITY, Phase.SPY):
        _need(s.trick >= 0, f"state.trick is {s.trick}, a dirty trick is being played")
    if s.trick == Card.RICHES:
        _need(
            Card.RICHES in s.hand[s.seat, : s.hand_size[s.seat]],
            "state.trick is a raid, which needs Riches in hand",
        )
    if s.phase in (Phase.COMMIT, Phase.DEITY, Phase.SPY, Phase.CURSE):
        _need(s.target >= 0, "state.target must name a nation in this phase")
    if s.phase in (Phase.KEEP, Phase.PUT_BACK):
        shown = s.look_at[s.looks - 1] + s.look_size[s.looks - 1] - s.deck_next if s.looks else 0
        _need(0 <= s.placed < shown, "state.looks must tell of the Augury that is being played")
    decides = s.target if s.phase == Phase.CURSE else s.turn
    _need(
        s.finished or s.seat == decides % s.num_players,
        f"state.seat is {s.seat}, it does not decide in this phase",
    )
    if s.phase == Phase.CURSE:
        _need(
            0 < s.owed <= s.hand_size[s.seat], f"state.owed is {s.owed}, must be cards of the victim's hand"
        )


def _check_looks(s: Any) -> None:
    """An Augury showed cards of the deck, and one seat."""
    for k in range(s.looks):
        start, size = s.look_at[k], s.look_size[k]
        inside = 0 <= start <= s.deck_next and 0 < size <= RULE.augury and start + size <= s.pile_start[-1]
        _need(inside, f"state.look_at[{k}] and look_size[{k}] are {start} and {size}, outside the deck")
        _need(0 <= s.look_seat[k] < s.num_players, f"state.look_seat[{k}] is {s.look_seat[k]}, names no seat")
        _need(s.look_kept[k] in (0, 1), f"state.look_kept[{k}] is {s.look_kept[k]}, must be 0 or 1")


def _check_ends(s: Any) -> None:
    """One End card in each pile; those that an Augury shows may change places until they are drawn."""
    shown = range(plain(first_look)(s), s.looks)
    start = s.look_at[shown[0]] if shown else s.deck_next
    reach = max([s.deck_next, *(s.look_at[k] + s.look_size[k] for k in shown)])
    is_end = np.asarray(s.deck) == END
    out, came = int(is_end[:start].sum()), int(is_end[: s.deck_next].sum())
    _need(came == s.ends_out, f"{came} End cards have left state.deck, state.ends_out is {s.ends_out}")
    for pile, (first, after) in enumerate(pairwise(s.pile_start)):
        left = int(is_end[max(first, reach) : max(after, reach)].sum())
        most = int(pile >= out)
        least = most if first >= reach or (not shown and after > reach) else 0
        right = f"{least} to {most}" if least < most else f"{most}"
        _need(least <= left <= most, f"state.deck has {left} End cards left in pile {pile}, must be {right}")
    at = sum(start >= first for first in s.pile_start[1:-1])
    _need(
        out in (at, at + 1),
        f"{out} End cards in the first {start} cards of state.deck, which end in pile {at}",
    )
    for k in shown:
        _need(
            not (s.look_kept[k] and is_end[s.look_at[k]]), f"state.look_kept[{k}]: an End card cannot be kept"
        )
    if shown:
        k = shown[-1]
        ends = is_end[s.look_at[k] : s.look_at[k] + s.look_size[k]]
        bits = sum(1 << place for place in np.flatnonzero(ends).tolist())
        _need(s.look_ends[k] == bits, f"state.look_ends[{k}] is {s.look_ends[k]}, the cards say {bits}")


def _check_nations(s: Any) -> None:
    cards = s.nation[: s.nations].tolist()
    different = len(set(cards)) == s.nations and set(cards) <= set(range(NUM_NATIONS))
    _need(different, f"state.nation {cards} must be different nations")
    for deity, holder in enumerate(s.deity_holder):
        if deity in cards:
            _need(
                0 <= holder < s.nations,
                f"state.deity_holder[{deity}] is {holder}, must name a nation in play",
            )
        else:
            _need(
                holder == NONE,
                f"state.deity_holder[{deity}] is {holder}, its nation is not in play: must be {NONE}",
            )


def _check_main_cards(s: Any) -> None:
    deck = np.asarray(s.deck[s.deck_next : s.pile_start[-1]])
    known = set(deck.tolist()) <= {*range(NUM_MAIN), int(END)}
    _need(known, "state.deck holds a card that is none of the main deck's")
    counts = np.bincount(deck[deck < NUM_MAIN], minlength=NUM_MAIN) + _in_hands(s)[:NUM_MAIN]
    counts += np.asarray(s.row, np.int64) + np.asarray(s.discards, np.int64)
    for card, field in ((Card.FAMILY, "family"), (Card.TEMPLE, "temple"), (Card.VICTORY, "victory")):
        counts[card] += sum(s[field])
    for k, name in enumerate(MAIN_CARDS):
        _need(counts[k] == COUNTS[k], f"{counts[k]} {name} cards in all places together, must be {COUNTS[k]}")
    ends = (deck == END).sum() + s.ends_out
    _need(ends == ENDS_TOTAL, f"{ends} End cards in deck and out, must be {ENDS_TOTAL}")


def _check_riches(s: Any) -> None:
    riches = s.riches_deck[RICHES] + s.riches_discards[RICHES] + sum(s.riches) + _in_hands(s)[Card.RICHES]
    _need(
        riches == COUNTS[Card.RICHES], f"{riches} Riches cards in all places, must be {COUNTS[Card.RICHES]}"
    )
    ambush = s.riches_deck[AMBUSH] + s.riches_discards[AMBUSH]
    _need(
        ambush == COUNTS[Card.AMBUSH], f"{ambush} Ambush cards in all places, must be {COUNTS[Card.AMBUSH]}"
    )


def _seen_by_all(s: Any, seat: int) -> bool:
    """Riches are drawn face up: every seat knows those of this hand."""
    everyone = (1 << s.num_players) - 1
    held = zip(s.hand[seat, : s.hand_size[seat]], s.seen[seat], strict=False)
    return all(card != Card.RICHES or seen & everyone == everyone for card, seen in held)


def _in_hands(s: Any) -> np.ndarray:
    counts = np.zeros(Card.RICHES + 1, np.int64)
    for seat in range(s.num_players):
        active = s.turn % s.num_players == seat
        most = HAND_ROOM if active else RULE.hand_limit
        _need(
            0 <= s.hand_size[seat] <= most,
            f"state.hand_size[{seat}] is {s.hand_size[seat]}, must be from 0 to {most}",
        )
        hand = np.asarray(s.hand[seat, : s.hand_size[seat]])
        _need(
            s.spied >> seat & 1 or _seen_by_all(s, seat), f"state.seen[{seat}] hides Riches that no Spy moved"
        )
        known = hand.min(initial=0) >= 0 and hand.max(initial=0) <= Card.RICHES
        _need(known, f"state.hand[{seat}] holds a card that no hand can hold")
        main = int((hand < Card.RICHES).sum())
        _need(
            main <= MAIN_IN_HAND,
            f"state.hand[{seat}] holds {main} main cards, a turn brings at most {MAIN_IN_HAND}",
        )
        counts += np.bincount(hand, minlength=Card.RICHES + 1)
    return counts
