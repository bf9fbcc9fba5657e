"""One seat of a table as a Gymnasium environment."""

import copy
import json
import pickle
from collections import Counter

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from tiny import GAME, A

from agezoo.envs.engine import conformance
from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.errors import AgezooError, BadOption, BadPosition, IllegalAction
from agezoo.envs.engine.seat import SeatEnv


class Stays:
    """An opponent with only `act`."""

    def act(self, env, agent):
        assert env.agent_selection == agent
        return env.legal_actions()[0]


def episode(env, seed):
    """Rewards and observations of one random game."""
    rng = np.random.default_rng(seed)
    seen, rewards, over = [env.reset(seed=seed)[0]], [], False
    info = {}
    while not over:
        observation, reward, terminated, truncated, info = env.step(
            rng.choice(np.flatnonzero(env.action_masks()))
        )
        seen.append(observation)
        rewards.append(reward)
        over = terminated or truncated
    assert info.pop("action_mask").all()
    return seen, rewards, info


def test_the_same_seed_is_the_same_game():
    for seat in (0, 2, "random"):
        one, two = (episode(SeatEnv(GAME, seat=seat, opponents="greedy"), 5) for _ in range(2))
        assert np.array_equal(one[0], two[0])
        assert one[1:] == two[1:]


def test_rewards_are_those_of_the_place():
    env = SeatEnv(GAME, seat=1)
    for seed in range(40):
        _, rewards, info = episode(env, seed)
        assert not any(rewards[:-1])
        assert rewards[-1] == pytest.approx(-0.5) if info["place"] > 1 else rewards[-1] > 0


def test_a_seat_that_is_knocked_out_by_others_is_told_at_once():
    def fierce(table, agent):
        return 0 if 0 in table.legal_actions() else table.legal_actions()[-1]  # stay, then challenge

    env = SeatEnv(GAME, seat=1, opponents=fierce)
    ends = set()
    for seed in range(60):
        env.reset(seed=seed)
        _, reward, terminated, _, info = env.step(0)
        if terminated and not env.env._states["finished"][0]:
            ends.add((reward, info["place"]))
    assert ends == {(-0.5, 3)}


def test_a_random_seat_is_every_seat():
    env = SeatEnv(GAME, seat="random")
    assert {env.reset(seed=seed)[0] is not None and env.seat for seed in range(40)} == {0, 1, 2}


def test_opponents_in_turn_order():
    asked = []

    def player(name):
        def choose(table, agent):
            asked.append((name, agent))
            return table.legal_actions()[0]

        return choose

    env = SeatEnv(GAME, seat=1, opponents=[player("after"), player("before")])
    env.reset(seed=1)
    env.step(0)
    assert ("before", "player_0") in asked
    assert ("after", "player_2") in asked
    assert len(set(asked)) == 2


def test_an_illegal_action_changes_nothing():
    env = SeatEnv(GAME)
    env.reset(seed=1)
    before = env.env._states.tobytes()
    with pytest.raises(IllegalAction):
        env.step(4)
    assert env.env._states.tobytes() == before


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"seat": 3}, "seat=3: choose 0 to 2"),
        ({"seat": -1}, "seat=-1"),
        ({"seat": True}, "seat=True"),
        ({"seat": "first"}, "seat='first'"),
        ({"seat": 2, "num_players": 2}, "seat=2: choose 0 to 1"),
        ({"opponents": "clever"}, "opponents='clever': choose random, greedy"),
        ({"opponents": ["random"]}, "1 given for 2 other seats"),
        ({"opponents": 3}, "opponents=3: choose random, greedy, montecarlo:N, or give a function"),
        ({"opponents": None}, "opponents=None: choose"),
        ({"opponents": Stays}, "opponents=.*Stays.*: choose"),
        ({"opponents": [Stays, "random"]}, "opponents=.*Stays.*: choose"),
        ({"game": "chess"}, "no game 'chess'"),
    ],
)
def test_bad_arguments_are_named(wrong, message):
    with pytest.raises(BadOption, match=message):
        SeatEnv(**{"game": GAME, **wrong})


def test_pictures_show_what_the_seat_sees():
    env = SeatEnv(GAME, seat=1, render_mode="ansi", opponents=lambda table, agent: 0)
    env.reset(seed=1)
    lines = env.render().splitlines()
    assert [("?" in line) for line in lines] == [False, True, False, True]
    silent = SeatEnv(GAME)
    silent.reset(seed=1)
    assert silent.render() is None


def test_greedy_is_better_than_random():
    """The same deals played greedily and at random: 0.8 points more a game, ten times what chance moves that by."""

    def points(choose):
        found = []
        for seed in range(1000):
            env = SeatEnv(GAME, seat=seed % 2, num_players=2)
            env.reset(seed=seed)
            over, info = env._over, env._info()
            while not over:
                _, _, terminated, truncated, info = env.step(choose(env.env, seed))
                over = terminated or truncated
            found.append(info["score"])
        return np.array(found)

    more = points(lambda env, seed: env.greedy_action(seed)) - points(
        lambda env, seed: env.random_action(seed)
    )
    assert more.mean() > 6 * more.std() / np.sqrt(len(more))


def test_gymnasium_makes_it():
    env = gymnasium.make("agezoo/AgeDeBronze-v0", opponents="greedy", num_players=3)
    observation, _ = env.reset(seed=1)
    assert env.observation_space.contains(observation)
    assert env.get_wrapper_attr("action_masks")().any()


def test_before_reset_and_after_the_end_it_says_call_reset():
    env = SeatEnv(GAME, render_mode="ansi", max_cycles=4)
    for ask in (lambda: env.step(0), env.action_masks, env.render, env.position, env.clone):
        with pytest.raises(AgezooError, match=r"call reset\(\) first"):
            ask()
    for seed in range(10):
        episode(env, seed)
        before = env.position()
        with pytest.raises(
            AgezooError, match=r"the game of player_0 is over: call reset\(\) for a new table"
        ):
            env.step(0)
        assert env.position() == before
    env.reset(seed=1)
    env.step(0)


@pytest.mark.parametrize("seat", [0, 1, 2, "random"])
def test_no_game_is_handed_out_that_is_over(seat):
    """With so short a limit, many are over before a seat has decided anything."""
    env = SeatEnv(GAME, seat=seat, max_cycles=2 if seat == "random" else int(seat) + 1)
    for seed in range(60):
        _, info = env.reset(seed=seed)
        legal = env.env.legal_actions()
        assert env.env.agent_selection == env.agent
        assert legal
        assert np.flatnonzero(info["action_mask"]).tolist() == legal
        env.step(legal[0])


def test_where_every_game_is_over_before_the_seat_is_asked_it_says_so():
    env = SeatEnv(GAME, seat=2, max_cycles=2)
    for _ in range(2):
        with pytest.raises(
            AgezooError, match="100 games in a row were over before player_2 had decided anything"
        ):
            env.reset(seed=1)
        with pytest.raises(AgezooError, match="reset"):
            env.step(0)


def test_opponents_may_be_objects_that_act():
    lines = []
    for opponents in (Stays(), [Stays(), lambda table, agent: table.legal_actions()[0]], [Stays().act] * 2):
        env = SeatEnv(GAME, seat=1, opponents=opponents)
        env.reset(seed=4)
        while not env._over:
            env.step(int(env.action_masks().argmax()))
        lines.append(env.env.moves)
    assert lines[0] == lines[1] == lines[2]
    assert {action for _, action in lines[0]} <= {A.stay, A.do_pass}


def test_opponents_choose_apart_from_each_other_from_before_and_from_the_deal():
    """Two random opponents at the same question: all four answers are as frequent, whatever was dealt (chi-square)."""
    env = SeatEnv(GAME, seat=0)
    first, then = Counter(), Counter()
    games = 3000
    for seed in range(games):
        env.reset(seed=seed)
        env.step(A.stay)
        choices = [action for seat, action in env.env.moves if seat and action in (A.stay, A.swap)]
        assert len(choices) == 2
        first[tuple(choices)] += 1
        then[choices[0], int(env.env.states["card"][0, 0])] += 1
    wanted = np.full(4, games / 4)
    seen = np.array([first[a, b] for a in (A.stay, A.swap) for b in (A.stay, A.swap)])
    assert conformance.surprise(seen, wanted) < 4
    seen = np.array([then[a, card] for card in range(5) for a in (A.stay, A.swap)])
    halves = np.repeat([(then[A.stay, card] + then[A.swap, card]) / 2 for card in range(5)], 2)
    assert conformance.surprise(seen, halves) < 4


def test_the_same_opponents_choose_apart_from_one_decision_to_the_next():
    """One opponent alone, asked twice: its second answer does not follow from its first."""
    env = SeatEnv(GAME, seat=0, num_players=2)
    pairs = Counter()
    for seed in range(4000):
        env.reset(seed=seed)
        env.step(A.stay)
        while not env._over:
            env.step(A.do_pass)
        answers = [action for seat, action in env.env.moves if seat == 1]
        if answers[0] == A.stay and len(answers) > 2 and answers[1] == A.peek:
            pairs[answers[2]] += 1
    assert set(pairs) == {A.do_pass, A.challenge}
    half = pairs.total() / 2
    assert conformance.surprise(np.array([*pairs.values()]), np.array([half, half])) < 4


def test_masks_are_in_info():
    env = SeatEnv(GAME)
    rng = np.random.default_rng(1)
    for seed in range(20):
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            mask = info["action_mask"]
            assert mask.dtype == np.int8
            assert np.flatnonzero(mask).tolist() == env.env.legal_actions()
            assert np.array_equal(mask == 1, env.action_masks())
            action = env.action_space.sample(mask)
            assert mask[action]
            _, _, terminated, truncated, info = env.step(rng.choice(np.flatnonzero(mask)))
            over = terminated or truncated
        assert info["action_mask"].all(), "vector environments ask once more, and ignore the answer"
        assert env.action_masks().all()
        assert set(info) == {"score", "place", "action_mask"}


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_vector_environments_have_a_mask_for_every_step(mode):
    made = [
        lambda seat=seat: SeatEnv(GAME, seat=seat, opponents="greedy", max_cycles=7) for seat in (0, 1, 2)
    ]
    envs = SyncVectorEnv(made, autoreset_mode=mode)
    _, infos = envs.reset(seed=1)
    rng = np.random.default_rng(1)
    ends, was_over = 0, np.zeros(3, bool)
    for _ in range(200):
        masks = infos["action_mask"]
        assert infos["_action_mask"].all()
        assert masks.any(axis=1).all()
        for k, single in enumerate(envs.envs):
            if not (mode == AutoresetMode.NEXT_STEP and was_over[k]):
                assert np.flatnonzero(masks[k]).tolist() == single.env.legal_actions()
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        _, _, terminated, truncated, infos = envs.step(actions)
        was_over = terminated | truncated
        ends += was_over.sum()
    assert ends > 50
    envs.close()


def game_of(env, seed=3):
    """How it goes on."""
    rng, lines = np.random.default_rng(seed), []
    while not env._over:
        seen, reward, *over, info = env.step(rng.choice(np.flatnonzero(env.action_masks())))
        lines.append((seen.tobytes(), reward, over, info.get("place"), env.env.moves))
    lines.append(env.reset()[0].tobytes())
    return lines


@pytest.mark.parametrize(
    "way", [SeatEnv.clone, copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))]
)
@pytest.mark.parametrize("opponents", ["random", "greedy", Stays()])
def test_copies_have_the_same_future_and_share_nothing(way, opponents):
    env = SeatEnv(GAME, seat="random", opponents=opponents)
    env.reset(seed=6)
    twin, untouched = way(env), way(env)
    assert twin.action_space is not env.action_space
    assert twin.np_random is not env.np_random
    here = game_of(env)
    assert game_of(twin) == here
    assert game_of(untouched) == here


def test_positions_restore_a_game():
    env = SeatEnv(GAME, seat=1, opponents=Stays())
    env.reset(seed=2)
    env.step(A.stay)
    kept = json.loads(json.dumps(env.position()))
    seen, masks = env.env.observe("player_1")["observation"], env.action_masks()
    other = SeatEnv(GAME, seat=1, opponents=Stays())
    for start in (lambda: other.load(kept), lambda: other.reset(options={"position": kept})):
        observation, info = start()
        assert observation.tobytes() == seen.tobytes()
        assert np.array_equal(info["action_mask"], masks)
        assert other.position() == kept
    assert other.position("player_1") == env.position("player_1")
    here, there = game_of(env)[:-1], game_of(other)[:-1]
    assert [line[:4] for line in there] == [line[:4] for line in here]
    assert len(there) > 0


def test_others_play_on_from_a_position_to_the_seat_s_decision():
    table = TableEnv(GAME)
    table.reset(seed=1)
    env = SeatEnv(GAME, seat=2, opponents=Stays())
    env.reset(seed=9, options={"position": table.position()})
    assert env.env.moves == [(0, A.stay), (1, A.stay)]
    assert env.env.agent_selection == "player_2"


def test_bad_positions_change_nothing():
    table = TableEnv(GAME)
    table.reset(seed=1)
    while not any(table.terminations.values()):
        table.step(table.legal_actions()[0])
    env = SeatEnv(GAME, seat=0)
    env.reset(seed=2)
    before = env.position()
    twin = env.clone()
    for wrong, words in (
        ({}, "agezoo"),
        (table.position(), "the game of player_0 is over there"),
        ("{", "no JSON"),
    ):
        with pytest.raises(BadPosition, match=words):
            env.load(wrong)
        assert env.position() == before
    assert game_of(env) == game_of(twin)
    with pytest.raises(BadOption, match="'start' is none that reset"):
        env.reset(options={"start": 1})


def test_options_of_whole_tables_are_none_of_a_seat():
    for name in ("render_view", "observation"):
        with pytest.raises(TypeError, match=f"unexpected keyword argument '{name}'"):
            SeatEnv(GAME, **{name: "all"})
