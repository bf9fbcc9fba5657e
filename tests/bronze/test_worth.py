"""What `value` must tell apart, by the rulebook's reasons, so that greedy players do not throw dice."""

from __future__ import annotations

import pytest

from agezoo.envs.bronze import worth
from agezoo.envs.bronze.components import Card
from agezoo.envs.bronze.rules import NEW_LEFT, NEW_RIGHT
from agezoo.envs.bronze.state import NONE
from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.compile import plain

from .scenario import GAME, Table, lay

value, next_activation = plain(worth.value), plain(worth.next_activation)
ALL = (1, 2, 3, 4, 5, 6, 7)


def after(words: str, *then: str, **laid: object) -> float:
    """The value to the first seat after it plays this at a table laid so."""
    return value(lay(**laid).play(words, *then).state, 0)


def only(table: Table, card: Card) -> Table:
    """All cards that are not played yet are of this technology."""
    s = table.state
    s.unseen[:] = 0
    s.unseen[card] = 20
    s.top[:] = card
    return table


# -- face up or face down ----------------------------------------------------------------------------------------------


def test_greedy_players_begin_face_up():
    """Nothing lies there yet, and every card to come may be like the first one."""
    for seed in range(12):
        env = TableEnv(GAME, 2 + seed % 3)
        env.reset(seed=seed)
        action = env.greedy_action(seed)
        assert "as Bronze Casting" not in env.action_text(action)


def test_a_card_face_up_is_worth_what_is_to_come_of_its_technology():
    """Only more of its technology activates it below; Bronze Casting no card activates in its column."""
    activated_again = plain(worth.activated_again)
    table = only(lay(matrix={0: ["Masonry, Masonry, Bronze Casting"]}), Card.MASONRY)
    assert activated_again(table.state, 0) == 2
    assert activated_again(only(table, Card.WHEEL).state, 0) == 0
    assert activated_again(only(table, Card.MASONRY).state, 1) == 0  # it has cards face down alone


def test_a_card_that_none_can_follow_is_better_face_down_where_it_fits_less():
    """All other Masonry lies in matrices: what is left to it is the huts it fits, and Bronze Casting fits all."""
    laid = {
        "tiles": (1,),
        "matrix": {0: ["Wheel, Wheel, Wheel, Wheel"], 1: ["Masonry, Masonry, Masonry, Masonry"]},
    }
    laid["open_cards"] = "Masonry, Authority, Authority, Authority"
    assert after("take Masonry from pile 1 as Bronze Casting", **laid) > after(
        "take Masonry from pile 1", **laid
    )


def test_the_technology_of_a_city_card_is_seen_when_a_card_is_taken():
    """Jericho wants three cards of Irrigation, and face down a card is none."""

    def face_up_gains(city: str) -> float:
        laid = {
            "players": 3,
            "tiles": (1, 2, 3),
            "matrix": {0: ["Irrigation, Irrigation"]},
            "settled": {0: "1 woods; 2 woods"},
            "held": {0: city},
            "open_cards": "Irrigation",
        }
        up = after("take Irrigation from pile 1", **laid)
        return up - after("take Irrigation from pile 1 as Bronze Casting", **laid)

    assert face_up_gains("Jericho") > face_up_gains("Ugarit") + 1


# -- which card, which column ------------------------------------------------------------------------------------------


def test_a_technology_that_fits_more_free_huts_is_better():
    """Masonry fits five huts of the tile, Irrigation one: the other two are settled."""
    laid = {"tiles": (1,), "settled": {1: "1 savannas"}, "open_cards": "Masonry, Irrigation, Wheel, Wheel"}
    assert after("take Masonry from pile 1", **laid) > after("take Irrigation from pile 2", **laid)


def test_the_next_card_activates_those_like_it_above():
    table = only(lay(matrix={0: ["Masonry, Masonry"]}), Card.MASONRY)
    assert next_activation(table.state, 0, NONE, NONE) == 3
    assert next_activation(table.state, 0, int(Card.MASONRY), 0) == 4  # one more that lies in that column


def test_the_next_card_activates_its_neighbours():
    """None of the cards to come is like those that lie there; under the short middle column it has two neighbours."""
    table = only(lay(matrix={0: ["Masonry, Masonry", "Pottery", "Masonry, Masonry"]}), Card.WHEEL)
    assert next_activation(table.state, 0, NONE, NONE) == 3
    assert (
        next_activation(table.state, 0, int(Card.WHEEL), 1) == 2
    )  # there is one already: beside a single one
    flat = only(lay(matrix={0: ["Masonry"]}), Card.WHEEL)
    assert next_activation(flat.state, 0, NONE, NONE) == 2  # in a new column


def test_a_new_column_on_the_left_moves_the_others():
    """The columns lie as they are counted when the new one is there."""
    table = only(lay(matrix={0: ["Masonry", "Pottery, Pottery, Pottery"]}), Card.MASONRY)
    assert (
        next_activation(table.state, 0, int(Card.AUTHORITY), NEW_LEFT) == 3
    )  # Masonry, the one above, Pottery beside
    assert next_activation(table.state, 0, int(Card.MASONRY), NEW_LEFT) == 3
    assert next_activation(table.state, 0, int(Card.MASONRY), 0) == 4  # two above, Pottery beside
    assert next_activation(table.state, 0, int(Card.MASONRY), NEW_RIGHT) == 3


# -- settling ----------------------------------------------------------------------------------------------------------


def test_the_wild_card_is_kept_where_another_fits_as_well():
    """Masonry and Bronze Casting both fit the woods: after it is used for them, Bronze Casting still fits all huts."""
    laid = {"tiles": (1,), "matrix": {0: ["Masonry"]}, "open_cards": "Wheel"}
    start = lay(**laid).play("take Wheel from pile 1 as Bronze Casting")
    column = next(text for text in map(start.env.action_text, start.env.legal_actions()) if "right" in text)
    settled = (column, "settle 1 woods")
    use = {
        name: after("take Wheel from pile 1 as Bronze Casting", *settled, words, **laid)
        for name, words in (("Masonry", "use Masonry"), ("Bronze", "use Bronze Casting"))
    }
    assert use["Masonry"] > use["Bronze"]


def test_a_lead_is_safer_the_fewer_huts_are_left():
    hope = plain(worth._province_hope)
    early = lay(tiles=(1,), settled={0: "1 mountains; 1 woods", 1: "1 shore"})
    huts = "1 mountains; 1 woods; 1 woods right; 1 grasslands; 1 savannas"
    late = lay(tiles=(1,), settled={0: huts, 1: "1 shore; 1 jungles; 1 jungles right; 1 deserts"})
    assert hope(late.state, 0, 0) > hope(early.state, 0, 0)
    assert hope(late.state, 1, 0) < hope(early.state, 1, 0)


def test_a_line_is_worth_more_where_the_cards_settle():
    """Masonry settles woods and no mountains."""

    def in_row(terrain: str) -> float:
        laid = lay(tiles=ALL, matrix={0: ["Masonry, Masonry"]}, settled={0: f"1 {terrain}; 2 {terrain}"})
        return plain(worth._route_hope)(laid.state, 0, {"mountains": 0, "woods": 1}[terrain])

    assert in_row("woods") > in_row("mountains")


# -- city cards --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("nearer", "farther"), [("Susa", "Larsa"), ("Babylon", "Larsa")])
def test_a_condition_counts_by_what_a_seat_comes_to_even_before_it_has_begun(nearer, farther):
    """Nothing is done for either; of the greedy players who take them far more meet the first (RULES.md)."""
    held = {
        city: value(lay(tiles=ALL, settled={0: "1 woods; 2 woods"}, held={0: city}).state, 0)
        for city in (nearer, farther)
    }
    assert held[nearer] > held[farther]


def test_when_the_game_is_over_only_points_count():
    table = lay(ending=True, first=1, turn=0, matrix={0: ["Masonry"]}, settled={0: "1 woods", 1: "1 shore"})
    table.idle()
    assert table.finished
    assert value(table.state, 0) == table.env.scores()["player_0"] - table.env.scores()["player_1"]
