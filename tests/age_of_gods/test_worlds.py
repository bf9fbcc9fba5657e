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
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from agezoo.envs.age_of_gods.components import NUM_PEOPLES, God
from agezoo.envs.age_of_gods.state import NONE, A, Phase, Stage
from agezoo.envs.engine.chance import next_uint64, randint
from agezoo.envs.engine.compile import PLAIN, kernel, new_tables, template
from agezoo.envs.engine.table import deal, imagine

from .scenario import GAME, Table, lay, people
from .test_knowledge import assert_drawn_from, deceived, drawn

apply: Any = None
legal: Any = None  # the rulebook's kernels, which `specialize` puts in place

compiled = pytest.mark.skipif(PLAIN, reason="many tables: far too slow uncompiled")


# -- enumeration: which of Deception's cards were destiny cards --------------------------------------------------------


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
    table = lay(
        2, turn=3, stage="fortification", gods={0: "War", 1: "Deception"},
        destinies={0: "Chaos, Goblins", 1: "Orcs, Voracious"}, played={0: "Barbarians, Voracious", 1: "2 Orcs"},
        hands={0: "Centaurs, Dark Elves, Wood Elves, Hobbits, Amazons, Winged Folk"},
    )  # fmt: skip
    assert_drawn_from(drawn(table, 0, lambda w: int(w["spent"][1, 0])), {1: 3876, 0: 1530})


# -- rejection ---------------------------------------------------------------------------------------------------------


class Games:
    """Many games of seat 1, which has the god of deception, as far as cards go; seat 0 looks on and knows its own.

    A row of `hand` holds eight action cards, then the destiny cards; `held` says which are still there.
    """

    def __init__(self, table: Table, games: int, seed: int) -> None:
        s = self.state = table.state
        self.rng = np.random.default_rng(seed)
        others = [seat for seat in range(s.num_players) if seat != 1]
        assert not np.asarray(s.spent)[others].any(), (
            "destiny cards of others than seat 1 are not thought of here"
        )
        known = np.asarray(s.hand, int)[0] + np.asarray(s.played, int)[others].sum(axis=0)
        unseen = [name for name in range(NUM_PEOPLES) for _ in range(2 - known[name])]
        mine = set(s.destiny[0].tolist())
        self.dealt = [k for k in range(4) if s.destiny[1, k] != NONE]
        parts = [([name for name in unseen if name < 12], 4), ([name for name in unseen if name >= 12], 4)]
        parts += [([p for p in range(6 * k, 6 * k + 6) if p not in mine], 1) for k in self.dealt]
        shuffled = [
            self.rng.permuted(np.tile(np.array(cards, np.int8), (games, 1)), axis=1)[:, :n]
            for cards, n in parts
        ]
        self.hand = np.concatenate(shuffled, axis=1)
        self.held = np.ones(self.hand.shape, bool)
        self.weight = np.ones(games)
        self.bets = np.full((games, 2), NONE, np.int8)

    def keep(self, rows: np.ndarray) -> None:
        """Go on with these games alone."""
        self.hand, self.held, self.weight, self.bets = (
            part[rows] for part in (self.hand, self.held, self.weight, self.bets)
        )

    def _playable(self, turn: int) -> np.ndarray:
        here = self.held.copy()
        for at, k in enumerate(self.dealt):
            here[:, 8 + at] &= 2 * k <= turn
        return here

    def _one_of(self, cards: np.ndarray) -> np.ndarray:
        return np.where(cards, self.rng.random(cards.shape), -1).argmax(axis=1)

    def play(self, turn: int, name: int) -> None:
        """Any card of the hand is played; games in which it shows another people are thrown away."""
        chosen = self._one_of(self._playable(turn))
        rows = np.arange(len(chosen))
        fits = self.hand[rows, chosen] == name
        self.held[rows, chosen] = False
        self.keep(fits)

    def play_weighed(self, turn: int, name: int) -> None:
        """As `play`, where that is too rare to wait for: the card is played, and the game weighs as that was likely."""
        right = self._playable(turn) & (self.hand == name)
        self.weight = self.weight * right.sum(axis=1)
        self.held[np.arange(len(right)), self._one_of(right)] = False
        self.keep(self.weight > 0)

    def reject(self) -> None:
        """Keep each game as often as it is likely."""
        self.keep(self.rng.random(len(self.hand)) < self.weight / self.weight.max())

    def bet(self) -> None:
        """As many action cards as were bet, any; games in which they show other backs are thrown away."""
        laid = [card for card in self.state.bets[1].tolist() if card != NONE]
        chosen = np.where(self.held[:, :8], self.rng.random((len(self.hand), 8)), -1).argsort(axis=1)[:, ::-1]
        rows, chosen = np.arange(len(self.hand))[:, None], chosen[:, : len(laid)]
        self.bets[:, : len(laid)] = self.hand[rows, chosen]
        self.held[rows, chosen] = False
        self.keep((self.bets >= 12).sum(axis=1) == sum(card >= 12 for card in laid))

    def tables(self) -> list[dict[str, np.ndarray]]:
        """What each game came to, with the names of the state."""
        held = np.stack(
            [((self.hand[:, :8] == p) & self.held[:, :8]).sum(axis=1) for p in range(NUM_PEOPLES)], axis=1
        )
        parts = (held, self.hand[:, 8:], ~self.held[:, 8:], -np.sort(-self.bets, axis=1))
        return [
            dict(zip(("hand", "destiny", "spent", "bets"), row, strict=True))
            for row in zip(*parts, strict=True)
        ]


LOOKS = {
    "destiny cards played": lambda row: tuple(int(k) for k in row["spent"]),
    "destiny cards": lambda row: tuple(int(k) for k in row["destiny"][:2]),
    "Orcs left": lambda row: (int(row["hand"][5]), int(row["destiny"][0]) == 5),
    "backs left": lambda row: (int(row["hand"][:12].sum()), int(row["hand"][12:].sum())),
    "bets": lambda row: tuple(int(k) for k in row["bets"]),
}
TESTS = 50  # at most so many are made here: each may fail once in 20 times as many


def assert_like_games(table: Table, games: list[dict[str, np.ndarray]]) -> None:
    """Chi-square of two samples, games and worlds, for each of LOOKS."""
    sizes = len(games[0]["destiny"])
    worlds = [
        {"hand": w["hand"][1], "destiny": w["destiny"][1, :sizes], "spent": w["spent"][1, :sizes], "bets": w["bets"][1]}
        for w in table.worlds(0, 20_000).view(np.ndarray)
    ]  # fmt: skip
    assert len(games) > 500, f"{len(games)} games are too few to judge by"
    for name, what in LOOKS.items():
        seen, due = Counter(map(what, worlds)), Counter(map(what, games))
        n, m = len(worlds), len(games)
        cells = [
            (seen[k] * np.sqrt(m / n) - due[k] * np.sqrt(n / m)) ** 2 / (seen[k] + due[k])
            for k in {**seen, **due}
            if seen[k] + due[k] >= 10
        ]
        free = max(1, len(cells) - 1)
        far = NormalDist().inv_cdf(1 - 1 / (20 * TESTS))
        wall = free * (1 - 2 / (9 * free) + far * np.sqrt(2 / (9 * free))) ** 3  # Wilson and Hilferty
        assert sum(cells) < wall, (
            f"{name}: chi-square {sum(cells):.1f} over {free}; games {due}, worlds {seen}"
        )


@compiled
@pytest.mark.parametrize("plays", ["Orcs, Orcs", "Orcs, Ogres", "Humans, Orcs"])
def test_worlds_of_deception_are_as_in_games_that_look_alike(plays):
    table = deceived(3, plays, destinies={0: "Chaos, Goblins", 1: "Orcs, Voracious"}, stage="fortification")
    games = Games(table, 1_000_000, 1)
    for turn, name in enumerate(plays.split(", ")):
        games.play(turn, people(name))
    assert_like_games(table, games.tables())


@compiled
@pytest.mark.parametrize("bet", ["", "Monks", "Barbarians", "Barbarians, Monks", "2 Monks"])
def test_worlds_of_deception_after_the_bets_are_as_in_games_that_look_alike(bet):
    """Of six players' cards most have been played, so that games look alike often enough."""
    plays = "Orcs, Nomads, Orcs, Hobbits, Nomads, Gnomes"
    early = [
        int(name in map(people, ("Nomads", "Hobbits"))) for name in range(24)
    ]  # before the deals of turns 3 and 5
    table = lay(
        6, turn=7, stage="fortification", gods={0: "War", 1: "Deception"}, bets={1: bet}, early=early,
        destinies={0: "Chaos, Goblins, Pirates, Sorcerers", 1: "Orcs (played), Lizardmen, Amazons, Giants"},
        hands={0: "2 Fairy Folk"},
        played={
            0: "2 Humans, 2 Chaos, 2 Sorcerers",
            1: "Orcs, 2 Nomads, Hobbits, Gnomes",
            2: "2 High Elves, 2 Dwarves, 2 Pirates",
            3: "Barbarians, 2 Centaurs, Goblins, 2 Wood Elves",
            4: "Goblins, 2 Dark Elves, Lizardmen, 2 Amazons",
            5: "2 Voracious, 2 Winged Folk, 2 Ogres",
        },
    )  # fmt: skip
    games = Games(table, 800_000, 2)
    for turn, name in enumerate(plays.split(", ")):
        games.play_weighed(turn, people(name))
    games.reject()
    games.bet()
    assert_like_games(table, games.tables())


# -- bets in secret ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("god", ["Luck", "Deception"])
@pytest.mark.parametrize(("answered", "seat", "step"), [(2, 0, 0), (1, 1, 1), (0, 1, 0)])
def test_secret_bets_are_any_set_of_the_cards_that_may_be_bet_for_all_that_is_seen(god, answered, seat, step):
    """Seat 1 answers first. Nobody can tell Deception's action cards from its destiny cards: its whole hand counts."""
    table = lay(
        2, turn=7, stage="bets", first=1, seat=seat, step=step, gods={0: "War", 1: god},
        destinies={0: "Chaos, Goblins, Pirates, Monks", 1: "Barbarians, Nomads (played), Amazons, Giants"},
    )  # fmt: skip
    cards = int(table.sees(0, "cards")[1])
    held = cards if god == "Deception" else cards - 3  # three destiny cards have not been played
    exact = {0: 1} | ({1: held} if answered else {}) | ({2: held * (held - 1) // 2} if answered > 1 else {})
    assert_drawn_from(drawn(table, 0, lambda w: int((w["bets"][1] >= 0).sum())), exact)
    if answered:
        pairs = drawn(table, 0, lambda w: len(set(w["bets"][1].tolist()) - {NONE}))
        assert set(pairs) == set(range(answered + 1))


@pytest.mark.parametrize("seat", [1, 0])
def test_bets_that_nobody_has_seen_change_no_belief(seat):
    """Before seat 1 is asked, and when it has answered: its destiny cards are played as likely."""
    plays = "Orcs, Orcs, Humans, Nomads, Hobbits, Gnomes"
    table = lay(
        2, turn=7, stage="bets", first=1, seat=seat, gods={0: "War", 1: "Deception"},
        destinies={0: "Chaos, Goblins, Pirates, Monks"}, played={1: "2 Orcs, Humans, Nomads, Hobbits, Gnomes"},
    )  # fmt: skip
    exact: Counter[tuple] = Counter()
    for (_, spent), ways in count_deceiver(table, plays).items():
        exact[spent] += ways
    assert_drawn_from(drawn(table, 0, lambda w: tuple(w["spent"][1].tolist())), exact)


# -- whole games -------------------------------------------------------------------------------------------------------


@kernel
def any_card(s, mask):
    """The action that plays any card of the hand, for technology or for what else it is good for by chance."""
    left = 0
    for name in range(NUM_PEOPLES):
        left += s.hand[s.seat, name]
    for k in range(4):
        left += s.destiny[s.seat, k] != NONE and not s.spent[s.seat, k]
    left = randint(s, left)
    action = NONE
    for name in range(NUM_PEOPLES):
        left -= s.hand[s.seat, name]
        if left < 0 and action == NONE:
            action = A.technology + name
            if not mask[action] or (mask[A.ability + name] and randint(s, 2)):
                action = A.ability + name
    for k in range(4):
        left -= s.destiny[s.seat, k] != NONE and not s.spent[s.seat, k]
        if left < 0 and action == NONE:
            action = A.destiny_technology + k
            if not mask[action] or (mask[A.destiny_ability + k] and randint(s, 2)):
                action = A.destiny_ability + k
    return action


@kernel
def any_bet(s):
    """Any action card of the hand, or none, in such a way that any set of up to two is as likely.

    How likely a card is hangs on what all can see: the cards that may be bet for all that they know.
    """
    cards, seen = 0, 0
    for name in range(NUM_PEOPLES):
        cards += s.hand[s.seat, name]
    seen = cards + (s.bets[s.seat, 0] != NONE)
    if s.god[s.seat] == God.DECEPTION:
        for k in range(4):
            seen += s.destiny[s.seat, k] != NONE and not s.spent[s.seat, k]
    sets = 1 + seen + seen * (seen - 1) // 2
    if s.step == 0:
        lays = randint(s, seen + 1) < seen
    elif s.bets[s.seat, 0] != NONE:
        lays = randint(s, 2 * sets) < (seen - 1) * (seen + 1)
    else:
        lays = randint(s, sets) >= seen + 1
    if not lays:
        return A.done
    left = randint(s, cards)
    for name in range(NUM_PEOPLES):
        left -= s.hand[s.seat, name]
        if left < 0:
            return A.people + name
    return A.done


@template
def play_blindly(states, prototypes, mask, decisions, seed, seat):
    """Deal, play so many decisions blindly, and put a world of `seat` into the second table; False at a game's end."""
    deal(states, 0, prototypes, 0, seed)
    s = states[0]
    for _ in range(decisions):
        mask[:] = False
        legal(s, mask)
        if s.phase == Phase.CARD:
            action = any_card(s, mask)
        elif s.phase == Phase.BET:
            action = any_bet(s)
        else:
            left = randint(s, mask.sum())
            action = 0
            while not mask[action] or left > 0:
                left -= mask[action]
                action += 1
        apply(s, action)
        if s.finished:
            return False
    imagine(states, 0, states, 1, seat, next_uint64(s))
    return True


def hidden_things(s: np.void, seat: int) -> Iterator[tuple]:
    """What a table holds that `seat` cannot see, a thing at a time, each beside what it can see of it."""
    n, late = (
        int(s["num_players"]),
        ("laid" if s["bets_laid"].any() else "betting" if s["stage"] == Stage.BETS else ""),
    )
    for other in range(n):
        if other == seat:
            continue
        place = (other - seat) % n
        if s["stage"] == Stage.GODS:
            for god in s["offer"][other]:
                yield "offer", int(god) % 4
            yield "chosen", place, bool(s["god"][other] == s["offer"][other][0])
            continue
        god = "deception" if s["god"][other] == God.DECEPTION else "other god"
        held, bets = s["hand"][other], [p for p in s["bets"][other].tolist() if p != NONE]
        for name in range(NUM_PEOPLES):
            if s["hand"][seat][name] + s["played"][seat][name] == 0:
                yield "hand", god, late, name % 6, int(held[name])
        yield "twins", god, late, int((held == 2).sum())
        yield "number of bets", god, late, int(s["turn"]), len(bets)
        for name in bets:
            yield "bet", god, late, name // 6
            yield "bet twice", god, late, len(set(bets))
            yield "bet and kept", god, late, int(held[name])
        for k in range(4):
            name = int(s["destiny"][other][k])
            if name != NONE and not s["looked"][other][k] >> seat & 1:
                yield "destiny", god, k, name % 6
                yield "destiny in hand", god, k, int(held[name]), int(s["played"][other][name])
                yield "destiny and bet", god, k, bets.count(name)
                if god == "deception":
                    part = s["played"][other][6 * k : 6 * k + 6] - s["early"][6 * k : 6 * k + 6]
                    yield "spent", k, int(part.max()), int(part.sum()), late, bool(s["spent"][other][k])
        if god == "deception":
            yield "numbers", late, int(s["turn"]), int(s["spent"][other].sum()), len(bets)
            yield "backs", late, int(held[:12].sum()), int(held[12:].sum())


@compiled
@pytest.mark.parametrize("players", [2, 3, 6])
def test_a_table_that_was_played_blindly_is_as_likely_as_its_worlds(players):
    """Whatever is counted of a table and a world of it: where one has more than the other, either does as often.

    Each thing that is counted in more than a few games makes a sign test, by chi-square at one degree of freedom; the
    limit takes their number into account.
    """
    states, prototypes = new_tables(2, GAME.state), GAME.prototype(players)
    mask, play = np.zeros(GAME.num_actions, np.bool_), GAME.compiled(play_blindly)
    rng = np.random.default_rng(players)
    at_table, in_world = Counter(), Counter()
    for seed in range(12_000):
        seat = int(rng.integers(players))
        if play(states, prototypes, mask, int(rng.integers(2 + seed % 60 * players)), np.uint64(seed), seat):
            true, imagined = (Counter(hidden_things(s, seat)) for s in states.view(np.ndarray))
            at_table.update((true - imagined).keys())
            in_world.update((imagined - true).keys())
    signs = {
        thing: (at_table[thing], in_world[thing])
        for thing in {**at_table, **in_world}
        if at_table[thing] + in_world[thing] >= 20
    }
    assert len(signs) > 100
    wall = NormalDist().inv_cdf(1 - 1 / (2 * 100 * len(signs))) ** 2
    far = {thing: pair for thing, pair in signs.items() if (pair[0] - pair[1]) ** 2 / sum(pair) > wall}
    assert not far, f"more at the table, more in the world: {far}"
