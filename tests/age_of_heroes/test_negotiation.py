"""What people do at the Fair: they ask around, haggle, threaten, promise, and keep their word or do not."""

from __future__ import annotations

import pytest

from agezoo.envs.age_of_heroes.components import Card
from agezoo.envs.age_of_heroes.state import DUE, NEWEST, NUM_WORDS, Phase, Stage, Vow, Word

from .scenario import GAME, lay

TABLE, NO, COUNTER, NOTHING = "ask the table", "make no offer", "make a counter-offer", "offer nothing"
WHAT_FOR, SEND, DROP, DEMAND = "and what for?", "that is the offer", "drop the offer", "that is the demand"
PEACE, FOR_PEACE = "and promise peace until the next Fair", "for peace until the next Fair"
ROAD, FOR_ROAD = "and promise consent to a road", "for consent to a road"
GIFT, FOR_GIFT = "and promise a gift at the next Fair", "for a gift at the next Fair"


def to(tribe):
    return f"an offer to the {tribe}"


def fair(players=3, **more):
    more = {"deck": "12 Grain", **more}
    return lay(players, at="fair", **more)


def views(table, players=3):
    return [table.env.observe(f"player_{seat}")["observation"].tobytes() for seat in range(players)]


# -- Asking the table --------------------------------------------------------------------------------------------------


def test_the_table_is_asked_and_each_seat_says_what_it_likes():
    table = fair(4, hands={0: "Iron", 1: "Marble", 2: "Iron", 3: "Wood"}).play(TABLE, "ask who has Marble")
    for seat in (1, 2, 3):
        assert (table.phase, table.to_act) == (Phase.REPLY, seat)
        assert table.choices() == {"say yes", "say no", "say nothing"}
        table.play({1: "say no", 2: "say yes", 3: "say nothing"}[seat])  # two lies and a silence
    assert (table.phase, table.to_act) == (Phase.OFFER, 0)  # who asked may make an offer now
    for observer in range(4):
        assert table.heard(observer) == {
            "what": ["question"], "by": [0], "to": [1, 2, 3], "third": [], "given": {}, "wanted": {"Marble": 1},
            "vows": {}, "yes": [2], "no": [1],
        }  # fmt: skip


def test_a_reply_shows_nothing_of_a_hand():
    for said in ("say yes", "say no", "say nothing"):
        tables = [fair(hands={1: held}, deck=None) for held in ("Marble", "Wood")]
        for table in tables:
            table.play(TABLE, "ask who has Marble", said)
            assert table.known(1, 0) == table.known(1, 2) == {}
        for seat in (0, 2):
            assert len({views(table)[seat] for table in tables}) == 1


def test_one_question_a_say():
    table = fair().play(TABLE, "ask who has Iron", "say no", "say no")
    assert not table.can(TABLE)
    table.play(NO)
    assert table.to_act == 1
    assert table.can(TABLE)


def test_after_a_question_there_is_once_more_a_say_for_everybody():
    table = fair(offers=2).play(TABLE, "ask who has Iron", "say no", "say nothing", NO, NO, NO)
    assert (table.stage, table.to_act) == (Stage.BARGAINING, 0)
    table.play(NO, NO, NO)
    assert table.turn == 0


def test_who_lied_gets_an_offer_and_cannot_accept_it():
    table = fair(hands={0: "Stone", 1: "Wood", 2: "Marble"}, counters=0, play_forced=False)
    table.play(TABLE, "ask who has Marble", "say yes", "say nothing")
    table.play(to("Romans"), "offer Stone", WHAT_FOR, "ask for Marble", SEND)
    assert table.choices() == {"decline"}


# -- Exchanges ---------------------------------------------------------------------------------------------------------


def test_six_cards_for_six():
    table = fair(hands={0: "3 Stone, 2 Iron, Hero", 1: "4 Grain, 2 Wood"}, deck="6 Gold")
    table.play(to("Romans"), "offer Iron", "offer Iron", *["offer Stone"] * 3, "offer Hero", WHAT_FOR)
    table.play("ask for Wood", "ask for Wood", *["ask for Grain"] * 4, SEND, "accept")
    assert table.hand(0) == {"Wood": 2, "Grain": 4}
    assert table.hand(1) == {"Iron": 2, "Stone": 3, "Hero": 1}
    assert table.heard(2)["given"] == {"Iron": 2, "Stone": 3, "Hero": 1}
    assert table.heard(2)["wanted"] == {"Wood": 2, "Grain": 4}
    assert table.heard(2)["yes"] == [1]


def test_a_chain_of_three():
    """Seat 0 wants marble, which seat 2 gives for iron alone, which seat 1 gives for stone."""
    table = fair(hands={0: "Stone, Luck", 1: "Iron", 2: "Marble"}, offers=3)
    table.play(to("Greeks"), "offer Stone", WHAT_FOR, "ask for Marble", SEND)
    table.play(COUNTER, NOTHING, "ask for Iron", DEMAND)  # "iron is what I want"
    assert (table.to_act, table.phase) == (0, Phase.ANSWER)
    assert not table.can("accept")
    table.play("decline", NO, NO)
    table.play(to("Romans"), "offer Stone", WHAT_FOR, "ask for Iron", SEND, "accept")
    table.play(NO, to("Egyptians"), "offer Marble", WHAT_FOR, "ask for Iron", SEND, "accept")
    assert table.hand(0) == {"Marble": 1, "Luck": 1}
    assert table.hand(1) == {"Stone": 1}
    assert table.hand(2) == {"Iron": 1}


def test_a_counter_offer_is_accepted():
    table = fair(hands={0: "2 Stone", 1: "Iron, Wood"})
    table.play(to("Romans"), "offer Stone", WHAT_FOR, "ask for Iron", SEND, COUNTER)
    assert (table.to_act, table.phase) == (1, Phase.GIVE)
    table.play("offer Iron", WHAT_FOR, "ask for Stone", "ask for Stone", SEND)
    assert (table.to_act, table.phase) == (0, Phase.ANSWER)
    table.play("accept")
    assert table.hand(0) == {"Iron": 1}
    assert table.hand(1) == {"Stone": 2, "Wood": 1}
    assert (table.to_act, table.phase) == (1, Phase.OFFER)  # seat 0 has had its say
    first, second = table.heard(2, back=1), table.heard(2)
    assert (first["what"], first["given"], first["no"]) == (["offer"], {"Stone": 1}, [1])
    assert (second["what"], second["by"], second["to"]) == (["counter-offer"], [1], [0])
    assert (second["given"], second["wanted"], second["yes"]) == ({"Iron": 1}, {"Stone": 2}, [0])


@pytest.mark.parametrize("counters", [0, 1, 2, 3])
def test_counter_offers_come_to_an_end(counters):
    table = fair(hands={0: "Stone", 1: "Iron"}, counters=counters, play_forced=False)
    table.play(to("Romans"), "offer Stone", WHAT_FOR, "ask for Iron", SEND)
    speakers = []
    while table.can(COUNTER):
        speakers.append(table.to_act)
        table.play(COUNTER, NOTHING, "ask for Luck", DEMAND)
    assert speakers == [1, 0, 1][:counters]
    table.play("decline")
    assert (table.to_act, table.phase, table.state.chain) == (1, Phase.OFFER, 0)


def test_a_counter_offer_that_is_dropped_declines():
    table = fair(hands={0: "Stone", 1: "Iron"}).play(
        to("Romans"), "offer Stone", WHAT_FOR, "ask for Iron", SEND
    )
    table.play(COUNTER, "offer Iron", DROP)
    assert (table.to_act, table.phase) == (1, Phase.OFFER)
    assert table.hand(0) == {"Stone": 1}
    assert table.known(1, 2) == {"Iron": 1}  # what was shown stays known


def test_an_offer_to_all_is_answered_by_yes_or_no():
    table = fair(hands={0: "Stone", 1: "Iron", 2: "Iron"})
    table.play("an offer to all", "offer Stone", WHAT_FOR, "ask for Iron", SEND)
    assert table.choices() == {"accept", "decline"}


def test_a_card_is_shown_and_the_offer_dropped():
    table = fair(hands={0: "Hero, Iron"}).play(to("Romans"), "offer Hero", DROP)
    assert table.hand(0) == {"Iron": 1, "Hero": 1}
    assert table.known(0, 1) == table.known(0, 2) == {"Hero": 1}
    heard = table.heard(2)
    assert (heard["what"], heard["given"], heard["to"]) == (["offer", "dropped"], {"Hero": 1}, [1])
    for world in table.worlds(2, 50):
        assert world["hand"][0, Card.HERO] >= 1


def test_an_offer_can_be_dropped_at_every_step():
    steps = [to("Romans"), "offer Stone", PEACE, WHAT_FOR, "ask for Iron", FOR_GIFT]
    for number in range(1, len(steps) + 1):
        table = fair(hands={0: "Stone"}).play(*steps[:number], DROP)
        assert (table.to_act, table.phase) == (1, Phase.OFFER)
        assert not table.state.promise.any()


def test_a_threat_gives_nothing_and_is_carried_out():
    """Seat 0 demands gold, seat 1 declines, and is plundered; seat 2, of which stone is demanded next time, yields."""
    table = fair(hands={0: "Luck", 1: "Gold, 4 Iron", 2: "2 Stone"}, armies={0: 1}, deck="12 Grain, 8 Wood")
    table.play(to("Romans"), NOTHING, "ask for Gold", DEMAND, "decline").no_offers()
    assert table.heard(2)["wanted"] == {"Gold": 1}
    assert table.heard(2)["given"] == {}
    table.play("attack the Romans", "for plunder", "take 2 cards").pass_turn().pass_turn()
    while table.stage != Stage.BARGAINING:
        table.play(min(table.choices()))
    table.play(to("Greeks"), NOTHING, "ask for Stone", DEMAND, "accept")
    assert table.hand(0)["Stone"] == 1


# -- What was said is remembered ---------------------------------------------------------------------------------------


def test_the_last_words_are_remembered_oldest_first_by_all():
    table = fair(4, hands=dict.fromkeys(range(4), "2 Stone"), offers=2)
    for card in ("Iron", "Wood", "Grain", "Gold", "Luck"):
        other = "Greeks" if table.to_act != 2 else "Romans"
        table.play(to(other), "offer Stone", WHAT_FOR, f"ask for {card}", SEND, "decline")
    for observer in range(4):
        wanted = [table.heard(observer, back)["wanted"] for back in reversed(range(NUM_WORDS))]
        assert wanted == [{"Wood": 1}, {"Grain": 1}, {"Gold": 1}, {"Luck": 1}]
        speakers = [table.heard(observer, back)["by"] for back in reversed(range(NUM_WORDS))]
        assert speakers == [[1], [2], [3], [0]]


def test_what_is_being_said_is_heard_as_it_is_said():
    table = fair(hands={0: "Stone"}).play(to("Romans"), "offer Stone")
    assert table.heard(2)["given"] == {"Stone": 1}
    table.play(WHAT_FOR, "ask for Iron", "for the promise not to attack together with the Greeks")
    heard = table.heard(1)
    assert (heard["wanted"], heard["vows"], heard["third"]) == ({"Iron": 1}, {"STAY_OUT": 1}, [2])


def test_words_are_forgotten_when_the_next_round_begins():
    table = fair(hands={0: "Stone, Iron"}).play(
        to("Romans"), "offer Stone", WHAT_FOR, "ask for Iron", SEND, "decline"
    )
    table.no_offers()
    assert table.heard(2)["wanted"] == {"Iron": 1}  # in the turns they are remembered
    table.pass_turn().pass_turn().pass_turn()
    assert not table.sees(2, "word").any()


def test_words_in_words():
    table = fair(hands={0: "2 Stone, Wood", 1: "Marble"}).play(
        TABLE, "ask who has Marble", "say yes", "say no"
    )
    table.play(to("Romans"), "offer Wood", "offer Stone", "offer Stone", PEACE, WHAT_FOR, "ask for Marble")
    told = GAME.told(table.state, table.action(SEND), 2)
    assert told == "offer the Romans 1 Wood and 2 Stone and peace until the next Fair for 1 Marble"
    table.play(SEND, "accept")
    shown = table.env.table_text("player_2")
    assert "Said: the Egyptians ask who has Marble; the Romans say yes, the Greeks say no" in shown
    assert f"Said: the Egyptians {told}; the Romans accept" in shown
    assert "Egyptians: promised the Romans peace until the next Fair" in shown


def test_who_gives_the_last_card_away_is_out_in_the_midst_of_the_fair():
    table = fair(2, hands={0: "Stone"}, cities={0: 0})
    table.play(to("Romans"), "offer Stone", WHAT_FOR, "as a gift", "accept")
    assert table.winner == 1
    table.env.load(table.env.position())


# -- Promises: peace ---------------------------------------------------------------------------------------------------


def test_several_promises_at_once():
    table = fair(hands={0: "Stone", 1: "Gold"})
    table.play(to("Romans"), PEACE, ROAD, GIFT, WHAT_FOR, "ask for Gold", FOR_PEACE, SEND, "accept")
    assert [table.promised(0, 1, vow) for vow in Vow] == [True, False, True, True]
    assert [table.promised(1, 0, vow) for vow in Vow] == [True, False, False, False]
    assert table.heard(2)["vows"] == {"PEACE": 2, "ROAD": -1, "GIFT": -1}


def test_going_back_on_ones_word():
    """Seat 0 sells its promise for gold, and attacks all the same."""
    table = fair(hands={0: "Iron", 1: "Gold, 3 Wood"}, armies={0: 1})
    table.play(to("Romans"), PEACE, WHAT_FOR, "ask for Gold", SEND, "accept").no_offers()
    table.play("attack the Romans", "for plunder", "take 2 cards")
    assert (table.broken(0, 1), table.kept(0, 1), table.promised(0, 1)) == (1, 0, False)
    assert table.hand(0)["Gold"] == 1


# -- Promises: not together with a third tribe -------------------------------------------------------------------------


def out_of(tribe):
    return f"and promise not to attack together with the {tribe}"


def stays_out(**more):
    """Seat 2 has promised seat 1 not to attack it together with seat 0."""
    hands = {0: "2 Iron", 1: "5 Wood", 2: "Iron"}
    table = fair(hands=hands, armies={0: 1, 2: 1}, **more).play(NO, NO)
    return table.play(to("Romans"), out_of("Egyptians"), WHAT_FOR, "ask for Wood", SEND, "accept").no_offers()


def test_all_hear_of_which_war_somebody_stays_out():
    table = stays_out()
    for seat in range(3):
        row = table.sees(seat, "stay_out")[(2 - seat) % 3]
        assert (row[(1 - seat) % 3], row[(0 - seat) % 3]) == (1, -1)


def test_it_is_broken_by_an_attack_after_the_third_tribe_has_attacked():
    table = stays_out().play("attack the Romans", "for plunder", "take 2 cards")
    assert table.state.promise[2, 1, Vow.STAY_OUT] == DUE
    assert table.sees(0, "stay_out")[2, 1] == 2
    table.pass_turn().play("attack the Romans", "for plunder")
    assert (table.broken(2, 1, Vow.STAY_OUT), table.kept(2, 1, Vow.STAY_OUT)) == (1, 0)
    assert not table.state.against.any()


def test_it_is_kept_by_an_attack_alone():
    table = stays_out().pass_turn().pass_turn().play("attack the Romans", "for plunder")
    assert table.promised(2, 1, Vow.STAY_OUT)
    table.play("take 2 cards")  # the next Fair begins
    assert (table.broken(2, 1, Vow.STAY_OUT), table.kept(2, 1, Vow.STAY_OUT)) == (0, 1)
    assert not table.state.against.any()


def test_it_is_kept_by_who_stays_out_of_the_war():
    table = stays_out().play("attack the Romans", "for plunder", "take 2 cards").pass_turn()
    table.pass_turn().pass_turn()
    assert (table.broken(2, 1, Vow.STAY_OUT), table.kept(2, 1, Vow.STAY_OUT)) == (0, 1)


def test_the_war_of_another_tribe_is_another_matter():
    hands = {0: "2 Iron", 1: "5 Wood", 2: "2 Iron", 3: "Stone"}
    table = fair(4, hands=hands, armies={0: 1, 2: 1}).play(NO, NO)
    table.play(to("Romans"), out_of("Babylonians"), WHAT_FOR, "ask for Wood", SEND, "accept").no_offers()
    table.play("attack the Romans", "for plunder", "take 2 cards").pass_turn()
    table.play("attack the Romans", "for plunder")
    assert table.broken(2, 1, Vow.STAY_OUT) == 0
    assert table.promised(2, 1, Vow.STAY_OUT)


def test_a_tribe_stays_out_of_one_war_at_a_time_and_two_have_no_third():
    table = fair(4, hands={0: "Stone", 1: "Gold"})
    table.play(to("Romans"), out_of("Greeks"), WHAT_FOR, "ask for Gold", SEND, "accept", NO, NO, NO)
    assert not table.play(to("Babylonians")).can(out_of("Greeks"))
    table = fair(4, hands={0: "Stone"}).play(to("Romans"))
    assert table.choices("and promise not") == {out_of("Greeks"), out_of("Babylonians")}
    assert not fair(4).play("an offer to all").choices("and promise not")
    assert not fair(2).play(to("Romans")).choices("and promise not")


def test_both_sides_of_an_offer_name_the_same_third():
    table = fair(4).play(to("Romans"), out_of("Greeks"), WHAT_FOR)
    assert table.choices("for the promise") == {"for the promise not to attack together with the Greeks"}
    table.play("for the promise not to attack together with the Greeks", SEND, "accept")
    assert table.state.against.tolist()[:2] == [1 << 2, 1 << 2]


def test_a_promise_ends_with_the_third_tribe():
    hands = {0: "2 Iron", 1: "5 Wood", 2: "2 Iron", 3: "Stone"}
    table = fair(4, hands=hands, armies={0: 2, 2: 1}, cities={3: 0}, deck="12 Grain").play(NO, NO)
    table.play(to("Romans"), out_of("Babylonians"), WHAT_FOR, "ask for Wood", SEND, "accept").no_offers()
    table.play("attack the Babylonians", "send 1 army without a general", "take 1 card")
    assert table.out == {3}
    assert not table.promised(2, 1, Vow.STAY_OUT)
    assert not table.state.against.any()


# -- Promises: consent to a road ---------------------------------------------------------------------------------------


def wants_a_road(**more):
    """Seat 1, to whom seat 0 has promised its consent, can pay for a road."""
    table = fair(4, hands={0: "Iron", 1: "Gold, 2 Stone"}, **more)
    return table.play(to("Romans"), ROAD, WHAT_FOR, "ask for Gold", SEND, "accept").no_offers()


@pytest.mark.parametrize(("said", "kept"), [("let them build the road", 1), ("refuse the road", 0)])
def test_consent_to_a_road_is_given_or_refused(said, kept):
    table = wants_a_road().pass_turn().play("build a road to the right")
    assert table.to_act == 0
    table.play(said)
    assert table.road(0, 1) == bool(kept)
    assert (table.kept(0, 1, Vow.ROAD), table.broken(0, 1, Vow.ROAD)) == (kept, 1 - kept)
    assert not table.promised(0, 1, Vow.ROAD)
    for seat in range(4):
        assert table.sees(seat, "kept" if kept else "broken")[(0 - seat) % 4, Vow.ROAD] == 1


def test_consent_that_nobody_asks_for_is_neither_kept_nor_broken():
    table = wants_a_road()
    for _ in range(4):
        table.pass_turn()
    assert not table.promised(0, 1, Vow.ROAD)
    assert table.kept(0, 1, Vow.ROAD) + table.broken(0, 1, Vow.ROAD) == 0


def test_consent_is_promised_to_neighbours_without_a_road():
    table = fair(4, roads=(0,))
    assert not table.play(to("Romans")).can(ROAD)
    assert fair(4, roads=(0,)).play(to("Babylonians")).can(ROAD)
    assert not fair(4, roads=(0,)).play(to("Greeks")).can(ROAD)


# -- Promises: a gift at the next Fair ---------------------------------------------------------------------------------


def next_fair(**more):
    """Seat 0 has promised seat 1 a gift, and the next Fair has come."""
    hands = {0: "2 Stone, Iron", 1: "Gold, Iron"}
    table = fair(hands=hands, deck="12 Grain, 9 Wood", **more)
    table.play(to("Romans"), GIFT, WHAT_FOR, "ask for Gold", SEND, "accept").no_offers()
    assert table.state.promise[0, 1, Vow.GIFT] == 1
    for _ in range(3):
        table.pass_turn()
    assert table.state.promise[0, 1, Vow.GIFT] == DUE
    assert table.sees(2, "gift_promised")[1, 2] == 2
    return table


@pytest.mark.parametrize("said", ["accept", "decline"])
def test_a_gift_that_is_offered_keeps_the_promise(said):
    table = next_fair().play(to("Romans"), "offer Stone", WHAT_FOR, "as a gift", said)
    assert (table.kept(0, 1, Vow.GIFT), table.promised(0, 1, Vow.GIFT)) == (1, False)
    table.no_offers()
    assert table.broken(0, 1, Vow.GIFT) == 0


def test_a_gift_may_be_given_in_a_counter_offer():
    table = next_fair().play(NO, to("Egyptians"), NOTHING, "ask for Stone", DEMAND)
    table.play(COUNTER, "offer Stone", WHAT_FOR, "as a gift", "accept")
    assert table.kept(0, 1, Vow.GIFT) == 1


def test_what_asks_for_something_is_no_gift():
    table = (
        next_fair().play(to("Romans"), "offer Stone", WHAT_FOR, "ask for Iron", SEND, "accept").no_offers()
    )
    assert (table.kept(0, 1, Vow.GIFT), table.broken(0, 1, Vow.GIFT)) == (0, 1)


def test_a_gift_to_another_is_none_to_this_one():
    table = next_fair().play(to("Greeks"), "offer Stone", WHAT_FOR, "as a gift", "accept").no_offers()
    assert (table.kept(0, 1, Vow.GIFT), table.broken(0, 1, Vow.GIFT)) == (0, 1)


def test_a_gift_that_does_not_come_breaks_the_promise_when_the_fair_is_over():
    table = next_fair()
    table.play(NO, NO)
    assert table.promised(0, 1, Vow.GIFT)
    table.play(NO)
    assert (table.kept(0, 1, Vow.GIFT), table.broken(0, 1, Vow.GIFT)) == (0, 1)
    assert table.sees(1, "broken_to")[2] == 1


def test_a_gift_at_the_fair_of_the_promise_is_not_the_one_that_was_promised():
    table = fair(hands={0: "2 Stone, Iron", 1: "Gold, Iron"}, deck="12 Grain, 9 Wood")
    table.play(to("Romans"), GIFT, WHAT_FOR, "ask for Gold", SEND, "accept", NO, NO)
    table.play(to("Romans"), "offer Stone", WHAT_FOR, "as a gift", "accept")
    assert (table.kept(0, 1, Vow.GIFT), table.promised(0, 1, Vow.GIFT)) == (0, True)


# -- Promises are words ------------------------------------------------------------------------------------------------


def test_what_was_declined_was_not_promised():
    table = fair(hands={1: "Gold"}).play(
        to("Romans"), PEACE, ROAD, GIFT, WHAT_FOR, "ask for Gold", SEND, "decline"
    )
    assert not table.state.promise.any()
    assert table.heard(2)["vows"] == {"PEACE": -1, "ROAD": -1, "GIFT": -1}


def test_the_word_of_a_counter_offer_binds_the_one_who_made_it():
    table = fair(hands={0: "Gold", 1: "Iron"}).play(to("Romans"), NOTHING, FOR_PEACE, DEMAND)
    table.play(COUNTER, PEACE, WHAT_FOR, "ask for Gold", SEND, "accept")
    assert table.promised(1, 0)
    assert not table.promised(0, 1)
    assert table.state.word[NEWEST] == Word.COUNTER_OFFER
