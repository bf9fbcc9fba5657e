"""One seat of a table as a Gymnasium environment."""

import gymnasium
import numpy as np
import pytest
from tiny import GAME

from agezoo.envs.engine.errors import BadOption, IllegalAction
from agezoo.envs.engine.seat import SeatEnv


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
        ({"game": "chess"}, "no rulebook 'chess'"),
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
    assert SeatEnv(GAME).render() is None


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
