"""Makes every rulebook known to Gymnasium's and PettingZoo's registries, without importing the rules."""

from __future__ import annotations

import re

import gymnasium
import pettingzoo

from . import registry
from .errors import BadGame


def register() -> None:
    """Register what is not registered yet, each rulebook in exactly the version that it declares."""
    registry.find_modules()
    for name in registry.names():
        version = declared_version(name)
        seat = f"{registry.gymnasium_id(name)}-v{version}"
        if seat not in gymnasium.registry:
            gymnasium.register(
                seat,
                f"{__package__}.seat:SeatEnv",
                kwargs={"game": f"{name}_v{version}"},
                order_enforce=False,
                disable_env_checker=True,
            )
        table = f"agezoo/{name}-v{version}"
        if table not in pettingzoo.aec_registry:
            pettingzoo.register(
                "aec", table, f"{__package__}.registry:make", kwargs={"name": f"{name}_v{version}"}
            )


def declared_version(name: str) -> int:
    """The version that a rulebook's ``__init__.py`` declares, read without running it.

    Raises:
        BadGame: it has no line ``VERSION = <number>``.
    """
    text = (registry.folder(name) / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r"^VERSION *(?:: *\w+ *)?= *([0-9]+)\b", text, re.MULTILINE)
    if found:
        return int(found[1])
    raise BadGame(f"{name}/__init__.py needs a line 'VERSION = <number>'")
