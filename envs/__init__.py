"""The rulebooks as environments: `names`, `make`, `make_batch`, and a PettingZoo-style module for each.

    from agezoo.envs import age_de_bronze_v0
    env = age_de_bronze_v0.env(num_players=4)

Importing this package registers every rulebook with Gymnasium (``agezoo/AgeDeBronze-v0``, one seat) and with
PettingZoo (``agezoo/age_de_bronze-v0``, all seats).
"""

from typing import Any

from .engine.batch import Batch
from .engine.errors import AgezooError, BadGame, BadOption, BadPosition, IllegalAction
from .engine.game import Game
from .engine.registration import register
from .engine.registry import find, make, make_batch, module, names

__all__ = [
    "AgezooError",
    "BadGame",
    "BadOption",
    "BadPosition",
    "Batch",
    "Game",
    "IllegalAction",
    "find",
    "make",
    "make_batch",
    "names",
]


def __getattr__(name: str) -> Any:
    """A rulebook folder needs no module file of its own: ``from agezoo.envs import <name>_v<version>`` finds it."""
    made = module(name)
    if made is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return made


register()
