"""Components, and the four stages of the Standard Game."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from agezoo.envs import make
from agezoo.envs.ages_of_war.components import (
    COPIES,
    FACTION_NAMES,
    FACTIONS,
    KIND_NAMES,
    NUM_REGULARS,
    RULE,
    UNITS,
    stat_points,
)
from agezoo.envs.ages_of_war.state import FREE, SIZES, TERRAIN, WIDE
from agezoo.envs.engine.errors import BadOption, BadPosition

from .scenario import GAME, Table, deal, lay


def hand(table: Table, seat: int) -> dict[str, int]:
    return {KIND_NAMES[k]: int(n) for k, n in enumerate(table.state.hand[seat]) if n}


def deploy(table: Table, *cells: str) -> Table:
    """Whatever unit comes first, on these cells."""
    for cell in cells:
        table.play(min(table.choices("deploy")), f"on {cell}")
    return table


# -- components --------------------------------------------------------------------------------------------------------


def test_each_deck_has_six_factions_twelve_elite_units_and_22_regular_units():
    assert len(FACTIONS) == 6
    assert len(UNITS) - NUM_REGULARS == 12
    assert COPIES.sum() == 22
    assert NUM_REGULARS >= 8
    assert {(u["class"], u["range"]) for u in UNITS[:NUM_REGULARS]} == {
        ("melee", 1), ("mounted", 1), ("ranged", 1), ("ranged", 2),
    }  # fmt: skip


def test_cards_show_what_cards_can_show():
    for unit in UNITS:
        assert 1 <= unit["movement"] <= 3
        assert all(0 <= mark <= 5 for mark in unit["defence"])  # a six must be able to hit
        assert 1 <= unit["damage"] <= 3
        assert unit["range"] == 1 or unit["class"] == "ranged"
        assert unit["charge"] == 0 or unit["class"] == "mounted"
        assert not (unit["counter"] and unit["class"] == "ranged")


def test_regular_units_are_worth_about_the_same_stat_points_and_elites_are_worth_more():
    regulars = [stat_points(u) for u in UNITS[:NUM_REGULARS]]
    assert max(regulars) - min(regulars) <= 3
    for name in FACTION_NAMES:
        assert sum(stat_points(u) for u in UNITS if u["army"] == name) >= 2 * max(regulars)
    assert all(u["points"] == stat_points(u) for u in UNITS)


def test_every_faction_has_two_elite_units_and_a_power_with_the_uses_of_the_rulebook():
    assert Counter(u["army"] for u in UNITS[NUM_REGULARS:]) == dict.fromkeys(FACTION_NAMES, 2)
    assert [f["uses"] for f in FACTIONS] == [3, 3, 2, 2, 2, 3]


def test_the_numbers_of_the_rulebook():
    """Those that the rulebook prints, and the six boxes that follow from "half health (3)"."""
    assert (RULE.actions, RULE.health, RULE.revived, RULE.elites) == (3, 6, 3, 2)
    assert (RULE.push, RULE.free_moves, RULE.splash, RULE.enemy_steps) == (1, 2, 1, 2)
    assert (RULE.pass_damage, RULE.skip_damage) == (1, 3)


# -- Draw Your Army ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("units", [2, 4, 6, 8])
def test_an_army_is_a_faction_its_two_elites_and_as_many_regulars_as_agreed(units):
    for seed in range(5):
        table = deal(seed, units=units)
        for seat in range(2):
            names = hand(table, seat)
            faction = FACTION_NAMES[table.state.faction[seat]]
            elites = {u["name"] for u in UNITS[NUM_REGULARS:] if u["army"] == faction}
            assert {n for n in names if n not in KIND_NAMES[:NUM_REGULARS]} == elites
            assert sum(names.values()) == units + 2
            assert all(names[n] <= 2 for n in names)


@pytest.mark.parametrize("units", [0, 1, 3, 5, 7, 9, 10, "6", 6.0])
def test_other_army_sizes_are_refused(units):
    with pytest.raises(BadOption, match="whole number from 2 to 8 in steps of 2"):
        make("ages_of_war", units=units)


def test_both_decks_are_shuffled_and_identical():
    """Every kind comes to both armies as often as it has cards; so does every pair of factions (ruling 20)."""
    factions, regulars = np.zeros((6, 6)), np.zeros((2, NUM_REGULARS))
    states = GAME.prototype()
    from agezoo.envs.engine import table as engine  # the deal alone, many times

    for seed in range(3000):
        GAME.compiled(engine.deal)(states, 0, GAME.prototype(), 0, np.uint64(seed))
        factions[tuple(states["faction"][0])] += 1
        for seat in range(2):
            regulars[seat] += states["hand"][0, seat, :NUM_REGULARS]
    assert np.allclose(factions / 3000, 1 / 36, atol=0.015)
    assert np.allclose(regulars / 3000, COPIES * 6 / 22, atol=0.05)


def test_options_are_six_units_on_8x10_by_default():
    table = deal()
    assert table.env.position()["options"] == {
        "units": 6,
        "max_turns": 200,
        "quiet_turns": 0,
        "field": "8x10",
    }


# -- Build the Game Area -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "rows", "columns"), [("6x8", 6, 8), ("8x8", 8, 8), ("8x10", 8, 10), ("10x10", 10, 10)]
)
def test_terrain_encloses_a_field_of_rows_and_columns(field, rows, columns):
    """Ruling 5."""
    table = deal(field=field)
    board = np.array(table.state.board).reshape(-1, WIDE)
    assert (board[1 : rows + 1, 1 : columns + 1] == FREE).all()
    assert (board == TERRAIN).sum() == board.size - rows * columns
    assert table.sees("Red", "field").argmax() == SIZES.index(field)
    corner = f"{'abcdefghij'[columns - 1]}{rows}"
    table = lay(f"Axemen {corner}", "Archers a1", field=field)
    column, row = "abcdefghij"[columns - 3 : columns], (rows - 2, rows - 1, rows)
    assert table.choices("move Axemen") == {
        f"move Axemen {corner} to {column[2 - west]}{row[2 - south]}"
        for west, south in ((0, 1), (0, 2), (1, 0), (1, 1), (2, 0))
    }


def test_strips_say_where_units_stand():
    """A position whose strips say otherwise is refused, however the units came to stand so."""
    table = lay("Axemen c3, Clubmen d3, Riders b1", "Archers c4 1, Slingers h6", points=2)
    table.hit("Axemen c3", "Archers c4").play(
        "form a line: Axemen c3 and Clubmen d3", "the line goes north 1"
    )
    strips = table.state.strips
    assert strips[0, 0, :5].tolist() == [8 << 1, 0, 0, (8 << 2) + (8 << 3), 0]  # by row: b1; c4 and d4
    assert strips[0, 1, :5].tolist() == [0, 8, 8 << 3, 8 << 3, 0]  # by column
    assert strips[1].any(axis=1).tolist() == [True, True]
    assert np.count_nonzero(strips[1]) == 2  # h6 alone
    position = table.env.position()
    position["state"]["strips"][0][0][1] = 8
    with pytest.raises(BadPosition, match="strips"):
        table.env.load(position)


# -- Deploy Your Army --------------------------------------------------------------------------------------------------


def test_armies_deploy_a_unit_at_a_time_attacker_first():
    table = deal(units=2, field="6x8")
    assert table.to_act == "Red"
    order = []
    for k in range(8):
        order.append(table.to_act)
        deploy(table, f"{'abcdefgh'[k]}{1 if table.to_act == 'Red' else 6}")
    assert order == ["Red", "Blue"] * 4
    assert table.turn == table.to_act == "Red"  # the attacker takes the first turn
    assert table.points == RULE.actions


@pytest.mark.parametrize(("field", "rows"), [("6x8", 2), ("8x8", 3), ("8x10", 3), ("10x10", 4)])
def test_nobody_deploys_in_no_mans_land(field, rows):
    """The two inner rows stay empty."""
    columns = int(field.split("x")[1])
    total = int(field.split("x")[0])
    table = deal(field=field)
    table.play(min(table.choices()))
    own = {f"on {'abcdefghij'[c]}{r + 1}" for c in range(columns) for r in range(rows)}
    assert table.choices() == own
    table.play("on a1")
    table.play(min(table.choices()))
    assert table.choices() == {f"on {w[3]}{total + 1 - int(w[4:])}" for w in own}


def test_a_unit_is_deployed_on_a_free_cell_whole_and_facing_the_enemy():
    """Ruling 3."""
    table = deploy(deal(field="6x8"), "c2", "c5")
    for cell in ("c2", "c5"):
        assert table.at(cell).boxes == RULE.health
        assert not table.at(cell).turned
    table.play(min(table.choices()))
    assert not table.can("on c2")
    assert not table.can("on c5")


def test_an_elite_unit_or_a_regular_one_may_be_deployed_and_two_of_a_kind_are_one_choice():
    table = deal(5)
    assert table.choices() == {f"deploy {name}" for name in hand(table, 0)}
    before = hand(table, 0)
    name = next(iter(before))
    table.play(f"deploy {name}")
    assert hand(table, 0).get(name, 0) == before[name] - 1


def test_factions_are_revealed_when_all_units_stand():
    table = deal(11, units=2, field="6x8")
    factions = [FACTION_NAMES[f] for f in table.state.faction]
    order = sorted(table.choices("deploy"), key=lambda w: KIND_NAMES.index(w.removeprefix("deploy ")))
    table.play(order[0], "on a1")  # a regular unit
    assert not table.sees("Blue", "faction")[1].any()
    assert not any(table.state.uses)
    while table.phase < 2:
        table.play(min(table.choices()))
    for army, k in (("Red", 0), ("Blue", 1)):
        assert FACTION_NAMES[table.sees(army, "faction")[0].argmax()] == factions[k]
        assert FACTION_NAMES[table.sees(army, "faction")[1].argmax()] == factions[1 - k]
        assert table.uses(army) == FACTIONS[FACTION_NAMES.index(factions[k])]["uses"]


def test_an_epic_battle_fits_the_smallest_field():
    table = deal(2, units=8, field="6x8")
    while table.phase < 2:
        table.play(min(table.choices()))
    assert sum(c >= 0 for c in table.state.cell.reshape(-1)) == 20


# -- Goal of the Game --------------------------------------------------------------------------------------------------


def test_who_eliminates_all_enemies_wins():
    table = lay("Axemen c3", "Archers c4 1", points=3).hit("Axemen c3", "Archers c4")
    assert table.finished
    assert table.places() == [1, 2]
    assert table.env.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert table.env.scores() == {"player_0": 6, "player_1": 0}


def test_points_are_the_boxes_that_an_army_has_left():
    """Ruling 2."""
    table = lay("Axemen c3 4, Spearmen a1", "Archers c5 5")
    assert table.env.scores() == {"player_0": 10, "player_1": 5}
    assert deal(units=4).env.scores() == {"player_0": 36, "player_1": 36}
    shown = deal(units=4).play(min(deal(units=4).choices()))  # a unit on its way to the field counts as well
    assert shown.env.scores() == {"player_0": 36, "player_1": 36}


def test_a_battle_that_leads_nowhere_is_cut_off_after_the_last_turn():
    """Ruling 2."""
    env = make("ages_of_war", units=2, field="6x8", max_turns=10)
    env.reset(seed=0)
    rng = np.random.default_rng(0)
    while env.states["phase"][0] < 2:
        env.step(int(rng.choice(env.legal_actions())))
    for turn in range(1, 11):
        assert env.states["turns"][0] == turn
        for _ in range(3):
            env.step(
                env.parse_action(next(w for w in map(env.action_text, env.legal_actions()) if "about" in w))
            )
    assert env.truncations == {"player_0": True, "player_1": True}
    assert env.rewards == {"player_0": 0.0, "player_1": 0.0}
    assert deal().sees("Red", "turns_left") == 200


@pytest.mark.parametrize("field", ["6x8", "8x8", "8x10", "10x10"])
def test_pictures_show_every_field_in_the_deployment_and_in_the_battle(field):
    table = deal(field=field)
    before = GAME.picture(table.state, 0)
    battle = lay("Axemen c3 turned 2, Archers dead", "Archers c4, Riders b4", field=field)
    images = [GAME.picture(table.state, seat) for table in (table, battle) for seat in (0, 1, None)]
    assert {image.shape for image in images} == {before.shape}
    battle.play("attack with Axemen c3" if battle.can("attack with Axemen c3") else "about face Axemen c3")
    assert not np.array_equal(GAME.picture(battle.state, 0), images[3])
    text = battle.env.table_text()
    assert "#####" in text
    assert "R1^2" in text  # the first red unit looks north and has two boxes left
    assert "B1v6" in text
