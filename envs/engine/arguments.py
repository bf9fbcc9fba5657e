"""What is given to an environment, checked here for all of them: seeds, limits, reward modes, actions."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from .errors import BadOption
from .game import LIMITS, REWARDS, Game

_SEED_LIMIT = 1 << 64


def whole(value: Any) -> int | None:
    """`value` as an int if it is a whole number of any kind (True is none), else None."""
    try:
        return None if isinstance(value, (bool, np.bool_)) else operator.index(value)
    except TypeError:
        return None


def check_seed(seed: Any) -> int:
    """`seed` as an int.

    Raises:
        BadOption: it is not a whole number from 0 to 2**64 - 1.
    """
    number = whole(seed)
    if number is None or not 0 <= number < _SEED_LIMIT:
        raise BadOption(f"seed={seed!r}: give a whole number from 0 to 2**64 - 1")
    return number


def check_whole(name: str, value: Any, low: int) -> int:
    """`value` of the argument `name` as an int.

    Raises:
        BadOption: it is not a whole number from `low` to 2**31 - 1.
    """
    number = whole(value)
    if number is None or not low <= number < 2**31:
        raise BadOption(f"{name}={value!r}: give a whole number from {low} to {2**31 - 1:,}")
    return number


def check_limit(max_cycles: Any) -> int | None:
    """`max_cycles` as an int, or None for the rulebook's own.

    Raises:
        BadOption: it is not a positive whole number.
    """
    if max_cycles is None:
        return None
    number = whole(max_cycles)
    if number is None or not 1 <= number < 2**31:
        raise BadOption(f"max_cycles={max_cycles!r}: give a positive whole number of decisions, or None")
    return number


def check_reward(reward: Any) -> int:
    """The number of a reward mode.

    Raises:
        BadOption: there is no such mode.
    """
    if not isinstance(reward, str) or reward not in REWARDS:
        raise BadOption(f"reward={reward!r}: choose one of {', '.join(REWARDS)}")
    return REWARDS.index(reward)


def check_at_limit(at_limit: Any) -> bool:
    """Whether a game is decided at its limit, as it stands there, rather than truncated.

    Raises:
        BadOption: it is neither "truncate" nor "decide".
    """
    if not isinstance(at_limit, str) or at_limit not in LIMITS:
        raise BadOption(f"at_limit={at_limit!r}: choose one of {', '.join(LIMITS)}")
    return at_limit == "decide"


def why_illegal(game: Game, s: Any, mask: np.ndarray, action: Any, said: bool = False) -> str:
    """One line: which seat, which action (a number, or words that were `said`), and what would be legal."""
    seat = f"player_{s['seat']}"
    legal = np.flatnonzero(mask)
    if not len(legal):
        return f"{seat} cannot play {action}: the game is over"
    words = [f"{a} ({game.action_text(s, int(a))})" for a in legal[:6]]
    more = f" and {len(legal) - 6} more" if len(legal) > 6 else ""
    right = f"legal now: {', '.join(words)}{more}"
    if said:
        return f"{seat} cannot play {action!r}: no legal action is called that; {right}"
    number = whole(action)
    if number is None:
        return f"{seat} cannot play {action!r}: an action is a whole number; {right}"
    if not 0 <= number < game.num_actions:
        return f"{seat} cannot play {number}: actions run from 0 to {game.num_actions - 1}; {right}"
    return f"{seat} cannot play {number} ({game.actions.name(number)}) now; {right}"
