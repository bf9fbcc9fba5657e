"""Begins a game: writes envs/NAME and tests/NAME from the small card game in tools/new_game, in a checkout."""

from __future__ import annotations

import keyword
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator

from agezoo.envs import BadOption, names
from agezoo.envs.engine.cache import PACKAGE

CHECKOUT = PACKAGE.parent
#: What the template calls itself.
_NAME, _TITLE = "mygame", "My Game"
#: What is run to make its golden games and its pages.
COMMANDS = ("tools/make_golden.py", "tools/make_pages.py")


def begin(name: str) -> Iterator[str]:
    """Write a game that passes all tests, and make its golden games and pages.

    Args:
        name: of the folder, lower case letters, digits and underscores.

    Yields:
        What was done, and what to do next.

    Raises:
        BadOption: the name cannot be one, is taken, or this is no checkout.
    """
    template = CHECKOUT / "tools" / "new_game"
    if not template.is_dir():
        raise BadOption("new: this agezoo is no checkout; clone the repository and pip install -e it")
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise BadOption(f"NAME {name!r}: use lower case letters, digits and underscores, a letter first")
    if name == "engine" or re.search(r"_v[0-9]+$", name):
        raise BadOption(f"NAME {name!r}: the engine has this name, or it ends like a version; choose another")
    homes = {template / "game": CHECKOUT / "envs" / name, template / "tests": CHECKOUT / "tests" / name}
    for home in homes.values():
        if home.exists():
            there = f"; there are: {', '.join(names())}" if name in names() else ""
            raise BadOption(f"NAME {name!r}: {home.relative_to(CHECKOUT)} exists already{there}")
    for source, home in homes.items():
        shutil.copytree(source, home, ignore=shutil.ignore_patterns("__pycache__"))
        for path in sorted(home.rglob("*.*")):
            text = path.read_text(encoding="utf-8")
            title = name.replace("_", " ").title()
            path.write_text(text.replace(_NAME, name).replace(_TITLE, title), encoding="utf-8")
            yield str(path.relative_to(CHECKOUT))
    for script in COMMANDS:
        yield f"python {script} {name}"
        subprocess.run(
            [sys.executable, script, name],
            cwd=CHECKOUT,
            check=True,
            stdout=subprocess.DEVNULL,
            env={**os.environ, "AGEZOO_PLAIN": "1"},  # a few games: not worth compiling
        )
    yield f"Now: pytest tests/{name} tests/test_rulebooks.py tests/test_pages.py; then make it your own game."
