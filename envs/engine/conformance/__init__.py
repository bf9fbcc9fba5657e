"""The suite that every rulebook must pass, part of the package so that a new rulebook can use it.

    from agezoo.envs.engine import conformance
    conformance.run(game, num_players=3)                          # what holds at every table
    conformance.run_once(game, "tests/bronze/golden")             # what holds for the rulebook as a whole
    python -m agezoo.envs.engine.conformance bronze --decisions 1000000     # the fuzz run, see fuzz.py

Every check is a function of a rulebook, a number of seats, a seed and options; it plays random games and raises
`Broken`, which says what does not hold and gives the game as a record that replays. Same seed, same check.

What a determinized copy (a world) must be is held against play in three ways (hidden.py). Exactly: two tables that look
the same to a seat have the same worlds, for every seed, whatever is hidden in them; such pairs are a table and a world
of it played on alike, and a table and the same table with hidden things exchanged. And by number: tables dealt and
played by a policy that does not look at what is hidden are exchangeable with their worlds (`rejection`). Who may see a
field is held against who notices when it changes (sight.py).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..game import Game
from .actions import check_actions, check_words
from .facts import check_facts, check_options, check_positions, option_sets
from .golden import check_golden, golden_game, record_golden
from .hidden import check_blindness, check_calibration, check_worlds, rejection, surprise
from .invariants import check_components, check_observations, check_rewards, check_standing
from .peers import check_at_limit, check_gymnasium, check_max_cycles, check_pettingzoo
from .sameness import check_batch, check_copies, check_plain
from .sight import check_fields, check_secrets
from .tables import Broken, Check, act, live, need, play

__all__ = [
    "Broken",
    "Check",
    "act",
    "check_golden",
    "check_plain",
    "checks",
    "checks_once",
    "golden_game",
    "live",
    "need",
    "option_sets",
    "play",
    "record_golden",
    "rejection",
    "run",
    "run_once",
    "surprise",
]


def checks() -> dict[str, Check]:
    """What is checked for every number of seats: functions ``(game, num_players, seed, **options)`` by name."""
    return _named(
        check_actions, check_at_limit, check_batch, check_blindness, check_calibration, check_components,
        check_copies, check_facts, check_fields, check_gymnasium, check_max_cycles, check_observations,
        check_options, check_pettingzoo, check_positions, check_rewards, check_secrets, check_standing,
        check_words, check_worlds,
    )  # fmt: skip


def checks_once() -> dict[str, Check]:
    """What is checked once for a rulebook, with its usual number of seats."""
    return _named(check_plain)


def _named(*found: Check) -> dict[str, Check]:
    return {check.__name__.removeprefix("check_"): check for check in found}


def run(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> list[str]:
    """Run every check of `checks`; returns their names.

    Raises:
        Broken: the first that fails.
    """
    for check in checks().values():
        check(game, num_players, seed, **options)
    return list(checks())


def run_once(game: Game, golden: str | Path, seed: int = 0) -> list[str]:
    """Run every check of `checks_once`, and the golden games in the folder `golden`; returns their names.

    Raises:
        Broken: the first that fails.
    """
    for check in checks_once().values():
        check(game, None, seed)
    check_golden(game, golden)
    return [*checks_once(), "golden"]
