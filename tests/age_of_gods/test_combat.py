"""Combat Phase."""

from __future__ import annotations

import pytest

from agezoo.envs.age_of_gods.components import TERRITORIES

from .scenario import Phase, Stage, Table, lay


def test_everybody_attacks_once_and_must():
    table = lay(3)
    assert all(words.startswith("attack from ") for words in table.choices())
    aimed = lay(3).play("attack from Clubpass")
    assert all(words.startswith("attack ") for words in aimed.choices())
    table.attack("Clubpass", "Mudfang", 1)
    assert (table.stage, table.to_act) == (Stage.COMBAT, 1)
    table.attack("Clubpass", "Mudfang", 1).attack("Clubpass", "Mudfang", 1)
    assert table.stage == Stage.ACTION


def test_the_attacker_holds_a_token_and_borders_on_the_attacked_which_is_another_peoples_or_empty():
    table = lay(owners={"Redtusk": "", "Ashgate": "Pirates"})
    origins = table.choices("attack from ")
    assert "Redtusk" not in origins  # no token
    assert "Gullrock" not in origins  # only Pirates around
    table.play("attack from Skullridge")
    assert table.choices("attack ") == {
        "Redtusk",
        "Scalebank",
        "Croakmarsh",
        "Clubpass",
    }  # not Mudfang: Orcs too


def test_no_attack_with_a_people_that_the_player_has_revealed():
    """The note at the diagram: the Humans are player 1's, revealed; it may not attack with them, others may."""
    table = lay(destinies={0: "Humans (played)"})
    assert not table.can("attack from Harrowend")
    assert table.can("attack from Clubpass")
    table.attack("Clubpass", "Mudfang", 1)
    assert table.can("attack from Harrowend")


def test_a_people_that_is_represented_but_not_revealed_may_attack():
    assert lay(destinies={0: "Humans"}).can("attack from Harrowend")


def test_a_people_next_to_the_target_attacks_it_one_that_is_not_does_not():
    """The diagram's second note, with our map: Amazons reach the Dark Elves, Sorcerers do not."""
    assert "Venomdale" in lay().play("attack from Spearcliff").choices("attack ")
    assert "Venomdale" not in lay().play("attack from Runetower").choices("attack ")


@pytest.mark.parametrize(("die", "wins"), [(1, False), (2, False), (3, True), (4, True), (5, True)])
def test_three_or_more_takes_the_territory(die, wins):
    table = lay().attack("Scalebank", "Skullridge", die)
    assert table.owner("Skullridge") == ("Lizardmen" if wins else "Orcs")
    assert table.owner("Scalebank") == "Lizardmen"
    assert len(table.land("Orcs")) == (3 if wins else 4)
    assert len(table.land("Lizardmen")) == (4 if wins else 3)


def needed(table: Table, origin: str, target: str) -> int:
    """The lowest die that wins; the table is left as it was."""
    position, lowest = table.env.position(), 7
    for die in range(6, 0, -1):
        before = table.owner(target)
        table.attack(origin, target, *[die] * 2)  # a second die for the god of luck
        if table.owner(target) != before or table.phase in (Phase.EXTENT, Phase.TARGET):
            lowest = die
        table.env.load(position)
    return lowest


def test_modifier_fortified():
    assert needed(lay(fortified="Skullridge"), "Scalebank", "Skullridge") == 4


def test_modifier_city():
    assert needed(lay(), "Skullridge", "Croakmarsh") == 3
    assert needed(lay(), "Croakmarsh", "Redtusk") == 4


def test_modifier_technology_of_the_attacker():
    assert needed(lay(technology={"Lizardmen": 2}), "Scalebank", "Skullridge") == 1
    assert needed(lay(technology={"Lizardmen": 1}), "Scalebank", "Skullridge") == 2


def test_modifier_technology_of_the_attacked():
    assert needed(lay(technology={"Orcs": 2}), "Scalebank", "Skullridge") == 5


def test_example_4():
    """Technology 2 against a fortified territory of technology 1: a 3 is needed."""
    table = lay(fortified="Hungerdeep", technology={"Humans": 2, "Voracious": 1})
    assert needed(table, "Harrowend", "Hungerdeep") == 3


def test_modifiers_add_up_beyond_what_a_die_can_show():
    assert needed(lay(fortified="Redtusk", technology={"Orcs": 2}), "Croakmarsh", "Redtusk") == 7


def test_a_natural_six_that_wins_gives_a_second_attack_from_the_conquered_territory():
    table = lay().attack("Scalebank", "Skullridge", 6)
    assert (table.phase, table.to_act) == (Phase.TARGET, 0)
    assert table.choices("attack ") == {
        "Mudfang",
        "Redtusk",
        "Clubpass",
    }  # neighbours of Skullridge, not Lizardmen
    assert table.can("leave the breakthrough")
    table.play("attack Mudfang").roll(3)
    assert table.owner("Mudfang") == "Lizardmen"
    assert table.to_act == 1


def test_the_breakthrough_may_be_left():
    table = lay().attack("Scalebank", "Skullridge", 6).play("leave the breakthrough")
    assert table.owner("Skullridge") == "Lizardmen"
    assert table.to_act == 1


def test_a_second_natural_six_gives_no_third_attack():
    table = lay().attack("Scalebank", "Skullridge", 6).play("attack Mudfang").roll(6)
    assert table.owner("Mudfang") == "Lizardmen"
    assert table.to_act == 1


def test_a_five_that_technology_makes_a_six_is_no_natural_six():
    assert lay(technology={"Lizardmen": 1}).attack("Scalebank", "Skullridge", 5).to_act == 1


def test_a_natural_six_that_fails_gives_nothing():
    table = lay(fortified="Redtusk", technology={"Orcs": 3}).attack("Croakmarsh", "Redtusk", 6)
    assert table.owner("Redtusk") == "Orcs"
    assert table.to_act == 1


def test_without_anything_to_attack_there_is_no_breakthrough():
    table = lay(owners={"Wreckbay": "Nomads", "Ashgate": "Nomads"}).attack("Wreckbay", "Gullrock", 6)
    assert table.owner("Gullrock") == "Nomads"
    assert table.to_act == 1  # Gullrock borders on Nomads alone


# -- Special Cases -----------------------------------------------------------------------------------------------------

FULL = {
    "Clubpass": "Hobbits",
    "Mudfang": "Hobbits",
}  # with their own two the Hobbits stand at four, their maximum


def full(**more) -> Table:
    return lay(owners=FULL, **more)


def test_at_the_maximum_extent_the_attacked_territory_may_be_razed():
    table = full(fortified="Skullridge").attack("Mudfang", "Skullridge", 4)
    assert table.phase == Phase.EXTENT
    assert table.choices() == {"raze the attacked territory", "give up the attacking territory"}
    table.play("raze the attacked territory")
    assert table.owner("Skullridge") == ""
    assert not table.fortified("Skullridge")
    assert table.owner("Mudfang") == "Hobbits"
    assert table.to_act == 1


def test_example_5_or_taken_by_giving_up_the_origin():
    """The Hobbits free up territory A to take control of the conquered one."""
    table = (
        full(fortified="Mudfang").attack("Mudfang", "Skullridge", 5).play("give up the attacking territory")
    )
    assert table.owner("Skullridge") == "Hobbits"
    assert table.owner("Mudfang") == ""
    assert not table.fortified("Mudfang")
    assert len(table.land("Hobbits")) == 4
    assert table.to_act == 1


def test_razing_gives_no_breakthrough_moving_does():
    assert full().attack("Mudfang", "Skullridge", 6).play("raze the attacked territory").to_act == 1
    table = full().attack("Mudfang", "Skullridge", 6).play("give up the attacking territory")
    assert (table.phase, table.to_act) == (Phase.TARGET, 0)
    assert "Redtusk" in table.choices("attack ")


def test_a_breakthrough_at_the_maximum_extent_asks_again():
    table = full().attack("Mudfang", "Skullridge", 6).play("give up the attacking territory")
    table.play("attack Redtusk").roll(5)
    assert (table.phase, table.to_act) == (Phase.EXTENT, 0)
    table.play("give up the attacking territory")
    assert table.land("Hobbits") == {"Butterburrow", "Barleydown", "Clubpass", "Redtusk"}
    assert table.to_act == 1


def test_below_the_maximum_nothing_is_asked():
    table = lay(owners={"Mudfang": "Hobbits"}).attack("Mudfang", "Skullridge", 3)
    assert len(table.land("Hobbits")) == 4
    assert table.to_act == 1


@pytest.mark.parametrize("die", [1, 2, 5])
def test_an_empty_territory_is_taken_whatever_the_die_shows(die):
    table = lay(owners={"Redtusk": ""}, technology={"Orcs": 0}).attack("Croakmarsh", "Redtusk", die)
    assert table.owner("Redtusk") == "Lizardmen"
    assert table.to_act == 1


def test_the_die_is_rolled_for_a_breakthrough_there_too():
    table = lay(owners={"Redtusk": ""}).attack("Croakmarsh", "Redtusk", 6)
    assert table.owner("Redtusk") == "Lizardmen"
    assert table.phase == Phase.TARGET
    assert table.choices("attack ") == {"Skullridge", "Gorepit"}


def test_an_empty_territory_attacked_at_the_maximum_extent_is_left_or_moved_into():
    table = lay(owners=FULL | {"Skullridge": ""}).attack("Mudfang", "Skullridge", 1)
    assert table.phase == Phase.EXTENT
    table.play("give up the attacking territory")
    assert table.owner("Skullridge") == "Hobbits"
    assert table.owner("Mudfang") == ""


def test_no_attack_from_where_there_is_nothing_to_attack_for_love_and_the_vortex():
    """Mirepool borders on Scalebank, Croakmarsh (both Lizardmen) and Featherpeak."""
    assert lay().can("attack from Mirepool")
    assert not lay(gods={2: "Love"}, love="Featherpeak").can("attack from Mirepool")
    torn = {"owners": {"Featherpeak": ""}, "vortex": TERRITORIES.index("Featherpeak")}
    assert not lay(**torn).can("attack from Mirepool")


@pytest.mark.parametrize(("love", "attacks"), [
    ("Gullrock", False), ("Ashgate, Wreckbay", False), ("Ashgate", True), ("Wreckbay", True),
])  # fmt: skip
def test_love_that_leaves_nothing_to_attack_lets_everybody_pass(love, attacks):
    """Ruling 5: the one people left lives in Gullrock, between Ashgate and Wreckbay."""
    alone = dict.fromkeys(TERRITORIES, "") | {"Gullrock": "Orcs"}
    table = lay(3, stage="fortification", seat=2, gods={1: "Love"}, love=love, owners=alone)
    table.play("fortify nothing more")
    assert table.stage == (Stage.COMBAT if attacks else Stage.ACTION)


def test_a_player_who_cannot_attack_is_passed_over():
    """Ruling 5: its revealed people is the only one on the board."""
    alone = dict.fromkeys(TERRITORIES, "") | {"Harrowend": "Humans"}
    table = lay(3, stage="fortification", seat=2, destinies={0: "Humans (played)"}, owners=alone)
    table.play("fortify nothing more")
    assert (table.stage, table.to_act) == (Stage.COMBAT, 1)
