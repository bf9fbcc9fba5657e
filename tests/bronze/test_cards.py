"""1. Choosing and playing a technology card; 2. activating technology cards."""

from __future__ import annotations

import pytest

from agezoo.envs.bronze.state import Phase
from agezoo.envs.engine.errors import IllegalAction

from .scenario import lay

THREE = {0: ["Wheel, Masonry", "Religion"]}


# -- taking a card -----------------------------------------------------------------------------------------------------


def test_any_of_the_four_open_cards_may_be_taken_either_way_up():
    table = lay(open_cards="Masonry, Pottery, Wheel, Masonry")
    assert table.choices() == {
        f"take {card} from pile {pile}{how}"
        for pile, card in ((1, "Masonry"), (2, "Pottery"), (3, "Wheel"), (4, "Masonry"))
        for how in ("", " as Bronze Casting")
    }


def test_a_card_is_played_face_up_as_its_technology():
    table = lay(open_cards="Masonry").play("take Masonry from pile 1")
    assert table.matrix(0) == [["Masonry"]]
    assert table.activated == {"Masonry": 1}


def test_a_card_is_played_face_down_as_bronze_casting():
    table = lay(open_cards="Masonry").play("take Masonry from pile 1 as Bronze Casting")
    assert table.matrix(0) == [["Bronze Casting"]]
    assert table.activated == {"Bronze Casting": 1}


def test_the_next_card_of_the_pile_is_turned_up_and_the_others_stay():
    table = lay(open_cards="Masonry, Pottery, Wheel, Religion")
    before = list(table.state.unseen)
    table.play("take Pottery from pile 2")
    assert [table.tops[k] for k in (0, 2, 3)] == ["Masonry", "Wheel", "Religion"]
    assert list(table.state.pile) == [7, 6, 7, 7, 7]
    assert sum(before) - sum(table.state.unseen) == 1


def test_the_next_card_is_turned_up_after_the_choice_and_before_the_card_is_placed():
    """Nobody looks at the next card and then decides; once a card is taken all see what follows."""
    table = lay(matrix=THREE, open_cards="Masonry, Pottery")
    table.play("take Pottery from pile 2")
    assert table.phase == Phase.COLUMN
    assert table.tops[1] is not None
    assert not any(words.startswith("take") for words in table.choices())


def test_what_is_turned_up_next_is_drawn_evenly_from_the_cards_not_yet_seen():
    """Ruling 1: as if the piles had been shuffled."""
    table = lay(open_cards="Masonry, Pottery, Wheel, Religion")
    where, found = table.env.position(), []
    for seed in range(600):
        table.env.load({**where, "state": {**where["state"], "rng": f"{seed:016x}"}})
        found.append(table.play("take Masonry from pile 1").tops[0])
    for card in ("Masonry", "Pottery", "Wheel", "Religion"):
        assert abs(found.count(card) / 600 - 4 / 31) < 0.06
    for card in ("Domestication", "Authority", "Irrigation"):
        assert abs(found.count(card) / 600 - 5 / 31) < 0.06


# -- the matrix --------------------------------------------------------------------------------------------------------


def test_example_a_fourth_card_goes_under_a_column_or_on_top_to_the_right_or_left():
    """The rulebook's example: three cards lie in the matrix."""
    table = lay(matrix=THREE, open_cards="Pottery").play("take Pottery from pile 1")
    assert table.choices() == {
        "put it into column 1",
        "put it into column 2",
        "put it into a new column on the left",
        "put it into a new column on the right",
    }


@pytest.mark.parametrize(
    ("where", "matrix"),
    [
        ("column 1", [["Wheel", "Masonry", "Pottery"], ["Religion"]]),
        ("column 2", [["Wheel", "Masonry"], ["Religion", "Pottery"]]),
        ("a new column on the left", [["Pottery"], ["Wheel", "Masonry"], ["Religion"]]),
        ("a new column on the right", [["Wheel", "Masonry"], ["Religion"], ["Pottery"]]),
    ],
)
def test_columns_grow_downward_without_gaps_and_cards_never_move(where, matrix):
    table = lay(matrix=THREE, open_cards="Pottery").play("take Pottery from pile 1", f"put it into {where}")
    assert table.matrix(0) == matrix


def test_there_are_never_more_than_four_columns():
    table = lay(matrix={0: ["Wheel", "Religion", "Pottery", "Masonry"]}, open_cards="Pottery")
    table.play("take Pottery from pile 1")
    assert table.choices() == {f"put it into column {k}" for k in (1, 2, 3, 4)}
    with pytest.raises(IllegalAction):
        table.play("put it into a new column on the left")


def test_the_first_card_has_no_sides():
    """Ruling 5: left and right of nothing are the same, so only one of them is offered."""
    table = lay(play_forced=False, open_cards="Masonry").play("take Masonry from pile 1")
    assert table.choices() == {"put it into a new column on the right"}


def test_a_column_may_hold_any_number_of_cards():
    table = lay(matrix={0: ["3 Wheel, 3 Religion, 3 Pottery, 3 Masonry"]}, open_cards="Pottery")
    table.play("take Pottery from pile 1", "put it into column 1")
    assert len(table.matrix(0)[0]) == 13


# -- activation --------------------------------------------------------------------------------------------------------


def test_example_pottery_activates_itself_and_the_cards_on_both_sides():
    table = lay(matrix={0: ["Religion, Masonry", "Religion", "Wheel, Wheel"]}, open_cards="Pottery")
    table.play("take Pottery from pile 1", "put it into column 2")
    assert table.activated == {"Pottery": 1, "Masonry": 1, "Wheel": 1}


def test_example_domestication_activates_those_in_its_column_and_masonry_beside_it():
    """Three settlements: two for Domestication, one for Masonry."""
    table = lay(
        matrix={0: ["Domestication, Wheel", "Pottery, Religion, Masonry"]}, open_cards="Domestication"
    )
    table.play("take Domestication from pile 1", "put it into column 1")
    assert table.activated == {"Domestication": 2, "Masonry": 1}


def test_example_bronze_casting_activates_itself_and_pottery_but_not_those_in_its_column():
    table = lay(
        matrix={0: ["2 Bronze Casting", "Wheel, Wheel, Pottery"]},
        open_cards="Authority",
    )
    table.play("take Authority from pile 1 as Bronze Casting", "put it into column 1")
    assert table.activated == {"Bronze Casting": 1, "Pottery": 1}


def test_example_domestication_activates_bronze_casting_on_its_right():
    table = lay(matrix={0: ["Wheel", "Religion, Bronze Casting"]}, open_cards="Domestication")
    table.play("take Domestication from pile 1", "put it into column 1")
    assert table.activated == {"Domestication": 1, "Bronze Casting": 1}


def test_bronze_casting_activates_bronze_casting_beside_it():
    """Ruling 6: the exception is about the column."""
    table = lay(matrix={0: ["Wheel", "Wheel, Bronze Casting"]}, open_cards="Masonry")
    table.play("take Masonry from pile 1 as Bronze Casting", "put it into column 1")
    assert table.activated == {"Bronze Casting": 2}


def test_only_direct_neighbours_in_the_same_row_are_activated():
    table = lay(matrix={0: ["Religion", "Pottery", "Irrigation, Irrigation"]}, open_cards="Authority")
    table.play("take Authority from pile 1", "put it into column 1")
    assert table.activated == {"Authority": 1}
    table = lay(matrix={0: ["Religion", "Pottery", "Wheel"]}, open_cards="Authority")
    table.play("take Authority from pile 1", "put it into a new column on the left")
    assert table.activated == {"Authority": 1, "Religion": 1}


def test_cards_of_the_technology_are_activated_anywhere_in_the_column_and_only_there():
    table = lay(matrix={0: ["Wheel, Pottery, Wheel", "Wheel"]}, open_cards="Wheel")
    table.play("take Wheel from pile 1", "put it into column 1")
    assert table.activated == {"Wheel": 3}


def test_a_card_on_a_side_does_not_activate_further_cards():
    """Only the new card activates."""
    table = lay(matrix={0: ["Wheel", "Pottery, Pottery, Pottery"]}, open_cards="Masonry")
    table.play("take Masonry from pile 1", "put it into column 1")
    assert table.activated == {"Masonry": 1, "Pottery": 1}


def test_a_card_played_face_down_is_no_card_of_its_face():
    table = lay(matrix={0: ["Bronze Casting"]}, open_cards="Wheel").play("take Wheel from pile 1")
    table.play("put it into column 1")
    assert table.activated == {"Wheel": 1}


def test_activations_are_forgotten_at_the_end_of_the_turn():
    table = lay(matrix={0: ["Wheel", "Pottery"]}, open_cards="Masonry, Religion")
    table.play("take Masonry from pile 1", "put it into column 1", "settle no more")
    assert table.to_act == 1
    assert table.activated == {}
