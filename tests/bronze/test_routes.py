"""4. Trade routes: unbroken lines in the row of a terrain."""

from __future__ import annotations

import pytest

from agezoo.envs.bronze import rules
from agezoo.envs.bronze.components import HUT
from agezoo.envs.engine.compile import plain

from .scenario import Table, lay

ALL = (1, 2, 3, 4, 5, 6, 7)


def turn(settled: dict[int, str], tiles: tuple[int, ...] = ALL, **more) -> Table:
    """Player 0 may settle once, anywhere."""
    table = lay(tiles=tiles, settled=settled, open_cards="Masonry", **more)
    return table.play("take Masonry from pile 1 as Bronze Casting")


def test_three_settlements_in_a_row_bring_the_first_token():
    table = turn({0: "1 mountains; 1 mountains right"})
    assert table.routes("mountains") == {}
    table.play("settle 2 mountains").choose()
    assert table.routes("mountains") == {3: 0}
    assert table.scores()[0] == 3


def test_free_huts_do_not_break_a_line():
    """Tile 3 has two huts in its mountains, both free."""
    table = turn({0: "1 mountains; 2 mountains"}).play("settle 4 mountains").choose()
    assert table.routes("mountains") == {3: 0}


def test_a_settlement_of_another_breaks_a_line():
    table = turn({0: "1 mountains; 2 mountains", 1: "1 mountains right"}).play("settle 4 mountains").choose()
    assert table.routes("mountains") == {}


def test_huts_count_from_left_to_right_within_a_tile():
    """The other's settlement stands left of the one on the same tile, so it is between the two lines."""
    table = turn({0: "1 mountains; 2 mountains", 1: "3 mountains"})
    table.play("settle 3 mountains right").choose()
    assert table.routes("mountains") == {}
    table = turn({0: "1 mountains; 2 mountains", 1: "3 mountains right"})
    table.play("settle 3 mountains").choose()
    assert table.routes("mountains") == {3: 0}


def test_settlements_of_other_terrains_are_no_part_of_a_line():
    table = turn({0: "1 mountains; 1 woods"}).play("settle 2 mountains").choose()
    assert table.routes("mountains") == {}
    assert table.routes("woods") == {}


def test_example_of_the_picture():
    """Yellow keeps blue from a route; free huts do not: yellow has three, blue five, red three in a row."""
    blue, yellow, red = 0, 1, 2
    settled = {
        blue: "1 mountains; 1 woods; 1 woods right; 2 mountains; 2 woods; 3 woods; 5 woods",
        yellow: "1 mountains right; 1 grasslands; 2 grasslands right; 4 grasslands",
        red: "1 shore; 2 shore; 4 shore",
    }
    table = turn(settled, players=3).play("settle 6 mountains").choose()
    assert table.routes("mountains") == {}
    assert table.routes("grasslands") == {3: yellow}
    assert table.routes("woods") == {5: blue}
    assert table.routes("shore") == {3: red}
    assert [plain(rules.route_points)(table.state, seat) for seat in (blue, yellow, red)] == [6, 3, 3]


def test_five_in_a_row_replace_the_token_for_three():
    row = "1 mountains; 1 mountains right; 2 mountains; 3 mountains"
    table = turn({0: row})
    assert table.routes("mountains") == {3: 0}
    table.play("settle 3 mountains right")
    assert table.routes("mountains") == {5: 0}


def test_seven_in_a_row_replace_the_token_for_five():
    row = "1 mountains; 1 mountains right; 2 mountains; 3 mountains; 3 mountains right; 4 mountains"
    table = turn({0: row})
    assert table.routes("mountains") == {5: 0}
    table.play("settle 5 mountains").choose()
    assert table.routes("mountains") == {7: 0}
    assert table.state.line[0, 0] == 7


def test_a_line_may_be_joined_in_the_middle():
    table = turn({0: "1 mountains; 1 mountains right", 1: "1 shore; 3 mountains right"})
    table.play("settle 3 mountains").choose()
    assert table.routes("mountains") == {3: 0}


def test_a_token_is_never_taken_from_another():
    table = (
        turn({1: "1 mountains; 1 mountains right; 2 mountains", 0: "3 mountains; 3 mountains right"})
        .play("settle 4 mountains")
        .choose()
    )
    assert table.routes("mountains") == {3: 1}


def test_each_token_is_there_once_and_another_may_have_the_next_one():
    other = "1 mountains; 1 mountains right; 2 mountains"
    mine = "3 mountains; 3 mountains right; 4 mountains; 5 mountains"
    table = turn({1: other, 0: mine})
    assert table.routes("mountains") == {3: 1}
    side = " right" if table.can("settle 5 mountains right") else ""
    table.play(f"settle 5 mountains{side}" if side else "settle 6 mountains").choose()
    assert table.routes("mountains") == {3: 1, 5: 0}


def test_a_token_is_kept_when_the_line_is_broken_later():
    table = turn({1: "1 mountains; 2 mountains; 4 mountains"})
    assert table.routes("mountains") == {3: 1}
    table.play("settle 3 mountains").choose()
    assert table.state.line[1, 0] == 2
    assert table.routes("mountains") == {3: 1}


def test_with_the_higher_token_the_lower_one_is_not_taken():
    row = "1 mountains; 1 mountains right; 2 mountains; 3 mountains; 3 mountains right"
    table = turn({0: row}).play("settle 4 mountains").choose()
    assert table.routes("mountains") == {5: 0}


def test_a_token_that_is_put_back_goes_to_whoever_has_the_line_for_it():
    """Ruling 9: player 1 has had three in a row all the time."""
    other = "4 mountains; 5 mountains; 6 mountains"
    mine = "1 mountains; 1 mountains right; 2 mountains; 3 mountains"
    table = turn({0: mine, 1: other})
    assert table.routes("mountains") == {3: 0}
    table.play("settle 3 mountains right")
    assert table.routes("mountains") == {5: 0, 3: 1}


def test_a_token_that_is_put_back_may_free_another_one():
    """Seven for player 0; its five goes to player 2, whose three goes to player 1, who sits between them."""
    both = [tile + 1 for tile in range(len(HUT)) if HUT[tile, 1] >= 0][
        :9
    ]  # tiles with two huts in the mountains
    row = [f"{place} mountains{side}" for place in range(1, 10) for side in ("", " right")]
    table = turn(
        {0: "; ".join(row[:6]), 2: "; ".join(row[7:12]), 1: "; ".join(row[12:15])}, tuple(both), players=3
    )
    assert table.routes("mountains") == {5: 0, 3: 2}
    table.play("settle 4 mountains").choose()
    assert table.routes("mountains") == {7: 0, 5: 2, 3: 1}


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_lines_are_measured_for_every_seat(seat):
    table = lay(3, tiles=ALL, settled={seat: "1 mountains; 2 mountains"})
    assert [int(line) for line in table.state.line[:3, 0]] == [2 if k == seat else 0 for k in range(3)]
    assert table.state.tail[0] == 2
    assert table.state.tail_of[0] == seat
