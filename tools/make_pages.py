"""Write what pages say about games anew, from the code: python tools/make_pages.py [NAME ...].

Made are the tables of components in each RULES.md, the whole of docs/<name>.md, and, whatever the names, the page
docs/options.md and the table of games in the README, so that they cannot drift. test_pages.py fails when this was not
run after a change.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

from agezoo.envs import Game, find, names
from agezoo.envs.engine.fields import Field
from agezoo.envs.engine.game import Option
from agezoo.envs.engine.markdown import table
from agezoo.play import cli

ROOT = Path(__file__).parent.parent
BEGIN = "<!-- components: python tools/make_pages.py writes this -->\n"
END = "<!-- end of components -->"
README = "<!-- agezoo games --markdown -->"
_MADE_AT = re.compile(r"<!-- components:[^\n]*-->\n")


def rules_path(name: str) -> Path:
    """RULES.md of a game."""
    return ROOT / "envs" / name / "RULES.md"


def layouts_path(name: str) -> Path:
    """Its page of actions and observations."""
    return ROOT / "docs" / f"{name}.md"


def options_path() -> Path:
    """The options of all games."""
    return ROOT / "docs" / "options.md"


def readme_path() -> Path:
    """The README."""
    return ROOT / "README.md"


def components(name: str) -> str:
    """components.toml as Markdown: a table of each array of tables, one of each table of numbers."""
    found = tomllib.loads((ROOT / "envs" / name / "components.toml").read_text(encoding="utf-8"))
    tables = []
    for kind, rows in found.items():
        if isinstance(rows, dict):
            tables.append(table([kind.rstrip("s"), "value"], [[f"`{k}`", v] for k, v in rows.items()]))
        else:
            columns = list(dict.fromkeys(key for row in rows for key in row))
            head = [kind if column == "name" else column.replace("_", " ") for column in columns]
            tables.append(table(head, [[row.get(column, "") for column in columns] for row in rows]))
    return "\n\n".join(tables) + "\n"


def rules(name: str) -> str:
    """RULES.md with its tables of components made anew."""
    text = rules_path(name).read_text(encoding="utf-8")
    marks = _MADE_AT.split(text)
    if len(marks) != 2 or END not in marks[1]:
        raise SystemExit(f"{rules_path(name)}: put the tables of components between two lines, {BEGIN}{END}")
    return f"{marks[0]}{BEGIN}{components(name)}{END}{marks[1].split(END, 1)[1]}"


def layouts(name: str) -> str:
    """The page of actions, observations, options and fields."""
    game = find(name)
    return f"""# {game.title}: actions and observations

Made by `python tools/make_pages.py` from `envs/{name}/`; the rules are in [RULES.md](../envs/{name}/RULES.md).

## {game.num_actions} actions

{game.actions.table()}

## {game.num_features} observed numbers

Seats (and what belongs to them) are listed from the observer's own on, in turn order. Each block is divided by its
unit, given in `state.py`.

{game.observation.table()}

## Options

{option_table(game.options) if game.options else "None."}

## Fields of a table

What `env.position()` holds. A field that is open to its owner has one entry (a row) for each seat. "Looked" means seats
that have seen it in the game, as another field tells.

{field_table(game.fields)}
"""


def option_table(options: Iterable[Option], *before: str) -> str:
    """Options as a Markdown table, with the cells `before` in front of each row."""
    head = [*(["game"] if before else []), "option", "default", "values", "meaning"]
    return table(head, [[*before, *_option(option)] for option in options])


def _option(option: Option) -> list[str]:
    if option.choices:
        values = ", ".join(f"`{choice}`" for choice in option.choices)
    elif (option.low, option.high) == (0, 1):
        values = "`true`, `false`"
    else:
        values = f"{option.low} to {option.high}" + (f" in steps of {option.step}" if option.step > 1 else "")
    default = option.decode(option.encode(option.default))
    both = not option.choices and (option.low, option.high) == (0, 1)
    return [
        f"`{option.name}`",
        f"`{('false', 'true')[int(default)] if both else default}`",
        values,
        option.doc,
    ]


def field_table(fields: Iterable[Field]) -> str:
    """Fields as a Markdown table."""
    rows = []
    for field in fields:
        low, high = field.range
        numbers = f"set of {field.bits}" if field.bits else f"{low} to {high}"
        meaning = field.doc + (
            f" (left out of observations, or in part: {field.unseen})" if field.unseen else ""
        )
        shape = " x ".join(map(str, field.axes)) or "1"
        rows.append([f"`{field.name}`", shape, numbers, field.sees, meaning])
    return table(["field", "shape", "values", "open to", "meaning"], rows, "<>>")


def options() -> str:
    """The page of all games' options."""
    parts = [
        """# Options

Made by `python tools/make_pages.py`. In Python an option is an argument:
`agezoo.envs.make("ages_of_war", units=2)`, and so for `make_batch`, `gymnasium.make` and `pettingzoo.make`. On the
command line it is `--option units=2`, for `agezoo play`, `arena` and `bench`; a record of a game holds its options, and
`agezoo replay` plays it with them. In a configuration for training it stands under `options:`. An agent is saved with
the options that it was trained with and plays with those by default."""
    ]
    parts += [f"## {game.title}\n\n{_of_game(game)}" for game in map(find, names())]
    return "\n\n".join(parts) + "\n"


def _of_game(game: Game) -> str:
    page = f"[Its page]({game.name}.md) has its actions and observations."
    return f"{option_table(game.options) if game.options else 'None.'}\n\n{page}"


def readme() -> str:
    """The README with its table of games made anew."""
    text = readme_path().read_text(encoding="utf-8")
    head, rest = text.split(README, 1)
    made = table(cli.GAMES_HEAD, cli.game_rows(), cli.GAMES_ALIGN)
    return f"{head}{README}\n{made}\n<!-- end -->{rest.split('<!-- end -->', 1)[1]}"


if __name__ == "__main__":
    for chosen in sys.argv[1:] or names():
        rules_path(chosen).write_text(rules(chosen), encoding="utf-8")
        layouts_path(chosen).write_text(layouts(chosen), encoding="utf-8")
    options_path().write_text(options(), encoding="utf-8")
    readme_path().write_text(readme(), encoding="utf-8")
