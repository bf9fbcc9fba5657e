"""Copies of an environment share nothing that changes: what is done to one, in any thread, the other never notices."""

import copy
import dataclasses
import pickle
from concurrent.futures import ThreadPoolExecutor

import gymnasium
import numpy as np
import pytest
import tiny
from tiny import GAME, A

from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.compile import kernel
from agezoo.envs.engine.game import Game

WAYS = {
    "clone": lambda env, seed: env.clone(),
    "copy": lambda env, seed: copy.copy(env),
    "deepcopy": lambda env, seed: copy.deepcopy(env),
    "pickle": lambda env, seed: pickle.loads(pickle.dumps(env)),
    "world": lambda env, seed: env.world(env.agent_selection, seed),
}
EXACT = [way for way in WAYS if way != "world"]


@kernel
def slow_scores(s, out):
    """The points, after a while: the end of a game takes long enough for other threads to come in between."""
    kept = 0
    for k in range(20_000):
        kept = (kept * 5 + k) % 1_000_003
    tiny.scores(s, out)
    if kept < 0:
        out[:] = 0


SLOW = dataclasses.replace(GAME, name="tiny_and_slow", scores=slow_scores)


def table(game=GAME, seed=1, **options):
    env = TableEnv(game, **options)
    env.reset(seed=seed)
    return env


def played_on(env, seed):
    """How a game goes on: every decision, and what is paid in the end."""
    rng = np.random.default_rng(seed)
    said = []
    while env.agents:
        if env.terminations[env.agent_selection] or env.truncations[env.agent_selection]:
            said.append((env.agent_selection, *env.last()[1:4], env.infos[env.agent_selection]))
            env.step(None)
        else:
            action = int(rng.choice(env.legal_actions()))
            said.append((env.agent_selection, action, env.last()[0]["observation"].tobytes()))
            env.step(action)
    return said


@pytest.mark.parametrize("way", WAYS)
def test_copies_in_threads_play_as_they_do_alone(way):
    root = table(SLOW)
    games = 120
    alone = [played_on(WAYS[way](root, seed), seed) for seed in range(games)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda seed: played_on(WAYS[way](root, seed), seed), range(games)))
    wrong = [seed for seed in range(games) if together[seed] != alone[seed]]
    assert wrong == []


def things(value, path="env", found=None):
    """Everything that can change and that hangs on `value`: the way to it, by its id."""
    found = {} if found is None else found
    if id(value) in found or isinstance(value, (Game, str, bytes, frozenset)) or callable(value):
        return found
    changing = isinstance(value, (dict, list, set, np.ndarray, np.random.Generator, gymnasium.Space))
    if changing or hasattr(value, "__dict__"):
        found[id(value)] = path, value
    if isinstance(value, dict):
        parts = value.items()
    elif isinstance(value, (list, tuple)):
        parts = enumerate(value)
    else:
        parts = getattr(value, "__dict__", {}).items()
    for name, part in parts:
        things(part, f"{path}.{name}", found)
    return found


#: What copies share because nothing ever writes into it.
FIXED = ("env._stepper", "env._prototype", "env._seat_of", "env.possible_agents", "env._look", "env._origin")


@pytest.mark.parametrize("way", WAYS)
def test_copies_share_nothing_that_changes(way):
    env = table()
    env.step(A.stay)
    for agent in env.possible_agents:
        env.action_space(agent).sample()
        env.observation_space(agent).sample()
    env.state_space.sample()
    assert env.metadata["name"] == "tiny_v0"
    twin = WAYS[way](env, 3)
    for space in (env.action_space, env.observation_space):
        assert space("player_0") is not twin.action_space("player_0")
    mine, yours = things(env), things(twin)
    shared = {mine[k][0] for k in mine.keys() & yours.keys()}
    assert {path for path in shared if not path.startswith(FIXED)} == set()
    arrays = [
        [a for _, a in found.values() if isinstance(a, np.ndarray) and a.size] for found in (mine, yours)
    ]
    fixed = {id(a) for path, a in mine.values() if path.startswith(FIXED)}
    assert not any(np.shares_memory(a, b) for a in arrays[0] for b in arrays[1] if id(a) not in fixed)


@pytest.mark.parametrize("way", WAYS)
def test_what_is_shared_is_not_written_to(way):
    env = table()
    twin = WAYS[way](env, 3)
    fixed = [env._stepper, env._prototype, env._seat_of, env.possible_agents, env._origin]
    before = pickle.dumps([getattr(part, "__dict__", part) for part in fixed if part is not env._stepper])
    terms = [a.tobytes() for a in vars(env._stepper).values() if isinstance(a, np.ndarray)]
    for seed in range(5):
        played_on(twin, seed)
        twin.reset(seed=seed)
        twin.load(twin.position())
    assert (
        pickle.dumps([getattr(part, "__dict__", part) for part in fixed if part is not env._stepper])
        == before
    )
    assert [a.tobytes() for a in vars(env._stepper).values() if isinstance(a, np.ndarray)] == terms


@pytest.mark.parametrize("way", WAYS)
def test_what_is_done_to_a_copy_is_not_seen_elsewhere(way):
    env = table(max_cycles=2)
    env.step(A.stay)
    env.step(A.stay)
    twin = WAYS[way](env, 1)
    twin.infos["player_0"]["score"] = 1000
    twin.rewards["player_0"] = 1000
    twin.terminations["player_0"] = True
    twin.truncations["player_1"] = False
    twin.agents.remove("player_2")
    twin.metadata["render_modes"].append("3d")
    assert env.infos["player_0"]["score"] != 1000
    assert env.rewards["player_0"] == 0
    assert (env.terminations["player_0"], env.truncations["player_1"]) == (False, True)
    assert env.agents == env.possible_agents
    assert "3d" not in env.metadata["render_modes"]


@pytest.mark.parametrize("way", WAYS)
def test_spaces_of_a_copy_draw_as_those_of_its_origin_would_and_on_their_own(way):
    env = table()
    env.action_space("player_0").seed(5)
    twin = WAYS[way](env, 1)
    drawn = [int(env.action_space("player_0").sample()) for _ in range(20)]
    assert [int(twin.action_space("player_0").sample()) for _ in range(20)] == drawn


class Watched(TableEnv):
    """A subclass with something of its own."""

    def __init__(self, game, **options):
        self.early = ["before"]
        super().__init__(game, **options)
        self.notes = []


@pytest.mark.parametrize("way", WAYS)
def test_a_copy_of_a_subclass_is_of_the_subclass(way):
    env = table()
    watched = Watched(GAME)
    watched.reset(seed=1)
    watched.notes.append("dealt")
    twin = WAYS[way](watched, 1)
    assert type(twin) is Watched
    assert twin.notes == ["dealt"]
    assert twin.early == ["before"]
    apart = way in ("deepcopy", "pickle")
    assert (twin.notes is not watched.notes) == apart
    assert (twin.early is not watched.early) == apart
    assert played_on(WAYS[way](watched, 1), 4) == played_on(WAYS[way](env, 1), 4)


@pytest.mark.parametrize("way", EXACT)
def test_nothing_is_copied_as_itself(way):
    """Before the first deal, too: libraries copy environments that they have just made."""
    twin = WAYS[way](TableEnv(GAME), 1) if way != "clone" else copy.copy(TableEnv(GAME))
    twin.reset(seed=1)
    assert twin._states.tobytes() == table()._states.tobytes()
