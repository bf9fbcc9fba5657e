"""Age of Heroes for PettingZoo: `env()`, `raw_env()` and the rulebook itself, `game`."""

from .age_of_heroes import GAME
from .engine import aec

env, raw_env, game = aec.module(GAME)
