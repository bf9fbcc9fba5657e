"""Turns and Actions: movement, about face, swap, three action points."""

from __future__ import annotations

import pytest

from .scenario import CARDS, lay

FAR = "Archers h6"


def test_a_turn_has_three_action_points_then_the_other_army_plays():
    table = lay("Axemen c3", FAR)
    for left in (3, 2, 1):
        assert (table.turn, table.points) == ("Red", left)
        table.play(min(table.choices("move Axemen")))
    assert (table.turn, table.points) == ("Blue", 3)
    assert table.choices("move Archers")
    assert not table.choices("move Axemen")


def test_points_go_to_any_actions_in_any_order():
    table = lay("Axemen c3, Spearmen d3", FAR)
    table.play("about face Axemen c3", "swap Axemen c3 with Spearmen d3", "move Axemen d3 north 2")
    assert table.turn == "Blue"
    assert table.at("d5").turned


# -- Movement ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Spearmen", "Axemen", "Clubmen"])
def test_a_unit_moves_up_to_its_movement_in_four_directions(name):
    """Forward, backward, to the sides, no diagonals; not all spaces need be used (ruling 4)."""
    most = CARDS[name]["movement"]
    table = lay(f"{name} d4", "Archers a1", field="8x10")
    assert table.choices(f"move {name}") == {
        f"move {name} d4 {way} {n}" for way in ("north", "east", "south", "west") for n in range(1, most + 1)
    }
    table.play(f"move {name} d4 east {most}")
    assert table.at("d4") is None
    assert table.at(f"{'defg'[most]}4").name == name


def test_movements_are_one_two_and_three():
    assert [CARDS[name]["movement"] for name in ("Spearmen", "Axemen", "Clubmen")] == [1, 2, 3]


def test_units_and_terrain_are_not_passed():
    table = lay("Clubmen b2, Spearmen b4", "Archers d2, Slingers h6")
    assert table.choices("move Clubmen") == {
        "move Clubmen b2 north 1",
        "move Clubmen b2 east 1",
        "move Clubmen b2 south 1",
        "move Clubmen b2 west 1",
    }


def test_a_move_keeps_the_facing():
    table = lay("Clubmen b2 turned", FAR).play("move Clubmen b2 north 3")
    assert table.at("b5").turned


def test_a_wounded_unit_moves_as_far():
    assert lay("Clubmen b1 1", FAR).can("move Clubmen b1 north 3")


# -- About Face and Swap Position --------------------------------------------------------------------------------------


def test_about_face_turns_one_unit_by_half_for_a_point():
    table = lay("Axemen c3, Spearmen d3", FAR).play("about face Axemen c3")
    assert table.at("c3").turned
    assert not table.at("d3").turned
    assert table.points == 2
    assert not table.play("about face Axemen c3").at("c3").turned


def test_friends_beside_each_other_swap_with_their_facings():
    table = lay("Axemen c3 turned 4, Spearmen d3", FAR).play("swap Axemen c3 with Spearmen d3")
    assert table.at("d3") == ("Red", "Axemen", 4, True)
    assert table.at("c3") == ("Red", "Spearmen", 6, False)
    assert table.points == 2


def test_only_two_adjacent_friends_swap():
    table = lay("Axemen c3, Spearmen c4, Clubmen d5, Riders e3", "Archers d3, Slingers h6")
    assert table.choices("swap") == {"swap Axemen c3 with Spearmen c4"}


def test_a_seat_that_looks_south_acts_in_words_that_stay_absolute():
    """Directions in actions are the seat's own, words are the compass'."""
    table = lay("Archers a1", "Axemen c5, Spearmen d5", turn="Blue")
    assert table.can("move Axemen c5 south 2")
    assert table.choices("swap") == {"swap Spearmen d5 with Axemen c5"}
    table.play("move Axemen c5 south 2")
    assert table.at("c3").army == "Blue"


def test_directions_of_both_seats_have_the_same_numbers():
    """Two tables that are each other turned by half offer the same actions, and look the same to their seats."""
    red = lay("Axemen c3, Clubmen d3 turned", "Archers f4, Spearmen c4", factions=("Elam", "Elam"))
    blue = lay(
        "Archers c3, Spearmen f3", "Axemen f4, Clubmen e4 turned", turn="Blue", factions=("Elam", "Elam")
    )
    assert red.env.legal_actions() == blue.env.legal_actions()
    for block in ("unit", "card", "planes", "points", "faction", "uses"):
        assert (red.sees("Red", block) == blue.sees("Blue", block)).all(), block
        assert (red.sees("Blue", block) == blue.sees("Red", block)).all(), block


def test_dead_units_do_nothing():
    table = lay("Axemen c3, Spearmen dead", FAR)
    assert not table.choices("move Spearmen")
    assert not table.choices("about face Spearmen")
