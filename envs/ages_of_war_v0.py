"""Ages of War for PettingZoo: `env()`, `raw_env()` and the rulebook itself, `game`."""

from .ages_of_war import GAME
from .engine import aec

env, raw_env, game = aec.module(GAME)
