"""What the studies here share: tables that are put into a page between two lines of it, and their command line."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from agezoo.envs import BadOption
from agezoo.envs.engine.montecarlo import parse_name

FEW = 20  # Monte Carlo players play so many times fewer games


class Part:
    """The part of a page between two lines.

    Args:
        page: the file.
        start: the line before it, without its end.
        end: the line after it.

    Raises:
        SystemExit: the page lacks them; made before anything is played, so that no hours are lost.
    """

    def __init__(self, page: Path, start: str, end: str) -> None:
        self.page, self.start, self.end = page, f"{start}\n", end
        self._around()

    def _around(self) -> tuple[str, str]:
        before, mark, rest = self.page.read_text(encoding="utf-8").partition(self.start)
        if not mark or self.end not in rest:
            raise SystemExit(f"{self.page.name} has no part between {self.start.strip()!r} and {self.end!r}")
        return before + mark, rest[rest.index(self.end) :]

    def write(self, text: str) -> None:
        """Put `text` there, instead of what there is."""
        before, after = self._around()
        self.page.write_text(f"{before}{text}\n{after}", encoding="utf-8")


def run_study(about: str, text: Callable[[str, int, int], str], page: Path, start: str, end: str) -> None:
    """The command line of a study of players that all play alike.

    Args:
        about: what it is about, in its first line.
        text: the tables for a player, so many games, a seed.
        page: where `--write` puts them, as for `Part`.
        start: as for `Part`.
        end: as for `Part`.
    """
    parser = argparse.ArgumentParser(description=about.split("\n", maxsplit=1)[0])
    parser.add_argument(
        "--player", nargs="+", default=["greedy"], help="greedy, montecarlo:N; default greedy"
    )
    parser.add_argument("--games", type=int, default=4000, help=f"1 of {FEW} for Monte Carlo")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help=f"put the tables into {page.name}")
    given = parser.parse_args()
    part = Part(page, start, end) if given.write else None
    try:
        for player in given.player:
            _ = player == "greedy" or parse_name(player)
    except BadOption as error:
        parser.error(str(error))
    tables = []
    for player in given.player:
        few = 1 if player == "greedy" else FEW
        tables.append(text(player, max(1, given.games // few), given.seed))
        print(tables[-1], end="\n\n", flush=True)
    if part is not None:
        part.write("\n" + "\n\n".join(tables) + "\n")
