"""Record golden games anew, after a change of the rules that is meant: python tools/make_golden.py [NAME ...].

Which games are recorded stands in tests/<name>/golden/games.toml, one ``[[game]]`` each: ``players``, ``seed``, and
where it is needed ``options``. Files beside it that no ``[[game]]`` makes (games written by hand) are left as they are.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

from agezoo.envs import find, names
from agezoo.envs.engine import conformance

TESTS = Path(__file__).parent.parent / "tests"


def record(name: str) -> None:
    """Record the golden games of one game."""
    folder = TESTS / name / "golden"
    listed = tomllib.loads((folder / "games.toml").read_text(encoding="utf-8"))["game"]
    for number, game in enumerate(listed, 1):
        text = conformance.golden_game(find(name), game["players"], game["seed"], **game.get("options", {}))
        path = folder / f"{number}_{game['players']}_players.txt"
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(TESTS))


if __name__ == "__main__":
    for chosen in sys.argv[1:] or names():
        record(chosen)
