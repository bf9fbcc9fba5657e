"""Greedy players at the Fair: they make, take and answer offers as it suits them, and keep the game short."""

from __future__ import annotations

import pytest

from agezoo.envs.age_of_heroes.components import Card
from agezoo.envs.age_of_heroes.state import Phase, Stage, Vow

from .scenario import lay

TABLE, COUNTER, NOTHING = "ask the table", "make a counter-offer", "offer nothing"
WHAT_FOR, SEND = "and what for?", "that is the offer"
SEEDS = range(5)  # of worlds and coins


def to(tribe):
    return f"an offer to the {tribe}"


def fair(players=3, shown=(), **more):
    """A Fair at which (seat, card) are known to all."""
    table = lay(players, at="fair", **more)
    for seat, card in shown:
        table.state.known[seat, card] += 1
    return table


def says(table, seed):
    """What a greedy player does here, in words."""
    return table.env.action_text(table.env.greedy_action(seed))


def plays_on(table, seed, while_it_is):
    """Greedy players all, as long as the table is at this stage."""
    while not table.finished and table.stage == while_it_is:
        table.play(says(table, seed))
        seed += 1
    return table


def after(hands, *words, **more):
    """A table after these words."""
    return fair(hands=hands, **more).play(*words)


@pytest.mark.parametrize("seed", SEEDS)
def test_two_who_need_each_others_special_resources_swap_them(seed):
    """Whatever else they agree on; both are known to hold what the other collects."""
    table = fair(
        hands={0: "Marble, Grain", 1: "Wood", 2: "Limestone, Grain"},
        shown=((0, Card.MARBLE), (2, Card.LIMESTONE)),
    )
    plays_on(table, seed, Stage.BARGAINING)
    assert table.hand(0).get("Limestone") == 1
    assert table.hand(2).get("Marble") == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_a_good_offer_is_accepted_and_a_bad_one_is_not(seed):
    hands = {0: "Marble, Iron", 1: "Wood", 2: "2 Wood, Limestone"}
    offer = (to("Greeks"), "offer Marble", WHAT_FOR, "ask for Limestone", SEND)
    assert says(after(hands, *offer, counters=0), seed) == "accept"
    hands = {0: "Iron, Wood", 1: "Wood", 2: "2 Wood, Marble"}
    offer = (to("Greeks"), "offer Iron", WHAT_FOR, "ask for Marble", SEND)
    assert says(after(hands, *offer), seed) in ("decline", COUNTER)
    assert says(after(hands, *offer, counters=0), seed) == "decline"
    assert (
        says(after(hands, to("Greeks"), NOTHING, "ask for Wood", "that is the demand", counters=0), seed)
        == "decline"
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_more_may_be_had_by_a_counter_offer(seed):
    """Wood for marble will not do; limestone, which seat 0 collects and all know seat 2 has, for marble will."""
    hands = {0: "2 Marble, Wood", 1: "Wood", 2: "2 Wood, Limestone"}
    table = fair(hands=hands, shown=((0, Card.MARBLE), (0, Card.MARBLE), (2, Card.LIMESTONE)))
    table.play(to("Greeks"), "offer Wood", WHAT_FOR, "ask for Limestone", SEND)
    assert says(table, seed) == COUNTER
    table.play(COUNTER)
    while table.phase != Phase.ANSWER:
        table.play(says(table, seed))
    assert table.heard(1)["wanted"].get("Marble", 0) >= 1


@pytest.mark.parametrize("seed", SEEDS)
def test_questions_are_answered_truthfully_or_not_at_all(seed):
    asks = (TABLE, "ask who has Marble")
    assert says(after({1: "Marble, Wood"}, *asks), seed) == "say yes"  # to part with it brings something
    assert says(after({1: "Wood"}, *asks), seed) == "say no"
    own = after({1: "Wood", 2: "Marble, Wood"}, *asks, "say no")
    assert says(own, seed) == "say nothing"  # the Greeks need it themselves


@pytest.mark.parametrize("seed", SEEDS)
def test_the_table_is_asked_when_different_holders_want_different_things(seed):
    table = fair(
        4, hands={0: "Marble, Concrete, Bricks", 1: "3 Grain", 2: "3 Grain", 3: "2 Grain, Limestone"},
        deck="Limestone, Grain",
    )  # fmt: skip
    assert says(table, seed) == TABLE
    table.play(TABLE)
    assert says(table, seed) == "ask who has Limestone"


@pytest.mark.parametrize("seed", SEEDS)
def test_with_nothing_to_trade_nothing_is_said(seed):
    table = fair(hands={0: "Iron", 1: "Iron", 2: "Iron"}, deck="Iron", promises=False)
    assert says(table, seed) == "make no offer"


@pytest.mark.parametrize("seed", SEEDS)
def test_a_promised_gift_is_given_and_promised_consent_too(seed):
    table = fair(hands={0: "Iron, 3 Wood", 1: "Iron"}, promises=True)
    table.state.promise[0, 1, Vow.GIFT] = 2
    plays_on(table, seed, Stage.BARGAINING)
    assert (table.kept(0, 1, Vow.GIFT), table.broken(0, 1, Vow.GIFT)) == (1, 0)
    table = lay(4, turn=1, hands={1: "2 Stone"})
    table.state.promise[0, 1, Vow.ROAD] = 1
    table.play("build a road to the right")
    assert says(table, seed) == "let them build the road"


@pytest.mark.parametrize("seed", SEEDS)
def test_who_breaks_its_word_is_trusted_less(seed):
    """A card for a promise of peace is a bargain with who keeps its promises, and none with who never does."""
    found = []
    for broken in (0, 8):
        table = fair(hands={0: "Iron", 1: "Luck, Iron", 2: "Wood"}, armies={0: 3}, counters=0)
        table.state.round, table.state.broken[0, 2, Vow.PEACE] = 9, broken
        table.play(to("Romans"), "and promise peace until the next Fair", WHAT_FOR, "ask for Luck", SEND)
        found.append(says(table, seed))
    assert found == ["accept", "decline"]
