"""Worlds held against rejection: many tables are dealt and played, those that look alike to a seat are kept.

What is hidden is dealt here, by NumPy, and played by choices that do not look at it: cards to offer, to lay and to
fight with are drawn at random, all else is said beforehand. Among the tables that are left, hidden things must be as
often this way or that as in the worlds of one of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from agezoo.envs.age_of_heroes.components import NUM_HELD, Card
from agezoo.envs.age_of_heroes.state import ATTACK, A, Goal, Phase
from agezoo.envs.engine import table as engine_table
from agezoo.envs.engine.table import Run

from .scenario import GAME, lay

TABLES = 24_000
LIMIT = 4.5  # deviations: once in 300,000 tests, of which there are about 60 here


class Deals:
    """Tables that differ in what is hidden, played alike."""

    def __init__(self, start: Any, dealt_to: tuple[int, ...], seed: int = 0, number: int = TABLES) -> None:
        """Deal the cards of these hands and of the deck anew, whoever has them at `start`."""
        self.rng = np.random.default_rng(seed)
        self.states = np.repeat(start.env.states, number)
        self.states["rng"] = self.rng.integers(1 << 63, size=number, dtype=np.uint64)
        s = start.state
        places = [(seat, int(s.hand_size[seat])) for seat in dealt_to]
        pool = s.deck[:NUM_HELD] + s.hand[list(dealt_to)].sum(axis=0)
        cards = np.repeat(np.arange(NUM_HELD), pool)
        dealt = self.rng.permuted(np.tile(cards, (number, 1)), axis=1)
        at = 0
        for seat, size in places:
            self.states["hand"][:, seat] = _counts(dealt[:, at : at + size])
            at += size
        self.states["deck"][:, :NUM_HELD] = _counts(dealt[:, at:])
        self.run = Run(GAME, number, play_forced=False)
        self.alive = np.arange(number)

    def play(self, *choices: int | Callable[[Any, Any], int]) -> Deals:
        """Play these actions, or what is chosen from a table and the random numbers; where it cannot be, drop it."""
        for choice in choices:
            self.run.refresh(self.states)
            actions = np.array(
                [choice if isinstance(choice, int) else choice(self.states[i], self.rng) for i in self.alive]
            )
            fits = self.run.mask[self.alive, actions]
            self.alive, actions = self.alive[fits], actions[fits]
            assert len(self.alive) > 200, f"too few tables are left before {choice}"
            self.run.step(self.states, actions, self.alive)
        return self

    def seen(self, i: int, seat: int) -> bytes:
        """What a seat sees at table i."""
        out = np.zeros(GAME.num_features, np.float32)
        GAME.compiled(engine_table.look)(self.states, i, seat, out)
        return out.tobytes()

    def alike(self, seat: int) -> np.ndarray:
        """Of the tables that are left those that show the seat what most of them do."""
        views: dict[bytes, list[int]] = {}
        for i in self.alive:
            views.setdefault(self.seen(i, seat), []).append(i)
        return self.states[max(views.values(), key=len)]

    def agree(self, seat: int, *hidden: Callable[[Any], Any]) -> None:
        """Each of these hidden things must be as often so or so in the tables as in worlds."""
        kept = self.alike(seat)
        assert len(kept) > 200
        worlds = np.repeat(kept[:1], 2 * len(kept))
        imagine = GAME.compiled(engine_table.imagine)
        for k in range(len(worlds)):
            imagine(kept, 0, worlds, k, seat, np.uint64(k))
        for what in hidden:
            there, held = Counter(map(what, kept)), Counter(map(what, worlds))
            assert len(there) > 1, "nothing is hidden"
            assert surprise(there, held) < LIMIT, (there.most_common(12), held.most_common(12))


def _counts(cards: np.ndarray) -> np.ndarray:
    """Cards by kind, from rows of cards."""
    return (cards[:, :, None] == np.arange(NUM_HELD)).sum(axis=1)


def surprise(one: Counter, two: Counter, least: int = 10) -> float:
    """Chi-square of two samples over the same kinds, in deviations; rare kinds are counted together."""
    kinds = [kind for kind in one | two if one[kind] + two[kind] >= 3 * least]
    rows = [[sample[kind] for kind in kinds] for sample in (one, two)]
    rest = [sum(sample.values()) - sum(row) for sample, row in zip((one, two), rows, strict=True)]
    counts = np.array(rows, float)
    if sum(rest) >= 3 * least:
        counts = np.column_stack([counts, rest])
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    square, free = ((counts - expected) ** 2 / expected).sum(), counts.shape[1] - 1
    assert free > 0
    return float(((square / free) ** (1 / 3) - (1 - 2 / (9 * free))) / np.sqrt(2 / (9 * free)))


def hand(seat: int) -> Callable[[Any], Any]:
    """The cards of a hand."""
    return lambda s: tuple(s["hand"][seat].tolist())


def deck(s: Any) -> Any:
    """What is left in the resource deck."""
    return tuple(s["deck"].tolist())


def battle_deck(s: Any) -> Any:
    """What is left in the battle deck."""
    return tuple(s["battle_deck"].tolist())


def laid(side: int) -> Callable[[Any], Any]:
    """Battle cards under the units of a side."""
    return lambda s: tuple(map(tuple, s["laid"][side].tolist()))


def any_card(counts: Any, rng: np.random.Generator) -> int:
    """One of these cards, drawn without looking."""
    return int(rng.choice(np.repeat(np.arange(len(counts)), counts)))


def offers_any(s: Any, rng: Any) -> int:
    """Offer a card of the own hand."""
    return A.give + any_card(s["hand"][s["seat"]], rng)


def lays_any(s: Any, rng: Any) -> int:
    """Lay a battle card."""
    side = ATTACK if s["seat"] == s["attacker"] else 1
    return A.lay + any_card(s["drawn"][side], rng)


def fights_with_any(s: Any, rng: Any) -> int:
    """Fight with a unit."""
    side = ATTACK if s["seat"] == s["attacker"] else 1
    return A.duel + any_card(s["laid"][side].reshape(-1), rng)


def accepts_if_a_card_drawn_is(card: int) -> Callable[[Any, Any], int]:
    """Accept if a card of the own hand, drawn without looking, is what is asked for."""
    return lambda s, rng: A.answer + (any_card(s["hand"][s["seat"]], rng) == card)


HANDS = {0: "Iron, Wood", 1: "2 Iron, Grain", 2: "Wood, Hero, Grain"}
DECK = "2 Wood, 2 Grain, Iron, Luck"


# -- Hands and deck ----------------------------------------------------------------------------------------------------


def test_hands_and_deck_as_dealt():
    Deals(lay(hands=HANDS, deck=DECK), (1, 2)).agree(0, hand(1), hand(2), deck)


def test_cards_drawn_at_the_fair_and_in_turns():
    deals = Deals(lay(turn=2, hands=HANDS, deck=DECK), (1, 2)).play(A.no_action, A.no_special)
    assert deals.states["phase"][deals.alive[0]] == Phase.OFFER
    deals.agree(0, hand(1), hand(2), deck)


@pytest.mark.parametrize("observer", [0, 2])
def test_a_card_that_was_offered(observer):
    start = lay(at="fair", first=1, hands=HANDS, deck=DECK)
    deals = Deals(start, (1, 2 - observer)).play(
        A.offer, offers_any, A.for_what, A.send_offer, A.answer, A.answer
    )
    deals.agree(observer, hand(1), hand(2 - observer), deck)


def test_cards_that_were_exchanged():
    start = lay(at="fair", first=1, hands=HANDS, deck=DECK)
    deals = Deals(start, (1, 2), number=2 * TABLES).play(
        A.offer + 1,
        offers_any,
        A.for_what,
        A.ask + Card.GRAIN,
        A.send_offer,
        accepts_if_a_card_drawn_is(Card.GRAIN),
    )
    kept = deals.alive[(deals.states["trades"][deals.alive] == 1)]
    deals.alive = kept
    deals.agree(0, hand(1), hand(2), deck)


# -- Plunder -----------------------------------------------------------------------------------------------------------


def attack(armies: int, k: int = 1, take: int = 2) -> tuple[int, ...]:
    """The acting seat takes so many cards of the seat k places further on, which has no army."""
    return (
        A.war + k - 1, A.goal + Goal.PLUNDER, A.send + armies, A.ready, A.ready, A.take + take,
    )  # fmt: skip


@pytest.mark.parametrize("observer", [0, 1, 2])
def test_cards_that_were_plundered(observer):
    start = lay(hands={0: "Iron", 1: "2 Iron, Grain, Wood", 2: "Wood, Hero"}, deck=DECK, armies={0: 1})
    dealt = tuple(seat for seat in range(3) if seat != observer)
    deals = Deals(start, dealt).play(*attack(1))
    others = [seat for seat in range(3) if seat != observer]
    deals.agree(observer, *map(hand, others), deck)


@pytest.mark.parametrize("observer", [0, 1, 2])
def test_a_hand_that_was_plundered_whole_with_a_card_that_a_third_seat_knows(observer):
    """Seat 1 takes a card of seat 2, then seat 0 the whole hand of seat 1: it does not know which card seat 2 knows."""
    start = lay(
        turn=1, hands={0: "Iron", 1: "Grain", 2: "Wood, Hero, Iron"}, deck="2 Wood, 2 Grain, Iron, Luck, 2 Stone",
        armies={0: 2, 1: 1}, fair="off",
    )  # fmt: skip
    dealt = tuple(seat for seat in range(3) if seat != observer)
    deals = Deals(start, dealt, number=2 * TABLES).play(
        *attack(1, take=1), A.no_special, A.no_action, A.no_special
    )
    deals.play(*attack(2, take=2))
    deals.agree(observer, *(hand(seat) for seat in range(3) if seat not in (observer, 1)), deck)


def test_who_takes_a_hand_does_not_learn_what_a_third_seat_knows_of_it():
    tables = []
    for noted in (0, 1):
        table = lay(hands={0: "Iron", 1: "Wood, Grain", 2: "Hero"}, deck="9 Stone", armies={0: 1})
        table.state.noted[2, 1, Card.WOOD] = noted
        tables.append(table.play("attack the Romans", "for plunder", "take 2 cards"))
    assert [table.known(0, 2) for table in tables] == [{}, {"Wood": 1}]
    for agent in ("player_0", "player_1"):
        views = [table.env.observe(agent)["observation"].tobytes() for table in tables]
        assert views[0] == views[1]
        assert tables[0].env.position(agent) == tables[1].env.position(agent)
    assert tables[0].env.position("player_2") != tables[1].env.position("player_2")


def test_what_both_know_is_shown_to_the_holder_and_stays_in_worlds():
    table = lay(armies={0: 1}, hands={0: "Luck", 1: "4 Iron", 2: "Luck"}, deck="9 Grain", cities={1: 0})
    table.play("attack the Romans", "take 2 cards")
    assert table.sees(0, "seen_by")[1, Card.IRON] == 2
    for world in table.worlds(0, 10):
        assert world["noted"][1, 0, Card.IRON] == 2
    for world in table.worlds(2, 10):
        assert not world["noted"].any()


# -- Famine ------------------------------------------------------------------------------------------------------------


def no_luck(tables: int = 3) -> tuple[int, ...]:
    return (A.no_luck,) * tables


@pytest.mark.parametrize("observer", [0, 1])
def test_after_a_famine_hands_hold_no_grain_but_in_cards_that_came_later(observer):
    start = lay(hands=HANDS, deck=DECK, fair="off")
    other = 1 - observer
    deals = Deals(start, (other, 2), number=2 * TABLES)
    deals.states["deck"][:, Card.FAMINE] = 1  # drawn by seat 1, for nothing else is in the deck
    deals.states["discards"][:, Card.FAMINE] -= 1
    put_aside = deals.states["deck"][:, :NUM_HELD].copy()
    deals.states["deck"][:, :NUM_HELD] = 0
    deals.play(A.no_action, A.no_special)
    deals.states["deck"][:, :NUM_HELD] += put_aside
    deals.play(*no_luck())
    assert not deals.states["hand"][deals.alive][:, :, Card.GRAIN].any()
    deals.agree(observer, hand(other), hand(2), deck)
    deals.play(A.no_action, A.no_special)  # seat 2 draws a card
    deals.agree(observer, hand(other), hand(2), deck)


# -- Battles -----------------------------------------------------------------------------------------------------------


def battle(led: int = 1, tables: int = TABLES) -> Deals:
    """Seat 0 attacks seat 1; cards are laid by chance."""
    start = lay(armies={0: 1 + (not led), 1: 2}, led={0: led}, hands={1: "4 Iron"})
    deals = Deals(start, (), number=tables).play(A.war, A.goal + Goal.PLUNDER, A.send + 1 + (not led))
    if led:
        deals.play(A.send_led + led)
    return deals.play(A.ready, A.ready)


def test_battle_cards_that_are_drawn_and_not_laid_yet():
    deals = battle()
    assert deals.states["phase"][deals.alive[0]] == Phase.LAY
    for observer in (1, 2):
        deals.agree(observer, lambda s: tuple(s["drawn"][0].tolist()), battle_deck)


@pytest.mark.parametrize("observer", [0, 1, 2])
def test_battle_cards_that_are_laid_and_the_choice_for_a_duel(observer):
    deals = battle().play(lays_any, fights_with_any)
    hidden = [laid(side) for side in (0, 1) if side != observer] + [battle_deck]
    if observer:
        hidden.append(lambda s: int(s["chosen"]))
    deals.agree(observer, *hidden)


@pytest.mark.parametrize("observer", [0, 1, 2])
def test_battle_cards_after_a_duel(observer):
    deals = battle(0, 2 * TABLES if observer < 2 else TABLES).play(fights_with_any, fights_with_any)
    hidden = [laid(side) for side in (0, 1) if side != observer] + [battle_deck]
    deals.agree(observer, *hidden)


def test_the_statistic_tells_samples_apart():
    rng = np.random.default_rng(1)
    one, two, three = (Counter(rng.integers(n, size=2000).tolist()) for n in (6, 6, 7))
    assert surprise(one, two) < LIMIT < surprise(one, three)
