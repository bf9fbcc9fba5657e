"""Bonus Cards (Augury), and End cards that an Augury shows."""

from __future__ import annotations

from .scenario import lay

TOP = "Family, Temple, Victory, Spy, Curse, Famine"


def test_augury_shows_the_top_five_cards_to_the_player_alone():
    table = lay(hands={0: "Augury"}, top=TOP).play("play Augury")
    assert table.deck_known(0) == ["Family", "Temple", "Victory", "Spy", "Curse"]
    assert table.deck_known(1) == table.deck_known(2) == [None] * 5
    assert table.choices() == {
        f"keep {card}" for card in ("Family", "Temple", "Victory", "Spy", "Curse", "nothing")
    }


def test_one_card_may_be_kept_and_the_others_go_back_in_an_order_of_choice():
    table = lay(hands={0: "Augury"}, top=TOP)
    left = table.deck_left
    table.play("play Augury", "keep Victory")
    assert table.hand(0) == {"Victory": 1}
    assert table.choices() == {f"put back {card}" for card in ("Family", "Temple", "Spy", "Curse")}
    table.play("put back Curse", "put back Family", "put back Temple", "put back Spy")
    assert table.top(5) == ["Curse", "Family", "Temple", "Spy", "Famine"]
    assert table.deck_left == left - 1
    assert table.actions == 3
    assert table.discards["Augury"] >= 1
    assert table.play("play Victory").has("Akkadians") == {"Victory": 1}  # it may be played at once


def test_nothing_need_be_kept():
    table = lay(hands={0: "Augury"}, top=TOP)
    left = table.deck_left
    table.play("play Augury", "keep nothing")
    table.play("put back Spy", "put back Curse", "put back Victory", "put back Temple", "put back Family")
    assert table.top(6) == ["Spy", "Curse", "Victory", "Temple", "Family", "Famine"]
    assert table.hand(0) == {}
    assert table.deck_left == left


def test_the_kept_card_and_the_new_order_are_hidden_from_the_others():
    table = lay(hands={0: "Augury"}, top=TOP).play("play Augury", "keep Victory")
    table.play("put back Curse", "put back Family", "put back Temple", "put back Spy")
    assert table.known(0, observer=1) == {}
    assert table.known(0, observer=0) == {"Victory": 1}
    assert table.deck_known(0) == ["Curse", "Family", "Temple", "Spy", None]
    assert table.deck_known(1) == [None] * 5


def test_an_end_card_may_not_be_kept_but_is_put_back_where_one_likes():
    table = lay(hands={0: "Augury"}, top="Family, Temple, End, Spy, Curse", row="3 Bad King").play(
        "play Augury"
    )
    assert table.choices() == {f"keep {card}" for card in ("Family", "Temple", "Spy", "Curse", "nothing")}
    assert table.ends_out == 0  # it has been seen, but has not come out
    table.play(
        "keep Spy", "put back End of the Bronze Age", "put back Curse", "put back Temple", "put back Family"
    )
    table.play("take Bad King from the row", "end the turn")
    assert table.ends_out == 1
    assert table.row == {"Bad King": 2, "Temple": 1, "Curse": 1}


def test_an_end_card_of_the_next_pile_may_be_put_into_this_one():
    table = lay(hands={0: "Augury"}, pile_left=2, top="End, Family, Temple, End, Spy").play(
        "play Augury", "keep nothing"
    )
    table.play(*["put back End of the Bronze Age"] * 2, "put back Family", "put back Spy", "put back Temple")
    assert table.top(3) == ["End of the Bronze Age", "End of the Bronze Age", "Family"]


def test_fewer_than_five_cards_are_shown_when_there_are_no_more():
    table = lay(hands={0: "Augury"}, piles_drawn=3, pile_left=3, top="Family, End, Temple").play(
        "play Augury"
    )
    assert table.choices() == {"keep Family", "keep Temple", "keep nothing"}
    table.play("keep Family", "put back Temple", "put back End of the Bronze Age")
    assert table.top(2) == ["Temple", "End of the Bronze Age"]


def test_the_last_end_card_alone_is_looked_at_and_left():
    table = lay(hands={0: "Augury"}, piles_drawn=3, pile_left=1).play("play Augury")
    assert table.choices() == {"keep nothing"}
    table.play("keep nothing", "put back End of the Bronze Age")
    assert table.top(1) == ["End of the Bronze Age"]
    assert table.to_act == 0
    assert not table.finished


def test_two_cards_of_one_kind_are_put_back_one_by_one():
    table = lay(hands={0: "Augury"}, top="Family, Family, Temple, Family, Temple")
    table.play(
        "play Augury",
        "keep Family",
        "put back Temple",
        "put back Family",
        "put back Temple",
        "put back Family",
    )
    assert table.top(4) == ["Temple", "Family", "Temple", "Family"]


def test_the_main_deck_is_never_shuffled_once_it_has_been_formed():
    """What lies below the five stays as it is, through a Spy, an Augury and a whole round."""
    table = lay(hands={0: "Augury", 1: "Family"}, top=TOP)
    below = table.top(40)[5:]
    table.play(
        "play Augury",
        "keep nothing",
        *[f"put back {c}" for c in ("Temple", "Family", "Victory", "Spy", "Curse")],
    )
    assert table.top(40)[5:] == below
    table.play("end the turn", "end the turn", "end the turn")
    assert table.top(40)[5:] == below
