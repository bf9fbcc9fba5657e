"""Combat: directions and ranges, defence, dice, counters, charges."""

from __future__ import annotations

import pytest

from .scenario import CARDS, RULE, damage, defence, lay

FAR = "Slingers h6"


# -- who can be attacked -----------------------------------------------------------------------------------------------


def targets(name: str, turned: bool = False) -> set[str]:
    """Cells that a unit on d4 can attack if an enemy stands there, on a field with room all around."""
    found = set()
    for cell in [f"{c}{r}" for c in "abcdefg" for r in range(1, 8)]:
        if cell != "d4":
            table = lay(
                f"{name} d4{' turned' if turned else ''}", f"Archers {cell}, Slingers j10", field="10x10"
            )
            if table.choices("attack"):
                table.play(f"attack with {name} d4")
                assert table.choices() == {f"at Archers {cell}"}
                found.add(cell)
    return found


@pytest.mark.parametrize("name", ["Axemen", "War Chariots", "Stone Throwers"])
def test_melee_mounted_and_ranged_1_attack_the_adjacent_cell_forward_and_to_the_sides(name):
    """The diagrams of the attack patterns."""
    assert targets(name) == {"d5", "c4", "e4"}
    assert targets(name, turned=True) == {"d3", "c4", "e4"}


def test_ranged_2_attacks_up_to_two_spaces_forward_and_to_the_sides():
    assert targets("Archers") == {"d5", "d6", "c4", "b4", "e4", "f4"}
    assert targets("Archers", turned=True) == {"d3", "d2", "c4", "b4", "e4", "f4"}


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(("name", "reach"), [("Axemen", 1), ("War Chariots", 1), ("Archers", 2)])
def test_among_enemies_all_around_only_those_in_reach_are_targets(name, reach, turned):
    kinds = ("Spearmen", "Swordsmen", "Clubmen", "Riders")
    near, far = ("d5", "c4", "e4", "d3"), ("d6", "b4", "f4", "d2")  # north, west, east, south
    blue = [f"{kind} {cell}" for cells in (near, far) for kind, cell in zip(kinds, cells, strict=True)]
    table = lay(f"{name} d4{' turned' if turned else ''}", ", ".join(blue)).play(f"attack with {name} d4")
    behind = 0 if turned else 3
    assert table.choices() == {f"at {unit}" for k, unit in enumerate(blue[: 4 * reach]) if k % 4 != behind}


def test_nobody_attacks_behind_its_back():
    """Can a unit attack with back to a unit? It must about face first."""
    table = lay("Axemen c4", "Archers c3, Slingers h6")
    assert not table.choices("attack")
    assert table.play("about face Axemen c4").choices("attack") == {"attack with Axemen c4"}


def test_the_defender_looks_south_and_attacks_that_way():
    table = lay("Archers c3", "Axemen c4, Slingers h6", turn="Blue")
    assert table.choices("attack") == {"attack with Axemen c4"}
    assert not lay("Archers c5", "Axemen c4, Slingers h6", turn="Blue").choices("attack")


def test_ranged_2_fires_over_friend_and_foe():
    over_friends = lay("Archers c2, Spearmen c3, Clubmen d2", "Axemen c4, Riders e2, Slingers h6")
    over_friends.play("attack with Archers c2", "with the row c2-d2")
    assert over_friends.choices() == {"at Axemen c4", "at Riders e2"}
    assert over_friends.dice(6).play("at Axemen c4").boxes("c4") == RULE.health - damage("Archers")
    assert over_friends.boxes("c3") == RULE.health
    over_foe = lay("Archers c2", "Axemen c4, Riders c3, Slingers h6").play("attack with Archers c2")
    assert over_foe.choices() == {"at Axemen c4", "at Riders c3"}
    assert over_foe.dice(6).play("at Axemen c4").boxes("c4") == RULE.health - damage("Archers")
    assert over_foe.boxes("c3") == RULE.health


@pytest.mark.parametrize(
    ("archers", "enemy"), [("e10", "d10"), ("e1 turned", "d1"), ("a5", "a6"), ("j5", "j6")]
)
def test_nobody_stands_beyond_the_border(archers, enemy):
    table = lay(f"Archers {archers}", f"Axemen {enemy}, Riders e6", field="10x10")
    assert table.play(f"attack with Archers {archers.split()[0]}").choices() == {f"at Axemen {enemy}"}


def test_friends_are_no_targets():
    assert not lay("Axemen c3, Archers c4", FAR).choices("attack")


def test_nobody_has_to_attack():
    """A player does not have to attack when an attack is viable."""
    assert lay("Axemen c3", "Archers c4, Slingers h6").can("move Axemen c3 to a3")


def test_one_target_for_each_attacking_unit():
    table = lay("Axemen c3", "Archers c4, Riders d3, Slingers h6").hit("Axemen c3", "Archers c4")
    assert table.points == 2
    assert table.boxes("d3") == RULE.health


# -- defence and the die -----------------------------------------------------------------------------------------------

SIDES = {"front": "c3", "back": "c5", "right": "b4", "left": "d4"}  # of a blue unit on c4, which looks south


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("turned", [False, True])
def test_the_roll_must_be_higher_than_the_defence_on_the_side_attacked(side, turned):
    """A card turned by half shows its other sides."""
    cell = SIDES[side]
    shown = {"front": "back", "back": "front", "left": "right", "right": "left"}[side] if turned else side
    marks = defence("Spearmen", shown)
    about = " turned" if cell == "c5" else ""
    for roll, left in ((marks, RULE.health), (marks + 1, RULE.health - damage("Javelin Throwers"))):
        table = lay(
            f"Javelin Throwers {cell}{about}",
            f"Spearmen c4{' turned' if turned else ''}, Slingers h6",
        )
        table.play(f"attack with Javelin Throwers {cell}").dice(max(1, roll)).play("at Spearmen c4")
        assert table.boxes("c4") == (left if roll else RULE.health - damage("Javelin Throwers"))


def test_the_sides_of_the_card_that_is_tested_differ():
    assert len(set(CARDS["Spearmen"]["defence"])) == 4


def test_an_attack_from_two_spaces_meets_the_same_side():
    marks = defence("Spearmen")
    for roll, left in ((marks, RULE.health), (marks + 1, RULE.health - damage("Archers"))):
        table = lay("Archers c2", "Spearmen c4")
        table.play("attack with Archers c2").dice(roll).play("at Spearmen c4")
        assert table.boxes("c4") == left


def test_damage_is_always_the_same_whatever_the_attackers_health():
    table = lay("Axemen c3 1", "Archers c4, Slingers h6").hit("Axemen c3", "Archers c4")
    assert table.boxes("c4") == RULE.health - damage("Axemen")


def test_a_unit_without_boxes_leaves_the_field():
    table = lay("Axemen c3", "Archers c4 2, Slingers h6").hit("Axemen c3", "Archers c4")
    assert table.at("c4") is None
    assert not table.finished
    assert table.can("move Axemen c3 to c5")


def test_a_failed_attack_does_nothing():
    table = lay("Axemen c3", "Archers c4, Slingers h6").miss("Axemen c3", "Archers c4")
    assert table.boxes("c4") == table.boxes("c3") == RULE.health
    assert table.points == 2


# -- counter -----------------------------------------------------------------------------------------------------------


def test_a_failed_attack_is_countered_if_both_have_the_symbol():
    table = lay("Swordsmen c3", "Spearmen c4, Slingers h6").miss("Swordsmen c3", "Spearmen c4", counter=6)
    assert table.boxes("c3") == RULE.health - damage("Spearmen")
    assert table.boxes("c4") == RULE.health


def test_a_counter_must_beat_the_attackers_defence_on_the_side_it_comes_from():
    """An attack forward is countered on the front, one to the right on the right side."""
    for cell, side in (("c3", "front"), ("b4", "right")):
        marks = defence("Swordsmen", side)
        for roll, lost in ((marks, 0), (marks + 1, damage("Spearmen"))):
            table = lay(f"Swordsmen {cell}", "Spearmen c4, Slingers h6")
            table.miss(f"Swordsmen {cell}", "Spearmen c4", counter=roll)
            assert table.boxes(cell) == RULE.health - lost


def test_a_counter_deals_the_countering_units_damage():
    table = lay("Swordsmen c3", "Hill Raiders c4, Slingers h6", factions=("Hatti", "Elam"))
    assert damage("Hill Raiders") > damage("Swordsmen")
    table.miss("Swordsmen c3", "Hill Raiders c4", counter=6)
    assert table.boxes("c3") == RULE.health - damage("Hill Raiders")


def test_a_counter_is_not_countered():
    """Only one counter roll: the second die decides, and there is no third."""
    table = lay("Swordsmen c3", "Spearmen c4, Slingers h6").play("attack with Swordsmen c3").dice(1, 1, 6)
    table.play("at Spearmen c4")
    assert table.boxes("c3") == table.boxes("c4") == RULE.health


def test_a_successful_attack_is_not_countered():
    table = lay("Swordsmen c3", "Spearmen c4, Slingers h6").play("attack with Swordsmen c3").dice(6, 6)
    assert table.play("at Spearmen c4").boxes("c3") == RULE.health


@pytest.mark.parametrize(
    ("attacker", "victim"),
    [("Axemen", "Spearmen"), ("Swordsmen", "Axemen"), ("Light Chariots", "Spearmen")],
)
def test_one_symbol_is_not_enough(attacker, victim):
    table = lay(f"{attacker} c3", f"{victim} c4, Slingers h6")
    table.miss(f"{attacker} c3", f"{victim} c4", counter=6)
    assert table.boxes("c3") == RULE.health


@pytest.mark.parametrize(
    ("attacker", "victim"),
    [("Stone Throwers", "Spearmen"), ("Archers", "Spearmen"), ("Swordsmen", "Stone Throwers")],
)
def test_ranged_units_neither_counter_nor_are_countered(attacker, victim):
    table = lay(f"{attacker} c3", f"{victim} c4, Slingers h6")
    table.miss(f"{attacker} c3", f"{victim} c4", counter=6)
    assert table.boxes("c3") == table.boxes("c4") == RULE.health


def test_mounted_units_with_the_symbol_counter():
    table = lay("Riders c3", "Riders c4, Slingers h6").miss("Riders c3", "Riders c4", counter=6)
    assert table.boxes("c3") == RULE.health - damage("Riders")


def test_nobody_counters_behind_its_back():
    """Ruling 8."""
    assert defence("Swordsmen", "back") >= 1  # so that a one fails
    table = lay("Swordsmen c3", "Swordsmen c4 turned, Slingers h6").play("attack with Swordsmen c3")
    table.dice(1, 6).play("at Swordsmen c4")
    assert table.boxes("c4") == table.boxes("c3") == RULE.health


def test_a_counter_may_kill_and_end_the_battle():
    table = lay("Swordsmen c3 1", "Spearmen c4").miss("Swordsmen c3", "Spearmen c4", counter=6)
    assert table.finished
    assert table.places() == [2, 1]


def test_an_attack_from_the_side_is_countered_sideways():
    """The countering unit attacks to its side, as units may."""
    table = lay("Swordsmen b4", "Spearmen c4, Slingers h6").miss("Swordsmen b4", "Spearmen c4", counter=6)
    assert table.boxes("b4") == RULE.health - damage("Spearmen")


# -- charge ------------------------------------------------------------------------------------------------------------

PUSH = CARDS["War Chariots"]["charge"]
HURT = damage("War Chariots")


def test_a_charge_needs_a_move_in_this_turn():
    table = lay("War Chariots c3", "Archers c4, Slingers h6", field="10x10")
    table.hit("War Chariots c3", "Archers c4")
    assert table.at("c4").boxes == RULE.health - HURT


def test_a_charge_pushes_the_target_back_after_the_damage():
    table = lay("War Chariots c2", "Archers c4, Slingers h6", field="10x10").play(
        "move War Chariots c2 to c3"
    )
    table.hit("War Chariots c3", "Archers c4")
    assert table.at("c4") is None
    assert table.boxes(f"c{4 + PUSH}") == RULE.health - HURT
    assert table.at("c3").name == "War Chariots"  # who charges stays where it is
    assert PUSH == 2


def test_a_charge_of_one_pushes_by_one_space():
    assert CARDS["Light Chariots"]["charge"] == 1
    table = lay("Light Chariots c2", "Archers c4, Slingers h6", field="10x10")
    table.play("move Light Chariots c2 to c3").hit("Light Chariots c3", "Archers c4")
    assert table.boxes("c5") == RULE.health - damage("Light Chariots")


def test_a_target_is_pushed_away_from_its_attacker_whichever_way_it_looks():
    table = lay("War Chariots b4", "Archers d4 turned, Slingers h6", field="10x10")
    table.play("move War Chariots b4 to c4").hit("War Chariots c4", "Archers d4")
    assert table.at(f"{'def'[PUSH]}4") == ("Blue", "Archers", RULE.health - HURT, True)


@pytest.mark.parametrize(("blocked", "pushed"), [("Spearmen c5", 0), ("Spearmen c6", 1), ("Spearmen c7", 2)])
def test_spaces_that_it_cannot_be_pushed_are_damage(blocked, pushed):
    table = lay("War Chariots c2", f"Archers c4, {blocked}", field="10x10").play("move War Chariots c2 to c3")
    table.hit("War Chariots c3", "Archers c4")
    assert table.boxes(f"c{4 + pushed}") == RULE.health - HURT - (PUSH - pushed)
    assert table.boxes(blocked[-2:]) == RULE.health  # who is in the way takes none


def test_terrain_and_the_attackers_friends_block_a_push_too():
    table = lay("War Chariots c4", "Archers c6, Slingers h6").play("move War Chariots c4 to c5")
    table.hit("War Chariots c5", "Archers c6")
    assert table.boxes("c6") == RULE.health - HURT - PUSH
    table = lay("War Chariots c2, Axemen c5 turned", "Archers c4, Slingers h6")
    table.play("move War Chariots c2 to c3").hit("War Chariots c3", "Archers c4")
    assert table.boxes("c4") == RULE.health - HURT - PUSH


def test_a_push_against_an_obstacle_may_kill():
    table = lay("War Chariots c4", f"Archers c6 {HURT + PUSH}, Slingers h6").play(
        "move War Chariots c4 to c5"
    )
    assert table.hit("War Chariots c5", "Archers c6").at("c6") is None


def test_a_unit_that_falls_to_the_damage_is_not_pushed():
    """Ruling 15."""
    table = lay("War Chariots c2", f"Archers c4 {HURT}, Slingers h6", field="10x10").play(
        "move War Chariots c2 to c3"
    )
    table.hit("War Chariots c3", "Archers c4")
    assert table.at("c4") is None
    assert table.at("c6") is None


def test_a_charge_is_used_once_a_unit_and_turn():
    table = lay(
        "War Chariots c2", "Archers c4, Slingers h6", factions=("Mitanni", "Egypt"), field="10x10"
    ).play("use the power of Mitanni: free moves", "move War Chariots c2 to c3")
    table.hit("War Chariots c3", "Archers c4")  # pushed to c6
    table.play("move War Chariots c3 to c5").hit("War Chariots c5", "Archers c6")
    assert table.boxes("c6") == RULE.health - 2 * HURT
    assert table.turn == "Blue"


def test_a_charge_is_used_also_if_the_target_falls_to_the_damage():
    """Ruling 15."""
    table = lay("War Chariots c2", f"Archers c4 {HURT}, Spearmen b3, Slingers h6", field="10x10")
    table.play("move War Chariots c2 to c3").hit("War Chariots c3", "Archers c4")
    assert table.hit("War Chariots c3", "Spearmen b3").boxes("b3") == RULE.health - HURT


def test_a_new_turn_brings_a_new_charge():
    table = lay("War Chariots c2", "Archers c4, Slingers h6", field="10x10").play(
        "move War Chariots c2 to c3"
    )
    table.hit("War Chariots c3", "Archers c4").play("about face War Chariots c3")
    for _ in range(3):
        table.play("about face Slingers h6")
    table.play("about face War Chariots c3", "move War Chariots c3 to c5").hit(
        "War Chariots c5", "Archers c6"
    )
    assert table.boxes("c8") == RULE.health - 2 * HURT


def test_two_units_charge_in_one_turn_each_once():
    table = lay("War Chariots c2, Riders f2", "Archers c4, Slingers f4", field="10x10")
    table.play("move War Chariots c2 to c3")
    assert table.hit("War Chariots c3", "Archers c4").at("c6")
    table = lay("War Chariots c2, Riders d2", "Archers c4, Slingers d4", field="10x10")
    table.play("form a line: War Chariots c2 and Riders d2", "the line goes north 1")
    table.hit("War Chariots c3", "Archers c4").hit("Riders d3", "Slingers d4")
    assert table.at("c6")
    assert table.at("d6")


def test_a_failed_attack_keeps_the_charge():
    table = lay("War Chariots c2", "Archers c4, Slingers h6", field="10x10").play(
        "move War Chariots c2 to c3"
    )
    table.miss("War Chariots c3", "Archers c4").hit("War Chariots c3", "Archers c4")
    assert table.at("c6").boxes == RULE.health - HURT


@pytest.mark.parametrize("done", ["about face War Chariots c3", "swap Axemen c2 with War Chariots c3"])
def test_about_face_and_swap_power_no_charge(done):
    table = lay("War Chariots c3, Axemen c2", "Archers c4, Archers d3, Slingers h6", field="10x10")
    table.play(done)
    if done.startswith("about"):
        table.play("about face War Chariots c3").hit("War Chariots c3", "Archers c4")
        assert table.boxes("c4") == RULE.health - HURT
    else:
        assert not int(table.state.moved)


@pytest.mark.parametrize(
    ("red", "moves", "stands"),
    [
        ("War Chariots c2 turned", ["move War Chariots c2 to c3", "about face War Chariots c3"], "c"),
        (
            "War Chariots b2, Axemen c3",
            ["move War Chariots b2 to b3", "swap War Chariots b3 with Axemen c3"],
            "c",
        ),
        (
            "War Chariots c2, Axemen b3",
            ["move War Chariots c2 to c3", "swap Axemen b3 with War Chariots c3"],
            "b",
        ),
    ],
)
def test_about_face_and_swap_after_a_move_leave_the_charge_powered(red, moves, stands):
    table = lay(red, f"Archers {stands}4, Slingers h6", field="10x10").play(*moves)
    table.hit(f"War Chariots {stands}3", f"Archers {stands}4")
    assert table.boxes(f"{stands}6") == RULE.health - HURT


def test_a_charge_waits_while_others_move():
    table = lay("War Chariots c2, Axemen e1, Clubmen f1", "Archers c4, Slingers h6", field="10x10")
    table.play("move War Chariots c2 to c3", "move Axemen e1 to e2")
    assert table.hit("War Chariots c3", "Archers c4").at("c6")
    table = lay("War Chariots c2, Axemen e1, Clubmen f1", "Archers c4, Slingers h6", field="10x10")
    table.play("move War Chariots c2 to c3")
    table.play("form a line: Axemen e1 and Clubmen f1", "the line goes north 1")
    assert table.hit("War Chariots c3", "Archers c4").at("c6")


def test_a_charge_that_was_used_stays_used_when_another_unit_charges():
    table = lay("War Chariots c4, Riders d4", "Archers c6, Slingers d6")  # the border is behind them
    table.play("form a line: War Chariots c4 and Riders d4", "the line goes north 1")
    table.hit("War Chariots c5", "Archers c6").hit("Riders d5", "Slingers d6")
    assert table.boxes("c6") == RULE.health - HURT - PUSH
    table.hit("War Chariots c5", "Archers c6")
    assert table.boxes("c6") == RULE.health - 2 * HURT - PUSH
    table = lay("Riders c4, War Chariots d4", "Archers c6, Slingers d6")
    table.play("form a line: Riders c4 and War Chariots d4", "the line goes north 1")
    table.hit("Riders c5", "Archers c6").hit("War Chariots d5", "Slingers d6").hit("Riders c5", "Archers c6")
    assert table.boxes("c6") == RULE.health - 2 * damage("Riders") - CARDS["Riders"]["charge"]


def test_a_move_of_the_turn_before_powers_no_charge():
    table = lay("War Chariots c2", "Archers c4, Slingers h6", field="10x10", points=1)
    table.play("move War Chariots c2 to c3")
    table.play("move Slingers h6 to h5", "about face Slingers h5", "about face Slingers h5")
    table.hit("War Chariots c3", "Archers c4")
    assert table.boxes("c4") == RULE.health - HURT


def test_moving_in_a_line_powers_a_charge():
    table = lay("War Chariots c2, Axemen d2", "Archers c4, Slingers h6", field="10x10")
    table.play("form a line: War Chariots c2 and Axemen d2", "the line goes north 1")
    assert table.hit("War Chariots c3", "Archers c4").at("c6").boxes == RULE.health - HURT


def test_units_without_a_charge_push_nobody():
    table = lay("Axemen c2", "Archers c4, Slingers h6", field="10x10").play("move Axemen c2 to c3")
    assert table.hit("Axemen c3", "Archers c4").boxes("c4") == RULE.health - damage("Axemen")


def test_who_is_pushed_out_of_reach_is_no_target_for_the_rest_of_the_line():
    table = lay("War Chariots c2, Archers c1", "Spearmen c4, Slingers h6", field="10x10")
    table.play("form a line: Archers c1 and War Chariots c2", "the line goes north 1")
    table.hit("War Chariots c3", "Spearmen c4")
    assert table.at("c6")
    assert table.phase == 2  # nobody else has a target


def test_who_is_pushed_into_reach_may_be_attacked_in_the_same_action():
    """Ruling 7."""
    table = lay(
        "War Chariots c2, Swordsmen b6",
        "Archers c4, Slingers h6",
        factions=("Mycenae", "Egypt"),
        field="10x10",
    ).play("move War Chariots c2 to c3", "use the power of Mycenae: all-out attack")
    assert table.choices("attack") == {"attack with War Chariots c3"}
    table.hit("War Chariots c3", "Archers c4")
    assert table.choices("attack") == {"attack with Swordsmen b6"}
