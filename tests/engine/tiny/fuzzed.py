"""Broken tiny games for the fuzz runs; run as a program, uncompiled, it prints as JSON what is found in each."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import tiny
from agezoo.envs.engine import fuzz
from agezoo.envs.engine.conformance.edited import Edited
from agezoo.envs.engine.game import Game, _no_check
from tiny import ACT, STAYS, SWAPS
from tiny.broken import but, but_field


def check_loosely(s: Any) -> None:
    """Takes tables at which more cards lie open than were swapped."""
    try:
        tiny.check(s)
    except ValueError as error:
        if "more than were swapped" not in str(error):
            raise


def apply_reads_beside(s: Any, action: int) -> None:
    """Sound in play, where no more cards lie open than were swapped; an edit may lay one more."""
    tiny.apply(s, action)
    s.won[5 + s.open.sum() - (s.choice == SWAPS).sum()] += 0


def apply_never_ends(s: Any, action: int) -> None:
    if s.phase == ACT and s.open.sum() > (s.choice == SWAPS).sum() and s.choice[s.seat] == STAYS:
        s.peeked = False
        return
    tiny.apply(s, action)


def apply_loses_a_card(s: Any, action: int) -> None:
    tiny.apply(s, action)
    if s.phase == ACT and s.open.sum() > (s.choice == SWAPS).sum():
        s.open[0] = 0
        s.deck[0] = 0


def determinize_loses_a_card(s: Any, seat: int) -> None:
    tiny.determinize(s, seat)
    if s.open.sum() > (s.choice == SWAPS).sum():
        s.deck[:] = 0


NEIGHBOURS: list[Any] = []


def edited(game: Game) -> list[str]:
    """What a run over edited tables tells."""
    told: list[str] = []
    Edited(game, 3, {}, 1, told.append).run(2000)
    return told


def beside() -> list[str]:
    """A run in which playing at a table writes into the one before it."""
    told: list[str] = []

    def apply(s: Any, action: int) -> None:
        tiny.apply(s, action)
        for tables in NEIGHBOURS:
            tables["won"][0, 5] = 1

    run = Edited(but(apply=apply), 3, {}, 1, told.append)
    NEIGHBOURS.append(run._tables)
    run.run(60)
    NEIGHBOURS.clear()
    return told


def fuzzed(game: Game) -> list[str]:
    """What a run over tables of play tells."""
    return fuzz.fuzz(game, 3000, [3], suite=False)[2][:1]


def refuse_late_tables(s: Any) -> None:
    """A check that refuses some tables of play, though only of those that are loaded as views."""
    tiny.check(s)
    if s["phase"] == ACT and int(s["rng"]) % 3 == 0:
        raise ValueError("state.rng cannot be divided by three")


CASES: dict[str, Callable[[], list[str]]] = {
    "nothing is checked": lambda: edited(but(check=_no_check)),
    "reads beside an array": lambda: edited(but(apply=apply_reads_beside, check=check_loosely)),
    "never ends": lambda: edited(but(apply=apply_never_ends, check=check_loosely)),
    "is refused later": lambda: edited(but(apply=apply_loses_a_card, check=check_loosely)),
    "a world is refused": lambda: edited(but(determinize=determinize_loses_a_card, check=check_loosely)),
    "a table beside is changed": beside,
    "a card is lost": lambda: fuzzed(but(apply=lambda s, action: (tiny.apply(s, action), s.open.fill(0))[0])),
    "a field leaves its range": lambda: fuzzed(but_field("won", high=0)),
    "a position does not load": lambda: fuzzed(but(check=refuse_late_tables)),
}

if __name__ == "__main__":
    print(json.dumps({name: case() for name, case in CASES.items()}))
