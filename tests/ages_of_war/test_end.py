"""Battles that lead nowhere: who is ahead, the limit of turns, and the option that ends them (rulings 2 and 21)."""

from __future__ import annotations

import pytest

from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.errors import BadPosition

from .scenario import GAME, RULE, Table, damage, lay

QUIET = 4


def pass_turn(table: Table) -> Table:
    """Three about faces, in which nothing happens."""
    for _ in range(3):
        table.play(min(table.choices("about face")))
    return table


def pass_turns(table: Table, number: int) -> Table:
    for _ in range(number):
        pass_turn(table)
    return table


def test_turns_without_damage_end_a_battle_that_the_army_with_more_boxes_wins():
    table = pass_turns(
        lay("Axemen c3, Riders a1 2", "Archers h6, Slingers g6 1", quiet_turns=QUIET), QUIET - 1
    )
    assert not table.finished
    assert (
        table.sees("Red", "quiet") == table.sees("Blue", "quiet") == table.sees("Red", "quiet_turns") == QUIET
    )
    pass_turn(table)
    assert table.finished
    assert not any(table.env.truncations.values())
    assert (table.places(), table.scores()) == ([1, 2], [8, 7])
    assert table.env.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert "the battle is over, Red (player_0) has won" in table.env.table_text()
    assert table.worth("Red") == -table.worth("Blue") >= 1000


@pytest.mark.parametrize("more", ["Red", "Blue"])
def test_of_two_armies_with_as_many_boxes_the_one_with_more_units_wins(more):
    two, one = "Axemen c3 2, Riders a1 2", "Axemen c3 4"
    armies = (two, "Archers h6 4") if more == "Red" else (one, "Archers h6 1, Slingers g6 3")
    table = pass_turns(lay(*armies, quiet_turns=2), 2)
    assert table.finished
    assert table.scores() == [4, 4]
    assert table.places() == ([1, 2] if more == "Red" else [2, 1])


def test_nobody_wins_if_both_have_as_many_boxes_and_units():
    table = pass_turns(lay("Axemen c3 4, Riders a1 2", "Archers h6 3, Slingers g6 3", quiet_turns=2), 2)
    assert table.finished
    assert table.places() == [1, 1]
    assert table.env.rewards == {"player_0": 0.0, "player_1": 0.0}
    assert "the battle is over, nobody has won" in table.env.table_text()
    assert table.worth("Red") == table.worth("Blue") == 0


def test_damage_of_any_kind_starts_the_count_again():
    """The turn in which a box was crossed off is none without damage."""
    far = "Slingers h6"
    for said in ("attack", "counter", "passing"):
        table = pass_turns(
            lay("Swordsmen c3, Riders a1", f"Spearmen c4, {far}", quiet_turns=QUIET), QUIET - 2
        )
        if said == "attack":
            table.hit("Swordsmen c3", "Spearmen c4")
        elif said == "counter":
            table.miss("Swordsmen c3", "Spearmen c4", counter=6)
            assert table.boxes("c3") == RULE.health - damage("Spearmen")
        else:
            table.play("pass an action", "damage Swordsmen c3")
        assert table.sees("Blue", "quiet") == 0
        while table.turn == "Red":
            table.play(min(table.choices("about face")))
        pass_turns(table, QUIET - 1)
        assert not table.finished, said
        assert pass_turn(table).finished, said


def test_attacks_that_fail_and_damage_that_is_spared_are_no_damage():
    table = pass_turn(lay("Axemen c3", "Archers c4, Slingers h6", quiet_turns=2))
    pass_turn(table)
    assert table.finished
    table = lay("Axemen c3", "Archers c4, Slingers h6", quiet_turns=2).miss("Axemen c3", "Archers c4")
    table.play("pass an action", "deal no more damage", "about face Axemen c3")
    assert table.turn == "Blue"
    assert pass_turn(table).finished


def test_a_push_alone_is_no_damage_but_its_attack_is():
    table = lay("Axemen c3", "Archers c4, Slingers h6", quiet_turns=2, turn="Blue")
    pass_turn(table)
    table.play("use the power of Hatti: push").hit("Axemen c3", "Archers c4").play("about face Axemen c3")
    assert not pass_turn(table).finished


def test_without_the_option_a_battle_goes_on_to_the_limit_of_turns():
    """As printed; two players who only turn around are cut off, and the standing says who is ahead."""
    table = pass_turns(lay("Axemen c3 5", "Archers h6 4", max_turns=20), 20)
    assert not table.finished
    assert table.env.truncations == {"player_0": True, "player_1": True}
    assert {agent: told["place"] for agent, told in table.env.infos.items()} == {"player_0": 1, "player_1": 2}
    assert table.places() == [1, 2]


def test_a_battle_that_ended_so_loads_and_one_that_did_not_is_refused():
    table = pass_turns(lay("Axemen c3, Riders a1", "Archers h6", quiet_turns=2), 2)
    position = table.env.position()
    table.env.load(position)
    assert table.finished
    position["state"]["hurt"] = 1
    with pytest.raises(BadPosition, match=r"state\.finished is True"):
        table.env.load(position)
    going = pass_turn(lay("Axemen c3", "Archers h6", quiet_turns=2)).env.position()
    going["options"]["quiet_turns"] = 1
    with pytest.raises(BadPosition, match=r"state\.hurt is 0: after 1 turns without damage"):
        table.env.load(going)


def test_boxes_count_before_units():
    table = pass_turns(lay("Axemen c3 6", "Archers h6 2, Slingers g6 3", quiet_turns=2), 2)
    assert table.finished
    assert table.places() == [1, 2]


@pytest.mark.parametrize(("red", "places", "paid"), [(5, [1, 2], 1.0), (4, [1, 1], 0.0), (3, [2, 1], -1.0)])
def test_a_battle_decided_at_the_limit_goes_by_the_standing(red, places, paid):
    """Not nothing for both: where the limit decides, whoever has lost less has won (ruling 2)."""
    position = lay(f"Axemen c3 {red}", "Archers h6 4", max_turns=10).env.position()
    env = TableEnv(GAME, at_limit="decide", play_forced=False, **position["options"])
    env.load(position)
    table = Table(env)
    while not any(env.terminations.values()):
        env.step(table.action(min(table.choices("about face"))))
    assert env.terminations == {"player_0": True, "player_1": True}
    assert not any(env.truncations.values())
    assert table.state.turns == 11
    assert table.places() == places
    assert env.rewards == {"player_0": paid, "player_1": -paid}
