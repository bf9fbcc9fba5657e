"""Worlds of a seat, held against what really happens: enumeration, rejection, and whole games.

Nothing here knows how worlds are drawn. Cards are physical things (two action cards and a destiny card of each people),
and every seat plays by one policy that does not look at what they show: each card in hand is as likely to be played,
each as likely to be bet. Then what a seat may believe is a matter of counting. Seeds are fixed, so nothing flickers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from math import comb

import numpy as np
import pytest

from agezoo.envs.age_of_gods.components import NUM_PEOPLES, God
from agezoo.envs.age_of_gods.state import NONE, A, Phase, Stage
from agezoo.envs.engine.chance import randint
from agezoo.envs.engine.compile import PLAIN, kernel, new_tables, template
from agezoo.envs.engine.table import deal, imagine

from .scenario import GAME, Table, lay, people
from .test_knowledge import NUMBER, assert_drawn_from, deceived, drawn

compiled = pytest.mark.skipif(PLAIN, reason="many tables: far too slow uncompiled")


# -- enumeration: which of Deception's cards were destiny cards ----------------------------------------------------------


def sequences(plays: list[int], destinies: tuple[int, ...], unseen: np.ndarray) -> Iterator[tuple[int, ...]]:
    """All ways to have made these plays (a people each, in the order of the turns) with physical cards.

    A way is, for each play, 0 or 1 for the first or second unseen action card of the people, 2 for its destiny card,
    which is in hand from the turn on in which its size was dealt (1, 3, 5, 7).
    """
    cards = [
        [*range(unseen[name]), *([2] if name in destinies and 2 * destinies.index(name) <= turn else [])]
        for turn, name in enumerate(plays)
    ]
    for way in product(*cards):
        if len(set(zip(plays, way, strict=True))) == len(plays):
            yield way


def count_deceiver(table: Table, plays: str, observer: int = 0, other: int = 1) -> dict[tuple, int]:
    """How many deals and sequences of cards there are for (destiny cards, which were played), each card for itself."""
    s = table.state
    order = [people(name.strip()) for name in plays.split(",")]
    assert np.array_equal(np.bincount(order, minlength=24), s.played[other])
    unseen = 2 - np.asarray(s.hand, int)[observer] - np.asarray(s.played, int)[observer]
    for k in range(4):
        if s.spent[observer, k]:
            unseen[s.destiny[observer, k]] += 1
    mine = set(s.destiny[observer].tolist())
    dealt = [k for k in range(4) if s.destiny[other, k] >= 0]
    exact: dict[tuple, int] = Counter()
    for destinies in product(*[[p for p in range(6 * k, 6 * k + 6) if p not in mine] for k in dealt]):
        for way in sequences(order, destinies, unseen):
            gone = [name for name, card in zip(order, way, strict=True) if card < 2]
            spent = {name for name, card in zip(order, way, strict=True) if card == 2}
            deals = 1
            for part in (range(12), range(12, 24)):  # the rest of four yellow and four red cards
                left = 4 - sum(name in part for name in gone)
                deals *= comb(int(unseen[part].sum()) - (4 - left), left) if left >= 0 else 0
            exact[destinies, tuple(int(d in spent) for d in destinies)] += deals
    return exact


def fates(table: Table) -> Counter:
    """Destiny cards of seat 1 and which were played, in worlds of seat 0."""
    dealt = sum(1 for k in range(4) if table.state.destiny[1, k] >= 0)
    return drawn(
        table,
        0,
        lambda w: (tuple(w["destiny"][1, :dealt].tolist()), tuple(w["spent"][1, :dealt].tolist())),
    )


@pytest.mark.parametrize(("turn", "plays", "early"), [
    (2, "Orcs", {}),
    (3, "Orcs, Orcs", {}),
    (4, "Orcs, Humans, Ogres", {}),
    (4, "Orcs, Nomads, Orcs", {"Nomads": 1}),
    (4, "Orcs, Orcs, Nomads", {}),
    (4, "Orcs, Orcs, Orcs", {}),
    (5, "Nomads, Orcs, Nomads, Nomads", {"Nomads": 1}),
    (6, "Hobbits, Orcs, Nomads, Orcs, Hobbits", {"Hobbits": 1}),
    (6, "Gnomes, Gnomes, Nomads, Nomads, Orcs", {"Gnomes": 2}),
])  # fmt: skip
def test_any_card_since_the_deal_may_have_been_the_destiny_card(turn, plays, early):
    counts = [0] * 24
    for name, number in early.items():
        counts[people(name)] = number
    destinies = {0: "Chaos, Goblins, Pirates" if turn > 4 else "Chaos, Goblins" if turn > 2 else "Chaos"}
    destinies[1] = "Orcs (played)" if plays.count("Orcs") > 2 else "Humans"
    played = ", ".join(f"{n} {name}" for name, n in Counter(plays.split(", ")).items())
    played = played.replace("3 Orcs", "2 Orcs").replace("3 Nomads", "2 Nomads")
    if plays.count("Nomads") > 2:
        destinies[1] += ", Nomads (played)"
    table = deceived(turn, played, destinies=destinies, early=counts)
    assert_drawn_from(fates(table), count_deceiver(table, plays))


def test_two_cards_of_one_people_make_a_destiny_card_likely():
    """0.717: counted by hand (3,876 of 5,406 deals), and found among 9,348 games played with real cards."""
    table = deceived(3, "2 Orcs", hands={0: "Centaurs, Dark Elves, Wood Elves, Hobbits, Amazons, Winged Folk"},
                     played={0: "Barbarians, Voracious", 1: "2 Orcs"}, stage="fortification",
                     destinies={0: "Chaos, Goblins", 1: "Orcs, Voracious"})  # fmt: skip
    spent = drawn(table, 0, lambda w: int(w["spent"][1, 0]))
    assert_drawn_from(spent, {1: 3876, 0: 1530})


# -- rejection -----------------------------------------------------------------------------------------------------------


def shuffled(rng: np.random.Generator, cards: list[int], games: int) -> np.ndarray:
    """The cards in random order, once for each game."""
    return rng.permuted(np.tile(np.array(cards), (games, 1)), axis=1)


def unseen_by(table: Table, observer: int) -> tuple[list[int], list[int]]:
    """Yellow and red action cards that a seat neither holds nor has played or bet, at a table without revealed cards."""
    s = table.state
    assert not np.asarray(s.spent)[observer].any()
    known = np.asarray(s.hand, int)[observer] + np.asarray(s.played, int)[observer]
    for card in s.bets[observer]:
        known[card] += card != NONE
    left = [name for name in range(NUM_PEOPLES) for _ in range(2 - known[name])]
    return [name for name in left if name < 12], [name for name in left if name >= 12]


def played_games(table: Table, plays: list[int], turns_of_bets: int | None, games: int, seed: int) -> dict:
    """Deal Deception's cards, play and bet blindly, keep what looks like the table: hands, destinies, what was played.

    Args:
        table: seat 0 looks on, seat 1 has the god of deception; 2 players.
        plays: peoples that Deception was seen to play, in turn order.
        turns_of_bets: after so many plays bets were laid, as many of each back as at the table; None for never.
        games: how many are dealt.
        seed: of the games.

    Returns:
        Columns, one row for each game that is kept: "hand" (N, 24), "destiny" (N, 4), "spent" (N, 4), "bets" (N, 2).
    """
    rng = np.random.default_rng(seed)
    yellow, red = unseen_by(table, 0)
    mine = set(table.state.destiny[0].tolist())
    dealt = [k for k in range(4) if table.state.destiny[1, k] >= 0]
    # a row is a hand: eight action cards, then the destiny cards
    hand = np.concatenate([shuffled(rng, yellow, games)[:, :4], shuffled(rng, red, games)[:, :4]], axis=1)
    for k in dealt:
        size = [p for p in range(6 * k, 6 * k + 6) if p not in mine]
        hand = np.concatenate([hand, shuffled(rng, size, games)[:, :1]], axis=1)
    held = np.ones(hand.shape, bool)
    bets = np.full((games, 2), NONE)
    for turn, name in enumerate(plays):
        if turn == turns_of_bets:
            hand, held, bets = lay_bets(rng, table, hand, held)
        here = held.copy()
        for at, k in enumerate(dealt):
            here[:, 8 + at] &= 2 * k <= turn
        chosen = np.where(here, rng.random(hand.shape), -1).argmax(axis=1)
        fits = hand[np.arange(len(hand)), chosen] == name
        hand, held, chosen, bets = hand[fits], held[fits], chosen[fits], bets[fits]
        held[np.arange(len(hand)), chosen] = False
    if turns_of_bets == len(plays):
        hand, held, bets = lay_bets(rng, table, hand, held)
    counts = np.stack([((hand[:, :8] == p) & held[:, :8]).sum(axis=1) for p in range(NUM_PEOPLES)], axis=1)
    return {"hand": counts, "destiny": hand[:, 8:], "spent": ~held[:, 8:], "bets": -np.sort(-bets, axis=1)}


def lay_bets(rng, table, hand, held):
    """As many cards as Deception has bet at the table, any action cards of its hand; kept if their backs are those."""
    number = int((table.state.bets[1] != NONE).sum())
    backs = sum(int(card >= 12) for card in table.state.bets[1] if card != NONE)
    order = np.where(held[:, :8], rng.random((len(hand), 8)), -1).argsort(axis=1)[:, ::-1][:, :number]
    rows = np.arange(len(hand))[:, None]
    bets = np.full((len(hand), 2), NONE)
    bets[:, :number] = hand[rows, order]
    held = held.copy()
    held[rows, order] = False
    fits = (bets >= 12).sum(axis=1) == backs
    return hand[fits], held[fits], bets[fits]


def assert_like_games(worlds: np.ndarray, kept: dict, name: str, what) -> None:
    """Chi-square of two samples: what comes in worlds and in games that were kept."""
    rows = [dict(zip(kept, row, strict=True)) for row in zip(*kept.values(), strict=True)]
    games = Counter(what(row) for row in rows)
    width = kept["destiny"].shape[1]
    seen = Counter(
        what({"hand": w["hand"][1], "destiny": w["destiny"][1, :width], "spent": w["spent"][1, :width], "bets": w["bets"][1]})
        for w in worlds
    )  # fmt: skip
    n, m = sum(games.values()), sum(seen.values())
    cells = [
        (games[k] * np.sqrt(m / n) - seen[k] * np.sqrt(n / m)) ** 2 / (games[k] + seen[k])
        for k in {**games, **seen}
        if games[k] + seen[k] >= 10
    ]
    free = max(1, len(cells) - 1)
    wall = (
        free * (1 - 2 / (9 * free) + 3.9 * np.sqrt(2 / (9 * free))) ** 3
    )  # one in 20,000: there are some twenty tests
    assert n > 400, f"{n} games are too few to judge by"
    assert sum(cells) < wall, f"{name}: chi-square {sum(cells):.1f} over {free}; games {games}, worlds {seen}"


LOOKS = {
    "played as destiny cards": lambda row: tuple(int(k) for k in row["spent"]),
    "destiny cards": lambda row: tuple(int(k) for k in row["destiny"][:2]),
    "Orcs in hand": lambda row: (int(row["hand"][5]), int(row["destiny"][0]) == 5),
    "action cards in hand": lambda row: (int(row["hand"][:12].sum()), int(row["hand"][12:].sum())),
}


@compiled
def test_worlds_of_deception_are_as_in_games_that_look_alike():
    table = deceived(
        3, "2 Orcs", destinies={0: "Chaos, Goblins", 1: "Orcs, Voracious"}, stage="fortification"
    )
    kept = played_games(table, [people("Orcs")] * 2, None, 1_200_000, 1)
    worlds = table.worlds(0, 20_000).view(np.ndarray)
    for name, what in LOOKS.items():
        assert_like_games(worlds, kept, name, what)


BETTING = {
    "bets": lambda row: tuple(int(k) for k in row["bets"]),
    **{name: LOOKS[name] for name in ("played as destiny cards", "action cards in hand")},
}


@compiled
@pytest.mark.parametrize("bet", ["", "Gnomes", "Humans, Gnomes", "2 Gnomes"])
def test_worlds_of_deception_after_the_bets_are_as_in_games_that_look_alike(bet):
    """Small made decks: of red cards only six are unseen, so that games look alike often enough."""
    plays = "Orcs, Orcs, Humans, Nomads, Hobbits, Gnomes"
    table = deceived(
        7, "2 Orcs, Humans, Nomads, Hobbits, Gnomes", stage="fortification", bets={1: bet} if bet else {},
        destinies={0: "Chaos, Goblins, Pirates, Monks", 1: "Barbarians, Nomads, Amazons, Giants"},
    )  # fmt: skip
    order = [people(name) for name in plays.split(", ")]
    kept = replayed_games(table, order, 6, 300_000, 7)
    worlds = table.worlds(0, 20_000).view(np.ndarray)
    for name, what in BETTING.items():
        assert_like_games(worlds, kept, name, what)


def replayed_games(table: Table, plays: list[int], turns_of_bets: int, games: int, seed: int) -> dict:
    """As `played_games`, by importance: in every turn the card that was seen is played, and the game weighs as much
    as that was likely; then as many games are drawn by weight. (Six plays in a row are too rare to wait for.)
    """
    rng = np.random.default_rng(seed)
    yellow, red = unseen_by(table, 0)
    mine = set(table.state.destiny[0].tolist())
    dealt = [k for k in range(4) if table.state.destiny[1, k] >= 0]
    hand = np.concatenate([shuffled(rng, yellow, games)[:, :4], shuffled(rng, red, games)[:, :4]], axis=1)
    for k in dealt:
        size = [p for p in range(6 * k, 6 * k + 6) if p not in mine]
        hand = np.concatenate([hand, shuffled(rng, size, games)[:, :1]], axis=1)
    held, weight = np.ones(hand.shape, bool), np.ones(games)
    for turn, name in enumerate(plays):
        here = held & (hand == name)
        for at, k in enumerate(dealt):
            here[:, 8 + at] &= 2 * k <= turn
        fits = here.any(axis=1)
        hand, held, here, weight = hand[fits], held[fits], here[fits], weight[fits]
        weight = weight * here.sum(axis=1)
        held[np.arange(len(hand)), np.where(here, rng.random(hand.shape), -1).argmax(axis=1)] = False
    drawn_by = rng.choice(len(hand), size=min(40_000, 4 * len(hand)), p=weight / weight.sum())
    hand, held, bets = lay_bets(rng, table, hand[drawn_by], held[drawn_by])
    assert turns_of_bets == len(plays)
    counts = np.stack([((hand[:, :8] == p) & held[:, :8]).sum(axis=1) for p in range(NUM_PEOPLES)], axis=1)
    return {"hand": counts, "destiny": hand[:, 8:], "spent": ~held[:, 8:], "bets": -np.sort(-bets, axis=1)}
