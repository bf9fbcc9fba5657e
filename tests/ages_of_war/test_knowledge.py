"""What a seat sees, and the worlds that it holds possible."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from agezoo import agents
from agezoo.envs.ages_of_war.components import (
    COPIES,
    DAMAGE,
    DEFENCE,
    FACTION_NAMES,
    KIND_NAMES,
    NUM_KINDS,
    NUM_REGULARS,
)
from agezoo.envs.ages_of_war.field import carry, side_hit, spot_cell, target
from agezoo.envs.ages_of_war.state import (
    NONE,
    PLANES,
    SEEN_FROM_A_SEAT,
    SIZES,
    SLOTS,
    SPOTS,
    SPOTS_SEEN,
    A,
    Phase,
)
from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.compile import plain

from .scenario import CARDS, GAME, Table, deal, defence, lay

WORLDS = 3000


def deployed(table: Table, *kinds: str | None) -> Table:
    """Each army in turn deploys this unit, or its first one in alphabetical order, somewhere."""
    for kind in kinds:
        words = f"deploy {kind}" if kind else min(table.choices("deploy"))
        table.play(words).play(min(table.choices("on")))
    return table


def elites(faction: str) -> list[str]:
    return [unit["name"] for unit in CARDS.values() if unit["army"] == faction]


def faction_of(table: Table, seat: int) -> str:
    return FACTION_NAMES[table.state.faction[seat]]


# -- hidden ------------------------------------------------------------------------------------------------------------


def test_before_anything_is_deployed_every_faction_is_as_likely():
    table = deal(1)
    worlds = table.worlds("Red", WORLDS)
    share = np.bincount(worlds["faction"][:, 1], minlength=6) / WORLDS
    assert np.allclose(share, 1 / 6, atol=0.03)
    assert (worlds["faction"][:, 0] == table.state.faction[0]).all()
    assert (worlds["hand"][:, 0] == table.state.hand[0]).all()


def test_imagined_regulars_are_drawn_from_the_deck_without_those_that_were_shown():
    """Six of 22 cards, two of each kind; a kind of which both are shown does not come again."""
    table = deal(1)
    worlds = table.worlds("Red", WORLDS)
    assert (worlds["hand"][:, 1, :NUM_REGULARS].sum(axis=1) == 6).all()
    assert (worlds["hand"][:, 1, :NUM_REGULARS] <= COPIES).all()
    assert np.allclose(worlds["hand"][:, 1, :NUM_REGULARS].mean(axis=0), COPIES * 6 / 22, atol=0.06)
    both = np.mean(worlds["hand"][:, 1, 0] == 2)
    assert abs(both - 6 * 5 / (22 * 21)) < 0.02


def expected(shown: np.ndarray, units: int = 6) -> np.ndarray:
    """Cards of each regular kind that are still in the hand of an army that has shown some, on average over all deals.

    Deals are counted by hand sizes, kind after kind: an army of `units` cards of which each has so many of two cards.
    """
    ways = np.zeros(
        (units + 1, NUM_REGULARS)
    )  # deals by cards so far, and cards in hand in all of them, by kind
    total = np.zeros(units + 1)
    total[0] = 1
    for kind, (copies, seen) in enumerate(zip(COPIES.tolist(), shown.tolist(), strict=True)):
        ways, total, before = np.zeros_like(ways), np.zeros_like(total), (ways, total)
        for held in range(seen, copies + 1):
            deals = math.comb(copies, held)
            for cards in range(units + 1 - held):
                total[cards + held] += deals * before[1][cards]
                ways[cards + held] += deals * before[0][cards]
                ways[cards + held, kind] += deals * before[1][cards] * (held - seen)
    return ways[units] / total[units]


def test_a_kind_that_was_shown_once_is_rarer_in_hand_than_its_copies_say():
    """A hand with both cards of a kind comes in half as many deals as one with either of them."""
    shown = np.eye(NUM_REGULARS, dtype=int)[0]
    one, both = 2 * math.comb(20, 5), math.comb(20, 4)
    assert expected(shown)[0] == pytest.approx(both / (one + both))
    assert expected(0 * shown) == pytest.approx(COPIES * 6 / 22)


def test_shown_units_leave_the_imagined_deck():
    for seed in range(60):
        table = deal(seed)
        twice = [k for k in range(NUM_REGULARS) if table.state.hand[1, k] == 2]
        if twice:
            break
    name = KIND_NAMES[twice[0]]
    table.play(min(table.choices())).play(min(table.choices()))
    table.play(f"deploy {name}").play(min(table.choices("on")))
    worlds = table.worlds("Red", WORLDS)
    assert (worlds["hand"][:, 1, :NUM_REGULARS].sum(axis=1) == 5).all()
    means = worlds["hand"][:, 1, :NUM_REGULARS].mean(axis=0)
    assert np.allclose(means, expected((np.arange(NUM_REGULARS) == twice[0]).astype(int)), atol=0.03)


def test_all_along_the_deployment_only_what_was_shown_is_known():
    """Shown or placed, regular or elite: all deals in which the army has it stay as likely."""
    table = deal(1)
    shown: list[list[str]] = [[], []]
    for name in ("Light Chariots", "Riders", "Nubian Archers", "Riders", "Light Chariots"):
        shown[table.state.seat].append(name)
        for words in (f"deploy {name}", None):
            table.play(words or min(table.choices("on")))
            for army, owner in (("Blue", 0), ("Red", 1)):
                worlds = table.worlds(army, 400)
                counts = np.array([shown[owner].count(kind) for kind in KIND_NAMES])
                hands = worlds["hand"][:, owner]
                means = hands[:, :NUM_REGULARS].mean(axis=0)
                assert np.allclose(means, expected(counts[:NUM_REGULARS]), atol=0.11)
                elite = counts[NUM_REGULARS:].any()
                assert len(set(worlds["faction"][:, owner].tolist())) == (1 if elite else 6)
                assert table.sees(army, "faction")[1].any() == elite
                assert (hands[:, NUM_REGULARS:].sum(axis=1) == 2 - elite).all()


def test_an_elite_unit_gives_its_faction_and_the_other_elite_unit_away():
    table = deal(7)
    mine = elites(faction_of(table, 0))
    assert not table.sees("Blue", "faction")[1].any()
    table.play(f"deploy {mine[0]}")  # as soon as it is shown
    assert faction_of(table, 0) == FACTION_NAMES[table.sees("Blue", "faction")[1].argmax()]
    table.play(min(table.choices("on")))
    worlds = table.worlds("Blue", 200)
    assert (worlds["faction"][:, 0] == table.state.faction[0]).all()
    assert (worlds["hand"][:, 0, KIND_NAMES.index(mine[1])] == 1).all()
    assert not table.sees("Red", "faction")[1].any()


def test_a_regular_unit_gives_nothing_away():
    table = deal(7)
    regular = next(KIND_NAMES[k] for k in range(NUM_REGULARS) if table.state.hand[0, k])
    deployed(table, regular)
    assert len(set(table.worlds("Blue", 300)["faction"][:, 0].tolist())) == 6


def test_the_unit_that_is_being_placed_is_seen():
    table = deal(7)
    name = min(table.choices()).removeprefix("deploy ")
    table.play(f"deploy {name}")
    for army in ("Red", "Blue"):
        assert table.sees(army, "deploying").argmax() == KIND_NAMES.index(name)
    assert table.sees("Blue", "to_deploy").tolist() == [8, 7]


def test_hands_are_seen_by_their_owners_alone():
    table = deal(7)
    assert table.sees("Red", "hand").tolist() == table.state.hand[0].tolist()
    assert table.sees("Blue", "hand").tolist() == table.state.hand[1].tolist()
    for army, other in (("player_0", 0), ("player_1", 1)):
        text = table.env.table_text(army)
        assert text.count("8 units") == 1
        mine = [KIND_NAMES[k] for k in range(NUM_KINDS) if table.state.hand[other, k]]
        assert all(name in text for name in mine)


def test_the_battle_is_open():
    table = lay("Axemen c3, Archers d2", "Riders c6, Spearmen b5")
    worlds = table.worlds("Red", 20)
    worlds["rng"] = table.state.rng
    assert all(world.tobytes() == table.env.states[0].tobytes() for world in worlds)


@pytest.mark.parametrize("seed", range(4))
def test_worlds_of_two_deals_that_look_alike_are_the_same(seed):
    """What is redrawn depends on what was seen, not on what is hidden."""
    table = deal(seed)
    other = Table(table.env.world("player_0", 99))
    one, two = table.worlds("Red", 50), other.worlds("Red", 50)
    one["rng"] = two["rng"] = 0
    assert one.tobytes() == two.tobytes()


# -- seen --------------------------------------------------------------------------------------------------------------


def test_the_planes_show_the_field_from_the_own_side():
    table = lay("Axemen c2 4, Archers d1 turned", "Riders b6 5")
    planes = dict(zip(PLANES, table.sees("Red", "planes"), strict=True))
    assert planes["own"][1, 2] == pytest.approx(4 / 6)
    assert planes["enemy"][5, 1] == pytest.approx(5 / 6)
    assert (planes["looks_ahead"][1, 2], planes["looks_ahead"][0, 3], planes["looks_ahead"][5, 1]) == (
        1,
        -1,
        -1,
    )
    theirs = dict(zip(PLANES, table.sees("Blue", "planes"), strict=True))
    assert theirs["own"][0, 6] == pytest.approx(5 / 6)
    assert theirs["enemy"][4, 5] == pytest.approx(4 / 6)


def test_the_flat_part_shows_units_by_slot_with_their_cards():
    table = lay("Axemen c2 4, Archers d1 turned", "Riders b6 5")
    unit, card = table.sees("Red", "unit"), table.sees("Red", "card")
    chosen, row, column, health, looks_back = unit[0, :5, 0]
    assert (chosen, looks_back) == (0, 0)
    assert (row, column, health) == pytest.approx((0.1, 0.2, 4 / 6))
    assert unit[0, 4, 1] == 1  # turned away from the enemy's side
    assert unit[1, 4, 0] == 1  # looks at the observer
    assert card[0, 0, 0] == pytest.approx(CARDS["Axemen"]["damage"] / 3)
    assert card[1, -4:, 0].tolist() == pytest.approx([edge / 5 for edge in CARDS["Riders"]["defence"]])
    assert unit[1, 3, 0] == pytest.approx(5 / 6)
    assert unit[0, 3, 2] == 0  # a dead unit
    assert card[0, :, 2].any()
    assert not card[0, :, 6:].any()  # no unit has these slots


def test_dead_units_have_no_turn_to_take():
    """What a unit that fell had done in this turn is not shown."""
    table = lay("Swordsmen c3 1, Axemen d2", "Swordsmen c5, Slingers h6")
    table.play("move Swordsmen c3 to c4")
    assert table.sees("Red", "unit")[0, 5].any()
    table.miss("Swordsmen c4", "Swordsmen c5", counter=6)
    assert table.boxes("c4") == 0
    assert table.state.moved == 1
    assert not table.sees("Red", "unit")[0, 5].any()


def test_a_charge_that_a_dead_unit_has_used_is_seen():
    """It stays used if the unit is revived in this turn (ruling 13)."""
    table = lay("Axemen c3, Riders dead", "Archers c5, Slingers h6", factions=("Babylon", "Hatti"))
    position = table.env.position()
    position["state"]["charged"] = 2
    table.env.load(position)
    for army, side in (("Red", 0), ("Blue", 1)):
        assert table.sees(army, "unit")[side, 6].tolist() == [0, 1] + [0] * 8


def part(attacker: str, victim: str, side: str = "front") -> float:
    """The damage of an attack times its chance, in lives of six boxes."""
    return (6 - defence(victim, side)) / 6 * CARDS[attacker]["damage"] / 6


def test_whoever_acts_sees_what_its_units_deal_and_suffer_where_they_stand():
    table = lay("Axemen c3, Archers e2, Swordsmen h1", "Riders c4 2, Spearmen e4 turned")
    deals, suffers = table.sees("Red", "deals"), table.sees("Red", "suffers")
    assert deals[0] == pytest.approx(part("Axemen", "Riders"))
    assert suffers[0] == pytest.approx(part("Riders", "Axemen"))
    assert deals[1] == pytest.approx(part("Archers", "Spearmen", side="back"))
    assert suffers[1] == 0  # a spear reaches one cell, and looks away
    assert not deals[2:].any()
    assert not suffers[2:].any()
    for name in ("deals", "suffers", "deals_there", "suffers_there", "deals_to"):
        assert not table.sees("Blue", name).any()


def test_whoever_acts_sees_what_its_units_would_deal_and_suffer_after_a_move():
    table = lay("Axemen c2, Archers h1 turned", "Riders c5, Slingers g5")
    there, back = table.sees("Red", "deals_there"), table.sees("Red", "suffers_there")
    assert by_spot(there[0]) == pytest.approx({"AHEAD_2": part("Axemen", "Riders")})
    assert by_spot(back[0]) == pytest.approx({"AHEAD_2": part("Riders", "Axemen")})
    assert not there[1].any()  # it looks the other way
    table = lay("Axemen c3", "Riders c5, Slingers d5", turn="Blue")
    sides = {
        "AHEAD_1": "front",
        "AHEAD_2_LEFT_1": "right",
        "AHEAD_2_RIGHT_1": "left",
    }  # c4; around corners d3, b3
    assert by_spot(table.sees("Blue", "deals_there")[0]) == pytest.approx(
        {spot: part("Riders", "Axemen", side=side) for spot, side in sides.items()}
    )


def by_spot(numbers: np.ndarray) -> dict[str, float]:
    """Those that are not 0, by the name of the cell."""
    return {name: float(number) for name, number in zip(SPOTS_SEEN, numbers, strict=True) if number}


def test_attacks_from_several_sides_add_up_to_a_life_at_most():
    table = lay("Clubmen c3", "Axemen c4, Stone Throwers d3, Axemen b3")
    sides = part("Axemen", "Clubmen") + part("Stone Throwers", "Clubmen", side="right")
    assert table.sees("Red", "suffers")[0] == pytest.approx(
        min(1, sides + part("Axemen", "Clubmen", side="left"))
    )
    two = lay("Clubmen c3 1", "Axemen c4, Archers c5")
    assert two.sees("Red", "suffers")[0] == pytest.approx(
        part("Axemen", "Clubmen") + part("Archers", "Clubmen")
    )


def exchanged(s: np.void, slot: int) -> tuple[float, float]:
    """What a unit of the seat to act deals and suffers where it stands, asked of the rules enemy by enemy."""
    own, enemy = int(s.seat), 1 - int(s.seat)
    deals, suffers = [0.0], 0.0
    for direction in range(4):
        for reach in (1, 2):
            victim = plain(target)(s, own, slot, direction, reach)
            if victim != NONE:
                edge = DEFENCE[s.kind[enemy, victim], plain(side_hit)(s, enemy, victim, direction)]
                deals.append((6 - edge) * DAMAGE[s.kind[own, slot]] / 36)
            for other in range(SLOTS):
                if s.cell[enemy, other] >= 0 and plain(target)(s, enemy, other, direction, reach) == slot:
                    edge = DEFENCE[s.kind[own, slot], plain(side_hit)(s, own, slot, direction)]
                    suffers += (6 - edge) * DAMAGE[s.kind[enemy, other]] / 36
    return max(deals), min(1, suffers)


@pytest.mark.parametrize("field", SIZES)
def test_what_units_deal_and_suffer_is_what_the_rules_say(field):
    """Tables of random play, each legal move played on a copy and asked there."""
    seen = 0
    for seed in range(3):
        env = TableEnv(GAME, units=8, field=field)
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        for k in range(200):
            if Table(env).phase == Phase.TURN and k % 20 == 19:
                seen += compared(env)
            env.step(int(rng.choice(env.legal_actions())))
    assert seen > 100


def compared(env: TableEnv) -> int:
    """Compare what is observed with what the rules say; how many numbers are not 0."""
    s = Table(env).state
    seat = int(s.seat)
    observed = GAME.observation.unpack(env.observe(f"player_{seat}")["observation"])
    deals, suffers = np.zeros((SLOTS, SPOTS)), np.zeros((SLOTS, SPOTS))
    for slot in np.flatnonzero(s.cell[seat] >= 0):
        assert (observed["deals"][slot], observed["suffers"][slot]) == pytest.approx(exchanged(s, slot))
    for action in env.legal_actions():
        if action < A.attack:
            slot, spot = np.unravel_index(action - A.move, deals.shape)
            there = Table(env.clone()).state
            plain(carry)(there, seat, slot, plain(spot_cell)(seat, int(there.cell[seat, slot]), spot))
            deals[slot, spot], suffers[slot, spot] = exchanged(there, slot)
    assert observed["deals_there"] == pytest.approx(deals)
    assert observed["suffers_there"] == pytest.approx(suffers)
    return np.count_nonzero(deals) + np.count_nonzero(suffers)


def test_whoever_attacks_sees_what_each_attack_costs():
    table = lay("Archers c3", "Riders c4, Spearmen c5, Clubmen d3")
    table.play("attack with Archers c3")
    costs = table.sees("Red", "deals_to")
    ahead, right = costs[SEEN_FROM_A_SEAT.index("AHEAD")], costs[SEEN_FROM_A_SEAT.index("RIGHT")]
    assert ahead.tolist() == pytest.approx([part("Archers", "Riders"), part("Archers", "Spearmen")])
    assert right[0] == pytest.approx(part("Archers", "Clubmen", side="right"))
    assert costs.astype(bool).sum() == 3
    assert not table.sees("Red", "deals").any()


def test_actions_are_aligned_with_what_is_observed_of_them():
    slices = GAME.observation.slices()
    aligned = {actions.start: parts for actions, parts in GAME.aligned}
    assert aligned[A.move] == [slices["deals_there"], slices["suffers_there"]]
    assert aligned[A.target] == [slices["deals_to"]]
    assert aligned[A.deploy] == [slices["hand"], slices["deploying"]]
    for block in (A.attack, A.face, A.revive, A.enemy, A.wound):
        assert {slices["deals"].start, slices["suffers"].start} <= {part.start for part in aligned[block]}
    assert A.go not in aligned


def test_what_is_being_resolved_is_seen_by_both():
    table = lay("Axemen c3, Swordsmen d3, Clubmen e3", "Archers c4, Slingers d4")
    table.play("form a line: Axemen c3 and Swordsmen d3")
    for army in ("Red", "Blue"):
        assert table.sees(army, "line").tolist() == [2, 0]
        assert table.sees(army, "unit")[int(army == "Blue"), 0, 0] == 1
    table = lay("Axemen c3, Swordsmen d3, Clubmen e3", "Archers c4, Slingers d4").hit(
        "Axemen c3", "Archers c4"
    )
    assert table.sees("Blue", "phase").argmax() == Phase.VOLLEY
    assert table.sees("Blue", "unit")[1, 7].tolist()[:3] == [0, 1, 1]
    assert table.sees("Red", "deals").astype(bool)[:3].tolist() == [1, 1, 0]


def test_whoever_decides_knows_it():
    table = lay("Axemen c3", "Archers h6").play("pass an action")
    assert (table.sees("Blue", "deciding"), table.sees("Red", "deciding")) == (1, 0)
    assert (table.sees("Blue", "own_turn"), table.sees("Red", "own_turn")) == (0, 1)
    assert table.sees("Blue", "owed") == 1


def test_every_observed_number_is_about_one():
    low, high = GAME.observation.bounds()
    assert low.min() == -1
    assert high.max() <= 5
    assert GAME.num_features < 1300
    assert GAME.spatial == "planes"
    assert GAME.observation.unpack(np.zeros(GAME.num_features))["planes"].shape[1:] == (10, 10)
    assert GAME.num_actions < 450


# -- worth -------------------------------------------------------------------------------------------------------------


def test_greedy_beats_random_play():
    """Whole games, seats changing."""
    players = [agents.make(name, GAME.name) for name in ("greedy", "random")]
    results = agents.play_games(GAME, players, games=100, seed=1, units=2, field="6x8")
    assert results.wins[0] > 90


def test_greedy_attacks_the_weakest_side_and_the_weakest_target():
    table = lay("Archers c3", "Spearmen c5, Clubmen d3 1", factions=("Hatti", "Babylon"))
    assert defence("Spearmen", "front") > defence("Clubmen", "right")
    assert table.play("attack with Archers c3").greedy() == "at Clubmen d3"


def test_greedy_attacks_rather_than_walks_about():
    assert lay("Axemen c3", "Archers c4 turned, Slingers h6").greedy() == "attack with Axemen c3"


def test_greedy_goes_on_with_a_volley_and_does_not_stop_short():
    table = lay("Axemen c3, Axemen d3", "Archers c4, Slingers d4").hit("Axemen c3", "Archers c4")
    assert table.greedy() == "attack with Axemen d3"


def test_greedy_leads_the_army_towards_the_enemy():
    table = lay("Clubmen c1", "Archers c8", field="8x8")
    assert table.greedy() == "move Clubmen c1 to c4"


def test_greedy_turns_to_an_enemy_behind_it():
    table = lay("Axemen c4", "Archers c3, Slingers a8", field="8x8", points=3)
    assert table.greedy() in {"about face Axemen c4", "move Axemen c4 to c2"}


def test_greedy_never_passes_and_deals_damage_where_it_hurts():
    assert "pass" not in lay("Axemen c1", "Archers h6").greedy()
    table = lay("Axemen c3, Spearmen d3 1", "Archers h6").play("pass an action")
    assert table.greedy() == "damage Spearmen d3"


def test_greedy_moves_lines():
    """Three abreast, far from the enemy: together they get on three times as fast."""
    table = lay("Clubmen b1, Clubmen c1, Light Chariots d1", "Archers c8", field="8x8", points=1)
    assert table.greedy().startswith("form a line")


def test_greedy_revives_the_dead():
    table = lay("Axemen c3, Axemen dead", "Archers h6", factions=("Babylon", "Hatti"))
    assert table.greedy() == "use the power of Babylon: revive"


def test_a_finished_table_is_worth_most_or_least():
    table = lay("Axemen c3", "Archers c4 1").hit("Axemen c3", "Archers c4")
    assert table.worth("Red") == -table.worth("Blue") >= 1000


def test_a_move_that_was_begun_is_worth_what_its_best_end_is():
    table = lay("Clubmen b1, Clubmen c1", "Archers c8", field="8x8", points=1)
    table.play("form a line: Clubmen b1 and Clubmen c1")
    before = table.state.tobytes()
    begun = table.worth("Red")
    assert table.state.tobytes() == before  # looking changes nothing
    table.play("the line goes north 3")
    assert begun <= table.worth("Red") + 3  # as good as having gone, but for whose turn it is


def test_armies_are_deployed_in_lines():
    """Greedy puts its units side by side, those that shoot far behind the others."""
    table = deal(3, units=8, field="10x10")
    while table.phase < Phase.TURN:
        table.play(table.greedy())
    rows = Counter()
    for slot in range(10):
        far = CARDS[KIND_NAMES[table.state.kind[0, slot]]]["range"] == 2
        rows[far, int(table.state.cell[0, slot]) // 12] += 1
    assert rows[False, 4] >= rows[False, 3]
    columns = sorted(int(c) % 12 for c in table.state.cell[0] if int(c) // 12 == 4)
    assert sum(b - a == 1 for a, b in pairwise(columns)) >= 2
