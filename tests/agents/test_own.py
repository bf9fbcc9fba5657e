"""Agents of one's own: how little is enough, and what is said when it is not."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from agezoo import agents
from agezoo.agents import BadAgent
from agezoo.agents.arena import round_robin
from agezoo.agents.base import Agent, resolve
from agezoo.agents.own import complete
from agezoo.envs import BadOption, Batch, IllegalAction, find
from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.seat import SeatEnv

from .knockout import GAME


def stay(env, agent):
    return 0


class Last:
    """No name, no base class: only this."""

    def __init__(self):
        self.seen = []

    def act(self, env, agent):
        self.seen.append((env.observe(agent)["observation"].tobytes(), agent, env.agent_selection))
        return env.legal_actions()[-1]


class Slots:
    __slots__ = ()

    def act(self, env, agent):
        return 0


def test_a_function_is_an_agent():
    player = agents.make(stay)
    assert isinstance(player, Agent)
    assert player.name == "stay"
    env = TableEnv(GAME)
    env.reset(seed=1)
    assert player.act(env, "player_0") == player(env, "player_0") == 0
    assert agents.make(lambda env, agent: 1).name == "<lambda>"
    assert agents.make(Slots()).name == "Slots"


def test_an_object_with_act_alone_plays_many_tables():
    own = Last()
    player = agents.make(own)
    assert player.name == "Last"
    batch = Batch(GAME, 7, seed=3)
    before = batch.states.tobytes()
    tables = np.array([6, 0, 4])
    assert player.choose(batch, tables).tolist() == [1, 1, 1]
    assert batch.states.tobytes() == before
    expected = [batch.observation[i].tobytes() for i in tables]
    assert [seen for seen, _, _ in own.seen] == expected
    assert all(agent == selected == f"player_{batch.seat[0]}" for _, agent, selected in own.seen)


def test_what_an_agent_does_to_its_table_changes_no_game():
    def reckless(env, agent):
        env.step(1)
        env.reset(seed=5)
        return 0

    batch = Batch(GAME, 4, seed=3)
    before = batch.states.tobytes()
    agents.make(reckless).choose(batch, np.arange(4))
    assert batch.states.tobytes() == before


def test_a_table_that_an_agent_looks_at_is_played_as_the_batch_is():
    found = []

    def look(env, agent):
        twin = env.clone()
        for _ in range(2):
            twin.step(0)
        found.append((twin.truncations, twin.rewards, len(env.possible_agents)))
        return 0

    for more in ({}, {"at_limit": "decide"}):
        batch = Batch(GAME, 1, seed=3, reward="score", max_cycles=2, **more)
        agents.make(look).choose(batch, np.arange(1))
    (truncations, rewards, seats), (decided, earned, _) = found
    assert any(truncations.values())
    assert seats == 3
    assert not any(rewards.values())
    assert not any(decided.values())
    assert max(earned.values()) == 1  # points: whoever is left has one, ...
    assert min(earned.values()) >= 0  # ... and nobody has less than none


@pytest.mark.parametrize("own", [stay, Last(), Slots()])
def test_it_plays_whole_games_meets_others_and_is_rated(own):
    results = agents.play_games(GAME, [own, "random", agents.make("random", seed=3)], 12, seed=1)
    assert results.games == 12
    assert results.names[1:] == ("random", "random")
    standing = round_robin(GAME, [own, "random"], games=6)
    assert standing.pairings[0].games == 6


def test_the_same_agent_at_several_seats_is_one_agent():
    asked = []

    class Both:
        name = "both"

        def act(self, env, agent):
            raise AssertionError("it has choose")

        def choose(self, batch, tables):
            asked.append(len(tables))
            return batch.action_mask[tables].argmax(1)

    own = Both()
    agents.play_games(GAME, [own, own, own], 5, tables=5)
    assert asked[0] == 5  # one question for all five tables


def test_agents_that_compare_equal_are_still_two():
    class Equal:
        name = "equal"

        def __init__(self, action):
            self.action = action

        def __eq__(self, other):
            return True

        __hash__ = None

        def act(self, env, agent):
            return self.action

        def choose(self, batch, tables):
            return np.full(len(tables), self.action)

    results = agents.play_games(GAME, [Equal(0), Equal(1), Equal(1)], 30, seed=2)
    assert results.win_rate(0) == 1  # whoever leaves has lost


def test_seeds_reach_an_agent_that_takes_them():
    class Lucky:
        def __init__(self):
            self.seeds = []

        def seed(self, seed):
            self.seeds.append(seed)

        def act(self, env, agent):
            return 0

    one, other = Lucky(), Lucky()
    agents.play_games(GAME, [one, other, "random"], 2, seed=7)
    agents.play_games(GAME, [one, other, "random"], 2, seed=8)
    assert len({*one.seeds, *other.seeds}) == 4  # each its own, and others in another match


@pytest.mark.parametrize(
    ("player", "said"),
    [
        (
            3,
            r"3 \(int\) has no act: an agent is a function \(env, agent\) -> action, or an object with such a method",
        ),
        (None, r"None \(NoneType\) has no act"),
        (object(), r"has no act"),
        (Last, r"Last is a class: give an object of it, such as Last\(\)"),
        (lambda env: 0, r"must take \(env, agent\), but too many positional arguments"),
        (lambda env, agent, more: 0, r"must take \(env, agent\), but missing a required argument: 'more'"),
        (type("Odd", (), {"act": 5})(), r"act is no method"),
        (type("Odd", (), {"act": lambda self: 0})(), r"act must take \(env, agent\)"),
        (type("Odd", (), {"act": lambda self, e, a: 0, "choose": 1})(), r"choose is no method"),
        (type("Odd", (), {"choose": lambda self, b, t: 0})(), r"has no act"),
        (type("Odd", (), {"act": lambda self, e, a: 0, "seed": 1})(), r"seed is no method seed\(seed\)"),
    ],
)
def test_what_is_missing_is_said(player, said):
    with pytest.raises(BadAgent, match=said):
        agents.make(player)
    with pytest.raises(BadAgent, match=said):
        agents.play_games(GAME, [player, "random", "random"], 2)
    with pytest.raises(BadAgent, match=said):
        round_robin(GAME, [player, "random"], games=2)


@pytest.mark.parametrize("given", [None, "0", 0.0, [0]])
def test_what_is_no_number_is_no_action(given):
    with pytest.raises(
        BadAgent, match=r"giver gave .* for player_.: act must give the number of a legal action"
    ):
        agents.play_games(GAME, [own_giver(given), "random", "random"], 2)


def own_giver(given):
    def giver(env, agent):
        return given

    return giver


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (lambda tables: np.zeros(len(tables)), "dtype float64"),
        (lambda tables: np.zeros(len(tables) + 1, int), r"shape \(\d,\)"),
        (lambda tables: 0, r"shape \(\)"),
    ],
)
def test_what_is_no_array_of_integers_is_no_choice(given, said):
    player = type(
        "Odd", (), {"name": "odd", "act": stay_method, "choose": lambda self, batch, tables: given(tables)}
    )()
    with pytest.raises(BadAgent, match=f"odd gave actions of .*{said}"):
        agents.play_games(GAME, [player, "random", "random"], 4)


def stay_method(self, env, agent):
    return 0


def test_an_illegal_action_is_laid_at_the_door_of_who_gave_it():
    def wild(env, agent):
        return 9

    with pytest.raises(IllegalAction, match=r"wild: table \d: player_\d cannot play 9"):
        agents.play_games(GAME, ["random", wild, "random"], 4)


def test_agents_sit_as_opponents_of_a_gymnasium_seat():
    for opponent in (agents.make("greedy"), agents.make(Last()), stay):
        env = SeatEnv(GAME, opponents=opponent)
        env.reset(seed=1)
        over = False
        while not over:
            _, _, terminated, truncated, _ = env.step(0)
            over = terminated or truncated


@pytest.mark.parametrize("name", ["random", "greedy", "own"])
def test_who_is_not_to_act_is_not_asked(name):
    player = agents.make(stay if name == "own" else name)
    env = TableEnv(GAME)
    with pytest.raises(BadOption, match=r"nobody is to act here, call reset\(\)"):
        player.act(env, "player_0")
    env.reset(seed=1)
    with pytest.raises(BadOption, match="agent='player_1' is not to act: it is the turn of player_0"):
        player.act(env, "player_1")
    with pytest.raises(BadOption, match="this table has player_0, player_1, player_2"):
        player.act(env, "player_9")
    env.step(1)
    with pytest.raises(BadOption, match="its game is over"):
        player.act(env, "player_0")
    env.step(None)
    with pytest.raises(BadOption, match="its game is over"):
        player.act(env, "player_0")
    assert player.act(env, env.agent_selection) in (0, 1)


# -- by name -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def module(tmp_path, monkeypatch):
    (tmp_path / "mine_to_import.py").write_text(
        "class Careful:\n    def act(self, env, agent):\n        return 0\n"
        "class Needy(Careful):\n    def __init__(self, what):\n        pass\n"
        "def bold(env, agent):\n    return 1\n"
        "class box:\n    careful = Careful()\n"
    )
    (tmp_path / "broken_to_import.py").write_text("import nothing_of_that_name\n")
    monkeypatch.chdir(tmp_path)
    before = sys.path[:]
    yield
    sys.path[:] = before
    for name in ("mine_to_import", "broken_to_import"):
        sys.modules.pop(name, None)


def test_code_is_named_on_the_command_line(module):
    assert resolve("mine_to_import:Careful", allow_code=True).name == "Careful"
    assert resolve("mine_to_import:bold", allow_code=True).name == "bold"
    assert resolve("mine_to_import:box.careful", allow_code=True).name == "Careful"


def test_code_is_named_nowhere_else(module):
    from agezoo.agents import config
    from agezoo.agents.training import opponents_of

    for spec in ("mine_to_import:bold", "os:getcwd"):
        with pytest.raises(BadAgent, match=r"is code, which is imported from the command line alone"):
            agents.make(spec)
        with pytest.raises(BadAgent, match="is code"):
            agents.play_games(GAME, [spec, "random", "random"], 2)
        with pytest.raises(BadAgent, match="is code"):
            round_robin(GAME, [spec, "random"])
        goals = [{"opponent": spec, "win_rate": 0.5}]
        with pytest.raises(config.BadConfig, match=r"goals: .*is code"):
            opponents_of(config.build({"game": "knockout", "goals": goals}))
    assert "mine_to_import" not in sys.modules


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nowhere_at_all:x", "nowhere_at_all cannot be imported"),
        ("broken_to_import:x", "broken_to_import cannot be imported .*nothing_of_that_name"),
        ("mine_to_import:nobody", "mine_to_import has no nobody"),
        ("mine_to_import:Needy", "cannot be made without arguments"),
        ("mine_to_import:box", "has no act"),
        (
            "gredy",
            r"there is no agent 'gredy' \(did you mean greedy\?\): choose greedy, montecarlo, random, a run folder",
        ),
        ("c:/runs/x", "there is no agent"),
        ("x\0y", "there is no agent"),
        ("x" * 5000, "there is no agent"),
        ("", "there is no agent|neither final.zip"),
    ],
)
def test_bad_names_are_said(module, text, said):
    with pytest.raises(BadAgent, match=said):
        resolve(text, allow_code=True)


def test_a_whole_agent_is_handed_back_as_it_is():
    player = agents.make("random")
    assert complete(player) is player


def test_random_numbers_of_two_agents_and_of_two_tables_differ():
    game = find("age_de_bronze")
    batch = Batch(game, 40, seed=1, num_players=4)
    first, second = agents.make("random", seed=1), agents.make("random", seed=2)
    tables = np.arange(40)
    drawn = [first.choose(batch, tables), first.choose(batch, tables), second.choose(batch, tables)]
    assert all((a != b).any() for a, b in [(drawn[0], drawn[1]), (drawn[0], drawn[2])])
    again = agents.make("random", seed=1)
    assert (again.choose(batch, tables) == drawn[0]).all()
    env = TableEnv(GAME)
    env.reset(seed=1)
    moves = [agents.make("random", seed=seed).act(env, "player_0") for seed in range(40)]
    assert set(moves) == {0, 1}
    single = agents.make("random", seed=1)
    assert {single.act(env, "player_0") for _ in range(40)} == {0, 1}
