"""Many tables as one VecEnv of stable-baselines3: a learner at one seat of each, opponents at the others.

The compiled opponents play inside the same compiled call as the learner's step. Past selves, which are networks, are
asked in waves: all tables that wait for one of them at once, until every table is back at the learner.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium.spaces import Discrete
from stable_baselines3.common.vec_env import VecEnv

from agezoo.envs import BadOption, Game, IllegalAction
from agezoo.envs.engine.batch import check_limit, check_reward, check_seed, why_illegal
from agezoo.envs.engine.chance import next_seed, table_seed
from agezoo.envs.engine.compile import new_tables, plain, template
from agezoo.envs.engine.game import MAX_SEATS
from agezoo.envs.engine.players import GREEDY, RANDOM, greedy_action, pick, random_action
from agezoo.envs.engine.table import deal, first_illegal, grade, look, settle, standing

if TYPE_CHECKING:
    apply: Any  # the rulebook's, which `specialize` puts in place
    cut: Any

PAST = 2
KINDS = ("random", "greedy", "past")

#: Actions (K,) for observations float32 (K, F) and masks bool (K, A).
Chooser = Callable[[np.ndarray, np.ndarray], np.ndarray]


@template
def begin(
    states: Any,
    i: int,
    prototypes: Any,
    seeds: Any,
    rng: Any,
    learner: Any,
    kind: Any,
    shares: Any,
) -> None:
    """Deal table `i` from ``seeds[i]``; draw the learner's seat and who plays against it."""
    deal(states, i, prototypes, i % len(prototypes), seeds[i])
    learner[i] = pick(rng, i, states[i].num_players)
    at = pick(rng, i, 1 << 30) / (1 << 30)
    kind[i] = RANDOM
    while kind[i] < PAST and at >= shares[kind[i]]:
        kind[i] += 1


@template
def close(
    states: Any,
    i: int,
    learner: Any,
    reward_kind: int,
    points: Any,
    places: Any,
    paid: Any,
    reward: Any,
    done: Any,
    truncated: Any,
    final: Any,
    score: Any,
    place: Any,
) -> None:
    """The game is over for the learner: its reward, its standing and what it sees last."""
    s = states[i]
    seat = learner[i]
    standing(s, points, places)
    done[i] = True
    truncated[i] = not s.finished and s.eliminated[seat] == 0
    if not truncated[i]:
        grade(s.num_players, points, places, reward_kind, paid)
        reward[i] = paid[seat]
    score[i] = points[seat]
    place[i] = places[seat]
    look(states, i, seat, final[i])


@template
def play_on(
    states: Any,
    where: Any,
    actions: Any,
    prototypes: Any,
    seeds: Any,
    rng: Any,
    learner: Any,
    kind: Any,
    shares: Any,
    mask: Any,
    observation: Any,
    length: Any,
    reward: Any,
    done: Any,
    truncated: Any,
    final: Any,
    score: Any,
    place: Any,
    limit: int,
    reward_kind: int,
    play_forced: bool,
    waiting: Any,
) -> int:
    """Play ``actions[j]`` at table ``where[j]`` (none if negative), then run on until a network has to decide.

    That is the learner, or a past self: then the table goes into `waiting`. A table that ends, or loses its learner,
    is dealt anew; a game that is over before the learner decided anything does not count.

    Returns:
        How many tables are in `waiting`.
    """
    scratch = np.empty(2, states.dtype)
    points = np.zeros(MAX_SEATS, np.float32)
    paid = np.zeros(MAX_SEATS, np.float32)
    places = np.zeros(MAX_SEATS, np.int8)
    count = 0
    for j in range(len(where)):
        i = where[j]
        s = states[i]
        action = actions[j]
        if action >= 0:
            length[i] += s.seat == learner[i]
        while True:
            if action >= 0:
                apply(s, action)
                s.decisions += 1
            settle(s, mask[i], play_forced)
            if s.finished or s.decisions >= limit or cut(s) or s.eliminated[learner[i]] > 0:
                if length[i] > 0:
                    close(
                        states, i, learner, reward_kind, points, places, paid,
                        reward, done, truncated, final, score, place,
                    )  # fmt: skip
                seeds[i] = next_seed(seeds[i])
                begin(states, i, prototypes, seeds, rng, learner, kind, shares)
                length[i] = 0
                action = -1
            elif s.seat == learner[i] or kind[i] == PAST:
                look(states, i, s.seat, observation[i])
                if s.seat != learner[i]:
                    waiting[count] = i
                    count += 1
                break
            elif kind[i] == GREEDY:
                action = greedy_action(states, i, mask[i], scratch, rng, i)
            else:
                action = random_action(mask[i], rng, i)
    return count


@template
def begin_all(
    states: Any, prototypes: Any, seeds: Any, rng: Any, learner: Any, kind: Any, shares: Any
) -> None:
    """`begin` at every table."""
    for i in range(len(states)):
        begin(states, i, prototypes, seeds, rng, learner, kind, shares)


class VecTables(VecEnv):
    """`num_tables` tables with the learner at one seat of each, as a stable-baselines3 VecEnv.

    One step of an environment runs from one decision of the learner to its next. The learner's seat and the kind of
    its opponents (the same kind at all other seats of a table) are drawn anew for every deal. When the learner's game
    is over, knocked out or with the table, the table is dealt anew; the info of that step holds

    - ``terminal_observation`` and ``TimeLimit.truncated``, as stable-baselines3 expects;
    - ``episode``: reward ``r``, decisions of the learner ``l``, seconds since the start ``t``, as its Monitor does;
    - ``score``, ``place``, ``opponents`` ("random", "greedy" or "past"), ``seat``.

    Args:
        game: the rulebook.
        num_tables: tables (N).
        opponents: shares of "random", "greedy" and "past"; they add up to 1.
        seed: decides deals, dice, seats and the compiled opponents' moves.
        num_players: seats, or a sequence of seat counts that the tables take in turn; None for the rulebook's default.
        reward, max_cycles, play_forced: as for `Batch`.
        threads: slices of the tables that run at the same time.
        **options: the rulebook's options.

    Attributes:
        past: chooses for the opponents that are past selves; has to be set before the first reset if there are any.
        mask: bool (N, A), what the learner may do.
        observation: float32 (N, F), what it sees.
        learner: int64 (N,), its seat.
        kind: int64 (N,), index into `KINDS` of its opponents.
        seeds: uint64 (N,), what each table was dealt from.
        past_decisions, past_waves: decisions asked of past selves so far, and in how many calls.

    Raises:
        BadOption: an argument is outside its range.
    """

    def __init__(
        self,
        game: Game,
        num_tables: int,
        opponents: Mapping[str, float],
        seed: int = 0,
        num_players: int | Sequence[int] | None = None,
        reward: str = "win",
        max_cycles: int | None = None,
        play_forced: bool = True,
        threads: int = 1,
        **options: Any,
    ) -> None:
        self.game = game
        self.render_mode: str | None = None
        super().__init__(num_tables, game.observation_space(), Discrete(game.num_actions))
        self._prototypes = game.prototypes(num_players, options)
        self._limit = check_limit(max_cycles) or game.max_decisions
        self._reward_kind = check_reward(reward)
        self._play_forced = bool(play_forced)
        self._shares = _cumulative(opponents)
        self._seed = check_seed(seed)
        self.past: Chooser | None = None
        self.past_decisions = self.past_waves = 0
        self._allocate(num_tables)
        self._play_on = game.compiled(play_on)
        self._begin_all = game.compiled(begin_all)
        self._parts = [part for part in np.array_split(np.arange(num_tables), threads) if len(part)]
        self._pool = ThreadPoolExecutor(len(self._parts)) if len(self._parts) > 1 else None
        self._start = time.monotonic()
        self._actions = np.zeros(num_tables, np.int64)
        self._advance(np.zeros(0, np.int64), self._actions)  # compiles now rather than in the first step

    def _allocate(self, n: int) -> None:
        game = self.game
        self._states = new_tables(n, game.state)
        self._rng = np.zeros(n, np.uint64)
        self.seeds = np.zeros(n, np.uint64)
        self.learner = np.zeros(n, np.int64)
        self.kind = np.zeros(n, np.int64)
        self.mask = np.zeros((n, game.num_actions), np.bool_)
        self.observation = np.zeros((n, game.num_features), np.float32)
        self._final = np.zeros((n, game.num_features), np.float32)
        self._length = np.zeros(n, np.int64)
        self._reward = np.zeros(n, np.float32)
        self._done = np.zeros(n, np.bool_)
        self._truncated = np.zeros(n, np.bool_)
        self._score = np.zeros(n, np.float32)
        self._place = np.zeros(n, np.int8)
        self._waiting = np.zeros(n, np.int64)
        self._nothing: list[dict[str, Any]] = [{} for _ in range(n)]

    # -- the VecEnv API -----------------------------------------------------------------------------------------------

    def reset(self) -> np.ndarray:
        """Deal every table anew: observations float32 (N, F).

        The first time from the seed given, or from the one that `seed` set; later each time from another.
        """
        if self._seeds[0] is not None:
            self._seed = check_seed(self._seeds[0])
        base = np.uint64(self._seed)
        for i in range(self.num_envs):
            self.seeds[i] = plain(table_seed)(base, i)
            self._rng[i] = plain(table_seed)(~base, i)
        self._seed = int(plain(next_seed)(base))
        self._begin_all(
            self._states, self._prototypes, self.seeds, self._rng, self.learner, self.kind, self._shares
        )
        self._length[:] = 0
        self._clear()
        self._run(np.full(self.num_envs, -1, np.int64))
        self._reset_seeds()
        self._reset_options()
        return self.observation.copy()

    def step_async(self, actions: np.ndarray) -> None:
        """Take the learner's actions, integers (N,).

        Raises:
            IllegalAction: one of them is not legal; no table has moved.
        """
        actions = np.asarray(actions).astype(np.int64).reshape(self.num_envs)
        bad = first_illegal(self.mask, actions)
        if bad >= 0:
            why = why_illegal(self.game, self.game.record(self._states, bad), self.mask[bad], actions[bad])
            raise IllegalAction(f"table {bad}: {why}")
        self._actions = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Play them: observations, rewards, dones, infos; arrays of the caller's own."""
        self._clear()
        self._seats_before = self.learner.copy()
        self._kinds_before = self.kind.copy()
        self._lengths_before = self._length + 1
        self._run(self._actions)
        return self.observation.copy(), self._reward.copy(), self._done.copy(), self._infos()

    def action_masks(self) -> np.ndarray:
        """Bool (N, A), what the learner may do: all tables at once, without a trip to each."""
        return self.mask

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> Any:
        """The rows of `action_masks`, which is the one method that each table has of its own.

        Raises:
            AttributeError: another method is asked for.
        """
        if method_name != "action_masks":
            raise AttributeError(f"tables have no method {method_name!r}, only action_masks")
        return self.mask if indices is None else self.mask[list(self._get_indices(indices))]

    def has_attr(self, attr_name: str) -> bool:
        """Whether `get_attr` would find it."""
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The attribute, once for each table asked for."""
        value = getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute that all tables share.

        Raises:
            AttributeError: only some tables are named.
        """
        if indices is not None and len(list(self._get_indices(indices))) != self.num_envs:
            raise AttributeError(f"tables share {attr_name!r}: set it for all of them")
        setattr(self, attr_name, value)

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        """Nothing is wrapped around a table; episodes are counted as Monitor does, all the same."""
        return [wrapper_class.__name__ == "Monitor" for _ in self._get_indices(indices)]

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    # -- inside -------------------------------------------------------------------------------------------------------

    def _clear(self) -> None:
        self._reward[:] = 0
        self._done[:] = False
        self._truncated[:] = False

    def _run(self, actions: np.ndarray) -> None:
        """Play `actions` and everybody else's, until it is the learner's turn everywhere."""
        waiting = self._first_wave(actions)
        while len(waiting):
            if self.past is None:
                raise BadOption(
                    "opponents: there are past selves among them, set `past` before the first reset"
                )
            self.past_waves += 1
            self.past_decisions += len(waiting)
            chosen = self.past(self.observation[waiting], self.mask[waiting]).astype(np.int64, copy=False)
            waiting = self._advance(waiting, chosen)

    def _first_wave(self, actions: np.ndarray) -> np.ndarray:
        if self._pool is None:
            return self._advance(self._parts[0], actions)
        jobs = [self._pool.submit(self._advance, part, actions[part]) for part in self._parts]
        return np.concatenate([job.result() for job in jobs])

    def _advance(self, where: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """`play_on` at the tables `where`: those that wait for a past self now."""
        waiting = np.empty(len(where), np.int64)
        count = self._play_on(
            self._states,
            where,
            actions,
            self._prototypes,
            self.seeds,
            self._rng,
            self.learner,
            self.kind,
            self._shares,
            self.mask,
            self.observation,
            self._length,
            self._reward,
            self._done,
            self._truncated,
            self._final,
            self._score,
            self._place,
            self._limit,
            self._reward_kind,
            self._play_forced,
            waiting,
        )
        return waiting[:count]

    def _infos(self) -> list[dict[str, Any]]:
        infos = self._nothing.copy()
        now = round(time.monotonic() - self._start, 6)
        for i in np.flatnonzero(self._done).tolist():
            infos[i] = {
                "terminal_observation": self._final[i].copy(),
                "TimeLimit.truncated": bool(self._truncated[i]),
                "episode": {"r": float(self._reward[i]), "l": int(self._lengths_before[i]), "t": now},
                "score": float(self._score[i]),
                "place": int(self._place[i]),
                "opponents": KINDS[self._kinds_before[i]],
                "seat": int(self._seats_before[i]),
            }
        return infos


def _cumulative(opponents: Mapping[str, float]) -> np.ndarray:
    """Shares in the order of `KINDS`, added up; kinds without any share can never be drawn."""
    unknown: Iterable[str] = [name for name in opponents if name not in KINDS]
    for name in unknown:
        raise BadOption(f"opponents: {name!r} is unknown, choose {', '.join(KINDS)}")
    shares = np.array([float(opponents.get(name, 0)) for name in KINDS])
    if (shares < 0).any() or abs(shares.sum() - 1) > 1e-6:
        raise BadOption(f"opponents: shares {dict(opponents)} must not be negative and must add up to 1")
    added = shares.cumsum()
    added[added > 1 - 1e-9] = 1
    return added
