"""What a seat sees, imagined worlds, and how tables are judged."""

from __future__ import annotations

import numpy as np
import pytest

from agezoo.envs.bronze import worth
from agezoo.envs.bronze.components import CITY_NAMES, HUT, PLACES, Card, Settler, Terrain
from agezoo.envs.bronze.state import OBSERVATION, WINDOW, A, Phase
from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.compile import plain

from .scenario import GAME, Table, lay

value, part_left = plain(worth.value), plain(worth.part_left)
ALL = (1, 2, 3, 4, 5, 6, 7)


# -- observe -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_seats_are_seen_from_the_own_one_on(players):
    table = lay(players, first=1, turn=1, settled={0: "1 mountains"}, matrix={1: ["Wheel"]})
    for seat in range(players):
        assert table.sees(seat, "players").tolist() == [players == n for n in (2, 3, 4)]
        assert table.sees(seat, "turn_of").argmax() == (1 - seat) % players
        assert table.sees(seat, "first").argmax() == (1 - seat) % players
        assert table.sees(seat, "deciding") == (seat == 1)
        assert table.sees(seat, "at").argmax() == -seat % players
        assert table.sees(seat, "in_terrain")[-seat % players, Terrain.MOUNTAINS] == 1
        assert table.sees(seat, "markers")[-seat % players] == 29
        assert not table.sees(seat, "markers")[players:].any()


def test_the_piles_and_the_turn_are_seen():
    table = lay(matrix={0: ["Religion", "Pottery"]}, open_cards="Masonry, Masonry, Wheel, Religion")
    assert table.sees(1, "top").argmax(axis=1).tolist() == [2, 2, 5, 4]
    assert table.sees(1, "pile").tolist() == list(table.state.pile)
    assert table.sees(1, "unseen").tolist() == list(table.state.unseen)
    table.play("take Masonry from pile 1")
    assert table.sees(0, "card").argmax() == Card.MASONRY
    assert table.sees(0, "phase").argmax() == Phase.COLUMN
    table.play("put it into a new column on the right")
    assert not table.sees(0, "card").any()
    assert table.sees(1, "activated").tolist() == [0, 1, 1, 0, 0, 0, 0, 0]


def test_a_seat_sees_what_lies_beside_each_place_of_its_matrix():
    table = lay(matrix={0: ["Religion, Wheel", "Pottery", "Masonry, Irrigation"]})
    beside, column = table.sees(0, "beside"), table.sees(0, "column")
    assert table.sees(0, "height")[:2].tolist() == [[2, 1, 2, 0], [5, 0, 0, 0]]
    assert table.sees(1, "height")[1].tolist() == [2, 1, 2, 0]
    assert np.flatnonzero(beside[1]).tolist() == [Card.WHEEL, Card.IRRIGATION]
    assert not beside[0].any()  # the second column has no third row
    assert np.flatnonzero(beside[4]).tolist() == [Card.RELIGION]
    assert np.flatnonzero(beside[5]).tolist() == [Card.MASONRY]
    assert np.flatnonzero(column[0]).tolist() == [Card.RELIGION, Card.WHEEL]
    assert table.sees(1, "in_matrix")[1].tolist() == [0, 1, 1, 0, 1, 1, 1, 0]


def test_the_board_is_seen_from_the_own_tile_on():
    table = lay(tiles=ALL, settled={0: "2 mountains", 1: "3 woods"})
    mine, theirs = table.sees(0, "board"), table.sees(1, "board")
    assert mine.shape == (4, 7, WINDOW * PLACES)
    assert mine[3, Terrain.MOUNTAINS, 0] == 1  # tile 2 is the first it sees
    assert mine[3, Terrain.WOODS, PLACES] == -1
    assert theirs[3, Terrain.WOODS, 0] == 1
    for settler in Settler:
        for cell in range(HUT.shape[1]):
            free = HUT[1, cell] == settler and cell != 0
            assert mine[settler, cell // PLACES, cell % PLACES] == free


def test_the_third_seat_on_is_told_from_the_next():
    table = lay(4, tiles=ALL, settled={1: "1 woods", 3: "1 woods right"})
    assert table.sees(0, "board")[3, Terrain.WOODS, :2].tolist() == [-1, -3]


def test_rows_routes_and_provinces_are_seen():
    settled = {0: "1 mountains; 2 mountains; 4 mountains", 1: "2 shore; 5 mountains"}
    table = lay(tiles=ALL, settled=settled)
    assert table.sees(1, "route")[:2, 0].tolist() == [0, 3]
    assert table.sees(0, "line")[:2, 0].tolist() == [3, 1]
    assert table.sees(0, "tail")[:2, 0].tolist() == [0, 1]
    assert table.sees(0, "count")[0].tolist()[:5] == [1, 1, 0, 1, 0]
    assert table.sees(0, "province_of")[0].tolist()[:3] == [4, 0, 0]
    assert table.sees(0, "province").tolist()[:2] == [0, 4]
    assert table.sees(0, "free").tolist()[:2] == [11, 10]
    assert table.sees(0, "points").tolist()[:2] == table.scores()


def test_city_cards_are_seen():
    settled = {0: "1 mountains", 1: "2 shore"}
    table = lay(tiles=(1, 2), settled=settled, held={1: "Ur"}, shown={2: "Mari, Susa"}, open_cards="Wheel")
    names = lambda block: {CITY_NAMES[k] for k in np.flatnonzero(block)}  # noqa: E731
    assert names(table.sees(0, "shown")) == {"Mari", "Susa"}
    assert names(table.sees(1, "shown")) == set()  # it has taken its card of this tile
    assert all(table.sees(seat, "city_at")[CITY_NAMES.index("Susa")] == 2 for seat in (0, 1))
    assert table.sees(0, "city_of")[CITY_NAMES.index("Ur")] == -1
    assert table.sees(1, "city_of")[CITY_NAMES.index("Ur")] == 1
    assert table.sees(0, "offer").sum() == 0
    table.play("take Wheel from pile 1 as Bronze Casting", "settle 2 mountains")
    assert names(table.sees(1, "offer")) == {"Mari", "Susa"}
    assert table.sees(0, "progress")[CITY_NAMES.index("Mari")] == 0
    table.play("choose Susa")
    assert table.sees(0, "city_of")[CITY_NAMES.index("Susa")] == 1


def test_city_cards_left_at_tiles_behind_are_seen():
    """Others may still take them."""
    table = lay(tiles=ALL, settled={1: "2 shore; 5 shore"}, shown={2: "Mari, Susa"})
    for seat in (0, 1):
        lie = table.sees(seat, "city_at")
        assert [lie[CITY_NAMES.index(name)] for name in ("Mari", "Susa")] == [2, 2]
        assert (lie == 5).sum() == 2
    elsewhere = lay(tiles=ALL, settled={1: "2 shore; 5 shore"}, shown={2: "Mari, Akkad"})
    assert (elsewhere.sees(1, "city_at") != table.sees(1, "city_at")).any()


def test_the_city_card_that_was_left_over_is_seen_to_be_gone():
    """All have reached tile 2, so the third card of three is discarded."""
    table = lay(settled={0: "2 mountains", 1: "2 shore"}, held={0: "Ur", 1: "Uruk"})
    for seat in (0, 1):
        gone = [CITY_NAMES[k] for k in np.flatnonzero(table.sees(seat, "city_at") == -1)]
        assert len(gone) == 1
        assert table.state.city_unseen[CITY_NAMES.index(gone[0])] == 0
        assert gone[0] not in ("Ur", "Uruk")


def test_the_settlement_for_which_a_card_is_to_be_named_is_seen():
    table = lay(tiles=ALL, matrix={0: ["Wheel", "Wheel, Masonry"]}, open_cards="Religion")
    table.play("take Religion from pile 1 as Bronze Casting", "put it into column 1", "settle 3 woods")
    assert table.phase == Phase.CARD
    for seat in (0, 1):
        assert np.argwhere(table.sees(seat, "spot")).tolist() == [[Terrain.WOODS, 0]]
        assert table.sees(seat, "at").max() == 3
    table.play("use Masonry")
    assert not table.sees(1, "spot").any()


def test_progress_is_that_of_the_observer():
    table = lay(tiles=(1, 2, 3), settled={0: "1 mountains; 2 mountains"}, held={0: "Ur"})
    assert table.sees(0, "progress")[CITY_NAMES.index("Ur")] == pytest.approx(2 / 5)
    assert not table.sees(1, "progress").any()


def test_the_tiles_shown_are_nearly_always_all_that_can_be_settled():
    """The observation shows six tiles from the own one on; greedy players never lie so far apart."""
    for seed in range(5):
        env = TableEnv(GAME, 2)
        env.reset(seed=seed)
        while env.agents and not any(env.terminations.values()):
            s = GAME.record(env.states)
            assert s.open - s.at[s.seat] <= WINDOW
            env.step(env.greedy_action(seed))


def test_who_takes_a_card_sees_what_it_would_activate_where_it_is_best():
    table = lay(matrix={0: ["Religion, Masonry", "Religion", "Wheel, Wheel"]}, open_cards="Pottery, Religion")
    uses = table.sees(0, "uses")
    assert uses[0].tolist() == [3, 3]  # under the second column, between Masonry and Wheel
    assert uses[1].tolist() == [4, 3]  # and the Religion above it
    assert not table.sees(1, "uses").any()
    assert not table.sees(0, "uses_there").any()


def test_who_places_a_card_sees_what_it_would_activate_in_each_place():
    table = lay(matrix={0: ["Religion, Masonry", "Religion", "Wheel, Wheel"]}, open_cards="Religion")
    table.play("take Religion from pile 1")
    assert table.sees(0, "uses_there").tolist() == [2, 4, 1, 0, 2, 2]
    assert not table.sees(1, "uses_there").any()
    assert not table.sees(0, "uses").any()


def test_who_settles_sees_lines_leads_and_what_could_still_be_used():
    settled = {0: "1 mountains; 1 mountains right; 1 woods", 1: "2 woods; 2 shore; 3 shore"}
    table = lay(tiles=ALL, settled=settled, matrix={0: ["Religion"]}, open_cards="Masonry")
    table.play("take Masonry from pile 1 as Bronze Casting", "put it into a new column on the right")
    line, lead, left = (table.sees(0, name) for name in ("line_there", "lead_there", "uses_left"))
    for tile in range(7):
        for terrain in Terrain:
            for place in range(PLACES):
                cell = terrain * PLACES + place
                free = HUT[tile, cell] >= 0 and table.state.owner[tile, cell] == 0
                assert (line[tile, terrain, place] > 0) == free
                assert left[tile, terrain, place] == 2 * free
    assert line[0, Terrain.DESERTS, 0] == 1
    assert line[5, Terrain.MOUNTAINS, 0] == 3
    assert line[0, Terrain.WOODS, 1] == 2
    assert line[2, Terrain.WOODS, 0] == 1  # the other's settlement on tile 2 is between
    assert lead[0, Terrain.DESERTS, 0] == 4
    assert lead[1, Terrain.DESERTS, 0] == -1
    assert lead[2, Terrain.DESERTS, 0] == 0
    assert not table.sees(1, "line_there").any()


def test_actions_are_aligned_with_what_is_observed_of_them():
    slices = OBSERVATION.slices()
    aligned = {actions.start: parts for actions, parts in GAME.aligned}
    assert aligned[A.take] == [slices["uses"]]
    assert slices["uses_there"] in aligned[A.column]
    assert aligned[A.settle] == [slices[name] for name in ("line_there", "lead_there", "uses_left")]
    assert aligned[A.city] == [slices[name] for name in ("city_at", "shown", "offer", "city_of", "progress")]


# -- determinize -------------------------------------------------------------------------------------------------------


def test_nothing_is_hidden_from_one_seat_alone():
    """Ruling 1: a world differs in its future and in nothing else."""
    table = lay(3, matrix={0: ["Wheel"]})
    for seat in range(3):
        one, two = (Table(table.env.world(f"player_{seat}", seed)).state for seed in (1, 2))
        assert one.rng != two.rng
        one.rng = two.rng = table.state.rng
        assert one.tobytes() == two.tobytes() == table.state.tobytes()


# -- value -------------------------------------------------------------------------------------------------------------


def test_value_is_the_margin_of_points_at_the_end():
    table = lay(first=1, turn=0, ending=True, settled={0: "1 mountains; 1 woods"}, matrix={0: ["Wheel"]})
    table.idle()
    assert table.finished
    assert value(table.state, 0) == 4
    assert value(table.state, 1) == -4


def test_value_sees_routes_provinces_cities_and_the_cards_that_are_activated():
    plain_table = value(lay(tiles=ALL, settled={0: "1 mountains; 2 woods"}).state, 0)
    in_line = value(lay(tiles=ALL, settled={0: "1 mountains; 2 mountains"}).state, 0)
    assert in_line > plain_table
    table = lay(tiles=(1,), matrix={0: ["Wheel", "Wheel, Bronze Casting"]}, open_cards="Masonry")
    before = value(table.state, 0)
    table.play("take Masonry from pile 1 as Bronze Casting")
    composing = value(table.state, 0)
    assert composing > before  # the best place for the card is looked for
    assert value(table.play("put it into column 1").state, 0) == pytest.approx(composing, abs=0.5)
    assert value(table.play("settle no more").state, 0) < composing


def test_the_game_comes_nearer_to_its_end():
    table = lay(matrix={0: ["Wheel"]})
    shares = [part_left(table.state)]
    while not table.finished:
        table.idle()
        shares.append(part_left(table.state))
    assert shares == sorted(shares, reverse=True)
    assert part_left(lay().state) == 1
    assert shares[-1] == 0


def test_the_greedy_player_places_what_it_has_activated_and_takes_city_cards():
    env = TableEnv(GAME, 2)
    env.reset(seed=3)
    for move in range(60):
        env.step(env.greedy_action(move))
    s = GAME.record(env.states)
    turns = int(s.height[:2].sum())
    assert 60 - s.markers[0] - s.markers[1] > turns
    assert s.cities[0] + s.cities[1] >= 2


def test_blocks_of_the_layout_are_all_written():
    """Over a few games every block of the observation shows something."""
    seen = np.zeros(GAME.num_features)
    for players in (2, 3, 4):
        env = TableEnv(GAME, players)
        env.reset(seed=players)
        while env.agents and not any(env.terminations.values()):
            seen = np.maximum(seen, np.abs(env.observe(env.agent_selection)["observation"]))
            env.step(env.greedy_action(players))
    assert [name for name, block in OBSERVATION.unpack(seen).items() if not block.any()] == []
