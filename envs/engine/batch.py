"""Many tables of one rulebook, stepped in one compiled call, into arrays that nobody reallocates (PufferLib's idea)."""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from . import position, table
from .arguments import check_at_limit, check_limit, check_reward, check_seed, check_whole, whole, why_illegal
from .chance import table_seed
from .compile import copied, new_tables, plain
from .errors import BadOption, BadPosition, IllegalAction
from .game import REWARDS, Game
from .montecarlo import montecarlo_actions
from .players import greedy_actions, random_actions

if TYPE_CHECKING:
    from .aec import TableEnv

#: Arrays of a batch that a step writes into; they lie in those of its `table.Run`.
SHOWN = (
    "observation", "action_mask", "seat", "reward", "scores", "places", "done", "truncated", "at_limit",
)  # fmt: skip
#: Of one batch in one process: made anew for copies and pickles.
_BOUND = {"run", *SHOWN, "_deal_all", "_pool", "_pool_of", "_states", "_prototypes"}


class Batch:
    """`num_envs` tables that advance together, one decision each a step.

    A table that ends is dealt anew at once: its ``done`` (or ``truncated``), ``reward`` and ``scores`` tell of the
    game that ended, its observation and mask of the new one. Table i of a batch reset with `seed` is the AEC
    environment reset with ``batch.seeds[i]``, byte for byte. The arrays are the batch's own and change in place.
    `copy.deepcopy` and pickles are the same tables with the same future.

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
        threads: slices of the batch that run at the same time; the threads are started by the first step of a process.
        **options: the rulebook's options.

    Attributes:
        observation: float32 (N, F), what the seat to act sees.
        action_mask: bool (N, A), what it may do; may be overwritten, legality is judged by another.
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
        self._terms = {
            "limit": check_limit(max_cycles),
            "kind": check_reward(reward),
            "play_forced": bool(play_forced),
            "decide": check_at_limit(at_limit),
        }
        self._slices = _slices(self.num_envs, min(int(threads), self.num_envs))
        self.seeds = np.zeros(self.num_envs, np.uint64)
        self._bind()
        self.reset(check_seed(seed))

    def _bind(self) -> None:
        """Make what belongs to this batch and this process alone: the arrays, the compiled code, no threads yet."""
        self.run = table.Run(self.game, self.num_envs, shown=True, **self._terms)
        self.observation, self.action_mask, self.seat = self.run.observation, self.run.shown, self.run.seat
        outcome, seats = self.run.outcome.view(np.ndarray), int(self._prototypes["num_players"].max())
        self.reward, self.scores, self.places = (
            outcome[name][:, :seats] for name in ("reward", "points", "places")
        )
        self.done, self.truncated, self.at_limit = (
            outcome[name] for name in ("done", "truncated", "at_limit")
        )
        self._deal_all = self.game.compiled(table.deal_all)
        self._pool: ThreadPoolExecutor | None = None
        self._pool_of = 0  # the process that it belongs to

    @property
    def states(self) -> np.ndarray:
        """The tables themselves, for kernels: shape (N,), dtype ``game.state``.

        Who writes into them calls `refresh` then; `load` is the safe way.
        """
        return self._states

    def refresh(self) -> None:
        """Bring observations, masks and seats up to date with `states`, after something was written into them."""
        self.run.refresh(self._states)

    def reset(self, seed: int | None = None) -> None:
        """Deal every table anew.

        Args:
            seed: 0 to 2**64 - 1; None goes on from the seeds of the last tables, each as if its game had ended.

        Raises:
            BadOption: `seed` is no whole number from 0 to 2**64 - 1.
        """
        if seed is not None:
            base = np.uint64(check_seed(seed))
            for i in range(self.num_envs):
                self.seeds[i] = plain(table_seed)(base, i)
        self._deal_all(self._states, self.run.all, self._prototypes, self.seeds, seed is None)
        self.run.outcome[:] = np.zeros(1, table.OUTCOME)
        self.run.refresh(self._states, dealt=True)

    def position(self, i: int, agent: str | None = None) -> dict[str, Any]:
        """Table `i` as a JSON-able dict: whole, or with all that `agent` cannot know redrawn (see position.py).

        Raises:
            BadOption: there is no such table, or no such agent at it.
        """
        number = whole(i)
        if number is None or not 0 <= number < self.num_envs:
            raise BadOption(f"table {i!r}: this batch has tables 0 to {self.num_envs - 1}")
        states = copied(self._states[number : number + 1])
        if agent is None:
            return position.dump(self.game, states)
        agents = [f"player_{seat}" for seat in range(int(states["num_players"][0]))]
        if agent not in agents:
            raise BadOption(f"agent {agent!r}: this table has {', '.join(agents)}")
        return position.dump_view(self.game, states, agents.index(agent))

    def load(
        self,
        positions: Mapping[str, Any] | str | Sequence[Mapping[str, Any] | str],
        where: Sequence[int] | np.ndarray | None = None,
        seed: int | None = None,
    ) -> None:
        """Go on from positions (dicts or JSON texts).

        Nothing was won or lost by that: `reward`, `scores`, `done` and so on of these tables are cleared. When such a
        game ends, the table is dealt anew as the others are, from the seed that follows.

        Args:
            positions: one for each of the tables, or one for all of them.
            where: the tables, none of them twice; None for all.
            seed: gives each table a future of its own; None leaves it the one of its position.

        Raises:
            BadPosition: one is no table of this game, has too many seats, or its game is over; no table has changed.
            BadOption: there are not as many positions as tables, or no such table.
        """
        tables = self.run.all if where is None else np.asarray(where, np.int64).reshape(-1)
        self._known(tables)
        if len(np.unique(tables)) < len(tables):
            raise BadOption("where: a table is named twice")
        one = isinstance(positions, (Mapping, str))
        given: list[Any] = [positions] * len(tables) if one else list(positions)
        if len(given) != len(tables):
            raise BadOption(f"positions: {len(given)} given for {len(tables)} tables")
        loaded = new_tables(len(tables), self.game.state)
        for j, i in enumerate(tables):
            try:
                loaded[j] = self._loaded(given[j])[0]
            except BadPosition as error:
                raise BadPosition(f"table {i}: {error}") from None
        if seed is not None:
            base = np.uint64(check_seed(seed))
            loaded["rng"] = [plain(table_seed)(base, int(i)) for i in tables]
        for j, i in enumerate(tables):
            self._states[i] = loaded[j]
            self.run.outcome[i] = np.zeros(1, table.OUTCOME)[0]
        self.run.refresh(self._states, where=tables)

    def table(self, i: int) -> TableEnv:
        """Table `i` as an environment of its own, to be looked at and played on with: a copy, played as it is here.

        Raises:
            BadOption: there is no such table.
        """
        from .aec import TableEnv

        number = whole(i)
        if number is None or not 0 <= number < self.num_envs:
            raise BadOption(f"i={i!r}: this batch has tables 0 to {self.num_envs - 1}")
        run, states = self.run, copied(self._states[number : number + 1])
        env = TableEnv(
            self.game,
            int(states["num_players"][0]),
            reward=REWARDS[run.kind],
            max_cycles=run.limit,
            play_forced=run.play_forced,
            at_limit="decide" if run.decide else "truncate",
        )
        env._start_at(states)
        return env

    def _loaded(self, where: Any) -> np.ndarray:
        states = position.load(self.game, where)
        seats = self.reward.shape[1]
        if states["num_players"][0] > seats:
            raise BadPosition(
                f"position: num_players is {states['num_players'][0]}, this batch has room for {seats}"
            )
        if self.run.is_over(states):
            raise BadPosition("position: the game is over there")
        return states

    def clone(self) -> Self:
        """A batch of its own with the same tables and the same future; nothing that changes is shared."""
        return copy.deepcopy(self)

    def __copy__(self) -> Self:
        return copy.deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        kept = {name: value for name, value in self.__dict__.items() if name not in _BOUND}
        kept["_arrays"] = [
            array.view(np.ndarray) for array in (self._states, self._prototypes, *self.run.arrays)
        ]
        return kept

    def __setstate__(self, kept: dict[str, Any]) -> None:
        states, prototypes, *arrays = kept.pop("_arrays")
        self.__dict__.update(kept)
        self._states = new_tables(self.num_envs, self.game.state)
        self._prototypes = new_tables(len(prototypes), self.game.state)
        self._states[:], self._prototypes[:] = states, prototypes
        self._bind()
        room: tuple[np.ndarray, ...] = self.run.arrays
        for mine, other in zip(room, arrays, strict=True):
            mine[:] = other

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
        if len(self._slices) == 1 or len(parts) == 1:
            for part in parts:
                work(part, *args)
            return
        if (
            self._pool is None or self._pool_of != os.getpid()
        ):  # the threads of a parent are not in its children
            self._pool, self._pool_of = ThreadPoolExecutor(len(self._slices)), os.getpid()
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

    def montecarlo_actions(
        self,
        rng: np.ndarray,
        simulations: int,
        depth: int,
        out: np.ndarray | None = None,
        where: np.ndarray | None = None,
    ) -> np.ndarray:
        """The Monte Carlo player's action at each table (engine/montecarlo.py).

        Args:
            rng: as for `random_actions`.
            simulations: the most that it makes for an action, at least 1.
            depth: decisions after which each is judged by the game's `value`, at least 0.
            out: as for `random_actions`.
            where: as for `random_actions`.

        Raises:
            BadOption: a number outside its range.
        """
        simulations, depth = check_whole("simulations", simulations, 1), check_whole("depth", depth, 0)
        choose = self.game.compiled(montecarlo_actions)
        return self._choose(
            lambda tables, actions: choose(
                self._states, self.run.mask, rng, tables, simulations, depth, actions
            ),
            out,
            where,
        )

    def _known(self, tables: np.ndarray) -> None:
        if len(tables) and not 0 <= tables.min() <= tables.max() < self.num_envs:
            raise BadOption(f"where: this batch has tables 0 to {self.num_envs - 1}")

    def _choose(
        self,
        choose: Callable[[np.ndarray, np.ndarray], None],
        out: np.ndarray | None,
        where: np.ndarray | None,
    ) -> np.ndarray:
        tables = self.run.all if where is None else np.asarray(where, np.int64)
        self._known(tables)
        actions = np.empty(len(tables), np.int64) if out is None else out
        parts = self._slices if where is None else _slices(len(tables), len(self._slices))
        self._at_once(parts, lambda part: choose(tables[part], actions[part]))
        return actions


def _slices(total: int, parts: int) -> list[slice]:
    ends = np.linspace(0, total, parts + 1).astype(int).tolist()
    return [slice(a, b) for a, b in pairwise(ends)]
