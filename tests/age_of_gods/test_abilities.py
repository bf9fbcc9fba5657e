"""The 24 special abilities, each by what it says in components.toml."""

from __future__ import annotations

import numpy as np
import pytest

from agezoo.envs.age_of_gods.components import CITIES, COAST, NEIGHBOURS, TABLE, TERRITORIES

from .scenario import Phase, Table, lay, people
from .test_combat import needed

NAMES = {row["name"]: row["ability"] for row in TABLE["people"]}
CITY_NAMES = {TERRITORIES[t] for t in range(60) if int(CITIES) >> t & 1}
COAST_NAMES = {TERRITORIES[t] for t in range(60) if int(COAST) >> t & 1}


def use(name: str, **more) -> Table:
    """A table at which the card of a people has just been played for its ability."""
    return lay(stage="action", hands={0: name}, **more).play(f"play a card of the {name} for {NAMES[name]}")


def done(table: Table) -> bool:
    """Whether the next player plays its card."""
    return table.phase == Phase.CARD and table.to_act == 1


def test_humans_great_works_fortify_up_to_three_territories_of_anybody_for_nothing():
    table = use("Humans", fortified="Aldermark", owners={"Redtusk": ""})
    assert table.choices("great works in ") == set(TERRITORIES) - {"Aldermark", "Redtusk"}
    table.play("great works in Kingsreach")
    assert table.can("no more")
    table.play("great works in Harrowend", "great works in Skullridge")
    assert table.fortified("Kingsreach")
    assert table.fortified("Harrowend")
    assert table.fortified("Skullridge")
    assert table.state.pieces[0] == 5
    assert done(table)
    assert done(use("Humans").play("great works in Kingsreach", "no more"))


def test_chaos_tears_the_world_and_nobody_attacks_there_or_from_there():
    table = use("Chaos", fortified="Skullridge")
    assert table.choices("tear the world open in ") == set(TERRITORIES) - CITY_NAMES
    table.play("tear the world open in Skullridge")
    assert table.owner("Skullridge") == ""
    assert not table.fortified("Skullridge")
    assert done(table)
    later = lay(owners={"Skullridge": ""}, vortex=TERRITORIES.index("Skullridge"))
    assert "Skullridge" not in later.play("attack from Scalebank").choices("attack ")


def test_the_vortex_moves_and_leaves_empty_land():
    table = use("Chaos", owners={"Skullridge": ""}, vortex=TERRITORIES.index("Skullridge"))
    assert not table.can("tear the world open in Skullridge")
    table.play("tear the world open in Mudfang")
    assert TERRITORIES[table.state.vortex] == "Mudfang"
    assert (table.owner("Skullridge"), table.owner("Mudfang")) == ("", "")


MARKED = [
    ("High Elves", 1, 1, "the defence bonus to the "), ("Fairy Folk", 1, 2, "the defence bonus to the "),
    ("Amazons", 0, 1, "the attack bonus to the "), ("Ogres", 0, 2, "the attack bonus to the "),
]  # fmt: skip


@pytest.mark.parametrize(("name", "kind", "number", "words"), MARKED)
def test_four_abilities_give_a_bonus_marker_to_a_people_of_choice(name, kind, number, words):
    table = use(name, wiped_out="Monks")
    assert len(table.choices(words)) == 23
    table.play(words + "Lizardmen")
    assert table.state.marker[kind, number - 1, people("Lizardmen")] == 1
    assert np.asarray(table.state.marker).sum() == 1
    assert done(table) == (name in ("Fairy Folk", "Ogres"))  # the other two attack


def test_the_war_cry_is_followed_by_an_attack_with_any_people_which_may_be_the_one_that_heard_it():
    table = use("Amazons").play("the attack bonus to the Lizardmen")
    assert len({table.owner(where) for where in table.choices("attack from ")}) == 24
    table.attack("Scalebank", "Skullridge", 2)  # at +1 by the marker
    assert table.owner("Skullridge") == "Lizardmen"
    assert done(table)


def test_the_ancient_watch_is_followed_by_an_attack_with_high_elves_at_no_bonus():
    table = use("High Elves").play("the defence bonus to the High Elves")
    assert {table.owner(where) for where in table.choices("attack from ")} == {"High Elves"}
    assert done(table.attack("Lightwater", "Dunesea", 2))
    assert table.owner("Dunesea") == "Nomads"
    table = use("High Elves").play("the defence bonus to the Orcs").attack("Lightwater", "Dunesea", 3)
    assert table.owner("Dunesea") == "High Elves"


def test_who_cannot_attack_after_the_marker_is_done():
    owners = dict.fromkeys(TERRITORIES, "") | {"Starfall": "High Elves", "Redtusk": "Orcs"}
    shut = {"love": "Starfall", "gods": {1: "Love"}}
    assert done(use("High Elves", owners=owners, **shut).play("the defence bonus to the Orcs"))


@pytest.mark.parametrize(("kind", "number"), [(0, 1), (0, 2), (1, 1), (1, 2)])
def test_bonus_markers_count_in_every_attack(kind, number):
    marker = np.zeros((2, 2, 24), int)
    marker[kind, number - 1, people("Lizardmen" if kind == 0 else "Orcs")] = 1
    table = lay(marker=marker.tolist())
    assert needed(table, "Scalebank", "Skullridge") == (3 - number if kind == 0 else 3 + number)


@pytest.mark.parametrize(("name", "kind", "number", "there_are"), [
    ("High Elves", 1, 1, 4), ("Fairy Folk", 1, 2, 3), ("Amazons", 0, 1, 4), ("Ogres", 0, 2, 3),
])  # fmt: skip
def test_when_all_markers_of_a_kind_are_given_the_ability_is_of_no_use(name, kind, number, there_are):
    for used in (there_are - 1, there_are):
        marker = np.zeros((2, 2, 24), int)
        marker[kind, number - 1, :used] = 1
        table = lay(stage="action", hands={0: name}, marker=marker.tolist())
        assert table.can(f"play a card of the {name} for {NAMES[name]}") == (used < there_are)


def test_dwarves_deep_hold_puts_the_fortress_on_a_dwarf_territory():
    table = use("Dwarves")
    assert table.choices("the Dwarven Fortress to ") == {"Ironroot", "Deepdelve", "Anvilpeak", "Stonehall"}
    table.play("the Dwarven Fortress to Ironroot")
    assert done(table)
    assert TERRITORIES[table.state.fortress] == "Ironroot"


def test_attacks_on_the_dwarven_fortress_are_at_minus_three_and_it_falls_with_the_territory():
    held = {"fortress": TERRITORIES.index("Ironroot")}
    assert needed(lay(**held), "Snagwood", "Ironroot") == 6
    assert needed(lay(**held), "Cogwhistle", "Stonehall") == 3
    table = lay(**held).attack("Snagwood", "Ironroot", 6)
    assert table.state.fortress == -1


def test_the_fortress_moves_when_the_card_is_played_again():
    table = use("Dwarves", fortress=TERRITORIES.index("Ironroot"))
    assert not table.can("the Dwarven Fortress to Ironroot")
    table.play("the Dwarven Fortress to Deepdelve")
    assert TERRITORIES[table.state.fortress] == "Deepdelve"


def test_barbarians_rage_at_plus_one_on_while_they_win_three_times_at_most():
    table = use("Barbarians")
    assert table.choices("attack from ") == {"Frostfell", "Wolfmoor", "Bearclaw", "Greymantle"}
    table.attack("Frostfell", "Spearcliff", 4)
    assert table.can("no more")
    table.attack("Wolfmoor", "Hoofplain", 5).attack("Spearcliff", "Shadefen", 2)
    assert done(table)
    assert len(table.land("Barbarians")) == 7
    assert done(use("Barbarians").attack("Frostfell", "Spearcliff", 1))
    assert done(use("Barbarians").attack("Frostfell", "Spearcliff", 4).play("no more"))


def test_rage_goes_on_after_a_breakthrough_that_is_left_or_lost_its_origin():
    """Razing wins as well; a second attack of a breakthrough that fails ends it."""
    table = use("Barbarians").attack("Frostfell", "Spearcliff", 6).play("leave the breakthrough")
    assert (table.phase, table.to_act) == (Phase.ORIGIN, 0)
    assert done(use("Barbarians").attack("Frostfell", "Spearcliff", 6).play("attack Shadefen").roll(1))
    eight = dict.fromkeys(("Longgrass", "Windmane", "Mudfang", "Hoofplain"), "Barbarians")
    table = (
        use("Barbarians", owners=eight).attack("Mudfang", "Clubpass", 3).play("raze the attacked territory")
    )
    assert (table.phase, table.to_act) == (Phase.ORIGIN, 0)
    table.play("no more")
    assert done(table)


def test_orcs_war_drums_are_two_attacks_from_anywhere():
    table = use("Orcs").attack("Clubpass", "Mudfang", 1)
    assert not table.can("no more")  # the second is a duty as well
    table.attack("Queensford", "Bearclaw", 5)
    assert done(table)
    assert table.owner("Bearclaw") == "Amazons"


def test_the_second_attack_is_not_lost_with_a_breakthrough_that_is_left():
    table = use("Orcs").attack("Scalebank", "Skullridge", 6).play("leave the breakthrough")
    assert table.can("attack from Clubpass")


def test_centaurs_gallop_two_steps_at_plus_two():
    table = use("Centaurs")
    assert table.choices("attack from ") == {"Windmane", "Longgrass", "Hoofplain"}
    table.play("attack from Windmane")
    assert "Mudfang" in table.choices("attack ")  # by way of Greenhush
    table.play("attack Mudfang").roll(1)
    assert table.owner("Mudfang") == "Centaurs"
    assert done(table)


def test_a_breakthrough_of_the_gallop_goes_on_to_a_neighbour_without_the_bonus():
    """Ruling 6."""
    table = use("Centaurs").attack("Windmane", "Mudfang", 6)
    assert table.choices("attack ") == {"Skullridge", "Gorepit", "Greenhush", "Clubpass"}
    table.play("attack Skullridge").roll(2)
    assert table.owner("Skullridge") == "Orcs"


def test_goblins_swarm_takes_a_spare_token_and_attacks_at_plus_one():
    table = use("Goblins")
    assert table.state.spare_goblins == 2
    assert table.sees(0, "full")[people("Goblins")] == 0
    table.attack("Rattleden", "Deepdelve", 3)  # a city: 3 + 1 - 1
    assert table.owner("Deepdelve") == "Goblins"
    assert done(table)
    more = dict.fromkeys(("Ironroot", "Stonehall", "Venomdale"), "Goblins")
    table = use("Goblins", owners=more)  # six already, the maximum but for the spare token
    table.attack("Rattleden", "Deepdelve", 4)
    assert len(table.land("Goblins")) == 7
    assert done(table)


def test_without_spare_tokens_the_goblins_still_attack():
    table = use("Goblins", spare_goblins=0).attack("Rattleden", "Deepdelve", 3)
    assert table.state.spare_goblins == 0
    assert table.owner("Deepdelve") == "Goblins"


@pytest.mark.parametrize(("die", "dies"), [(3, False), (4, True), (6, True)])
def test_dark_elves_assassins_strike_anywhere_unfortified_on_a_four(die, dies):
    table = use("Dark Elves", fortified="Kingsreach")
    assert not table.can("strike at Kingsreach")
    assert not table.can("strike at Nightspire")  # their own
    table.die(die).play("strike at Redtusk")
    assert table.owner("Redtusk") == ("" if dies else "Orcs")
    assert done(table)


def test_nomads_trek_tokens_change_places_and_fortifications_stay():
    table = use("Nomads", fortified="Saltwell, Harrowend")
    assert table.choices("trek ") == {"Dunesea", "Saltwell"}  # not Sunroad, a city
    table.play("trek Saltwell")
    assert not table.choices("trek ") & (CITY_NAMES | {"Dunesea"})
    table.play("trek Harrowend")
    assert (table.owner("Harrowend"), table.owner("Saltwell")) == ("Nomads", "Humans")
    assert table.fortified("Saltwell")
    assert table.fortified("Harrowend")
    assert done(table)


def test_a_trek_needs_somebody_to_change_places_with_outside_a_city():
    alone = dict.fromkeys(TERRITORIES, "") | {"Dunesea": "Nomads"}
    for other, useful in (("Redtusk", False), ("Skullridge", True)):
        table = lay(stage="action", hands={0: "Nomads"}, owners=alone | {other: "Orcs"})
        assert table.can("play a card of the Nomads for Great Trek") == useful
    table = lay(stage="action", hands={0: "Nomads"}, owners={"Dunesea": "", "Saltwell": ""})
    assert not table.can("play a card of the Nomads for Great Trek")


def test_a_trek_out_of_the_dwarven_fortress_ends_it():
    table = use("Nomads", fortress=TERRITORIES.index("Ironroot")).play("trek Saltwell", "trek Ironroot")
    assert table.state.fortress == -1


@pytest.mark.parametrize("die", [3, 4, 5, 6])
def test_lizardmen_break_through_from_a_natural_four_on(die):
    table = use("Lizardmen")
    assert table.choices("attack from ") == {"Mirepool", "Scalebank", "Croakmarsh"}
    table.attack("Scalebank", "Skullridge", die)
    assert table.owner("Skullridge") == "Lizardmen"
    assert (table.phase == Phase.TARGET) == (die >= 4)


@pytest.mark.parametrize(("name", "origin", "own"), [
    ("Barbarians", "Frostfell", True), ("Goblins", "Rattleden", True), ("Lizardmen", "Scalebank", True),
    ("Wood Elves", "Mossbower", True), ("Orcs", "Clubpass", False), ("Sorcerers", "Clubpass", False),
])  # fmt: skip
def test_other_attacks_reach_neighbours_and_are_led_by_the_people_or_by_any(name, origin, own):
    table = use(name, turn=1)
    if table.phase == Phase.LOOK:
        table.play("look at player_1's destiny card of size 4")
    led = {table.owner(where) for where in table.choices("attack from ")}
    assert led == {name} if own else len(led) == 24
    near = {TERRITORIES[t] for t in NEIGHBOURS[TERRITORIES.index(origin)]} - table.land(table.owner(origin))
    assert table.play(f"attack from {origin}").choices("attack ") == near


@pytest.mark.parametrize(("name", "origin", "target"), [
    ("Barbarians", "Frostfell", "Spearcliff"), ("Orcs", "Scalebank", "Skullridge"),
    ("Centaurs", "Windmane", "Bouldertop"), ("Goblins", "Rattleden", "Ironroot"),
    ("Pirates", "Wreckbay", "Dunesea"), ("Wood Elves", "Greenhush", "Windmane"),
    ("Winged Folk", "Cloudaerie", "Spearcliff"), ("High Elves", "Lightwater", "Dunesea"),
    ("Amazons", "Scalebank", "Skullridge"), ("Sorcerers", "Clubpass", "Mudfang"),
])  # fmt: skip
def test_every_other_attack_breaks_through_on_a_natural_six_alone(name, origin, target):
    for die, through in ((5, False), (6, True)):
        table = use(name, turn=1)
        if table.phase == Phase.LOOK:
            table.play("look at player_1's destiny card of size 4")
        elif table.phase == Phase.PEOPLE:
            table.play(next(words for words in table.choices() if words.endswith(" Chaos")))
        assert (table.attack(origin, target, die).phase == Phase.TARGET) == through


def test_lizardmen_attack_at_plus_one():
    assert use("Lizardmen").attack("Scalebank", "Skullridge", 2).owner("Skullridge") == "Lizardmen"


def test_voracious_devour_a_neighbour_without_a_city_and_its_fortification():
    table = use("Voracious", fortified="Harrowend")
    assert table.choices("devour ") == {"Harrowend", "Cogwhistle"}  # not Kingsreach
    table.play("devour Harrowend")
    assert table.owner("Harrowend") == ""
    assert not table.fortified("Harrowend")
    assert done(table)


def test_pirates_raid_from_coast_to_coast_at_plus_two():
    table = use("Pirates")
    assert table.choices("attack from ") == {"Gullrock", "Wreckbay"}
    table.play("attack from Gullrock")
    assert table.choices("attack ") >= COAST_NAMES - {"Gullrock"}
    table.play("attack Aldermark").roll(1)
    assert table.owner("Aldermark") == "Pirates"
    assert use("Pirates", owners={"Wreckbay": "Nomads"}).play("attack from Gullrock").can("attack Wreckbay")
    inland = use("Pirates").play("attack from Wreckbay").choices("attack ")
    assert inland == {"Blackmaw", "Sunroad", "Dunesea"}


def test_wood_elves_ambush_past_all_that_protects():
    marker = np.zeros((2, 2, 24), int)
    marker[1, 1, people("Centaurs")] = 1
    table = use("Wood Elves", fortified="Longgrass", technology={"Centaurs": 3}, marker=marker.tolist())
    table.attack("Greenhush", "Longgrass", 3)
    assert table.owner("Longgrass") == "Wood Elves"
    assert use("Wood Elves").attack("Greenhush", "Longgrass", 2).owner("Longgrass") == "Centaurs"


def test_an_ambush_gains_by_holy_war_and_hatred_and_its_breakthrough_is_none():
    """Ruling 8: it sets aside what protects. Ruling 6: the breakthrough is an attack like any other."""
    hated = [int(k == people("Centaurs")) for k in range(24)]
    table = use("Wood Elves", hated=hated, gods={1: "Vengeance"}, uses=[0, 3, 0, 0, 0, 0])
    assert table.attack("Greenhush", "Longgrass", 2).owner("Longgrass") == "Wood Elves"
    war = {"attacker": people("Wood Elves"), "victim": people("Centaurs")}
    assert use("Wood Elves", **war).attack("Greenhush", "Longgrass", 1).owner("Longgrass") == "Wood Elves"
    table = use("Wood Elves", fortified="Windmane").attack("Greenhush", "Longgrass", 6)
    assert table.play("attack Windmane").roll(3).owner("Windmane") == "Centaurs"


ALL_BUT_TWO = ", ".join(name for name in TERRITORIES if name not in ("Fallowmere", "Harrowend"))


def test_great_works_end_when_nothing_is_left_to_fortify():
    table = use("Humans", fortified=ALL_BUT_TWO).play("great works in Fallowmere")
    assert done(table.play("great works in Harrowend"))


def test_nothing_is_struck_devoured_or_exchanged_where_nobody_is():
    empty = {"Harrowend": "", "Redtusk": ""}
    assert not use("Dark Elves", owners=empty).can("strike at Redtusk")
    assert not use("Giants", owners={"Frostfell": ""}).can("strike at Frostfell")
    assert not use("Voracious", owners=empty).can("devour Harrowend")
    assert not use("Nomads", owners=empty).play("trek Saltwell").can("trek Harrowend")


def test_technology_of_a_people_that_is_wiped_out_can_be_robbed_the_hobbits_own_not():
    table = use("Hobbits", technology={"Orcs": 1, "Hobbits": 1}, wiped_out="Orcs")
    assert table.choices("rob the ") == {"Orcs of technology"}
    table = lay(stage="action", hands={0: "Hobbits"}, technology={"Hobbits": 1})
    assert not table.can("play a card of the Hobbits for Burglary")


def test_hobbits_burgle_a_level_of_technology():
    table = use("Hobbits", technology={"Orcs": 2, "Hobbits": 1})
    assert table.choices("rob the ") == {"Orcs of technology"}
    table.play("rob the Orcs of technology")
    assert (table.technology("Orcs"), table.technology("Hobbits")) == (1, 2)
    assert done(table)


def test_winged_folk_fly_anywhere_at_plus_one():
    table = use("Winged Folk")
    assert table.choices("attack from ") == {"Cloudaerie", "Featherpeak"}
    table.play("attack from Cloudaerie")
    assert table.choices("attack ") == set(TERRITORIES) - {"Cloudaerie", "Featherpeak"}
    table.play("attack Aldermark").roll(2)
    assert table.owner("Aldermark") == "Winged Folk"


def test_gnomes_invent_for_a_people_of_choice():
    table = use("Gnomes", wiped_out="Monks")
    assert len(table.choices("the invention to the ")) == 23
    table.play("the invention to the Orcs")
    assert table.technology("Orcs") == 1
    assert table.technology("Gnomes") == 0
    assert done(table)


def test_sorcerers_look_at_a_destiny_card_and_attack_from_anywhere_at_plus_one():
    table = use("Sorcerers", destinies={1: "Orcs, Goblins (played)", 2: "Humans, Nomads"})
    assert table.choices("look at ") == {
        "player_1's destiny card of size 4",
        "player_2's destiny card of size 4",
        "player_2's destiny card of size 3",
    }
    table.play("look at player_1's destiny card of size 4")
    assert table.known(0, 1) == {"Orcs", "Goblins"}
    assert table.known(2, 1) == {"Goblins"}
    table.attack("Clubpass", "Mudfang", 2)
    assert table.owner("Mudfang") == "Ogres"
    assert done(table)


def test_destiny_cards_are_looked_at_in_turn_order_from_the_own_seat():
    table = lay(stage="action", turn=2, seat=1, hands={1: "Sorcerers"}, destinies={0: "Humans", 2: "Orcs"})
    table.play("play a card of the Sorcerers for Second Sight", "look at player_0's destiny card of size 4")
    assert (table.known(1, 0), table.known(1, 2)) == ({"Humans"}, set())


def test_what_was_seen_is_not_looked_at_again_and_without_anything_to_see_there_is_the_attack():
    looked = np.zeros((6, 4), int)
    looked[1, 0] = looked[2, 0] = looked[2, 1] = 1
    table = use(
        "Sorcerers", destinies={1: "Orcs, Goblins (played)", 2: "Humans, Nomads"}, looked=looked.tolist()
    )
    assert table.phase == Phase.ORIGIN


def test_ones_own_destiny_cards_are_not_looked_at_and_two_may_look_at_the_same():
    looked = np.zeros((6, 4), int)
    looked[1, 0] = 1 << 2  # by seat 2
    table = use("Sorcerers", destinies={0: "Humans", 1: "Orcs"}, looked=looked.tolist(), turn=2)
    assert table.choices("look at ") == {
        "player_1's destiny card of size 4",
        "player_2's destiny card of size 4",
    }
    table.play("look at player_1's destiny card of size 4")
    assert table.known(0, 1) == table.known(2, 1) == {"Orcs"}
    shown = {0: "Humans", 1: "Orcs (played)", 2: "Chaos (played)"}
    assert use("Sorcerers", destinies=shown, turn=2).phase == Phase.ORIGIN  # its own alone is face down


def test_a_holy_war_needs_two_peoples_on_the_board():
    for other, useful in (("Ogres", True), ("", False)):
        owners = dict.fromkeys(TERRITORIES, "") | {"Quietbell": "Monks", "Clubpass": other}
        table = lay(stage="action", hands={0: "Monks"}, owners=owners)
        assert table.can("play a card of the Monks for Holy War") == useful
    table = use("Monks", wiped_out="Ogres")
    assert len(table.choices("Holy War by the ")) == 23
    assert len(table.play("Holy War by the Orcs").choices("Holy War on the ")) == 22


def test_monks_declare_a_holy_war_and_the_attacker_is_at_plus_two_against_the_victim():
    table = use("Monks")
    table.play("Holy War by the Lizardmen")
    assert not table.can("Holy War on the Lizardmen")
    table.play("Holy War on the Orcs")
    assert done(table)
    war = {"attacker": people("Lizardmen"), "victim": people("Orcs")}
    assert needed(lay(**war), "Scalebank", "Skullridge") == 1
    assert needed(lay(**war), "Skullridge", "Scalebank") == 3
    assert needed(lay(**war), "Scalebank", "Featherpeak") == 3


def test_a_new_holy_war_ends_the_old_one():
    table = use("Monks", attacker=1, victim=2).play("Holy War by the Lizardmen", "Holy War on the Orcs")
    assert (table.state.attacker, table.state.victim) == (people("Lizardmen"), people("Orcs"))


@pytest.mark.parametrize(("die", "falls"), [(2, False), (3, True)])
def test_giants_throw_boulders_two_steps_far_and_fortifications_do_not_help(die, falls):
    table = use("Giants", fortified="Frostfell", technology={"Barbarians": 3})
    assert table.can("strike at Spearcliff")
    assert not table.can("strike at Kingsreach")
    table.die(die).play("strike at Frostfell")
    assert table.owner("Frostfell") == ("" if falls else "Barbarians")
    assert table.fortified("Frostfell") != falls
    assert done(table)


def test_necromancers_raise_a_token_of_any_people_in_an_empty_territory():
    table = use("Necromancers", owners={"Redtusk": "", "Mudfang": ""}, wiped_out="Monks")
    assert table.choices("raise the dead in ") == {"Redtusk", "Mudfang", "Quietbell"}
    table.play("raise the dead in Redtusk")
    assert len(table.choices("raise a token of the ")) == 24
    table.play("raise a token of the Monks")
    assert table.land("Monks") == {"Redtusk"}
    assert done(table)


def test_nobody_is_raised_in_the_vortex_or_beyond_the_maximum_extent():
    owners = {"Redtusk": "", "Skullridge": "Ogres", "Mudfang": ""}
    table = use("Necromancers", owners=owners, vortex=TERRITORIES.index("Mudfang"))
    assert table.choices("raise the dead in ") == {"Redtusk"}
    table.play("raise the dead in Redtusk")
    assert not table.can("raise a token of the Ogres")  # two of two


def test_every_ability_was_tried():
    import ast
    from pathlib import Path

    tree = ast.parse(Path(__file__).read_text(encoding="utf-8"))
    words = {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert set(NAMES) <= words
