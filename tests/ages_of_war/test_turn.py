"""Turns and Actions: movement, about face, swap, three action points."""

from __future__ import annotations

import numpy as np
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
    table.play("about face Axemen c3", "swap Axemen c3 with Spearmen d3", "move Axemen d3 to d5")
    assert table.turn == "Blue"
    assert table.at("d5").turned


# -- Movement ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Spearmen", "Axemen", "Clubmen"])
def test_a_unit_moves_up_to_its_movement_in_four_directions(name):
    """Forward, backward, to the sides, no diagonals; not all spaces need be used (ruling 4)."""
    most = CARDS[name]["movement"]
    table = lay(f"{name} d4", "Archers a8", field="8x10")
    cells = reached("d4", most, set(), rows=8, columns=10)
    assert len(cells) == (4, 12, 24)[most - 1]
    assert table.choices(f"move {name}") == {f"move {name} d4 to {cell}" for cell in cells}
    table.play(f"move {name} d4 to {'defg'[most]}4")
    assert table.at("d4") is None
    assert table.at(f"{'defg'[most]}4").name == name


def reached(start: str, spaces: int, taken: set[str], rows: int, columns: int) -> set[str]:
    """Cells that are walked to in so many spaces over free ones, one space after the other; not the start itself."""
    letters = "abcdefghij"[:columns]
    found = {start}
    for _ in range(spaces):
        for cell in sorted(found):
            column, row = letters.index(cell[0]), int(cell[1:])
            for there, ahead in ((column, row + 1), (column, row - 1), (column + 1, row), (column - 1, row)):
                if 0 <= there < columns and 1 <= ahead <= rows and f"{letters[there]}{ahead}" not in taken:
                    found.add(f"{letters[there]}{ahead}")
    return found - {start}


def test_movements_are_one_two_and_three():
    assert [CARDS[name]["movement"] for name in ("Spearmen", "Axemen", "Clubmen")] == [1, 2, 3]


def test_units_and_terrain_are_not_passed():
    """Nor jumped over, nor gone through diagonally: c2 is free, and out of reach behind the friend and the enemy."""
    table = lay("Axemen b1, Spearmen b2", "Archers c1, Slingers h6")
    assert table.choices("move Axemen") == {"move Axemen b1 to a1", "move Axemen b1 to a2"}
    shut_in = lay("Clubmen a1, Spearmen a2", "Archers b1, Slingers h6")
    assert not shut_in.choices("move Clubmen")


def test_a_move_turns_corners_around_whoever_is_in_the_way():
    """Ruling 4: spaces are walked one by one, so the cell behind a unit is reached by going around it."""
    table = lay("Clubmen c3, Spearmen c4", "Archers d3, Slingers h6")
    assert table.can("move Clubmen c3 to b5")
    assert not table.can("move Clubmen c3 to c5")  # four spaces around
    assert not table.can("move Clubmen c3 to e3")
    table.play("move Clubmen c3 to b5")
    assert (table.points, table.at("b5").name) == (2, "Clubmen")


def test_a_move_ends_on_another_cell():
    """Ruling 4: there and back is no move."""
    assert not lay("Clubmen c3", FAR).can("move Clubmen c3 to c3")


@pytest.mark.parametrize("turn", ["Red", "Blue"])
@pytest.mark.parametrize("seed", range(6))
def test_moves_are_all_cells_that_a_walk_reaches(seed, turn):
    """Held against walks in crowds, for both seats, in the middle and at every edge."""
    rng = np.random.default_rng(seed)
    size = ("6x8", "8x8", "8x10", "10x10")[seed % 4]
    rows, columns = (int(n) for n in size.split("x"))
    cells = [f"{letter}{row}" for letter in "abcdefghij"[:columns] for row in range(1, rows + 1)]
    chosen = rng.choice(cells, 16, replace=False).tolist()
    names = [*list(CARDS)[:8]]
    armies = [
        ", ".join(f"{name} {cell}" for name, cell in zip(names, half, strict=True))
        for half in (chosen[:8], chosen[8:])
    ]
    table = lay(*armies, field=size, turn=turn)
    expected = {
        f"move {name} {cell} to {there}"
        for name, cell in zip(names, chosen[:8] if turn == "Red" else chosen[8:], strict=True)
        for there in reached(cell, CARDS[name]["movement"], set(chosen), rows, columns)
    }
    assert len(expected) > 20
    assert table.choices("move") == expected
    for said in sorted(expected)[:: len(expected) // 5]:
        moved = lay(*armies, field=size, turn=turn).play(said)
        _, *name, _, _, cell = said.split()
        assert moved.at(cell)[:2] == (turn, " ".join(name))


def test_a_move_keeps_the_facing():
    table = lay("Clubmen b2 turned", FAR).play("move Clubmen b2 to b5")
    assert table.at("b5").turned


def test_a_wounded_unit_moves_as_far():
    assert lay("Clubmen b1 1", FAR).can("move Clubmen b1 to b4")


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
    assert table.can("move Axemen c5 to c3")
    assert table.choices("swap") == {"swap Spearmen d5 with Axemen c5"}
    table.play("move Axemen c5 to c3")
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
