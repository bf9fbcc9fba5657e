"""Progress Cards and the Riches Deck."""

from __future__ import annotations

import pytest

from .scenario import lay


def test_progress_cards_of_the_rulebook():
    """27 Family, 22 Victory, 22 Temple, 38 Riches, 7 Ambush; check() counts them at every table that is loaded."""
    from agezoo.envs.age_de_bronze.components import COUNTS, Card

    numbers = {
        Card.FAMILY: 27,
        Card.VICTORY: 22,
        Card.TEMPLE: 22,
        Card.RICHES: 38,
        Card.AMBUSH: 7,
        Card.SPY: 2,
        Card.THEFT_OF_DEITY: 12,
        Card.FAMINE: 5,
        Card.DEFEAT: 5,
        Card.EARTHQUAKE: 5,
        Card.CURSE: 2,
        Card.BAD_KING: 5,
        Card.AUGURY: 2,
        Card.END_OF_THE_BRONZE_AGE: 4,
    }
    assert {card: int(COUNTS[card]) for card in Card} == numbers


@pytest.mark.parametrize("number", range(1, 7))
def test_a_victory_brings_as_many_riches_as_the_die_shows(number):
    table = lay(hands={0: "Victory"}).fate(number, draws=", ".join(["Riches"] * number)).play("play Victory")
    assert table.hand(0) == {"Riches": number}
    assert table.riches_deck == (38 - number, 7)
    assert table.actions == 3
    assert table.known(0, observer=1) == {"Riches": number}  # drawn for all to see


def test_riches_drawn_can_be_played_at_once_or_kept():
    table = lay(hands={0: "Victory"}).fate(2, draws="Riches, Riches").play("play Victory", "play Riches")
    assert table.has("Akkadians") == {"Victory": 1, "Riches": 1}
    assert table.play("end the turn").hand(0) == {"Riches": 1}


def test_riches_drawn_count_towards_the_hand_limit():
    table = lay(hands={0: "Victory, 6 Family"}).fate(3, draws="Riches, Riches, Riches")
    table.play("play Victory", "end the turn")
    assert table.choices() == {"discard Family", "discard Riches"}
    table.play("discard Riches")
    assert table.hand(0) == {"Family": 6, "Riches": 2}
    assert table.turn == "Sumerians"


def test_the_rulebooks_example_of_an_ambush():
    """A five, two Riches, then an Ambush: drawing stops and all three are discarded."""
    table = lay(hands={0: "Victory, Riches"}).fate(5, draws="Riches, Riches, Ambush").play("play Victory")
    assert table.hand(0) == {"Riches": 1}  # what was in the hand before stays
    assert table.riches_discards == (2, 1)
    assert table.riches_deck == (35, 6)
    assert table.has("Akkadians") == {"Victory": 1}  # the Victory itself stays on the table


def test_an_ambush_as_the_last_card_drawn_counts():
    table = lay(hands={0: "Victory"}).fate(2, draws="Riches, Ambush").play("play Victory")
    assert table.riches_discards == (1, 1)


def test_an_ambush_is_shuffled_in_again_and_not_removed():
    table = lay(hands={0: "Victory"}, tables={"Sumerians": "37 Riches"}, riches_deck="")
    assert table.riches_discards == (1, 7)
    table.fate(1, draws="Ambush").play("play Victory")
    assert table.riches_deck == (1, 6)
    assert table.riches_discards == (0, 1)


def test_an_empty_riches_deck_is_made_anew_from_its_discards_in_the_middle_of_a_draw():
    """What was drawn before stays in hand (ruling 13)."""
    table = lay(hands={0: "Victory"}, tables={"Sumerians": "30 Riches"}, riches_deck="2 Riches")
    assert table.riches_discards == (6, 7)
    table.fate(4, draws="Riches, Riches, Riches, Riches").play("play Victory")
    assert table.hand(0) == {"Riches": 4}
    assert table.riches_deck == (4, 7)
    assert table.riches_discards == (0, 0)


def test_an_ambush_after_the_deck_was_made_anew_takes_all_of_them():
    table = lay(hands={0: "Victory"}, tables={"Sumerians": "30 Riches"}, riches_deck="2 Riches")
    table.fate(4, draws="Riches, Riches, Ambush").play("play Victory")
    assert table.hand(0) == {}
    assert table.riches_deck == (6, 6)
    assert table.riches_discards == (2, 1)


def test_the_riches_deck_is_made_anew_when_a_card_is_wanted_and_not_before():
    table = lay(hands={0: "Victory"}, tables={"Sumerians": "30 Riches"}, riches_deck="Riches")
    table.fate(1, draws="Riches").play("play Victory")
    assert table.riches_deck == (0, 0)
    assert table.riches_discards == (7, 7)


def test_riches_come_from_their_own_deck_alone():
    """Neither the row nor the main deck holds any."""
    table = lay(tables={"Sumerians": "38 Riches"})
    assert not any("Riches from" in words for words in table.choices())
    assert "Riches" not in table.top(table.deck_left)


def test_riches_on_the_table_cannot_be_taken_back_or_used():
    table = lay(
        tables={"Akkadians": "3 Riches", "Sumerians": "Family"}, nations="Akkadians, Sumerians, Hittites"
    )
    assert not table.can("play Riches as a dirty trick")
    assert not table.can("play Riches")


# -- the Greatest Temple -----------------------------------------------------------------------------------------------


def test_more_temples_than_every_opponent_bring_the_greatest_temple_and_a_fifth_action_at_once():
    table = lay(hands={0: "3 Temple"}, tables={"Sumerians": "Temple"}, greatest_temple="Sumerians")
    table.play("play Temple")
    assert table.greatest_temple == "Sumerians"  # one each: a tie
    assert table.actions == 3
    table.play("play Temple")
    assert table.greatest_temple == "Akkadians"
    assert table.actions == 3  # 4 - 2 + 1
    table.play("play Temple")
    assert table.actions == 2  # only once


def test_the_fifth_action_comes_with_the_last_of_the_four_too():
    table = lay(hands={0: "Temple, Family"}, actions=1).play("play Temple")
    assert table.actions == 1
    table.play("play Family")
    assert table.actions == 0


def test_nobody_begins_with_the_greatest_temple():
    assert lay().greatest_temple is None


def test_a_tie_brings_nobody_the_greatest_temple():
    table = lay(hands={0: "Temple"}, tables={"Sumerians": "Temple"}).play("play Temple")
    assert table.greatest_temple is None
    assert table.actions == 3


def test_more_than_one_opponent_is_not_enough():
    table = lay(
        hands={0: "2 Temple"},
        tables={"Sumerians": "Temple", "Amorites": "3 Temple"},
        greatest_temple="Amorites",
    )
    table.play("play Temple", "play Temple")
    assert table.greatest_temple == "Amorites"


def test_the_holder_keeps_it_on_a_tie():
    """Ruling 5."""
    table = lay(hands={0: "Temple"}, tables={"Sumerians": "Temple"}, greatest_temple="Sumerians")
    table.play("play Temple", "end the turn")
    assert table.greatest_temple == "Sumerians"
    assert table.actions == 5


def test_an_earthquake_makes_another_nation_lead_in_its_own_turn():
    """The active nation needs no new Temple: it has more than the others, takes the card and its fifth action."""
    table = lay(
        hands={0: "Earthquake, Earthquake"},
        tables={"Akkadians": "Temple", "Sumerians": "2 Temple"},
        greatest_temple="Sumerians",
    )
    table.play("play Earthquake as a dirty trick", "against the Sumerians")
    assert table.greatest_temple == "Sumerians"
    assert table.actions == 3
    table.play("play Earthquake as a dirty trick", "against the Sumerians")
    assert table.greatest_temple == "Akkadians"
    assert table.actions == 3


def test_an_earthquake_makes_a_third_nation_lead_which_has_five_actions_in_its_own_turn():
    table = lay(
        hands={0: "2 Earthquake"},
        tables={"Sumerians": "2 Temple", "Amorites": "Temple"},
        greatest_temple="Sumerians",
    )
    table.play(*["play Earthquake as a dirty trick", "against the Sumerians"] * 2)
    assert table.greatest_temple == "Amorites"
    assert table.actions == 2
    table.play("end the turn")
    assert table.actions == 4
    table.play("end the turn")
    assert table.actions == 5


def test_the_holder_of_the_last_temple_keeps_it_even_at_zero():
    """Ruling 5: nobody has more."""
    table = lay(hands={0: "Earthquake"}, tables={"Sumerians": "Temple"}, greatest_temple="Sumerians")
    table.play("play Earthquake as a dirty trick", "against the Sumerians")
    assert table.greatest_temple == "Sumerians"


def test_nobody_has_it_when_several_others_tie_above_the_holder_until_one_leads():
    """Ruling 5."""
    table = lay(
        4,
        hands={0: "Earthquake", 1: "Temple"},
        tables={"Sumerians": "2 Temple", "Amorites": "2 Temple", "Hurrians": "2 Temple"},
        greatest_temple="Hurrians",
    )
    table.play("play Earthquake as a dirty trick", "against the Hurrians")
    assert table.greatest_temple is None
    table.play("end the turn", "play Temple")
    assert table.greatest_temple == "Sumerians"
    assert table.actions == 4


def test_the_fifth_action_is_gone_with_the_greatest_temple():
    table = lay(hands={0: "2 Temple"}, tables={"Sumerians": "Temple"}, greatest_temple="Sumerians")
    table.play("play Temple", "play Temple", "end the turn")
    assert table.actions == 4


def test_progress_cards_of_other_kinds_bring_no_temple():
    table = lay(hands={0: "Family, Riches"}).play("play Family", "play Riches")
    assert table.greatest_temple is None
