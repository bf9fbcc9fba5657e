"""What only a batch has; that its tables are those played alone is part of the conformance suite."""

import copy
import json
import multiprocessing
import os
import pickle

import numpy as np
import pytest
from tiny import GAME

from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.batch import SHOWN, Batch
from agezoo.envs.engine.errors import BadOption, BadPosition, IllegalAction

ALL = (*SHOWN, "seeds", "states")


def test_shapes_and_types():
    batch = Batch(GAME, 5, seed=1)
    n, p = 5, 3
    for name, shape, dtype in (
        ("observation", (n, GAME.num_features), np.float32),
        ("action_mask", (n, GAME.num_actions), np.bool_),
        ("seat", (n,), np.int8),
        ("reward", (n, p), np.float32),
        ("done", (n,), np.bool_),
        ("truncated", (n,), np.bool_),
        ("scores", (n, p), np.float32),
        ("places", (n, p), np.int8),
        ("seeds", (n,), np.uint64),
    ):
        array = getattr(batch, name)
        assert (array.shape, array.dtype) == (shape, dtype), name


def test_arrays_are_never_replaced():
    batch = Batch(GAME, 4, seed=1)
    names = ("observation", "action_mask", "seat", "reward", "done", "truncated", "scores", "places", "seeds")
    before = [getattr(batch, name) for name in names]
    rng = np.zeros(4, np.uint64)
    for _ in range(20):
        batch.step(batch.random_actions(rng))
    batch.reset(7)
    assert all(getattr(batch, name) is array for name, array in zip(names, before, strict=True))


def test_the_same_seed_deals_the_same_tables():
    one, two, other = Batch(GAME, 50, seed=3), Batch(GAME, 50), Batch(GAME, 50, seed=4)
    two.reset(3)
    assert one._states.tobytes() == two._states.tobytes()
    assert one._states.tobytes() != other._states.tobytes()
    assert len(set(one.seeds.tolist())) == 50


def test_a_larger_batch_begins_with_the_same_tables():
    assert Batch(GAME, 9, seed=3)._states.tobytes().startswith(Batch(GAME, 4, seed=3)._states.tobytes())


def test_ended_tables_are_dealt_anew_and_keep_their_result():
    batch = Batch(GAME, 64, seed=1)
    rng = np.arange(64, dtype=np.uint64)
    ended = 0
    while ended < 200:
        seeds = batch.seeds.copy()
        batch.step(batch.random_actions(rng))
        done = batch.done
        ended += done.sum()
        assert (batch.seeds != seeds).tolist() == done.tolist()
        assert (batch._states["decisions"][done] == 0).all()
        assert batch.action_mask.any(axis=1).all()
        assert (batch.places[done].min(axis=1) == 1).all()
        out = batch._states["eliminated"][:, :3] > 0
        assert not batch.reward[~done & ~out.any(axis=1)].any(), "nobody is paid before the end"


def test_seats_are_paid_when_they_are_knocked_out_and_no_second_time():
    batch = Batch(GAME, 256, seed=1)
    rng = np.arange(256, dtype=np.uint64)
    paid = np.zeros((256, 3))
    early = 0
    for _ in range(60):
        out_before = batch._states["eliminated"][:, :3] > 0
        batch.step(batch.random_actions(rng))
        paid += batch.reward
        assert not batch.reward[out_before].any()
        going_on = ~batch.done
        newly = (batch._states["eliminated"][:, :3] > 0) & ~out_before & going_on[:, None]
        early += newly.sum()
        assert (batch.reward[newly] == -0.5).all()
        assert np.allclose(paid[batch.done].sum(axis=1), 0, atol=1e-6)
        paid[batch.done] = 0
    assert early > 20


def test_truncation():
    batch = Batch(GAME, 16, seed=1, max_cycles=2)
    rng = np.zeros(16, np.uint64)
    batch.step(batch.random_actions(rng))
    assert not (batch.done | batch.truncated).any()
    batch.step(batch.random_actions(rng))
    assert batch.truncated.all()
    assert not batch.done.any()
    assert not batch.reward.any()
    assert batch.places.any(axis=1).all()
    assert (batch._states["decisions"] == 0).all()


def test_seat_counts_in_turn():
    batch = Batch(GAME, 7, seed=1, num_players=[2, 3])
    rng = np.zeros(7, np.uint64)
    for _ in range(30):
        assert batch._states["num_players"].tolist() == [2, 3, 2, 3, 2, 3, 2]
        batch.step(batch.random_actions(rng))
    assert batch.reward.shape == (7, 3)


@pytest.mark.parametrize("threads", [1, 3, 50])
def test_threads_play_the_same(threads):
    batch = Batch(GAME, 11, seed=1, threads=threads)
    alone = Batch(GAME, 11, seed=1)
    rng, rng_alone = np.arange(11, dtype=np.uint64), np.arange(11, dtype=np.uint64)
    for step in range(30):
        choose = "greedy_actions" if step % 2 else "random_actions"
        actions = getattr(batch, choose)(rng)
        assert actions.tolist() == getattr(alone, choose)(rng_alone).tolist()
        batch.step(actions)
        alone.step(actions)
    assert batch._states.tobytes() == alone._states.tobytes()
    assert batch.observation.tobytes() == alone.observation.tobytes()


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"num_envs": 0}, "num_envs"),
        ({"num_envs": 2.0}, "num_envs"),
        ({"num_envs": True}, "num_envs"),
        ({"threads": 0}, "threads"),
        ({"threads": "2"}, "threads"),
        ({"seed": -1}, "seed"),
        ({"seed": 1 << 64}, "seed"),
        ({"seed": 1.5}, "seed"),
        ({"num_players": 9}, "num_players"),
        ({"num_players": []}, "num_players"),
        ({"num_players": [2, 9]}, "num_players"),
        ({"reward": "money"}, "reward"),
        ({"max_cycles": 0}, "max_cycles"),
        ({"max_cycles": True}, "max_cycles"),
        ({"coin": 3}, "coin"),
    ],
)
def test_bad_arguments_are_named(wrong, named):
    with pytest.raises(BadOption, match=named):
        Batch(GAME, **{"num_envs": 4, **wrong})


def test_an_illegal_action_names_table_seat_and_what_is_legal():
    batch = Batch(GAME, 4, seed=1)
    actions = batch.action_mask.argmax(axis=1)
    actions[2] = 4
    with pytest.raises(
        IllegalAction, match=r"table 2: player_0 cannot play 4 \(challenge\) now; legal now: 0 \(stay\)"
    ):
        batch.step(actions)
    assert (batch._states["decisions"] == 0).all()


def test_play_forced_can_be_left_to_the_caller():
    asked = {}
    for forced in (True, False):
        batch = Batch(GAME, 64, seed=1, play_forced=forced)
        rng = np.arange(64, dtype=np.uint64)
        least = []
        for _ in range(40):
            least.append(batch.action_mask.sum(axis=1).min())
            batch.step(batch.random_actions(rng))
        asked[forced] = min(least)
    assert asked == {True: 2, False: 1}


def played(batch, steps=25, seed=5):
    """Everything that a batch shows for some steps of random play."""
    rng = np.arange(seed, seed + batch.num_envs, dtype=np.uint64)
    lines = []
    for _ in range(steps):
        batch.step(batch.random_actions(rng))
        lines.append([getattr(batch, name).tobytes() for name in ALL])
    return lines


def test_what_a_game_came_to_is_gone_after_reset():
    batch = Batch(GAME, 32, seed=1, max_cycles=6)
    rng = np.zeros(32, np.uint64)
    while not (batch.done.any() and batch.truncated.any() and batch.scores.all(axis=1).any()):
        batch.step(batch.random_actions(rng))
    for seed in (3, None):
        batch.reset(seed)
        for name in ("reward", "scores", "places", "done", "truncated"):
            assert not getattr(batch, name).any(), name
        while not batch.done.any():
            batch.step(batch.random_actions(rng))


def test_reset_without_a_seed_deals_what_would_have_come_next():
    batch = Batch(GAME, 6, seed=4)
    envs = [TableEnv(GAME) for _ in range(6)]
    for i, env in enumerate(envs):
        env.reset(seed=int(batch.seeds[i]))
    deals = set()
    for _ in range(4):
        deals.add(batch.states.tobytes())
        batch.reset()
        for i, env in enumerate(envs):
            env.reset()
            assert env.states.tobytes() == batch.states[i : i + 1].tobytes()
    assert len(deals) == 4
    batch.reset(4)
    assert batch.states.tobytes() == Batch(GAME, 6, seed=4).states.tobytes()


def test_the_mask_that_is_shown_may_be_overwritten():
    batch = Batch(GAME, 8, seed=1)
    legal = batch.action_mask.copy()
    batch.action_mask[:] = True
    with pytest.raises(IllegalAction):
        batch.step(np.full(8, 4))
    batch.action_mask[:] = False
    rng = np.zeros(8, np.uint64)
    for choose in (batch.random_actions, batch.greedy_actions):
        chosen = choose(rng)
        assert legal[np.arange(8), chosen].all()
    batch.step(legal.argmax(axis=1))
    assert batch.action_mask.any(axis=1).all()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("way", ["clone", "copy", "deepcopy", "pickle"])
def test_copies_have_the_same_future_and_share_nothing(way, threads):
    batch = Batch(GAME, 9, seed=1, num_players=[2, 3], max_cycles=5, at_limit="decide", threads=threads)
    played(batch, 7)
    make = {
        "clone": Batch.clone,
        "copy": copy.copy,
        "deepcopy": copy.deepcopy,
        "pickle": lambda b: pickle.loads(pickle.dumps(b)),
    }[way]
    twin, untouched = make(batch), make(batch)
    for name in ALL:
        assert getattr(twin, name).tobytes() == getattr(batch, name).tobytes(), name
        assert not np.shares_memory(getattr(twin, name), getattr(batch, name)), name
    here = played(batch)
    assert played(twin) == here
    assert played(untouched) == here
    twin.reset()
    batch.reset()
    assert twin.states.tobytes() == batch.states.tobytes()


def in_a_child(batch, answer):
    answer.put(played(batch, 5)[-1])


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_threads_work_in_a_forked_child():
    batch = Batch(GAME, 8, seed=1, threads=2)
    played(batch, 3)
    context = multiprocessing.get_context("fork")
    answer = context.Queue()
    child = context.Process(target=in_a_child, args=(batch, answer), daemon=True)
    child.start()
    try:
        assert answer.get(timeout=60) == played(batch, 5)[-1]
    finally:
        child.kill()
        child.join()


def test_positions_restore_tables():
    batch = Batch(GAME, 6, seed=1, num_players=[2, 3])
    played(batch, 2)
    kept = [json.loads(json.dumps(batch.position(i))) for i in range(6)]
    seeds = batch.seeds.copy()
    here = played(batch)
    other = Batch(GAME, 6, seed=9, num_players=[2, 3])
    other.seeds[:] = seeds
    played(other, 3)
    other.seeds[:] = seeds
    other.load(kept)
    for name in ("reward", "scores", "places", "done", "truncated"):
        assert not getattr(other, name).any(), name
    there = played(other)
    states, observations, masks = -1, 0, 1
    for k in (states, observations, masks):
        assert [line[k] for line in there] == [line[k] for line in here]


def test_some_tables_start_from_positions():
    """The same as an environment that loads them; all other tables are as they were."""
    env = TableEnv(GAME)
    env.reset(seed=3)
    for action in (0, 1, 0):
        env.step(action)
    batch = Batch(GAME, 5, seed=1)
    before = batch.states.copy()
    batch.load(env.position(), where=[3, 1])
    for i in range(5):
        if i in (1, 3):
            seen = env.observe(env.agent_selection)
            assert batch.states[i : i + 1].tobytes() == env.states.tobytes()
            assert batch.observation[i].tobytes() == seen["observation"].tobytes()
            assert batch.action_mask[i].tolist() == seen["action_mask"].astype(bool).tolist()
            assert batch.seat[i] == env.states["seat"][0]
        else:
            assert batch.states[i : i + 1].tobytes() == before[i : i + 1].tobytes()
    batch.load(env.position(), seed=7)
    assert len(set(batch.states["rng"].tolist())) == 5
    assert (batch.states["card"] == env.states["card"]).all()


def test_a_view_of_a_table_hides_what_the_seat_does_not_know():
    batch = Batch(GAME, 3, seed=1)
    view = batch.position(1, "player_0")
    env = TableEnv(GAME)
    env.reset(seed=int(batch.seeds[1]))
    assert view == env.position("player_0")
    assert view["view_of"] == "player_0"


def test_bad_positions_change_nothing():
    env = TableEnv(GAME)
    env.reset(seed=3)
    good = env.position()
    ended = env.clone()
    while not any(ended.terminations.values()):
        ended.step(ended.legal_actions()[0])
    while not ended.states["finished"][0]:
        ended.step(None if ended.terminations[ended.agent_selection] else ended.legal_actions()[0])
    over = ended.position()
    late = {**good, "state": {**good["state"], "decisions": 9}}
    batch = Batch(GAME, 3, seed=1)
    small = Batch(GAME, 3, seed=1, num_players=2)
    for tables, given, error, words in (
        (batch, [good, good, over], BadPosition, "table 2: position: the game is over"),
        (batch, [good, late, good], BadPosition, "table 1: position: the game is over"),
        (batch, [good, {}, good], BadPosition, "table 1: position: agezoo, game"),
        (batch, [good, good], BadOption, "2 given for 3 tables"),
        (small, good, BadPosition, "table 0: position: num_players is 3, this batch has room for 2"),
    ):
        before = tables.states.tobytes(), tables.observation.tobytes()
        with pytest.raises(error, match=words):
            tables.load(given)
        assert (tables.states.tobytes(), tables.observation.tobytes()) == before
    for where, words in (([3], "tables 0 to 2"), ([-1], "tables 0 to 2"), ([1, 1], "named twice")):
        with pytest.raises(BadOption, match=words):
            batch.load(good, where=where)
    for wrong in (3, -1, "0", 1.0):
        with pytest.raises(BadOption, match="tables 0 to 2"):
            batch.position(wrong)
    with pytest.raises(BadOption, match="this table has player_0, player_1, player_2"):
        batch.position(0, "player_3")


@pytest.mark.parametrize(
    "terms", [{}, {"reward": "rank", "play_forced": False, "max_cycles": 3, "at_limit": "decide"}]
)
def test_a_table_is_an_environment_of_its_own(terms):
    """It goes on as the table in the batch does, is paid the same, and leaves that as it was."""
    batch = Batch(GAME, 4, 3, [2, 3], **terms)
    batch.step(batch.random_actions(np.arange(4, dtype=np.uint64)))
    before = batch.states.tobytes()
    envs = [batch.table(i) for i in range(4)]
    assert [len(env.possible_agents) for env in envs] == [2, 3, 2, 3]
    for env in envs:
        assert list(env.record().replay())[-1].states.tobytes() == env.states.tobytes()
        twin = env.clone()
        twin.step(twin.legal_actions()[0])
    assert batch.states.tobytes() == before
    ended = np.zeros(4, bool)
    while not ended.all():
        actions = batch.action_mask.argmax(axis=1)
        batch.step(actions)
        for i in np.flatnonzero(~ended):
            envs[i].step(int(actions[i]))
            paid = [envs[i].rewards.get(agent, 0.0) for agent in envs[i].possible_agents]
            assert batch.reward[i, : len(paid)].tolist() == pytest.approx(paid)
        ended |= batch.done | batch.truncated


@pytest.mark.parametrize("wrong", [-1, 4, 1.5, "0", None])
def test_there_is_no_such_table(wrong):
    with pytest.raises(BadOption, match="this batch has tables 0 to 3"):
        Batch(GAME, 4, 3).table(wrong)
