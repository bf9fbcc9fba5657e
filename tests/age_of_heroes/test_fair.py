"""Fair: cards for roads, bargaining, promises."""

from __future__ import annotations

import pytest

from agezoo.envs.age_of_heroes.state import Phase, Stage, Vow

from .scenario import fair_cards, lay

WHAT_FOR, SEND, DROP, NO = "and what for?", "that is the offer", "drop the offer", "make no offer"
TABLE, COUNTER, NOTHING = "ask the table", "make a counter-offer", "offer nothing"
I_PROMISE, YOU_PROMISE = (
    "and promise peace until the next Fair",
    "for peace until the next Fair",
)
TO_ALL = "an offer to all"
CONSENT, GIFT = "and promise consent to a road", "and promise a gift at the next Fair"
OUT_OF = "and promise not to attack together with the {}"


def to(tribe):
    return f"an offer to the {tribe}"


def fair(players=3, **more):
    more = {"deck": "12 Grain", **more}
    return lay(players, at="fair", **more)


def last_turn(players=3, **more):
    """The last turn of a round is over: the Fair's cards have been drawn."""
    return lay(players, turn=players - 1, **more).pass_turn()


# -- The cards ---------------------------------------------------------------------------------------------------------


def test_everybody_draws_a_card():
    table = last_turn(4, deck="12 Wood")
    assert [table.hand(seat).get("Wood") for seat in range(4)] == [1, 1, 1, 1]
    assert table.phase == Phase.OFFER


@pytest.mark.parametrize(
    ("roads", "cards"),
    [((0,), [2, 2, 1, 1, 1]), ((0, 1), [3, 3, 3, 1, 1]), ((0, 2), [2, 2, 2, 2, 1]), ((0, 1, 2, 3), [5] * 5),
     ((0, 1, 2, 3, 4), [5] * 5), ((4, 0), [3, 3, 1, 1, 3])],
)  # fmt: skip
def test_and_one_for_each_tribe_that_roads_lead_to_also_through_others(roads, cards):
    table = last_turn(5, roads=roads, deck="12 Wood, 12 Stone, 9 Grain")
    drawn = [sum(table.hand(seat).get(name, 0) for name in ("Wood", "Stone", "Grain")) for seat in range(5)]
    assert drawn == cards


def test_two_players_with_a_road_draw_two():
    table = last_turn(2, roads=(0,), deck="12 Wood")
    assert [table.hand(seat)["Wood"] for seat in range(2)] == [2, 2]


def test_the_deck_is_made_anew_when_it_runs_out():
    tables = [lay(3, turn=2, deck="Wood, Stone", hands={0: "Luck"}).seeded(seed) for seed in range(12)]
    before = sum(tables[0].discards.values())
    for table in tables:
        table.pass_turn()
    held = [table for table in tables if [table.size(seat) for seat in range(3)] == [2, 2, 2]]
    assert len(held) > 6  # the third card can be an event
    for table in held:
        assert sum(table.deck.values()) == before - 1
        assert table.discards == {}


def test_cards_that_must_be_played_are_played_before_the_bargaining():
    table = last_turn(3, deck="2 Population Growth, Wood")
    assert sum(table.has(seat)["city"] for seat in range(3)) == 5
    assert table.phase == Phase.OFFER


def test_catastrophes_strike_at_every_fair_but_the_first():
    table = last_turn(3, hands={0: "3 Grain, Iron", 1: "Grain, Iron", 2: "Iron"}, deck="2 Famine, Wood")
    assert "Grain" not in table.hand(0) | table.hand(1)
    assert table.discards["Famine"] == 2


def test_they_strike_at_the_second_fair():
    table = lay(3, turn=2, hands={0: "Grain, Iron", 1: "Iron", 2: "Iron"}, deck="2 Famine, Wood")
    table.state.round = 1
    table.pass_turn()
    assert table.round == 2
    assert "Grain" not in table.hand(0)


def test_the_events_of_a_seat_go_in_the_order_of_the_rulebook():
    """Ruling 5."""
    table = fair_cards({0: "Eruption, Earthquake"}, armies={1: 1, 2: 1}, cities={0: 1, 1: 2, 2: 2})
    assert table.phase == Phase.EARTHQUAKE
    assert table.play("strike the Romans").phase == Phase.ERUPTION
    assert table.to_act == 0


def test_events_wait_face_up_until_all_have_drawn_and_go_in_turn_order():
    """Ruling 5."""
    cities, armies = dict.fromkeys(range(3), 2), dict.fromkeys(range(3), 1)
    table = lay(3, first=1, turn=0, deck="2 Earthquake, Eruption", armies=armies, cities=cities).pass_turn()
    assert table.stage == Stage.FAIR_CARDS
    assert table.to_act == 1
    assert table.sees(0, "waiting").sum() == 2  # two more to come
    for seat in range(3):  # all see which they are, and before whom
        for other in range(3):
            assert (
                table.sees(seat, "waiting")[(other - seat) % 3].tolist()
                == table.state.waiting[other].tolist()
            )
    asked = []
    while table.stage == Stage.FAIR_CARDS:
        asked.append(table.to_act)
        table.play(min(table.choices()))
    assert asked[0] == 1
    assert table.state.shaken.sum() == 2
    assert sum(table.has(seat)["city"] for seat in range(3)) == 5


def test_barbarians_suspend_the_fair_until_the_battle_is_over():
    hands = {0: "Luck, 3 Iron", 1: "Olympic Games, 3 Iron", 2: "3 Iron"}
    table = last_turn(3, deck="3 Barbarians", hands=hands)
    assert table.stage == Stage.FAIR_CARDS
    table.play("play Luck", "play the Olympic Games")
    assert table.phase == Phase.OFFER
    assert table.hand(2) == {"Iron": 1}
    assert table.discards["Barbarians"] == 3


def test_more_than_five_cards_may_be_held_at_the_fair():
    table = last_turn(3, deck="12 Grain", hands={0: "9 Wood"})
    assert table.size(0) == 10
    assert table.no_offers().turn == 0


# -- Exchanging cards --------------------------------------------------------------------------------------------------


def test_an_exchange_with_a_named_seat():
    """The rulebook's example: stone for iron."""
    table = fair(hands={0: "2 Stone", 1: "Iron, Wood", 2: "Iron"})
    table.play(to("Romans"), "offer Stone", WHAT_FOR, "ask for Iron", SEND)
    assert table.phase == Phase.ANSWER
    assert table.to_act == 1
    assert table.choices() == {"accept", "decline", COUNTER}
    table.play("accept")
    assert table.hand(0) == {"Stone": 1, "Iron": 1}
    assert table.hand(1) == {"Stone": 1, "Wood": 1}
    assert table.to_act == 1  # the next to speak


def test_a_declined_offer_changes_nothing():
    table = fair(hands={0: "2 Stone", 1: "Iron, Wood"})
    table.play(to("Romans"), "offer Stone", WHAT_FOR, "ask for Iron", SEND, "decline")
    assert table.hand(0) == {"Stone": 2}
    assert table.hand(1) == {"Iron": 1, "Wood": 1}
    assert table.state.speaking == 0


def test_several_cards_for_several():
    table = fair(hands={0: "2 Stone, Hero", 1: "Iron, 2 Wood"})
    table.play(to("Romans"), "offer Stone", "offer Stone", "offer Hero", WHAT_FOR)
    table.play("ask for Iron", "ask for Wood", "ask for Wood", SEND, "accept")
    assert table.hand(0) == {"Iron": 1, "Wood": 2}
    assert table.hand(1) == {"Stone": 2, "Hero": 1}


def test_any_card_of_the_resource_deck_may_change_hands():
    held = "Iron, Limestone, Marble, Olympic Games, Hero, Luck"
    table = fair(hands={0: held, 1: "Gold"}).play(to("Romans"))
    assert table.choices("offer") == {f"offer {name}" for name in held.split(", ")} | {NOTHING}


def test_cards_of_the_main_deck_may_not():
    table = fair(armies={0: 3}, fortresses={0: 1}, hands={0: "Iron"}).play(to("Romans"))
    assert table.choices("offer") == {"offer Iron", NOTHING}


def test_an_offer_to_all_goes_to_the_first_who_accepts_in_turn_order():
    table = fair(4, first=1, hands={0: "Iron", 1: "Stone", 2: "Iron", 3: "Iron"})
    table.play(TO_ALL, "offer Stone", WHAT_FOR, "ask for Iron", SEND)
    assert table.to_act == 2
    table.play("decline")
    assert table.to_act == 3
    table.play("accept")
    assert table.hand(3) == {"Stone": 1}
    assert table.hand(1) == {"Iron": 1}
    assert table.hand(0) == {"Iron": 1}
    assert table.to_act == 2  # the offer is over


def test_who_accepts_must_hold_what_is_asked_and_everybody_is_asked():
    """Ruling 8: being asked tells nothing."""
    table = fair(4, hands={0: "Stone", 1: "Wood", 2: "Iron", 3: "Wood"}, play_forced=False)
    table.play(TO_ALL, "offer Stone", WHAT_FOR, "ask for Iron", SEND)
    assert table.to_act == 1
    assert table.choices() == {"decline"}
    table.play("decline")
    assert table.choices() == {"accept", "decline"}
    table.play("decline")
    assert table.choices() == {"decline"}
    assert table.play("decline").phase == Phase.OFFER


def test_an_acceptor_needs_all_the_cards():
    table = fair(hands={0: "Stone", 1: "Iron, Wood"}, play_forced=False)
    table.play(to("Romans"), "offer Stone", WHAT_FOR, "ask for Iron", "ask for Iron", SEND)
    assert table.choices() == {"decline", COUNTER}


def test_a_gift_asks_for_nothing():
    table = fair(hands={0: "2 Stone"}).play(to("Greeks"), "offer Stone", WHAT_FOR, "as a gift")
    assert table.to_act == 2
    table.play("accept")
    assert table.hand(2) == {"Iron": 1, "Stone": 1}
    table = fair(hands={0: "2 Stone"}).play(to("Greeks"), "offer Stone", WHAT_FOR, "as a gift", "decline")
    assert table.hand(0) == {"Stone": 2}


def test_an_offer_may_be_dropped_and_is_then_used_up():
    table = fair(hands={0: "2 Stone"}).play(to("Romans"), "offer Stone", WHAT_FOR, DROP)
    assert table.to_act == 1
    assert table.hand(0) == {"Stone": 2}


def test_nothing_is_offered_for_nothing():
    table = fair(hands={0: "2 Stone"}).play(to("Romans"), NOTHING)
    assert not table.can("as a gift")
    assert table.play("ask for Iron").can("that is the demand")


def test_iron_is_not_asked_for_iron():
    table = fair(hands={0: "2 Stone"}).play(to("Romans"), "offer Stone", WHAT_FOR)
    assert not table.can("ask for Stone")


def test_cards_are_named_in_one_order_so_that_an_offer_is_put_in_one_way():
    table = fair(hands={0: "Iron, Stone, Hero"}).play(to("Romans"), "offer Stone")
    assert table.choices("offer") == {"offer Hero"}


def test_what_is_asked_is_named_in_the_same_order_and_a_promise_comes_last():
    table = fair(hands={0: "Hero"}).play(to("Romans"), "offer Hero", WHAT_FOR, "ask for Stone")
    assert table.can("ask for Stone")
    assert table.can("ask for Gold")
    assert not table.can("ask for Iron")
    assert not table.play(YOU_PROMISE).choices("ask for")
    assert not table.can(YOU_PROMISE)
    assert table.play("for a gift at the next Fair").choices() == {SEND, DROP}


def test_who_has_no_cards_may_promise_or_demand():
    empty = {"hands": {0: ""}, "play_forced": False}
    assert fair(**empty).choices() == {TABLE, TO_ALL, to("Romans"), to("Greeks"), NO}
    assert fair(**empty).play(to("Romans")).choices("and promise") == {
        I_PROMISE,
        CONSENT,
        GIFT,
        OUT_OF.format("Greeks"),
    }
    assert fair(**empty, promises=False).play(to("Romans")).choices() == {NOTHING, DROP}
    again = fair(**empty, promise=((0, 1),))
    assert not again.play(to("Romans")).can(I_PROMISE)
    assert fair(**empty, promise=((0, 1),)).play(TO_ALL).can(I_PROMISE)
    assert not fair(**empty, promise=((0, 1), (0, 2))).play(TO_ALL).can(I_PROMISE)


def test_tribes_that_are_out_take_no_part():
    table = fair(4, out=(1,), hands={0: "2 Stone"}, play_forced=False)
    assert table.choices() == {TABLE, TO_ALL, to("Greeks"), to("Babylonians"), NO}
    table.play(TO_ALL, "offer Stone", WHAT_FOR, "as a gift")
    assert table.to_act == 2
    table.play("decline", "decline")
    assert (table.phase, table.to_act) == (Phase.OFFER, 2)
    assert not fair(3, out=(1,), hands={0: "2 Stone"}).can(TO_ALL)  # two are left
    assert fair(3, out=(1,)).choices() == {TABLE, to("Greeks"), NO}


@pytest.mark.parametrize("cards", [1, 2, 6, 8])
def test_the_number_of_cards_a_side_is_an_option(cards):
    table = fair(hands={0: "9 Stone"}, cards=cards, promises=False, play_forced=False).play(to("Romans"))
    table.play(*["offer Stone"] * cards)
    assert table.choices() == {WHAT_FOR, DROP}
    table.play(WHAT_FOR, *["ask for Iron"] * cards)
    assert table.choices() == {SEND, DROP}


@pytest.mark.parametrize("offers", [1, 2, 4])
def test_the_number_of_offers_is_an_option_so_that_a_fair_ends(offers):
    table = fair(hands=dict.fromkeys(range(3), "4 Stone"), offers=offers)
    spoken = []
    while table.stage == Stage.BARGAINING:
        spoken.append(table.to_act)
        other = "Greeks" if table.to_act != 2 else "Romans"
        table.play(to(other), "offer Stone", WHAT_FOR, "as a gift", "decline")
    assert spoken == [0, 1, 2] * offers
    assert table.turn == 0


def test_every_fair_begins_afresh():
    table = fair(hands=dict.fromkeys(range(3), "4 Stone"), offers=2)
    while table.stage == Stage.BARGAINING:
        other = "Greeks" if table.to_act != 2 else "Romans"
        table.play(to(other), "offer Stone", WHAT_FOR, "as a gift", "decline")
    for _ in range(3):
        table.pass_turn()
    assert table.state.lap == 0
    table.play(NO, NO, NO)  # the offers of the last Fair are forgotten: nobody makes one, it is over
    assert table.turn == 0


def test_the_fair_is_over_when_nobody_makes_an_offer():
    """Ruling 6."""
    table = fair(offers=4).play(NO, NO)
    assert table.to_act == 2
    table.play(NO)
    assert table.turn == 0
    assert table.phase == Phase.ACTION


def test_the_fair_is_over_when_nobody_makes_an_offer_any_more():
    """Ruling 6."""
    table = fair(hands={0: "2 Stone"}, offers=4)
    table.play(to("Romans"), "offer Stone", WHAT_FOR, "as a gift", "decline", NO, NO)
    assert table.to_act == 0  # once more round the table
    table.play(NO, NO, NO)
    assert table.stage == Stage.ACTION


def test_who_made_no_offer_may_still_make_one_next_time_round():
    table = fair(hands={0: "Stone", 1: "Iron"}).play(
        NO, to("Egyptians"), "offer Iron", WHAT_FOR, "ask for Stone", SEND
    )
    table.play("decline", NO)
    assert table.to_act == 0
    assert table.play(to("Romans")).phase == Phase.GIVE


# -- Options -----------------------------------------------------------------------------------------------------------


def test_without_open_offers_every_offer_names_a_seat():
    assert fair().can(TO_ALL)
    assert not fair(open_offers=False).can(TO_ALL)


def test_between_two_an_offer_to_all_would_be_one_to_the_other():
    assert fair(2).choices() == {TABLE, to("Romans"), NO}


def test_without_promises():
    table = fair(promises=False).play(to("Romans"))
    assert not table.can(I_PROMISE)
    assert not table.can(YOU_PROMISE)


def test_without_bargaining_cards_are_drawn_all_the_same():
    table = last_turn(3, deck="9 Wood", fair="cards_only")
    assert table.turn == 0
    assert table.hand(0) == {"Iron": 1, "Wood": 2}
    assert table.hand(1) == {"Iron": 1, "Wood": 1}


def test_without_a_fair_nothing_is_drawn():
    table = last_turn(3, deck="9 Wood", fair="off")
    assert table.turn == 0
    assert table.hand(0) == {"Iron": 1, "Wood": 1}
    assert table.hand(1) == {"Iron": 1}


# -- Promises ----------------------------------------------------------------------------------------------------------


def promise(table):
    """Seat 0 gets gold of seat 1 for the promise not to attack it: the rulebook's example."""
    return table.play(to("Romans"), I_PROMISE, WHAT_FOR, "ask for Gold", SEND, "accept")


def test_gold_for_a_promise():
    table = promise(fair(hands={0: "Iron", 1: "Gold, Iron"}))
    assert table.hand(0) == {"Iron": 1, "Gold": 1}
    assert table.promised(0, 1)
    assert not table.promised(1, 0)
    for seat in range(3):
        assert table.sees(seat, "peace")[(0 - seat) % 3, (1 - seat) % 3] == 1


def test_a_promise_for_a_promise():
    table = fair().play(to("Romans"), I_PROMISE, WHAT_FOR, YOU_PROMISE, SEND, "accept")
    assert table.promised(0, 1)
    assert table.promised(1, 0)


def test_cards_for_a_promise_of_the_other():
    table = fair(hands={0: "2 Gold"}).play(to("Greeks"), "offer Gold", WHAT_FOR, YOU_PROMISE, SEND, "accept")
    assert table.promised(2, 0)
    assert table.hand(2) == {"Iron": 1, "Gold": 1}


def test_a_declined_promise_was_not_made():
    table = fair(hands={1: "Gold"}).play(to("Romans"), I_PROMISE, WHAT_FOR, "ask for Gold", SEND, "decline")
    assert not table.promised(0, 1)


def test_a_promise_to_all_binds_towards_the_one_who_accepts():
    table = fair(hands={0: "Iron", 1: "Gold", 2: "Gold"}).play(
        TO_ALL, I_PROMISE, WHAT_FOR, "ask for Gold", SEND, "decline", "accept"
    )
    assert not table.promised(0, 1)
    assert table.promised(0, 2)


def test_nobody_promises_twice():
    table = promise(fair(hands={0: "Iron", 1: "Gold, Iron"})).play(to("Egyptians"), "offer Iron", WHAT_FOR)
    assert not table.can(YOU_PROMISE)
    table = fair(promise=((0, 1),), hands={0: "Stone"}).play(to("Romans"))
    assert not table.can(I_PROMISE)


def test_a_promise_that_is_kept_until_the_next_fair_is_remembered():
    table = promise(fair(hands={0: "Iron", 1: "Gold, Iron"}, armies={0: 2})).no_offers()
    table.pass_turn().pass_turn()
    assert table.promised(0, 1)
    table.pass_turn()
    assert not table.promised(0, 1)
    assert table.kept(0, 1) == 1
    assert table.broken(0, 1) == 0
    assert table.sees(2, "kept")[1, Vow.PEACE] == 1
    assert table.sees(1, "kept_to")[2] == 1


def test_a_promise_may_be_broken_and_all_remember():
    table = promise(fair(hands={0: "Iron", 1: "Gold, 3 Wood"}, armies={0: 1})).no_offers()
    assert table.can("attack the Romans")
    table.play("attack the Romans", "for plunder")
    assert table.broken(0, 1) == 1
    assert not table.promised(0, 1)
    table.play("take 2 cards")
    assert table.size(0) == 5
    for seat in range(3):
        assert table.sees(seat, "broken")[(0 - seat) % 3].tolist() == [1, 0, 0, 0]
        assert table.sees(seat, "broken_to")[(0 - seat) % 3] == (seat == 1)
    assert table.env.position()["state"]["broken"][0][1] == [1, 0, 0, 0]
    assert table.env.position("player_2")["state"]["broken"][0][1] == [1, 0, 0, 0]
    assert "promises kept 0, broken 1 (1 peace)" in table.env.table_text("player_2")


def test_a_promise_is_to_one_seat():
    table = promise(fair(hands={0: "Iron", 1: "Gold, 3 Wood", 2: "3 Wood"}, armies={0: 1})).no_offers()
    table.play("attack the Greeks", "for plunder", "take 0 cards")
    assert table.promised(0, 1)
    assert table.broken(0, 1) == 0
