"""End of the game: the three ways, the last round, points, ties."""

from __future__ import annotations

import pytest

from agezoo.envs.bronze.components import CITY_NAMES, HUT, PLACES, Terrain
from agezoo.envs.bronze.state import Phase

from .scenario import Table, lay


def huts(tile: int, place: int) -> list[str]:
    """All huts of a tile of components.toml that lies at a place of the line."""
    return [
        f"{place} {Terrain(cell // PLACES).name.lower()}{' right' if cell % PLACES else ''}"
        for cell in range(HUT.shape[1])
        if HUT[tile - 1, cell] >= 0
    ]


def cast(table: Table) -> Table:
    """Play the open card of the fullest pile face down, into the first column."""
    pile = max(range(4), key=lambda k: table.state.pile[k])
    table.play(f"take {table.tops[pile]} from pile {pile + 1} as Bronze Casting")
    return table.play("put it into column 1") if table.phase == Phase.COLUMN else table


# -- piles -------------------------------------------------------------------------------------------------------------


def test_the_reserve_comes_in_for_the_first_empty_pile():
    table = lay(matrix={0: ["Wheel"]})
    for _ in range(5):
        table.idle(1)
    reserve = int(table.state.pile[4])
    size = int(table.state.pile[0])
    for _ in range(size - 1):
        table.idle(1)
    assert (table.state.pile[0], table.state.empty) == (1, 0)
    table.idle(1)
    assert (table.state.pile[0], table.state.pile[4], table.state.empty) == (reserve, 0, 1)
    assert table.tops[0] is not None
    assert not table.ending


@pytest.mark.parametrize("second", [1, 2])
def test_the_second_empty_pile_ends_the_game(second):
    """Another of the first four, or the one that came in from the reserve."""
    table = lay(matrix={0: ["Wheel"]})
    while table.state.empty == 0:
        table.idle(1)
    while not table.ending:
        assert not table.finished
        table.idle(second)
    assert table.state.empty == 2
    assert table.tops[second - 1] is None
    assert not any(f"from pile {second}" in words for words in table.choices())


@pytest.mark.parametrize("last", [0, 1])
def test_the_round_is_played_to_the_last_player(last):
    """Each has had as many turns, whoever takes the last card of the pile."""
    table = lay(first=last, turn=last, matrix={last: ["Wheel"]})
    while table.state.empty == 0:
        table.idle(1)
    while not table.ending:
        table.idle(1)
    while not table.finished:
        table.idle()
    turns = [sum(table.state.height[seat]) for seat in (0, 1)]
    assert turns[0] == turns[1]


def test_four_players_always_find_cards_for_the_last_round():
    """Ruling 10: three piles are left when the second is empty, and three players at most follow."""
    table = lay(4, first=0, turn=0, matrix={0: ["Wheel"]})
    for pile in (1, 2, 3, 4):
        while table.state.pile[pile - 1] > 1:
            table.idle(pile)
    while not table.finished:
        table.idle(next(k for k in (1, 2, 3, 4) if table.tops[k - 1]))
    assert len({sum(table.state.height[seat]) for seat in range(4)}) == 1


# -- markers and the last tile -----------------------------------------------------------------------------------------


def test_whoever_has_no_marker_left_ends_the_game_after_the_round():
    spots = huts(1, 1) + huts(2, 2) + huts(3, 3)[:5]
    table = lay(
        3, tiles=(1, 2, 3, 4), settled={0: "; ".join(spots)}, matrix={0: ["Wheel", "Wheel, Bronze Casting"]}
    )
    pile = max(range(4), key=lambda k: table.state.pile[k])
    table.play(f"take {table.tops[pile]} from pile {pile + 1} as Bronze Casting", "put it into column 1")
    assert table.state.markers[0] == 1
    assert table.activated == {"Bronze Casting": 2}
    table.play("settle 3 shore")
    assert table.ending
    assert not table.finished
    assert table.to_act == 1  # the second activated card has no marker
    table.idle().idle()
    assert table.finished


def test_a_full_last_tile_ends_the_game_after_the_round():
    tiles = (1, 2, 3, 4, 5, 6, 7)
    last = huts(7, 7)
    table = lay(tiles=tiles, settled={0: "; ".join(last[:6]), 1: "; ".join(last[6:11])}, first=0)
    cast(table).play(f"settle {last[11]}")
    assert table.ending
    assert table.to_act == 1
    assert not table.finished
    table.idle()
    assert table.finished


def test_a_full_tile_before_the_last_ends_nothing():
    first = huts(1, 1)
    table = lay(tiles=(1, 2), settled={0: "; ".join(first[:6]), 1: "; ".join(first[6:11])}, first=0)
    cast(table).play(f"settle {first[11]}")
    assert not table.ending


def test_the_last_player_of_the_round_ends_it_at_once():
    last = huts(7, 7)
    tiles = (1, 2, 3, 4, 5, 6, 7)
    table = lay(tiles=tiles, settled={0: "; ".join(last[:6]), 1: "; ".join(last[6:11])}, first=1, turn=0)
    cast(table).play(f"settle {last[11]}")
    assert table.finished


# -- points ------------------------------------------------------------------------------------------------------------


def finish(**laid) -> Table:
    """A game whose last turn, player 0's, is played without settling."""
    table = lay(first=1, turn=0, ending=True, **laid)
    return cast(table).pass_turns()


def test_points_are_those_of_provinces_routes_and_fulfilled_city_cards():
    """Two settlements against none on tile 1, three in the mountains, and Ur for five of them."""
    settled = {0: "1 mountains; 1 mountains right; 2 mountains; 3 mountains; 3 mountains right", 1: "2 shore"}
    table = finish(tiles=(1, 2, 3), settled=settled, held={0: "Ur, Larsa"}, provinces="6 4 5")
    assert table.finished
    assert table.routes("mountains") == {5: 0}
    assert [table.province(tile) for tile in (1, 2, 3)] == [0, None, 0]
    assert table.scores() == [6 + 5 + 6 + 4, 0]


def test_a_city_card_whose_condition_is_not_met_is_worth_nothing():
    settled = {0: "1 mountains; 1 mountains right; 2 mountains; 3 mountains"}
    table = finish(tiles=(1, 2, 3), settled=settled, held={0: "Ur, Larsa"}, provinces="4 4 4")
    assert table.scores()[0] == 12 + 3


def test_most_points_win():
    table = finish(settled={0: "1 mountains", 1: "1 woods; 1 shore"})
    assert table.scores() == [0, 4]
    assert table.places() == [2, 1]


@pytest.mark.parametrize(
    ("mine", "theirs", "places"),
    [
        ((4, 6, 0), (0, 0, 10), [1, 2]),  # cities first
        ((4, 0, 6), (4, 6, 0), [2, 1]),  # then routes
        ((4, 3, 5), (4, 3, 5), [1, 1]),  # then a shared victory
        ((0, 6, 4), (4, 0, 6), [2, 1]),
    ],
)
def test_a_tie_goes_to_cities_then_routes_then_provinces_then_it_is_shared(mine, theirs, places):
    """Points (cities, routes, provinces) of both, ten in all, or as many."""
    table = finish()
    position = table.env.position()
    state = position["state"]
    state["province"] = [4, 5, 6, 4, 5, 6, 4, 0, 0, 0, 0]
    s = table.state
    for seat, (cities, routes, provinces) in enumerate((mine, theirs)):
        for level, points in enumerate((3, 6, 10)):
            if points == routes:
                s.route_of[seat, level] = seat
        for tile in {4: (0,), 5: (1,), 6: (2,), 10: (0, 2)}.get(provinces, ()):
            s.province[tile + 3 * seat] = {0: 4, 1: 5, 2: 6}[tile]
            s.province_of[tile + 3 * seat] = seat
        if cities:
            s.cities[seat] = 1
            s.city[seat, 0] = CITY_NAMES.index(("Ur", "Uruk")[seat])
            s.in_terrain[seat, seat] = 5
    assert table.scores() == [sum(mine), sum(theirs)]
    assert table.places() == places


def test_places_below_the_first_go_by_the_same_measure():
    """Ruling 11."""
    table = lay(
        3,
        first=1,
        turn=0,
        ending=True,
        settled={0: "1 mountains; 1 woods; 1 shore", 1: "2 woods", 2: "2 shore"},
    )
    cast(table).pass_turns()
    assert table.finished
    assert table.places() == [1, 2, 2]
