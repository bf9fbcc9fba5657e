"""What `value` must tell apart, by the rulebook's reasons, so that greedy players do not throw dice."""

from __future__ import annotations

import numpy as np
import pytest

from agezoo.envs.age_de_bronze import worth
from agezoo.envs.age_de_bronze.components import Card
from agezoo.envs.engine.compile import plain

from .scenario import GAME, Table, lay

value, turns_left, in_time = plain(worth.value), plain(worth.turns_left), plain(worth.in_time)
TAKE = "take Bad King from the row"


def after(words: list[str], **laid: object) -> float:
    """The value to the first seat after it plays this at a table laid so."""
    return value(lay(**laid).play(*words).state, 0)


def always(table: Table, words: str) -> None:
    """Greedy chooses this, whatever its random numbers."""
    chosen = {table.env.action_text(table.env.greedy_action(seed)) for seed in range(12)}
    assert chosen == {table.env.action_text(table.action(words))}


# -- on whom -----------------------------------------------------------------------------------------------------------


def test_a_curse_falls_on_the_larger_hand():
    """Half of it goes: four cards, or one."""
    table = lay(hands={0: "Curse", 1: "Spy", 2: "6 Family, 2 Temple"})
    always(table.play("play Curse as a dirty trick"), "against the Amorites")


def test_a_spy_looks_where_there_is_something_to_take():
    """It takes one card of choice: a Family that is a point on the table, rather than a Bad King."""
    laid = {"hands": {0: "Spy", 1: "2 Bad King", 2: "2 Family"}, "row": "3 Temple"}
    spy = "play Spy as a dirty trick"
    assert after([spy, "against the Amorites"], **laid) > after([spy, "against the Sumerians"], **laid)


# -- which trick -------------------------------------------------------------------------------------------------------


def test_a_trick_is_chosen_by_what_it_does():
    """Of five Victories to none one may go; of two Temples to two the loss of one leaves the other first alone."""
    tables = {"Sumerians": "5 Victory, 2 Temple", "Akkadians": "2 Temple"}
    laid = {"tables": tables, "hands": {0: "Earthquake, Defeat"}, "actions": 1}
    earthquake = after(["play Earthquake as a dirty trick"], **laid)
    assert earthquake > after(["play Defeat as a dirty trick"], **laid)


def test_an_augury_is_worth_the_best_card_that_it_shows():
    """One of the five may be kept, an End card may not."""
    rest = ", Bad King, Bad King, Bad King, Bad King"
    laid = {"hands": {0: "Augury"}, "row": "3 Temple"}
    family = after(["play Augury"], top="Family" + rest, **laid)
    bad_king = after(["play Augury"], top="Bad King" + rest, **laid)
    assert family > bad_king
    assert after(["play Augury"], top="End" + rest, **laid) == pytest.approx(bad_king, abs=0.01)


def test_how_often_raids_win():
    """Die and cards must be higher than the other die, for all 36 pairs of dice; with three Riches 30 of them."""
    wins = [
        np.mean([own + cards > other for own in range(1, 7) for other in range(1, 7)])
        for cards in range(1, 7)
    ]
    assert worth.RAID_WINS[1:].tolist() == pytest.approx(wins)
    assert worth.RAID_WINS[3] == pytest.approx(30 / 36)


# -- what is left for later turns --------------------------------------------------------------------------------------


def test_cards_in_hand_are_worth_nothing_when_the_game_is_over():
    """Cards still in hand do not count (End of the Game)."""
    full, empty = (
        lay(hands={1: hand}, piles_drawn=3, pile_left=1, top="End").play(TAKE, "end the turn")
        for hand in ("6 Family", "")
    )
    for table in (full, empty):
        assert table.finished
        assert value(table.state, 0) == value(empty.state, 0)
    points = lay(tables={"Akkadians": "3 Family"}, piles_drawn=3, pile_left=1, top="End").play(
        TAKE, "end the turn"
    )
    assert value(points.state, 0) - value(empty.state, 0) == 3


def test_at_the_end_families_are_played_and_not_gathered():
    """One action left, and three cards in the deck, one of them the last End card."""
    late = lay(hands={0: "Family"}, row="6 Family", actions=1, piles_drawn=3, pile_left=3)
    chosen = {late.env.action_text(late.env.greedy_action(seed)) for seed in range(12)}
    assert chosen == {"play Family"}


def test_turns_left_go_down_to_nothing():
    table = lay(hands={})
    left = [float(turns_left(table.state))]
    for _ in range(400):
        table.env.step(table.env.greedy_action(len(left)))
        left.append(float(turns_left(table.state)))
        if table.finished:
            break
    assert table.finished
    assert left == sorted(left, reverse=True)
    assert left[-1] == 0


def test_a_card_in_hand_is_worth_less_the_nearer_the_end():
    early, late = lay(hands={0: "Family"}), lay(hands={0: "Family"}, piles_drawn=3, pile_left=3)
    worths = [in_time(t.state, 1, turns_left(t.state)) for t in (early, late)]
    assert 0 < worths[1] < worths[0] < 1


def test_places_count_by_the_lead_and_the_time_that_is_left():
    """One Temple more than another's is less sure early than late; level counts as first (Scoring)."""
    places, much, little = plain(worth._places), 3.0, 0.5
    assert places(2, (2, 1, 0), 2, 1, little) > places(2, (2, 1, 0), 2, 1, much)
    assert places(4, (4, 1, 0), 2, 1, much) > places(2, (2, 1, 0), 2, 1, much)
    assert places(1, (1, 1, 0), 2, 1, little) > 1.5
    assert places(0, (5, 4, 0), 2, 1, little) < 0.5


def test_a_place_is_lost_with_a_card_only_if_another_is_not_below():
    lost = plain(worth._place_lost)
    assert lost(5, (5, 0, 0), 2, 1) == 0
    assert lost(2, (2, 2, 0), 2, 1) == 1  # the other is first alone
    assert lost(3, (3, 2, 0), 2, 1) == 0  # level is first, too
    assert lost(2, (4, 2, 2), 2, 1) == 1
    assert lost(3, (4, 3, 1), 2, 1) == 0
    assert lost(1, (4, 3, 1), 2, 1) == 0


def test_a_deity_is_worth_more_the_more_turns_are_to_come():
    """Its power may be used every turn."""
    early = {"deities": {"Utu": "Akkadians"}}
    much = value(lay(**early).state, 0) - value(lay().state, 0)
    little = value(lay(**early, piles_drawn=3, pile_left=3).state, 0) - value(
        lay(piles_drawn=3, pile_left=3).state, 0
    )
    assert much > little


def test_every_card_of_a_hand_and_every_power_has_a_worth_of_its_own():
    """Else a discard, or which deity to take, would be decided by dice."""
    assert len(set(worth.POWER.tolist())) >= 5
    assert set(np.argsort(-worth.IN_HAND)[:3]) == {Card.FAMILY, Card.VICTORY, Card.THEFT_OF_DEITY}
    assert GAME.value is worth.value
