"""Bronze for PettingZoo: `env()`, `raw_env()` and the rulebook itself, `game`."""

from .bronze import GAME
from .engine import aec

env, raw_env, game = aec.module(GAME)
