"""Game Setup and Turn Structure."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from agezoo.envs.age_of_gods.components import START

from .scenario import GAME, God, Phase, Stage, Table, deal, lay

PLAYERS = (2, 3, 4, 5, 6)


def choose_gods(table: Table, which: int = 0) -> Table:
    while table.stage <= Stage.ORDER:
        table.env.step(table.env.legal_actions()[which])
    return table


@pytest.mark.parametrize("players", PLAYERS)
def test_every_territory_holds_a_token_of_its_people_and_nothing_else_is_on_the_board(players):
    s = deal(players, 3).state
    assert s.owner.tolist() == START.tolist()
    assert s.extent.tolist() == [4] * 6 + [3] * 6 + [2] * 6 + [1] * 6
    assert int(s.fortified) == int(s.love) == 0
    assert (s.vortex, s.fortress, s.attacker, s.victim, s.spare_goblins) == (-1, -1, -1, -1, 3)
    assert not any(s.technology)
    assert not np.asarray(s.marker).any()


@pytest.mark.parametrize("players", PLAYERS)
def test_each_player_is_dealt_four_red_and_four_yellow_cards_of_which_there_are_two_of_each_people(players):
    for seed in range(20):
        hand = np.asarray(deal(players, seed).state.hand)
        assert hand[:players, :12].sum(axis=1).tolist() == [4] * players
        assert hand[:players, 12:].sum(axis=1).tolist() == [4] * players
        assert hand.sum(axis=0).max() <= 2
        assert not hand[players:].any()


def test_every_card_is_dealt_as_often_as_any_other():
    dealt = np.zeros(24)
    for seed in range(400):
        dealt += np.asarray(deal(3, seed).state.hand).sum(axis=0)
    for part in (dealt[:12], dealt[12:]):
        assert ((part - 400) ** 2 / 400).sum() < 31.3  # 11 degrees of freedom, 0.1 %


@pytest.mark.parametrize("players", PLAYERS)
def test_each_player_chooses_one_of_two_gods_and_all_are_revealed_together(players):
    table = deal(players, 7)
    offers = np.asarray(table.state.offer)[:players]
    assert len(set(offers.ravel().tolist())) == 2 * players
    for _ in range(players):
        seat = table.to_act
        assert table.phase == Phase.GOD
        assert {God[w.removeprefix("choose the god of ").upper()] for w in table.choices()} == set(
            offers[seat].tolist()
        )
        for other in range(players):
            if other != seat:
                assert not table.sees(seat, "god")[1:].any()  # nobody sees another's choice yet
        table.play(min(table.choices()))
    assert table.stage != Stage.GODS
    assert (np.asarray(table.state.offer) == -1).all()
    assert all(table.sees(0, "god")[k].sum() == 1 for k in range(players))


@pytest.mark.parametrize("players", PLAYERS)
def test_five_fortifications_each_ten_for_the_god_of_protectors(players):
    seen = set()
    for seed in range(12):
        s = choose_gods(deal(players, seed)).state
        for seat in range(players):
            assert s.pieces[seat] == (10 if s.god[seat] == God.PROTECTORS else 5)
            seen.add(s.god[seat] == God.PROTECTORS)
    assert True in seen or players == 2


def test_markers_are_handed_to_the_gods_of_love_and_vengeance():
    uses = {}
    for seed in range(30):
        s = choose_gods(deal(6, seed), -(seed % 2)).state
        uses |= {God(s.god[k]): s.uses[k] for k in range(6)}
    assert (uses[God.LOVE], uses[God.VENGEANCE]) == (4, 4)
    assert (uses[God.DECEPTION], uses[God.CRAFTS], uses[God.MAGIC]) == (1, 1, 3)
    assert {
        uses[g] for g in (God.PEACE, God.WISDOM, God.PROTECTORS, God.LUCK, God.WAR, God.TIME, God.DEATH)
    } == {0}


def test_the_first_player_of_the_first_turn_is_drawn():
    counts = Counter(int(deal(4, seed).state.first) for seed in range(200))
    assert set(counts) == {0, 1, 2, 3}
    assert max(counts.values()) < 80


def first_players(table: Table) -> list[int]:
    """The first player of each turn of a random game."""
    rng, firsts = np.random.default_rng(1), {}
    while not table.finished:
        if table.state.turn and table.stage != Stage.ORDER:
            firsts[int(table.state.turn)] = int(table.state.first)
        table.env.step(int(rng.choice(table.env.legal_actions())))
    return [firsts[turn] for turn in sorted(firsts)]


def test_the_first_player_changes_to_the_left_and_there_are_nine_turns():
    for seed in range(12):
        table = deal(3, seed)
        if God.TIME not in np.asarray(table.state.offer)[:3]:
            firsts = first_players(table)
            assert len(firsts) == 9
            assert firsts == [(firsts[0] + k) % 3 for k in range(9)]


def test_in_each_phase_play_goes_clockwise_from_the_first_player():
    table = lay(4, stage="fortification", first=2, seat=2)
    order = []
    for _ in range(4):
        order.append(table.to_act)
        table.play("fortify nothing more")
    assert order == [2, 3, 0, 1]
    assert table.stage == Stage.COMBAT
    assert table.to_act == 2


def test_the_four_phases_follow_each_other_in_their_order():
    table, seen = deal(3, 4, play_forced=True), []
    rng = np.random.default_rng(2)
    while not table.finished:
        now = (int(table.state.turn), table.stage)
        if table.stage not in (Stage.GODS, Stage.ORDER) and now not in seen:
            seen.append(now)
        table.env.step(int(rng.choice(table.env.legal_actions())))
    assert seen == sorted(seen)
    stages = {turn: [stage for t, stage in seen if t == turn] for turn in range(1, 10)}
    last = [Stage.FORTIFICATION, Stage.COMBAT, Stage.ACTION]
    assert all(stages[turn][-2:] == last[1:] for turn in range(1, 10))
    assert [turn for turn in stages if Stage.UPRISING in stages[turn]] == [2, 4, 6]
    assert stages[1] == last


def test_the_game_has_no_options_and_is_declared_for_two_to_six():
    assert GAME.players == (2, 6)
    assert GAME.options == ()
