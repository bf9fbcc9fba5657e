"""What only a batch has; that its tables are those played alone is part of the conformance suite."""

import numpy as np
import pytest
from tiny import GAME

from agezoo.envs.engine.batch import Batch
from agezoo.envs.engine.errors import BadOption, IllegalAction


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
        ({"dice": 3}, "dice"),
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
