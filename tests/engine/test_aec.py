"""The AEC environment where the suite does not look: dead steps, illegal="lose", seeds, words, errors."""

import copy
import dataclasses
import json
import pickle
from functools import partial

import gymnasium
import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test
from tiny import GAME, A

import agezoo.envs
from agezoo.envs.engine import position
from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.batch import Batch
from agezoo.envs.engine.compile import kernel
from agezoo.envs.engine.errors import AgezooError, BadOption, IllegalAction
from agezoo.envs.engine.seat import SeatEnv


@kernel
def after_two_decisions(s):
    return s.decisions >= 2


def table(seed=1, **options):
    env = TableEnv(GAME, **options)
    env.reset(seed=seed)
    return env


def until_somebody_is_out(**options):
    """A table at which seat 0 has just challenged and one of three was knocked out, the others playing on."""
    for seed in range(100):
        env = table(seed, num_players=3, **options)
        for _ in range(3):
            env.step(A.stay)
        env.step(A.challenge)
        if not env._states["finished"][0] and any(env.terminations.values()):
            return env
    raise AssertionError("no seed knocks a seat out")


def test_a_seat_that_is_knocked_out_leaves_first_with_its_loss():
    env = until_somebody_is_out()
    out = [a for a, t in env.terminations.items() if t]
    assert len(out) == 1
    assert env.agent_selection == out[0]
    assert env.rewards == {a: -0.5 if a in out else 0 for a in env.agents}
    _, reward, terminated, truncated, info = env.last()
    assert (reward, terminated, truncated) == (-0.5, True, False)
    assert info == {"score": 0.0, "place": 3}
    assert not env.observe(out[0])["action_mask"].any()
    waiting = next(a for a in env.agents if a not in out and a != env.possible_agents[env._states["seat"][0]])
    assert env.observe(waiting)["action_mask"].all()
    assert env.legal_actions() == []
    with pytest.raises(IllegalAction, match="its game is over"):
        env.step(0)
    env.step(None)
    assert out[0] not in env.agents
    assert len(env.agents) == 2
    assert env.agent_selection == env.possible_agents[env._states["seat"][0]]
    assert env.infos == {a: {} for a in env.agents}
    assert not env.observe(out[0])["action_mask"].any(), "it may still watch, and do nothing"


def test_after_an_elimination_the_rest_play_on_to_the_end():
    env = until_somebody_is_out()
    gone = env.agent_selection
    env.step(None)
    env.step(A.do_pass)
    while not any(env.terminations.values()):
        env.step(A.do_pass)
    assert all(env.terminations.values())
    assert gone not in env.rewards
    assert sum(env.rewards.values()) == pytest.approx(0.5)
    places = env.places()
    assert places.pop(gone) == 3
    assert min(places.values()) == 1
    order = []
    while env.agents:
        order.append(env.agent_selection)
        env.step(None)
    assert order == [a for a in env.possible_agents if a != gone]


def test_a_seat_knocked_out_by_the_last_decision_before_truncation_is_terminated_and_paid():
    env = until_somebody_is_out(max_cycles=4)
    assert sum(env.terminations.values()) == 1
    assert [env.truncations[a] for a in env.agents] == [not env.terminations[a] for a in env.agents]
    assert sorted(env.rewards.values()) == [-0.5, 0, 0]
    batch = Batch(GAME, 1, max_cycles=4)
    batch._states[:] = table(env._seed, num_players=3)._states
    batch.refresh()
    for action in (A.stay, A.stay, A.stay, A.challenge):
        batch.step(np.array([action]))
    assert batch.truncated[0]
    assert sorted(batch.reward[0].tolist()) == [-0.5, 0, 0]


def test_truncation_leaves_every_agent_its_standing():
    env = table(max_cycles=2)
    env.step(A.stay)
    assert not any(env.truncations.values())
    env.step(A.swap)
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
    assert env.rewards == dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.possible_agents:
        assert env.infos[agent] == {"score": env.scores()[agent], "place": env.places()[agent]}
        assert not env.observe(agent)["action_mask"].any()
    for _ in range(3):
        env.step(None)
    assert env.agents == []
    with pytest.raises(AgezooError, match="reset"):
        env.step(None)


def test_illegal_lose_ends_the_game():
    env = table(illegal="lose")
    env.step(A.stay)
    env.step(A.challenge)
    assert env.rewards == {"player_0": 0.0, "player_1": -1.0, "player_2": 0.0}
    assert all(env.terminations.values())
    assert [env.infos[a]["illegal"] for a in env.possible_agents] == [False, True, False]
    collected = {}
    while env.agents:
        collected[env.agent_selection] = env.last()[1]
        env.step(None)
    assert collected == {"player_0": 0.0, "player_1": -1.0, "player_2": 0.0}
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert twin.agents == []
        assert twin.legal_actions() == []


def test_illegal_raise_says_who_what_and_what_would_be_legal():
    env = table()
    with pytest.raises(
        IllegalAction, match=r"player_0 cannot play 4 \(challenge\) now; legal now: 0 \(stay\), 1 \(swap\)"
    ):
        env.step(4)
    with pytest.raises(IllegalAction, match="actions run from 0 to 4"):
        env.step(5)
    with pytest.raises(IllegalAction, match="an action is a whole number"):
        env.step("stay")
    with pytest.raises(IllegalAction, match="an action is a whole number"):
        env.step(True)


def test_reset_without_a_seed_goes_on_as_a_batch_does():
    batch = Batch(GAME, 1, seed=9)
    env = table(int(batch.seeds[0]))
    rng = np.zeros(1, np.uint64)
    for _ in range(5):
        while not batch.done[0]:
            batch.step(batch.random_actions(rng))
        env.reset()
        assert env._states.tobytes() == batch._states.tobytes()
        batch.done[0] = False


def test_reset_without_any_seed_is_random():
    deals = set()
    for _ in range(6):
        env = TableEnv(GAME)
        env.reset()
        deals.add(env._seed)
    assert len(deals) == 6


@pytest.mark.parametrize("seed", [-1, 1 << 64, 1.5, "1", [1]])
def test_bad_seeds_are_refused_and_change_nothing(seed):
    env = table()
    before = env._states.tobytes()
    with pytest.raises(BadOption, match="seed="):
        env.reset(seed=seed)
    assert env._states.tobytes() == before


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"render_mode": "3d"}, "render_mode"),
        ({"illegal": "ignore"}, "illegal"),
        ({"reward": "money"}, "reward"),
        ({"max_cycles": 0}, "max_cycles"),
        ({"max_cycles": 1.5}, "max_cycles"),
        ({"num_players": 7}, "num_players"),
        ({"coin": 2}, "coin"),
        ({"observation": "image"}, "observation"),
    ],
)
def test_bad_arguments_are_named(wrong, named):
    with pytest.raises(BadOption, match=named) as error:
        TableEnv(GAME, **wrong)
    assert not isinstance(error.value, TypeError)


@pytest.mark.parametrize(
    "make",
    [
        partial(TableEnv, GAME),
        partial(Batch, GAME, 2),
        partial(SeatEnv, GAME),
        partial(agezoo.envs.make, "bronze"),
        partial(agezoo.envs.make_batch, "bronze", 2),
        partial(gymnasium.make, "agezoo/Bronze-v0"),
        partial(pettingzoo.make, "aec", "agezoo/bronze-v0"),
        agezoo.envs.bronze_v0.env,
    ],
)
def test_an_unknown_keyword_is_what_it_is_for_any_python_function(make):
    with pytest.raises(TypeError, match="got an unexpected keyword argument 'frameskip'"):
        make(frameskip=1)
    with pytest.raises(AgezooError, match="has these options"):
        make(frameskip=1)


@pytest.mark.parametrize("agent", ["player_3", 0, None, ["player_0"]])
def test_unknown_agents_are_named(agent):
    env = table()
    for ask in (env.observe, env.observation_space, env.action_space, env.table_text, env.position):
        if agent is None and ask in (env.table_text, env.position):
            continue
        with pytest.raises(BadOption, match="this table has player_0, player_1, player_2"):
            ask(agent)


BEFORE = {
    "step": (0,), "last": (), "agent_iter": (), "observe": ("player_0",), "state": (), "render": (), "clone": (),
    "scores": (), "places": (), "legal_actions": (), "action_text": (0,), "told_text": (0, "player_1"),
    "parse_action": ("stay",), "random_action": (1,), "greedy_action": (1,), "montecarlo_action": (1, 9, 2),
    "table_text": (), "position": (),
    "world": ("player_0", 1), "record": (),
}  # fmt: skip


@pytest.mark.parametrize("name", BEFORE)
def test_before_reset_every_method_says_so(name):
    env = TableEnv(GAME, render_mode="ansi")
    with pytest.raises(AgezooError, match=r"call reset\(\) first"):
        getattr(env, name)(*BEFORE[name])
    env.reset(seed=1)
    getattr(env, name)(*BEFORE[name])


def test_no_method_is_forgotten():
    """Every public method needs a table, but for those that make one and those that tell of the environment alone."""
    public = {name for name, value in vars(TableEnv).items() if callable(value) and name[0] != "_"}
    assert public - set(BEFORE) == {"reset", "load", "close", "observation_space", "action_space", "seat_of"}


def test_words_and_numbers_of_actions():
    env = table()
    assert env.parse_action(" SWAP ") == env.parse_action("1") == A.swap
    for wrong in ("challenge", "4", "5", "", "stay swap"):
        with pytest.raises(IllegalAction, match="cannot play"):
            env.parse_action(wrong)
    for wrong in (-1, 5, 1.0, "1", None, True, [1], np.array([1, 2])):
        for ask in (env.action_text, lambda action: env.told_text(action, "player_1")):
            with pytest.raises(IllegalAction, match="whole numbers from 0 to 4"):
                ask(wrong)
    assert env.action_text(np.int8(1)) == env.told_text(np.uint64(1), "player_1") == "swap"


def test_after_the_end_nobody_chooses():
    env = table(max_cycles=1)
    env.step(A.stay)
    for left in (3, 2, 1, 0):
        assert len(env.agents) == left
        hint = r"step\(None\) removes it" if left else r"call reset\(\)"
        for choose in (env.random_action, env.greedy_action, lambda seed: env.montecarlo_action(seed, 9, 2)):
            with pytest.raises(AgezooError, match=hint):
                choose(1)
        if left:
            env.step(None)


def test_who_breaks_the_rules_is_last_with_its_score_as_it_stood():
    """Whatever its place was; the others stand among themselves, those who are out behind them all."""
    offenders = set()
    for seed in range(20):
        env = table(seed, illegal="lose")
        for _ in range(seed % 3):
            env.step(A.stay)
        offender, scores, places = env.agent_selection, env.scores(), env.places()
        env.step(A.challenge)
        offenders.add((offender, places[offender]))
        others = sorted((a for a in env.agents if a != offender), key=places.__getitem__)
        wanted = {**{a: k for k, a in enumerate(others, 1)}, offender: 3}
        assert {a: env.infos[a]["place"] for a in env.agents} == wanted == env.places()
        assert {a: env.infos[a]["score"] for a in env.agents} == scores == env.scores()
    assert {place for _, place in offenders} == {1, 2, 3}
    env = until_somebody_is_out(illegal="lose")
    gone = env.agent_selection
    env.step(None)
    offender = env.agent_selection
    env.step(A.stay)
    assert env.places()[gone] == 3
    assert env.places()[offender] == 2
    assert sorted(env.places().values()) == [1, 2, 3]


def test_flat_observations_leave_the_masks_in_infos():
    flat, whole = (TableEnv(GAME, 3, observation=kind, max_cycles=6) for kind in ("flat", "dict"))
    for agent in flat.possible_agents:
        assert flat.observation_space(agent) == GAME.observation_space()
    for seed in range(30):
        for env in (flat, whole):
            env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        while whole.agents:
            assert flat.agents == whole.agents
            assert flat.agent_selection == whole.agent_selection
            for agent in whole.agents:
                seen, info = whole.observe(agent), dict(flat.infos[agent])
                mask = info.pop("action_mask")
                assert np.array_equal(flat.observe(agent), seen["observation"])
                assert mask.dtype == np.int8
                assert np.array_equal(mask, seen["action_mask"])
                assert info == whole.infos[agent]
            for twin in (flat.clone(), pickle.loads(pickle.dumps(flat))):
                agent = twin.agent_selection
                assert np.array_equal(twin.last()[4]["action_mask"], whole.observe(agent)["action_mask"])
            over = whole.terminations[whole.agent_selection] or whole.truncations[whole.agent_selection]
            action = None if over else int(rng.choice(whole.legal_actions()))
            flat.step(action)
            whole.step(action)
    api_test(TableEnv(GAME, 3, observation="flat"), num_cycles=200)


def test_a_world_keeps_nothing_of_the_table_it_was_made_of():
    """Its seed, its past, its count of decisions: two tables that an agent cannot tell apart give the same worlds."""
    one = table(1)
    one.step(A.stay)
    other = TableEnv(GAME)
    for seed in range(2, 400):
        other.reset(seed=seed)
        other.step(A.swap)
        if (
            other.observe("player_1")["observation"].tobytes()
            == one.observe("player_1")["observation"].tobytes()
        ):
            break
    other._states["decisions"] = 2  # as if a decision had been asked for that player_1 heard nothing of
    assert other.states.tobytes() != one.states.tobytes()
    assert json.dumps(one.position("player_1")) == json.dumps(other.position("player_1"))
    for seed in range(5):
        worlds = [env.world("player_1", seed) for env in (one, other)]
        assert worlds[0].states.tobytes() == worlds[1].states.tobytes()
        assert worlds[0].moves == worlds[1].moves == []
        assert worlds[0].record().start == worlds[1].record().start
        for world in worlds:
            world.reset()
        assert worlds[0].states.tobytes() == worlds[1].states.tobytes()


def test_a_world_ends_at_the_limit_where_its_table_does():
    env = table(max_cycles=3)
    env.step(A.stay)
    world = env.world("player_1", 1).world("player_2", 2)
    world.step(A.stay)
    assert not any(world.truncations.values())
    again = pickle.loads(pickle.dumps(world))
    world.step(A.stay)
    assert all(world.truncations.values())
    again.step(A.stay)
    assert all(again.truncations.values())
    assert world.record().end.startswith("truncated")


def test_a_view_of_a_game_that_is_over_leaves_nothing_to_do():
    env = table(max_cycles=1)
    assert [a["action"] for a in env.position("player_0")["legal_actions"]] == [A.stay, A.swap]
    assert env.position("player_1")["legal_actions"] == []
    env.step(A.stay)
    assert [env.position(a)["legal_actions"] for a in env.possible_agents] == [[], [], []]


def test_public_names_of_what_stands_inside():
    env = table()
    env.step(A.swap)
    env.step(A.stay)
    assert env.states.dtype == GAME.state
    assert env.moves == [(0, A.swap), (1, A.stay)]
    assert [env.seat_of(agent) for agent in env.possible_agents] == [0, 1, 2]
    with pytest.raises(BadOption, match="this table has"):
        env.seat_of("player_7")


def test_spaces_are_the_same_object_at_every_call_and_one_for_each_agent():
    env = table()
    for space in (env.observation_space, env.action_space):
        assert space("player_0") is space("player_0")
        assert space("player_0") is not space("player_1")


def test_observations_belong_to_the_caller():
    env = table()
    env.observe("player_0")["observation"][:] = 7
    env.observe("player_0")["action_mask"][:] = 0
    assert env.observe("player_0")["observation"].max() <= 1
    assert env.legal_actions() == [A.stay, A.swap]


def test_clones_are_told_apart_from_their_origin_at_the_end():
    """The lists that clones share at first are copied before they change."""
    env = table(max_cycles=1)
    env.step(A.stay)
    twin = env.clone()
    while twin.agents:
        twin.step(None)
    assert len(env.agents) == len(env.rewards) == len(env.terminations) == 3


def test_a_truncated_table_stays_truncated_in_copies():
    env = table(max_cycles=2)
    env.step(A.stay)
    env.step(A.stay)
    for twin in (env.clone(), copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert all(twin.truncations.values())
        assert twin.legal_actions() == []
        assert twin.record().end == env.record().end
        assert twin.record().end.startswith("truncated")


def test_a_position_that_is_over_loads_as_over():
    env = table()
    while not any(env.terminations.values()):
        env.step(env.legal_actions()[0])
    twin = TableEnv(GAME)
    twin.load(env.position())
    assert all(twin.terminations.values())
    assert twin.rewards == pytest.approx(env.rewards)
    assert twin.places() == env.places()
    assert position.digest(twin._states) == position.digest(env._states)


def test_random_and_greedy_actions_come_from_their_seed():
    env = table()
    for choose in (env.random_action, env.greedy_action):
        chosen = [choose(seed) for seed in range(40)]
        assert chosen == [choose(seed) for seed in range(40)]
        assert set(chosen) <= set(env.legal_actions())
    assert {env.random_action(seed) for seed in range(40)} == {A.stay, A.swap}


def test_a_table_with_a_long_past_is_pickled():
    env = table()
    for _ in range(5000):
        env._moves = (env._moves, 0, A.stay)
    assert position._in_order(pickle.loads(pickle.dumps(env))._moves) == [(0, A.stay)] * 5000


def test_a_rulebook_may_cut_a_table_off_before_the_limit_of_decisions():
    game = dataclasses.replace(GAME, name="tiny_and_short", cut=after_two_decisions)
    env = TableEnv(game, num_players=3)
    env.reset(seed=1)
    env.step(A.stay)
    assert not any(env.truncations.values())
    env.step(A.stay)
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
    assert all(set(env.infos[agent]) == {"score", "place"} for agent in env.agents)
    loaded = TableEnv(game, num_players=3)
    loaded.load(env.position())
    assert all(loaded.truncations.values())
    batch = Batch(game, 2, seed=1, num_players=3)
    batch.step(np.array([A.stay, A.stay]))
    assert not batch.truncated.any()
    batch.step(np.array([A.stay, A.stay]))
    assert batch.truncated.all()
