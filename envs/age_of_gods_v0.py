"""Age of Gods for PettingZoo: `env()`, `raw_env()` and the rulebook itself, `game`."""

from .age_of_gods import GAME
from .engine import aec

env, raw_env, game = aec.module(GAME)
