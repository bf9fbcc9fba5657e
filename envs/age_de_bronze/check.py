"""What must hold at every table of Âge de Bronze: each component is somewhere once, play stays in range."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from ..engine.compile import plain
from . import hands, rules
from .components import (
    COUNTS,
    ENDS_TOTAL,
    MAIN_CARDS,
    MAIN_TOTAL,
    NUM_MAIN,
    NUM_NATIONS,
    RULE,
    TRICKS,
    Card,
    Deity,
)
from .state import AMBUSH, GROUPS, MOST_LOOKS, NONE, RICHES, Phase

affects, first_look, unknown_beside = (
    plain(rules.affects),
    plain(rules.first_look),
    plain(hands.unknown_beside),
)

END = Card.END_OF_THE_BRONZE_AGE
TRICK_PHASES = {Phase.TARGET, Phase.COMMIT, Phase.DEITY, Phase.SPY, Phase.CURSE}
TOLD = ("known", "lost", "mixed", "revealed", "fresh")  # of each seat, what it knows
ONE_TRICK = {
    Phase.COMMIT: Card.RICHES,
    Phase.DEITY: Card.THEFT_OF_DEITY,
    Phase.SPY: Card.SPY,
    Phase.CURSE: Card.CURSE,
}
#: Main cards kept from the last turn, and what a turn can bring: actions, Utu, two Spies, two Auguries.
MAIN_IN_HAND = RULE.hand_limit + RULE.actions + RULE.extra_action + 1 + GROUPS + MOST_LOOKS


def check(s: Any) -> None:
    """Hold a table against the components.

    Raises:
        ValueError: naming the field and what would be right.
    """
    _check_ranges(s)
    _check_hands(s)
    _check_knowledge(s)
    _check_phase(s)
    _check_looks(s)
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
    for field in ("turn", "greatest_temple", "target"):
        _need(s[field] <= last, f"state.{field} is {s[field]}, must be at most {last}")
    starts = _pile_starts(players)
    _need(s.pile_start.tolist() == starts, f"state.pile_start is {s.pile_start.tolist()}, must be {starts}")
    _need(s.deck_next <= starts[-1], f"state.deck_next is {s.deck_next}, the deck has {starts[-1]} cards")
    over = s.ends_out == ENDS_TOTAL
    _need(
        s.finished == over, f"state.finished is {s.finished}, {s.ends_out} of {ENDS_TOTAL} End cards are out"
    )
    most = RULE.actions + RULE.extra_action * (s.greatest_temple == s.turn)
    _need(s.actions <= most, f"state.actions is {s.actions}, must be at most {most}")


def _pile_starts(players: int) -> list[int]:
    cards = MAIN_TOTAL - players * RULE.hand_dealt
    starts = [0]
    for pile in range(RULE.piles):
        starts.append(starts[-1] + (cards + RULE.piles - 1 - pile) // RULE.piles + 1)
    return starts


def _check_phase(s: Any) -> None:
    """What is being resolved must be said, and be possible."""
    phase = Phase(s.phase)
    tricking, told = phase in TRICK_PHASES, s.trick != NONE
    _need(tricking == told, f"state.trick is {s.trick} in phase {phase.name}")
    _need(not told or Card(s.trick).name in TRICKS, f"state.trick is {s.trick}, which is no dirty trick")
    aimed = tricking and phase != Phase.TARGET
    _need(aimed == (s.target != NONE), f"state.target is {s.target} in phase {phase.name}")
    if aimed:
        _need(s.trick == ONE_TRICK[phase], f"state.trick is {s.trick} in phase {phase.name}")
        possible = affects(s, s.trick, s.target)
        _need(possible, f"state.target is {s.target}: nothing for this trick to do there")
    if s.trick == Card.RICHES:
        _need(s.hand[s.seat, Card.RICHES] > 0, "state.trick is a raid, which needs Riches in hand")
    if s.free_trick:
        called = s.deity_used[Deity.NERGAL] and s.deity_holder[Deity.NERGAL] != NONE
        _need(
            called and (tricking or phase == Phase.TURN), "state.free_trick is true, Nergal was not called on"
        )
    decides = s.target if phase == Phase.CURSE else s.turn
    _need(
        s.seat == decides % s.num_players, f"state.seat is {s.seat}, it does not decide in phase {phase.name}"
    )
    size = s.hand_size[s.seat]
    owed = 0 < s.owed <= size if phase == Phase.CURSE else s.owed == 0
    _need(owed, f"state.owed is {s.owed}, must be cards of the hand of a Curse's victim, or 0")
    over = size > RULE.hand_limit
    _need(
        over or s.finished or phase != Phase.DISCARD,
        f"state.hand_size[{s.seat}] is {size}, not over the hand limit",
    )


def _check_looks(s: Any) -> None:
    """An Augury showed cards of the deck, and one seat; it is told as long as its cards are not all drawn."""
    played = int(s.discards[Card.AUGURY])
    _need(s.looks <= played, f"state.looks is {s.looks}, {played} Auguries are among state.discards")
    for k in range(MOST_LOOKS):
        start, size, seat = int(s.look_at[k]), int(s.look_size[k]), s.look_seat[k]
        if k >= s.looks:
            unused = not any((start, size, s.look_kept[k], seat, s.look_ends[k]))
            _need(unused, f"state.look_at[{k}] and its like must be 0, state.looks is {s.looks}")
            continue
        shows = min(RULE.augury, int(s.pile_start[-1]) - start)
        _need(start <= s.deck_next, f"state.look_at[{k}] is {start}, state.deck_next is {s.deck_next}")
        _need(size == shows > 0, f"state.look_size[{k}] is {size}, must be {shows}")
        _need(seat < s.num_players, f"state.look_seat[{k}] is {seat}, names no seat")
        fits = s.look_ends[k] < 1 << size and not (s.look_kept[k] and s.look_ends[k] & 1)
        _need(fits, f"state.look_ends[{k}] is {s.look_ends[k]}: {size} cards, and no End card can be kept")
    starts = [int(s.look_at[k]) + int(s.look_kept[k]) for k in range(s.looks)]
    for k in range(1, s.looks):
        _need(
            s.look_at[k] >= starts[k - 1],
            f"state.look_at[{k}] is {s.look_at[k]}, must be {starts[k - 1]} or more",
        )
    _need(
        s.finished or s.looks == 0 or first_look(s) == 0, "state.looks: the cards of an Augury are all drawn"
    )
    looking = s.phase in (Phase.KEEP, Phase.PUT_BACK)
    _need(looking or s.placed == 0, f"state.placed is {s.placed}, no Augury is being played")
    _need(
        not s.looks or looking or s.deck_next >= starts[-1],
        "state.deck_next: the card that was kept is drawn",
    )
    if looking:
        k = s.looks - 1
        _need(
            s.looks and s.look_seat[k] == s.seat, "state.looks must tell of the Augury that is being played"
        )
        kept = int(s.phase == Phase.PUT_BACK and s.look_kept[k])
        _need(
            s.deck_next == s.look_at[k] + kept and kept == s.look_kept[k],
            f"state.look_at[{k}] is {s.look_at[k]}, state.deck_next is {s.deck_next}: that Augury is being played",
        )
        left = s.look_size[k] - kept if s.phase == Phase.PUT_BACK else 1
        _need(s.placed < left, f"state.placed is {s.placed}, must be less than {left}")


def _check_ends(s: Any) -> None:
    """One End card in each pile; those that an Augury shows may change places until they are drawn."""
    shown = range(first_look(s), s.looks)
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
    _need(
        (np.asarray(s.nation[s.nations :]) == NONE).all(), f"state.nation must be {NONE} where there is none"
    )
    for field in ("family", "temple", "victory", "riches"):
        _need(not any(s[field][s.nations :]), f"state.{field}: there are {s.nations} nations")
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


def _in_hands(s: Any) -> np.ndarray:
    return np.asarray(s.hand, np.int64).sum(axis=0)


def _check_hands(s: Any) -> None:
    """Hands have as many cards as they say, and no more than a turn can bring."""
    for seat in range(len(s.hand)):
        total = int(np.asarray(s.hand[seat], np.int64).sum())
        _need(s.hand_size[seat] == total, f"state.hand_size[{seat}] is {s.hand_size[seat]}, must be {total}")
        active = s.turn % s.num_players == seat
        most = total if active else RULE.hand_limit * (seat < s.num_players)
        _need(total <= most, f"state.hand[{seat}] has {total} cards, must have at most {most}")
        main = total - int(s.hand[seat, Card.RICHES])
        most = MAIN_IN_HAND - s.actions
        _need(main <= most, f"state.hand[{seat}] has {main} main cards, must have at most {most}")


def _check_knowledge(s: Any) -> None:
    """Nobody is sure of cards that are not there; what a seat lost sight of is among the cards where it may be."""
    n = int(s.num_players)
    hand, known = np.asarray(s.hand, np.int64), np.asarray(s.known, np.int64)
    lost, mixed = np.asarray(s.lost, np.int64), np.asarray(s.mixed, np.int64)
    to_all = np.asarray(s.known_to_all, np.int64)
    _need((to_all <= hand).all(), "state.known_to_all: cards that are not in the hand")
    _need((known <= hand).all(), "state.known: cards that are not in the hand")
    for seat in range(len(known)):
        own = known[seat, seat].any() or mixed[seat, :, seat].any()
        _need(not own, f"state.known[{seat}] and mixed[{seat}] are about the hands of others")
        if seat >= n:
            told = [name for name in TOLD if np.asarray(s[name][seat]).any()]
            _need(not told, f"state.{told[0] if told else ''}[{seat}] must be 0: there is no such seat")
            continue
        others = [other for other in range(n) if other != seat]
        _need((known[seat, others] >= to_all[others]).all(), f"state.known[{seat}] has less than all know")
        _check_groups(s, seat, others, hand - known[seat], lost[seat], mixed[seat])
    if s.phase == Phase.SPY:
        victim = s.target % n
        _need(
            (known[s.seat, victim] == hand[victim]).all(),
            f"state.known[{s.seat}] must be the hand it looks at",
        )


def _check_groups(
    s: Any, seat: int, others: list[int], left: np.ndarray, lost: np.ndarray, mixed: np.ndarray
) -> None:
    """What a seat lost sight of; `left` are the cards that it is not sure of."""
    for other in range(len(s.hand)):
        told = np.asarray(s.revealed[seat, other]).sum()
        if other not in others:
            _need(
                not told and not s.fresh[seat, other], f"state.revealed[{seat}, {other}] must be 0, and fresh"
            )
            continue
        unknown = unknown_beside(s, seat, other)
        _need(unknown >= 0, f"state.mixed[{seat}, :, {other}]: more cards than it does not know in that hand")
        most = MAIN_TOTAL * (unknown > 0)
        _need(told <= most, f"state.revealed[{seat}, {other}] must be 0: it knows all of that hand")
        most = unknown * (told > 0)
        fresh = s.fresh[seat, other]
        _need(fresh <= most, f"state.fresh[{seat}, {other}] is {fresh}, must be at most {most}")
    for group in range(GROUPS):
        places = mixed[group].sum()
        _need(lost[group].sum() <= places, f"state.lost[{seat}, {group}] has more cards than state.mixed")
        there = left[mixed[group] > 0].sum(axis=0)
        _need((lost[group] <= there).all(), f"state.lost[{seat}, {group}]: cards that are not there")
        _need(lost[group].any() or not places, f"state.mixed[{seat}, {group}]: nothing is lost")
    more = lost.sum(axis=0) - left[others].sum(axis=0)
    _need((more <= 0).all(), f"state.lost[{seat}] has more cards than others hold")
