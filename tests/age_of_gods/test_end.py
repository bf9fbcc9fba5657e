"""Victory Conditions."""

from __future__ import annotations

import pytest

from .scenario import Table, lay

QUIET = {0: "War", 1: "Luck", 2: "Crafts"}
ALL_PLAYED = "Humans (played), Nomads (played), Hobbits (played), Sorcerers (played)"


def end(**more) -> Table:
    """The last decision of the last turn: the third of three players plays its card."""
    return lay(stage="action", turn=9, seat=2, gods=QUIET, **more)


def finish(table: Table) -> Table:
    """Play a card that changes nothing but technology."""
    table.play(min(words for words in table.choices() if words.endswith("for technology")))
    assert table.finished
    return table


def test_the_game_ends_with_the_ninth_turn():
    table = finish(end())
    assert table.env.legal_actions() == []


def test_at_the_end_destiny_cards_and_bets_lie_face_up():
    table = finish(end(destinies={0: ALL_PLAYED}, bets={1: "Chaos, Ogres"}))
    assert len(table.known(0, 1)) == len(table.known(1, 2)) == 4
    worlds = table.worlds(0, 50)
    assert (worlds["destiny"] == table.state.destiny).all()
    assert (worlds["bets"] == table.state.bets).all()
    assert "bets: Ogres, Chaos" in table.env.table_text("player_0")


def test_example_6_territories_and_cities_of_the_four_peoples():
    """Humans 4 with a city, Nomads 5, Hobbits gone, Sorcerers 1: eleven points."""
    owners = {"Silverspire": "Nomads", "Wreckbay": "Nomads", "Lightwater": "Nomads", "Sunroad": "Ogres"}
    table = finish(end(destinies={0: ALL_PLAYED}, owners=owners, wiped_out="Hobbits"))
    assert table.scores()[0] == 5 + 5 + 0 + 1


def test_destiny_cards_that_were_never_played_count_alike():
    table = finish(
        end(destinies={0: ALL_PLAYED, 1: "Orcs, Goblins (played), Pirates (played), Monks (played)"})
    )
    assert table.scores()[1] == (4 + 1) + 3 + (2 + 1) + (1 + 1)


FULL_HUMANS = dict.fromkeys(("Gnawbone", "Hungerdeep", "Rattleden", "Quietbell"), "Humans")
NOT_HUMANS = {0: "Chaos (played), Nomads (played), Hobbits (played), Sorcerers (played)"}


def bets(laid: str, **more) -> int:
    """What the bets of the first player are worth."""
    plain = finish(end(destinies=NOT_HUMANS, **more)).scores()[0]
    return finish(end(destinies=NOT_HUMANS, bets={0: laid}, **more)).scores()[0] - plain


def test_example_7_three_points_for_a_people_at_its_maximum_extent():
    """Humans hold 8 territories, Amazons 1 of 4: three points."""
    owners = FULL_HUMANS | {"Spearcliff": "Giants"}
    assert bets("Humans, Amazons", owners=owners) == 3


def test_six_points_for_two_cards_on_one_people():
    assert bets("2 Humans", owners=FULL_HUMANS) == 6


def test_nothing_below_the_maximum_extent():
    assert bets("Humans", owners={k: v for k, v in FULL_HUMANS.items() if k != "Quietbell"}) == 0


def test_nothing_for_a_people_that_the_player_represents():
    table = finish(end(destinies={0: ALL_PLAYED}, bets={0: "Humans"}, owners=FULL_HUMANS))
    own = finish(end(destinies={0: ALL_PLAYED}, owners=FULL_HUMANS))
    assert table.scores()[0] == own.scores()[0]


@pytest.mark.parametrize(("spare", "points"), [(3, 3), (2, 0)])
def test_spare_goblin_tokens_raise_the_maximum_extent(spare, points):
    """Ruling 3."""
    owners = dict.fromkeys(("Ironroot", "Stonehall", "Venomdale"), "Goblins")
    assert bets("Goblins", owners=owners, spare_goblins=spare) == points


def test_the_highest_total_wins_and_ties_are_shared():
    four = "Orcs (played), Goblins (played), Wood Elves (played), Giants"
    table = finish(end(destinies={0: NOT_HUMANS[0], 1: four}))
    places, scores = list(table.env.places().values()), table.scores()
    assert [1 + sum(other > mine for other in scores) for mine in scores] == places
    same = {0: "Chaos (played), Goblins (played), Hobbits (played), Giants (played)"}
    same[1] = "Orcs (played), Dark Elves (played), Wood Elves (played), Ogres (played)"
    same[2] = "Humans (played), Nomads (played), Pirates (played), Monks (played)"
    gone = "Humans, Nomads, Pirates, Monks"
    assert finish(end(destinies=same, wiped_out=gone, owners={"Butterburrow": ""})).scores() == [12, 13, 0]
    table = finish(end(destinies=same, wiped_out=gone, owners={"Butterburrow": "", "Nightspire": ""}))
    assert table.scores() == [12, 12, 0]
    assert list(table.env.places().values()) == [1, 1, 3]
