"""Play every game of an installed wheel, with nothing but the base requirements beside it."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import gymnasium
import numpy as np
import pettingzoo

import agezoo.envs
from agezoo.envs import age_de_bronze_v0


def play(env, seed):
    """Play one table at random, to its end; returns the reward of each agent."""
    rng = np.random.default_rng(seed)
    rewards = {}
    env.reset(seed=seed)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        if termination or truncation:
            rewards[agent] = reward
            env.step(None)
        else:
            env.step(rng.choice(np.flatnonzero(observation["action_mask"])))
    return rewards


def play_seat(env, seed):
    """Play one seat at random, to the end of its game; returns its reward."""
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    over = False
    while not over:
        mask = env.get_wrapper_attr("action_masks")()
        _, reward, termination, truncation, _ = env.step(rng.choice(np.flatnonzero(mask)))
        over = termination or truncation
    return reward


def main():
    """Play through every door there is; leaves with an error where one is shut."""
    assert "site-packages" in agezoo.envs.__file__, f"not the installed wheel: {agezoo.envs.__file__}"
    assert importlib.util.find_spec("torch") is None, "the base package must do without torch"

    rewards = play(age_de_bronze_v0.env(), seed=1)
    assert len(rewards) > 1
    assert abs(sum(rewards.values())) < 1e-6, rewards
    assert play(pettingzoo.make("aec", "agezoo/age_de_bronze-v0"), seed=1) == rewards
    play_seat(gymnasium.make("agezoo/AgeDeBronze-v0", opponents="greedy"), seed=1)

    command = Path(sys.executable).with_name("agezoo")
    listed = subprocess.run([command, "games"], check=True, capture_output=True, text=True).stdout
    configurations = Path(agezoo.envs.__file__).parent.parent / "configs"
    for name in agezoo.envs.names():
        assert (configurations / f"{name}_ppo.yaml").exists(), "agezoo train has no configuration"
        assert name in listed, f"{name} is missing from `agezoo games`:\n{listed}"
        play(agezoo.envs.make(name), seed=2)
        batch = agezoo.envs.make_batch(name, 8, seed=2)
        for _ in range(100):
            batch.step(batch.action_mask.argmax(axis=1))
        print(f"{name}: played, batched, listed")


if __name__ == "__main__":
    main()
