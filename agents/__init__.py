"""Players of every rulebook: random, greedy, trained policies, and what evaluates and trains them.

    from agezoo import agents
    player = agents.make("runs/x", "age_de_bronze")     # or "random", "greedy", a .zip file
    player.act(env, agent)                              # a move at a PettingZoo table

PyTorch is imported only when a trained policy is.
"""

from .base import Agent, BadAgent, load, make, names
from .evaluate import Results, play_games

__all__ = ["Agent", "BadAgent", "Results", "load", "make", "names", "play_games"]
