"""What the greedy player goes by: scenarios in which somebody who knows the game would not hesitate."""

from __future__ import annotations

import numpy as np
import pytest

from .scenario import Table, damage, deal, lay

PUSH = "use the power of Hatti: push"
FREE = "use the power of Mitanni: free moves"
ALL_OUT = "use the power of Mycenae: all-out attack"
SPLASH = "use the power of Egypt: splash"
MOVE = "use the power of Elam: move an enemy"


def tries(table: Table) -> set[str]:
    """All that greedy does in twelve tries: more than one only where it throws dice."""
    return {table.env.action_text(table.env.greedy_action(k)) for k in range(12)}


# -- powers ------------------------------------------------------------------------------------------------------------

LINE, FOES = "Clubmen c3, Swordsmen d3, Clubmen e3", "Archers c4, Slingers d4, Archers e4"


def test_greedy_uses_splash_before_a_line_attacks_a_line():
    """Every hit will wound one or two more; two attacks with it are worth more than three without."""
    table = lay(LINE, FOES, factions=("Egypt", "Hatti"), field="8x8")
    assert tries(table) == {SPLASH}
    assert tries(table.play(SPLASH)) <= {f"attack with {unit}" for unit in LINE.split(", ")}


def test_greedy_does_not_splash_a_lonely_enemy():
    table = lay("Clubmen c3", "Archers c4, Slingers h8", factions=("Egypt", "Hatti"), field="8x8")
    assert SPLASH not in tries(table)


def test_greedy_makes_an_all_out_attack_when_its_units_stand_apart():
    """Five attacks for two points, where an action has one."""
    table = lay(
        "Clubmen a3, Swordsmen c3, Axemen e3, Riders g3, Clubmen h6",
        "Archers a4, Slingers c4, Stone Throwers e4, Axemen g4, Archers h7",
        factions=("Mycenae", "Hatti"),
        field="8x8",
        points=2,
    )
    assert tries(table) == {ALL_OUT}
    assert all(said.startswith("attack") for said in tries(table.play(ALL_OUT)))


def test_greedy_keeps_the_all_out_attack_where_one_line_does_the_same():
    table = lay(LINE, FOES, factions=("Mycenae", "Hatti"), field="8x8")
    assert ALL_OUT not in tries(table)


def test_greedy_moves_an_enemy_out_of_its_line_and_turns_its_back_to_the_army():
    """Spearmen can hardly be hit from the front; from behind, nothing protects them."""
    table = lay("Axemen c3, Clubmen d3", "Spearmen c4, Spearmen d4", factions=("Elam", "Hatti"), field="8x8")
    assert tries(table) == {MOVE}
    assert tries(table.play(MOVE)) <= {"move the enemy's Spearmen c4", "move the enemy's Spearmen d4"}
    assert all("about face" in said for said in tries(table.play(min(table.choices("move the enemy")))))


def test_greedy_pushes_a_unit_that_one_more_box_would_kill():
    """Its back is to the border; two attacks would have to succeed to do the same."""
    boxes = damage("Swordsmen") + 1
    table = lay(
        "Swordsmen c7",
        f"Javelin Throwers c8 {boxes}, Slingers h8",
        factions=("Hatti", "Egypt"),
        field="8x8",
        points=2,
    )
    assert tries(table) == {PUSH}
    open_behind = lay(
        "Swordsmen c5",
        f"Javelin Throwers c6 {boxes}, Slingers h8",
        factions=("Hatti", "Egypt"),
        field="8x8",
        points=2,
    )
    assert PUSH not in tries(open_behind)


def test_greedy_takes_free_moves_to_bring_up_its_army():
    table = lay(
        "Axemen a1, Swordsmen d1, Spearmen g1", "Archers d8, Slingers a8, Slingers g8",
        factions=("Mitanni", "Hatti"), field="8x8", points=2,
    )  # fmt: skip
    assert tries(table) == {FREE}


# -- what the turn still brings ----------------------------------------------------------------------------------------


def test_units_that_can_attack_together_are_worth_more_than_apart():
    """The same attacks on the same enemies, one action instead of two."""
    line = lay("Clubmen c3, Clubmen d3", "Archers c4, Archers d4", field="8x8", points=2)
    apart = lay("Clubmen c3, Clubmen e3", "Archers c4, Archers e4", field="8x8", points=2)
    assert line.worth("Red") > apart.worth("Red") + 0.3


def test_a_point_is_worth_an_attack():
    two, one = (lay("Clubmen c3", "Archers c4, Slingers h8", field="8x8", points=k) for k in (2, 1))
    attack = lay("Clubmen c3", "Archers c4, Slingers h8", field="8x8", points=2).play(
        "attack with Clubmen c3"
    )
    assert two.worth("Red") > one.worth("Red") + 0.3
    assert attack.worth("Red") == pytest.approx(two.worth("Red"), abs=0.2)  # begun, not lost


def test_an_enemy_that_can_come_and_attack_is_worse_than_one_that_cannot():
    """Four spaces away or five, and Clubmen walk three."""
    near, far = (lay("Spearmen c1", f"Clubmen c{row}", field="10x10", turn="Red", points=1) for row in (5, 6))
    slope = [lay("Spearmen c1", f"Clubmen c{row}", field="10x10", points=1).worth("Red") for row in (8, 9)]
    assert near.worth("Red") - far.worth("Red") < slope[0] - slope[1]  # to get nearer is good in itself


def test_greedy_kills_before_it_wounds():
    """What it sees when both shots hit, as they do more often than not."""
    for points in (1, 3):
        table = lay("Archers c3", "Clubmen c5, Clubmen d3 1, Slingers h8", field="8x8", points=points)
        assert table.play("attack with Archers c3").greedy() == "at Clubmen d3"


# -- deployment --------------------------------------------------------------------------------------------------------


def test_greedy_deploys_its_first_unit_in_the_middle_of_the_front():
    for seed in range(3):
        table = deal(seed, field="8x8")
        while "deploy" in min(table.choices()):
            table.play(next(said for said in sorted(table.choices()) if "Axemen" in said or "deploy" in said))
        assert {said[3] for said in tries(table)} <= {"d", "e"}


def test_looking_changes_nothing():
    """Also where the worst place for an enemy is looked for."""
    table = lay("Axemen c3, Clubmen d3", "Spearmen c4, Spearmen d4", factions=("Elam", "Hatti"), field="8x8")
    for said in ("", MOVE, "move the enemy's Spearmen c4"):
        if said:
            table.play(said)
        before = table.state.tobytes()
        assert np.isfinite([table.worth("Red"), table.worth("Blue")]).all()
        assert table.state.tobytes() == before
