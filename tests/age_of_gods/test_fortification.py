"""Fortification Phase."""

from __future__ import annotations

from .scenario import Stage, lay


def test_a_piece_is_placed_on_any_territory_of_any_people():
    table = lay(stage="fortification", destinies={0: "Humans"})
    assert len(table.choices("fortify ")) == 61  # 60 territories and "nothing more"
    table.play("fortify Gorepit")  # of the Orcs, whom the player need not represent
    assert table.fortified("Gorepit")
    assert table.state.pieces[0] == 4
    assert table.to_act == 1


def test_no_territory_is_fortified_twice_or_without_a_people():
    table = lay(stage="fortification", fortified="Gorepit", owners={"Redtusk": ""})
    assert not table.can("fortify Gorepit")
    assert not table.can("fortify Redtusk")
    assert table.can("fortify Mudfang")


def test_it_is_optional():
    table = lay(stage="fortification").play("fortify nothing more")
    assert table.to_act == 1
    assert table.state.pieces[0] == 5


def test_without_pieces_nobody_is_asked():
    table = lay(stage="fortification", pieces=[5, 0, 5, 0, 0, 0]).play("fortify nothing more")
    assert table.to_act == 2


def test_one_piece_a_turn():
    """Ruling 13."""
    table = lay(stage="fortification", gods={1: "War"}).play("fortify Gorepit", "fortify Mudfang")
    assert table.to_act == 2
    assert table.state.pieces[:2].tolist() == [4, 4]


def test_a_fortification_falls_with_its_territory_and_does_not_come_back():
    table = lay(fortified="Mudfang").attack("Clubpass", "Mudfang", 4)
    assert table.owner("Mudfang") == "Ogres"
    assert not table.fortified("Mudfang")
    assert table.state.pieces[0] == 5
    table = lay(fortified="Mudfang").attack("Clubpass", "Mudfang", 3)
    assert table.fortified("Mudfang")
    assert table.stage == Stage.COMBAT


def test_where_a_fortification_has_fallen_another_may_be_built():
    """Ruling 13."""
    table = lay(3, stage="uprising", seat=2, fortified="Mudfang").attack("Clubpass", "Mudfang", 4)
    assert (table.stage, table.fortified("Mudfang")) == (Stage.FORTIFICATION, False)
    assert table.play("fortify Mudfang").fortified("Mudfang")
