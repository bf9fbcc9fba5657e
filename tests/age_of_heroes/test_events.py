"""Cards: event cards."""

from __future__ import annotations

import pytest

from agezoo.envs.age_of_heroes.components import Card
from agezoo.envs.age_of_heroes.state import Phase, Stage

from .scenario import NOTHING, lay

LET, OUT = "let it happen", "set out"


def drawn(event: str, **more):
    """Seat 1 draws this event at the start of its turn."""
    more = {"deck": event, **more}
    return lay(more.pop("players", 3), **more).pass_turn()


def test_population_growth_is_a_city_for_free():
    table = drawn("Population Growth")
    assert table.has(1)["city"] == 2
    assert table.left("city") == 8
    assert table.discards["Population Growth"] == 2


def test_population_growth_needs_a_city_card():
    """Ruling 16."""
    table = drawn("Population Growth", cities={0: 4, 1: 4, 2: 4})
    assert table.has(1)["city"] == 4
    assert table.discards["Population Growth"] == 2


# -- Earthquake --------------------------------------------------------------------------------------------------------


def test_an_earthquake_strikes_an_army_of_any_other_tribe():
    table = drawn("Earthquake", armies={0: 1, 1: 1, 2: 2})
    assert table.phase == Phase.EARTHQUAKE
    assert table.to_act == 1
    assert table.choices() == {"strike the Greeks", "strike the Egyptians"}
    table.play("strike the Greeks")
    assert table.at_home(2) == 1
    assert table.has(2)["army"] == 2
    assert table.state.shaken[2] == 1
    assert table.discards["Earthquake"] == 1  # the other one lies on the army


def test_an_army_under_an_earthquake_does_not_defend_and_is_free_after_its_owners_turn():
    table = lay(turn=1, shaken={2: 1}, armies={1: 1}, hands={2: "3 Wood"}, deck="9 Grain", roads=(1,))
    table.play("attack the Greeks", "for plunder")
    assert table.state.wins == 1  # nobody stood against it
    table.play("take 2 cards")
    assert table.turn == 2
    assert table.at_home(2) == 0
    table.pass_turn()
    assert table.at_home(2) == 1


def test_a_general_protects_from_earthquakes():
    table = drawn("Earthquake", led={0: 1, 2: 1}, armies={0: 1})
    assert table.state.shaken.tolist() == [1, 0, 0, 0, 0, 0]  # the only one that could be struck
    assert not drawn("Earthquake", led={0: 1, 2: 1}).state.shaken.any()


def test_an_army_at_war_can_be_struck_by_an_earthquake():
    """Ruling 29: any army of any other tribe, and who drew the card chooses."""
    table = lay(armies={0: 2, 2: 1}, hands={1: "2 Iron"}, deck="Earthquake", play_forced=False)
    table.play("attack the Romans", "for plunder", "send 1 army without a general", OUT, "stand and fight")
    table.play("take 0 cards", NOTHING)
    assert (table.turn, table.phase) == (1, Phase.EARTHQUAKE)
    idle = "strike an army of the Egyptians that takes no part anyway"
    assert table.choices() == {"strike the Egyptians", idle, "strike the Greeks"}
    table.play(idle)
    assert (table.phase, table.to_act) == (Phase.LUCK, 0)  # it may be cancelled all the same
    table.play(LET)
    assert (table.at_home(0), table.away(0)) == (1, 1)
    assert not table.state.shaken.any()
    assert table.discards["Earthquake"] == 1
    assert table.sees(2, "idle_quakes")[1] == 1


def test_it_lies_there_until_the_end_of_its_owners_next_turn():
    table = lay(armies={0: 1}, hands={1: "2 Iron"}, deck="Earthquake", fair="off")
    table.play("attack the Romans", "for plunder", "take 0 cards")  # seat 1 has no other army to play it on
    assert table.state.idle_quakes.tolist() == [1, 0, 0, 0, 0, 0]
    table.state.deck[Card.WOOD], table.state.discards[Card.WOOD] = table.state.discards[Card.WOOD], 0
    table.pass_turn().pass_turn()
    assert table.turn == 0
    assert table.discards.get("Earthquake") == 1
    table.pass_turn()
    assert table.discards.get("Earthquake") == 2
    assert table.at_home(0) == 1
    assert not table.state.idle_quakes.any()


def test_an_army_under_an_earthquake_can_be_struck_again():
    """Ruling 29."""
    table = drawn("Earthquake", shaken={2: 1}, armies={2: 1})
    assert table.choices() == {"strike the Greeks", "strike an army of the Greeks that takes no part anyway"}
    table.play("strike the Greeks")
    assert table.state.shaken[2] == 2


def test_who_is_defeated_gives_back_earthquakes_too():
    table = lay(
        armies={0: 1}, cities={1: 0}, hands={1: "2 Iron"}, shaken={1: 1}, deck="9 Wood", fair="off"
    )  # fmt: skip
    s = table.state
    s.idle_quakes[1], s.discards[Card.EARTHQUAKE] = 1, 0
    table.play("attack the Romans", "take 2 cards")
    assert table.out == {1}
    assert table.discards["Earthquake"] == 2


def test_an_earthquake_that_nobody_can_suffer_is_discarded():
    """Ruling 16."""
    table = drawn("Earthquake", armies={1: 2}, led={0: 1})
    assert table.phase == Phase.ACTION
    assert table.discards["Earthquake"] == 2
    table = lay(deck="Earthquake", turn=0, armies={0: 1}).pass_turn()
    assert table.state.shaken[0] == 1  # one's own army is at risk in the turn of others only


# -- Eruption ----------------------------------------------------------------------------------------------------------


def test_an_eruption_destroys_a_city_of_any_other_tribe():
    table = drawn("Eruption", cities={0: 2})
    assert table.phase == Phase.ERUPTION
    assert table.choices() == {"strike the Greeks", "strike the Egyptians"}
    table.play("strike the Egyptians")
    assert table.has(0)["city"] == 1
    assert table.left("city") == 9
    assert table.discards["Eruption"] == 2


def test_an_eruption_without_another_city_is_discarded():
    table = drawn("Eruption", cities={0: 0, 2: 0})
    assert table.phase == Phase.ACTION
    assert table.discards["Eruption"] == 2


# -- Famine ------------------------------------------------------------------------------------------------------------


def test_a_famine_takes_all_grain_of_all_players():
    table = drawn("Famine", hands={0: "3 Grain, Iron", 1: "2 Grain, Wood", 2: "Grain, Hero"})
    assert table.hand(0) == {"Iron": 1}
    assert table.hand(1) == {"Wood": 1}
    assert table.hand(2) == {"Hero": 1}
    assert table.discards["Grain"] == 12
    assert table.discards["Famine"] == 2
    assert table.phase == Phase.ACTION


# -- Luck --------------------------------------------------------------------------------------------------------------


def test_luck_turns_away_an_earthquake():
    table = drawn("Earthquake", armies={2: 1, 0: 1}, hands={2: "Luck, Iron"}).play("strike the Greeks")
    assert table.phase == Phase.LUCK
    assert table.to_act == 2
    assert table.choices() == {"play Luck", LET}
    table.play("play Luck")
    assert table.at_home(2) == 1
    assert table.discards["Earthquake"] == 2
    assert table.discards["Luck"] == 2
    assert table.hand(2) == {"Iron": 1}


def test_luck_turns_away_an_eruption():
    table = drawn("Eruption", cities={2: 2}, hands={2: "Luck, Iron"}).play("strike the Greeks", "play Luck")
    assert table.has(2)["city"] == 2
    assert table.discards["Eruption"] == 2
    assert table.phase == Phase.ACTION


def test_luck_cancels_a_famine_for_all():
    """Ruling 14: whoever plays it, with grain or without."""
    hands = {0: "2 Grain, Iron", 1: "Grain, Iron", 2: "3 Grain, Luck"}
    table = drawn("Famine", hands=hands)
    assert (table.phase, table.to_act) == (Phase.LUCK, 2)
    table.play("play Luck")
    assert [table.hand(seat).get("Grain", 0) for seat in range(3)] == [2, 1, 3]
    assert table.discards["Famine"] == table.discards["Luck"] == 2
    assert (table.phase, table.to_act) == (Phase.ACTION, 1)
    table = drawn("Famine", hands={0: "Luck", 1: "Grain, Iron", 2: "3 Grain"}).play("play Luck")
    assert [table.hand(seat).get("Grain", 0) for seat in range(3)] == [0, 1, 3]


def test_nobody_loses_grain_before_all_have_been_asked():
    """Ruling 15."""
    table = drawn("Famine", hands={0: "2 Grain, Luck", 1: "Grain, Luck"}, play_forced=False)
    table.play(LET)
    assert table.hand(0) == {"Grain": 2, "Luck": 1}
    assert table.sees(1, "declined").tolist() == [0, 0, 1, 0, 0, 0]  # seat 0 sits two places further on
    table.play("play Luck")
    assert table.hand(0) == {"Grain": 2, "Luck": 1}
    assert table.hand(1) == {"Grain": 1}
    assert table.phase == Phase.ACTION


def test_luck_in_a_famine_shows_no_grain():
    table = drawn("Famine", hands={1: "3 Grain, Luck"}).play("play Luck")
    assert table.known(1, 2) == {}


@pytest.mark.parametrize("holder", [0, 2])  # others are still to be asked, or nobody
def test_greedy_plays_luck_for_its_own_grain_alone(holder):
    other = 2 - holder
    for held, others, words in (
        ("3 Grain, Wood, Luck", "Iron", "play Luck"), ("Luck", "Iron", LET), ("Luck", "3 Grain", LET),
    ):  # fmt: skip
        table = drawn("Famine", hands={holder: held, other: others})
        assert table.to_act == holder
        assert {table.env.action_text(table.env.greedy_action(seed)) for seed in range(8)} == {words}


@pytest.mark.parametrize("event", ["Earthquake", "Eruption"])
def test_luck_may_be_kept(event):
    table = drawn(event, armies={2: 1}, cities={0: 0, 2: 2}, hands={2: "Luck"})
    table.play(LET)  # the only one that could be struck
    assert table.hand(2) == {"Luck": 1}
    assert table.state.shaken[2] == (event == "Earthquake")
    assert table.has(2)["city"] == (2 if event == "Earthquake" else 1)


def test_who_drew_an_eruption_plays_no_luck():
    """Ruling 14: it is not in danger."""
    table = drawn("Eruption", hands={1: "Luck"})
    assert table.phase == Phase.ERUPTION
    assert not table.can("play Luck")


def test_all_see_who_struck_with_an_eruption():
    table = drawn("Eruption", cities={0: 2}, play_forced=False).play("strike the Greeks")
    assert (table.phase, table.to_act) == (Phase.LUCK, 2)
    assert table.sees(0, "drawer").tolist() == [0, 1, 0, 0, 0, 0]
    assert table.sees(0, "victim").tolist() == [0, 0, 1, 0, 0, 0]


def test_everybody_is_asked_about_a_famine_in_turn_order():
    """Ruling 15: who has no Luck is asked, too, so that nothing shows."""
    table = drawn("Famine", hands={0: "Grain, Luck", 1: "Grain", 2: "Iron"}, play_forced=False)
    asked = []
    while table.phase == Phase.LUCK:
        asked.append(table.to_act)
        table.play(LET)
    assert asked == [0, 1, 2]


def test_barbarians_may_be_turned_away_by_luck():
    table = drawn("Barbarians", hands={1: "Luck, 3 Iron"})
    assert table.phase == Phase.DEFEND
    assert table.can("play Luck")
    table.play("play Luck")
    assert table.hand(1) == {"Iron": 3}
    assert table.discards["Barbarians"] == 3


def test_luck_does_not_help_against_other_players():
    table = lay(armies={0: 1}, hands={1: "Luck, Hero"}).play("attack the Romans", "for plunder")
    assert table.phase == Phase.DEFEND
    assert not table.can("play Luck")
    assert table.can("play a Hero as an army")


# -- Barbarians --------------------------------------------------------------------------------------------------------


def test_barbarians_plunder_two_cards_when_nobody_defends():
    table = drawn("Barbarians", hands={1: "3 Iron"})
    assert table.hand(1) == {"Iron": 1}
    assert table.discards["Barbarians"] == 3
    assert table.discards["Iron"] >= 2
    assert table.phase == Phase.ACTION


def test_barbarians_take_what_there_is():
    table = drawn("Barbarians", hands={1: "Iron"})
    assert table.hand(1) == {}


def test_barbarians_fight_one_duel_against_an_army_of_choice():
    table = drawn("Barbarians", armies={1: 2}, hands={1: "3 Iron"})
    assert (table.phase, table.to_act) == (Phase.DUEL, 1)
    weak = [drawn_barbarians(seed) for seed in range(40)]
    assert {(cards, armies) for cards, armies in weak} == {(3, 2), (1, 1)}  # repelled or a tie; or beaten


def drawn_barbarians(seed: int) -> tuple[int, int]:
    """Cards and armies that are left after barbarians met two armies."""
    table = lay(deck="Barbarians", armies={1: 2}, hands={1: "3 Iron"})
    position = table.env.position()
    table.env.load({**position, "state": {**position["state"], "rng": f"{seed:016x}"}})
    table.pass_turn()
    table.play(min(table.choices()))  # the weaker card
    return table.size(1), table.has(1)["army"]


def test_fortresses_and_heroes_help_against_barbarians():
    for seed in range(20):
        table = lay(deck="Barbarians", fortresses={1: 6}, hands={1: "3 Iron, Hero"})
        position = table.env.position()
        table.env.load({**position, "state": {**position["state"], "rng": f"{seed:016x}"}})
        table.pass_turn().play("play a Hero as an army")
        assert table.hand(1) == {"Iron": 3}


def test_the_olympic_games_cancel_an_invasion():
    table = drawn("Barbarians", hands={1: "Olympic Games, 3 Iron"}).play("play the Olympic Games")
    assert table.hand(1) == {"Iron": 3}
    assert table.discards["Olympic Games"] == 2
    assert table.discards["Barbarians"] == 3


def test_barbarians_interrupt_taxes():
    table = lay(cities={0: 2}, deck="2 Barbarians", hands={0: "5 Iron, 4 Wood, 2 Luck"})
    table.play("collect taxes")
    assert (table.phase, table.stage) == (Phase.DEFEND, Stage.TAXES)
    table.play("play Luck")
    assert (table.phase, table.stage) == (Phase.DEFEND, Stage.TAXES)  # the other card was Barbarians, too
    table.play("stand and fight")
    assert table.discards["Barbarians"] == 3
    assert table.phase == Phase.DISCARD
    assert table.size(0) == 8
