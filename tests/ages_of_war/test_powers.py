"""Faction Powers."""

from __future__ import annotations

import pytest

from agezoo.envs.engine.errors import BadPosition

from .scenario import CARDS, RULE, Table, damage, lay

PUSH = "use the power of Hatti: push"
FREE = "use the power of Mitanni: free moves"
ALL_OUT = "use the power of Mycenae: all-out attack"
SPLASH = "use the power of Egypt: splash"
REVIVE = "use the power of Babylon: revive"
MOVE = "use the power of Elam: move an enemy"
HURT = damage("War Chariots")


def pass_turn(table: Table, name: str) -> None:
    """Three about faces, in which nothing happens."""
    for _ in range(3):
        table.play(f"about face {name}")


def test_a_power_costs_a_point_and_a_use_and_is_gone_when_the_uses_are():
    table = lay("Axemen c3", "Archers h6", factions=("Mitanni", "Egypt"), uses=(2, 2)).play(FREE)
    assert (table.points, table.uses("Red")) == (2, 1)
    assert not table.play(FREE).can(FREE)
    assert table.uses("Blue") == 2


def test_the_defender_uses_its_own_power_in_its_own_turn():
    table = lay("Axemen c3", "Archers h6", factions=("Mitanni", "Elam"), turn="Blue", uses=(3, 1))
    assert table.choices("use") == {MOVE}
    table.play(MOVE, "move the enemy's Axemen c3", "to c4")
    assert (table.uses("Red"), table.uses("Blue")) == (3, 0)
    assert not table.choices("use")
    assert lay("Axemen c3", "Archers h6", factions=("Mitanni", "Elam"), turn="Blue", uses=(0, 1)).can(MOVE)
    alone = lay("Axemen c3", "Archers h6", factions=("Mitanni", "Hatti"), turn="Blue", points=1)
    assert not alone.choices("use")  # red's power would be of use now, blue's is not


def test_powers_that_act_at_once_are_used_with_the_last_point_too():
    """Ruling 10: what strengthens no later action needs none."""
    table = lay("Axemen c3", "Riders h6", factions=("Babylon", "Hatti"), points=1).play(REVIVE)
    table.play("revive Palace Guard (unit 2)", "on b1")
    assert (table.turn, table.boxes("b1")) == ("Blue", RULE.revived)
    table = lay("Axemen c3", "Riders h6", factions=("Elam", "Hatti"), points=1).play(MOVE)
    table.play("move the enemy's Riders h6", "to g6")
    assert (table.turn, table.boxes("g6")) == ("Blue", RULE.health)
    assert lay("Axemen c3", "Riders h6", factions=("Mitanni", "Hatti"), points=1).can(FREE)


def test_powers_that_strengthen_a_later_action_are_not_used_with_the_last_point():
    """Ruling 10."""
    for faction, power in (("Hatti", PUSH), ("Mycenae", ALL_OUT), ("Egypt", SPLASH)):
        for points in (1, 2):
            table = lay("Axemen c3", "Riders c4", factions=(faction, "Babylon"), points=points)
            assert table.can(power) == (points == 2), power


# -- +1 charge ---------------------------------------------------------------------------------------------------------


def test_push_adds_a_charge_to_the_next_attack_of_any_unit_moved_or_not():
    table = (
        lay("Archers c2", "Spearmen c4, Slingers h6", field="10x10")
        .play(PUSH)
        .hit("Archers c2", "Spearmen c4")
    )
    assert table.boxes("c5") == RULE.health - damage("Archers")  # also from two spaces away
    assert table.points == 1


def test_push_that_is_blocked_is_damage():
    table = lay("Axemen c5", "Archers c6, Slingers h6").play(PUSH).hit("Axemen c5", "Archers c6")
    assert table.boxes("c6") == RULE.health - damage("Axemen") - RULE.push


def test_push_adds_to_a_units_own_charge():
    table = lay("War Chariots c2", "Archers c4, Slingers h6", field="10x10").play(
        "move War Chariots c2 to c3", PUSH
    )
    table.hit("War Chariots c3", "Archers c4")
    assert table.at(f"c{4 + CARDS['War Chariots']['charge'] + 1}")


def test_push_is_for_one_attack_only():
    """The first of a group, whether it succeeds or fails (ruling 9)."""
    table = lay("Axemen c3, Swordsmen d3", "Archers c4, Slingers d4", field="10x10").play(PUSH)
    table.miss("Axemen c3", "Archers c4").hit("Swordsmen d3", "Slingers d4")
    assert table.boxes("d4") == RULE.health - damage("Swordsmen")
    table = lay("Axemen c3, Swordsmen d3", "Archers c4, Slingers d4", field="10x10").play(PUSH)
    table.hit("Axemen c3", "Archers c4").hit("Swordsmen d3", "Slingers d4")
    assert table.at("c5")
    assert table.at("d4")


def test_push_used_twice_pushes_twice_as_far():
    """Ruling 10."""
    table = (
        lay("Axemen c3", "Archers c4, Slingers h6", field="10x10")
        .play(PUSH, PUSH)
        .hit("Axemen c3", "Archers c4")
    )
    assert table.at("c6")


def test_push_ends_with_the_turn_and_needs_an_action_left():
    """Ruling 10."""
    table = lay("Axemen c3", "Archers c4, Slingers h6", field="10x10", points=2).play(PUSH)
    assert not table.can(PUSH)
    table.play("about face Axemen c3")
    pass_turn(table, "Archers c4")
    table.play("about face Axemen c3").hit("Axemen c3", "Archers c4")
    assert table.boxes("c4") == RULE.health - damage("Axemen")


# -- free moves --------------------------------------------------------------------------------------------------------


def test_two_free_moves_for_a_point():
    table = lay("Clubmen c1, Axemen e1", "Archers h6", factions=("Mitanni", "Egypt")).play(FREE)
    table.play("move Clubmen c1 to c4", "move Axemen e1 to e3")
    assert table.points == 2
    table.play("move Axemen e3 to e4")
    assert table.points == 1


def test_free_moves_also_move_a_line_and_power_a_charge():
    """Ruling 11."""
    table = lay(
        "War Chariots c1, Axemen d1", "Archers c4, Slingers h6", factions=("Mitanni", "Egypt"), field="10x10"
    ).play(FREE)
    table.play("form a line: War Chariots c1 and Axemen d1", "the line goes north 2")
    assert (table.points, int(table.state.free_moves)) == (2, 1)
    assert table.hit("War Chariots c3", "Archers c4").at("c6")


def test_free_moves_that_are_left_may_be_made_after_the_last_point_or_not():
    """Ruling 11."""
    table = lay("Clubmen c1", "Archers h6", factions=("Mitanni", "Egypt"), points=1).play(FREE)
    assert table.points == 0
    assert table.turn == "Red"
    assert not table.choices("about face")
    assert not table.choices("pass")
    table.play("move Clubmen c1 to c2")
    assert table.turn == "Red"
    table.play("end the turn without the free moves")
    assert table.turn == "Blue"
    pass_turn(table, "Archers h6")
    assert int(table.state.free_moves) == 0  # gone with the turn
    assert table.points == 3


def test_free_moves_pay_for_moves_only():
    """Turning and swapping cost a point, as does an attack, while free moves are left."""
    table = lay("Axemen c3, Clubmen d3", "Archers c4, Slingers h6", factions=("Mitanni", "Egypt"))
    table.play(FREE, "about face Axemen c3")
    assert (table.points, int(table.state.free_moves)) == (1, 2)
    table.play("swap Axemen c3 with Clubmen d3")
    assert (table.points, int(table.state.free_moves)) == (0, 2)
    table = lay("Axemen c3", "Archers c4, Slingers h6", factions=("Mitanni", "Egypt")).play(FREE)
    table.hit("Axemen c3", "Archers c4")
    assert (table.points, int(table.state.free_moves)) == (1, 2)


def test_a_passed_action_leaves_the_free_moves():
    table = lay("Axemen c3", "Archers h6", factions=("Mitanni", "Egypt"))
    table.play(FREE, "pass an action", "damage Axemen c3")
    assert (table.points, int(table.state.free_moves)) == (1, 2)


def test_free_moves_used_twice_are_four():
    """Ruling 10."""
    table = lay("Clubmen c1, Axemen e1", "Archers h6", factions=("Mitanni", "Egypt")).play(FREE, FREE)
    for k in range(4):
        table.play(f"move Axemen e{k + 1} to e{k + 2}")
    assert (table.turn, table.points) == ("Red", 1)


def test_free_moves_after_the_last_point_are_for_moves_of_units_and_lines_only():
    """Ruling 11."""
    table = lay("Axemen c3, Clubmen d3", "Archers c4, Slingers h6", factions=("Mitanni", "Egypt"), points=1)
    table.play(FREE)
    for start in ("attack", "swap", "about face", "use", "pass", "skip"):
        assert not table.choices(start), start
    table.play("form a line: Axemen c3 and Clubmen d3", "the line goes south 1")
    assert int(table.state.free_moves) == 1
    assert table.at("d2").name == "Clubmen"


def test_the_turn_ends_with_the_last_free_move():
    table = lay("Clubmen c1", "Archers h6", factions=("Mitanni", "Egypt"), points=1)
    assert table.play(FREE, "move Clubmen c1 to c2", "move Clubmen c2 to c3").turn == "Blue"


# -- all-out attack ----------------------------------------------------------------------------------------------------

ARMY = "Axemen c3, Swordsmen e3, Clubmen g2"
ENEMIES = "Archers c4, Slingers e4, Riders g3"


def test_all_units_with_a_target_attack_for_one_action():
    """The power costs a point, the attack another (ruling 12)."""
    table = lay(ARMY, ENEMIES, factions=("Mycenae", "Egypt")).play(ALL_OUT)
    assert table.points == 2
    table.hit("Swordsmen e3", "Slingers e4")
    assert table.choices() == {
        "attack with Axemen c3",
        "attack with Clubmen g2",
        "pass the other attacks",
    }
    table.hit("Axemen c3", "Archers c4").hit("Clubmen g2", "Riders g3")
    assert table.points == 1
    lost = [damage(name) for name in ("Axemen", "Swordsmen", "Clubmen")]
    assert [RULE.health - table.boxes(c) for c in ("c4", "e4", "g3")] == lost


def test_an_all_out_attack_asks_for_no_line_and_lasts_for_one_attack():
    table = lay(
        "Axemen c3, Swordsmen d3, Clubmen d2, Spearmen g2",
        "Archers c4, Slingers d4, Riders g3, Javelin Throwers e2",
        factions=("Mycenae", "Egypt"),
    ).play(ALL_OUT, "attack with Swordsmen d3")
    assert table.choices() == {"at Slingers d4"}
    table.dice(6).play("at Slingers d4", "pass the other attacks", "attack with Spearmen g2").dice(6)
    table.play("at Riders g3")
    assert table.turn == "Blue"


def test_who_has_moved_takes_part_in_an_all_out_attack():
    table = lay("Axemen c3, Clubmen f3", "Archers c4, Slingers f5", factions=("Mycenae", "Egypt"))
    table.play("move Clubmen f3 to f4", ALL_OUT).hit("Axemen c3", "Archers c4")
    assert table.choices("attack") == {"attack with Clubmen f4"}


def test_a_second_all_out_attack_needs_an_attack_action_of_its_own():
    """Ruling 10: the three points of a turn are one too few for both, so that the second use would do nothing."""
    table = lay(ARMY, ENEMIES, factions=("Mycenae", "Egypt")).play(ALL_OUT)
    assert table.uses("Red") == 1
    assert not table.can(ALL_OUT)
    table.hit("Axemen c3", "Archers c4").play("pass the other attacks")
    assert not table.can(ALL_OUT)  # no point would be left for the attack


def test_a_table_with_two_all_out_attacks_ready_is_refused():
    table = lay(ARMY, ENEMIES, factions=("Mycenae", "Egypt"), uses=(0, 2))
    position = table.env.position()
    position["state"]["all_out"] = 1
    table.env.load(position)
    position["state"]["all_out"] = 2
    with pytest.raises(BadPosition, match=r"state\.all_out is 2, must be a whole number from 0 to 1"):
        table.env.load(position)


def test_an_all_out_attack_that_was_not_made_is_gone_with_the_turn():
    """Ruling 10."""
    table = lay(ARMY, "Archers c4, Slingers e4, Riders h6", factions=("Mycenae", "Egypt"), points=2)
    table.play(ALL_OUT, "about face Clubmen g2")
    pass_turn(table, "Riders h6")
    table.hit("Axemen c3", "Archers c4")
    assert not table.choices("pass the other attacks")
    assert table.points == 2


def test_counters_and_charges_are_as_normal_in_an_all_out_attack():
    table = lay("Swordsmen c3, Axemen e3", "Spearmen c4, Slingers e4", factions=("Mycenae", "Egypt")).play(
        ALL_OUT
    )
    table.miss("Swordsmen c3", "Spearmen c4", counter=6)
    assert table.boxes("c3") == RULE.health - damage("Spearmen")
    assert table.choices("attack") == {"attack with Axemen e3"}


# -- splash ------------------------------------------------------------------------------------------------------------


def test_splash_wounds_enemies_beside_the_target():
    """Not diagonally, not friends of the attacker, not the target itself."""
    table = lay(
        "Axemen d3, Riders c4",
        "Archers d4, Spearmen e4, Swordsmen d5, Clubmen e5",
        factions=("Egypt", "Hatti"),
    )
    table.play(SPLASH, "attack with Axemen d3").dice(6).play("at Archers d4")
    assert table.boxes("d4") == RULE.health - damage("Axemen")
    assert table.boxes("e4") == table.boxes("d5") == RULE.health - RULE.splash
    assert table.boxes("e5") == table.boxes("c4") == table.boxes("d3") == RULE.health


def test_splash_lasts_for_all_attacks_of_the_turn_and_no_longer():
    table = lay("Axemen d3", "Archers d4, Spearmen e4", factions=("Egypt", "Hatti")).play(SPLASH)
    table.hit("Axemen d3", "Archers d4").hit("Axemen d3", "Archers d4")
    assert table.boxes("e4") == RULE.health - 2
    table = lay("Axemen d3", "Stone Throwers d4, Spearmen e4", factions=("Egypt", "Hatti"), points=2)
    table.play(SPLASH, "about face Axemen d3")
    pass_turn(table, "Spearmen e4")
    table.play("about face Axemen d3").hit("Axemen d3", "Stone Throwers d4")
    assert table.boxes("e4") == RULE.health


def test_splash_used_twice_wounds_twice_as_much():
    """Ruling 10."""
    table = lay("Axemen d3", "Archers d4, Spearmen e4, Swordsmen c4", factions=("Egypt", "Hatti"))
    table.play(SPLASH, SPLASH).hit("Axemen d3", "Archers d4")
    assert table.boxes("c4") == table.boxes("e4") == RULE.health - 2 * RULE.splash


def test_splash_reaches_all_four_neighbours_of_the_target():
    """Shot from two spaces away, so that an enemy can stand on each side of it."""
    beside, diagonal = {"d4", "c5", "e5", "d6"}, {"c4", "e4", "c6", "e6"}
    around = "Riders d4, Spearmen c5, Swordsmen e5, Clubmen d6, Riders c4, Spearmen e4, Swordsmen c6"
    table = lay("Archers d3", f"Storm Guard d5, Royal Chariots e6, {around}", factions=("Egypt", "Hatti"))
    table.play(SPLASH).hit("Archers d3", "Storm Guard d5")
    assert {cell for cell in beside | diagonal if table.boxes(cell) == RULE.health - RULE.splash} == beside
    assert {cell for cell in beside | diagonal if table.boxes(cell) == RULE.health} == diagonal
    assert table.boxes("d5") == RULE.health - damage("Archers")


def test_a_failed_attack_splashes_nobody():
    table = lay("Axemen d3", "Archers d4, Spearmen e4", factions=("Egypt", "Hatti")).play(SPLASH)
    assert table.miss("Axemen d3", "Archers d4").boxes("e4") == RULE.health


def test_splash_comes_after_the_charge():
    """Around where the target has come to stand (ruling 16)."""
    table = lay(
        "War Chariots d2",
        "Archers d4, Spearmen e4, Swordsmen e6",
        factions=("Egypt", "Hatti"),
        field="10x10",
    ).play(SPLASH, "move War Chariots d2 to d3")
    table.hit("War Chariots d3", "Archers d4")
    assert table.at("d6")
    assert table.boxes("e4") == RULE.health
    assert table.boxes("e6") == RULE.health - RULE.splash


def test_splash_around_a_target_that_fell_and_may_kill():
    table = lay("Axemen d3", "Archers d4 1, Spearmen e4 1, Riders h6", factions=("Egypt", "Hatti")).play(
        SPLASH
    )
    table.hit("Axemen d3", "Archers d4")
    assert table.at("d4") is None
    assert table.at("e4") is None
    assert not table.finished


def test_splash_comes_where_a_target_fell_to_the_damage_of_a_charge():
    """It was not pushed (rulings 15 and 16)."""
    fell = f"Archers d4 {HURT}"
    table = lay(
        "War Chariots d2", f"{fell}, Spearmen e4, Swordsmen e6", factions=("Egypt", "Hatti"), field="10x10"
    )
    table.play(SPLASH, "move War Chariots d2 to d3").hit("War Chariots d3", "Archers d4")
    assert (table.boxes("e4"), table.boxes("e6")) == (RULE.health - RULE.splash, RULE.health)


def test_a_counter_splashes_nobody():
    """Neither beside the one who is countered nor beside the one who counters (ruling 16)."""
    table = lay("Spearmen d4, Axemen e4", "Swordsmen d5, Riders c5", factions=("Egypt", "Egypt"), turn="Blue")
    table.play(SPLASH).miss("Swordsmen d5", "Spearmen d4", counter=6)
    assert table.boxes("d5") == RULE.health - damage("Spearmen")
    assert table.boxes("e4") == table.boxes("c5") == RULE.health


# -- revive ------------------------------------------------------------------------------------------------------------


def test_a_dead_unit_returns_to_the_back_row_with_three_boxes():
    """Any of the own dead, elite or regular."""
    table = lay("Axemen c3, Archers dead", "Riders h6, Slingers g6", factions=("Babylon", "Hatti"))
    table.play(REVIVE)
    assert {w.split(" (")[0] for w in table.choices()} == {
        "revive Archers",
        "revive Palace Guard",
        "revive Royal Javelins",
    }
    table.play(next(iter(table.choices("revive Archers"))))
    assert table.choices() == {f"on {c}1" for c in "abcdefgh"}
    table.play("on b1")
    assert table.at("b1") == ("Red", "Archers", RULE.revived, False)
    assert table.points == 2


def test_a_revived_unit_acts_at_once():
    """Also a unit that looked away faces the enemy now (ruling 13)."""
    table = lay("Axemen c3, Clubmen dead", "Riders h6", factions=("Babylon", "Hatti")).play(REVIVE)
    table.play(next(iter(table.choices("revive Clubmen"))), "on b1", "move Clubmen b1 to b4")
    assert table.at("b4").name == "Clubmen"


def test_who_has_moved_charges_also_after_somebody_was_revived():
    table = lay("War Chariots c2", "Archers c4, Slingers h6", factions=("Babylon", "Hatti"), field="10x10")
    table.play("move War Chariots c2 to c3", REVIVE, "revive Palace Guard (unit 2)", "on a1")
    assert table.hit("War Chariots c3", "Archers c4").at("c6")


def test_a_unit_that_fell_while_it_looked_away_faces_the_enemy_again():
    """Ruling 13."""
    table = lay("Axemen c3, Clubmen d3 turned 1", "Riders h6", factions=("Babylon", "Hatti"))
    table.play("pass an action", "damage Clubmen d3", REVIVE)
    table.play(next(iter(table.choices("revive Clubmen"))), "on b1")
    assert table.at("b1") == ("Red", "Clubmen", RULE.revived, False)


def test_the_back_row_is_the_one_closest_to_the_player():
    table = lay(
        "Riders h1", "Axemen c3, Archers dead", factions=("Hatti", "Babylon"), turn="Blue", field="8x8"
    )
    table.play(REVIVE)
    table.play(next(iter(table.choices("revive Archers"))))
    assert table.choices() == {f"on {c}8" for c in "abcdefgh"}


def test_nobody_returns_to_an_occupied_cell_or_a_full_row():
    row = ", ".join(
        f"{name} {c}1"
        for c, name in zip(
            "abcdefgh",
            ["Spearmen", "Spearmen", "Axemen", "Axemen", "Clubmen", "Clubmen", "Riders", "Riders"],
            strict=True,
        )
    )
    table = lay(row, "Archers h6", factions=("Babylon", "Hatti"))
    assert not table.can(REVIVE)
    table.play("move Spearmen a1 to a2", REVIVE)
    table.play(next(iter(table.choices("revive Palace Guard"))))
    assert table.choices() == {"on a1"}
    table = lay(row, "Archers h6", factions=("Babylon", "Hatti"))
    table.play("move Riders h1 to h2", REVIVE, "revive Palace Guard (unit 9)")
    assert table.choices() == {"on h1"}


def test_without_a_dead_unit_the_power_is_of_no_use():
    """Ruling 10."""
    whole = "Axemen c3, Archers d3, Palace Guard e3, Royal Javelins f3"
    assert not lay(whole, "Riders h6", factions=("Babylon", "Hatti")).can(REVIVE)


def test_a_unit_that_dies_again_may_return_again():
    table = lay("Axemen c3, Archers dead", "Riders h6", factions=("Babylon", "Hatti"), uses=(2, 3))
    table.play(REVIVE, "revive Archers (unit 2)", "on b1")
    assert table.uses("Red") == 1
    table.play("pass an action", "damage Archers b1", "pass an action", "damage Archers b1")
    for _ in range(3):
        table.play("about face Riders h6")
    table.play("pass an action", "damage Archers b1")
    assert table.at("b1") is None
    table.play(REVIVE, "revive Archers (unit 2)", "on c1")
    assert table.boxes("c1") == RULE.revived
    assert not table.can(REVIVE)


# -- move an enemy -----------------------------------------------------------------------------------------------------


def elam(blue: str = "Archers c4, Slingers h6", red: str = "Axemen a1", chosen: str = "Archers c4") -> Table:
    table = lay(red, blue, factions=("Elam", "Hatti"), field="8x8").play(MOVE)
    return table.play(f"move the enemy's {chosen}") if chosen else table


AROUND_C4 = {"c2", "b3", "c3", "d3", "a4", "b4", "d4", "e4", "b5", "c5", "d5", "c6"}  # within two spaces


def test_any_enemy_is_moved_up_to_two_spaces_whatever_its_movement():
    """Archers move one space themselves; where they come to stand is asked, not the way there (ruling 14)."""
    table = elam(chosen="")
    assert table.choices() == {"move the enemy's Archers c4", "move the enemy's Slingers h6"}
    table.play("move the enemy's Archers c4")
    assert table.choices("to") == {f"to {cell}" for cell in AROUND_C4}
    table.play("to b3")
    assert table.at("b3") == ("Blue", "Archers", RULE.health, False)
    assert table.at("c4") is None
    assert (table.points, table.turn) == (2, "Red")


def test_an_about_face_is_one_of_the_two_points():
    """With a space before or after it, or none (ruling 14)."""
    table = elam()
    assert table.choices("about") == {
        "about face",
        *(f"about face on {cell}" for cell in ("c5", "d4", "c3", "b4")),
    }
    table.play("about face on d4")
    assert table.at("d4") == ("Blue", "Archers", RULE.health, True)
    assert (table.points, table.turn) == (2, "Red")
    table = elam().play("about face")
    assert table.at("c4").turned
    assert table.points == 2


def test_an_enemy_that_looks_away_is_turned_back():
    assert not elam("Archers c4 turned, Slingers h6").play("about face").at("c4").turned


def test_moving_an_enemy_changes_where_it_stands_or_looks():
    """Neither there and back nor twice around: such a use would be a pass without its price (ruling 14)."""
    table = elam()
    assert len(table.choices()) == 12 + 5
    for said in table.choices():
        unit = elam().play(said)
        assert (unit.at("c4") is None) or unit.at("c4").turned, said


def test_it_does_not_enter_or_pass_occupied_cells_terrain_or_swap():
    table = elam("Archers a4, Spearmen b4, Slingers h6", "Axemen a3", "Archers a4")
    assert table.choices() == {"to a5", "to a6", "to b5", "about face", "about face on a5"}


def test_an_enemy_that_is_shut_in_can_be_turned():
    table = elam("Archers a8, Spearmen b8, Slingers a7", "Axemen a1", "Archers a8")
    assert table.choices() == {"about face"}


def test_a_seat_that_looks_south_moves_enemies_too():
    table = lay("Archers c4", "Axemen h6", factions=("Hatti", "Elam"), turn="Blue", field="8x8")
    table.play(MOVE, "move the enemy's Archers c4")
    assert table.choices("to") == {f"to {cell}" for cell in AROUND_C4}
    assert table.play("to d5").at("d5").name == "Archers"
    table = lay("Archers c4", "Axemen h6", factions=("Hatti", "Elam"), turn="Blue", field="8x8")
    table.play(MOVE, "move the enemy's Archers c4", "about face on c5")
    assert table.at("c5") == ("Red", "Archers", RULE.health, True)


def test_moving_an_enemy_powers_no_charge_of_the_own_units():
    """Neither the first unit of the enemy nor that of the player counts as having moved."""
    table = lay("War Chariots c3", "Archers d5, Slingers h6", factions=("Elam", "Hatti"), field="10x10")
    table.play(MOVE, "move the enemy's Archers d5", "to c4")
    assert table.hit("War Chariots c3", "Archers c4").boxes("c4") == RULE.health - HURT


def test_being_moved_powers_no_charge():
    table = lay(
        "War Chariots c3", "Archers c6, Slingers h6", factions=("Hatti", "Elam"), turn="Blue", field="10x10"
    )
    table.play(MOVE, "move the enemy's War Chariots c3", "to c5")
    table.play("about face Slingers h6", "about face Slingers h6").hit("War Chariots c5", "Archers c6")
    assert table.boxes("c6") == RULE.health - HURT


def test_greedy_puts_the_enemy_unit_where_it_is_worst_for_it():
    """In front of those that wait for it: the unit is chosen by where it can be moved."""
    table = elam(
        "Slingers h8, Spearmen g8, Archers d5 1, Clubmen f8, Riders h7", "Axemen d3, Swordsmen e3", ""
    )
    tries = {table.env.action_text(table.env.greedy_action(k)) for k in range(12)}
    assert tries == {"move the enemy's Archers d5"}
    table.play("move the enemy's Archers d5")
    assert table.greedy() in {"to d4", "about face on d4", "to e4"}
