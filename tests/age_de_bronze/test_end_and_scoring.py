"""End of the Game, Scoring, and End of the Bronze Age Cards."""

from __future__ import annotations

import pytest

from .scenario import lay


def test_the_game_ends_when_the_fourth_end_card_comes_out():
    table = lay(piles_drawn=3, top="Family, End", row="5 Bad King, Defeat")
    table.play("take Defeat from the row", "end the turn")
    assert not table.finished
    table.play("take Bad King from the row", "end the turn")
    assert table.finished
    assert table.env.legal_actions() == []
    assert all(table.env.terminations.values())


def test_the_game_goes_on_after_the_third():
    table = lay(piles_drawn=2, top="End", row="5 Bad King").play("take Bad King from the row", "end the turn")
    assert table.ends_out == 3
    assert not table.finished


def test_the_game_ends_at_once_and_nobody_plays_the_round_out():
    table = lay(4, piles_drawn=3, top="End", row="5 Bad King, Defeat", turn="Sumerians")
    table.play("take Defeat from the row", "end the turn")
    assert table.finished
    assert sum(table.row.values()) == 5  # nor is the row filled


def test_cards_in_hand_do_not_count():
    table = lay(hands={0: "5 Family, 2 Riches", 1: "Temple, Victory"}, tables={"Amorites": "Family"})
    assert table.scores() == [2, 2, 3]


def test_each_family_is_one_point():
    table = lay(tables={"Akkadians": "4 Family", "Sumerians": "Family"})
    assert table.scores() == [6, 3, 2]


CATEGORIES = [("Victory", 2, 1), ("Temple", 2, 1), ("Riches", 3, 2)]


@pytest.mark.parametrize(("card", "most", "second"), CATEGORIES)
def test_most_and_second_most_cards(card, most, second):
    table = lay(4, tables={"Akkadians": f"3 {card}", "Sumerians": f"5 {card}", "Amorites": f"{card}"})
    assert [p - 2 for p in table.scores()] == [second, most, 0, 0]


@pytest.mark.parametrize(("card", "most", "second"), CATEGORIES)
def test_the_rulebooks_example_of_a_tie_for_the_most(card, most, second):
    """6, 6, 4 and 2 cards: the two first score in full, the third is second, the fourth gets nothing."""
    table = lay(
        4,
        tables={
            "Akkadians": f"6 {card}",
            "Sumerians": f"6 {card}",
            "Amorites": f"4 {card}",
            "Hurrians": f"2 {card}",
        },
    )
    assert [p - 2 for p in table.scores()] == [most, most, second, 0]


@pytest.mark.parametrize(("card", "most", "second"), CATEGORIES)
def test_a_tie_for_the_second_most(card, most, second):
    table = lay(
        5,
        tables={
            "Akkadians": f"2 {card}",
            "Sumerians": f"3 {card}",
            "Amorites": f"2 {card}",
            "Hurrians": f"{card}",
        },
    )
    assert [p - 2 for p in table.scores()] == [second, most, second, 0, 0]


@pytest.mark.parametrize(("card", "most", "second"), CATEGORIES)
def test_no_card_no_place(card, most, second):
    """Ruling 3: without a card a nation is neither first nor second."""
    assert lay(3).scores() == [2, 2, 2]
    assert [p - 2 for p in lay(3, tables={"Sumerians": card}).scores()] == [0, most, 0]
    everybody = dict.fromkeys(("Akkadians", "Sumerians", "Amorites"), card)
    assert [p - 2 for p in lay(3, tables=everybody).scores()] == [most] * 3


def test_two_points_for_the_own_deity_and_for_no_other():
    table = lay(deities={"Mammon": "Sumerians", "Marduk": "Sumerians"})
    assert table.scores() == [0, 2, 0]


def test_all_categories_add_up():
    table = lay(
        3,
        tables={
            "Akkadians": "3 Family, 2 Victory, Temple, 4 Riches",
            "Sumerians": "Family, 3 Victory, 2 Temple, Riches",
            "Amorites": "2 Family, Victory, 2 Temple",
        },
        deities={"Utu": "Akkadians"},
    )
    assert table.scores() == [3 + 1 + 1 + 3 + 2, 1 + 2 + 2 + 2, 2 + 0 + 2 + 0 + 2]
    assert [table.points(n) for n in ("Akkadians", "Sumerians", "Amorites")] == table.scores()


def test_the_most_points_win():
    table = lay(tables={"Akkadians": "Family", "Amorites": "3 Family"})
    assert table.places() == [2, 3, 1]


def test_a_tie_goes_to_the_most_family_cards():
    table = lay(tables={"Akkadians": "2 Family", "Sumerians": "2 Victory", "Amorites": "Family, Victory"})
    assert table.scores() == [4, 4, 4]
    assert table.places() == [1, 3, 2]


def test_a_tie_in_points_and_family_is_shared():
    table = lay(tables={"Akkadians": "Family", "Sumerians": "Family"})
    assert table.places() == [1, 1, 3]


def test_the_winner_of_a_finished_game_is_paid():
    table = lay(
        piles_drawn=3,
        top="End",
        row="5 Bad King, Defeat",
        tables={"Sumerians": "2 Family", "Amorites": "Victory"},
    ).play("take Defeat from the row", "end the turn")
    assert table.env.rewards == {"player_0": -0.5, "player_1": 1.0, "player_2": -0.5}
    assert table.env.infos["player_2"] == {"score": 4.0, "place": 2}


@pytest.mark.parametrize("out", [0, 1, 2, 3])
def test_the_row_has_three_cards_and_one_more_for_each_end_card_out(out):
    table = lay(piles_drawn=out, top="Spy").play("end the turn")
    assert sum(table.row.values()) == 3 + out


def test_an_end_card_that_comes_up_in_the_row_leaves_play_and_is_replaced():
    table = lay(row="3 Family", top="End, Spy, Temple, Victory").play(
        "take Family from the row", "end the turn"
    )
    assert table.ends_out == 1
    assert table.row == {"Family": 2, "Spy": 1, "Temple": 1}  # one in its place, and one for the longer row
    assert table.top(1) == ["Victory"]


def test_two_end_cards_at_one_refill():
    """Each lengthens the row: three cards, then five."""
    table = lay(pile_left=1, top="End, End, Family, Temple, Victory, Spy", row="2 Bad King").play(
        "end the turn"
    )
    assert table.ends_out == 2
    assert table.row == {"Family": 1, "Temple": 1, "Victory": 1, "Bad King": 2}
    assert table.top(1) == ["Spy"]


def test_nobody_can_take_an_end_card():
    table = lay(hands={0: "Augury"}, top="End, Family, Temple, Spy, Victory").play("play Augury")
    assert not any("End" in words for words in table.choices())
