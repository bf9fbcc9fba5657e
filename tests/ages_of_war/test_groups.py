"""Adjacent Actions, and what the Additional Rules say about groups."""

from __future__ import annotations

import pytest

from .scenario import CARDS, RULE, damage, lay

FAR = "Archers h6"
NAMES = list(CARDS)[:8]  # a row of different units


def line(*units: str) -> str:
    return f"form a line: {units[0]} and {units[1]}"


# -- moving ------------------------------------------------------------------------------------------------------------


def test_adjacent_units_of_a_row_move_together_for_one_point():
    table = lay("Axemen c2, Swordsmen d2, Clubmen e2", FAR)
    table.play(line("Axemen c2", "Swordsmen d2"), "extend the line with Clubmen e2", "the line goes north 2")
    assert [table.at(cell).name for cell in ("c4", "d4", "e4")] == ["Axemen", "Swordsmen", "Clubmen"]
    assert table.points == 2


def test_adjacent_units_of_a_column_move_together():
    table = lay("Axemen c1, Swordsmen c2", FAR)
    table.play(line("Axemen c1", "Swordsmen c2"), "the line goes east 1")
    assert [table.at(cell).name for cell in ("d1", "d2")] == ["Axemen", "Swordsmen"]


def test_a_line_may_be_a_part_of_the_units_that_stand_in_line():
    """Ruling 6."""
    table = lay("Axemen c2, Swordsmen d2, Clubmen e2", FAR)
    table.play(line("Swordsmen d2", "Clubmen e2"), "the line goes north 1")
    assert table.at("c2").name == "Axemen"
    assert table.at("e3").name == "Clubmen"


def test_the_lowest_movement_counts():
    table = lay("Clubmen c2, Spearmen d2, Axemen e2", FAR).play(line("Clubmen c2", "Spearmen d2"))
    assert table.choices("the line goes") == {f"the line goes {way} 1" for way in ("north", "south", "west")}
    table.play("extend the line with Axemen e2")  # faster than the slowest
    assert table.choices("the line goes north") == {"the line goes north 1"}
    table = lay("Clubmen c2, Axemen d2, Spearmen e2", FAR).play(line("Clubmen c2", "Axemen d2"))
    assert table.can("the line goes north 2")
    table.play("extend the line with Spearmen e2")  # the slowest comes last
    assert table.choices("the line goes north") == {"the line goes north 1"}


def test_a_line_moves_in_any_of_the_four_directions_as_a_block():
    """Along itself nobody has to wait for a cell that another leaves; nothing else may be in the way."""
    table = lay("Axemen c3, Swordsmen d3", "Archers f3, Slingers h6").play(line("Axemen c3", "Swordsmen d3"))
    assert table.choices("the line goes") == {
        *(f"the line goes {way} {n}" for way in ("north", "south", "west") for n in (1, 2)),
        "the line goes east 1",
    }
    table.play("the line goes west 2")
    assert [table.at(cell).name for cell in ("a3", "b3")] == ["Axemen", "Swordsmen"]
    assert table.at("c3") is None


@pytest.mark.parametrize("cell", ["c5", "d5", "e5"])
def test_one_unit_in_the_way_stops_the_whole_line(cell):
    table = lay(f"Axemen c3, Swordsmen d3, Clubmen e3, Spearmen {cell}", FAR)
    table.play(line("Axemen c3", "Swordsmen d3"), "extend the line with Clubmen e3")
    assert table.can("the line goes north 1")
    assert not table.can("the line goes north 2")


def test_one_line_at_a_time_no_t_shape():
    """The rulebook's T: the horizontal line or the vertical one, not all of them."""
    table = lay("Axemen c3, Swordsmen d3, Clubmen e3, Riders d2, Spearmen d1", FAR, field="8x10")
    table.play(line("Axemen c3", "Swordsmen d3"))
    assert table.choices("extend") == {"extend the line with Clubmen e3"}
    table.play("extend the line with Clubmen e3")
    assert not table.choices("extend")
    other = lay("Axemen c3, Swordsmen d3, Clubmen e3, Riders d2, Spearmen d1", FAR, field="8x10")
    other.play(line("Spearmen d1", "Riders d2"))
    assert other.choices("extend") == {"extend the line with Swordsmen d3"}


def test_the_three_units_of_the_diagram_adjacent_in_a_row_and_a_column_do_not_move_together():
    table = lay("Axemen c3, Swordsmen d3, Clubmen d2", FAR)
    assert table.choices("form") == {line("Axemen c3", "Swordsmen d3"), line("Clubmen d2", "Swordsmen d3")}
    assert not table.play(line("Axemen c3", "Swordsmen d3")).choices("extend")


def test_units_with_a_gap_or_an_enemy_between_them_form_no_line():
    table = lay("Axemen c3, Swordsmen e3, Clubmen g3", "Archers f3, Slingers h6")
    assert not table.choices("form")


def test_a_line_that_cannot_move_is_not_formed():
    table = lay("Axemen a1, Swordsmen b1", "Archers c1, Slingers a2, Spearmen h6")
    assert table.choices("form") == set()
    hemmed = lay("Axemen a1, Swordsmen b1, Clubmen c1", "Archers a2, Slingers b2, Spearmen h6")
    assert hemmed.choices("form") == {line("Axemen a1", "Swordsmen b1"), line("Swordsmen b1", "Clubmen c1")}
    hemmed.play(line("Axemen a1", "Swordsmen b1"))  # the pair is stuck, the three can go along the row
    assert hemmed.choices() == {"extend the line with Clubmen c1"}
    assert hemmed.play("extend the line with Clubmen c1").choices() == {
        "the line goes east 1",
        "the line goes east 2",
    }


def test_a_line_does_not_grow_by_a_unit_with_which_it_could_go_nowhere():
    table = lay("Axemen a1, Swordsmen b1, Clubmen c1", "Archers c2, Slingers d1, Spearmen h6")
    table.play(line("Axemen a1", "Swordsmen b1"))
    assert table.choices() == {f"the line goes north {n}" for n in (1, 2)}


def test_a_line_may_be_as_long_as_the_row():
    row = [f"{name} {column}1" for column, name in zip("abcdefgh", NAMES, strict=True)]
    table = lay(", ".join(row), FAR).play(line(*row[:2]))
    for unit in row[2:]:
        table.play(f"extend the line with {unit}")
    assert not table.choices("extend")
    table.play("the line goes north 1")
    assert [table.at(f"{column}2").name for column in "abcdefgh"] == NAMES
    assert table.points == 2


@pytest.mark.parametrize(("blocked", "way"), [("a1", "east"), ("d1", "west")])
def test_a_line_that_can_go_along_itself_one_way_only_may_be_formed(blocked, way):
    table = lay("Axemen b1, Swordsmen c1", f"Archers b2, Slingers c2, Spearmen {blocked}", field="8x8")
    assert table.choices("form") == {line("Axemen b1", "Swordsmen c1")}
    table.play(line("Axemen b1", "Swordsmen c1"))
    assert {said.split()[-2] for said in table.choices()} == {way}


def test_facings_in_a_line_may_differ_and_stay():
    table = lay("Axemen c2 turned, Swordsmen d2", FAR)
    table.play(line("Axemen c2", "Swordsmen d2"), "the line goes north 1")
    assert table.at("c3").turned
    assert not table.at("d3").turned


@pytest.mark.parametrize(("blocked", "way"), [(2, "north"), (4, "south")])
def test_a_line_that_can_go_to_one_side_only_may_be_formed(blocked, way):
    enemies = f"Spearmen a{blocked}, Archers b{blocked}, Slingers c3"
    table = lay("Axemen a3, Swordsmen b3", enemies, field="8x8")
    assert table.choices("form") == {line("Axemen a3", "Swordsmen b3")}
    table.play(line("Axemen a3", "Swordsmen b3"))
    assert table.choices() == {f"the line goes {way} {n}" for n in (1, 2)}


# -- attacking ---------------------------------------------------------------------------------------------------------


def test_adjacent_units_attack_for_one_point_each_its_own_target_in_any_order():
    table = lay("Axemen c3, Swordsmen d3, Clubmen e3", "Archers c4, Slingers d4, Spearmen e4")
    table.hit("Swordsmen d3", "Slingers d4")
    assert table.points == 2
    assert table.choices() == {
        "attack with Axemen c3",
        "attack with Clubmen e3",
        "pass the other attacks",
    }
    table.hit("Clubmen e3", "Spearmen e4")
    assert table.choices() == {"attack with Axemen c3", "pass the other attacks"}
    table.hit("Axemen c3", "Archers c4")
    assert table.points == 2  # all of it was one action
    lost = [damage(name) for name in ("Axemen", "Swordsmen", "Clubmen")]
    assert [RULE.health - table.boxes(c) for c in ("c4", "d4", "e4")] == lost
    assert table.choices("attack")  # no unit attacks twice in an action, but all may in the next one


def test_units_of_a_line_attack_in_different_directions():
    table = lay("Axemen c3, Swordsmen d3", "Archers c4, Slingers e3")
    table.hit("Axemen c3", "Archers c4").hit("Swordsmen d3", "Slingers e3")
    assert table.points == 2
    assert [RULE.health - table.boxes(c) for c in ("c4", "e3")] == [damage("Axemen"), damage("Swordsmen")]


def test_a_unit_chooses_among_its_targets_when_its_turn_comes():
    table = lay("Axemen c3, Swordsmen d3", "Archers c4, Slingers b3, Spearmen d4")
    table.hit("Swordsmen d3", "Spearmen d4").play("attack with Axemen c3")
    assert table.choices() == {"at Archers c4", "at Slingers b3"}


def test_all_units_of_a_line_may_attack_the_same_enemy():
    table = lay("Axemen c3, Swordsmen d3", "Archers c4, Slingers h6")
    table.hit("Axemen c3", "Archers c4")
    table = lay("Swordsmen b4, Axemen c5", "Archers c4, Slingers h6")
    table.hit("Swordsmen b4", "Archers c4")
    assert table.points == 2
    assert table.phase == 2  # not in one line: the other attack is another action


def test_further_attacks_may_be_passed_after_the_first():
    table = lay("Axemen c3, Swordsmen d3", "Archers c4, Slingers d4").hit("Axemen c3", "Archers c4")
    table.play("pass the other attacks")
    assert table.points == 2
    assert not table.state.pending  # nobody may still attack in an action that is over
    assert table.turn == "Red"  # that is no passed action: no damage is owed
    assert table.boxes("c3") == table.boxes("d3") == RULE.health


def test_the_line_is_stated_before_the_first_roll_where_there_are_two():
    t_shape = "Axemen c3, Swordsmen d3, Clubmen e3, Spearmen d2"
    enemies = "Archers c4, Slingers d4, Riders e4, Javelin Throwers e2"
    table = lay(t_shape, enemies).play("attack with Swordsmen d3")
    assert table.choices() == {"with the row c3-e3", "with the column d2-d3"}
    table.play("with the row c3-e3").dice(6).play("at Slingers d4")
    assert table.choices("attack") == {"attack with Axemen c3", "attack with Clubmen e3"}
    table = lay(t_shape, enemies).play("attack with Swordsmen d3", "with the column d2-d3").dice(6)
    assert table.play("at Slingers d4").choices("attack") == {"attack with Spearmen d2"}


def test_adjacent_units_of_a_column_attack_together():
    table = lay("Axemen c2, Swordsmen c3", "Archers b2, Slingers b3").hit("Axemen c2", "Archers b2")
    assert table.choices("attack") == {"attack with Swordsmen c3"}
    table = lay("Axemen c2, Swordsmen c3", "Archers b2, Slingers b3").hit("Swordsmen c3", "Slingers b3")
    assert table.choices("attack") == {"attack with Axemen c2"}


def test_a_unit_in_one_line_only_is_not_asked():
    table = lay("Axemen c3, Swordsmen d3", "Archers c4, Slingers d4").play("attack with Axemen c3")
    assert table.choices() == {"at Archers c4"}


def test_a_line_reaches_through_units_without_a_target():
    table = lay("Axemen c3, Swordsmen d3, Clubmen e3", "Archers c4, Slingers e4")
    table.hit("Axemen c3", "Archers c4")
    assert table.choices("attack") == {"attack with Clubmen e3"}


def test_only_units_with_a_target_go_on_attacking():
    """Not one whose enemy is two spaces off or behind it; but one that shoots over a friend."""
    table = lay(
        "Axemen c3, Swordsmen d3, Clubmen e3, Archers f3, Javelin Throwers f4",
        "Archers c4, Slingers d5, Riders e2, Spearmen f5",
    ).hit("Axemen c3", "Archers c4")
    assert table.choices("attack") == {"attack with Archers f3"}


def test_units_at_the_border_go_on_attacking():
    table = lay("Archers e10, Slingers f10", "Axemen d10, Riders h6", field="10x10")
    assert table.hit("Archers e10", "Axemen d10").choices("attack") == {"attack with Slingers f10"}


def test_a_whole_row_attacks():
    row = [f"{name} {column}3" for column, name in zip("abcdefgh", NAMES, strict=True)]
    table = lay(", ".join(row), "Slingers a4, Riders h4").hit(row[0], "Slingers a4")
    assert table.choices("attack") == {f"attack with {row[-1]}"}


def test_a_begun_action_is_not_returned_to():
    """Can actions be broken up? No; the remainder is given up for a new action."""
    table = lay("Axemen c3, Swordsmen d3", "Archers c4, Slingers d4").hit("Axemen c3", "Archers c4")
    assert not table.choices("move")
    table.play("pass the other attacks", "move Swordsmen d3 to d2")
    assert table.points == 1


def test_an_attacker_that_falls_to_a_counter_leaves_the_line_to_the_others():
    """Ruling 7."""
    table = lay("Swordsmen c3 1, Axemen d3, Clubmen e3", "Spearmen c4, Slingers e4")
    table.miss("Swordsmen c3", "Spearmen c4", counter=6)
    assert table.at("c3") is None
    assert table.choices("attack") == {"attack with Clubmen e3"}


@pytest.mark.parametrize("turn", ["Red", "Blue"])
def test_both_armies_move_lines(turn):
    table = lay("Axemen c2, Swordsmen d2", "Axemen c5, Swordsmen d5", turn=turn)
    first, second = ("Axemen c2", "Swordsmen d2") if turn == "Red" else ("Swordsmen d5", "Axemen c5")
    ahead = "north" if turn == "Red" else "south"
    table.play(line(first, second), f"the line goes {ahead} 2")
    cells = ("c4", "d4") if turn == "Red" else ("c3", "d3")
    assert [table.at(cell).army for cell in cells] == [turn, turn]
