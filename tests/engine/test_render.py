"""Pictures: text in a grid, the rulebook's own, "human", and what asks for none."""

from dataclasses import replace

import numpy as np
import pytest
from tiny import GAME, table_text

from agezoo.envs.engine import render
from agezoo.envs.engine.aec import TableEnv


def table(mode):
    env = TableEnv(GAME, render_mode=mode)
    env.reset(seed=1)
    return env


def test_ansi_is_the_rulebook_s_text():
    env = table("ansi")
    assert env.render() == table_text(env._states[0], None) == env.table_text()


def test_human_prints_it(capsys):
    env = table("human")
    assert env.render() is None
    assert capsys.readouterr().out == env.table_text() + "\n"


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
