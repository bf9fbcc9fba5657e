"""Divine Wrath."""

from __future__ import annotations

import pytest

from agezoo.envs.age_of_gods.components import CITIES, COAST, TERRITORIES

from .scenario import Phase, Table, lay
from .test_abilities import done

CITY_NAMES = {TERRITORIES[t] for t in range(60) if int(CITIES) >> t & 1}
COAST_NAMES = {TERRITORIES[t] for t in range(60) if int(COAST) >> t & 1}


def call(die: int, **more) -> Table:
    more.setdefault("wiped_out", "Ogres")
    table = lay(stage="action", hands={0: "Ogres"}, **more)
    return table.die(die).play("play a card of the Ogres for divine wrath")


def struck(name: str, table: Table) -> set[str]:
    return table.choices(f"{name} strikes ")


def test_pestilence_empties_a_territory_of_a_people_of_the_greatest_extent():
    table = call(1, owners={"Longgrass": "Barbarians", "Snagwood": "Dwarves"})
    assert struck("Pestilence", table) == table.land("Barbarians") | table.land("Dwarves")
    table.play("Pestilence strikes Longgrass")
    assert table.owner("Longgrass") == ""
    assert done(table)


def test_flood_empties_a_territory_on_the_coast():
    table = call(2, fortified="Aldermark", owners={"Kingsreach": ""})
    assert struck("Flood", table) == COAST_NAMES - {"Kingsreach", "Clubpass"}
    table.play("Flood strikes Aldermark")
    assert table.owner("Aldermark") == ""
    assert not table.fortified("Aldermark")
    assert done(table)


def test_earthquake_empties_a_city():
    table = call(3, owners={"Kingsreach": ""})
    assert struck("Earthquake", table) == CITY_NAMES - {"Kingsreach"}
    assert done(table.play("Earthquake strikes Redtusk"))
    assert table.owner("Redtusk") == ""


def test_lightning_destroys_a_fortification_and_nothing_else():
    table = call(4, fortified="Redtusk, Mudfang")
    assert struck("Lightning", table) == {"Redtusk", "Mudfang"}
    table.play("Lightning strikes Redtusk")
    assert not table.fortified("Redtusk")
    assert table.owner("Redtusk") == "Orcs"
    assert table.fortified("Mudfang")
    assert done(table)


def test_a_dark_age_costs_a_people_a_level():
    table = call(5, technology={"Orcs": 2, "Monks": 1})
    assert table.choices("Dark Age strikes the ") == {"Orcs", "Monks"}
    table.play("Dark Age strikes the Orcs")
    assert table.technology("Orcs") == 1
    assert done(table)


def test_rebirth_brings_the_people_of_the_card_back():
    table = call(6, fortified="Mudfang", owners={"Gorepit": ""})
    places = struck("Rebirth", table)
    assert places == set(TERRITORIES) - CITY_NAMES - {"Mudfang"}
    table.play("Rebirth strikes Skullridge")
    assert table.owner("Skullridge") == "Ogres"
    assert done(table)


def test_an_earthquake_takes_the_fortification_along():
    table = call(3, fortified="Redtusk").play("Earthquake strikes Redtusk")
    assert not table.fortified("Redtusk")


def test_nobody_is_reborn_in_the_vortex():
    table = call(6, owners={"Gorepit": "", "Mudfang": ""}, vortex=TERRITORIES.index("Gorepit"))
    places = struck("Rebirth", table)
    assert "Gorepit" not in places
    assert "Mudfang" in places  # empty land will do


def test_a_dark_age_can_fall_on_a_people_that_is_wiped_out():
    table = call(5, technology={"Ogres": 1})
    assert table.choices("Dark Age strikes the ") == {"Ogres"}


@pytest.mark.parametrize("die", [4, 5])
def test_where_there_is_nothing_to_strike_nothing_happens(die):
    """Ruling 11."""
    assert done(call(die))


def test_it_is_the_player_who_rolled_that_chooses():
    assert call(1).to_act == 0


def test_a_destiny_card_of_a_people_that_is_wiped_out_calls_it_too_and_is_revealed():
    table = lay(stage="action", destinies={0: "Orcs"}, wiped_out="Orcs").die(3)
    table.play("play the destiny card of the Orcs for divine wrath")
    assert table.phase == Phase.TERRITORY
    assert table.known(1, 0) == {"Orcs"}
