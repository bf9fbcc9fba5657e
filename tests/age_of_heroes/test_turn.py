"""Turn: the five phases."""

from __future__ import annotations

from agezoo.envs.age_of_heroes.components import Card
from agezoo.envs.age_of_heroes.rules import turn
from agezoo.envs.age_of_heroes.state import Phase, Stage
from agezoo.envs.engine.compile import plain

from .scenario import NOTHING, lay


def next_turn(table):
    """The active seat does nothing, the next one has drawn its card."""
    return table.pass_turn()


# -- 1. Drawing a card -------------------------------------------------------------------------------------------------


def test_a_turn_begins_with_one_card():
    table = next_turn(lay(deck="3 Wood"))
    assert table.turn == 1
    assert table.hand(1) == {"Iron": 1, "Wood": 1}
    assert table.phase == Phase.ACTION


def test_a_card_that_must_be_played_is_played_at_once_and_not_replaced():
    table = next_turn(lay(deck="Population Growth"))
    assert table.hand(1) == {"Iron": 1}
    assert table.has(1)["city"] == 2
    table = next_turn(lay(deck="Eruption", cities={0: 2}))
    assert table.phase == Phase.ERUPTION
    table.play("strike the Egyptians")
    assert table.hand(1) == {"Iron": 1}
    assert table.phase == Phase.ACTION
    assert table.to_act == 1


def test_an_empty_deck_is_made_anew_from_the_discards():
    table = lay(deck="", hands={0: "12 Wood, 12 Iron, 12 Grain, 12 Stone, 6 Gold", 1: "Luck", 2: "Luck"})
    before = table.discards
    table.play("collect taxes")
    assert sum(table.deck.values()) < sum(before.values())
    assert sum(table.discards.values()) == sum(table.state.discards)
    assert table.size(0) + sum(table.discards.values()) + sum(table.deck.values()) == 106


def test_the_card_that_is_due_comes_from_the_new_deck():
    table = lay(deck="Grain")
    s = table.state
    s.discards[:] = 0
    s.discards[Card.WOOD] = 3
    s.draws, s.stage, s.asked = 3, Stage.TAXES, False
    plain(turn.draw_next)(s)
    assert table.hand(0) == {"Iron": 1, "Grain": 1, "Wood": 2}
    assert table.deck == {"Wood": 1}
    assert table.discards == {}


def test_with_no_card_anywhere_nothing_is_drawn():
    table = lay(deck="", cities={0: 3})
    s = table.state
    s.discards[:] = 0
    s.draws, s.stage, s.asked = 3, Stage.TAXES, False
    plain(turn.draw_next)(s)
    assert table.hand(0) == {"Iron": 1}
    assert table.stage == Stage.MONUMENT
    assert s.draws == 0


# -- 2. Performing an action -------------------------------------------------------------------------------------------


def test_taxes_bring_a_card_for_each_city():
    table = lay(cities={0: 3}, deck="9 Wood", hands={0: "Grain"})
    table.play("collect taxes")
    assert table.hand(0) == {"Wood": 3, "Grain": 1}
    assert table.turn == 1


def test_an_event_drawn_with_taxes_is_played_before_the_next_card():
    table = lay(cities={0: 2}, deck="2 Population Growth", hands={0: "Grain"})
    table.play("collect taxes")
    assert table.has(0)["city"] == 4
    assert table.hand(0) == {"Grain": 1}


def test_without_a_city_taxes_exchange_one_card():
    table = lay(cities={0: 0}, hands={0: "2 Grain, Hero"}, deck="9 Wood")
    assert not table.can("collect taxes")
    table.play("swap Grain for a card of the deck")
    assert table.hand(0) == {"Grain": 1, "Hero": 1, "Wood": 1}
    assert table.discards["Grain"] >= 1
    assert table.turn == 1


def test_with_a_city_no_card_is_exchanged():
    table = lay(hands={0: "2 Grain"})
    assert not table.can("swap Grain for a card of the deck")


def test_only_one_action_a_turn():
    table = lay(hands={0: "Stone, 2 Wood"}, deck="9 Grain").play("build a city")
    assert table.turn == 1  # nothing is left to pay with, and taxes and war are for another turn
    table = lay(hands={0: "2 Stone, 4 Wood"}, armies={0: 1}, deck="9 Grain").play("build a city")
    assert table.choices() == {"build a city", "build no more"}


def test_the_action_may_be_skipped():
    table = lay(deck="9 Wood")
    table.play("no action")
    assert table.turn == 1


# -- 3. Using a special resource ---------------------------------------------------------------------------------------


def test_any_number_of_the_own_special_resource_is_laid_after_the_action():
    table = lay(hands={0: "3 Limestone, Concrete"}, deck="9 Wood")
    assert not any("monument" in words for words in table.choices())  # only in this phase
    table.play("no action")
    assert table.phase == Phase.MONUMENT
    assert table.choices() == {
        NOTHING,
        "lay 1 special resource on the monument",
        "lay 2 special resources on the monument",
        "lay 3 special resources on the monument",
    }
    table.play("lay 2 special resources on the monument")
    assert table.has(0)["monument"] == 2
    assert table.hand(0) == {"Limestone": 1, "Concrete": 1}
    assert table.turn == 1


def test_special_resources_of_other_tribes_are_of_no_use():
    table = lay(hands={0: "3 Concrete"}, deck="9 Wood").play("no action")
    assert table.turn == 1


def test_special_resources_just_drawn_may_be_laid():
    table = lay(hands={0: "Iron"}, cities={0: 2}, deck="2 Limestone").play("collect taxes")
    assert table.can("lay 2 special resources on the monument")


# -- 4. Discarding cards -----------------------------------------------------------------------------------------------


def test_five_cards_are_kept_at_the_end_of_the_own_turn():
    table = lay(hands={0: "4 Wood, 3 Iron"}, deck="9 Grain").play("no action")
    assert table.phase == Phase.DISCARD
    assert table.choices() == {"discard Wood", "discard Iron"}
    table.play("discard Wood", "discard Iron")
    assert table.hand(0) == {"Wood": 3, "Iron": 2}
    assert table.turn == 1


def test_in_the_turn_of_others_more_may_be_held():
    table = lay(turn=1, hands={0: "9 Wood"}, deck="9 Grain").pass_turn()
    assert table.size(0) == 9


# -- 5. Moving and discarding cards ------------------------------------------------------------------------------------


def test_armies_of_the_turn_before_come_home_at_the_end():
    table = lay(gone=2, deck="9 Wood")
    assert table.at_home(0) == 0
    table.play("no action")
    assert table.at_home(0) == 2
    assert table.away(0) == 0


def test_an_earthquake_ends_with_the_owners_turn_and_its_card_is_discarded():
    table = lay(armies={0: 1}, shaken={0: 1}, deck="9 Wood", hands={0: "4 Grain"})
    quakes = table.discards["Earthquake"]
    table.play("attack the Romans", "for plunder")
    assert table.state.sent == 1  # the other army cannot be sent
    assert not lay(shaken={0: 1}, gone=1).can("attack the Romans")
    table = lay(armies={0: 1}, shaken={0: 1}, deck="9 Wood").play("no action")
    assert table.at_home(0) == 2
    assert table.discards["Earthquake"] == quakes + 1
