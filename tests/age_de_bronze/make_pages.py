"""Write what pages say about layouts and components anew: python tests/age_de_bronze/make_pages.py.

The table of components in RULES.md and the whole of docs/age_de_bronze.md are made from the code, so that they cannot
drift; test_pages.py fails when this was not run after a change.
"""

from __future__ import annotations

from pathlib import Path

from agezoo.envs import age_de_bronze_v0
from agezoo.envs.age_de_bronze.components import TABLE

ROOT = Path(__file__).resolve().parents[2]
RULES = ROOT / "envs" / "age_de_bronze" / "RULES.md"
LAYOUTS = ROOT / "docs" / "age_de_bronze.md"
BEGIN, END = "writes this table -->\n", "<!-- end of components -->"


def components() -> str:
    """components.toml as Markdown tables."""
    lines = ["| card | deck | kind | number | source |", "| --- | --- | --- | --- | --- |"]
    lines += [
        f"| {c['name']} | {c['deck']} | {c['kind']} | {c['count']} | {c['source']} |" for c in TABLE["card"]
    ]
    lines += ["", "| nation | deity | power | source |", "| --- | --- | --- | --- |"]
    lines += [f"| {n['name']} | {n['deity']} | {n['power']} | {n['source']} |" for n in TABLE["nation"]]
    lines += ["", "| number | value |", "| --- | --- |"]
    lines += [f"| `{name}` | {value} |" for name, value in TABLE["numbers"].items()]
    return "\n".join(lines) + "\n"


def rules() -> str:
    """RULES.md with its table of components made anew."""
    text = RULES.read_text(encoding="utf-8")
    head, rest = text.split(BEGIN, 1)
    return f"{head}{BEGIN}{components()}{END}{rest.split(END, 1)[1]}"


def layouts() -> str:
    """The page of actions and observations."""
    game = age_de_bronze_v0.game
    return f"""# {game.title}: actions and observations

Made by `python tests/age_de_bronze/make_pages.py` from the layouts in `envs/age_de_bronze/state.py`; the rules are in
[RULES.md](../envs/age_de_bronze/RULES.md).

## {game.num_actions} actions

{game.actions.table()}

## {game.num_features} observed numbers

Nations are listed from the observer's own on, in turn order. Each block is divided by its unit, given in `state.py`.

{game.observation.table()}
"""


if __name__ == "__main__":
    RULES.write_text(rules(), encoding="utf-8")
    LAYOUTS.write_text(layouts(), encoding="utf-8")
