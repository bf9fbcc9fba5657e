"""The twelve gods."""

from __future__ import annotations

import pytest

from agezoo.envs.age_of_gods.components import TERRITORIES, Wrath

from .scenario import God, Phase, Stage, bits, deal, lay, people
from .test_combat import needed
from .test_wrath import call, struck


def test_peace_shields_the_peoples_that_its_player_has_revealed():
    shown = {1: "Orcs (played)"}
    assert needed(lay(gods={1: "Peace"}, destinies=shown), "Scalebank", "Skullridge") == 5
    assert needed(lay(gods={1: "War"}, destinies=shown), "Scalebank", "Skullridge") == 3
    assert needed(lay(gods={1: "Peace"}, destinies={1: "Orcs"}), "Scalebank", "Skullridge") == 3


def test_peace_does_not_help_to_attack():
    table = lay(gods={1: "Peace"}, destinies={1: "Orcs (played)"}, technology={"Lizardmen": 1})
    assert needed(table, "Skullridge", "Scalebank") == 4


def test_peace_attacks_at_minus_one_in_the_combat_phase_alone():
    assert needed(lay(gods={0: "Peace"}), "Scalebank", "Skullridge") == 4
    table = lay(stage="uprising", turn=2, gods={0: "Peace"}).attack("Scalebank", "Skullridge", 3)
    assert table.owner("Skullridge") == "Lizardmen"
    table = lay(stage="action", gods={0: "Peace"}, hands={0: "Orcs"}).play(
        "play a card of the Orcs for War Drums"
    )
    table.attack("Scalebank", "Skullridge", 3)
    assert table.owner("Skullridge") == "Lizardmen"


def test_deceptions_destiny_cards_stay_hidden_and_may_go_on_attacking():
    """Ruling 12."""
    table = lay(stage="action", gods={0: "Deception"}, destinies={0: "Orcs"})
    action = table.env.parse_action("play the destiny card of the Orcs for technology")
    assert table.env.game.told(table.state, action, 1) == "play a card of the Orcs for technology"
    table.play("play the destiny card of the Orcs for technology")
    assert table.known(1, 0) == set()
    table = lay(gods={0: "Deception"}, destinies={0: "Orcs (played)"})
    assert table.can("attack from Gorepit")
    assert table.sees(1, "cards")[2] == 7


def test_deception_attacks_once_at_plus_two_said_before_the_roll():
    table = lay(gods={0: "Deception"}).play("attack from Scalebank", "attack Skullridge")
    assert table.choices() == {"roll the die", "attack with Deception's bonus"}
    table.play("attack with Deception's bonus")
    assert table.choices() == {"roll the die"}
    table.roll(1)
    assert table.owner("Skullridge") == "Lizardmen"
    assert table.state.uses[0] == 0
    table = lay(gods={0: "Deception"}, uses=[0] * 6).play("attack from Scalebank", "attack Skullridge")
    assert table.choices() == {"roll the die"}


def test_deceptions_bonus_is_for_any_attack_of_the_game():
    """Ruling 18 keeps war and luck to the Combat Phase, not deception."""
    for stage in ("uprising", "action"):
        table = lay(stage=stage, gods={0: "Deception"}, hands={0: "Orcs"})
        if stage == "action":
            table.play("play a card of the Orcs for War Drums")
        table.play("attack from Clubpass", "attack Mudfang", "attack with Deception's bonus").roll(1)
        assert table.owner("Mudfang") == "Ogres"


def test_deceptions_bonus_is_not_for_the_breakthrough():
    table = lay(gods={0: "Deception"}).play(
        "attack from Scalebank", "attack Skullridge", "attack with Deception's bonus"
    )
    table.roll(6).play("attack Mudfang").roll(2)
    assert table.owner("Mudfang") == "Orcs"


def test_love_places_one_marker_a_turn_besides_a_fortification():
    table = lay(stage="fortification", gods={0: "Love"}).play("place a Love marker", "Love on Skullridge")
    assert not table.can("place a Love marker")
    table.play("fortify Skullridge")
    assert table.to_act == 1
    assert table.state.uses[0] == 3
    assert int(table.state.love) == 1 << TERRITORIES.index("Skullridge")


def test_one_gods_power_does_not_use_up_anothers():
    table = lay(stage="fortification", gods={0: "Love", 1: "Vengeance"})
    table.play("place a Love marker", "Love on Skullridge", "fortify nothing more")
    assert table.can("place a Hatred marker")


def test_no_other_god_has_a_say_in_the_roll():
    for god in ("Magic", "Crafts", "Love", "Vengeance"):
        table = lay(gods={0: god}).play("attack from Scalebank", "attack Skullridge")
        assert table.choices() == {"roll the die"}


def test_nobody_attacks_a_territory_with_love_or_from_it():
    table = lay(gods={0: "Love"}, love="Skullridge")
    assert not table.can("attack from Skullridge")
    assert "Skullridge" not in table.play("attack from Scalebank").choices("attack ")


def test_love_is_combat_forbidden_not_every_harm():
    table = lay(stage="action", gods={1: "Love"}, love="Harrowend", hands={0: "Voracious"})
    table.play("play a card of the Voracious for Devour", "devour Harrowend")
    assert table.owner("Harrowend") == ""


@pytest.mark.parametrize("wrath", sorted(set(Wrath) - {Wrath.DARK_AGE}))  # which strikes peoples
def test_no_divine_wrath_but_flood_and_lightning_strikes_love(wrath):
    """Ruling 15."""
    where = "Redtusk" if wrath == Wrath.EARTHQUAKE else "Gorepit"  # both on the coast, the first with a city
    laid = {"fortified": where if wrath == Wrath.LIGHTNING else ""}
    name = wrath.name.title()
    free = struck(name, call(wrath, **laid))
    spared = set() if wrath in (Wrath.FLOOD, Wrath.LIGHTNING) else {where}
    assert where in free
    assert struck(name, call(wrath, gods={1: "Love"}, love=where, **laid)) == free - spared


def test_love_may_be_placed_on_any_territory_an_empty_one_too():
    table = lay(stage="fortification", gods={0: "Love"}, owners={"Redtusk": ""}).play("place a Love marker")
    assert len(table.choices("Love on ")) == 60


def test_without_pieces_the_power_of_love_and_vengeance_is_still_asked_for():
    none = [0, 5, 5, 0, 0, 0]
    for god, moves in (
        ("Love", ("place a Love marker", "Love on Redtusk")),
        ("Vengeance", ("place a Hatred marker", "Hatred on the Orcs")),
    ):
        table = lay(stage="order", gods={0: god, 1: "Time"}, pieces=none, attacks=0, turn=5, seat=1, place=0)
        table.play("player_0 is first")
        assert table.to_act == 0
        assert table.choices() == {moves[0], "fortify nothing more"}
        assert table.play(*moves).to_act == 1


def test_there_are_four_love_markers_and_one_for_a_territory():
    four = "Skullridge, Mudfang, Redtusk, Gorepit"
    assert not lay(stage="fortification", gods={0: "Love"}, love=four).can("place a Love marker")
    table = lay(stage="fortification", gods={0: "Love"}, love="Skullridge").play("place a Love marker")
    assert not table.can("Love on Skullridge")


def test_wisdom_bets_on_turn_nine_alone():
    table = lay(
        stage="bets", turn=7, seat=1, gods={0: "Wisdom"}, destinies=dict.fromkeys((0, 1, 2), "") | {0: ""}
    )
    table.play(*4 * ["bet no card"])
    assert table.stage == Stage.FORTIFICATION
    assert table.state.bets_laid[:3].tolist() == [0, 1, 1]
    spent = {0: "Orcs (played), Goblins (played), Gnomes (played), Monks (played)"}
    table = lay(stage="bets", turn=9, gods={0: "Wisdom"}, destinies=spent, hands={0: "Humans, Ogres"})
    table.play("bet on the Humans", "bet on the Ogres")
    assert table.stage == Stage.FORTIFICATION
    assert table.state.bets_laid[0] == 1


def test_a_bet_of_wisdom_scores_from_three_quarters_of_the_maximum_extent():
    owners = {"Mirepool": "Orcs", "Scalebank": "Orcs"}  # six Orcs of eight, four Dwarves
    laid = {"turn": 9, "stage": "action", "owners": owners, "bets": {0: "Orcs, Dwarves"}}
    destinies = {0: "Humans", 1: "Chaos", 2: "High Elves"}
    wise, other = (lay(gods={0: god}, destinies=destinies, **laid).scores()[0] for god in ("Wisdom", "War"))
    assert wise == other + 3
    owners["Scalebank"] = "Lizardmen"
    wise, other = (lay(gods={0: god}, destinies=destinies, **laid).scores()[0] for god in ("Wisdom", "War"))
    assert wise == other


def test_a_quarter_of_the_smallest_peoples_is_nothing():
    """The maximum extent of a people of size 1 is two: Wisdom's bet needs both."""
    laid = {"turn": 9, "stage": "action", "gods": {0: "Wisdom"}, "destinies": {0: "Humans"}}
    one = lay(bets={0: "Ogres"}, **laid).scores()[0]
    two = lay(bets={0: "Ogres"}, owners={"Mudfang": "Ogres"}, **laid).scores()[0]
    assert two == one + 3


def test_protectors_have_ten_pieces_and_build_two_a_turn():
    table = lay(stage="fortification", gods={0: "Protectors", 1: "War"})
    table.play("fortify Gorepit", "fortify Mudfang")
    assert table.to_act == 1
    assert table.state.pieces[0] == 8
    table = lay(stage="fortification", gods={0: "Protectors", 1: "War"}).play(
        "fortify Gorepit", "fortify nothing more"
    )
    assert table.to_act == 1


def test_attacks_on_cities_that_protectors_have_fortified_are_at_minus_two_for_it():
    table = lay(stage="fortification", gods={0: "Protectors", 1: "War"})
    bulwarks = int(table.play("fortify Skullridge", "fortify Redtusk").state.bulwarks)
    assert bulwarks == bits("Redtusk")
    laid = {"gods": {1: "Protectors"}, "fortified": "Skullridge, Redtusk"}
    assert needed(lay(**laid, bulwarks=bulwarks), "Croakmarsh", "Redtusk") == 6
    assert needed(lay(**laid, bulwarks=bulwarks), "Croakmarsh", "Skullridge") == 4
    assert needed(lay(**laid), "Croakmarsh", "Redtusk") == 5
    table = lay(**laid, bulwarks=bulwarks).attack("Croakmarsh", "Redtusk", 6)
    assert (table.owner("Redtusk"), int(table.state.bulwarks)) == ("Lizardmen", 0)
    table = lay(stage="fortification", gods={0: "War", 1: "Protectors"}).play("fortify Redtusk")
    assert int(table.state.bulwarks) == 0


def test_lightning_breaks_the_walls_of_protectors_too():
    bulwarks = bits("Redtusk")
    table = call(Wrath.LIGHTNING, gods={1: "Protectors"}, fortified="Redtusk", bulwarks=bulwarks)
    table.play("Lightning strikes Redtusk")
    assert (int(table.state.fortified), int(table.state.bulwarks)) == (0, 0)


def test_vengeance_hates_a_people_a_turn_and_all_attacks_on_it_are_at_plus_one():
    table = lay(stage="fortification", gods={0: "Vengeance"}, wiped_out="Monks").play("place a Hatred marker")
    assert len(table.choices("Hatred on the ")) == 23
    table.play("Hatred on the Orcs")
    assert not table.can("place a Hatred marker")
    assert (table.state.hated[people("Orcs")], table.state.uses[0]) == (1, 3)
    hated = [int(k == people("Orcs")) for k in range(24)]
    table = lay(gods={1: "Vengeance"}, hated=hated, uses=[0, 3, 0, 0, 0, 0])
    assert needed(table, "Scalebank", "Skullridge") == 2
    assert needed(table, "Skullridge", "Scalebank") == 3


def test_a_people_is_hated_once():
    hated = [int(k == people("Orcs")) for k in range(24)]
    table = lay(stage="fortification", gods={0: "Vengeance"}, hated=hated, uses=[3, 0, 0, 0, 0, 0])
    assert not table.play("place a Hatred marker").can("Hatred on the Orcs")


def test_where_all_are_hated_there_is_nobody_left_to_hate():
    owners = dict.fromkeys(TERRITORIES, "") | {"Gorepit": "Orcs", "Clubpass": "Ogres"}
    for names, more in ((("Orcs", "Ogres"), False), (("Orcs", "Monks"), True)):
        hated = [int(k in [people(name) for name in names]) for k in range(24)]
        laid = {"hated": hated, "uses": [2, 0, 0, 0, 0, 0], "owners": owners}
        table = lay(stage="fortification", gods={0: "Vengeance"}, **laid)
        assert table.can("place a Hatred marker") == more


def test_luck_rolls_a_failed_attack_of_the_combat_phase_again_once():
    """When it fails with a 1 or a 2."""
    table = lay(gods={0: "Luck"}).attack("Scalebank", "Skullridge", 1, 3)
    assert table.owner("Skullridge") == "Lizardmen"
    table = lay(gods={0: "Luck"}).attack("Scalebank", "Skullridge", 1, 2, 6)
    assert table.owner("Skullridge") == "Orcs"
    assert table.to_act == 1
    table = lay(gods={0: "Luck"}).attack("Scalebank", "Skullridge", 1, 6)
    assert table.phase == Phase.TARGET  # the second roll counts in every way
    table = lay(gods={0: "Luck"}, fortified="Skullridge").attack("Scalebank", "Skullridge", 2, 4)
    assert table.owner("Skullridge") == "Lizardmen"
    table = lay(gods={0: "Luck"}, fortified="Skullridge").attack("Scalebank", "Skullridge", 3, 4)
    assert table.owner("Skullridge") == "Orcs"  # a 3 that fails stands
    table = lay(gods={0: "Luck"}, technology={"Lizardmen": 1}).attack("Scalebank", "Skullridge", 2, 1)
    assert table.owner("Skullridge") == "Lizardmen"  # and a 2 that wins


def test_luck_and_war_help_in_the_combat_phase_alone():
    for god in ("Luck", "War"):
        table = lay(stage="uprising", turn=2, gods={0: god}).attack("Scalebank", "Skullridge", 2, 6)
        assert table.owner("Skullridge") == "Orcs"
        table = lay(stage="action", gods={0: god}, hands={0: "Orcs"}).play(
            "play a card of the Orcs for War Drums"
        )
        table.attack("Scalebank", "Skullridge", 2, 6)
        assert table.owner("Skullridge") == "Orcs"


def test_what_gods_do_to_attacks_of_the_combat_phase_holds_for_breakthroughs():
    """Ruling 18."""
    for god, dice, owner in (
        ("War", (2,), "Lizardmen"),
        ("Magic", (2,), "Orcs"),
        ("Peace", (3,), "Orcs"),
        ("Luck", (1, 3), "Lizardmen"),
    ):
        table = lay(gods={0: god}).attack("Scalebank", "Skullridge", 6).play("attack Mudfang").roll(*dice)
        assert table.owner("Mudfang") == owner


def test_war_attacks_at_plus_one():
    assert needed(lay(gods={0: "War"}), "Scalebank", "Skullridge") == 2
    assert needed(lay(gods={1: "War"}), "Scalebank", "Skullridge") == 3


def test_time_names_the_first_player_of_every_turn():
    table = lay(4, stage="order", turn=5, seat=2, first=1, place=0, gods={2: "Time"})
    assert table.choices() == {f"player_{k} is first" for k in range(4)}
    table.play("player_0 is first")
    assert (table.state.first, table.to_act) == (0, 0)


def test_time_names_the_first_player_of_the_first_turn_too():
    """Ruling 19."""
    table = next(
        table for table in (deal(3, seed) for seed in range(40)) if God.TIME in table.state.offer[:3]
    )
    while table.stage == Stage.GODS:
        time = "choose the god of Time"
        table.play(time if table.can(time) else min(table.choices()))
    assert (table.state.turn, table.phase) == (1, Phase.FIRST)
    assert table.state.god[table.to_act] == God.TIME


def test_time_attacks_twice_in_every_third_turn():
    for turn, seat in ((3, 0), (6, 0), (9, 0), (4, 1)):
        table = lay(stage="fortification", turn=turn, gods={0: "Time"}).play("fortify nothing more")
        table = table.play("fortify nothing more", "fortify nothing more")
        assert table.stage == Stage.COMBAT
        table.attack("Scalebank", "Skullridge", 1)
        assert table.to_act == seat
        if seat == 0:
            assert table.attack("Scalebank", "Skullridge", 1).to_act == 1
    table = lay(stage="fortification", turn=3, seat=2, gods={0: "War", 2: "Time"}).play(
        "fortify nothing more"
    )
    assert table.attack("Scalebank", "Skullridge", 1).to_act == 1  # no other god's


def test_crafts_gives_technology_once_besides_the_card():
    table = lay(stage="action", gods={0: "Crafts"}, hands={0: "Orcs"}).play("give technology with Crafts")
    table.play("technology for the Lizardmen")
    assert (table.to_act, table.phase) == (0, Phase.CARD)
    assert not table.can("give technology with Crafts")
    table.play("play a card of the Orcs for technology")
    assert (table.technology("Lizardmen"), table.technology("Orcs")) == (1, 1)
    assert not lay(stage="action", gods={0: "Crafts"}, uses=[0] * 6).can("give technology with Crafts")


def test_crafts_are_for_peoples_on_the_board():
    table = lay(stage="action", gods={0: "Crafts"}, wiped_out="Monks").play("give technology with Crafts")
    assert len(table.choices("technology for the ")) == 23


@pytest.mark.parametrize(("gone", "points"), [(0, 0), (5, 0), (6, 1), (8, 1)])
def test_death_scores_a_point_for_every_six_peoples_wiped_out(gone, points):
    names = ["Sorcerers", "Monks", "Giants", "Ogres", "Necromancers", "Fairy Folk", "Gnomes", "Amazons"][
        :gone
    ]
    table = lay(gods={0: "Death", 1: "War"}, destinies={0: "Orcs, Goblins"}, wiped_out=", ".join(names))
    assert table.scores()[0] == 4 + 1 + 3 + 1 + points


def test_magic_plays_a_card_in_both_ways_three_times_a_game():
    table = lay(stage="action", gods={0: "Magic"}, hands={0: "Orcs, Gnomes"}, destinies={0: "Humans"})
    table.play("play a card in both ways with Magic")
    assert table.can("play the destiny card of the Humans for technology and Great Works")
    table.play("play a card of the Gnomes for technology and Invention", "the invention to the Orcs")
    assert (table.technology("Gnomes"), table.technology("Orcs")) == (1, 1)
    assert table.state.uses[0] == 2
    assert table.to_act == 1
    assert not lay(stage="action", gods={0: "Magic"}, uses=[0] * 6).can("play a card in both ways with Magic")


def test_magic_is_for_one_card_of_its_own_player():
    table = lay(stage="action", gods={0: "Magic", 1: "War"}, hands={0: "Orcs, Gnomes", 1: "Humans"})
    table.play("play a card in both ways with Magic")
    assert not table.can("play a card in both ways with Magic")
    table.play("play a card of the Orcs for technology alone")
    assert table.technology("Orcs") == 1
    table.play("play a card of the Humans for Great Works")
    assert table.technology("Humans") == 0


def test_magic_does_not_help_a_people_that_is_wiped_out():
    """Ruling 23: the use is spent for the divine wrath alone."""
    table = lay(stage="action", gods={0: "Magic"}, hands={0: "Ogres"}, wiped_out="Ogres")
    table.play("play a card in both ways with Magic").die(3).play("play a card of the Ogres for divine wrath")
    assert table.technology("Ogres") == 0
    assert table.can("Earthquake strikes Redtusk")
    assert table.state.uses[0] == 2
