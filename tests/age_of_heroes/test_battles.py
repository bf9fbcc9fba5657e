"""Battles."""

from __future__ import annotations

import pytest

from agezoo.envs.age_of_heroes.state import Phase
from agezoo.envs.age_of_heroes.text import number

from .scenario import lay

FIGHT, OUT = "stand and fight", "set out"


def taking(count, one, many):
    return f"take {number(count, one, many)}"


def attack(goal="plunder", send=None, fate=None, players=3, **more):
    """Seat 0 attacks seat 1; seat 1 stands and fights."""
    more = {"hands": {1: "9 Iron"}, **more}
    table = lay(players, **more)
    table.play("attack the Romans", f"for {goal}") if _many_goals(table) else table.play("attack the Romans")
    if send is not None and table.phase == Phase.SEND:
        table.play(f"send {send} {'army' if send == 1 else 'armies'} without a general")
    return table.fate(*fate) if fate else table


def _many_goals(table):
    trial = type(table)(table.env.clone()).play("attack the Romans")
    return trial.phase == Phase.GOAL


def fight(table):
    """Whoever is asked takes the first thing it may do, until the battle is over."""
    while table.state.attacker >= 0 and table.phase != Phase.SPOILS:
        table.play(min(table.choices()))
    return table


# -- The attack --------------------------------------------------------------------------------------------------------


def test_one_tribe_is_attacked_with_one_goal():
    table = lay(armies={0: 2}, monument={1: 1}, hands={1: "Iron", 2: "Iron"})
    assert {w for w in table.choices() if "attack" in w} == {"attack the Romans", "attack the Greeks"}
    table.play("attack the Romans")
    assert table.choices() == {"for conquest", "for plunder", "for destruction"}
    table.play("for conquest")
    assert table.choices() == {"send 1 army without a general", "send 2 armies without a general"}


def test_tribes_that_are_out_are_not_attacked():
    table = lay(4, armies={0: 1}, out=(1,))
    assert {w for w in table.choices() if "attack" in w} == {"attack the Greeks", "attack the Babylonians"}


def test_a_goal_needs_something_to_win():
    """Ruling 17."""
    table = lay(armies={0: 2}, cities={1: 0}, monument={1: 1}, hands={1: "2 Iron"}).play("attack the Romans")
    assert table.choices() == {"for plunder", "for destruction"}
    table = lay(armies={0: 2}, hands={1: ""}, deck="9 Wood").play("attack the Romans")
    assert table.phase == Phase.SEND  # conquest is the only goal


def test_armies_and_generals_are_chosen():
    table = lay(armies={0: 2}, led={0: 1}, hands={0: "Iron"}).play("attack the Romans", "for plunder")
    assert table.choices() == {f"send {n} without a general" for n in ("0 armies", "1 army", "2 armies")}
    table.play("send 0 armies without a general")
    assert table.state.sent_led == 1  # somebody must go
    assert table.phase == Phase.SPOILS
    table = lay(armies={0: 2}, led={0: 2})
    table.play("attack the Romans", "for plunder", "send 1 army without a general")
    assert table.choices() == {f"send {n} with a general" for n in ("0 armies", "1 army", "2 armies")}


def test_no_army_no_war_but_a_hero_will_do():
    """With the Hero card alone it is possible to attack."""
    assert not lay().can("attack the Romans")
    table = lay(hands={0: "Hero", 1: "4 Iron"}, deck="9 Wood").play("attack the Romans", "for plunder")
    assert table.hand(0) == {}  # it had to be played
    assert table.phase == Phase.SPOILS
    table.play("take 2 cards")
    assert table.hand(0) == {"Iron": 2}
    assert table.discards["Hero"] == 3
    assert "army" not in table.has(0)


def test_who_attacks_with_a_hero_alone_shows_it():
    table = lay(hands={0: "2 Hero", 1: "4 Iron"}).play("attack the Romans")
    assert table.phase == Phase.GOAL
    assert table.known(0, 1) == {"Hero": 1}
    table = lay(armies={0: 1}, hands={0: "2 Hero", 1: "4 Iron"}).play("attack the Romans")
    assert table.known(0, 1) == {}
    table = lay(hands={0: "2 Hero", 1: "4 Iron"}, play_forced=False).play("attack the Romans", "for plunder")
    assert table.phase == Phase.MUSTER
    assert table.known(0, 1) == {"Hero": 1}
    assert not table.can(OUT)
    table.play("play a Hero as an army")
    assert table.can(OUT)


def test_armies_may_stay_at_home_while_a_hero_goes():
    table = lay(armies={0: 1}, hands={0: "2 Hero", 1: "4 Iron"}, play_forced=False)
    table.play("attack the Romans", "for plunder", "send 0 armies without a general")
    assert table.phase == Phase.MUSTER
    assert table.known(0, 1) == {"Hero": 1}
    assert table.choices() == {"play a Hero as an army"}
    assert table.play("play a Hero as an army").choices() == {
        "play a Hero as an army",
        OUT,
    }  # it leads no Hero
    table = lay(led={0: 1}, hands={0: "Hero", 1: "4 Iron"}).play("attack the Romans", "for plunder")
    assert table.choices() == {"send 0 armies with a general", "send 1 army with a general"}


def test_armies_at_war_are_not_at_home():
    table = attack(armies={0: 2}, send=2)
    assert table.at_home(0) == 0


def test_one_war_a_turn_and_no_other_action():
    table = attack(armies={0: 2}, send=1, deck="9 Wood").play("take 2 cards")
    assert table.turn == 1


def test_a_hero_joins_the_attack_as_army_or_general():
    table = attack(armies={0: 2}, send=1, hands={0: "2 Hero", 1: "Hero, 9 Iron"})
    assert table.phase == Phase.MUSTER
    assert table.choices() == {"play a Hero as an army", "play a Hero as a general", OUT}
    table.play("play a Hero as a general")
    assert table.choices() == {"play a Hero as an army", OUT}  # an army has one general (ruling 19)
    table.play("play a Hero as an army")
    assert table.phase == Phase.DEFEND
    assert table.state.units[0].tolist() == [0, 0, 1, 1]


def test_a_hero_does_not_lead_an_army_that_has_a_general():
    """Ruling 19."""
    table = lay(led={0: 1}, hands={0: "Hero", 1: "9 Iron"})
    table.play("attack the Romans", "for plunder", "send 1 army with a general")
    assert table.choices() == {"play a Hero as an army", OUT}


# -- The defence -------------------------------------------------------------------------------------------------------


def test_the_olympic_games_send_the_attackers_back():
    table = attack(armies={0: 2}, send=2, hands={1: "Olympic Games, 3 Iron"}, deck="9 Wood")
    assert table.to_act == 1
    assert table.choices() == {"play the Olympic Games", FIGHT}
    table.play("play the Olympic Games")
    assert table.hand(1) == {"Iron": 3, "Wood": 1}  # its turn has begun with a card
    assert table.away(0) == 2  # at the end of the next turn
    assert table.discards["Olympic Games"] == 2
    assert table.turn == 1


def test_over_a_direct_road_they_are_home_at_once():
    table = attack(armies={0: 2}, send=2, roads=(0,), hands={1: "Olympic Games, 3 Iron"}, deck="9 Wood")
    table.play("play the Olympic Games")
    assert table.at_home(0) == 2


def test_a_hero_strengthens_the_defence():
    table = attack(armies={0: 1, 1: 1}, hands={1: "2 Hero, 3 Iron"})
    assert table.phase == Phase.DEFEND
    table.play("play a Hero as a general")
    assert table.choices() == {"play a Hero as an army", FIGHT}
    table.play("play a Hero as an army")
    assert table.state.units[1].tolist() == [0, 0, 1, 1]
    assert (table.phase, table.to_act) == (Phase.LAY, 1)


def test_heroes_are_used_for_one_battle_only():
    table = attack(armies={0: 1, 1: 1}, hands={1: "Hero, 9 Iron"}, fate=("1", "6"), deck="9 Wood")
    fight(table.play("play a Hero as a general"))
    assert table.discards["Hero"] == 3
    assert table.has(1)["army"] == 1
    assert "general" not in table.has(1)


# -- Determining the result of a battle --------------------------------------------------------------------------------


def duel(attack_card, defence_card, **more):
    """One army against one army: the table after the duel."""
    return fight(
        attack(
            armies={0: 1, 1: 1},
            fate=(str(attack_card), str(defence_card)),
            hands={1: "Olympic Games, 9 Iron"},
            deck="9 Wood",
            **more,
        ).play(FIGHT)
    )


def test_the_weaker_army_is_destroyed():
    table = duel(5, 3)
    assert table.state.wins == 1
    assert "army" not in table.has(1)
    assert table.left("army") == 11
    table = duel(3, 5)
    assert "army" not in table.has(0)
    assert table.has(1)["army"] == 1
    assert table.turn == 1  # no spoils


def test_a_tie_destroys_nobody_and_is_no_victory():
    table = duel(4, 4)
    assert table.has(0)["army"] == table.has(1)["army"] == 1
    assert table.turn == 1
    assert table.size(1) == 11  # all its ten cards, and the one it has drawn


def test_fortresses_add_one_each():
    assert duel(4, 3, fortresses={1: 1}).turn == 1  # a tie
    assert "army" not in duel(4, 3, fortresses={1: 2}).has(0)
    assert duel(6, 3, fortresses={1: 2}).state.wins == 1
    assert "army" not in duel(3, 4, fortresses={0: 5}).has(0)  # of no help in attack


def test_a_general_adds_two_and_dies_with_the_army():
    table = lay(led={0: 1}, armies={1: 1}, hands={1: "Olympic Games, 9 Iron"}).play(
        "attack the Romans", "for plunder"
    )
    table = table.fate("3", "4").play(FIGHT)
    assert table.state.wins == 1
    table = lay(led={0: 1}, armies={1: 1}, hands={1: "Olympic Games, 9 Iron"}, deck="9 Wood")
    table = table.play("attack the Romans", "for plunder").fate("3", "6").play(FIGHT)
    assert "army" not in table.has(0)
    assert table.left("general") == 6
    assert table.left("army") == 11


def test_a_defending_general_adds_two():
    table = lay(armies={0: 1}, led={1: 1}, hands={1: "Olympic Games, 9 Iron"}, deck="9 Wood")
    table = table.play("attack the Romans", "for plunder").fate("4", "3").play(FIGHT)
    assert "army" not in table.has(0)
    assert table.has(1)["general"] == 1


def test_a_hero_as_general_adds_two_and_the_army_alone_is_lost():
    table = attack(armies={0: 1, 1: 1}, send=1, hands={0: "Hero", 1: "9 Iron"}, fate=("3", "4"))
    table.play("play a Hero as a general")
    assert table.state.wins == 1
    table = attack(
        armies={0: 1, 1: 1}, send=1, hands={0: "Hero", 1: "9 Iron"}, fate=("3", "6"), deck="9 Wood"
    )
    table.play("play a Hero as a general")
    assert "army" not in table.has(0)
    assert table.left("army") == 11
    assert table.left("general") == 6


def test_a_hero_as_army_costs_no_army_when_it_falls():
    table = lay(hands={0: "Hero, Iron", 1: "Olympic Games, 9 Iron"}, armies={1: 1}, deck="9 Wood")
    table.play("attack the Romans", "for plunder").fate("1", "6").play(FIGHT)
    assert table.turn == 1
    assert table.left("army") == 11  # that of the Romans is the twelfth
    assert table.discards["Hero"] == 3
    assert table.away(0) == 0


def test_a_hero_as_army_fights_with_its_battle_card_alone():
    table = lay(hands={0: "Hero, Iron", 1: "Olympic Games, 9 Iron"}, armies={1: 1}, deck="9 Wood")
    table.play("attack the Romans", "for plunder").fate("3", "4").play(FIGHT)
    assert table.turn == 1
    assert table.has(1)["army"] == 1
    table = lay(armies={0: 1}, hands={1: "Hero, 9 Iron"}, deck="9 Wood")
    table.play("attack the Romans", "for plunder").fate("4", "3").play("play a Hero as an army")
    assert table.state.wins == 1


def test_heroes_that_joined_before_the_olympic_games_are_used_up():
    """Ruling 28."""
    table = attack(
        armies={0: 1}, send=1, hands={0: "2 Hero", 1: "Hero, Olympic Games, 3 Iron"}, deck="9 Wood"
    )
    table.play("play a Hero as an army", OUT, "play a Hero as an army")
    assert table.choices() == {"play the Olympic Games", FIGHT}
    table.play("play the Olympic Games")
    assert table.hand(0) == {"Hero": 1}
    assert table.discards["Hero"] == 2
    assert table.away(0) == 1


def test_battle_cards_are_laid_under_armies_by_choice():
    table = lay(armies={0: 1}, led={0: 1}, hands={1: "Olympic Games, 9 Iron"}, cities={1: 2})
    table.play(
        "attack the Romans", "for plunder", "send 1 army without a general", "send 1 army with a general"
    )
    table = table.fate("2 5", "").play(FIGHT)
    assert table.state.wins == 2  # nobody defends, so no card is drawn
    table = lay(armies={0: 1, 1: 2}, led={0: 1}, hands={1: "Olympic Games, 9 Iron"})
    table.play(
        "attack the Romans", "for plunder", "send 1 army without a general", "send 1 army with a general"
    )
    table = table.fate("2 5", "3 3").play(FIGHT)
    assert table.phase == Phase.LAY
    assert table.to_act == 0
    assert table.choices() == {f"lay battle card {k} under the next army" for k in (2, 5)}
    table.play("lay battle card 2 under the next army")
    assert table.choices() == {
        "fight with the army with a general, strength 2",
        "fight with the army, strength 5",
    }


def test_the_defender_lays_its_battle_cards_too():
    table = attack(
        armies={0: 1, 1: 1}, led={1: 1}, fate=("6", "2 5"), hands={1: "Olympic Games, 9 Iron"}
    ).play(FIGHT)
    assert (table.phase, table.to_act) == (Phase.LAY, 1)
    assert table.choices() == {f"lay battle card {k} under the next army" for k in (2, 5)}
    table.play("lay battle card 5 under the next army")  # the general's army is the next
    assert table.state.units[1].tolist() == [1, 1, 0, 0]
    assert table.choices() == {
        "fight with the army with a general, strength 5",
        "fight with the army, strength 2",
    }


def test_the_order_of_duels_is_chosen_without_seeing_the_others_choice():
    table = attack(armies={0: 2, 1: 2}, send=2, hands={1: "Olympic Games, 9 Iron"}, fate=("1 6", "2 5")).play(
        FIGHT
    )
    assert table.phase == Phase.DUEL
    assert table.to_act == 0
    table.play("fight with the army, strength 6")
    assert table.to_act == 1
    assert table.state.shown.sum() == 0
    assert not table.sees(1, "chosen").any()
    assert table.sees(0, "chosen")[0, 5] == 1
    table.play("fight with the army, strength 2")
    assert table.state.wins == 1  # 6 beats 2, and 1 falls to 5
    assert table.has(0)["army"] == 1
    assert table.has(1)["army"] == 1


def test_surplus_attackers_are_winners():
    """The rulebook's example: six armies against four, at least two winners."""
    table = attack(armies={0: 6, 1: 4}, send=6, fortresses={1: 6}, hands={1: "Olympic Games, 9 Iron"}).play(
        FIGHT
    )
    fight(table)  # behind six fortresses nobody can be beaten
    assert table.state.wins == 2
    assert table.has(0)["army"] == 2
    assert table.choices() == {taking(k, "card", "cards") for k in range(5)}


def test_unneeded_defenders_stay_out_of_it():
    table = attack(
        armies={0: 1, 1: 3}, hands={1: "Olympic Games, 9 Iron"}, fate=("6", "1 1 2"), deck="9 Wood"
    ).play(FIGHT)
    fight(table).play("take 0 cards")
    assert table.has(1)["army"] == 2


def test_battle_cards_go_back_after_the_battle():
    table = duel(3, 5)
    assert table.state.battle_deck.tolist() == [3] * 6


# -- Victory in battle -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("armies", "cities"), [(1, 0), (2, 1), (3, 1), (4, 2), (6, 2)])
def test_conquest(armies, cities):
    table = attack("conquest", send=armies, armies={0: armies}, cities={1: 3}, deck="9 Wood")
    if cities:
        assert table.choices() == {taking(k, "city", "cities") for k in range(cities + 1)}
        table.play(taking(cities, "city", "cities"))
    assert table.has(0)["city"] == 1 + cities
    assert table.has(1)["city"] == 3 - cities
    assert table.left("city") == 7
    assert table.turn == 1


def test_no_more_cities_than_there_are():
    table = attack("conquest", send=5, armies={0: 5}, cities={1: 1})
    assert table.choices() == {"take 0 cities", "take 1 city"}


@pytest.mark.parametrize("armies", [1, 2, 3])
def test_plunder_takes_two_cards_a_winner(armies):
    table = attack(send=armies, armies={0: armies}, hands={0: "Wood", 1: "5 Iron"}, deck="9 Grain")
    most = min(5, 2 * armies)
    assert table.choices() == {taking(k, "card", "cards") for k in range(most + 1)}
    table.play(f"take {most} cards")
    assert table.hand(0).get("Iron") == most


def test_plundered_cards_are_drawn_at_random():
    taken = set()
    for seed in range(30):
        table = attack(send=1, armies={0: 1}, hands={0: "", 1: "Iron, Wood, Hero, Luck"}, deck="9 Grain")
        while table.phase == Phase.DEFEND:
            table.play(FIGHT)
        position = table.env.position()
        table.env.load({**position, "state": {**position["state"], "rng": f"{seed:016x}"}})
        taken.add(tuple(table.play("take 1 card").hand(0)))
    assert taken == {("Iron",), ("Wood",), ("Hero",), ("Luck",)}


@pytest.mark.parametrize(("armies", "destroyed"), [(1, 1), (2, 1), (3, 2), (5, 2)])
def test_destruction_of_a_monument(armies, destroyed):
    table = attack("destruction", send=armies, armies={0: armies}, monument={1: 4}, deck="9 Wood")
    assert table.choices() == {
        taking(k, "special resource", "special resources") for k in range(destroyed + 1)
    }
    concrete = table.discards.get("Concrete", 0)
    table.play(taking(destroyed, "special resource", "special resources"))
    assert table.has(1)["monument"] == 4 - destroyed
    assert table.discards["Concrete"] == concrete + destroyed


def test_the_winner_may_take_less():
    """Ruling 20."""
    table = attack("conquest", send=4, armies={0: 4}, cities={1: 2}, deck="9 Wood").play("take 1 city")
    assert table.has(1)["city"] == 1


def test_survivors_come_home_at_the_end_of_the_next_turn():
    table = attack(send=2, armies={0: 3}, deck="9 Wood", hands={1: "4 Iron"})
    table.play("take 0 cards")
    assert (table.at_home(0), table.away(0)) == (1, 2)
    table.pass_turn().pass_turn().no_offers()
    assert table.turn == 0
    assert (table.at_home(0), table.away(0)) == (1, 2)
    table.pass_turn()
    assert (table.at_home(0), table.away(0)) == (3, 0)


def test_generals_come_home_with_their_armies():
    table = lay(armies={0: 1}, led={0: 1}, hands={1: "4 Iron"}, deck="9 Wood").play(
        "attack the Romans", "for plunder"
    )
    table.play("send 1 army without a general", "send 1 army with a general", "take 0 cards")
    assert (table.at_home(0), table.away(0)) == (0, 2)
    assert table.sees(1, "away_led")[2] == 1
    table.pass_turn().pass_turn().no_offers()
    assert table.at_home(0) == 0
    table.pass_turn()
    assert (table.state.army[0], table.state.led[0]) == (1, 1)


def test_a_road_through_another_tribe_is_no_direct_road():
    table = lay(4, armies={0: 1}, roads=(0, 1), hands={2: "2 Iron"}, deck="9 Wood")
    table.play("attack the Greeks", "for plunder", "take 0 cards")
    assert table.away(0) == 1
    table = lay(4, armies={0: 1}, roads=(0, 1), hands={1: "2 Iron"}, deck="9 Wood")
    table.play("attack the Romans", "for plunder", "take 0 cards")
    assert table.at_home(0) == 1
    table = lay(4, led={0: 1}, roads=(0,), hands={1: "2 Iron"}, deck="9 Wood")
    table.play("attack the Romans", "for plunder", "take 0 cards")
    assert table.state.led[0] == 1
