"""3. Placing settlements, opening tiles, city cards."""

from __future__ import annotations

import pytest

from agezoo.envs.bronze.state import Phase

from .scenario import Table, lay

EVERYTHING = "Bronze Casting"


def turn(card: str = "Masonry", **more) -> Table:
    """A turn in which this card alone is activated; Bronze Casting is a Masonry face down."""
    face = "Masonry" if card == EVERYTHING else card
    table = lay(open_cards=f"{face}", **more)
    table.play(f"take {face} from pile 1{' as Bronze Casting' if card == EVERYTHING else ''}")
    if table.phase == Phase.COLUMN:
        table.play("put it into a new column on the right")
    return table


def castings(number: int, **more) -> Table:
    """A turn in which two or three Bronze Castings are activated."""
    columns = {
        2: ["Wheel", "Wheel, Bronze Casting"],
        3: ["Wheel, Bronze Casting", "Wheel", "Wheel, Bronze Casting"],
    }
    table = lay(matrix={0: columns[number]}, open_cards="Masonry", **more)
    table.play("take Masonry from pile 1 as Bronze Casting", f"put it into column {number - 1}")
    assert table.activated == {EVERYTHING: number}
    return table


# -- terrain and type --------------------------------------------------------------------------------------------------


def test_example_masonry_settles_herders_and_farmers_in_woods_grasslands_jungles():
    """Tile 1: woods farmer herder, grasslands herder hunter, jungles farmer farmer."""
    table = turn("Masonry", tiles=(1,))
    assert table.spots() == {"1 woods", "1 woods right", "1 grasslands", "1 jungles", "1 jungles right"}


def test_example_irrigation_settles_herders_and_farmers_in_mountains_savannas_deserts():
    """Tile 1: mountains hunter farmer, savannas herder, deserts hunter hunter."""
    assert turn("Irrigation", tiles=(1,)).spots() == {"1 mountains right", "1 savannas"}


def test_example_without_a_hut_on_the_first_tile_irrigation_settles_the_second_and_never_the_first_again():
    table = turn("Irrigation", tiles=(1, 2), settled={1: "1 mountains right; 1 savannas"})
    assert table.spots() == {"2 savannas right", "2 deserts"}
    table.play("settle 2 deserts")
    table.choose()
    table.pass_turns(until=0)
    table.play(f"take {table.tops[1]} from pile 2 as Bronze Casting", "put it into column 1")
    assert {spot.split()[0] for spot in table.spots()} == {"2", "3"}


def test_bronze_casting_settles_any_hut():
    assert len(turn(EVERYTHING, tiles=(1,)).spots()) == 12


def test_an_occupied_hut_is_not_free():
    table = turn("Masonry", tiles=(1,), settled={0: "1 woods", 1: "1 jungles"})
    assert table.spots() == {"1 woods right", "1 grasslands", "1 jungles right"}


def test_face_down_tiles_cannot_be_settled():
    assert {spot.split()[0] for spot in turn(EVERYTHING, tiles=(1, 2)).spots()} == {"1", "2"}


# -- how many, which order ---------------------------------------------------------------------------------------------


def test_each_activated_card_places_one_settlement():
    table = castings(2, tiles=(1,)).play("settle 1 woods")
    assert table.activated == {EVERYTHING: 1}
    table.play("settle 1 shore")
    assert table.to_act == 1  # nothing is left to be placed
    assert table.state.markers[0] == 28


def test_a_player_may_place_fewer_or_none():
    assert castings(2, tiles=(1,)).play("settle no more").to_act == 1
    assert castings(2, tiles=(1,)).play("settle 1 woods", "settle no more").to_act == 1


def test_settlements_are_placed_in_any_order_of_cards():
    table = lay(tiles=(1,), matrix={0: ["Irrigation"]}, open_cards="Masonry")
    table.play("take Masonry from pile 1", "put it into a new column on the right")
    assert table.activated == {"Masonry": 1, "Irrigation": 1}
    table.play("settle 1 savannas")
    assert table.activated == {"Masonry": 1}
    table.play("settle 1 woods")
    assert table.to_act == 1


def test_where_cards_of_two_technologies_fit_the_player_says_which_one_is_used():
    table = lay(tiles=(1,), matrix={0: ["Religion"]}, open_cards="Masonry")
    table.play("take Masonry from pile 1", "put it into a new column on the right", "settle 1 woods")
    assert table.phase == Phase.CARD
    assert table.choices() == {"use Masonry", "use Religion"}
    table.play("use Religion")
    assert table.activated == {"Masonry": 1}


def test_where_cards_of_one_technology_fit_nothing_is_asked():
    table = lay(tiles=(1,), matrix={0: ["Masonry"]}, open_cards="Masonry")
    table.play("take Masonry from pile 1", "put it into column 1", "settle 1 woods")
    assert table.phase == Phase.SETTLE
    assert table.activated == {"Masonry": 1}


def test_the_turn_ends_by_itself_when_no_activated_card_fits_a_free_hut():
    """Ruling 8."""
    table = turn("Irrigation", tiles=(1,), settled={1: "1 mountains right; 1 savannas"})
    assert table.to_act == 1


def test_a_settlement_is_a_marker_on_the_board():
    table = turn("Masonry", tiles=(1,)).play("settle 1 woods right")
    assert table.state.owner[0, 3] == 1
    assert list(table.state.markers[:2]) == [29, 30]
    assert list(table.state.in_terrain[0]) == [0, 1, 0, 0, 0, 0, 0]
    assert list(table.state.of_settler[0]) == [0, 1, 0]


# -- never back --------------------------------------------------------------------------------------------------------


def test_after_a_settlement_on_a_tile_earlier_tiles_are_closed_within_the_turn_too():
    table = castings(2, tiles=(1, 2, 3)).play("settle 2 woods")
    table.choose()
    assert {spot.split()[0] for spot in table.spots()} == {"2", "3"}


def test_tiles_may_be_skipped():
    table = castings(2, tiles=(1, 2, 3))
    assert {spot.split()[0] for spot in table.spots()} == {"1", "2", "3"}


def test_a_seat_may_stay_behind_while_another_goes_on():
    table = turn(EVERYTHING, tiles=(1, 2, 3), settled={1: "1 woods; 2 woods; 3 woods"})
    assert {spot.split()[0] for spot in table.spots()} == {"1", "2", "3"}


# -- opening tiles -----------------------------------------------------------------------------------------------------


def test_a_settlement_before_a_face_down_tile_opens_it_for_the_same_turn():
    table = castings(2, tiles=(1,)).play("settle 1 woods")
    assert table.state.open == 2
    assert {spot.split()[0] for spot in table.spots()} == {"1", "2"}


def test_a_settlement_before_an_open_tile_opens_nothing():
    table = castings(2, tiles=(1, 2)).play("settle 1 woods")
    assert table.state.open == 2


def test_only_the_tile_next_to_it_is_opened():
    table = castings(2, tiles=(1, 2, 3)).play("settle 3 woods")
    assert table.state.open == 4


def test_nothing_follows_the_last_tile():
    table = castings(2, tiles=(1, 2, 3, 4, 5, 6, 7)).play("settle 7 woods")
    assert table.state.open == 7


def test_the_tile_that_is_opened_is_any_of_those_not_yet_seen():
    """Ruling 1: face down or in the box is all the same."""
    found = set()
    where = castings(2, tiles=(1, 2)).env.position()
    table = castings(2, tiles=(1, 2))
    for seed in range(200):
        table.env.load({**where, "state": {**where["state"], "rng": f"{seed:016x}"}})
        found.add(int(table.play("settle 2 woods").state.tile[2]))
    assert found == set(range(2, 14))


def test_the_next_tile_is_opened_before_a_city_card_is_chosen():
    """Ruling 4."""
    table = castings(2, tiles=(1, 2)).play("settle 2 woods")
    assert table.phase == Phase.CITY
    assert table.state.open == 3


# -- city cards --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_first_on_a_tile_draws_one_card_more_than_players_and_takes_one(players):
    table = castings(2, players=players, tiles=(1, 2)).play("settle 2 woods")
    shown = table.shown(2)
    assert len(set(shown)) == players + 1
    assert {words.split(" (")[0] for words in table.choices()} == {f"choose {name}" for name in shown}
    table.play(f"choose {shown[1]}")
    assert table.cities(0) == [shown[1]]
    assert table.shown(2) == [name for name in shown if name != shown[1]]


def test_the_first_tile_brings_no_city_card():
    table = castings(2, tiles=(1, 2)).play("settle 1 woods")
    assert table.phase == Phase.SETTLE
    assert table.shown(1) == []


def test_a_later_arrival_takes_one_of_those_left():
    table = castings(2, tiles=(1, 2), players=3, settled={1: "2 shore"}, shown={2: "Ur, Mari, Susa"})
    table.play("settle 2 woods")
    assert {words.split(" (")[0] for words in table.choices()} == {"choose Ur", "choose Mari", "choose Susa"}
    table.play("choose Mari")
    assert table.shown(2) == ["Ur", "Susa"]


def test_a_player_gets_one_city_card_of_a_tile():
    table = castings(2, tiles=(1, 2)).play("settle 2 woods").choose().play("settle 2 shore")
    assert table.to_act == 1
    assert len(table.cities(0)) == 1


def test_a_player_gets_a_city_card_of_each_tile():
    table = castings(2, tiles=(1, 2, 3)).play("settle 2 woods").choose().play("settle 3 woods")
    assert table.phase == Phase.CITY
    assert len(table.choose().cities(0)) == 2


def test_the_last_city_card_of_a_tile_is_discarded_when_all_have_taken_one():
    table = castings(2, tiles=(1, 2), settled={1: "2 shore"}, shown={2: "Ur, Mari"})
    table.play("settle 2 woods", "choose Ur")
    assert table.shown(2) == []
    assert "Mari" not in table.cities(0) + table.cities(1)
    assert not table.state.city_unseen[7]


def test_a_tile_that_was_skipped_brings_no_city_card():
    table = castings(2, tiles=(1, 2, 3)).play("settle 3 woods")
    assert table.shown(2) == []
    assert len(table.shown(3)) == 3


def test_city_cards_are_drawn_evenly_from_the_deck():
    table = castings(2, tiles=(1, 2))
    where, counts = table.env.position(), {}
    for seed in range(300):
        table.env.load({**where, "state": {**where["state"], "rng": f"{seed:016x}"}})
        for name in table.play("settle 2 woods").shown(2):
            counts[name] = counts.get(name, 0) + 1
    assert len(counts) == 18
    assert min(counts.values()) > 25  # 50 on average
