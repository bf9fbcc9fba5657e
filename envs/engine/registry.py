"""Finds the rulebooks by looking: every package folder beside the engine is one. No list is kept by hand.

A name is a rulebook's (``bronze``), or that with its version (``bronze_v0``), which then has to be the one there is:
a game of another version is another game.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import re
import sys
from collections.abc import Sequence
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
    """The rulebook called `name`, with its version or without.

    Raises:
        BadOption: there is none, and the message lists those there are; or not in this version, and it names the one.
    """
    found = _named(name)
    bare = split(name)[0]
    if found is None and bare != name:
        found = _named(bare)
        if found is not None and found.env_name != name:
            raise BadOption(
                f"there is no {name}: {found.title} is here in version {found.version}, "
                f"ask for {found.env_name} or for {bare}"
            )
    if found is None:
        raise BadOption(f"there is no game {name!r}; there are: {', '.join(names())}")
    return found


def _named(name: str) -> Game | None:
    if name in names():
        return importlib.import_module(f"{_PACKAGE}.{name}").GAME
    return Game.made.get(name)


def split(name: str) -> tuple[str, str]:
    """``("bronze", "0")`` for ``bronze_v0``, ``("bronze", "")`` for ``bronze``."""
    found = re.fullmatch(r"(.+)_v([0-9]+)", name)
    return (found[1], found[2]) if found else (name, "")


def make(name: str, **options: Any) -> aec.TableEnv:
    """An AEC environment: ``make("bronze", num_players=3)``. Arguments as for `aec.TableEnv`."""
    return aec.TableEnv(find(name), **options)


def make_batch(name: str, num_envs: int, seed: int = 0, **options: Any) -> batch.Batch:
    """`num_envs` tables stepped together. Arguments as for `batch.Batch`."""
    return batch.Batch(find(name), num_envs, seed, **options)


class Modules(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports the PettingZoo-style modules ``agezoo.envs.<rulebook>_v<version>``, for which there are no files."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """One for each rulebook.

        Raises:
            BadOption: the rulebook is there in another version.
        """
        package, _, name = fullname.rpartition(".")
        if package != _PACKAGE or not is_module(name):
            return None
        find(name)
        return importlib.machinery.ModuleSpec(fullname, self)

    def exec_module(self, module: ModuleType) -> None:
        """Put ``env``, ``raw_env`` and ``game`` in it."""
        game = find(module.__name__.rpartition(".")[2])
        module.__doc__ = f"{game.title}: env(), raw_env(), game."
        module.env, module.raw_env, module.game = aec.module(game)  # type: ignore[attr-defined]


def is_module(name: str) -> bool:
    """Whether `name` reads as a rulebook with a version."""
    bare, version = split(name)
    return bool(version) and name not in names() and bare in names()


def find_modules() -> None:
    """Have Python's import statement know `Modules`."""
    if not any(isinstance(finder, Modules) for finder in sys.meta_path):
        sys.meta_path.append(Modules())


def gymnasium_id(name: str) -> str:
    """``agezoo/AgeDeBronze-v0`` for ``age_de_bronze``."""
    return "agezoo/" + "".join(word.capitalize() for word in name.split("_"))
