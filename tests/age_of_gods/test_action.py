"""Action Phase: one card, technology or ability."""

from __future__ import annotations

import pytest

from agezoo.envs.age_of_gods.components import TERRITORIES

from .scenario import Stage, Table, lay, people


def action(**more) -> Table:
    return lay(stage="action", **more)


def test_everybody_plays_one_card_and_must():
    table = action(hands={0: "Humans"})
    assert all(words.startswith("play ") for words in table.choices())
    table.play("play a card of the Humans for technology")
    assert (table.stage, table.to_act) == (Stage.ACTION, 1)


def test_technology_goes_up_by_one():
    table = action(hands={0: "Orcs"}, technology={"Orcs": 1}).play("play a card of the Orcs for technology")
    assert table.technology("Orcs") == 2


def test_a_red_or_yellow_card_is_discarded():
    table = action(hands={0: "2 Orcs"}).play("play a card of the Orcs for technology")
    assert table.state.hand[0, people("Orcs")] == 1
    assert table.state.played[0, people("Orcs")] == 1
    assert table.known(1, 0) == set()


def test_a_destiny_card_stays_face_up_before_its_player():
    table = action(destinies={0: "Orcs, Goblins"}).play("play the destiny card of the Orcs for technology")
    assert table.technology("Orcs") == 1
    assert table.known(1, 0) == table.known(2, 0) == {"Orcs"}
    assert table.sees(0, "represented")[people("Orcs")] == 1  # it still counts


def test_a_destiny_card_can_be_used_for_the_ability_too():
    table = action(destinies={0: "Orcs"}).play("play the destiny card of the Orcs for War Drums")
    assert table.known(1, 0) == {"Orcs"}
    assert table.can("attack from Gorepit")


def test_a_destiny_card_is_played_once():
    table = action(destinies={0: "Orcs (played), Goblins"})
    assert not table.can("play the destiny card of the Orcs for technology")
    assert table.can("play the destiny card of the Goblins for technology")


def test_an_attack_by_card_may_start_from_a_people_that_the_player_has_revealed():
    table = action(hands={0: "Orcs"}, destinies={0: "Humans (played)"}).play(
        "play a card of the Orcs for War Drums"
    )
    assert table.can("attack from Harrowend")  # Humans
    assert table.can("attack from Clubpass")  # and any other: not the people on the card alone


def test_an_ability_that_can_do_nothing_cannot_be_used():
    """Ruling 9."""
    table = action(hands={0: "Humans, Hobbits, Necromancers"}, fortified=", ".join(TERRITORIES))
    assert not table.can("play a card of the Humans for Great Works")
    assert not table.can("play a card of the Hobbits for Burglary")  # nobody has technology
    assert not table.can("play a card of the Necromancers for Raise the Dead")  # no territory is empty
    love = {"gods": {1: "Love"}, "love": "Cloudaerie, Featherpeak"}
    assert not action(hands={0: "Winged Folk"}, **love).can("play a card of the Winged Folk for Flight")
    assert action(hands={0: "Winged Folk"}).can("play a card of the Winged Folk for Flight")
    assert table.can("play a card of the Humans for technology")


def test_a_people_that_is_wiped_out_gets_neither_technology_nor_ability():
    table = action(hands={0: "Orcs, Humans"}, wiped_out="Orcs")
    assert {words for words in table.choices() if "the Orcs" in words} == {
        "play a card of the Orcs for divine wrath"
    }
    assert table.can("play a card of the Humans for technology")
    table = action(hands={0: "Barbarians"}, destinies={0: "Barbarians"}, wiped_out="Barbarians")
    assert table.choices("play the destiny card of the Barbarians for ") == {"divine wrath"}
    assert table.choices("play a card of the Barbarians for ") == {"divine wrath"}


@pytest.mark.parametrize("level", [0, 2])
def test_technology_stays_with_a_people_that_comes_and_goes(level):
    table = action(hands={0: "Humans"}, technology={"Orcs": level}, wiped_out="Orcs")
    assert table.technology("Orcs") == level
