"""Players of every game: random, greedy, Monte Carlo, trained policies, your own, and what evaluates and trains them.

    from agezoo import agents
    player = agents.make("runs/x", "age_de_bronze")     # or "random", "greedy", "montecarlo:400", a .zip file
    player.act(env, agent)                              # a move at a PettingZoo table

PyTorch is imported only when a trained policy is.
"""

from .base import Agent, BadAgent, load, make, names
from .evaluate import Results, play_games
from .extras import MissingExtra

__all__ = ["Agent", "BadAgent", "MissingExtra", "Results", "load", "make", "names", "play_games"]
