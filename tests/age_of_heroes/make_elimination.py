"""Record a golden game that ends by elimination: python tests/age_of_heroes/make_elimination.py.

Half random and half greedy play, as in the other golden games, hardly ever drives all others from the table. Here
seat 0 does little but fight, and the other one, who has no Fair to trade at, plays at random.
"""

from __future__ import annotations

from pathlib import Path

from agezoo.envs import age_of_heroes_v0
from agezoo.envs.age_of_heroes.state import ACTIONS

PATH = Path(__file__).with_name("golden") / "elimination_2_players.txt"
SEED, OPTIONS = 0, {"fair": "off", "rounds": 100}
WARLIKE = ("war", "hero_army", "hero_general", "ready", "send_led", "send", "take")
GREATEST = ("send", "send_led", "take")


def choose(env, number: int) -> int:
    """Seat 0 fights where it can, with all it has, for as much as it can get, and else plays greedily."""
    blocks = {action: ACTIONS.locate(action)[0].name for action in env.legal_actions()}
    if env.agent_selection == "player_1":
        return env.random_action(number)
    for name in WARLIKE:
        actions = [action for action, block in blocks.items() if block == name]
        if actions:
            return max(actions) if name in GREATEST else min(actions)
    goals = [action for action, block in blocks.items() if block == "goal"]
    if goals:
        return goals[0] if len(goals) == 1 or env.position()["state"]["army"][0] > 1 else goals[1]
    return env.greedy_action(number)


def play(seed: int):
    """A whole game."""
    env = age_of_heroes_v0.env(num_players=2, **OPTIONS)
    env.reset(seed=seed)
    number = 0
    while env.agents and not any(env.truncations.values()):
        if env.terminations[env.agent_selection]:
            env.step(None)
        else:
            number += 1
            env.step(choose(env, seed * 100_000 + number))
    return env


if __name__ == "__main__":
    PATH.write_text(play(SEED).record().to_text(), encoding="utf-8")
    print(PATH.name)
