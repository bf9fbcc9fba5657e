"""A PettingZoo AEC environment over any rulebook.

`env()` needs no stack of wrappers: order, bounds and illegal moves are the environment's own business. Deep copies,
pickles and clones are the same table with the same future.
"""

from __future__ import annotations

import copy
import secrets
from collections.abc import Callable
from functools import partial
from typing import Any, Literal, Self

import gymnasium
import numpy as np
from pettingzoo import AECEnv

from . import position, render, table
from .arguments import check_at_limit, check_limit, check_reward, check_seed, check_whole, whole, why_illegal
from .chance import next_seed
from .compile import copied, new_tables, plain
from .errors import AgezooError, BadOption, IllegalAction
from .fields import PUBLIC, state_space, state_vector
from .game import REWARDS, Game
from .montecarlo import montecarlo_actions
from .players import greedy_actions, random_action
from .position import GameRecord

RENDER_MODES = ("ansi", "rgb_array", "human")
_NOBODY = "nobody is left to act: call reset() for a new table"
_METADATA = {"render_modes": [*RENDER_MODES], "render_fps": 2, "is_parallelizable": False}
Moves = tuple[Any, int, int] | None  # the moves before, the seat, its action: a clone shares them all
_BOUND = (
    "_stepper",
    "_look",
    "_observation",
    "_mask",
    "_mask2",
    "_action",
    "_seat_now",
    "_outcome",
)  # made anew for a pickle


class TableEnv(AECEnv[str, dict[str, Any], Any]):
    """One table of a rulebook as an AEC environment.

    An observation is ``{"observation": float32[F], "action_mask": int8[A]}``. The mask holds what the seat to act may
    do; it is all ones for a seat that waits (nothing is known, nothing to be masked, and no softmax over nothing) and
    all zeros for a seat whose game is over.

    Rewards come when the table ends, to a seat that is knocked out at that moment. At its limit (`max_cycles`
    decisions, or a limit of the rulebook's own) a game is truncated: rewards 0, the standing in ``infos`` (``score``,
    ``place``).
    With ``at_limit="decide"`` it ends there instead: all agents are terminated and rewarded by the standing.

    Args:
        game: the rulebook.
        num_players: seats; None for the rulebook's default.
        render_mode: None, "ansi" (`render` returns text), "rgb_array" (uint8 (H, W, 3)) or "human" (prints text after
            every `reset` and `step`; copies print when they are asked to).
        reward: "win" (sole winner 1, others -1/(n-1)), "rank" (1 to -1 by place) or "score" (points).
        max_cycles: decisions of all seats after which the game is over; None for the rulebook's own limit.
        at_limit: "truncate" the game there, or "decide" it as it stands.
        play_forced: play a decision with one legal action without asking.
        illegal: "raise" an `IllegalAction` and leave the table alone, or "lose": PettingZoo's usual, the game ends,
            the offender gets -1 and the last place, the others 0.
        render_view: whose eyes `render` looks through: "public" (what lies open to all), "all" (every hand, too) or an
            agent.
        observation: "dict", or "flat": `observe` gives the array alone and the mask is in ``infos``, for libraries that
            take no dict.
        **options: the rulebook's options.

    Raises:
        BadOption: an argument is outside its range.
        UnknownOption: there is no such argument (a TypeError, too).
    """

    _outcome: np.ndarray | None  # what the last step came to, made when it is needed

    def __init__(
        self,
        game: Game,
        num_players: int | None = None,
        render_mode: str | None = None,
        reward: str = "win",
        max_cycles: int | None = None,
        play_forced: bool = True,
        illegal: Literal["raise", "lose"] = "raise",
        at_limit: Literal["truncate", "decide"] = "truncate",
        render_view: str = "public",
        observation: Literal["dict", "flat"] = "dict",
        **options: Any,
    ) -> None:
        added = set(self.__dict__)  # by a subclass, before it comes here
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise BadOption(f"render_mode={render_mode!r}: choose one of {', '.join(RENDER_MODES)}, or None")
        if illegal not in ("raise", "lose"):
            raise BadOption(f"illegal={illegal!r}: choose raise or lose")
        if observation not in ("dict", "flat"):
            raise BadOption(f"observation={observation!r}: choose dict or flat")
        self.game = game
        self.render_mode = render_mode
        self._prototype = game.prototype(num_players, options)
        self._limit = check_limit(max_cycles)
        self._kind = check_reward(reward)
        self._decide = check_at_limit(at_limit)
        self._illegal = illegal
        self._play_forced = bool(play_forced)
        self.possible_agents = [f"player_{seat}" for seat in range(int(self._prototype["num_players"][0]))]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._viewer(render_view, "render_view")
        self.render_view = render_view
        self._shows = render_mode == "human"
        self._flat = observation == "flat"
        self._made: dict[str, Any] = {}
        self._states = copied(self._prototype)
        self._new_arrays()
        self._seed: int | None = None
        self._moves: Moves = None
        self._origin: dict[str, Any] = {}
        self.agents = []
        self._clear()
        self._kept = (
            frozenset(self.__dict__) | {"_kept", "agent_selection"}
        ) - added  # the rest is a subclass's

    # -- the AEC API ------------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal the table.

        Args:
            seed: 0 to 2**64 - 1, the same seed deals the same table and rolls the same dice. None goes on from the
                last table's seed, or starts from the operating system's randomness.
            options: taken for PettingZoo's sake and ignored; a rulebook's options are arguments of `env()`.
        """
        del options
        if seed is not None:
            self._seed = check_seed(seed)
        elif self._seed is not None:
            self._seed = int(plain(next_seed)(np.uint64(self._seed)))
        else:
            self._seed = secrets.randbits(64)
        seeds = np.array([self._seed], np.uint64)
        self.game.compiled(table.deal_all)(self._states, self._stepper.all, self._prototype, seeds, False)
        self._moves = None
        self._origin = {"seed": self._seed}
        self._begin(dealt=True)
        self._show()

    def step(self, action: int | None) -> None:
        """Play `action` for `agent_selection`; for an agent whose game is over, None removes it.

        Raises:
            IllegalAction: the seat may not do that now; the table is as it was.
            AgezooError: there is no table to play at.
        """
        if not self.agents:
            self._at_table()
            raise AgezooError(_NOBODY)
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._leave(agent, action)
            return
        number = whole(action)
        if number is None or not 0 <= number < len(self._mask) or not self._mask[number]:
            self._refuse(agent, action)
            return
        self._moves = (self._moves, self._seat_of[agent], number)
        self._action[0] = number
        outcome = self._outcome
        if outcome is None:
            outcome = self._outcome = new_tables(1, table.OUTCOME)
        mask = self._mask2
        events = self._stepper.step(
            self._states, self._action, mask, mask, self._observation, self._seat_now, outcome
        )
        self.agent_selection = self.possible_agents[self._seat_now[0]]
        if self._cumulative_rewards[agent] or self._paid:
            self._settle_rewards(agent)
        if events:
            self._after(events)
        if self._flat:
            self._tell_masks()
        if self._shows:
            self._show()

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Observation (None unless asked for), reward, terminated, truncated and info of `agent_selection`."""
        self._at_table()
        return super().last(observe)

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        """The agents to act, one after another, until nobody is left; step once for each."""
        self._at_table()
        return super().agent_iter(max_iter)

    def observe(self, agent: str) -> Any:
        """What `agent` sees: ``{"observation": float32[F], "action_mask": int8[A]}``, arrays of the caller's own.

        The observation alone in an environment that was made with ``observation="flat"``.
        """
        seat = self._seat(agent)
        if not self._origin:
            self._at_table()
        if seat == self._seat_now[0]:
            out = self._observation[0].copy()
        else:
            out = np.empty(self.game.num_features, np.float32)
            self._look(self._states, 0, seat, out)
        return out if self._flat else {"observation": out, "action_mask": self._mask_of(agent, seat)}

    def _mask_of(self, agent: str, seat: int) -> np.ndarray:
        if seat == self._seat_now[0]:
            return self._mask.astype(np.int8)
        over = agent not in self.agents or self.terminations[agent] or self.truncations[agent]
        return np.full(self.game.num_actions, not over, np.int8)

    def state(self) -> np.ndarray:
        """The whole table, hidden things too, without its random numbers: float32, shape of `state_space`.

        Fields in order, sets as a 0 or 1 for each thing, numbers scaled to about one.
        """
        self._at_table()
        return state_vector(self.game.all_fields[1:], self._states)

    @property
    def metadata(self) -> dict[str, Any]:  # type: ignore[override]
        """PettingZoo's facts about the environment."""
        return self._own("metadata", lambda: {**copy.deepcopy(_METADATA), "name": self.game.env_name})

    @property
    def observation_spaces(self) -> dict[str, gymnasium.spaces.Space]:  # type: ignore[override]
        """The space of every agent, each of its own; the same objects at every call."""
        return self._own("observations", self._new_observation_spaces)

    def _new_observation_spaces(self) -> dict[str, gymnasium.spaces.Space]:
        if self._flat:
            return {agent: self.game.observation_space() for agent in self._seat_of}
        return {agent: _observation_space(self.game) for agent in self._seat_of}

    @property
    def action_spaces(self) -> dict[str, gymnasium.spaces.Space]:  # type: ignore[override]
        """The space of every agent, each of its own; the same objects at every call."""
        discrete, size = gymnasium.spaces.Discrete, self.game.num_actions
        return self._own("actions", lambda: {a: discrete(size) for a in self._seat_of})

    @property
    def state_space(self) -> gymnasium.spaces.Space:
        """Box float32 of `state`."""
        return self._own("state", lambda: state_space(self.game.all_fields[1:]))

    def _own(self, name: str, make: Callable[[], Any]) -> Any:
        """What is made when it is asked for: each copy has its own, and most are never asked."""
        if name not in self._made:
            self._made[name] = make()
        return self._made[name]

    def observation_space(self, agent: str) -> gymnasium.spaces.Space:
        """Dict of Box float32[F] and MultiBinary[A], or that Box alone; the same object at every call."""
        self._seat(agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space:
        """Discrete(A); the same object at every call."""
        self._seat(agent)
        return self.action_spaces[agent]

    def render(self, view: str | None = None) -> str | np.ndarray | None:
        """The table in the way of `render_mode`.

        Args:
            view: whose eyes to look through: "public", "all" or an agent; None for the environment's `render_view`.

        Raises:
            BadOption: there is no such view.
        """
        self._at_table()
        seat = self._viewer(self.render_view if view is None else view, "view")
        if self.render_mode is None:
            gymnasium.logger.warn(
                "render() does nothing: make the environment with render_mode='ansi' or another"
            )
            return None
        return render.render(self.game, self.game.record(self._states), seat, self.render_mode)

    def _viewer(self, view: Any, name: str) -> int | None:
        """The seat that table_text and picture take for `view`."""
        if isinstance(view, str) and view in ("public", "all"):
            return PUBLIC if view == "public" else None
        if not isinstance(view, str) or view not in self._seat_of:
            raise BadOption(
                f"{name}={view!r}: choose public, all, or one of {', '.join(self.possible_agents)}"
            )
        return self._seat_of[view]

    def _show(self) -> None:
        if self._shows:
            self.render()

    def close(self) -> None:
        """Nothing is held open; may be called at any time."""

    # -- beyond the AEC API -------------------------------------------------------------------------------------------

    def clone(self) -> Self:
        """An environment of its own with the same table and the same future; nothing that changes is shared.

        Of a subclass, too. What a subclass adds is shared with its clones, and copied by `copy.deepcopy`. A copy of an
        environment with ``render_mode="human"`` prints only when `render` is called.
        """
        self._at_table()
        return self._copy()

    def _copy(self) -> Self:
        twin: Self = object.__new__(type(self))
        twin.__dict__ = self.__dict__.copy()
        twin._states = copied(self._states)
        twin._bind(self._mask2.copy(), self._observation.copy(), self._seat_now.copy())
        twin.agents = self.agents.copy()
        twin.rewards, twin._cumulative_rewards = self.rewards.copy(), self._cumulative_rewards.copy()
        twin.terminations, twin.truncations = self.terminations.copy(), self.truncations.copy()
        twin.infos = {agent: info.copy() for agent, info in self.infos.items()}
        twin._made = _in_use(self._made) if self._made else {}
        twin._shows = False
        return twin

    __copy__ = _copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        twin = self._copy()
        memo[id(self)] = twin
        for name in self.__dict__.keys() - self._kept:
            setattr(twin, name, copy.deepcopy(getattr(self, name), memo))
        twin.infos = copy.deepcopy(self.infos, memo)
        return twin

    def __getstate__(self) -> dict[str, Any]:
        kept = self.__dict__.copy()
        for name in _BOUND:
            kept.pop(name, None)
        kept["_moves"] = position._in_order(self._moves)  # a long chain is too deep to be pickled
        return kept

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._shows = False
        self._moves = None
        for seat, action in kept["_moves"]:
            self._moves = (self._moves, seat, action)
        for name in ("_states", "_prototype"):  # plain mode has another class of arrays
            tables = new_tables(1, self.game.state)
            tables[:] = kept[name].view(np.ndarray)
            setattr(self, name, tables)
        self._new_arrays()
        self._refresh()

    def scores(self) -> dict[str, float]:
        """Points of every seat as they stand, by the rulebook's own scoring."""
        points, _ = self._standing()
        return {agent: float(points[seat]) for agent, seat in self._seat_of.items()}

    def places(self) -> dict[str, int]:
        """Places as they stand, 1 first; equals share a place."""
        _, places = self._standing()
        return {agent: int(places[seat]) for agent, seat in self._seat_of.items()}

    def legal_actions(self) -> list[int]:
        """What `agent_selection` may do now; empty when its game is over."""
        self._at_table()
        agent = self.agent_selection
        if not self.agents or self.terminations[agent] or self.truncations[agent]:
            return []
        return np.flatnonzero(self._mask).tolist()

    def action_text(self, action: int) -> str:
        """`action` in words, as the acting seat would say it now.

        Raises:
            IllegalAction: there is no such action number.
        """
        return self.game.action_text(self.game.record(self._states), self._number(action))

    def told_text(self, action: int, agent: str) -> str:
        """`action` in words, as `agent` hears of it when `agent_selection` plays it: without what is secret.

        Raises:
            IllegalAction: there is no such action number.
        """
        return self.game.told(self.game.record(self._states), self._number(action), self._seat(agent))

    def _number(self, action: Any) -> int:
        self._at_table()
        number = whole(action)
        if number is None or not 0 <= number < self.game.num_actions:
            raise IllegalAction(
                f"action {action!r}: actions are whole numbers from 0 to {self.game.num_actions - 1}"
            )
        return number

    def parse_action(self, text: str) -> int:
        """The legal action that `text` says: its words (capitals and spaces do not matter) or its number.

        Raises:
            IllegalAction: no legal action is called that.
        """
        said = " ".join(str(text).lower().split())
        legal = self.legal_actions()
        for action in legal:
            if said in (str(action), " ".join(self.action_text(action).lower().split())):
                return action
        number = int(said) if said.isdecimal() else text
        s, words = self.game.record(self._states), isinstance(number, str)
        raise IllegalAction(why_illegal(self.game, s, self._mask, number, words))

    def random_action(self, seed: int) -> int:
        """A uniformly random legal action, the same for the same `seed` and table.

        Raises:
            AgezooError: no decision is awaited.
        """
        self._awaited()
        return int(random_action(self._mask, np.array([check_seed(seed)], np.uint64), 0))

    def greedy_action(self, seed: int) -> int:
        """What the compiled greedy player would do now, with its own random numbers from `seed`.

        Raises:
            AgezooError: no decision is awaited.
        """
        self._awaited()
        out = np.zeros(1, np.int64)
        rng = np.array([check_seed(seed)], np.uint64)
        self.game.compiled(greedy_actions)(self._states, self._mask2, rng, np.zeros(1, np.int64), out)
        return int(out[0])

    def montecarlo_action(self, seed: int, simulations: int, depth: int) -> int:
        """What the compiled Monte Carlo player (engine/montecarlo.py) would do now, with random numbers from `seed`.

        Args:
            seed: 0 to 2**64 - 1.
            simulations: the most that it makes, at least 1.
            depth: decisions after which each is judged by the game's `value`, at least 0.

        Raises:
            AgezooError: no decision is awaited.
            BadOption: a number outside its range.
        """
        self._awaited()
        simulations, depth = check_whole("simulations", simulations, 1), check_whole("depth", depth, 0)
        out = np.zeros(1, np.int64)
        rng = np.array([check_seed(seed)], np.uint64)
        choose = self.game.compiled(montecarlo_actions)
        choose(self._states, self._mask2, rng, np.zeros(1, np.int64), simulations, depth, out)
        return int(out[0])

    def table_text(self, agent: str | None = None) -> str:
        """The table in words, as `agent` (or "public", or "all") sees it; all of it, what is hidden too, for None."""
        self._at_table()
        named = isinstance(agent, str) and agent in ("public", "all")
        seat = None if agent is None else self._viewer(agent, "agent") if named else self._seat(agent)
        return self.game.table_text(self.game.record(self._states), seat)

    def position(self, agent: str | None = None) -> dict[str, Any]:
        """The table as a JSON-able dict: whole, or with all that `agent` cannot know redrawn (see position.py)."""
        self._at_table()
        if agent is None:
            return position.dump(self.game, self._states)
        over = not any(self.agents) or self.agent_selection != agent or not self._mask.any()
        return position.dump_view(self.game, self._states, self._seat(agent), over)

    def load(self, where: dict[str, Any] | str) -> None:
        """Go on from a position (dict or JSON text).

        Raises:
            BadPosition: it is no table of this rulebook with this many seats; the table is as it was.
        """
        self._start_at(position.load(self.game, where, len(self.possible_agents)))
        self._show()

    def world(self, agent: str, seed: int) -> TableEnv:
        """A copy in which all that `agent` cannot know is redrawn, with chance of its own, from `seed`.

        It counts decisions anew and ends at its limit when this table does; its past is not in it.
        """
        twin, seed = self.clone(), check_seed(seed)
        imagine = self.game.compiled(table.imagine)
        imagine(self._states, 0, twin._states, 0, self._seat(agent), np.uint64(seed))
        twin._stepper = self._stepper.after(int(self._states["decisions"][0]))
        twin._limit = twin._stepper.limit
        twin._seed = seed
        twin._origin = {"position": position.dump(self.game, twin._states)}
        twin._moves = None
        twin._refresh()
        return twin

    def record(self) -> GameRecord:
        """The game so far: how the table began and every move since."""
        self._at_table()
        return GameRecord.of(self)

    @property
    def states(self) -> np.ndarray:
        """The table itself, for kernels: shape (1,), dtype ``game.state``; not to be written into (see `load`)."""
        return self._states

    @property
    def moves(self) -> list[tuple[int, int]]:
        """``(seat, action)`` of every decision since the table was dealt or loaded."""
        return position._in_order(self._moves)

    def seat_of(self, agent: str) -> int:
        """The number of an agent's seat.

        Raises:
            BadOption: there is no such agent at this table.
        """
        return self._seat(agent)

    # -- inside -------------------------------------------------------------------------------------------------------

    def _bind(self, mask: np.ndarray, observation: np.ndarray, seat: np.ndarray) -> None:
        """Keep these arrays, of one table each, as the environment's own, and room for what a step writes."""
        self._mask2, self._observation, self._seat_now = mask, observation, seat
        self._mask = mask[0]
        self._action = np.zeros(1, np.int64)
        self._outcome = None

    def _new_arrays(self) -> None:
        game = self.game
        self._look = game.compiled(table.look)
        self._stepper = table.Stepper(game, 1, self._limit, self._kind, self._play_forced, self._decide)
        self._bind(
            np.zeros((1, game.num_actions), np.bool_),
            np.zeros((1, game.num_features), np.float32),
            np.zeros(1, np.int8),
        )

    def _arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        if self._outcome is None:  # made when it is needed: many a copy is only looked at
            self._outcome = new_tables(1, table.OUTCOME)
        return self._mask2, self._mask2, self._observation, self._seat_now, self._outcome

    def _refresh(self) -> None:
        """Bring mask and observation up to date after the state was replaced."""
        self._stepper.refresh(self._states, *self._arrays())
        if not self.agents or all(self.terminations[a] or self.truncations[a] for a in self.agents):
            self._mask[:] = False
        if self._flat:
            self._tell_masks()

    def _at_table(self) -> None:
        if not self._origin:
            raise AgezooError("there is no table yet: call reset() first")

    def _awaited(self) -> None:
        """A decision is awaited of `agent_selection`."""
        self._at_table()
        if not self.agents:
            raise AgezooError(_NOBODY)
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            raise AgezooError(f"{agent} has nothing to decide: its game is over, step(None) removes it")

    def _tell_masks(self) -> None:
        """Where observations are flat, the masks are in `infos`."""
        self.infos = {
            agent: {**info, "action_mask": self._mask_of(agent, self._seat_of[agent])}
            for agent, info in self.infos.items()
        }

    def _clear(self) -> None:
        self.agents = list(self.agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None  # type: ignore[assignment]
        self._over = False
        self._paid = False
        self._offender: int | None = None

    def _begin(self, dealt: bool = False) -> None:
        """All seats that are in play take their places at a table that has just been dealt or loaded."""
        out = self._states["eliminated"][0]
        self.agents = [agent for agent, seat in self._seat_of.items() if not out[seat]]
        self._clear()
        over = self._stepper.refresh(self._states, *self._arrays(), dealt)
        self.agent_selection = self.possible_agents[self._seat_now[0]]
        if over:
            self._after(over)
        if self._flat:
            self._tell_masks()

    def _start_at(self, states: np.ndarray) -> None:
        """Go on from `states` (1,), which becomes this environment's own; its past is not in it."""
        self._states = states
        self._moves = None
        self._origin = {"position": position.dump(self.game, states)}
        self._begin()

    def _seat(self, agent: str) -> int:
        try:
            return self._seat_of[agent]
        except (KeyError, TypeError):
            raise BadOption(f"agent {agent!r}: this table has {', '.join(self.possible_agents)}") from None

    def _standing(self) -> tuple[np.ndarray, np.ndarray]:
        self._at_table()
        points = np.zeros(len(self.possible_agents), np.float32)
        places = np.zeros(len(self.possible_agents), np.int8)
        standings = self.game.compiled(table.standings)
        standings(self._states, 0, points, places)
        if self._offender is not None:  # its points stand as they are, its place is the last
            without = copied(self._states)
            plain(table.eliminate)(self.game.record(without), self._offender)
            standings(without, 0, np.zeros_like(points), places)
        return points, places

    def _after(self, event: int) -> None:
        """The table is over, or seats were knocked out: they are paid, told how they stand, and leave first."""
        out = self._states["eliminated"][0]
        done, over = event == table.ENDED, event != table.LOST_SEAT
        self._over = over
        points, places = self._standing()
        paid = np.zeros(len(self.possible_agents), np.float32)
        table.grade(len(paid), points, places, self._kind, paid)
        ended = {a for a in self.agents if done or out[self._seat_of[a]]}
        told = self.agents if over else [a for a in self.agents if a in ended]
        self._pay({a: float(paid[self._seat_of[a]]) for a in ended}, points, places, told)
        self.terminations = {a: t or a in ended for a, t in self.terminations.items()}
        self.truncations = {a: over and not self.terminations[a] for a in self.agents}
        if over:
            self._mask[:] = False
        self._deads_step_first()

    def _pay(self, paid: dict[str, float], points: np.ndarray, places: np.ndarray, told: list[str]) -> None:
        self.rewards = {a: 0.0 if self.terminations[a] else paid.get(a, 0.0) for a in self.agents}
        self._cumulative_rewards = {a: r + self.rewards[a] for a, r in self._cumulative_rewards.items()}
        self._paid = True
        infos = dict(self.infos)
        for agent in told:
            seat = self._seat_of[agent]
            infos[agent] = {"score": float(points[seat]), "place": int(places[seat])}
        self.infos = infos

    def _settle_rewards(self, agent: str) -> None:
        """As PettingZoo has it: `rewards` tells of the last step alone, and who acts has taken its own."""
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = {**self._cumulative_rewards, agent: 0.0}
        self._paid = False

    def _leave(self, agent: str, action: int | None) -> None:
        """Take an agent whose game is over from the lists, as `AECEnv._was_dead_step` does."""
        if action is not None:
            raise IllegalAction(f"{agent} cannot play {action!r}: its game is over, step(None) removes it")
        self._was_dead_step(None)

    def _refuse(self, agent: str, action: Any) -> None:
        if self._illegal == "raise":
            raise IllegalAction(why_illegal(self.game, self.game.record(self._states), self._mask, action))
        self._offender = self._seat_of[agent]
        points, places = self._standing()
        self._pay({agent: -1.0}, points, places, self.agents)
        self.infos = {a: {**info, "illegal": a == agent} for a, info in self.infos.items()}
        self.terminations = dict.fromkeys(self.agents, True)
        self._mask[:] = False
        self._deads_step_first()
        if self._flat:
            self._tell_masks()
        self._show()


def _in_use(made: dict[str, Any]) -> dict[str, Any]:
    """Copies of those things that may have changed; the others are made when they are asked for."""
    return {name: copy.deepcopy(held) for name, held in made.items() if _changed(name, held)}


def _changed(name: str, held: Any) -> bool:
    """Whether metadata are not what they were; whether a space, or one inside it, has random numbers by now."""
    if name == "metadata":
        return {**held, "name": ""} != {**_METADATA, "name": ""}
    inside = held if isinstance(held, dict) else getattr(held, "spaces", None)
    if inside is not None and any(_changed("", part) for part in inside.values()):
        return True
    return getattr(held, "_np_random", None) is not None


def _observation_space(game: Game) -> gymnasium.spaces.Dict:
    mask = gymnasium.spaces.MultiBinary(game.num_actions)
    return gymnasium.spaces.Dict({"observation": game.observation_space(), "action_mask": mask})


def module(game: Game) -> tuple[Callable[..., TableEnv], Callable[..., TableEnv], Game]:
    """What a PettingZoo-style module holds: ``env, raw_env, game``."""
    make = partial(TableEnv, game)
    return make, make, game


__all__ = ["RENDER_MODES", "REWARDS", "TableEnv", "module"]
