"""The table as a picture."""

from __future__ import annotations

import numpy as np

from .scenario import GAME, Table, lay


def draw(table: Table, seat: int | None) -> np.ndarray:
    return GAME.picture(table.state, seat)


def test_a_picture_shows_nothing_that_the_seat_cannot_know():
    """A world that the seat cannot tell from the real one looks the same to it, and not to the whole table."""
    table = lay(hands={0: "Augury, Family", 1: "4 Temple", 2: "3 Victory"}, row="2 Family, Spy")
    table.play("take Family from the row", "play Augury", "keep nothing")
    for seat in range(3):
        world = table.world(seat, 1)
        assert np.array_equal(draw(world, seat), draw(table, seat))
        assert not np.array_equal(draw(world, None), draw(table, None))


def test_a_picture_follows_the_game():
    table = lay(hands={0: "Family"}, piles_drawn=3, top="End")
    before = draw(table, 0)
    table.play("play Family")
    assert not np.array_equal(draw(table, 0), before)
    table.play("take Defeat from the row", "end the turn")
    assert table.finished
    assert draw(table, 0).shape == before.shape


def test_a_crowded_table_fits():
    """Eleven kinds in each hand, every discard, a full row of six."""
    kinds = "Family, Temple, Victory, Spy, Theft of Deity, Famine, Defeat, Earthquake"
    table = lay(
        3,
        hands={0: kinds, 1: "Family, Temple, Victory, Theft of Deity, Famine, Riches, Curse, Augury"},
        piles_drawn=3,
    )
    assert draw(table, None).shape[1] == draw(table, 0).shape[1]
