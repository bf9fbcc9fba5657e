"""Building, and the main deck."""

from __future__ import annotations

import pytest

from agezoo.envs.age_of_heroes.state import Phase

from .scenario import lay

COSTS = {
    "city": "Stone, 2 Wood",
    "army": "Iron, 2 Grain",
    "fortress": "Iron, Wood, Stone",
    "general": "Iron, Gold",
}


def words(what):
    return f"build an {what}" if what == "army" else f"build a {what}"


@pytest.mark.parametrize(("what", "cost"), COSTS.items())
def test_what_a_building_costs(what, cost):
    table = lay(hands={0: cost}, armies={0: 1}, deck="9 Grain")
    left = table.left(what)
    before = table.has(0).get(what, 0)
    table.play(words(what))
    assert table.has(0)[what] == before + 1
    assert table.left(what) == left - 1
    assert table.size(0) == 0
    for part in cost.split(", "):
        assert table.discards[part.split()[-1]] >= 1
        rest = [p for p in cost.split(", ") if p != part]
        number, _, name = part.rpartition(" ")
        if number:
            rest.append(name)
        assert not lay(hands={0: ", ".join(rest) + ", Hero"}, armies={0: 1}).can(words(what))


def test_anything_may_be_built_in_one_turn():
    table = lay(hands={0: "2 Stone, 4 Wood, Iron, 2 Grain, Hero"}, deck="9 Grain")
    table.play("build a city", "build a city", "build an army")
    assert table.has(0) == {"city": 3, "army": 1}
    assert table.hand(0) == {"Hero": 1}


def test_gold_stands_for_any_ordinary_resource():
    table = lay(hands={0: "3 Gold"}, deck="9 Grain").play("build a city")
    assert table.has(0)["city"] == 2
    table = lay(hands={0: "Grain, Gold, Iron"}, deck="9 Grain").play("build an army")
    assert table.has(0)["army"] == 1
    table = lay(hands={0: "2 Gold"}, armies={0: 1}, deck="9 Grain").play("build a general")
    assert table.has(0)["general"] == 1


def test_gold_is_paid_only_for_what_is_missing():
    """Ruling 10."""
    table = lay(hands={0: "2 Wood, Stone, 3 Gold"}, deck="9 Grain").play("build a city")
    assert table.hand(0) == {"Gold": 3}
    table = lay(hands={0: "Iron, Wood, 2 Gold, Hero"}, deck="9 Grain").play("build a fortress")
    assert table.hand(0) == {"Gold": 1, "Hero": 1}


def test_a_general_needs_gold_itself():
    assert not lay(hands={0: "3 Iron"}, armies={0: 1}).can("build a general")


def test_special_resources_pay_for_nothing():
    assert not lay(hands={0: "3 Limestone, 3 Concrete"}, armies={0: 1}).can("build a city")


def test_what_has_run_out_cannot_be_built():
    table = lay(hands={0: "Stone, 2 Wood"}, cities={0: 4, 1: 4, 2: 4}, deck="Eruption")
    assert not table.can("build a city")
    assert lay(hands={0: "Stone, 2 Wood"}, cities={0: 4, 1: 4, 2: 3}).can("build a city")
    assert not lay(hands={0: "Iron, 2 Grain"}, armies={0: 4, 1: 4, 2: 4}).can("build an army")
    assert not lay(hands={0: "Iron, Wood, Stone"}, fortresses={0: 3, 1: 3, 2: 3}).can("build a fortress")
    full = lay(hands={0: "Iron, Gold"}, armies={0: 1}, led={0: 2, 1: 2, 2: 2})
    assert not full.can("build a general")


def test_a_destroyed_city_returns_to_the_main_deck():
    """The rulebook's example: all twelve are built, and one is destroyed by an eruption."""
    table = lay(hands={0: "Stone, 2 Wood", 1: "Iron"}, cities={0: 4, 1: 4, 2: 4}, deck="Eruption")
    assert table.left("city") == 0
    table.pass_turn().play("strike the Greeks")
    assert table.left("city") == 1
    table = lay(turn=1, hands={1: "Stone, 2 Wood"}, cities={0: 4, 1: 4, 2: 3})
    assert table.can("build a city")


def test_a_general_leads_one_army_and_an_army_has_one_general():
    """Ruling 11."""
    assert not lay(hands={0: "Iron, Gold"}).can("build a general")
    table = lay(hands={0: "2 Iron, 2 Gold"}, armies={0: 1}, deck="9 Grain").play("build a general")
    assert not table.can("build a general")
    assert table.has(0) == {"city": 1, "army": 1, "general": 1}
    assert not lay(hands={0: "Iron, Gold"}, shaken={0: 1}, gone=1).can("build a general")


# -- Roads -------------------------------------------------------------------------------------------------------------

LEFT, RIGHT = "build a road to the left", "build a road to the right"
YES, NO = "let them build the road", "refuse the road"


def test_a_road_costs_two_stone_and_the_neighbours_consent():
    table = lay(4, hands={0: "2 Stone, Hero"}, deck="9 Grain").play(LEFT)
    assert table.phase == Phase.CONSENT
    assert table.to_act == 1
    assert table.choices() == {YES, NO}
    assert table.hand(0) == {"Stone": 2, "Hero": 1}  # nothing is paid before
    table.play(YES)
    assert table.road(0, 1)
    assert table.road(1, 0)
    assert not table.road(0, 3)
    assert table.left("road") == 5
    assert table.hand(0) == {"Hero": 1}
    assert table.discards["Stone"] == 12


def test_a_road_is_the_action_of_the_turn():
    table = lay(4, hands={0: "4 Stone"}, armies={0: 1}, deck="9 Grain").play(LEFT, YES)
    assert table.choices() == {RIGHT, "build no more"}


def test_to_the_right_as_well():
    table = lay(4, hands={0: "2 Stone"}, deck="9 Grain").play(RIGHT)
    assert table.to_act == 3
    assert table.play(YES).road(3, 0)


def test_a_refusal_costs_nothing_and_is_final_for_the_turn():
    """Ruling 13."""
    table = lay(4, hands={0: "2 Stone, Hero"}, deck="9 Grain").play(LEFT, NO)
    assert not table.road(0, 1)
    assert table.hand(0) == {"Stone": 2, "Hero": 1}
    assert not table.can(LEFT)
    assert table.can(RIGHT)
    assert table.can("collect taxes")  # nothing was built, so another action is still free
    table.play(RIGHT, NO)
    assert not table.can(RIGHT)


def test_a_refusal_is_for_one_turn():
    """Ruling 13."""
    table = lay(4, hands={0: "2 Stone, Hero", 1: "2 Stone"}, deck="9 Grain").play(LEFT, NO, RIGHT, NO)
    table.pass_turn()
    assert table.turn == 1
    assert table.can(LEFT)
    assert table.can(RIGHT)


def test_the_neighbour_is_shown_the_means():
    table = lay(4, hands={0: "Stone, 2 Gold, Hero"}).play(LEFT)
    for seat in (1, 2, 3):
        assert table.known(0, seat) == {"Stone": 1, "Gold": 1}


def test_one_road_between_two_neighbours():
    table = lay(4, hands={0: "4 Stone"}, roads=(0,))
    assert not table.can(LEFT)
    assert table.can(RIGHT)
    assert not lay(4, turn=1, hands={1: "4 Stone"}, roads=(0,)).can(RIGHT)


def test_roads_only_to_the_neighbours():
    table = lay(5, hands={0: "4 Stone"})
    assert {words for words in table.choices() if "road" in words} == {LEFT, RIGHT}


def test_a_neighbour_that_is_out_is_passed_over():
    table = lay(4, out=(1,), hands={0: "2 Stone"}, deck="9 Grain").play(LEFT)
    assert table.to_act == 2
    assert table.play(YES).road(0, 2)
    table = lay(4, out=(3,), hands={0: "2 Stone"}, deck="9 Grain").play(RIGHT)
    assert table.to_act == 2
    assert table.play(YES).road(2, 0)


def test_two_players_share_one_road():
    """Ruling 12."""
    table = lay(2, hands={0: "4 Stone"}, deck="9 Grain")
    assert not table.can(RIGHT)
    table.play(LEFT)
    assert table.to_act == 1
    table.play(YES)
    assert table.road(0, 1)
    assert not table.can(LEFT)
    table = lay(2, turn=1, hands={1: "4 Stone"}, deck="9 Grain").play(LEFT, YES)
    assert table.road(0, 1)
    assert table.left("road") == 5
    assert not lay(2, turn=1, hands={1: "4 Stone"}, roads=(0,)).can(LEFT)


def test_roads_run_out():
    table = lay(6, hands={0: "2 Stone"}, roads=(1, 2, 3, 4, 5))
    assert table.can(LEFT)
    assert table.left("road") == 1
