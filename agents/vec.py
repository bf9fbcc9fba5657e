"""Many tables as one VecEnv of stable-baselines3: a learner at one seat of each, opponents at the others.

The compiled opponents play inside the same compiled call as the learner's step. Earlier versions of the learner are
networks and asked in waves: all tables that wait for one of them at once, until every table is back at the learner.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from gymnasium.spaces import Discrete
from stable_baselines3.common.vec_env import VecEnv

from agezoo.envs import BadOption, Game, IllegalAction
from agezoo.envs.engine.arguments import check_at_limit, check_limit, check_reward, check_seed, why_illegal
from agezoo.envs.engine.chance import next_seed, table_seed
from agezoo.envs.engine.compile import new_tables, plain, spare, template
from agezoo.envs.engine.fields import MAX_SEATS
from agezoo.envs.engine.players import GREEDY, RANDOM, greedy_action, pick, random_action
from agezoo.envs.engine.table import deal, first_illegal, grade, look, over, play, settle, standing

from .base import AT_LIMIT, complete_options

SELF_PLAY = 2
KINDS = ("random", "greedy", "self_play")

#: Actions (K,) for observations float32 (K, F) and masks bool (K, A).
Chooser = Callable[[np.ndarray, np.ndarray], np.ndarray]


class Tables(NamedTuple):
    """Tables under way and what is known of each: arrays with a row for each table, changed in place.

    Attributes:
        states: the tables themselves.
        prototypes: tables before the deal, which they take in turn.
        seeds: uint64 (N,), what each was dealt from.
        rng: uint64 (N,), random numbers of its compiled players, and of who sits where.
        learner: int64 (N,), the seat of the learner.
        kind: int64 (N,), index into `KINDS` of its opponents.
        length: int64 (N,), decisions of the learner in the game so far.
        mask: bool (N, A), what the seat that a network plays may do.
        observation: float32 (N, F), what it sees.
    """

    states: Any
    prototypes: Any
    seeds: Any
    rng: Any
    learner: Any
    kind: Any
    length: Any
    mask: Any
    observation: Any


class Ends(NamedTuple):
    """What the last step came to for the learner at each table, all but `done` of use only where that is set.

    Attributes:
        reward: float32 (N,), 0 where nothing ended.
        done: bool (N,), its game is over.
        truncated: bool (N,), it was broken off at the limit.
        final: float32 (N, F), what it saw last.
        score: float32 (N,), its points.
        place: int8 (N,), its place.
    """

    reward: Any
    done: Any
    truncated: Any
    final: Any
    score: Any
    place: Any


class Terms(NamedTuple):
    """How all tables are played.

    Attributes:
        shares: float64 (kinds,), shares of the tables by kind of opponents, added up.
        limit: decisions after which a game ends.
        decide: the standing at the limit is the result, rather than no result.
        reward_kind: index into `REWARDS`.
        play_forced: decisions with one legal action are played without asking.
    """

    shares: Any
    limit: int
    decide: bool
    reward_kind: int
    play_forced: bool


@template
def begin(tables: Any, terms: Any, i: int) -> None:
    """Deal table `i` from its seed; draw the learner's seat and who plays against it."""
    deal(tables.states, i, tables.prototypes, i % len(tables.prototypes), tables.seeds[i])
    tables.length[i] = 0
    tables.learner[i] = pick(tables.rng, i, tables.states[i].num_players)
    at = pick(tables.rng, i, 1 << 30) / (1 << 30)
    kind = RANDOM
    while kind < SELF_PLAY and at >= terms.shares[kind]:
        kind += 1
    tables.kind[i] = kind


@template
def close(tables: Any, terms: Any, ends: Any, i: int, points: Any, places: Any, paid: Any) -> None:
    """The game at table `i` is over for the learner: its reward, its standing and what it sees last."""
    s = tables.states[i]
    seat = tables.learner[i]
    standing(s, points, places)
    ends.done[i] = True
    ends.truncated[i] = not (s.finished or terms.decide or s.eliminated[seat] > 0)
    if not ends.truncated[i]:
        grade(s.num_players, points, places, terms.reward_kind, paid)
        ends.reward[i] = paid[seat]
    ends.score[i] = points[seat]
    ends.place[i] = places[seat]
    look(tables.states, i, seat, ends.final[i])


@template
def play_on(tables: Any, terms: Any, ends: Any, where: Any, actions: Any, waiting: Any) -> int:
    """Play ``actions[j]`` at table ``where[j]`` (none if negative), then run on until a network has to decide.

    That is the learner, or an earlier version of it: then the table goes into `waiting`. A table that ends, or loses
    its learner, is dealt anew; a game that is over before the learner decided anything does not count.

    Returns:
        How many tables are in `waiting`.
    """
    states, mask, rng = tables.states, tables.mask, tables.rng
    scratch = spare(states, 2)
    points = np.zeros(MAX_SEATS, np.float32)
    paid = np.zeros(MAX_SEATS, np.float32)
    places = np.zeros(MAX_SEATS, np.int8)
    count = 0
    for j in range(len(where)):
        i = where[j]
        s = states[i]
        action = actions[j]
        if action >= 0:
            tables.length[i] += s.seat == tables.learner[i]
        while True:
            if action >= 0:
                play(s, action)
            settle(s, mask[i], terms.play_forced)
            learner, kind = tables.learner[i], tables.kind[i]
            if over(s, terms.limit) or s.eliminated[learner] > 0:
                if tables.length[i] > 0:
                    close(tables, terms, ends, i, points, places, paid)
                tables.seeds[i] = next_seed(tables.seeds[i])
                begin(tables, terms, i)
                action = -1
            elif s.seat == learner or kind == SELF_PLAY:
                look(states, i, s.seat, tables.observation[i])
                if s.seat != learner:
                    waiting[count] = i
                    count += 1
                break
            elif kind == GREEDY:
                action = greedy_action(states, i, mask[i], scratch, rng, i)
            else:
                action = random_action(mask[i], rng, i)
    return count


@template
def begin_all(tables: Any, terms: Any) -> None:
    """`begin` at every table."""
    for i in range(len(tables.states)):
        begin(tables, terms, i)


class VecTables(VecEnv):
    """`num_tables` tables with the learner at one seat of each, as a stable-baselines3 VecEnv.

    One step of an environment runs from one decision of the learner to its next. The learner's seat and the kind of
    its opponents (the same kind at all other seats of a table) are drawn anew for every deal. When the learner's game
    is over, knocked out or with the table, the table is dealt anew; the info of that step holds

    - ``terminal_observation`` and ``TimeLimit.truncated``, as stable-baselines3 expects;
    - ``episode``: reward ``r``, decisions of the learner ``l``, seconds since the start ``t``, as its Monitor does;
    - ``score``, ``place``, ``opponents`` ("random", "greedy" or "self_play"), ``seat``.

    Args:
        game: what is played.
        num_tables: tables (N).
        opponents: shares of "random", "greedy" and "self_play"; they add up to 1.
        seed: decides deals, dice, seats and the compiled opponents' moves.
        num_players: seats, or a sequence of seat counts that the tables take in turn; by default the game's own.
        reward, max_cycles, play_forced: as for `Batch`.
        at_limit: "decide", the standing at the limit of decisions is the result, or "truncate", there is none.
        threads: slices of the tables that run at the same time.
        **options: the game's options.

    Attributes:
        self_play: chooses for the opponents that are earlier versions of the learner; has to be set before the first
            reset if there are any.
        mask: bool (N, A), what the learner may do.
        observation: float32 (N, F), what it sees.
        learner: int64 (N,), its seat.
        kind: int64 (N,), index into `KINDS` of its opponents.
        seeds: uint64 (N,), what each table was dealt from.
        self_play_decisions: decisions asked of earlier versions so far; self_play_waves: in how many calls.
        trained_with: options, seats and what happens at the limit, for the file of a model that learns here.

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
        at_limit: str = AT_LIMIT,
        **options: Any,
    ) -> None:
        self.game = game
        self.render_mode: str | None = None
        super().__init__(num_tables, game.observation_space(), Discrete(game.num_actions))
        self._seed = check_seed(seed)
        self.self_play: Chooser | None = None
        self.self_play_decisions = self.self_play_waves = 0
        self.trained_with = {
            "options": complete_options(game, options),
            "num_players": None if isinstance(num_players, Iterable) else game.num_players(num_players),
            "at_limit": at_limit,
        }
        self._terms = Terms(
            shares=_cumulative(opponents),
            limit=check_limit(max_cycles) or game.max_decisions,
            decide=check_at_limit(at_limit),
            reward_kind=check_reward(reward),
            play_forced=bool(play_forced),
        )
        self._tables, self._ends = _allocate(game, num_tables, game.prototypes(num_players, options))
        self._states, self._rng = self._tables.states, self._tables.rng
        self.seeds, self.learner, self.kind = self._tables.seeds, self._tables.learner, self._tables.kind
        self.mask, self.observation = self._tables.mask, self._tables.observation
        self._nothing: list[dict[str, Any]] = [{} for _ in range(num_tables)]
        self._play_on = game.compiled(play_on)
        self._begin_all = game.compiled(begin_all)
        self._parts = [part for part in np.array_split(np.arange(num_tables), threads) if len(part)]
        self._pool = ThreadPoolExecutor(len(self._parts)) if len(self._parts) > 1 else None
        self._start = time.monotonic()
        self._actions = np.zeros(num_tables, np.int64)
        self._advance(np.zeros(0, np.int64), self._actions)  # compiles now rather than in the first step

    # -- the VecEnv API -----------------------------------------------------------------------------------------------

    @property
    def states(self) -> np.ndarray:
        """The tables themselves, for kernels: shape (N,), dtype ``game.state``; not to be written into."""
        return self._states

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
        self._begin_all(self._tables, self._terms)
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
        self._lengths_before = self._tables.length + 1
        self._run(self._actions)
        ends = self._ends
        return self.observation.copy(), ends.reward.copy(), ends.done.copy(), self._infos()

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
        self._ends.reward[:] = 0
        self._ends.done[:] = False
        self._ends.truncated[:] = False

    def _run(self, actions: np.ndarray) -> None:
        """Play `actions` and everybody else's, until it is the learner's turn everywhere."""
        waiting = self._first_wave(actions)
        while len(waiting):
            if self.self_play is None:
                raise BadOption(
                    "opponents: there are earlier versions among them, set `self_play` before the first reset"
                )
            self.self_play_waves += 1
            self.self_play_decisions += len(waiting)
            chosen = self.self_play(self.observation[waiting], self.mask[waiting])
            waiting = self._advance(waiting, chosen.astype(np.int64, copy=False))

    def _first_wave(self, actions: np.ndarray) -> np.ndarray:
        if self._pool is None:
            return self._advance(self._parts[0], actions)
        jobs = [self._pool.submit(self._advance, part, actions[part]) for part in self._parts]
        return np.concatenate([job.result() for job in jobs])

    def _advance(self, where: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """`play_on` at the tables `where`: those that wait for an earlier version now."""
        waiting = np.empty(len(where), np.int64)
        count = self._play_on(self._tables, self._terms, self._ends, where, actions, waiting)
        return waiting[:count]

    def _infos(self) -> list[dict[str, Any]]:
        infos, ends = self._nothing.copy(), self._ends
        now = round(time.monotonic() - self._start, 6)
        for i in np.flatnonzero(ends.done).tolist():
            infos[i] = {
                "terminal_observation": ends.final[i].copy(),
                "TimeLimit.truncated": bool(ends.truncated[i]),
                "episode": {"r": float(ends.reward[i]), "l": int(self._lengths_before[i]), "t": now},
                "score": float(ends.score[i]),
                "place": int(ends.place[i]),
                "opponents": KINDS[self._kinds_before[i]],
                "seat": int(self._seats_before[i]),
            }
        return infos


def _allocate(game: Game, n: int, prototypes: np.ndarray) -> tuple[Tables, Ends]:
    """Room for `n` tables; nothing is allocated after this."""
    tables = Tables(
        states=new_tables(n, game.state),
        prototypes=prototypes,
        seeds=np.zeros(n, np.uint64),
        rng=np.zeros(n, np.uint64),
        learner=np.zeros(n, np.int64),
        kind=np.zeros(n, np.int64),
        length=np.zeros(n, np.int64),
        mask=np.zeros((n, game.num_actions), np.bool_),
        observation=np.zeros((n, game.num_features), np.float32),
    )
    ends = Ends(
        reward=np.zeros(n, np.float32),
        done=np.zeros(n, np.bool_),
        truncated=np.zeros(n, np.bool_),
        final=np.zeros((n, game.num_features), np.float32),
        score=np.zeros(n, np.float32),
        place=np.zeros(n, np.int8),
    )
    return tables, ends


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
