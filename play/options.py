"""Options of a game on the command line: ``--option units=2``, as often as needed."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from agezoo.envs import BadOption, Game

_BOTH = {"true": 1, "yes": 1, "on": 1, "false": 0, "no": 0, "off": 0}


def add(sub: argparse.ArgumentParser) -> None:
    """Have a command take ``--option``."""
    sub.add_argument(
        "--option",
        action="append",
        default=[],
        dest="options",
        metavar="NAME=VALUE",
        help="an option of the game, such as units=2; may be repeated (docs/options.md lists them)",
    )


def read(game: Game, words: Sequence[str]) -> dict[str, Any]:
    """The options that were typed, by name.

    Args:
        game: whose options they are.
        words: each ``NAME=VALUE``.

    Raises:
        BadOption: not of that form, twice the same, unknown, or a value outside its range.
    """
    known = {option.name: option for option in game.options}
    found: dict[str, Any] = {}
    for word in words:
        name, mark, text = (part.strip() for part in word.partition("="))
        if not (name and mark and text):
            example = f"{game.options[0].name}={game.options[0].default}" if game.options else "NAME=VALUE"
            raise BadOption(f"--option {word!r}: write NAME=VALUE, such as {example}")
        if name in found:
            raise BadOption(f"--option {word!r}: {name} is given twice")
        if name not in known:
            game.prototype(None, {name: text})  # says which there are
        option = known[name]
        value = text if option.choices else _number(text, (option.low, option.high) == (0, 1))
        found[name] = option.decode(option.encode(value))
    return found


def _number(text: str, both: bool) -> int | str:
    """The whole number in `text`, or yes or no where there are just `both`; `text` itself where it is neither."""
    if both and text.lower() in _BOTH:
        return _BOTH[text.lower()]
    try:
        return int(text)
    except ValueError:
        return text
