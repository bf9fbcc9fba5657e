"""A game at its limit is truncated, or decided as it stands: at every kind of limit, in every kind of environment."""

import copy
import dataclasses
import pickle

import gymnasium
import numpy as np
import pettingzoo
import pytest
import tiny
from tiny import GAME, A

import agezoo.envs
from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.batch import Batch
from agezoo.envs.engine.compile import kernel
from agezoo.envs.engine.errors import BadOption, BadPosition
from agezoo.envs.engine.position import GameRecord
from agezoo.envs.engine.seat import SeatEnv


@kernel
def after_two_decisions(s):
    return s.phase == tiny.ACT or s.seat >= 2


#: Games and arguments with which a table is at its limit after two decisions.
LIMITS = {
    "max_cycles": (GAME, {"max_cycles": 2}),
    "max_decisions": (dataclasses.replace(GAME, name="tiny_to_two", max_decisions=2), {}),
    "cut": (dataclasses.replace(GAME, name="tiny_cut_off", cut=after_two_decisions), {}),
}


def table(limit, **options):
    game, more = LIMITS[limit]
    env = TableEnv(game, num_players=3, **more, **options)
    env.reset(seed=1)
    return env


def standing_pays(env):
    """Rewards that a sole first or several get, from the places alone."""
    places = env.places()
    first = [a for a, place in places.items() if place == 1]
    each = {1: 1.0, 2: 0.25, 3: 0.0}[len(first)]
    return {a: each if a in first else -0.5 for a in places}


@pytest.mark.parametrize("limit", LIMITS)
def test_truncated_nobody_is_paid(limit):
    env = table(limit)
    env.step(A.stay)
    assert not any(env.truncations.values())
    env.step(A.stay)
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
    assert set(env.rewards.values()) == {0.0}
    assert env.record().end.startswith("truncated; first ")


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("reward", ["win", "rank", "score"])
def test_decided_the_standing_counts(limit, reward):
    env = table(limit, at_limit="decide", reward=reward)
    env.step(A.stay)
    assert not any(env.terminations.values())
    env.step(A.stay)
    assert all(env.terminations.values())
    assert not any(env.truncations.values())
    assert not env._states["finished"][0]
    assert env.legal_actions() == []
    scores, places = env.scores(), env.places()
    assert len(set(places.values())) == 3
    wanted = {
        "win": standing_pays(env),
        "rank": {a: {1: 1.0, 2: 0.0, 3: -1.0}[place] for a, place in places.items()},
        "score": scores,
    }[reward]
    assert env.rewards == wanted
    assert env.infos == {a: {"score": scores[a], "place": places[a]} for a in env.agents}
    for agent in env.possible_agents:
        assert not env.observe(agent)["action_mask"].any()
    collected = {}
    while env.agents:
        collected[env.agent_selection] = env.last()[1]
        env.step(None)
    assert collected == wanted


@pytest.mark.parametrize("limit", LIMITS)
def test_a_batch_is_decided_in_the_same_way(limit):
    game, more = LIMITS[limit]
    batch = Batch(game, 8, seed=1, num_players=3, at_limit="decide", **more)
    seeds = batch.seeds.copy()
    stay = np.full(8, A.stay)
    batch.step(stay)
    assert not batch.done.any()
    assert not batch.at_limit.any()
    batch.step(stay)
    assert batch.done.all()
    assert not batch.truncated.any()
    assert batch.at_limit.all()
    assert (batch._states["decisions"] == 0).all()
    for i in range(8):
        env = TableEnv(game, num_players=3, at_limit="decide", **more)
        env.reset(seed=int(seeds[i]))
        env.step(A.stay)
        env.step(A.stay)
        assert batch.reward[i].tolist() == list(env.rewards.values())
        assert batch.scores[i].tolist() == list(env.scores().values())
        assert batch.places[i].tolist() == list(env.places().values())


@pytest.mark.parametrize("name", agezoo.envs.names())
def test_batch_and_one_table_agree_byte_for_byte_at_the_limit(name):
    """Every rulebook, random play, so short a limit that most games are decided by it."""
    game = agezoo.envs.find(name)
    options = {"max_cycles": 9, "at_limit": "decide", "reward": "rank"}
    batch = Batch(game, 4, seed=3, **options)
    envs = [TableEnv(game, **options) for _ in range(4)]
    for i, env in enumerate(envs):
        env.reset(seed=int(batch.seeds[i]))
    rng = np.arange(4, dtype=np.uint64)
    decided = 0
    for _ in range(30):
        actions = batch.random_actions(rng)
        batch.step(actions)
        for i, env in enumerate(envs):
            env.step(int(actions[i]))
            paid = [env.rewards.get(agent, 0.0) for agent in env.possible_agents]
            assert batch.reward[i].tolist() == np.array(paid, np.float32).tolist()
            over = all(env.terminations.values())
            assert batch.done[i] == over
            if over:
                decided += not env._states["finished"][0]
                env.reset()
            assert batch._states[i : i + 1].tobytes() == env._states.tobytes()
            seen = env.observe(env.agent_selection)
            assert batch.observation[i].tobytes() == seen["observation"].tobytes()
            assert batch.action_mask[i].tolist() == (seen["action_mask"] == 1).tolist()
        assert not batch.truncated.any()
    assert decided >= 8


def test_decided_seats_that_were_out_keep_what_they_got():
    """A knocked out seat was paid before: it is not paid again at the limit."""
    for seed in range(200):
        env = TableEnv(GAME, 3, max_cycles=5, at_limit="decide")
        env.reset(seed=seed)
        paid = dict.fromkeys(env.possible_agents, 0.0)
        for action in (A.stay, A.stay, A.stay, A.challenge):
            env.step(action)
        out = [a for a, t in env.terminations.items() if t]
        if len(out) != 1 or len(env.agents) != 3:
            continue
        paid[out[0]] += env.last()[1]
        env.step(None)
        env.step(A.do_pass)
        if env._states["finished"][0]:
            continue
        assert all(env.terminations.values())
        assert sum(env.rewards.values()) + paid[out[0]] == pytest.approx(0)
        assert env.places()[out[0]] == 3
        return
    raise AssertionError("no such game was met")


@pytest.mark.parametrize("at_limit", ["truncate", "decide"])
@pytest.mark.parametrize("limit", LIMITS)
def test_copies_records_and_loaded_tables_keep_it(limit, at_limit):
    env = table(limit, at_limit=at_limit)
    env.step(A.stay)
    for twin in (env.clone(), copy.deepcopy(env), pickle.loads(pickle.dumps(env)), env.world("player_1", 1)):
        twin.step(A.stay)
        assert all(twin.terminations.values()) == (at_limit == "decide")
        assert all(twin.truncations.values()) == (at_limit == "truncate")
    loaded = table(limit, at_limit=at_limit)
    loaded.load(env.position())
    loaded.step(A.stay)
    env.step(A.stay)
    for other in (loaded, env.clone(), pickle.loads(pickle.dumps(env))):
        assert (other.terminations, other.truncations) == (env.terminations, env.truncations)
        assert other.rewards == env.rewards
    text = env.record().to_text()
    again = GameRecord.from_text(text)
    assert again.to_text() == text
    assert again.at_limit == at_limit
    assert again.max_cycles == (2 if limit == "max_cycles" else None)
    *_, last = again.replay()
    assert last.record().end == again.end
    assert again.end.startswith("decided" if at_limit == "decide" else "truncated")


def test_a_record_that_says_another_end_is_refused():
    env = table("max_cycles", at_limit="decide")
    env.step(A.stay)
    env.step(A.stay)
    text = env.record().to_text()
    assert "limit 2 decide\n" in text
    assert "end decided; " in text
    for wrong in (
        text.replace("limit 2 decide", "limit 2 truncate"),
        text.replace("decided; first", "decided; last"),
    ):
        with pytest.raises(BadPosition, match="end: the standing is"):
            list(GameRecord.from_text(wrong).replay())
    for line in ("limit 2", "limit two decide", "limit 0 decide", "limit 2 stop"):
        with pytest.raises(BadPosition, match="cannot read the line 'limit"):
            GameRecord.from_text(text.replace("limit 2 decide", line))


def test_one_seat_is_decided():
    for at_limit in ("truncate", "decide"):
        env = SeatEnv(GAME, seat=0, max_cycles=2, at_limit=at_limit)
        env.reset(seed=1)
        _, reward, terminated, truncated, info = env.step(A.stay)
        assert (terminated, truncated) == (at_limit == "decide", at_limit == "truncate")
        assert reward == (0 if at_limit == "truncate" else 1 if info["place"] == 1 else -0.5)


@pytest.mark.parametrize("wrong", ["stop", None, True, 1, ["decide"]])
def test_a_wrong_value_is_refused_everywhere(wrong):
    name = "age_de_bronze"
    for make in (
        lambda: TableEnv(GAME, at_limit=wrong),
        lambda: Batch(GAME, 2, at_limit=wrong),
        lambda: SeatEnv(GAME, at_limit=wrong),
        lambda: agezoo.envs.make(name, at_limit=wrong),
        lambda: agezoo.envs.make_batch(name, 2, at_limit=wrong),
        lambda: gymnasium.make("agezoo/AgeDeBronze-v0", at_limit=wrong),
        lambda: pettingzoo.make("aec", "agezoo/age_de_bronze-v0", at_limit=wrong),
        lambda: agezoo.envs.age_de_bronze_v0.env(at_limit=wrong),
    ):
        with pytest.raises(BadOption, match=r"at_limit=.*: choose one of truncate, decide"):
            make()
