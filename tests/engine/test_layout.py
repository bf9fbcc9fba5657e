from enum import IntEnum

import numpy as np
import pytest

from agezoo.envs.engine.errors import BadGame
from agezoo.envs.engine.layout import Layout, block


class Card(IntEnum):
    ACE = 0
    TWO_OF_HEARTS = 1


LAYOUT = Layout(
    block("stop", doc="Stop"),
    block("play", Card, 3, doc="Play a card in a place"),
    block("count", ("a", "b"), low=-4, high=8, unit=4),
)


def test_blocks_lie_one_after_the_other():
    assert LAYOUT.size == 9
    assert LAYOUT.starts == (0, 1, 7)
    assert LAYOUT.starts.play == 1
    assert LAYOUT.slices() == {"stop": slice(0, 1), "play": slice(1, 7), "count": slice(7, 9)}
    assert [b.size for b in LAYOUT.blocks] == [1, 6, 2]


def test_every_number_is_located_and_named():
    names = [LAYOUT.name(k) for k in range(LAYOUT.size)]
    assert names[:2] == ["stop", "play[ACE][0]"]
    assert names[6:] == ["play[TWO_OF_HEARTS][2]", "count[a]", "count[b]"]
    assert len(set(names)) == 9
    for number in range(LAYOUT.size):
        found, index = LAYOUT.locate(number)
        inner = int(np.ravel_multi_index(index, found.shape)) if index else 0
        assert getattr(LAYOUT.starts, found.name) + inner == number


@pytest.mark.parametrize("number", [-1, 9, 1000])
def test_numbers_outside_are_refused(number):
    with pytest.raises(IndexError, match="runs from 0 to 8"):
        LAYOUT.locate(number)


def test_unpack_gives_views_of_each_block():
    vector = np.arange(9.0)
    parts = LAYOUT.unpack(vector)
    assert parts["stop"].shape == ()
    assert parts["play"].tolist() == [[1, 2, 3], [4, 5, 6]]
    parts["count"][:] = 0
    assert vector[7:].tolist() == [0, 0]


def test_bounds_are_scaled_as_the_engine_scales():
    low, high = LAYOUT.bounds()
    assert low.dtype == high.dtype == np.float32
    assert low.tolist() == [0] * 7 + [-1, -1]
    assert high.tolist() == [1] * 7 + [2, 2]
    assert LAYOUT.scale().tolist() == [1] * 7 + [0.25, 0.25]


def test_extreme_values_stay_inside_whatever_the_unit():
    """float32 rounding of value times scale never leaves the declared bounds."""
    for unit in range(1, 60):
        for high in range(1, 80):
            layout = Layout(block("x", high=high, unit=unit))
            assert np.float32(high) * layout.scale()[0] <= layout.bounds()[1][0]


def test_two_blocks_of_one_name_are_refused():
    with pytest.raises(BadGame, match="names of their own"):
        Layout(block("x"), block("x"))


def test_table_is_markdown():
    lines = LAYOUT.table().splitlines()
    assert lines[2] == "| 0 | `stop` |  | Stop |"
    assert lines[3] == "| 1-6 | `play` | ace, two of hearts x 3 | Play a card in a place |"
    assert len(lines) == 2 + 3


def test_runs_of_scaled_numbers_cover_them_and_join_over_short_gaps():
    layout = Layout(
        block("one", 3),
        block("two", 4, high=8, unit=2),
        block("short", 5),
        block("three", high=9, unit=3),
        block("long", 60),
        block("four", 2, high=4, unit=4),
        block("rest", 9),
    )
    assert layout.scaled().tolist() == [[3, 13], [73, 75]]
    assert layout.scaled(gap=1).tolist() == [[3, 7], [12, 13], [73, 75]]
    assert Layout(block("one", 3)).scaled().shape == (0, 2)
