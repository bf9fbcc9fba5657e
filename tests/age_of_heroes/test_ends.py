"""Defeat and Victory."""

from __future__ import annotations

import pytest

from agezoo.envs.age_of_heroes.rules import ends, play
from agezoo.envs.age_of_heroes.state import Phase
from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.compile import plain

from .scenario import GAME, NOTHING, fair_cards, lay

LET = "let it happen"

# -- Defeat ------------------------------------------------------------------------------------------------------------


def test_no_card_and_no_city_is_defeat():
    table = lay(armies={0: 1}, cities={1: 0}, hands={1: "2 Iron"}, deck="9 Wood").play("attack the Romans")
    table.play("take 2 cards")
    assert table.out == {1}
    assert table.places()[1] == 3
    assert table.env.agents == ["player_0", "player_2"]
    assert table.turn == 2


def test_a_city_or_a_card_is_enough():
    table = lay(armies={0: 1}, cities={1: 0}, hands={1: "2 Iron"}, deck="9 Wood").play(
        "attack the Romans", "take 1 card"
    )
    assert table.out == set()
    table = lay(armies={0: 1}, cities={1: 1}, hands={1: "2 Iron"}, deck="9 Wood")
    table.play("attack the Romans", "for plunder", "take 2 cards")
    assert table.out == set()


def test_cards_of_a_defeated_tribe_go_back_and_its_roads_vanish():
    table = lay(
        4, armies={0: 1, 1: 0}, led={1: 0}, cities={1: 0}, hands={1: "2 Iron"}, fortresses={1: 2}, monument={1: 2},
        shaken={1: 1}, roads=(0, 1, 2), deck="9 Wood", promise=((0, 1), (1, 2), (2, 1)),
    )  # fmt: skip
    concrete = table.discards.get("Concrete", 0)
    table.play("attack the Romans", "for plunder", "take 2 cards")
    assert table.out == {1}
    assert not table.road(0, 2)  # neighbours now, and must build a new road
    assert table.road(2, 3)
    assert table.left("road") == 5
    assert table.left("fortress") == 9
    assert table.left("army") == 11
    assert table.discards["Concrete"] == concrete + 2
    assert not table.promised(1, 2)
    assert not table.promised(2, 1)
    assert table.has(1) == {}


def test_two_that_are_left_keep_their_road():
    table = lay(armies={1: 1}, turn=1, cities={2: 0}, hands={2: "2 Iron"}, roads=(0, 1, 2), deck="9 Wood")
    table.play("attack the Greeks", "take 2 cards")
    assert table.out == {2}
    assert table.road(0, 1)
    assert table.left("road") == 5
    table = lay(armies={1: 1}, turn=1, cities={0: 0}, hands={0: "2 Iron"}, roads=(0, 1, 2), deck="9 Wood")
    table.play("attack the Egyptians", "take 2 cards")
    assert table.road(1, 2)
    assert table.left("road") == 5


def test_two_that_are_left_keep_their_road_whoever_sat_between_them():
    table = lay(armies={0: 1}, cities={1: 0}, hands={1: "2 Iron"}, roads=(0, 1, 2), deck="9 Wood")
    table.play("attack the Romans", "take 2 cards")
    assert table.out == {1}
    assert table.road(0, 2)
    assert table.left("road") == 5


def test_armies_at_war_go_back_to_the_main_deck_when_their_tribe_is_defeated():
    table = lay(armies={0: 1}, led={0: 1}, cities={0: 0}, hands={0: "Limestone", 1: "4 Iron"}, deck="9 Wood")
    table.play("attack the Romans", "for plunder")
    table.play("send 1 army without a general", "send 1 army with a general", "take 0 cards")
    assert table.away(0) == 2
    table.play("lay 1 special resource on the monument")  # the last card
    assert table.out == {0}
    assert (table.left("army"), table.left("general")) == (12, 6)
    table = lay(
        armies={0: 1, 1: 1},
        led={0: 1},
        cities={0: 0},
        hands={0: "2 Iron", 1: "4 Iron"},
        turn=0,
        deck="9 Wood",
    ).play("attack the Greeks", "for plunder")
    table.play("send 1 army without a general", "send 1 army with a general", "take 0 cards")
    table.play("attack the Egyptians", "take 2 cards")
    assert table.out == {0}
    assert (table.left("army"), table.left("general")) == (11, 6)


def test_who_defeats_a_tribe_goes_home_over_the_road_that_leads_there():
    table = lay(armies={0: 1}, cities={1: 0}, hands={1: "2 Iron"}, roads=(0,), deck="9 Wood")
    table.play("attack the Romans", "take 2 cards")
    assert table.out == {1}
    assert (table.at_home(0), table.away(0)) == (1, 0)
    assert table.left("road") == 6


def test_an_eruption_can_defeat():
    table = lay(hands={2: ""}, deck="Eruption").pass_turn().play("strike the Greeks")
    assert table.out == {2}
    assert table.phase == Phase.ACTION


def test_those_who_go_at_one_stroke_share_their_place():
    """Ruling 21."""
    table = lay(4, cities={2: 0, 3: 0}, hands={2: "2 Grain", 3: "Grain"}, deck="Famine").pass_turn()
    assert table.out == {2, 3}
    assert table.places()[2:] == [3, 3]


def test_who_gives_the_last_card_away_is_defeated():
    table = lay(at="fair", cities={0: 0}, hands={0: "Iron"}, deck="9 Wood")
    table.play("an offer to the Romans", "offer Iron", "and what for?", "as a gift", "accept")
    assert table.out == {0}
    assert table.to_act == 1


def test_who_spends_the_last_card_in_its_own_turn_is_defeated_and_the_turn_is_over():
    table = lay(cities={0: 0}, hands={0: "Iron, 2 Grain"}, deck="9 Wood", play_forced=False)
    table.play("build an army")
    assert table.out == {0}
    assert table.turn == 1
    assert table.left("army") == 12


def test_a_city_built_with_the_last_cards_saves():
    table = lay(cities={0: 0}, hands={0: "Stone, 2 Wood"}, deck="9 Wood").play("build a city")
    assert table.out == set()


def test_who_exchanges_the_last_card_still_draws():
    table = lay(cities={0: 0}, hands={0: "Iron"}, deck="9 Wood").play("swap Iron for a card of the deck")
    assert table.out == set()
    assert table.hand(0) == {"Wood": 1}
    table = lay(cities={0: 0}, hands={0: "Iron", 1: "Stone"}, deck="2 Famine")
    table.play("swap Iron for a card of the deck")
    assert table.out == {0}


def test_a_card_that_waits_at_the_fair_keeps_a_tribe_in_the_game():
    """Ruling 21."""
    more = {"cities": {1: 0}, "hands": {1: "Grain"}}
    table = fair_cards({0: "Famine", 1: "Population Growth"}, **more)
    assert table.out == set()
    assert table.has(1) == {"city": 1}
    table = fair_cards({0: "Famine", 1: "Earthquake"}, **more)  # there is no army to strike
    assert table.out == {1}
    assert table.turn == 0


# -- Victory -----------------------------------------------------------------------------------------------------------


def test_the_last_one_wins_at_once():
    table = lay(2, armies={0: 1}, cities={1: 0}, hands={1: "2 Iron"}).play(
        "attack the Romans", "take 2 cards"
    )
    assert table.finished
    assert table.winner == 0
    assert table.places() == [1, 2]


def test_if_nobody_is_left_those_who_went_last_share_the_victory():
    """Ruling 21."""
    table = lay(2, cities={0: 0, 1: 0}, hands={0: "2 Grain", 1: "Grain"}, deck="Famine").pass_turn()
    assert table.finished
    assert table.winner is None
    assert table.places() == [1, 1]


def round_the_table(table):
    """All the others do nothing, until the same seat has its turn again."""
    start = table.turn
    table.pass_turn()
    while table.turn != start or table.phase == Phase.OFFER:
        table.no_offers() if table.phase == Phase.OFFER else table.pass_turn()
    return table


def test_five_cities_win_at_the_end_of_the_next_turn():
    table = lay(cities={0: 4}, hands={0: "Stone, 2 Wood"}, deck="12 Grain").play("build a city")
    assert not table.finished
    assert table.state.claim[0] == 2  # its turn is over, and the claim is due after its next one
    assert table.turn == 1
    table.pass_turn().pass_turn()
    assert table.phase == Phase.OFFER  # the Fair as well
    table.no_offers()
    assert table.turn == 0
    assert not table.finished
    table.pass_turn()
    assert table.finished
    assert table.winner == 0
    assert table.env.scores()["player_0"] == 25


def test_conquered_cities_count():
    table = lay(cities={0: 4, 1: 2}, armies={0: 2}, deck="12 Grain")
    table.play("attack the Romans", "for conquest", "send 2 armies without a general", "take 1 city")
    assert table.state.claim[0] == 2


def test_a_monument_of_five_wins_at_the_end_of_the_next_turn():
    table = lay(hands={0: "2 Limestone"}, monument={0: 3}, deck="12 Grain")
    table.play("no action", "lay 2 special resources on the monument")
    assert table.state.claim[0] == 2
    table.pass_turn().pass_turn().no_offers()
    assert not table.finished
    assert table.pass_turn().winner == 0


def test_a_claim_that_was_broken_is_over():
    table = lay(cities={0: 5}, claim={0: 2}, turn=1, armies={1: 2}, deck="12 Grain")
    table.play("attack the Egyptians", "for conquest", "send 2 armies without a general", "take 1 city")
    assert table.has(0)["city"] == 4
    table.pass_turn().no_offers()
    assert table.turn == 0
    table.pass_turn()
    assert not table.finished
    assert table.state.claim[0] == 0


def test_a_monument_can_be_destroyed_in_the_final_turn():
    table = lay(monument={0: 5}, claim={0: 2}, turn=1, armies={1: 1}, deck="12 Grain")
    table.play(
        "attack the Egyptians", "for destruction", "take 1 special resource"
    ).pass_turn().no_offers().pass_turn()
    assert not table.finished
    assert table.state.claim[0] == 0


def test_what_is_regained_in_the_next_turn_counts():
    table = lay(cities={0: 4}, claim={0: 2}, hands={0: "Stone, 2 Wood"}, deck="12 Grain").play("build a city")
    assert table.winner == 0
    table = lay(monument={0: 4}, claim={0: 2}, hands={0: "Limestone"}, deck="12 Grain").play("no action")
    assert table.play("lay 1 special resource on the monument").winner == 0


def test_either_way_will_do_when_a_claim_is_judged():
    """Ruling 22."""
    table = lay(cities={0: 4}, monument={0: 4}, claim={0: 2}, hands={0: "Limestone"}, deck="12 Grain")
    assert table.play("no action", "lay 1 special resource on the monument").winner == 0


def test_a_claim_made_in_this_turn_is_not_judged_at_its_end():
    table = lay(cities={0: 4}, hands={0: "2 Stone, 4 Wood"}, deck="12 Grain").play("build a city")
    assert table.state.claim[0] == 1
    table.play("build a city")
    assert not table.finished


def test_a_fifth_city_from_the_fair_is_judged_at_the_end_of_the_turn_that_follows():
    """Ruling 22."""
    table = lay(3, turn=2, cities={0: 4, 1: 4, 2: 1}, deck="Population Growth, 2 Grain", hands={0: "Hero"})
    table.pass_turn()
    claims = table.state.claim.tolist()
    for seat in range(2):
        assert claims[seat] == (2 if table.has(seat)["city"] == 5 else 0)


def test_so_is_that_of_the_tribe_that_had_the_last_turn_before_the_fair():
    """Ruling 22."""
    table = fair_cards({2: "Population Growth"}, cities={2: 4})
    assert table.state.claim[2] == 2
    table.pass_turn().pass_turn()
    assert table.pass_turn().winner == 2


def test_more_than_five_will_do():
    assert lay(cities={0: 6}, claim={0: 2}, deck="12 Grain").pass_turn().winner == 0
    assert lay(monument={0: 6}, claim={0: 2}, deck="12 Grain").pass_turn().winner == 0


def test_another_may_win_during_the_final_turn():
    """Two claims at once: the one that is due first wins."""
    table = lay(cities={0: 5, 2: 5}, claim={0: 2, 2: 2}, turn=1, deck="12 Grain").pass_turn()
    assert table.turn == 2
    table.pass_turn()
    assert table.winner == 2
    assert not lay(cities={0: 5}, claim={0: 2}, turn=1, deck="12 Grain").finished


def test_by_elimination_also_in_the_final_turn():
    table = lay(2, turn=1, cities={0: 0}, monument={0: 5}, claim={0: 2}, armies={1: 1}, hands={0: "2 Iron"})
    table.play("attack the Egyptians", "for plunder", "take 2 cards")
    assert table.winner == 1


def test_a_sixth_special_resource_may_be_laid():
    table = lay(hands={0: "Limestone"}, monument={0: 5}, claim={0: 1}, deck="12 Grain")
    assert table.play("no action").choices() == {NOTHING, "lay 1 special resource on the monument"}


# -- Standing and the limit --------------------------------------------------------------------------------------------


def test_points_are_cities_and_monument():
    table = lay(cities={0: 2, 1: 3}, monument={0: 2})
    assert list(table.env.scores().values()) == [4, 3, 1]
    assert table.places() == [1, 2, 3]


@pytest.mark.parametrize("rounds", [10, 11])
def test_a_table_is_cut_off_where_its_last_round_ends(rounds):
    """Ruling 23: before the cards of the next Fair are drawn."""
    table = lay(
        3, turn=2, rounds=rounds, deck="9 Wood, Population Growth", hands={1: "2 Stone"}, cities={0: 2}
    )
    table.state.round = rounds
    table.pass_turn()
    assert all(table.env.truncations.values())
    assert not table.finished
    assert table.round == rounds
    assert table.deck == {"Wood": 9, "Population Growth": 1}
    assert [table.hand(seat) for seat in range(3)] == [{"Iron": 1}, {"Stone": 2}, {"Iron": 1}]
    assert table.places() == [1, 2, 2]
    assert [info["place"] for info in table.env.infos.values()] == [1, 2, 2]
    assert set(table.env.rewards.values()) == {0.0}
    assert not table.env.legal_actions()


def test_a_round_before_the_last_is_followed_by_the_next():
    table = lay(3, turn=2, rounds=10, deck="9 Wood")
    table.state.round = 9
    table.pass_turn()
    assert not any(table.env.truncations.values())
    assert (table.round, table.phase) == (10, Phase.OFFER)
    table.no_offers()
    for _ in range(3):
        assert not any(table.env.truncations.values())
        table.pass_turn()
    assert all(table.env.truncations.values())
    assert table.round == 10


@pytest.mark.parametrize("fair", ["full", "cards_only", "off"])
def test_a_whole_game_that_is_cut_off_ends_in_its_last_round(fair):
    table = lay(3, fair=fair, rounds=10, deck="12 Grain", cities={0: 2})
    turns = 0
    while not any(table.env.truncations.values()):
        if table.phase == Phase.ACTION:
            turns += 1
            table.pass_turn()
        else:
            table.play(max(table.choices()))
    assert table.round == 10
    assert turns == 9 * 3  # it began in the second round


def test_a_table_that_was_cut_off_loads_and_is_cut_off():
    table = lay(3, turn=2, rounds=10, deck="9 Wood")
    table.state.round = 10
    table.pass_turn()
    twin = TableEnv(GAME, 3, rounds=10)
    twin.load(table.env.position())
    assert all(twin.truncations.values())
    assert twin.position() == table.env.position()
    assert "the limit on rounds is reached" in twin.table_text()


def test_after_the_last_decision_of_a_seat_that_is_out_the_table_is_cut_off_all_the_same():
    table = lay(3, turn=2, rounds=10, deck="9 Wood", cities={2: 0}, hands={2: "Iron, 2 Grain"})
    table.state.round = 10
    table.play("build an army")
    assert table.out == {2}
    assert table.env.truncations["player_0"]
    assert table.env.truncations["player_1"]
    TableEnv(GAME, 3, rounds=10).load(table.env.position())


def test_who_looks_ahead_of_the_limit_goes_on_with_the_next_round():
    table = lay(3, turn=2, rounds=10, deck="9 Wood")
    table.state.round = 10
    table.pass_turn()
    plain(play.apply)(table.state, -1)
    assert (table.round, table.phase) == (11, Phase.OFFER)
    assert not plain(ends.cut)(table.state)
