"""The vectorised tables: the same games as the AEC environment, and what stable-baselines3 expects of a VecEnv."""

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecEnv

from agezoo.agents.vec import KINDS, SELF_PLAY, VecTables
from agezoo.envs import BadOption, IllegalAction
from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.chance import next_seed, table_seed
from agezoo.envs.engine.compile import plain
from agezoo.envs.engine.players import GREEDY, greedy_actions, pick, random_action

from . import knockout

MIX = {"random": 0.4, "greedy": 0.3, "self_play": 0.3}


def last_legal(observations, masks):
    """A stand-in for an earlier version of the learner."""
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(1)


class Replay:
    """One table of VecTables, played again with the AEC environment, move by move."""

    def __init__(self, game, shares, seed, index, players, **options):
        self.game = game
        self.thresholds = np.cumsum([shares.get(name, 0) for name in KINDS])
        self.env = TableEnv(game, num_players=players, **options)
        self.seed = plain(table_seed)(np.uint64(seed), index)
        self.rng = np.array([plain(table_seed)(~np.uint64(seed), index)], np.uint64)
        self.players = players
        self.deal()
        while self.over():
            self.deal_next()

    def deal(self):
        self.env.reset(seed=int(self.seed))
        self.learner = int(plain(pick)(self.rng, 0, self.players))
        at = int(plain(pick)(self.rng, 0, 1 << 30)) / (1 << 30)
        self.kind = int(np.searchsorted(self.thresholds[:SELF_PLAY], at, side="right"))
        self.length = 0
        self.others()

    def deal_next(self):
        self.seed = plain(next_seed)(self.seed)
        self.deal()

    @property
    def agent(self):
        return f"player_{self.learner}"

    def over(self):
        agent, env = self.agent, self.env
        return agent not in env.agents or env.terminations[agent] or env.truncations[agent]

    def others(self):
        env = self.env
        while not self.over() and env.agent_selection != self.agent:
            selected = env.agent_selection
            if env.terminations[selected]:
                env.step(None)
                continue
            mask = env.observe(selected)["action_mask"].astype(bool)
            if self.kind == SELF_PLAY:
                action = last_legal(None, mask[None])[0]
            elif self.kind == GREEDY:
                out = np.zeros(1, np.int64)
                choose = self.game.compiled(greedy_actions)
                choose(env.states, env._mask2, self.rng, np.zeros(1, np.int64), out)
                action = out[0]
            else:
                action = random_action(mask, self.rng, 0)
            env.step(int(action))

    def step(self, action):
        """Reward, done, truncated and, when done, the last observation and the place."""
        self.length += 1
        self.env.step(int(action))
        self.others()
        if not self.over():
            return 0.0, False, False, None, None
        env, agent = self.env, self.agent
        ended = (
            env._cumulative_rewards[agent],
            True,
            env.truncations[agent],
            env.observe(agent)["observation"],
            env.infos[agent]["place"],
        )
        self.deal_next()
        while self.over():
            self.deal_next()
        return ended


@pytest.mark.parametrize(
    ("players", "limit", "reward", "threads", "at_limit"),
    [
        (4, None, "win", 1, "truncate"),
        (3, 61, "rank", 2, "truncate"),
        (3, 61, "win", 2, "decide"),
        (2, None, "score", 3, "decide"),
    ],
)
def test_same_games_as_the_aec_environment(game, players, limit, reward, threads, at_limit):
    options = {"reward": reward, "max_cycles": limit, "at_limit": at_limit}
    tables = 7
    env = VecTables(game, tables, MIX, seed=11, num_players=players, threads=threads, **options)
    env.self_play = last_legal
    observation = env.reset()
    replays = [Replay(game, MIX, 11, i, players, **options) for i in range(tables)]
    rng = np.random.default_rng(0)
    ended, kinds = 0, set()
    for _ in range(250):
        for i, replay in enumerate(replays):
            seen = replay.env.observe(replay.agent)
            assert env.seeds[i] == replay.seed
            assert env.learner[i] == replay.learner
            assert env.kind[i] == replay.kind
            assert (observation[i] == seen["observation"]).all()
            assert (env.mask[i] == seen["action_mask"]).all()
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in env.action_masks()])
        lengths = [replay.length + 1 for replay in replays]
        seats = [replay.learner for replay in replays]
        opponents = [KINDS[replay.kind] for replay in replays]
        observation, rewards, dones, infos = env.step(actions)
        for i, replay in enumerate(replays):
            reward_, done, truncated, last, place = replay.step(actions[i])
            assert rewards[i] == np.float32(reward_)
            assert dones[i] == done
            if not done:
                assert infos[i] == {}
                continue
            ended += 1
            kinds.add(opponents[i])
            assert infos[i]["TimeLimit.truncated"] == truncated
            assert (infos[i]["terminal_observation"] == last).all()
            assert infos[i]["place"] == place
            assert infos[i]["seat"] == seats[i]
            assert infos[i]["opponents"] == opponents[i]
            assert infos[i]["episode"]["r"] == rewards[i]
            assert infos[i]["episode"]["l"] == lengths[i]
    assert ended >= 10
    assert kinds == set(KINDS)
    env.close()


@pytest.mark.parametrize(("limit", "at_limit"), [(None, "truncate"), (3, "truncate"), (3, "decide")])
def test_learner_that_is_knocked_out_gets_its_loss_and_a_new_table(limit, at_limit):
    game = knockout.GAME
    shares = {"random": 1.0}
    tables = 20
    env = VecTables(game, tables, shares, seed=5, num_players=3, max_cycles=limit, at_limit=at_limit)
    observation = env.reset()
    replays = [Replay(game, shares, 5, i, 3, max_cycles=limit, at_limit=at_limit) for i in range(tables)]
    rng = np.random.default_rng(1)
    knocked_out = cut = 0
    for _ in range(60):
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in env.action_masks()])
        for i, replay in enumerate(replays):
            assert (observation[i] == replay.env.observe(replay.agent)["observation"]).all()
        observation, rewards, dones, infos = env.step(actions)
        for i, replay in enumerate(replays):
            reward, done, truncated, last, place = replay.step(actions[i])
            assert (rewards[i], dones[i]) == (np.float32(reward), done)
            if done:
                assert infos[i]["TimeLimit.truncated"] == truncated
                assert (infos[i]["terminal_observation"] == last).all()
                assert infos[i]["place"] == place
                knocked_out += reward < 0
                cut += truncated
    assert knocked_out > 20
    assert (cut > 20) == (limit is not None and at_limit == "truncate")


def test_games_that_end_before_the_learner_acts_do_not_count():
    """With a limit of one decision only the seat that begins ever decides anything."""
    env = VecTables(knockout.GAME, 8, {"random": 1}, seed=0, num_players=3, max_cycles=1, at_limit="truncate")
    env.reset()
    for _ in range(5):
        assert (env.learner == 0).all()
        _, rewards, dones, infos = env.step(np.zeros(8, np.int64))
        assert dones.all()
        assert all(info["TimeLimit.truncated"] for info in infos)
        assert (rewards == 0).all()


@pytest.fixture
def env(game):
    env = VecTables(game, 16, {"random": 1}, seed=3, num_players=4)
    yield env
    env.close()


def test_is_a_vec_env(env, game):
    assert isinstance(env, VecEnv)
    first = env.reset()
    assert first.shape == (16, game.num_features)
    assert first.dtype == np.float32
    for row in first:
        assert env.observation_space.contains(row)
    out = env.step(env.mask.argmax(1))
    assert [len(part) for part in out] == [16] * 4
    assert out[1].dtype == np.float32
    assert out[2].dtype == np.bool_
    assert all(isinstance(info, dict) for info in out[3])
    assert env.get_attr("render_mode") == [None] * 16
    assert env.get_attr("num_envs", [0, 1]) == [16, 16]
    assert env.env_is_wrapped(VecEnv) == [False] * 16
    env.set_attr("note", 1)
    assert env.note == 1
    with pytest.raises(AttributeError):
        env.get_attr("nothing")
    with pytest.raises(AttributeError):
        env.set_attr("note", 2, indices=[0])
    with pytest.raises(AttributeError, match="only action_masks"):
        env.env_method("render")


def test_masks_come_as_one_array(env):
    env.reset()
    assert is_masking_supported(env)
    masks = env.env_method("action_masks")
    assert masks is env.mask
    assert (get_action_masks(env) == env.mask).all()
    assert (env.env_method("action_masks", indices=[3]) == env.mask[[3]]).all()
    assert masks.any(axis=1).all()


def test_what_a_step_hands_out_stays_as_it_is(env):
    """stable-baselines3 puts an observation and its mask into its buffer only after the next step."""
    observation = env.reset()
    masks = get_action_masks(env)
    kept = observation.copy(), masks.copy()
    rewards = env.step(env.mask.argmax(1))[1]
    rewards += 1
    env.step(env.mask.argmax(1))
    assert (observation == kept[0]).all()
    assert (masks == kept[1]).all()


def test_seeding(env):
    first = env.reset()
    again = env.reset()
    assert (first != again).any()
    env.seed(3)
    assert (env.reset() == first).all()


def test_illegal_action_moves_no_table(env):
    env.reset()
    before = env.states.tobytes()
    actions = env.mask.argmax(1)
    actions[5] = env.mask[5].argmin()
    with pytest.raises(IllegalAction, match="table 5: player_"):
        env.step(actions)
    assert env.states.tobytes() == before


def test_seats_and_opponents_vary(game):
    env = VecTables(game, 400, MIX, seed=0, num_players=4)
    env.self_play = last_legal
    env.reset()
    for seat in range(4):
        assert 60 < (env.learner == seat).sum() < 140
    for kind, share in enumerate(MIX.values()):
        assert abs((env.kind == kind).mean() - share) < 0.1


def test_earlier_versions_are_asked_in_waves(game):
    env = VecTables(game, 64, {"self_play": 1}, seed=0, num_players=4)
    sizes = []

    def choose(observations, masks):
        sizes.append(len(observations))
        assert observations.shape[1] == game.num_features
        assert masks.any(axis=1).all()
        return last_legal(observations, masks)

    env.self_play = choose
    env.reset()
    assert sizes[0] >= 32  # three of four seats are played by it first
    assert env.self_play_waves == len(sizes)
    assert env.self_play_decisions == sum(sizes)


def test_seat_counts_may_be_mixed(game):
    env = VecTables(game, 10, {"greedy": 1}, seed=0, num_players=[2, 3, 4, 5, 6])
    env.reset()
    for _ in range(30):
        env.step(env.mask.argmax(1))
    assert env.states["num_players"].tolist() == [2, 3, 4, 5, 6] * 2


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        ({"random": 0.5}, "must add up to 1"),
        ({"random": 1.5, "greedy": -0.5}, "must not be negative"),
        ({"human": 1}, "'human' is unknown, choose random, greedy, self_play"),
    ],
)
def test_bad_shares_are_refused(game, shares, said):
    with pytest.raises(BadOption, match=said):
        VecTables(game, 2, shares)


def test_earlier_versions_must_be_given(game):
    with pytest.raises(BadOption, match="set `self_play` before the first reset"):
        VecTables(game, 2, {"self_play": 1}).reset()
