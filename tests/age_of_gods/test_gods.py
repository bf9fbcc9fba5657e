"""The twelve gods."""

from __future__ import annotations

import pytest

from agezoo.envs.age_of_gods.components import TERRITORIES

from .scenario import Phase, Stage, lay, people
from .test_combat import needed


def test_peace_shields_the_peoples_that_its_player_has_revealed():
    shown = {1: "Orcs (played)"}
    assert needed(lay(gods={1: "Peace"}, destinies=shown), "Scalebank", "Skullridge") == 5
    assert needed(lay(gods={1: "War"}, destinies=shown), "Scalebank", "Skullridge") == 3
    assert needed(lay(gods={1: "Peace"}, destinies={1: "Orcs"}), "Scalebank", "Skullridge") == 3


def test_peace_does_not_help_to_attack():
    table = lay(gods={1: "Peace"}, destinies={1: "Orcs (played)"}, technology={"Lizardmen": 1})
    assert needed(table, "Skullridge", "Scalebank") == 4


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


def test_nobody_attacks_a_territory_with_love_or_from_it():
    table = lay(gods={0: "Love"}, love="Skullridge")
    assert not table.can("attack from Skullridge")
    assert "Skullridge" not in table.play("attack from Scalebank").choices("attack ")


def test_love_is_combat_forbidden_not_every_harm():
    table = lay(stage="action", gods={1: "Love"}, love="Harrowend", hands={0: "Voracious"})
    table.play("play a card of the Voracious for Devour", "devour Harrowend")
    assert table.owner("Harrowend") == ""


def test_there_are_four_love_markers_and_one_for_a_territory():
    four = "Skullridge, Mudfang, Redtusk, Gorepit"
    assert not lay(stage="fortification", gods={0: "Love"}, love=four).can("place a Love marker")
    table = lay(stage="fortification", gods={0: "Love"}, love="Skullridge").play("place a Love marker")
    assert not table.can("Love on Skullridge")


def test_wisdom_bets_on_turn_nine_alone():
    table = lay(
        stage="bets", turn=7, seat=1, gods={0: "Wisdom"}, destinies=dict.fromkeys((0, 1, 2), "") | {0: ""}
    )
    table.play("no more bets", "no more bets")
    assert table.stage == Stage.FORTIFICATION
    assert table.state.bets_laid[:3].tolist() == [0, 1, 1]
    spent = {0: "Orcs (played), Goblins (played), Gnomes (played), Monks (played)"}
    table = lay(stage="bets", turn=9, gods={0: "Wisdom"}, destinies=spent, hands={0: "Humans, Ogres"})
    table.play("bet on the Humans", "bet on the Ogres")
    assert table.stage == Stage.FORTIFICATION
    assert table.state.bets_laid[0] == 1


def test_protectors_have_ten_pieces_and_build_two_a_turn():
    table = lay(stage="fortification", gods={0: "Protectors", 1: "War"})
    table.play("fortify Gorepit", "fortify Mudfang")
    assert table.to_act == 1
    assert table.state.pieces[0] == 8
    table = lay(stage="fortification", gods={0: "Protectors", 1: "War"}).play(
        "fortify Gorepit", "fortify nothing more"
    )
    assert table.to_act == 1


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


def test_luck_rolls_a_failed_attack_of_the_combat_phase_again_once():
    table = lay(gods={0: "Luck"}).attack("Scalebank", "Skullridge", 1, 3)
    assert table.owner("Skullridge") == "Lizardmen"
    table = lay(gods={0: "Luck"}).attack("Scalebank", "Skullridge", 1, 2, 6)
    assert table.owner("Skullridge") == "Orcs"
    assert table.to_act == 1
    table = lay(gods={0: "Luck"}).attack("Scalebank", "Skullridge", 1, 6)
    assert table.phase == Phase.TARGET  # the second roll counts in every way


def test_luck_and_war_help_in_the_combat_phase_alone():
    for god in ("Luck", "War"):
        table = lay(stage="uprising", turn=2, gods={0: god}).attack("Scalebank", "Skullridge", 2, 6)
        assert table.owner("Skullridge") == "Orcs"
        table = lay(stage="action", gods={0: god}, hands={0: "Orcs"}).play(
            "play a card of the Orcs for War Drums"
        )
        table.attack("Scalebank", "Skullridge", 2, 6)
        assert table.owner("Skullridge") == "Orcs"


def test_war_attacks_at_plus_one():
    assert needed(lay(gods={0: "War"}), "Scalebank", "Skullridge") == 2
    assert needed(lay(gods={1: "War"}), "Scalebank", "Skullridge") == 3


def test_time_names_the_first_player_of_every_turn():
    table = lay(4, stage="order", turn=5, seat=2, first=1, place=0, gods={2: "Time"})
    assert table.choices() == {f"player_{k} is first" for k in range(4)}
    table.play("player_0 is first")
    assert (table.state.first, table.to_act) == (0, 0)


def test_crafts_gives_technology_once_besides_the_card():
    table = lay(stage="action", gods={0: "Crafts"}, hands={0: "Orcs"}).play("give technology with Crafts")
    table.play("technology for the Lizardmen")
    assert (table.to_act, table.phase) == (0, Phase.CARD)
    assert not table.can("give technology with Crafts")
    table.play("play a card of the Orcs for technology")
    assert (table.technology("Lizardmen"), table.technology("Orcs")) == (1, 1)
    assert not lay(stage="action", gods={0: "Crafts"}, uses=[0] * 6).can("give technology with Crafts")


@pytest.mark.parametrize(("gone", "points"), [(0, 0), (2, 0), (3, 1), (5, 1), (6, 2)])
def test_death_scores_a_point_for_every_three_peoples_wiped_out(gone, points):
    names = ["Sorcerers", "Monks", "Giants", "Ogres", "Necromancers", "Fairy Folk"][:gone]
    table = lay(gods={0: "Death", 1: "War"}, destinies={0: "Orcs, Goblins"}, wiped_out=", ".join(names))
    assert table.scores()[0] == 4 + 1 + 3 + points


def test_magic_plays_a_card_in_both_ways_twice_a_game():
    table = lay(stage="action", gods={0: "Magic"}, hands={0: "Orcs, Gnomes"}, destinies={0: "Humans"})
    table.play("play a card in both ways with Magic")
    assert table.can("play the destiny card of the Humans for technology and Great Works")
    table.play("play a card of the Gnomes for technology and Invention", "the invention to the Orcs")
    assert (table.technology("Gnomes"), table.technology("Orcs")) == (1, 1)
    assert table.state.uses[0] == 1
    assert table.to_act == 1
    assert not lay(stage="action", gods={0: "Magic"}, uses=[0] * 6).can("play a card in both ways with Magic")
