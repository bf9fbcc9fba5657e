"""Setting up, for two, three and four players."""

from __future__ import annotations

import numpy as np
import pytest

from agezoo.envs.bronze.components import CITY_PAWNS, DECK, FACES, PROVINCE, RULE
from agezoo.envs.bronze.state import NONE, Phase
from agezoo.envs.engine.aec import TableEnv

from .scenario import GAME, Table


def deal(players: int, seed: int) -> Table:
    env = TableEnv(GAME, players)
    env.reset(seed=seed)
    GAME.check(GAME.record(env.states))
    return Table(env)


@pytest.mark.parametrize(("players", "lands", "up"), [(2, 7, 1), (3, 9, 2), (4, 11, 2)])
def test_land_tiles_lie_in_a_line_and_the_nearest_are_face_up(players, lands, up):
    s = deal(players, 1).state
    assert s.lands == lands
    assert s.open == up
    assert [tile != NONE for tile in s.tile] == [k < up for k in range(11)]


def test_tiles_are_random():
    seen = {tuple(deal(3, seed).state.tile[:2]) for seed in range(60)}
    assert len(seen) > 40
    assert {tile for pair in seen for tile in pair} == set(range(14))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_province_token_lies_face_up_at_every_tile(players):
    for seed in range(20):
        s = deal(players, seed).state
        tokens = np.asarray(s.province)
        assert (tokens > 0).sum() == s.lands
        for points in (4, 5, 6):
            assert (tokens == points).sum() <= (points == PROVINCE).sum()
        assert all(holder == NONE for holder in s.province_of)


def test_province_tokens_are_random_and_each_place_gets_each_value_as_often():
    values = np.array([deal(2, seed).state.province[:7] for seed in range(600)])
    for points in (4, 5, 6):
        shares = (values == points).mean(axis=0)
        assert np.abs(shares - 1 / 3).max() < 0.08


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everybody_gets_thirty_markers(players):
    assert list(deal(players, 2).state.markers) == [RULE.markers] * players + [0] * (4 - players)


@pytest.mark.parametrize(("players", "piles"), [(2, [7] * 5), (3, [10, 10, 10, 10, 9]), (4, [14] * 5)])
def test_cards_for_so_many_players_form_five_piles_as_equal_as_can_be(players, piles):
    """Ruling 3: the earlier ones are the larger."""
    s = deal(players, 3).state
    assert list(s.pile) == piles
    assert s.empty == 0
    cards = np.array(s.unseen, np.int64)
    for top in s.top:
        assert 0 <= top < FACES
        cards[top] += 1
    assert cards.tolist() == DECK[players - 2].tolist()


def test_open_cards_are_random_technologies():
    tops = np.array([deal(2, seed).state.top for seed in range(400)])
    counts = np.bincount(tops.ravel(), minlength=FACES)
    assert counts.min() > 150  # 229 on average


@pytest.mark.parametrize(("players", "number"), [(2, 18), (3, 32), (4, 50)])
def test_city_cards_for_so_many_players_form_the_city_deck(players, number):
    s = deal(players, 4).state
    assert sum(s.city_unseen) == number
    assert [bool(card) for card in s.city_unseen] == [pawns <= players for pawns in CITY_PAWNS]
    assert all(card == NONE for row in s.shown for card in row)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_first_player_is_drawn_at_random_and_begins(players):
    firsts = [deal(players, seed).state.first for seed in range(300)]
    for seat in range(players):
        assert abs(firsts.count(seat) / 300 - 1 / players) < 0.1
    table = deal(players, 5)
    assert table.to_act == table.state.first
    assert table.phase == Phase.TAKE
