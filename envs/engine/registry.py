"""Finds the rulebooks by looking: every package folder beside the engine is one. No list is kept by hand."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from . import aec, batch
from .errors import BadOption
from .game import Game

_ROOT = Path(__file__).resolve().parent.parent
_PACKAGE = __name__.rsplit(".", 2)[0]  # agezoo.envs


def names() -> list[str]:
    """The rulebooks that are installed, in alphabetical order."""
    folders = (path.parent for path in _ROOT.glob("*/__init__.py"))
    return sorted(f.name for f in folders if f.name != "engine" and not f.name.startswith("_"))


def folder(name: str) -> Path:
    """Where the rulebook called `name` stands."""
    return _ROOT / name


def find(name: str) -> Game:
    """The rulebook called `name`.

    Raises:
        BadOption: there is none; the message lists those there are.
    """
    if name not in names():
        made = Game.made.get(name)
        if made is not None:
            return made
        raise BadOption(f"there is no rulebook {name!r}; there are: {', '.join(names())}")
    return importlib.import_module(f"{_PACKAGE}.{name}").GAME


def make(name: str, **options: Any) -> aec.TableEnv:
    """An AEC environment: ``make("bronze", num_players=3)``. Arguments as for `aec.TableEnv`."""
    return aec.TableEnv(find(_bare(name)), **options)


def make_batch(name: str, num_envs: int, seed: int = 0, **options: Any) -> batch.Batch:
    """`num_envs` tables stepped together. Arguments as for `batch.Batch`."""
    return batch.Batch(find(_bare(name)), num_envs, seed, **options)


def module(name: str) -> ModuleType | None:
    """The PettingZoo-style module ``<rulebook>_v<version>``, made up where no file of that name stands."""
    bare = _bare(name)
    if bare == name or bare not in names() or find(bare).env_name != name:
        return None
    made = ModuleType(f"{_PACKAGE}.{name}", f"{find(bare).title}: env(), raw_env(), game.")
    made.env, made.raw_env, made.game = aec.module(find(bare))  # type: ignore[attr-defined]
    sys.modules[made.__name__] = made
    return made


def gymnasium_id(name: str) -> str:
    """``agezoo/AgeDeBronze-v0`` for ``age_de_bronze``."""
    return "agezoo/" + "".join(word.capitalize() for word in name.split("_"))


def _bare(name: str) -> str:
    """``bronze`` for ``bronze_v0``."""
    head, mark, version = name.rpartition("_v")
    return head if mark and version.isdecimal() else name
