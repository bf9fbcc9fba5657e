"""Pictures: text in a grid, the rulebook's own, "human", and what asks for none."""

import copy
import pickle
from dataclasses import replace

import numpy as np
import pytest
from tiny import GAME, table_text

import agezoo.envs
from agezoo.envs.engine import render
from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.errors import BadOption
from agezoo.envs.engine.seat import SeatEnv


def table(mode, **more):
    env = TableEnv(GAME, render_mode=mode, **more)
    env.reset(seed=1)
    return env


def test_ansi_is_the_rulebook_s_text():
    env = table("ansi", render_view="all")
    assert env.render() == table_text(env.states[0], None) == env.table_text()


def test_by_default_it_is_what_lies_open():
    env = table("ansi")
    assert [line.split()[2] for line in env.render().splitlines()[1:]] == ["?"] * 3
    assert env.render() == env.render("public") == env.table_text("public")
    assert env.render("all") == env.table_text() == env.table_text("all")
    for k, agent in enumerate(env.possible_agents):
        shown = [line.split()[2] != "?" for line in env.render(agent).splitlines()[1:]]
        assert shown == [seat == k for seat in range(3)]
        assert table("ansi", render_view=agent).render() == env.render(agent) == env.table_text(agent)


@pytest.mark.parametrize("wrong", ["player_3", "nobody", "", 0, None, ["all"]])
def test_no_such_view(wrong):
    with pytest.raises(
        BadOption, match=r"render_view=.*choose public, all, or one of player_0, player_1, player_2"
    ):
        table("ansi", render_view=wrong)
    if wrong is not None:
        with pytest.raises(
            BadOption, match=r"view=.*choose public, all, or one of player_0, player_1, player_2"
        ):
            table("ansi").render(wrong)


@pytest.mark.parametrize("name", agezoo.envs.names())
def test_the_public_view_is_the_same_in_every_world_of_every_seat(name):
    """Who sees nothing but what all see cannot tell apart what some seat cannot tell apart."""
    game = agezoo.envs.find(name)
    wholes, views = set(), 0
    for seats in range(game.players[0], game.players[1] + 1):
        env = TableEnv(game, seats, render_mode="rgb_array")
        env.reset(seed=seats)
        for move in range(60):
            if not env.agents or any(env.terminations.values()):
                break
            if move % 12 == 0:
                public, shown = env.table_text("public"), env.render()
                wholes.add(env.table_text() == public)
                assert "(you)" not in public
                for agent in env.possible_agents:
                    world = env.world(agent, move)
                    assert world.table_text("public") == public
                    assert np.array_equal(world.render(), shown)
                    views += 1
            env.step(env.random_action(move))
    assert views >= 10
    assert (False in wholes) == game.hidden_information


def test_human_shows_the_table_at_every_reset_and_step(capsys):
    env = table("human", render_view="player_1")
    shown = env.table_text("player_1") + "\n"
    assert capsys.readouterr().out == shown
    env.step(0)
    shown = env.table_text("player_1") + "\n"
    assert capsys.readouterr().out == shown
    assert env.render() is None
    assert capsys.readouterr().out == shown
    for twin in (env.clone(), copy.deepcopy(env), pickle.loads(pickle.dumps(env)), env.world("player_1", 1)):
        twin.step(0)
        assert capsys.readouterr().out == "", "copies look ahead in silence"
        twin.render()
        assert capsys.readouterr().out == twin.table_text("player_1") + "\n"
    for mode in (None, "ansi", "rgb_array"):
        table(mode).step(0)
    assert capsys.readouterr().out == ""


def test_human_shows_what_one_seat_sees_at_every_reset_and_step(capsys):
    env = SeatEnv(GAME, seat=1, render_mode="human")
    env.reset(seed=1)
    assert capsys.readouterr().out == env.env.table_text("player_1") + "\n"
    env.step(0)
    assert capsys.readouterr().out == env.env.table_text("player_1") + "\n"


def test_rgb_array_is_a_picture_that_changes_with_the_table():
    env = table("rgb_array")
    first = env.render()
    assert first.dtype == np.uint8
    assert first.ndim == 3
    assert first.shape[2] == 3
    assert len(np.unique(first)) > 2
    assert np.array_equal(first, env.render())
    for _ in range(3):
        env.step(1)
    assert not np.array_equal(first, env.render())


def test_a_rulebook_may_draw_its_own_picture():
    drawn = []

    def picture(s, seat):
        drawn.append(seat)
        return np.zeros((4, 5, 3), np.uint8)

    own = replace(GAME, name="tiny_with_picture", picture=picture)
    assert render.render(own, None, 2, "rgb_array").shape == (4, 5, 3)
    assert drawn == [2]


def test_text_pictures_keep_their_columns_and_drop_colours():
    plain, coloured = render.text_picture("ab\n  c"), render.text_picture("\x1b[31mab\x1b[0m\n  c")
    assert np.array_equal(plain, coloured)
    assert render.text_picture("").shape[2] == 3
    wide = render.text_picture("abcdef")
    assert wide.shape[1] > plain.shape[1]
    assert wide.shape[0] < plain.shape[0]


def test_without_a_mode_it_says_how(recwarn):
    with pytest.warns(UserWarning, match="render_mode='ansi'"):
        assert table(None).render() is None


def test_areas_lie_in_columns():
    assert render.in_columns(3, 2, 10, 5, 100, 30, 4) == [(10, 5, 48), (62, 5, 48), (10, 39, 48)]


def test_chips_go_on_in_the_next_line_where_there_is_no_room():
    chips, sheet = [("Iron", (200, 0, 0)), ("Wood", (0, 120, 0))], render.Sheet(200, 80)
    assert sheet.chips(chips, 10, 10, 180) == 36
    assert not (sheet.pixels()[36:60, 10:190] != render.PAPER).any()
    assert sheet.chips(chips, 10, 10, 40) == 62
    assert (sheet.pixels()[36:60, 10:190] != render.PAPER).any()


def test_a_panel_is_framed_where_it_is_that_seat_s_turn():
    quiet, framed = render.Sheet(100, 100), render.Sheet(100, 100)
    quiet.panel(20, 20, 60, 60, (0, 0, 200), (255, 255, 255), (128, 128, 128))
    framed.panel(20, 20, 60, 60, (0, 0, 200), (255, 255, 255), (128, 128, 128), (200, 0, 0))
    changed = (quiet.pixels() != framed.pixels()).any(axis=2)
    assert changed[50, 18]
    assert not changed[30:70, 30:70].any()
