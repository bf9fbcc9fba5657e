"""The table in words and as a picture."""

from __future__ import annotations

from importlib import import_module
from itertools import pairwise

import numpy as np
import pytest

from agezoo.envs.age_of_gods.components import NEIGHBOURS, NUM_TERRITORIES, PLACES
from agezoo.envs.age_of_gods.text import GOD_NAMES

from .scenario import Table, deal, lay

pictures = import_module("agezoo.envs.age_of_gods.picture")


def line(table: Table, start: str, seat: int = 0) -> str:
    """The last line of a seat or a people, as a seat sees it."""
    text = table.env.table_text(f"player_{seat}")
    return [row for row in text.splitlines() if row.lstrip(" >+").startswith(start)][-1]


@pytest.mark.parametrize(("god", "left"), [
    ("Love", 4), ("Vengeance", 4), ("Magic", 3), ("Deception", 1), ("Crafts", 1), ("Peace", None), ("War", None),
])  # fmt: skip
def test_everybody_sees_what_a_god_has_left(god, left):
    said = line(lay(gods={1: god}), "player_1")
    assert f"god: {god} ({left} left)" in said if left else "left" not in said


def test_what_a_god_has_left_goes_down():
    table = lay(stage="fortification", gods={0: "Love"}).play("place a Love marker", "Love on Mudfang")
    assert "god: Love (3 left)" in line(table, "player_0", 2)


def test_nobody_reads_another_seats_god_before_all_are_revealed():
    table = deal(3, 4)
    chooser = table.to_act
    table.play(min(table.choices()))
    others = [seat for seat in range(3) if seat != chooser]
    for seat in others:
        assert "god: ?" in line(table, f"player_{chooser}", seat)
    name = GOD_NAMES[table.state.god[chooser]]
    assert f"god: {name} " in line(table, f"player_{chooser}", chooser)


def test_the_cards_of_a_people_that_are_gone_are_counted_for_all_seats_together():
    table = lay(turn=1, stage="action", hands={0: "Orcs", 1: "Orcs"})
    table.play("play a card of the Orcs for technology", "play a card of the Orcs for technology")
    assert line(table, "Orcs", 2).split()[-1] == "2"
    assert line(table, "Gnomes", 2).split()[-1] == "0"


def test_the_backs_of_bets_are_read_by_all_their_peoples_by_their_player():
    table = lay(turn=8, bets={1: "Humans, Gnomes"}, gods={1: "War"})
    assert "bets: red, yellow" in line(table, "player_1", 0)
    assert "bets: Gnomes, Humans" in line(table, "player_1", 1)


def test_what_was_named_first_is_said_when_the_second_is_asked_for():
    table = lay(stage="action", hands={0: "Nomads"}).play("play a card of the Nomads for Great Trek")
    assert table.env.table_text().splitlines()[0].endswith("uses Great Trek: which territory?")
    table.play("trek Saltwell")
    assert table.env.table_text().splitlines()[0].endswith("uses Great Trek (Saltwell): which territory?")
    table = lay(stage="action", hands={0: "Monks"}).play("play a card of the Monks for Holy War")
    table.play("Holy War by the Lizardmen")
    assert table.env.table_text().splitlines()[0].endswith("uses Holy War (Lizardmen): which people?")


def test_no_road_of_the_picture_runs_through_a_third_territory():
    """Where one lies between two neighbours, the road bends."""
    assert len(PLACES) == NUM_TERRITORIES
    for t, near in enumerate(NEIGHBOURS):
        for u in near:
            points = [np.array(point) for point in pictures._road(t, u)]
            assert np.allclose(points[0], pictures._at(t))
            assert np.allclose(points[-1], pictures._at(u))
            for v in set(range(NUM_TERRITORIES)) - {t, u}:
                for a, b in pairwise(points):
                    along = np.clip((pictures._at(v) - a) @ (b - a) / ((b - a) @ (b - a)), 0, 1)
                    assert np.hypot(*(a + along * (b - a) - pictures._at(v))) >= pictures.CLEAR
