"""Passing an action or turn."""

from __future__ import annotations

from .scenario import RULE, lay

PASS, SKIP, SPARE = "pass an action", "skip the turn", "deal no more damage"


def test_the_opponent_deals_a_damage_for_a_passed_action():
    table = lay("Axemen c3, Spearmen d3", "Archers h6").play(PASS)
    assert table.to_act == "Blue"
    assert table.choices() == {"damage Axemen c3", "damage Spearmen d3", SPARE}
    table.play("damage Spearmen d3")
    assert table.boxes("d3") == RULE.health - 1
    assert (table.to_act, table.points) == ("Red", 2)


def test_the_damage_may_kill_and_even_defeat():
    table = lay("Axemen c3 1, Spearmen d3", "Archers h6").play(PASS, "damage Axemen c3")
    assert table.at("c3") is None
    assert not table.finished
    table = lay("Axemen c3 1", "Archers h6").play(PASS, "damage Axemen c3")
    assert table.finished
    assert table.places() == [2, 1]


def test_three_damage_for_a_skipped_turn_spread_as_the_opponent_likes():
    table = lay("Axemen c3, Spearmen d3", "Archers h6").play(SKIP)
    table.play("damage Axemen c3", "damage Spearmen d3")
    assert table.to_act == "Blue"
    table.play("damage Axemen c3")
    assert (table.boxes("c3"), table.boxes("d3")) == (RULE.health - 2, RULE.health - 1)
    assert (table.turn, table.points) == ("Blue", 3)


def test_what_a_fallen_unit_did_not_take_goes_to_others():
    table = lay("Axemen c3 1, Spearmen d3", "Archers h6").play(SKIP, "damage Axemen c3")
    assert table.choices() == {"damage Spearmen d3", SPARE}
    table.play("damage Spearmen d3", "damage Spearmen d3")
    assert table.boxes("d3") == RULE.health - 2
    assert (table.turn, table.points) == ("Blue", 3)


def test_all_three_may_go_to_one_unit_and_stop_when_none_is_left():
    table = lay("Axemen c3 2", "Archers h6").play(SKIP, "damage Axemen c3", "damage Axemen c3")
    assert table.finished
    assert table.places() == [2, 1]


def test_a_turn_is_skipped_whole_before_anything_was_done():
    """Ruling 17."""
    table = lay("Axemen c3", "Archers h6").play("about face Axemen c3")
    assert not table.can(SKIP)
    assert table.can(PASS)


def test_no_turn_ends_before_its_points_are_spent_or_paid_for():
    """Giving up actions has its price; only free moves may be left (ruling 11)."""
    table = lay("Clubmen c1", "Archers h6", factions=("Mitanni", "Egypt"))
    for said in ("use the power of Mitanni: free moves", "about face Clubmen c1"):
        assert not table.choices("end")
        table.play(said)
    assert not table.choices("end")
    assert table.play("about face Clubmen c1").choices("end")


def test_the_last_action_may_be_passed_and_the_turn_ends():
    table = lay("Axemen c3", "Archers h6", points=1).play(PASS, "damage Axemen c3")
    assert table.turn == "Blue"


def test_dead_units_take_no_damage():
    assert lay("Axemen c3, Spearmen dead", "Archers h6").play(PASS).choices() == {"damage Axemen c3", SPARE}


def test_the_attacker_chooses_when_the_defender_passes():
    table = lay("Axemen c3", "Archers h6, Spearmen g6", turn="Blue").play(PASS)
    assert table.to_act == "Red"
    assert table.choices() == {"damage Archers h6", "damage Spearmen g6", SPARE}


def test_the_opponent_may_deal_less_or_nothing():
    """They can apply the damage: it is a right (ruling 17)."""
    table = lay("Axemen c3, Spearmen d3", "Archers h6").play(PASS, SPARE)
    assert (table.boxes("c3"), table.boxes("d3")) == (RULE.health, RULE.health)
    assert (table.to_act, table.points) == ("Red", 2)
    table = lay("Axemen c3, Spearmen d3", "Archers h6").play(SKIP, "damage Axemen c3", SPARE)
    assert (table.boxes("c3"), table.boxes("d3")) == (RULE.health - 1, RULE.health)
    assert (table.turn, table.points) == ("Blue", 3)
    assert table.sees("Blue", "owed") == 0
