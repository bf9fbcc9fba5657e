"""Rules for 2 Players: nations A1, B1, A2, B2 are the Akkadians, Sumerians, Amorites and Hurrians here."""

from __future__ import annotations

from .scenario import lay

ORDER = ["Akkadians", "Sumerians", "Amorites", "Hurrians"]


def test_each_player_runs_two_nations_in_the_order_a_b_a_b():
    table = lay(2)
    seen = [(table.turn, table.to_act)]
    for _ in range(4):
        table.play("end the turn")
        seen.append((table.turn, table.to_act))
    assert seen == [("Akkadians", 0), ("Sumerians", 1), ("Amorites", 0), ("Hurrians", 1), ("Akkadians", 0)]


def test_both_nations_play_from_one_hand():
    table = lay(2, hands={0: "3 Family"}).play("play Family", "end the turn", "end the turn")
    assert table.turn == "Amorites"
    table.play("play Family")
    assert table.has("Akkadians") == table.has("Amorites") == {"Family": 1}
    assert table.hand(0) == {"Family": 1}


def test_the_hand_limit_is_one_for_the_shared_hand_after_each_nations_turn():
    table = lay(2, hands={0: "9 Family"}).play("end the turn", "discard Family")
    assert table.turn == "Sumerians"
    table.play("end the turn")
    assert table.turn == "Amorites"
    assert table.play("take Bad King from the row", "end the turn").choices() == {
        "discard Family",
        "discard Bad King",
    }


def test_a_deity_serves_the_nation_that_holds_it_and_not_its_players_other_one():
    table = lay(2, hands={0: "2 Temple"})
    assert not table.can("Marduk: play Temple")
    table.play("end the turn", "end the turn")
    assert table.can("Marduk: play Temple")
    assert not table.can("Mammon: take a Riches card")


def test_tricks_go_only_against_the_opponents_nations():
    table = lay(
        2, hands={0: "Famine"}, tables={"Amorites": "Family", "Hurrians": "Family", "Sumerians": "Family"}
    )
    table.play("play Famine as a dirty trick")
    assert table.choices() == {"against the Sumerians", "against the Hurrians"}
    assert not lay(2, hands={0: "Famine"}, tables={"Amorites": "Family"}).can("play Famine as a dirty trick")


def test_a_spy_or_curse_on_either_nation_strikes_the_one_hand():
    table = lay(2, hands={0: "Spy, Curse", 1: "Family, Temple"})
    table.play("play Spy as a dirty trick", "against the Hurrians", "take Temple from the hand")
    assert table.hand(1) == {"Family": 1}
    table.play("play Curse as a dirty trick", "against the Sumerians", "discard Family")
    assert table.hand(1) == {}


def test_nations_are_ranked_among_all_four_and_their_points_added():
    table = lay(
        2,
        tables={
            "Akkadians": "2 Family, 3 Temple, Riches",
            "Sumerians": "Family, 2 Temple",
            "Amorites": "2 Temple, 2 Riches",
            "Hurrians": "Temple, 2 Victory",
        },
    )
    points = {
        "Akkadians": 2 + 2 + 2 + 2,
        "Sumerians": 1 + 1 + 2,
        "Amorites": 1 + 3 + 2,
        "Hurrians": 0 + 2 + 2,
    }
    assert {nation: table.points(nation) for nation in ORDER} == points
    assert table.scores() == [14, 8]
    assert table.places() == [1, 2]


def test_a_tie_is_broken_by_the_family_cards_of_both_nations_together():
    table = lay(2, tables={"Sumerians": "Family", "Hurrians": "2 Family", "Akkadians": "Victory, Family"})
    assert table.scores() == [7, 7]
    assert table.places() == [2, 1]


def test_a_tie_in_points_and_family_is_shared():
    table = lay(2, tables={"Sumerians": "2 Family", "Akkadians": "Family", "Amorites": "Family"})
    assert table.places() == [1, 1]


def test_an_own_deity_with_the_own_other_nation_is_worth_nothing():
    assert lay(2, deities={"Mammon": "Amorites"}).scores() == [2, 4]


def test_the_greatest_temple_is_compared_with_the_own_other_nation_too():
    """Ruling 5: it belongs to a nation."""
    table = lay(2, hands={0: "2 Temple"}, tables={"Amorites": "Temple"}, greatest_temple="Amorites").play(
        "play Temple"
    )
    assert table.greatest_temple == "Amorites"
    assert table.actions == 3
    table.play("play Temple")
    assert table.greatest_temple == "Akkadians"
    assert table.actions == 3
    table.play("end the turn", "end the turn")
    assert (table.turn, table.actions) == ("Amorites", 4)


def test_three_cards_are_dealt_to_each_player_not_to_each_nation():
    from .test_setup import deal

    assert deal(2, 0).state.hand_size.tolist()[:2] == [3, 3]
