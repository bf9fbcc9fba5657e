"""Many tables of one rulebook, stepped in one compiled call, into arrays that nobody reallocates (PufferLib's idea)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np

from . import table
from .arguments import check_at_limit, check_limit, check_reward, check_seed, why_illegal
from .chance import table_seed
from .compile import new_tables, plain
from .errors import BadOption, IllegalAction
from .game import Game
from .players import greedy_actions, random_actions


class Batch:
    """`num_envs` tables that advance together, one decision each a step.

    A table that ends is dealt anew at once: its ``done`` (or ``truncated``), ``reward`` and ``scores`` tell of the
    game that ended, its observation and mask of the new one. Table i of a batch reset with `seed` is the AEC
    environment reset with ``batch.seeds[i]``, byte for byte. The arrays are the batch's own and change in place.

    Args:
        game: the rulebook.
        num_envs: how many tables (N).
        seed: 0 to 2**64 - 1.
        num_players: seats at every table, or a sequence of seat counts that the tables take in turn.
        reward: "win", "rank" or "score".
        max_cycles: decisions after which a game is over; None for the rulebook's own limit.
        at_limit: "truncate" a game there (``truncated``, no reward), or "decide" it: it is ``done`` and rewarded as it
            stands.
        play_forced: play a decision with one legal action without asking.
        threads: slices of the batch that run at the same time.
        **options: the rulebook's options.

    Attributes:
        observation: float32 (N, F), what the seat to act sees.
        action_mask: bool (N, A), what it may do.
        seat: int8 (N,), the seat to act.
        reward: float32 (N, P), rewards of the last step; P is the largest seat count.
        done, truncated: bool (N,), the table ended in the last step, by rule or at its limit.
        scores: float32 (N, P), points when a table last ended.
        places: int8 (N, P), places when a table last ended, 1 first.
        seeds: uint64 (N,), what each table was dealt from.

    Raises:
        BadOption: an argument is outside its range.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        seed: int = 0,
        num_players: int | Sequence[int] | None = None,
        reward: str = "win",
        max_cycles: int | None = None,
        play_forced: bool = True,
        threads: int = 1,
        at_limit: str = "truncate",
        **options: Any,
    ) -> None:
        for name, number in (("num_envs", num_envs), ("threads", threads)):
            if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or number < 1:
                raise BadOption(f"{name}={number!r}: give a positive whole number")
        self.game = game
        self._prototypes = game.prototypes(num_players, options)
        self.num_envs = int(num_envs)
        self._states = new_tables(self.num_envs, game.state)
        self.run = table.Run(
            game,
            self.num_envs,
            shown=True,
            limit=check_limit(max_cycles),
            kind=check_reward(reward),
            play_forced=bool(play_forced),
            decide=check_at_limit(at_limit),
        )
        seats = int(self._prototypes["num_players"].max())
        self.observation, self.action_mask, self.seat = self.run.observation, self.run.shown, self.run.seat
        outcome = self.run.outcome.view(np.ndarray)
        self.reward, self.scores, self.places = (
            outcome[name][:, :seats] for name in ("reward", "points", "places")
        )
        self.done, self.truncated = outcome["done"], outcome["truncated"]
        self.seeds = np.zeros(self.num_envs, np.uint64)
        self._deal_all = game.compiled(table.deal_all)
        self._slices = _slices(self.num_envs, min(int(threads), self.num_envs))
        self._pool = ThreadPoolExecutor(len(self._slices)) if len(self._slices) > 1 else None
        self.reset(seed)

    def reset(self, seed: int = 0) -> None:
        """Deal every table anew.

        Raises:
            BadOption: `seed` is no whole number from 0 to 2**64 - 1.
        """
        base = np.uint64(check_seed(seed))
        for i in range(self.num_envs):
            self.seeds[i] = plain(table_seed)(base, i)
        self._deal_all(self._states, self.run.all, self._prototypes, self.seeds, False)
        self.reward[:] = 0
        self.scores[:] = 0
        self.places[:] = 0
        self.done[:] = False
        self.truncated[:] = False
        self.run.refresh(self._states, dealt=True)

    def step(self, actions: np.ndarray) -> None:
        """Play one action at each table.

        Args:
            actions: integers (N,).

        Raises:
            IllegalAction: one of them is not legal; no table has moved.
            BadOption: the shape or dtype is wrong.
        """
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise BadOption(
                f"actions: give {self.num_envs} integers, got shape {actions.shape} and dtype {actions.dtype}"
            )
        actions = actions.astype(np.int64, copy=False)
        bad = table.first_illegal(self.run.mask, actions)
        if bad >= 0:
            s, mask = self.game.record(self._states, bad), self.run.mask[bad]
            raise IllegalAction(f"table {bad}: {why_illegal(self.game, s, mask, actions[bad])}")
        self._each(self._step_slice, actions)

    def _step_slice(self, part: slice, actions: np.ndarray) -> None:
        if self.run.step(self._states, actions[part], self.run.all[part]) & (table.ENDED | table.CUT):
            ended = part.start + np.flatnonzero(self.done[part] | self.truncated[part])
            self._deal_all(self._states, ended, self._prototypes, self.seeds, True)
            self.run.refresh(self._states, dealt=True, where=ended)

    def _each(self, work: Callable[..., None], *args: Any) -> None:
        """Run `work` on every slice of the tables, at the same time where there are several."""
        self._at_once(self._slices, work, *args)

    def _at_once(self, parts: Sequence[slice], work: Callable[..., None], *args: Any) -> None:
        if self._pool is None or len(parts) == 1:
            for part in parts:
                work(part, *args)
        else:
            for job in [self._pool.submit(work, part, *args) for part in parts]:
                job.result()

    def random_actions(
        self, rng: np.ndarray, out: np.ndarray | None = None, where: np.ndarray | None = None
    ) -> np.ndarray:
        """A uniformly random legal action at each table.

        Args:
            rng: uint64 (N,), states of the generators, one a table; advanced in place.
            out: int64 (K,), where to put the actions; None for a new array.
            where: int64 (K,), the tables to choose at, none of them twice; None for all of them in order.

        Returns:
            `out`.
        """
        return self._choose(
            lambda tables, actions: random_actions(self.run.mask, rng, tables, actions), out, where
        )

    def greedy_actions(
        self, rng: np.ndarray, out: np.ndarray | None = None, where: np.ndarray | None = None
    ) -> np.ndarray:
        """The greedy player's action at each table; arguments as for `random_actions`."""
        choose = self.game.compiled(greedy_actions)
        return self._choose(
            lambda tables, actions: choose(self._states, self.run.mask, rng, tables, actions), out, where
        )

    def _choose(
        self,
        choose: Callable[[np.ndarray, np.ndarray], None],
        out: np.ndarray | None,
        where: np.ndarray | None,
    ) -> np.ndarray:
        tables = self.run.all if where is None else np.asarray(where, np.int64)
        if len(tables) and not 0 <= tables.min() <= tables.max() < self.num_envs:
            raise BadOption(f"where: this batch has tables 0 to {self.num_envs - 1}")
        actions = np.empty(len(tables), np.int64) if out is None else out
        parts = self._slices if where is None else _slices(len(tables), len(self._slices))
        self._at_once(parts, lambda part: choose(tables[part], actions[part]))
        return actions


def _slices(total: int, parts: int) -> list[slice]:
    ends = np.linspace(0, total, parts + 1).astype(int).tolist()
    return [slice(a, b) for a, b in pairwise(ends)]
