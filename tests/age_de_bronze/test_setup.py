"""Setting Up the Game."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from agezoo.envs.age_de_bronze.components import COUNTS, NUM_MAIN, RULE, Card
from agezoo.envs.engine.aec import TableEnv

from .scenario import GAME, Table

PLAYERS = (2, 3, 4, 5, 6)


def deal(players: int, seed: int) -> Table:
    env = TableEnv(GAME, players)
    env.reset(seed=seed)
    return Table(env)


def nations(table: Table) -> list[int]:
    return table.state.nation[: table.state.nations].tolist()


@pytest.mark.parametrize("players", PLAYERS)
def test_nations_are_drawn_at_random_from_all_six(players):
    drawn = [nations(deal(players, seed)) for seed in range(120)]
    assert all(len(set(order)) == len(order) == max(players, 4 if players == 2 else 0) for order in drawn)
    for place in range(len(drawn[0])):
        counts = Counter(order[place] for order in drawn)
        assert len(counts) == 6  # 120 draws miss one of six with probability 6 * (5/6)**120 < 1e-8
        assert max(counts.values()) < 50


@pytest.mark.parametrize("players", PLAYERS)
def test_each_nation_begins_with_its_own_deity_and_the_others_are_not_in_play(players):
    table = deal(players, 3)
    holders = table.state.deity_holder
    for deity in range(6):
        holder = nations(table).index(deity) if deity in nations(table) else -1
        assert holders[deity] == holder


@pytest.mark.parametrize("players", PLAYERS)
def test_the_riches_deck_is_whole_and_nothing_is_discarded_or_built(players):
    table = deal(players, 5)
    assert table.riches_deck == (38, 7)
    assert table.riches_discards == (0, 0)
    assert table.discards == {}
    assert table.greatest_temple is None
    for field in ("family", "temple", "victory", "riches"):
        assert not table.state[field].any()


@pytest.mark.parametrize("players", PLAYERS)
def test_each_player_is_dealt_three_cards_none_an_end_card_or_riches(players):
    for seed in range(30):
        table = deal(players, seed)
        assert table.state.hand_size.tolist() == [3] * players + [0] * (6 - players)
        assert table.state.hand[:players, :NUM_MAIN].sum(axis=1).tolist() == [3] * players
        assert table.state.hand[:, NUM_MAIN:].sum() == 0


@pytest.mark.parametrize("players", PLAYERS)
def test_dealt_cards_are_known_to_their_holder_alone(players):
    table = deal(players, 1)
    for seat in range(players):
        for other in range(players):
            assert sum(table.known(seat, observer=other).values()) == (3 if other == seat else 0)


def test_every_kind_of_card_is_dealt_as_often_as_there_are_cards():
    """The deck is shuffled well: over 400 tables of six, dealt cards follow the numbers of cards (chi-square)."""
    dealt = np.zeros(NUM_MAIN)
    for seed in range(400):
        table = deal(6, seed)
        for seat in range(6):
            dealt += table.state.hand[seat, :NUM_MAIN]
    expected = COUNTS[:NUM_MAIN] / COUNTS[:NUM_MAIN].sum() * dealt.sum()
    assert ((dealt - expected) ** 2 / expected).sum() < 29.6  # 10 degrees of freedom, 0.1 %


@pytest.mark.parametrize("players", PLAYERS)
def test_four_piles_of_nearly_equal_size_hold_one_end_card_each(players):
    """109 cards less those dealt, in four piles, and an End card into each."""
    for seed in range(20):
        state = deal(players, seed).state
        sizes = np.diff(state.pile_start)
        assert sizes.sum() == 109 - 3 * players + 4
        assert sizes.max() - sizes.min() <= 1
        assert (
            sorted(sizes, reverse=True) == sizes.tolist()
        )  # our ruling: the earlier piles get the larger share
        for pile in range(RULE.piles):
            part = state.deck[state.pile_start[pile] : state.pile_start[pile + 1]]
            assert (part == Card.END_OF_THE_BRONZE_AGE).sum() == 1


def test_the_end_card_may_lie_anywhere_in_its_pile():
    places: dict[int, Counter[int]] = {pile: Counter() for pile in range(4)}
    for seed in range(400):
        state = deal(5, seed).state
        for pile in range(4):
            start, stop = state.pile_start[pile], state.pile_start[pile + 1]
            places[pile][int(np.flatnonzero(state.deck[start:stop] == Card.END_OF_THE_BRONZE_AGE)[0])] += 1
    for counts in places.values():  # 24 places each
        expected = 400 / 24
        assert sum((counts[k] - expected) ** 2 / expected for k in range(24)) < 49.7  # 23 degrees, 0.1 %


@pytest.mark.parametrize("players", PLAYERS)
def test_three_cards_are_turned_up_and_one_more_for_an_end_card_among_them(players):
    out = set()
    for seed in range(60):
        table = deal(players, seed)
        assert sum(table.row.values()) == 3 + table.ends_out
        assert table.state.deck_next == 3 + 2 * table.ends_out
        out.add(table.ends_out)
    assert {0, 1} <= out


@pytest.mark.parametrize("players", PLAYERS)
def test_the_first_seat_begins_with_four_actions(players):
    """The oldest player starts: seat 0 stands for it (ruling 1)."""
    table = deal(players, 2)
    assert (table.state.turn, table.to_act, table.actions) == (0, 0, 4)
