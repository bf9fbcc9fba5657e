"""Nation Cards and Deity Cards."""

from __future__ import annotations

import pytest

from .scenario import lay

USE = {
    "Mammon": "Mammon: take a Riches card",
    "Utu": "Utu: draw the top card",
    "Marduk": "Marduk: play Temple",
    "Nergal": "Nergal: play a dirty trick",
    "Kiririsha": "Kiririsha: play Family",
    "Inara": "Inara: play Victory",
}
NATION = {
    "Mammon": "Akkadians",
    "Utu": "Sumerians",
    "Marduk": "Amorites",
    "Nergal": "Hurrians",
    "Kiririsha": "Elamites",
    "Inara": "Hittites",
}
HAND = "2 Family, 2 Temple, 2 Victory, 2 Famine"


def laid(deity: str, **more):
    """A table whose first nation holds this deity of its own, and a hand in which every power is of use."""
    others = [nation for nation in NATION.values() if nation != NATION[deity]]
    more.setdefault("hands", {0: HAND})
    more.setdefault("tables", {others[0]: "5 Family"})
    return lay(nations=", ".join([NATION[deity], *others]), **more), NATION[deity], others[0]


@pytest.mark.parametrize("deity", USE)
def test_each_power_is_free_once_a_turn_and_fresh_in_the_next(deity):
    table, own, other = laid(deity, hands={0: HAND if deity == "Nergal" else "2 Family, 2 Temple, 2 Victory"})
    if deity in ("Mammon", "Inara"):
        table.fate(*[1] * (deity == "Inara"), draws="Riches")
    table.play(USE[deity])
    if deity == "Nergal":
        table.play("play Famine as a dirty trick", f"against the {other}")
    assert table.actions == 4 + (
        deity == "Marduk"
    )  # the first Temple brings the Greatest Temple's extra action
    assert not table.can(USE[deity])
    table.play("end the turn", "end the turn", "end the turn")
    assert table.turn == own
    assert table.can(USE[deity])


@pytest.mark.parametrize("deity", USE)
def test_a_power_can_be_used_at_any_time_in_the_turn(deity):
    """Before, between and after the actions, even when none is left."""
    table, _, _ = laid(deity)
    assert table.can(USE[deity])
    table, _, _ = laid(deity, actions=2)
    assert table.can(USE[deity])
    table, _, _ = laid(deity, actions=0)
    assert table.can(USE[deity])


@pytest.mark.parametrize("deity", USE)
def test_a_power_belongs_to_whoever_holds_the_deity_now(deity):
    others = [nation for nation in NATION.values() if nation != NATION[deity]][:2]
    order = [others[0], NATION[deity], others[1]]
    table = lay(
        nations=", ".join(order),
        hands={0: HAND, 1: HAND},
        tables={others[1]: "Family"},
        deities={deity: others[0]},
    )
    assert table.can(USE[deity])
    table.play("end the turn")
    assert table.turn == NATION[deity]
    assert not table.can(USE[deity])


def test_there_are_as_many_deities_in_play_as_nations():
    table = lay(3)
    assert [len(table.deities(n)) for n in ("Akkadians", "Sumerians", "Amorites")] == [1, 1, 1]


def test_a_nation_may_hold_several_deities_and_use_each():
    table = lay(deities={"Utu": "Akkadians", "Marduk": "Akkadians"}, hands={0: "Temple"}, top="Family")
    table.fate(draws="Riches").play(USE["Mammon"], USE["Utu"], USE["Marduk"])
    assert table.hand(0) == {"Family": 1, "Riches": 1}
    assert table.deities("Akkadians") == {"Mammon", "Utu", "Marduk"}


def test_mammon_brings_one_riches_card():
    table = lay().fate(draws="Riches").play(USE["Mammon"])
    assert table.hand(0) == {"Riches": 1}
    assert table.riches_deck == (37, 7)
    assert table.known(0, observer=2) == {"Riches": 1}  # only Riches are kept, so everybody knows


def test_mammon_draws_an_ambush_which_is_discarded_and_there_is_no_second_try():
    table = lay().fate(draws="Ambush").play(USE["Mammon"])
    assert table.hand(0) == {}
    assert table.riches_discards == (0, 1)
    assert not table.can(USE["Mammon"])


def test_mammon_finds_an_empty_riches_deck_made_anew():
    table = lay(tables={"Sumerians": "30 Riches"}, riches_deck="")
    assert table.riches_discards == (8, 7)
    table.fate(draws="Riches").play(USE["Mammon"])
    assert table.riches_deck == (7, 7)
    assert table.riches_discards == (0, 0)


def test_utu_draws_the_top_card_unseen_by_the_others():
    table = lay(turn="Sumerians", top="Spy, Family").play(USE["Utu"])
    assert table.hand(1) == {"Spy": 1}
    assert table.known(1, observer=1) == {"Spy": 1}
    assert table.known(1, observer=0) == {}
    assert table.top(1) == ["Family"]


def test_utu_draws_an_end_card_which_leaves_play_and_there_is_no_second_draw():
    table = lay(turn="Sumerians", top="End, Family, Temple").play(USE["Utu"])
    assert table.hand(1) == {}
    assert table.ends_out == 1
    assert not table.can(USE["Utu"])
    assert table.top(1) == ["Family"]


def test_an_end_card_drawn_with_utu_lengthens_the_row_at_the_next_refill():
    """Ruling 4."""
    table = lay(turn="Sumerians", top="End, Family, Temple", row="3 Bad King").play(USE["Utu"])
    assert table.row == {"Bad King": 3}
    assert table.play("end the turn").row == {"Bad King": 3, "Family": 1}


def test_utu_draws_the_fourth_end_card_and_the_game_is_over_at_once():
    table = lay(turn="Sumerians", piles_drawn=3, top="End").play(USE["Utu"])
    assert table.finished
    assert table.turn == "Sumerians"


def test_marduk_plays_one_temple():
    table = lay(nations="Amorites, Akkadians, Hittites", hands={0: "3 Temple"}, actions=0).play(USE["Marduk"])
    assert table.has("Amorites") == {"Temple": 1}
    assert table.hand(0) == {"Temple": 2}
    assert table.greatest_temple == "Amorites"
    assert table.actions == 1  # its fifth, at once
    assert not lay(nations="Amorites, Akkadians, Hittites", hands={0: "Family"}).can(USE["Marduk"])


def test_nergal_plays_one_dirty_trick():
    table = lay(
        nations="Hurrians, Akkadians, Hittites",
        hands={0: "2 Famine"},
        tables={"Hittites": "2 Family"},
        actions=0,
    )
    table.play(USE["Nergal"])
    assert table.choices() == {"play Famine as a dirty trick"}
    table.play("play Famine as a dirty trick", "against the Hittites")
    assert table.has("Hittites") == {"Family": 1}
    assert table.actions == 0
    assert table.choices() == {"end the turn"}


def test_nergal_needs_a_trick_that_does_something():
    table = lay(nations="Hurrians, Akkadians, Hittites", hands={0: "2 Famine, 3 Family, Augury"})
    assert not table.can(USE["Nergal"])


def test_nergal_plays_one_card_so_a_raid_with_one_riches():
    """Ruling 7."""
    table = lay(
        nations="Hurrians, Akkadians, Hittites",
        hands={0: "3 Riches"},
        tables={"Hittites": "Family"},
        actions=0,
    )
    table.fate(4, 4).play(USE["Nergal"], "play Riches as a dirty trick", "against the Hittites")
    assert table.hand(0) == {"Riches": 2}
    assert table.riches_discards == (1, 0)
    assert table.has("Hurrians") == {"Family": 1}  # 4 + 1 against 4
    assert table.actions == 0


@pytest.mark.parametrize(
    ("trick", "then"),
    [
        ("Spy", "take Family from the hand"),
        ("Theft of Deity", "steal Inara"),
        ("Curse", "discard Family"),
        ("Bad King", None),
    ],
)
def test_nergal_plays_every_kind_of_trick_for_free(trick, then):
    table = lay(
        nations="Hurrians, Akkadians, Hittites",
        hands={0: f"{trick}, Defeat", 2: "Family"},
        tables={"Hittites": "Riches"},
        deities={"Mammon": "Hittites"},
        actions=3,
    )
    table.play(USE["Nergal"], f"play {trick} as a dirty trick", "against the Hittites")
    if then:
        table.play(then)
    assert table.actions == 3
    assert table.to_act == 0
    assert not table.can(USE["Nergal"])


def test_kiririsha_plays_one_family():
    table = lay(nations="Elamites, Akkadians, Hittites", hands={0: "3 Family"}).play(USE["Kiririsha"])
    assert table.has("Elamites") == {"Family": 1}
    assert not lay(nations="Elamites, Akkadians, Hittites", hands={0: "Temple"}).can(USE["Kiririsha"])


def test_inara_plays_one_victory_with_its_riches():
    table = lay(nations="Hittites, Akkadians, Elamites", hands={0: "2 Victory"}, actions=0)
    table.fate(3, draws="Riches, Riches, Riches").play(USE["Inara"])
    assert table.has("Hittites") == {"Victory": 1}
    assert table.hand(0) == {"Victory": 1, "Riches": 3}
    assert not lay(nations="Hittites, Akkadians, Elamites", hands={0: "Temple"}).can(USE["Inara"])


def test_inara_does_not_protect_against_ambushes():
    table = lay(nations="Hittites, Akkadians, Elamites", hands={0: "Victory"})
    table.fate(4, draws="Riches, Ambush").play(USE["Inara"])
    assert table.hand(0) == {}
    assert table.riches_discards == (1, 1)


def test_deities_are_never_in_a_hand():
    """A Theft brings the statue onto the table, and a Spy finds no deity."""
    table = lay(hands={0: "Theft of Deity"}).play(
        "play Theft of Deity as a dirty trick", "against the Sumerians"
    )
    assert table.hand(0) == {}
    assert table.deities("Akkadians") == {"Mammon", "Utu"}
