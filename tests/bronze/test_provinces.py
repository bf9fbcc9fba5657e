"""4. Province tokens: whoever is certainly ahead on a tile (ruling 7)."""

from __future__ import annotations

from agezoo.envs.bronze.components import HUT, PLACES, Terrain
from agezoo.envs.bronze.state import Phase

from .scenario import Table, lay

EIGHT = (
    "mountains",
    "mountains right",
    "woods",
    "woods right",
    "grasslands",
    "grasslands right",
    "savannas",
    "deserts",
)
REST = ("deserts right", "jungles", "jungles right", "shore")


def on(tile: int, *spots: str) -> str:
    return "; ".join(f"{tile} {spot}" for spot in spots)


def turn(settled: dict[int, str], number: int = 1, tiles: tuple[int, ...] = (1, 2, 3), **more) -> Table:
    """Player 0 has activated so many Bronze Castings."""
    columns = {1: ["Wheel"], 2: ["Wheel", "Wheel, Bronze Casting"]}[number]
    table = lay(tiles=tiles, settled=settled, matrix={0: columns}, open_cards="Masonry", **more)
    return table.play("take Masonry from pile 1 as Bronze Casting", "put it into column 1")


def test_when_all_have_moved_past_the_one_with_most_settlements_takes_the_token_outside_its_turn_too():
    """The last rival moves past; the token goes to the one ahead, at once."""
    table = turn({0: on(1, "shore"), 1: on(1, *EIGHT[:2]) + "; 2 shore"}, provinces="6")
    assert table.province(1) is None
    table.play("settle 2 woods")
    assert table.province(1) == 1
    assert table.to_act == 0
    assert table.scores() == [0, 6]


def test_a_tie_gives_the_token_to_nobody():
    table = turn({0: on(1, "shore"), 1: on(1, "woods") + "; 2 shore"}).play("settle 2 woods").choose()
    assert table.province(1) is None


def test_nobody_takes_the_token_of_a_tile_that_all_have_skipped():
    table = turn({1: "2 shore"}).play("settle 2 woods").choose()
    assert table.province(1) is None


def test_most_of_the_huts_are_enough_while_others_can_still_come():
    """Seven of twelve huts: the five that are left cannot bring another level."""
    table = turn({0: on(1, *EIGHT[:6])})
    assert table.province(1) is None
    table.play("settle 1 savannas")
    assert table.province(1) == 0


def test_half_of_the_huts_are_not_enough():
    """Six of twelve: with the six that are left another would draw level."""
    table = turn({0: on(1, *EIGHT[:5])}).play("settle 1 grasslands right")
    assert table.province(1) is None


def test_free_huts_that_cannot_make_up_for_the_lead_do_not_matter():
    """Five to two with two free huts."""
    table = turn({0: on(1, *EIGHT[:5]), 1: on(1, *EIGHT[5:8])})
    assert table.province(1) is None
    table.play("settle 1 shore")
    assert table.province(1) is None  # 6 : 3 with 3 free huts: level is possible
    table = turn({0: on(1, *EIGHT[:5]), 1: on(1, *EIGHT[5:8], "jungles")})
    table.play("settle 1 shore")
    assert table.province(1) is None  # 6 : 4 with 2 free huts
    table = turn({0: on(1, *EIGHT[:5], "jungles right"), 1: on(1, *EIGHT[5:8], "jungles")})
    table.play("settle 1 shore")
    assert table.province(1) == 0  # 7 : 4 with 1


def test_each_of_several_rivals_might_take_all_the_free_huts():
    """Three players, 5 : 2 : 1 with four free huts: the second could come to six. They do not share them out."""
    table = turn({0: on(1, *EIGHT[:4]), 1: on(1, *EIGHT[4:6]), 2: on(1, "savannas")}, players=3)
    table.play("settle 1 deserts")
    assert table.state.free[0] == 4
    assert table.province(1) is None


def test_rivals_that_have_moved_past_cannot_take_free_huts():
    settled = {0: on(1, *EIGHT[:2]), 1: on(1, "savannas") + "; 2 shore", 2: "2 shore right"}
    table = turn(settled, players=3).play("settle 1 woods")
    assert table.state.free[0] == 8
    assert table.province(1) == 0  # only the leader itself may still come, and that is no rival


def test_a_leader_that_may_still_add_counts_only_what_it_has():
    """It may as well move on; the others need not let it take what is free."""
    table = turn({0: on(1, *EIGHT[:3]), 1: on(1, *EIGHT[3:5])}).play("settle 1 shore")
    assert table.province(1) is None


def test_a_second_player_that_could_come_level_keeps_the_token_there():
    table = turn({0: on(1, *EIGHT[:6]), 1: on(1, "deserts", "shore")}).play("settle 1 savannas")
    assert table.state.free[0] == 3
    assert table.province(1) == 0  # 7 : 2 with 3 free


def test_whoever_has_no_turn_left_cannot_catch_up():
    """The last round: player 1 has played, player 0 plays last."""
    table = turn(
        {0: on(1, "woods"), 1: on(1, *EIGHT[:2])},
        first=1,
        ending=True,
    )
    assert table.province(1) is None  # with one casting player 0 can come level, 2 : 2
    table.play("settle no more")
    assert table.finished
    assert table.province(1) == 1


def test_in_the_last_round_a_player_can_add_what_its_activated_cards_fit_and_no_more():
    """Two castings against a lead of two: level is possible; against a lead of three it is not."""
    for lead, settled in ((2, on(1, *EIGHT[:2])), (3, on(1, *EIGHT[:3]))):
        table = turn({1: settled}, number=2, first=1, ending=True)
        assert table.province(1) == (None if lead == 2 else 1)


def test_in_the_last_round_activated_cards_that_fit_no_hut_of_the_tile_do_not_count():
    """Irrigation fits two huts of tile 1, which are taken: its card is of use on tile 2 alone."""
    settled = {1: on(1, "mountains right", "savannas")}
    table = lay(
        tiles=(1, 2),
        settled=settled,
        matrix={0: ["Irrigation"]},
        open_cards="Irrigation",
        first=1,
        ending=True,
    )
    table.play("take Irrigation from pile 1", "put it into column 1")
    assert table.activated == {"Irrigation": 2}
    assert table.province(1) == 1
    assert table.province(2) is None


def test_in_the_last_round_cards_that_fit_the_same_hut_count_once():
    """Two Irrigations, one free hut for them, a rival one ahead by two."""
    settled = {1: on(1, "mountains", "savannas")}
    table = lay(
        tiles=(1, 2),
        settled=settled,
        matrix={0: ["Irrigation"]},
        open_cards="Irrigation",
        first=1,
        ending=True,
    )
    table.play("take Irrigation from pile 1", "put it into column 1")
    assert table.spots() == {"1 mountains right", "2 savannas right", "2 deserts"}
    assert table.province(1) == 1


def test_at_the_end_of_the_game_the_one_ahead_takes_the_token():
    """Ruling 7: nobody can place anything any more."""
    table = turn({0: on(1, "woods", "shore"), 1: on(1, "savannas")}, first=1, ending=True)
    table.play("settle no more")
    assert table.finished
    assert table.province(1) == 0


def test_the_card_that_ends_the_game_makes_leads_over_those_certain_who_have_played():
    """Player 1 has played in this round; player 0 takes the last card of the second pile."""
    settled = {0: on(1, "woods", "shore"), 1: on(1, "savannas")}
    table = lay(tiles=(1, 2), settled=settled, first=1, turn=0)
    while not (table.to_act == 0 and table.state.empty == 1 and table.state.pile[0] == 1):
        table.idle(2 if table.state.empty == 1 and table.state.pile[0] == 1 else 1)
    assert table.province(1) is None
    table.play(f"take {table.tops[0]} from pile 1 as Bronze Casting")
    assert table.ending
    assert table.phase == Phase.COLUMN
    assert table.province(1) == 0


def test_markers_that_are_used_up_add_nothing():
    """Player 1 has one marker left and eleven free huts; two settlements are certain against none."""
    tiles = (1, 2, 3, 4, 5)
    spots = [f"{tile} {spot}" for tile in (2, 3) for spot in every(tile)]
    spots += [f"4 {spot}" for spot in every(4)][:5]
    settled = {1: "; ".join(spots), 0: "5 mountains; 5 woods"}
    table = lay(tiles=tiles, settled=settled)
    assert table.state.markers[1] == 1
    assert table.province(5) == 0


def every(tile: int) -> list[str]:
    """All huts of a tile as it lies in components.toml."""
    return [
        f"{Terrain(cell // PLACES).name.lower()}{' right' if cell % PLACES else ''}"
        for cell in range(HUT.shape[1])
        if HUT[tile - 1, cell] >= 0
    ]


def test_a_marker_spent_here_settles_a_tile_further_on():
    """Six of twelve huts of the fourth tile against a rival who places the first of its last six markers behind it."""
    settled = {0: on(4, *every(4)[:6]), 1: on(1, *every(1)) + "; " + on(2, *every(2))}
    table = lay(
        tiles=(1, 2, 3, 4), settled=settled, turn=1, first=1, matrix={1: ["Wheel"]}, open_cards="Masonry"
    )
    table.play("take Masonry from pile 1 as Bronze Casting", "put it into column 1")
    assert table.state.markers[1] == 6
    assert table.province(4) is None
    table.play("settle 3 shore")
    assert table.state.markers[1] == 5
    assert table.province(4) == 0
    table.env.load(table.env.position())


def test_the_token_comes_with_the_settlement_before_its_card_is_named():
    """Both cards fit the seventh of twelve huts."""
    table = lay(
        tiles=(1, 2),
        settled={0: on(1, *[spot for spot in every(1) if spot != "woods"][:6])},
        matrix={0: ["Wheel", "Wheel, Masonry"]},
        open_cards="Religion",
    )
    table.play("take Religion from pile 1 as Bronze Casting", "put it into column 1")
    assert table.province(1) is None
    table.play("settle 1 woods")
    assert table.phase == Phase.CARD
    assert table.province(1) == 0


def test_a_card_that_is_about_to_be_named_counts_as_used_in_the_last_round():
    """Two cards, one of which the settlement uses up: behind by two on tile 2, level is out of reach at once."""
    settled = {1: on(2, "mountains", "shore")}
    table = lay(
        tiles=(1, 2),
        settled=settled,
        first=1,
        ending=True,
        matrix={0: ["Wheel", "Wheel, Masonry"]},
        open_cards="Religion",
    )
    table.play("take Religion from pile 1 as Bronze Casting", "put it into column 1")
    assert table.province(2) is None  # two cards, two settlements: level
    table.play("settle 1 woods")
    assert table.phase == Phase.CARD
    assert table.province(2) == 1
