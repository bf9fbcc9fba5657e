"""Write what pages say about layouts and components anew: python tests/make_pages.py [NAME ...].

The tables of components in each RULES.md and the whole of docs/<name>.md are made from the code, so that they cannot
drift; test_pages.py fails when this was not run after a change.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any

from agezoo.envs import find, names

ROOT = Path(__file__).parent.parent
BEGIN = "<!-- components: python tests/make_pages.py writes this -->\n"
END = "<!-- end of components -->"


def rules_path(name: str) -> Path:
    """RULES.md of a rulebook."""
    return ROOT / "envs" / name / "RULES.md"


def layouts_path(name: str) -> Path:
    """Its page of actions and observations."""
    return ROOT / "docs" / f"{name}.md"


def components(name: str) -> str:
    """components.toml as Markdown: a table of each array of tables, one of each table of numbers."""
    found = tomllib.loads((ROOT / "envs" / name / "components.toml").read_text(encoding="utf-8"))
    tables = []
    for kind, rows in found.items():
        if isinstance(rows, dict):
            tables.append(_markdown([kind.rstrip("s"), "value"], [[f"`{k}`", v] for k, v in rows.items()]))
        else:
            columns = list(dict.fromkeys(key for row in rows for key in row))
            head = [kind if column == "name" else column.replace("_", " ") for column in columns]
            tables.append(_markdown(head, [[row.get(column, "") for column in columns] for row in rows]))
    return "\n".join(tables)


def _markdown(head: list[str], rows: list[list[Any]]) -> str:
    lines = [head, ["---"] * len(head), *([_cell(value) for value in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _cell(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_cell(item) for item in value)
    if isinstance(value, dict):
        return ", ".join(f"{key} {_cell(item)}" for key, item in value.items())
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value).replace("|", "\\|")


def rules(name: str) -> str:
    """RULES.md with its tables of components made anew."""
    text = rules_path(name).read_text(encoding="utf-8")
    head, rest = text.split(BEGIN, 1)
    return f"{head}{BEGIN}{components(name)}{END}{rest.split(END, 1)[1]}"


def layouts(name: str) -> str:
    """The page of actions and observations."""
    game = find(name)
    return f"""# {game.title}: actions and observations

Made by `python tests/make_pages.py` from the layouts in `envs/{name}/state.py`; the rules are in
[RULES.md](../envs/{name}/RULES.md).

## {game.num_actions} actions

{game.actions.table()}

## {game.num_features} observed numbers

Seats (and what belongs to them) are listed from the observer's own on, in turn order. Each block is divided by its
unit, given in `state.py`.

{game.observation.table()}
"""


if __name__ == "__main__":
    for chosen in sys.argv[1:] or names():
        rules_path(chosen).write_text(rules(chosen), encoding="utf-8")
        layouts_path(chosen).write_text(layouts(chosen), encoding="utf-8")
