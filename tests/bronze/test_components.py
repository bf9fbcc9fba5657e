"""The components, as they must be by the rulebook and as they are meant where it is silent."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from agezoo.envs.bronze.components import (
    CITY_CONDITION,
    CITY_NAMES,
    CITY_NEED,
    CITY_PAWNS,
    CITY_POINTS,
    DECK,
    FACES,
    FIT,
    HUT,
    HUT_COUNT,
    LANDS,
    MOST_TURNS,
    NUM_TERRAINS,
    NUM_TILES,
    PLACES,
    PROVINCE,
    ROUTE_LENGTH,
    ROUTE_POINTS,
    RULE,
    TABLE,
    Card,
    Condition,
    Settler,
    Terrain,
)
from agezoo.envs.bronze.text import condition_text

TECHNOLOGY = TABLE["technology"]


def test_the_numbers_of_the_rulebook():
    assert len(TECHNOLOGY) == 7
    assert all(row["two_pawns"] + row["three_pawns"] + row["four_pawns"] == 10 for row in TECHNOLOGY)
    assert NUM_TILES == 14
    assert LANDS == 11
    assert RULE.markers == 30
    assert (RULE.piles, RULE.piles_in_play, RULE.columns) == (5, 4, 4)
    assert len(PROVINCE) == 12
    assert set(PROVINCE.tolist()) == {4, 5, 6}
    assert ROUTE_LENGTH.tolist() == [3, 5, 7]
    assert ROUTE_POINTS.tolist() == [3, 6, 10]
    assert sum(row["count"] for row in TABLE["route"]) == 21
    assert len(set(CITY_NAMES)) == 50


def test_the_technologies_that_the_rulebook_prints():
    """Masonry: herders or farmers in woods, grasslands, jungles. Irrigation: in mountains, savannas, deserts."""
    printed = {row["name"]: row for row in TECHNOLOGY if row["source"] == "rulebook"}
    assert set(printed) == {"Masonry", "Irrigation"}
    for row in printed.values():
        assert set(row["settlers"].split()) == {"farmers", "herders"}
    assert set(printed["Masonry"]["terrains"].split()) == {"woods", "grasslands", "jungles"}
    assert set(printed["Irrigation"]["terrains"].split()) == {"mountains", "savannas", "deserts"}


def test_each_technology_has_three_terrains_and_two_types_and_each_terrain_three_technologies():
    terrains: Counter[str] = Counter()
    for row in TECHNOLOGY:
        assert len(set(row["terrains"].split())) == 3
        assert len(set(row["settlers"].split())) == 2
        terrains.update(row["terrains"].split())
    assert terrains == {terrain.name.lower(): 3 for terrain in Terrain}


def test_every_hut_has_technologies_that_settle_it():
    """Each type in each terrain is open to one technology at least, to three at most."""
    pairs = Counter(
        (terrain, settler)
        for row in TECHNOLOGY
        for terrain in row["terrains"].split()
        for settler in row["settlers"].split()
    )
    assert len(pairs) == len(Terrain) * len(Settler)
    assert set(pairs.values()) <= {1, 2, 3}


def test_a_card_lets_settle_what_it_shows_and_bronze_casting_everything():
    for tile in range(NUM_TILES):
        for card in Card:
            cells = {cell for cell in range(HUT.shape[1]) if FIT[tile, card] >> cell & 1}
            huts = {cell for cell in range(HUT.shape[1]) if HUT[tile, cell] >= 0}
            if card == Card.BRONZE_CASTING:
                assert cells == huts
            else:
                row = TECHNOLOGY[card]
                shown = {
                    cell
                    for cell in huts
                    if Terrain(cell // PLACES).name.lower() in row["terrains"].split()
                    and Settler(HUT[tile, cell]).name.lower() in row["settlers"].split()
                }
                assert cells == shown


def test_every_tile_has_all_terrains_and_no_two_are_alike():
    boxes = (HUT >= 0).reshape(NUM_TILES, NUM_TERRAINS, PLACES)
    assert boxes[:, :, 0].all()  # one hut or more
    assert len({tuple(row) for row in HUT.tolist()}) == NUM_TILES


def test_terrains_and_types_are_worth_the_same_over_all_tiles():
    assert set(HUT_COUNT.tolist()) == {12}
    rows = HUT.reshape(NUM_TILES, NUM_TERRAINS, PLACES)
    for settler in Settler:
        assert ((settler == HUT).sum(axis=1) == 4).all()  # on each tile
        assert ((rows == settler).sum(axis=(0, 2)) == 8).all()  # in each terrain


@pytest.mark.parametrize("players", [2, 3, 4])
def test_city_cards_are_as_many_as_a_whole_game_draws(players):
    tiles_with_cities = RULE.lands_beyond_twice_players + 2 * players - 1
    assert (players >= CITY_PAWNS).sum() == tiles_with_cities * (players + 1)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_technology_cards_last_for_about_as_many_turns(players):
    assert DECK[players - 2].sum() == {2: 35, 3: 49, 4: 70}[players]
    assert 16 <= DECK[players - 2].sum() / players <= MOST_TURNS + 1
    assert len(DECK[players - 2]) == FACES


def test_city_conditions_are_of_every_kind_and_two_players_see_most_of_them():
    assert set(CITY_CONDITION.tolist()) == set(Condition)
    assert len(set(CITY_CONDITION[CITY_PAWNS == 2].tolist())) >= 10
    assert len({condition_text(city) for city in range(len(CITY_NAMES))}) == 50
    assert CITY_NEED.min() >= 1
    assert set(CITY_POINTS.tolist()) == {3, 4, 5, 6}
    terrains = [city for city in TABLE["city"] if city["condition"] == "terrain"]
    assert {city["of"] for city in terrains} == {terrain.name.lower() for terrain in Terrain}
    assert np.all(CITY_PAWNS >= 2)
