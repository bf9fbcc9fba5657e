"""Tables that play reaches load, whoever plays; tables that load are played on soundly, whoever laid them out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from agezoo.envs.ages_of_war.state import ACTIONS, FIELDS, NONE, SIZES, Phase
from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.errors import BadPosition

from .scenario import GAME, deal, lay

Player = Callable[[TableEnv, np.random.Generator], int]


def chooses(*blocks: str) -> Player:
    """A random action of the first of these blocks of actions in which there is one, else of any but giving up."""

    def act(env: TableEnv, rng: np.random.Generator) -> int:
        legal = env.legal_actions()
        names = {action: ACTIONS.locate(action)[0].name for action in legal}
        for block in blocks:
            found = [action for action in legal if names[action] == block]
            if found:
                return int(rng.choice(found))
        given_up = ("pass_action", "skip_turn", "end_turn", "stand")
        return int(rng.choice([action for action in legal if names[action] not in given_up] or legal))

    return act


PLAYERS: dict[str, Player] = {
    "random": lambda env, rng: int(rng.choice(env.legal_actions())),
    "greedy": lambda env, rng: env.greedy_action(int(rng.integers(1 << 32))),
    "first": lambda env, rng: env.legal_actions()[0],
    "last": lambda env, rng: env.legal_actions()[-1],
    "never passes": chooses(),
    "always passes": chooses("skip_turn", "pass_action", "spare", "end_turn", "stand"),
    "passes and is hurt": chooses("pass_action", "wound"),
    "attacks": chooses("target", "attack", "axis", "move"),
    "uses its power": chooses("power", "revive", "column", "enemy", "turn", "drive", "wound", "target", "attack"),
    "moves": chooses("move"),
    "moves lines": chooses("go", "form", "extend"),
    "turns": chooses("face"),
    "swaps": chooses("swap", "move"),
}  # fmt: skip


def tables(player: Player, seed: int, decisions: int, **options: Any) -> Iterator[TableEnv]:
    """Every table that a player reaches against itself, a random action now and then, and the last one."""
    rng = np.random.default_rng(seed)
    env = TableEnv(GAME, play_forced=bool(seed % 2), **options)
    env.reset(seed=seed)
    for _ in range(decisions):
        yield env
        if not any(env._mask):
            env.reset(seed=int(rng.integers(1 << 32)))
            continue
        astray = rng.random() < 0.05
        env.step(PLAYERS["random"](env, rng) if astray else player(env, rng))


@pytest.mark.parametrize("name", PLAYERS)
def test_every_table_that_play_reaches_loads(name):
    """The last ones, too; what was loaded is the table that it was, to the byte."""
    finished = 0
    for seed, (units, field) in enumerate(zip((2, 8, 4), SIZES, strict=False)):
        options = {"units": units, "field": field, "max_turns": 40, "quiet_turns": 6 * (seed % 2)}
        twin = TableEnv(GAME, **options)
        for number, env in enumerate(tables(PLAYERS[name], seed, 220, **options)):
            GAME.check(GAME.record(env.states))
            finished += bool(env.states["finished"][0])
            if number % 9 == 0 or env.states["finished"][0]:
                twin.load(env.position())
                assert twin.states.tobytes() == env.states.tobytes()
                for agent in env.possible_agents:
                    twin.load(env.position(agent))
    if name in ("attacks", "passes and is hurt"):
        assert finished


def edited(position: dict[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """The position with some numbers of its state changed to others that their fields may hold, or exchanged."""
    state = {name: np.array(value) if name != "rng" else value for name, value in position["state"].items()}
    declared = [field for field in FIELDS if field.name in state]
    for _ in range(int(rng.integers(1, 4))):
        field = declared[int(rng.integers(len(declared)))]
        numbers = state[field.name].reshape(-1)
        low, high = field.range
        a, b = rng.integers(len(numbers), size=2)
        if len(numbers) > 1 and rng.random() < 0.5:
            numbers[a], numbers[b] = numbers[b], numbers[a]
        else:
            numbers[a] = rng.integers(low, min(high, low + 40) + 1)
        state[field.name] = numbers.reshape(np.shape(position["state"][field.name]))
    plain = {name: value if name == "rng" else value.tolist() for name, value in state.items()}
    return {**position, "state": plain}


@pytest.mark.parametrize("seed", range(4))
def test_every_table_that_loads_is_played_on_soundly(seed):
    """Positions edited at random, those that are not refused: each table that play reaches from them is sound."""
    loaded, tried = sound(seed, 250)
    assert loaded > tried / 50


def sound(seed: int, edits: int) -> tuple[int, int]:
    """How many of some edited positions were loaded, and how many were tried."""
    rng = np.random.default_rng(seed)
    options = {
        "units": 2 + 2 * (seed % 4),
        "field": SIZES[seed % 4],
        "max_turns": 60,
        "quiet_turns": 5 * (seed % 2),
    }
    players = [PLAYERS[name] for name in PLAYERS if name != "greedy"]
    twin = TableEnv(GAME, **options)
    loaded = tried = 0
    while tried < edits:
        player = players[int(rng.integers(len(players)))]
        for number, env in enumerate(tables(player, int(rng.integers(1 << 32)), 160, **options)):
            if number % 5 or env.states["finished"][0]:
                continue
            tried += 1
            try:
                twin.load(edited(env.position(), rng))
            except BadPosition:
                continue
            loaded += 1
            for _ in range(25):
                if not any(twin._mask):
                    break
                for agent in twin.possible_agents:
                    twin.observe(agent)
                twin.step(players[int(rng.integers(len(players)))](twin, rng))
                GAME.check(GAME.record(twin.states))
    return loaded, tried


def refused(position: dict[str, Any], message: str, **numbers: Any) -> None:
    """A position with these fields of its state changed is refused in these words."""
    twin = TableEnv(GAME, **position["options"])
    twin.load(position)
    with pytest.raises(BadPosition, match=message):
        twin.load({**position, "state": {**position["state"], **numbers}})


def test_what_is_being_decided_can_be_decided():
    """Questions that nobody could answer, or that belong to another power, are refused with the field named."""
    placing = deal(3).play(min(deal(3).choices())).env.position()
    shown = placing["state"]["chosen"]
    hand = [list(row) for row in placing["state"]["hand"]]
    hand[0][shown] += 1
    refused(placing, r"state\.chosen is -1, must be the kind", chosen=NONE, hand=hand)
    block = "Axemen c3, Swordsmen d3, Clubmen c2, Spearmen a1"
    axis = lay(block, "Archers c4, Slingers h6").play("attack with Axemen c3").env.position()
    assert axis["state"]["phase"] == Phase.AXIS
    refused(axis, r"state\.chosen is 3: no target", chosen=3, pending=1 << 3)
    refused(axis, r"state\.pending must hold the attacking unit 0", pending=0)
    drive = lay("Axemen c3", "Archers h6", factions=("Elam", "Egypt"))
    drive.play("use the power of Elam: move an enemy", "move the enemy's Archers h6")
    refused(drive.env.position(), r"state\.uses\[0\] is 3 in phase DRIVE: one is marked", uses=[3, 2])
    turn = lay("Axemen c3", "Archers h6", points=2).env.position()
    refused(turn, r"state\.phase is ENEMY, it belongs to the power MOVE_AN_ENEMY", phase=int(Phase.ENEMY))


def test_sets_of_cells_are_those_of_the_units():
    table = lay("Axemen c3, Clubmen d3", "Archers c4, Slingers h6").play("move Axemen c3 to b4")
    position = table.env.position()
    taken = list(position["state"]["taken"])
    taken[5] ^= 1 << 8
    refused(position, r"state\.taken must be", taken=taken)
    refused(position, r"state\.axis is 1 in phase TURN, must be 0", axis=1)
    refused(position, r"state\.charged is 16, must be from 0 to 15", charged=1 << 4)
    refused(position, r"state\.hurt is 2, must be from 0 to 1", hurt=2)
