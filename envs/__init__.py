"""The rulebooks as environments: `names`, `make`, `make_batch`, and a PettingZoo-style module for each.

    from agezoo.envs import age_de_bronze_v0
    env = age_de_bronze_v0.env(num_players=4)

Importing this package registers every rulebook with Gymnasium (``agezoo/AgeDeBronze-v0``, one seat) and with
PettingZoo (``agezoo/age_de_bronze-v0``, all seats).
"""

import importlib
from typing import Any

from .engine.batch import Batch
from .engine.errors import AgezooError, BadGame, BadOption, BadPosition, IllegalAction
from .engine.game import Game
from .engine.registration import register
from .engine.registry import find, is_module, make, make_batch, names

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
    """``agezoo.envs.<name>_v<version>``: a rulebook folder needs no module file of its own."""
    if is_module(name):
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


register()
