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
