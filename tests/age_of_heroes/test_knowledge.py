"""What a seat sees, what it remembers, and the worlds that it holds possible."""

from __future__ import annotations

import itertools
from collections import Counter
from math import comb, prod

import numpy as np

from agezoo.envs.age_of_heroes.components import BATTLE_CARDS, COUNTS, NUM_HELD, Card
from agezoo.envs.age_of_heroes.state import Phase
from agezoo.envs.engine.conformance import surprise

from .scenario import GAME, lay, named

WORLDS = 20_000


def to(tribe):
    return f"an offer to the {tribe}"


# -- Who is sure of what -----------------------------------------------------------------------------------------------


def test_a_hand_is_hidden_and_its_size_is_not():
    table = lay(hands={0: "2 Wood, Hero", 1: "3 Iron"})
    assert table.known(0, 1) == {}
    assert table.known(0, 0) == {"Wood": 2, "Hero": 1}
    assert table.sees(1, "hand_size")[:3].tolist() == [3, 1, 3]


def test_an_offer_shows_the_cards_that_are_offered_also_when_it_is_dropped():
    table = lay(at="fair", hands={0: "3 Wood, Hero"}).play(to("Romans"), "offer Wood", "offer Wood")
    assert table.known(0, 2) == {"Wood": 2}
    table.play("and what for?", "ask for Iron", "drop the offer")
    assert table.known(0, 1) == table.known(0, 2) == {"Wood": 2}
    assert table.sees(0, "seen_by")[1].sum() == 2


def test_offering_the_same_card_again_shows_nothing_new():
    table = lay(at="fair", hands={0: "3 Wood"}, play_forced=False)
    for _ in range(2):
        table.play(
            to("Romans"), "offer Wood", "and what for?", "ask for Iron", "that is the offer", "decline"
        )
        while table.phase == Phase.OFFER and table.to_act != 0:
            table.play("make no offer")
    assert table.known(0, 1) == {"Wood": 1}


def test_an_exchange_is_seen_by_all():
    table = lay(at="fair", hands={0: "2 Wood, Hero", 1: "2 Iron, Luck"})
    table.play(to("Romans"), "offer Wood", "and what for?", "ask for Iron", "that is the offer", "accept")
    assert table.known(0, 2) == {"Iron": 1}
    assert table.known(1, 2) == {"Wood": 1}
    assert table.known(1, 0) == {"Wood": 1}


def test_what_is_known_and_played_is_known_no_more():
    table = lay(at="fair", deck="9 Grain", hands={0: "2 Wood, Stone, Iron"}).play(
        to("Romans"), "offer Wood", "and what for?"
    )
    table.play("ask for Luck", "that is the offer", "decline").no_offers()
    assert table.turn == 0
    assert table.known(0, 1) == {"Wood": 1}
    table.play("build a city")
    assert table.known(0, 1) == {}
    assert table.hand(0) == {"Iron": 1, "Grain": 1}


def test_asking_and_declining_show_nothing():
    table = lay(at="fair", hands={0: "2 Wood", 1: "Iron"}, play_forced=False)
    table.play(to("Romans"), "offer Wood", "and what for?", "ask for Iron", "that is the offer")
    before = table.known(1, 0), table.known(1, 2)
    table.play("decline")
    assert (table.known(1, 0), table.known(1, 2)) == before == ({}, {})


def test_plundered_cards_are_known_to_the_two_concerned():
    table = lay(armies={0: 1}, hands={0: "", 1: "4 Iron"}, deck="9 Grain", cities={1: 0})
    table.play("attack the Romans", "take 2 cards")
    assert table.known(0, 1) == {"Iron": 2}
    assert table.known(0, 2) == {}
    assert table.sees(0, "seen_by")[1, Card.IRON] == 2


def test_after_a_plunder_others_are_sure_of_fewer():
    """Ruling 24."""
    table = lay(
        armies={0: 1}, hands={0: "Luck", 1: "3 Iron, 2 Wood", 2: "Luck"}, deck="9 Grain", cities={1: 0}
    )
    s = table.state
    s.known[1, Card.IRON], s.known[1, Card.WOOD] = 3, 1
    table.play("attack the Romans", "take 2 cards")
    assert table.known(1, 2) == {"Iron": 1}
    took = table.hand(0)  # the robber saw which cards went
    left = {"Iron": 3 - took.get("Iron", 0), "Wood": 1 - took.get("Wood", 0)}
    assert table.known(1, 0) == {name: number for name, number in left.items() if number > 0}


def test_a_whole_hand_that_is_plundered_takes_along_what_is_known_of_it():
    """Ruling 24."""
    table = lay(armies={0: 2}, hands={0: "Luck", 1: "2 Iron, Wood", 2: "Luck"}, deck="9 Grain")
    table.state.known[1, Card.IRON] = 1
    table.play("attack the Romans", "for plunder", "send 2 armies without a general", "take 3 cards")
    assert table.known(0, 2) == {"Iron": 1}
    assert table.known(0, 1) == {"Iron": 2, "Wood": 1}


def test_battle_cards_are_seen_by_their_own_side_until_they_are_turned_up():
    table = lay(armies={0: 2, 1: 2}, hands={1: "Olympic Games, 4 Iron"})
    table.play("attack the Romans", "for plunder", "send 2 armies without a general").fate("1 6", "2 5")
    table.play("stand and fight")
    assert table.sees(0, "laid")[0].tolist() == [1, 0, 0, 0, 0, 1]
    assert table.sees(1, "laid")[0].tolist() == [0, 1, 0, 0, 1, 0]
    assert not table.sees(2, "laid").any()
    table.play("fight with the army, strength 6", "fight with the army, strength 2")
    assert table.sees(2, "shown").tolist() == [1, 1, 0, 0, 1, 1]  # the other two were forced


def test_words_do_not_tell_what_battle_cards_do_not():
    table = lay(armies={0: 2, 1: 2}, hands={1: "Olympic Games, 4 Iron"})
    table.play("attack the Romans", "for plunder", "send 2 armies without a general").fate("1 6", "2 5")
    table.play("stand and fight")
    s, action = table.state, table.env.parse_action("fight with the army, strength 6")
    assert GAME.told(s, action, 1) == GAME.told(s, action, 2) == "choose an army"
    assert GAME.told(s, action, 0) == "fight with the army, strength 6"
    table.play("fight with the army, strength 6")
    action = table.env.parse_action("fight with the army, strength 2")
    assert GAME.told(table.state, action, 0) == "fight with the army, strength 2"  # both are revealed now


# -- Worlds ------------------------------------------------------------------------------------------------------------


def test_worlds_keep_what_is_known():
    table = lay(at="fair", hands={0: "2 Wood, Hero", 1: "2 Iron, Luck", 2: "4 Gold"})
    table.play(to("Romans"), "offer Wood", "and what for?", "ask for Iron", "that is the offer", "accept")
    for world in table.worlds(2, 200):
        assert world["hand"][2].tolist() == table.state.hand[2].tolist()
        assert world["hand_size"].tolist() == table.state.hand_size.tolist()
        assert world["hand"][0][Card.IRON] >= 1
        assert world["hand"][1][Card.WOOD] >= 1


def test_worlds_are_uniform_over_the_deals_that_fit():
    """Against exact enumeration: every set of cards in two hands as often as there are ways to deal it."""
    table = lay(hands={0: "2 Iron, Wood", 1: "Iron, Hero", 2: "Gold"}, deck="2 Iron, Wood, 2 Famine")
    table.state.known[0, Card.WOOD] = 1  # seat 2 is sure of one Wood
    unseen = Counter({Card.IRON: 5, Card.WOOD: 1, Card.HERO: 1})  # in hands and deck, but for what is known
    expected: Counter = Counter()
    kinds = sorted(unseen)
    for first in itertools.product(*(range(unseen[k] + 1) for k in kinds)):
        for second in itertools.product(
            *(range(unseen[k] - a + 1) for k, a in zip(kinds, first, strict=True))
        ):
            if sum(first) == 2 and sum(second) == 2:
                ways = prod(
                    comb(unseen[k], a) * comb(unseen[k] - a, b)
                    for k, a, b in zip(kinds, first, second, strict=True)
                )
                expected[first, second] += ways
    found: Counter = Counter()
    for world in table.worlds(2, WORLDS):
        hands = [world["hand"][seat].copy() for seat in (0, 1)]
        hands[0][Card.WOOD] -= 1
        found[tuple(tuple(int(hand[k]) for k in kinds) for hand in hands)] += 1
    assert set(found) <= set(expected)
    total = sum(expected.values())
    common = [key for key, ways in expected.items() if ways / total * WORLDS > 20]
    counts = np.array(
        [[found[key]] for key in common] + [[sum(found.values()) - sum(found[k] for k in common)]]
    )
    wanted = np.array([[expected[key] * WORLDS / total] for key in common])
    wanted = np.concatenate([wanted, [[WORLDS - wanted.sum()]]])
    assert len(common) > 5
    assert surprise(counts, np.maximum(wanted, 1e-9))[0] < 6


def test_events_that_are_played_at_once_are_never_in_a_hand_of_a_world():
    table = lay(hands={0: "2 Iron", 1: "3 Wood"}, deck="Iron, Wood, 3 Barbarians, 2 Famine")
    for world in table.worlds(2, 200):
        assert world["deck"][NUM_HELD:].tolist() == table.state.deck[NUM_HELD:].tolist()
        assert world["deck"].sum() == 7


def test_unrevealed_battle_cards_are_drawn_anew_and_revealed_ones_are_not():
    table = lay(armies={0: 2, 1: 2}, hands={1: "Olympic Games, 4 Iron"})
    table.play("attack the Romans", "for plunder", "send 2 armies without a general").fate("1 6", "2 5")
    table.play("stand and fight", "fight with the army, strength 6")
    strengths, choices = Counter(), Counter()
    for world in table.worlds(1, 4000):
        assert world["laid"][1].tolist() == table.state.laid[1].tolist()
        cards = np.flatnonzero(world["laid"][0, 0])
        strengths.update(cards.tolist())
        choices[int(world["chosen"])] += 1
        total = (
            world["battle_deck"]
            + world["laid"].sum(axis=(0, 1))
            + world["shown"]
            + world["drawn"].sum(axis=0)
        )
        assert (total == BATTLE_CARDS).all()
    assert set(strengths) == set(range(6))
    assert set(choices) == set(range(6))
    own = {int(world["chosen"]) for world in table.worlds(0, 50)}
    assert own == {int(table.state.chosen)}  # the attacker knows its choice


def test_worlds_forget_what_others_know_of_third_hands():
    """Ruling 26."""
    table = lay(armies={0: 1}, hands={0: "Luck", 1: "4 Iron", 2: "Luck"}, deck="9 Grain", cities={1: 0})
    table.play("attack the Romans", "take 2 cards")
    assert table.state.noted[1, 0].sum() == 2
    for world in table.worlds(2, 20):
        assert not world["noted"][1].any()
    for world in table.worlds(0, 20):
        assert (
            world["noted"][1, 0].tolist() == table.state.noted[1, 0].tolist()
        )  # of one's own hand one knows it


def test_after_the_deck_was_made_anew_anything_unseen_may_be_in_a_hand():
    """Ruling 25."""
    table = lay(hands={0: "Iron", 1: "2 Luck", 2: "Iron"}, deck="Wood", cities={0: 2}).play("collect taxes")
    assert sum(table.deck.values()) > 90
    held = {name for world in table.worlds(2, 400) for name in named(enumerate(world["hand"][1]))}
    assert {"Luck", "Grain", "Stone"} <= held


def test_nothing_is_lost_in_a_world():
    table = lay(hands={0: "2 Iron, Hero", 1: "3 Wood"}, deck="4 Iron, Wood, 3 Barbarians")
    for seed in range(20):
        GAME.check(table.world(2, seed).state)
    assert COUNTS.sum() == 108
