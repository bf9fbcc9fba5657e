"""Playing a Turn: the actions, and ending the turn."""

from __future__ import annotations

import pytest

from agezoo.envs.engine.errors import IllegalAction

from .scenario import lay


def test_a_turn_has_four_actions():
    table = lay(hands={0: "6 Family"}).play(*["play Family"] * 4)
    assert table.actions == 0
    assert table.choices() == {"end the turn", "Mammon: take a Riches card"}  # free actions remain
    with pytest.raises(IllegalAction, match="Family"):
        table.play("play Family")
    assert table.play("end the turn").actions == 4


def test_the_greatest_temple_gives_five_actions():
    table = lay(greatest_temple="Sumerians", tables={"Sumerians": "Temple"}, hands={1: "6 Family"}).play(
        "end the turn"
    )
    assert table.turn == "Sumerians"
    assert table.actions == 5
    table.play(*["play Family"] * 5)
    assert not table.can("play Family")


def test_actions_may_be_repeated_and_mixed():
    table = lay(hands={0: "Family, Augury, Famine"}, row="2 Temple, Victory", tables={"Sumerians": "Family"})
    table.play("take Temple from the row", "play Family", "take Temple from the row")
    table.play("play Famine as a dirty trick", "against the Sumerians")
    assert table.actions == 0
    assert table.hand(0) == {"Temple": 2, "Augury": 1}
    assert table.has("Akkadians") == {"Family": 1}
    assert table.has("Sumerians") == {}


def test_a_turn_may_be_ended_with_actions_left():
    """Ruling 2."""
    assert lay(hands={0: "Family"}).play("end the turn").turn == "Sumerians"


def test_a_card_taken_from_the_row_comes_into_the_hand_and_leaves_a_gap():
    """The row is filled up at the end of the turn, not before."""
    table = lay(row="Family, Temple, Victory", top="Spy, Augury").play("take Temple from the row")
    assert table.hand(0) == {"Temple": 1}
    assert table.row == {"Family": 1, "Victory": 1}
    table.play("take Family from the row", "take Victory from the row")
    assert table.row == {}
    assert not any(words.startswith("take ") for words in table.choices())


def test_no_card_is_taken_from_the_deck():
    """What is on top of the deck and not in the row is not to be had, but for Augury and Utu."""
    table = lay(row="3 Bad King", top="Family, Temple, Victory", nations="Amorites, Akkadians, Hittites")
    assert table.choices() == {"end the turn", "take Bad King from the row"}


@pytest.mark.parametrize("card", ["Family", "Temple", "Victory", "Riches"])
def test_a_progress_card_goes_from_the_hand_to_the_nation_for_one_action(card):
    table = lay(hands={0: f"2 {card}"}, nations="Hurrians, Akkadians, Elamites")
    if card == "Victory":
        table.fate(1, draws="Ambush")
    table.play(f"play {card}")
    assert table.has("Hurrians") == {card: 1}
    assert table.hand(0) == {card: 1}
    assert table.actions == 4 - 1 + (card == "Temple")  # the Greatest Temple comes with the first Temple


def test_only_cards_in_hand_can_be_played():
    table = lay(
        hands={0: "Defeat", 1: "Family, Temple, Victory, Riches, Augury, Curse"},
        nations="Hurrians, Akkadians, Elamites",
    )
    assert table.choices() == {"end the turn", "take Bad King from the row"}


def test_all_trick_cards_are_played_as_actions():
    tricks = ("Famine", "Spy", "Theft of Deity", "Defeat", "Earthquake", "Curse", "Bad King", "Riches")
    table = lay(
        hands={0: ", ".join(tricks), 1: "Family"},
        tables={"Sumerians": "Family, Victory, Temple, Riches"},
    )
    for trick in tricks:
        assert table.can(f"play {trick} as a dirty trick")


def test_augury_is_played_as_an_action():
    assert lay(hands={0: "Augury"}).play("play Augury").actions == 3


def test_a_trick_costs_one_action():
    table = lay(hands={0: "Famine"}, tables={"Amorites": "Family"}).play("play Famine as a dirty trick")
    assert table.actions == 3


def test_the_row_is_filled_up_at_the_end_of_the_turn():
    table = lay(row="Family, Temple, Victory", top="Spy, Augury, Curse")
    table.play("take Family from the row", "take Temple from the row", "end the turn")
    assert table.row == {"Victory": 1, "Spy": 1, "Augury": 1}
    assert table.top(1) == ["Curse"]


def test_the_turn_goes_round_the_table():
    table = lay(4)
    assert [table.play("end the turn").turn for _ in range(4)] == [
        "Sumerians",
        "Amorites",
        "Hurrians",
        "Akkadians",
    ]


def test_eight_cards_may_be_kept():
    table = lay(hands={0: "8 Family"}).play("end the turn")
    assert table.turn == "Sumerians"
    assert table.hand(0) == {"Family": 8}


def test_excess_cards_are_discarded_by_choice_at_the_end_of_the_turn():
    table = lay(hands={0: "6 Family, 2 Riches, Famine, Curse"}).play("end the turn")
    assert table.to_act == 0
    assert table.choices() == {"discard Family", "discard Riches", "discard Famine", "discard Curse"}
    before = table.discards.get("Curse", 0)
    table.play("discard Curse")
    assert table.to_act == 0
    table.play("discard Riches")
    assert table.turn == "Sumerians"
    assert table.hand(0) == {"Family": 6, "Riches": 1, "Famine": 1}
    assert table.discards["Curse"] == before + 1
    assert table.riches_discards == (1, 0)


def test_more_than_eight_cards_may_be_held_during_the_turn():
    table = lay(hands={0: "8 Family"}, row="3 Temple").play("take Temple from the row")
    assert sum(table.hand(0).values()) == 9
    table.play("play Family")
    assert table.play("end the turn").turn == "Sumerians"


def test_the_hand_limit_holds_in_ones_own_turn_only():
    """Another's turn ends with nine cards in a third hand: nobody gets there, but a Spy's victim may be at eight."""
    table = lay(hands={0: "Spy", 1: "8 Family", 2: "8 Temple"})
    table.play(
        "play Spy as a dirty trick", "against the Sumerians", "take Family from the hand", "end the turn"
    )
    assert table.turn == "Sumerians"
    assert sum(table.hand(1).values()) == 7


def test_the_row_is_filled_after_discarding():
    table = lay(hands={0: "9 Family"}, row="3 Temple", top="Spy").play(
        "take Temple from the row", "end the turn"
    )
    assert table.row == {"Temple": 2}
    table.play("discard Temple", "discard Family")
    assert table.row == {"Temple": 2, "Spy": 1}
