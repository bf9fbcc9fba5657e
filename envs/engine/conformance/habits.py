"""Players for the fuzz run: each with one habit, so that between them they come to tables that random play never sees.

They are no fair players: to find out what an action leads to, some of them try it on a copy of the true table.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from ..compile import spare, template
from ..errors import BadOption
from ..fields import MAX_SEATS
from ..game import Game
from ..players import greedy_action, pick, random_action

if TYPE_CHECKING:
    apply: Any
    value: Any


class Habit(IntEnum):
    """How a seat chooses."""

    RANDOM = 0  # anything, equally likely
    GREEDY = 1  # what looks best
    WORST = 2  # what looks worst
    FIRST = 3  # the legal action of the lowest number: the nearest, the cheapest, as layouts have it
    LAST = 4  # that of the highest number
    NEAREST = 5  # that whose number is nearest to its last one
    STICKY = 6  # one of the block of its last action, if there is any
    GOING_ON = 7  # one after which it is asked again, if it finds any: it never stops early
    PASSING = 8  # one after which another is asked, if it finds any: it passes whenever it can


WORDS = tuple(habit.name.lower().replace("_", "-") for habit in Habit)
TRIES = 6  # actions that are tried for what they lead to
SLIP = 8  # of so many decisions one is random, for those who slip at all
_NEVER = -1
_LEAST = -1e30


@template
def habitual_actions(states, mask, habits, slips, last, block_of, alone, rng, out):  # type: ignore[no-untyped-def]
    """An action for the seat to act at every table, after its habit.

    Args:
        states: tables (N,).
        mask: bool (N, num_actions), what is legal.
        habits: int8 (N, MAX_SEATS), the `Habit` of every seat.
        slips: bool (N,), whether the seats of this table forget their habit now and then.
        last: int64 (N, MAX_SEATS), the last action of every seat, or -1; brought up to date.
        block_of: int64 (num_actions,), the block of every action.
        alone: int64 (K,), actions that are a block of their own, as those that end a turn are.
        rng: uint64 (N,), generators, advanced.
        out: int64 (N,), the actions.
    """
    scratch = spare(states, 2)
    for i in range(len(states)):
        seat = int(states[i].seat)
        if slips[i] and pick(rng, i, SLIP) == 0:
            action = random_action(mask[i], rng, i)
        else:
            habit, before = int(habits[i, seat]), last[i, seat]
            action = habitual_action(states, i, mask[i], habit, before, block_of, alone, scratch, rng)
        last[i, seat] = action
        out[i] = action


@template
def habitual_action(states, i, mask, habit, last, block_of, alone, scratch, rng):  # type: ignore[no-untyped-def]
    """One action after one habit."""
    if habit == Habit.GREEDY:
        return greedy_action(states, i, mask, scratch, rng, i)
    if habit == Habit.WORST:
        return worst_action(states, i, mask, scratch)
    if habit == Habit.FIRST:
        return nearest_action(mask, 0)
    if habit == Habit.LAST:
        return nearest_action(mask, len(mask) - 1)
    if habit == Habit.NEAREST and last >= 0:
        return nearest_action(mask, last)
    if habit == Habit.STICKY and last >= 0:
        return action_of_block(mask, block_of, block_of[last], rng, i)
    if habit in (Habit.GOING_ON, Habit.PASSING):
        return action_that_leads(states, i, mask, habit == Habit.GOING_ON, alone, scratch, rng)
    return random_action(mask, rng, i)


@template
def worst_action(states, i, mask, scratch):  # type: ignore[no-untyped-def]
    """The action after which the table looks worst to the seat to act."""
    seat = int(states[i].seat)
    worst, chosen = -_LEAST, _NEVER
    for action in range(len(mask)):
        if mask[action]:
            scratch[0] = states[i]
            apply(scratch[0], action)
            worth = value(scratch[0], seat)
            if chosen < 0 or worth < worst:
                worst, chosen = worth, action
    return chosen


@template
def nearest_action(mask, wanted):  # type: ignore[no-untyped-def]
    """The legal action whose number is nearest to `wanted`."""
    for away in range(len(mask)):
        if wanted - away >= 0 and mask[wanted - away]:
            return wanted - away
        if wanted + away < len(mask) and mask[wanted + away]:
            return wanted + away
    return _NEVER


@template
def action_of_block(mask, block_of, wanted, rng, i):  # type: ignore[no-untyped-def]
    """A random legal action of the block `wanted`, or of any block if that has none."""
    count, chosen = 0, _NEVER
    for action in range(len(mask)):
        if mask[action] and block_of[action] == wanted:
            count += 1
            if pick(rng, i, count) == 0:
                chosen = action
    return chosen if chosen >= 0 else random_action(mask, rng, i)


@template
def action_that_leads(states, i, mask, on, alone, scratch, rng):  # type: ignore[no-untyped-def]
    """An action after which the same seat is asked again (`on`) or is not; any action if none is found."""
    seat = int(states[i].seat)
    for k in range(0 if on else len(alone)):
        if mask[alone[k]]:
            scratch[0] = states[i]
            apply(scratch[0], alone[k])
            if scratch[0].finished or scratch[0].seat != seat:
                return alone[k]
    action = _NEVER
    for _ in range(TRIES):
        action = random_action(mask, rng, i)
        scratch[0] = states[i]
        apply(scratch[0], action)
        if on == (not scratch[0].finished and scratch[0].seat == seat):
            return action
    return action


def habits_named(words: list[str]) -> list[Habit]:
    """The habits called so; all for none.

    Raises:
        BadOption: there is no such habit.
    """
    for word in words:
        if word not in WORDS:
            raise BadOption(f"habit {word!r}: choose among {', '.join(WORDS)}")
    return [Habit(WORDS.index(word)) for word in words] or list(Habit)


class Habits:
    """The seats of `num_tables` tables with their habits, drawn anew for every game.

    At every second table all seats share a habit, at the others each has its own; at half of them they slip now and
    then. Where all habits are asked for, the two that look through all actions come up less often.

    Args:
        game: the rulebook.
        num_tables: tables (N).
        seed: of all choices.
        habits: those to choose from.
    """

    def __init__(self, game: Game, num_tables: int, seed: int, habits: list[Habit]) -> None:
        self._of_game = np.random.default_rng(seed)
        rare = {Habit.GREEDY, Habit.WORST}
        often = [habit for habit in habits if habit not in rare] * 4
        self._drawn = np.array([*often, *(h for h in habits if h in rare)], np.int8)
        self._habits = np.zeros((num_tables, MAX_SEATS), np.int8)
        self._slips = np.zeros(num_tables, np.bool_)
        self._last = np.full((num_tables, MAX_SEATS), _NEVER, np.int64)
        blocks = game.actions.blocks
        self._block_of = np.repeat(np.arange(len(blocks)), [block.size for block in blocks])
        self._alone = np.flatnonzero(np.bincount(self._block_of)[self._block_of] == 1)
        self._rng = np.arange(num_tables, dtype=np.uint64) + np.uint64(seed)
        self._choose = game.compiled(habitual_actions)
        self.draw(np.arange(num_tables))

    def draw(self, tables: np.ndarray) -> None:
        """New seats for the games that begin at `tables`."""
        drawn = self._of_game.choice(self._drawn, (len(tables), MAX_SEATS))
        alike = self._of_game.random(len(tables)) < 0.5
        drawn[alike] = drawn[alike, :1]
        self._habits[tables] = drawn
        self._slips[tables] = self._of_game.random(len(tables)) < 0.5
        self._last[tables] = _NEVER

    def choose(
        self, states: np.ndarray, mask: np.ndarray, out: np.ndarray, tables: slice = slice(None)
    ) -> None:
        """Put an action for the seat to act at each table into `out` (int64 (N,)); `tables`: which of them it is."""
        of_tables = (self._habits[tables], self._slips[tables], self._last[tables])
        self._choose(states, mask, *of_tables, self._block_of, self._alone, self._rng[tables], out)
