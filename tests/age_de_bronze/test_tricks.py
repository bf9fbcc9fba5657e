"""Dirty-Trick Cards."""

from __future__ import annotations

import pytest

from agezoo.envs.engine.errors import IllegalAction

from .scenario import lay

AT_SUMERIANS = "against the Sumerians"


def trick(name: str) -> str:
    return f"play {name} as a dirty trick"


@pytest.mark.parametrize(
    ("name", "card"),
    [("Famine", "Family"), ("Defeat", "Victory"), ("Earthquake", "Temple"), ("Bad King", "Riches")],
)
def test_one_card_of_its_kind_goes_from_the_victims_table_to_the_discards(name, card):
    table = lay(
        hands={0: f"2 {name}", 1: f"2 {card}"},
        tables={"Sumerians": "2 Family, 2 Victory, 2 Temple, 2 Riches"},
    )
    before = table.discards
    table.play(trick(name), AT_SUMERIANS)
    left = {"Family": 2, "Victory": 2, "Temple": 2, "Riches": 2, card: 1}
    assert table.has("Sumerians") == left
    assert table.hand(1) == {card: 2}  # cards in hand are safe
    assert table.hand(0) == {name: 1}
    assert table.actions == 3
    assert table.discards.get(name, 0) == before.get(name, 0) + 1  # the trick is discarded too
    if card == "Riches":
        assert table.riches_discards == (1, 0)
    else:
        assert table.discards[card] == before.get(card, 0) + 1


@pytest.mark.parametrize(
    ("name", "card"),
    [("Famine", "Family"), ("Defeat", "Victory"), ("Earthquake", "Temple"), ("Bad King", "Riches")],
)
def test_a_trick_needs_a_nation_on_which_it_does_something(name, card):
    """Ruling 6."""
    others = ", ".join({"Family", "Victory", "Temple", "Riches"} - {card})
    table = lay(hands={0: name}, tables={"Akkadians": card, "Sumerians": others})
    assert not table.can(trick(name))
    table = lay(4, hands={0: name}, tables={"Akkadians": card, "Amorites": card, "Hurrians": card})
    assert table.play(trick(name)).choices() == {"against the Amorites", "against the Hurrians"}


def test_a_trick_is_discarded_as_soon_as_it_is_played():
    table = lay(hands={0: "Famine"}, tables={"Sumerians": "Family"})
    before = table.discards.get("Famine", 0)
    table.play(trick("Famine"))
    assert table.hand(0) == {}
    assert table.discards["Famine"] == before + 1


def test_no_trick_goes_against_the_own_nation():
    table = lay(hands={0: "Famine"}, tables={"Akkadians": "Family", "Sumerians": "Family"}).play(
        trick("Famine")
    )
    assert table.choices() == {AT_SUMERIANS}
    with pytest.raises(IllegalAction):
        table.play("against the Akkadians")


def test_any_opponent_may_be_the_target():
    table = lay(
        6,
        turn="Hurrians",
        hands={3: "Famine"},
        tables=dict.fromkeys(("Akkadians", "Hittites", "Amorites"), "Family"),
    )
    table.play(trick("Famine"))
    assert table.choices() == {"against the Akkadians", "against the Hittites", "against the Amorites"}
    table.play("against the Akkadians")
    assert table.has("Akkadians") == {}


# -- Spy ---------------------------------------------------------------------------------------------------------------


def test_a_spy_looks_at_a_hand_and_takes_a_card_of_choice():
    table = lay(hands={0: "Spy", 1: "2 Family, Augury, Riches"}).play(trick("Spy"), AT_SUMERIANS)
    assert table.choices() == {
        "take Family from the hand",
        "take Augury from the hand",
        "take Riches from the hand",
    }
    assert table.to_act == 0
    assert table.known(1, observer=0) == {"Family": 2, "Augury": 1, "Riches": 1}
    table.play("take Augury from the hand")
    assert table.hand(0) == {"Augury": 1}
    assert table.hand(1) == {"Family": 2, "Riches": 1}
    assert table.actions == 3
    assert table.play("play Augury").actions == 2  # it may be played at once


def test_a_spy_needs_a_hand_with_cards():
    table = lay(hands={0: "Spy, Family"})
    assert not table.can(trick("Spy"))
    assert lay(hands={0: "Spy", 2: "Family"}).play(trick("Spy")).choices() == {"against the Amorites"}


# -- Theft of Deity ----------------------------------------------------------------------------------------------------


def test_a_theft_brings_the_only_deity_without_asking_which():
    table = lay(hands={0: "Theft of Deity"}).play(trick("Theft of Deity"), AT_SUMERIANS)
    assert table.deities("Akkadians") == {"Mammon", "Utu"}
    assert table.deities("Sumerians") == set()
    assert table.actions == 3
    assert table.scores()[1] == 0  # the owner loses its two points


def test_a_theft_asks_which_of_several_deities():
    table = lay(4, hands={0: "Theft of Deity"}, deities={"Marduk": "Sumerians", "Nergal": "Sumerians"})
    table.play(trick("Theft of Deity"), AT_SUMERIANS)
    assert table.choices() == {"steal Utu", "steal Marduk", "steal Nergal"}
    table.play("steal Marduk")
    assert table.deities("Akkadians") == {"Mammon", "Marduk"}
    assert table.deities("Sumerians") == {"Utu", "Nergal"}


def test_a_stolen_deity_helps_at_once():
    table = lay(hands={0: "Theft of Deity, Temple"}, actions=1).play(
        trick("Theft of Deity"), "against the Amorites"
    )
    table.play("Marduk: play Temple")
    assert table.has("Akkadians") == {"Temple": 1}


def test_a_deity_whose_power_was_used_by_the_victim_in_its_own_turn_is_fresh_for_the_thief():
    table = lay(hands={0: "Temple", 1: "Theft of Deity, Temple"}, nations="Amorites, Akkadians, Sumerians")
    table.play("Marduk: play Temple", "end the turn", trick("Theft of Deity"), "against the Amorites")
    assert table.can("Marduk: play Temple")


def test_a_stolen_deity_can_be_won_back():
    table = lay(hands={0: "Theft of Deity", 1: "Theft of Deity"})
    table.play(
        trick("Theft of Deity"),
        AT_SUMERIANS,
        "end the turn",
        trick("Theft of Deity"),
        "against the Akkadians",
    )
    table.play("steal Utu")
    assert table.deities("Sumerians") == {"Utu"}
    assert table.scores()[1] == 2


def test_a_nation_without_deity_cannot_be_robbed_of_one():
    table = lay(4, hands={0: "Theft of Deity"}, deities={"Utu": "Amorites"}).play(trick("Theft of Deity"))
    assert table.choices() == {"against the Amorites", "against the Hurrians"}
    table = lay(hands={0: "Theft of Deity"}, deities={"Utu": "Akkadians", "Marduk": "Akkadians"})
    assert not table.can(trick("Theft of Deity"))


# -- Curse -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("held", "goes"), [(1, 1), (2, 1), (3, 2), (6, 3), (7, 4), (8, 4)])
def test_a_curse_takes_half_the_hand_rounded_up(held, goes):
    table = lay(hands={0: "Curse", 1: f"{held} Family"}, tables={"Sumerians": "Family"})
    table.play(trick("Curse"), AT_SUMERIANS)
    assert table.to_act == 1
    assert table.choices() == {"discard Family"}
    for _ in range(goes):
        assert table.to_act == 1
        table.play("discard Family")
    assert table.to_act == 0
    assert sum(table.hand(1).values()) == held - goes
    assert table.actions == 3
    assert table.has("Sumerians") == {"Family": 1}


def test_the_victim_of_a_curse_chooses_what_goes():
    table = lay(hands={0: "Curse, Family", 1: "Family, Spy, Riches"}).play(trick("Curse"), AT_SUMERIANS)
    assert table.choices() == {"discard Family", "discard Spy", "discard Riches"}
    table.play("discard Riches", "discard Spy")
    assert table.hand(1) == {"Family": 1}
    assert table.hand(0) == {"Family": 1}
    assert table.riches_discards == (1, 0)
    assert table.discards["Spy"] >= 1


def test_a_curse_needs_a_hand_with_cards():
    assert not lay(hands={0: "Curse, Family"}).can(trick("Curse"))


# -- Riches as a raid --------------------------------------------------------------------------------------------------

HOW = [
    (words, n)
    for n, words in enumerate(("", "raid with 1 Riches", "raid with 2 Riches", "raid with 3 Riches"))
][1:]


def test_any_number_of_riches_raids_for_one_action():
    table = lay(hands={0: "3 Riches, Family"}, tables={"Sumerians": "Family", "Amorites": "Riches"})
    table.play(trick("Riches"))
    assert table.choices() == {AT_SUMERIANS}  # only where there is a Family card to win
    table.play(AT_SUMERIANS)
    assert table.choices() == {words for words, _ in HOW}


@pytest.mark.parametrize(("words", "number"), HOW)
def test_the_riches_of_a_raid_are_discarded_win_or_lose(words, number):
    for rolls in ((6, 1), (1, 6)):
        table = lay(hands={0: "3 Riches"}, tables={"Sumerians": "Family"}).fate(*rolls)
        table.play(trick("Riches"), AT_SUMERIANS, words)
        assert table.hand(0) == ({"Riches": 3 - number} if number < 3 else {})
        assert table.riches_discards == (number, 0)
        assert table.actions == 3


def raid(attack: int, defence: int, number: int) -> bool:
    table = lay(hands={0: "4 Riches", 1: "4 Riches"}, tables={"Akkadians": "Family", "Sumerians": "3 Family"})
    table.fate(attack, defence).play(trick("Riches"), AT_SUMERIANS, f"raid with {number} Riches")
    assert table.hand(1) == {"Riches": 4}  # the victim cannot play Riches against it
    won = table.has("Akkadians") == {"Family": 2}
    assert table.has("Sumerians") == {"Family": 2 if won else 3}
    return won


def test_the_rulebooks_example_of_a_raid():
    """Three Riches and a two make five: the victim's six keeps the Family card, and so does a five."""
    assert not raid(2, 6, number=3)
    assert not raid(2, 5, number=3)
    assert raid(2, 4, number=3)
    assert raid(2, 1, number=3)


def test_an_equal_score_wins_nothing():
    assert not raid(3, 4, number=1)
    assert raid(3, 3, number=1)


def test_only_one_family_card_is_won_however_large_the_score():
    assert raid(6, 1, number=4)


def test_a_raid_needs_riches_in_hand():
    assert not lay(hands={0: "Family"}, tables={"Akkadians": "5 Riches", "Sumerians": "Family"}).can(
        trick("Riches")
    )
