"""Setup."""

from __future__ import annotations

import numpy as np
import pytest

from agezoo.envs.age_of_heroes.components import BATTLE_CARDS, COUNTS, NUM_HELD, SUPPLY, Card
from agezoo.envs.age_of_heroes.rules import play, start
from agezoo.envs.age_of_heroes.state import Phase, Stage
from agezoo.envs.engine import chance
from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.compile import plain

from .scenario import GAME, NOTHING, Table, lay

draw = plain(chance.draw)


def dealt(players: int = 4, seed: int = 1, **options) -> Table:
    env = TableEnv(GAME, players, **options)
    env.reset(seed=seed)
    return Table(env)


def test_the_decks_hold_what_the_box_holds():
    assert COUNTS.tolist() == [12] * 4 + [6] * 7 + [2, 3, 2, 2, 2, 2, 2, 3]
    assert COUNTS.sum() == 108
    assert SUPPLY.tolist() == [12, 12, 9, 6, 6]
    assert BATTLE_CARDS.tolist() == [3] * 6


def strongest(players: int, seed: int) -> tuple[int, bool]:
    """Who draws the strongest battle card, drawing again among those who tie; and whether somebody did."""
    s = GAME.record(GAME.prototype(players))
    s.rng = np.uint64(seed)
    candidates, tied = list(range(players)), False
    while True:
        deck = np.array(BATTLE_CARDS)
        drawn = {seat: int(draw(s, deck)) for seat in candidates}
        candidates = [seat for seat in candidates if drawn[seat] == max(drawn.values())]
        if len(candidates) == 1:
            return candidates[0], tied
        tied = True


def test_the_strongest_battle_card_begins_and_only_those_who_tie_draw_again():
    ties = 0
    for seed in range(60):
        first, tied = strongest(4, seed)
        ties += tied
        table = dealt(4, seed)
        assert table.state.first == first
        assert table.to_act == first
        assert table.state.battle_deck.tolist() == BATTLE_CARDS.tolist()
    assert ties > 5


def test_tribes_come_at_random_and_are_different():
    seen = set()
    for seed in range(30):
        tribes = dealt(4, seed).state.tribe[:4].tolist()
        assert len(set(tribes)) == 4
        seen.add(tribes[0])
    assert seen == set(range(6))


def test_tribes_are_drafted_from_the_first_player_on():
    table = dealt(3, 2, tribes="drafted")
    first = int(table.state.first)
    assert table.phase == Phase.TRIBE
    assert table.to_act == first
    assert len(table.choices()) == 6
    table.play("choose the Celts")
    assert table.to_act == (first + 1) % 3
    assert not table.can("choose the Celts")
    table.play("choose the Romans")
    assert table.state.hand_size.sum() == 0  # nobody has cards before all have a tribe
    table.play("choose the Chinese")
    assert [int(table.state.tribe[(first + k) % 3]) for k in range(3)] == [4, 1, 5]
    assert table.stage == Stage.BARGAINING


def test_special_resources_of_tribes_that_nobody_has_stay_in_the_deck():
    table = dealt(2)
    s = table.state
    everywhere = s.deck[:NUM_HELD] + s.hand.sum(axis=0) + s.discards[:NUM_HELD]
    assert everywhere[Card.LIMESTONE : Card.GRANITE + 1].tolist() == [6] * 6


def test_everybody_has_a_city_and_an_army():
    table = dealt(6, 8, fair="off")
    for seat in range(6):
        assert table.has(seat)["army"] == 1
        assert table.has(seat)["city"] >= 1
    assert table.left("army") == 6


def deal_hands(deck: dict[Card, int], players: int = 2):
    """Three cards each from this deck."""
    s = GAME.record(GAME.prototype(players))
    plain(start.lay_out_decks)(s)
    s.deck[:] = 0
    for card, number in deck.items():
        s.deck[card] = number
    plain(start._found_tribes)(s)
    plain(start._deal_hands)(s)
    return s


def test_three_cards_are_dealt_to_each():
    assert deal_hands({Card.WOOD: 12}).hand[:2, Card.WOOD].tolist() == [3, 3]


def test_a_catastrophe_in_the_deal_is_discarded_and_not_replaced():
    s = deal_hands({Card.FAMINE: 2, Card.BARBARIANS: 3, Card.EARTHQUAKE: 1, Card.GRAIN: 0})
    assert s.hand_size.tolist() == [0] * 6
    assert s.discards[Card.FAMINE] == 2
    assert s.discards[Card.BARBARIANS] == 3
    assert s.army[:2].tolist() == [1, 1]
    assert s.cities[:2].tolist() == [1, 1]


def test_population_growth_in_the_deal_is_played_at_once():
    s = deal_hands({Card.POPULATION_GROWTH: 2, Card.GRAIN: 4})
    assert s.cities[:2].sum() == 4
    assert s.hand_size.sum() == 4  # and not replaced
    assert s.discards[Card.POPULATION_GROWTH] == 2


def test_the_fair_comes_before_the_first_turn():
    table = dealt(4, 3)
    assert table.round == 1
    assert table.phase == Phase.OFFER
    assert table.to_act == table.state.first
    assert table.turn == (table.state.first - 1) % 4  # as at every Fair: the last one in turn order


def first_fair(card: Card):
    """The first Fair of a table whose deck holds one card of a kind and Wood."""
    s = deal_hands({Card.WOOD: 9, Card.GRAIN: 0})
    s.deck[:] = 0
    s.deck[card] = 2
    s.stage = Stage.ROUND
    s.offers, s.cards, s.rounds = 2, 3, 30
    s.tribe[:2] = [0, 1]
    plain(play._run_on)(s)
    return s


@pytest.mark.parametrize("card", [Card.FAMINE, Card.BARBARIANS, Card.EARTHQUAKE, Card.ERUPTION])
def test_catastrophes_have_no_effect_at_the_first_fair(card):
    s = first_fair(card)
    assert s.phase == Phase.OFFER
    assert s.discards[card] == 2
    assert s.hand_size[:2].tolist() == [3, 3]
    assert s.army[:2].tolist() == [1, 1]
    assert s.cities[:2].tolist() == [1, 1]


def test_population_growth_counts_at_the_first_fair():
    s = first_fair(Card.POPULATION_GROWTH)
    assert s.cities[:2].tolist() == [2, 2]


def test_turns_go_to_the_left_from_the_first_player_and_a_round_ends_with_the_fair():
    table = lay(4, first=2, turn=2, deck="12 Wood")
    order = [table.turn]
    for _ in range(3):
        table.pass_turn()
        order.append(table.turn)
    assert order == [2, 3, 0, 1]
    assert table.round == 2
    table.pass_turn()
    assert table.round == 3
    assert table.phase == Phase.OFFER
    assert table.to_act == 2
    table.no_offers()
    assert table.turn == 2
    assert NOTHING not in table.choices()
