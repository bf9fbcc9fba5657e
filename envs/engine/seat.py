"""A Gymnasium environment: one seat of a table, with given opponents at the others."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol, Self

import gymnasium
import numpy as np

from . import montecarlo, registry, render
from .aec import RENDER_MODES, TableEnv
from .errors import AgezooError, BadOption, BadPosition, UnknownOption
from .game import Game
from .players import PLAYERS

_TRIES = 100  # deals after which a seat that is never asked is given up


class Acting(Protocol):
    """An opponent as an object."""

    def act(self, env: TableEnv, agent: str) -> int:
        """The action of `agent`, whose turn it is at `env`."""
        ...


Opponent = str | Callable[[TableEnv, str], int] | Acting


class SeatEnv(gymnasium.Env[np.ndarray, np.int64]):
    """One seat of a rulebook's table.

    Observations are float32[F], actions Discrete(A). What the seat may do is not in the observation: it is in
    ``info["action_mask"]`` (int8[A], as ``action_space.sample(mask)`` takes it; Gymnasium's vector environments pass it
    on) and comes from `action_masks`, as sb3-contrib asks for it. After the end it is all ones: vector environments ask
    for an action once more there, and ignore it. The reward comes when the seat's game is over; ``info`` then holds
    ``score`` and ``place``, too. A game that is over before the seat has decided anything is never handed out.

    Args:
        game: a rulebook or its name.
        seat: the seat that the caller plays, or "random": a new one each episode.
        opponents: "random", "greedy", "montecarlo:N" (N simulations a decision), a function ``(env, agent) -> action``
            over the AEC environment (it should look only at ``env.observe(agent)``), an object whose method ``act`` is
            such a function, or a sequence of these for the other seats in turn order.
        num_players, reward, max_cycles, at_limit, play_forced, illegal, options: as for `TableEnv`.
        render_mode: as for `TableEnv`; pictures show what the seat sees. "human" prints after `reset` and `step`.

    Raises:
        BadOption: an argument is outside its range.
        UnknownOption: there is no such argument (a TypeError, too).
    """

    metadata = {"render_modes": [*RENDER_MODES], "render_fps": 2}  # noqa: RUF012 - Gymnasium's form

    def __init__(
        self,
        game: Game | str,
        seat: int | Literal["random"] = 0,
        opponents: Opponent | Sequence[Opponent] = "random",
        num_players: int | None = None,
        render_mode: str | None = None,
        reward: str = "win",
        max_cycles: int | None = None,
        play_forced: bool = True,
        illegal: Literal["raise", "lose"] = "raise",
        at_limit: Literal["truncate", "decide"] = "truncate",
        **options: Any,
    ) -> None:
        for name in ("render_view", "observation"):  # of a whole table alone
            if name in options:
                raise UnknownOption(
                    f"got an unexpected keyword argument {name!r}: one seat has no such option"
                )
        self.game = registry.find(game) if isinstance(game, str) else game
        self.env = TableEnv(
            self.game, num_players, render_mode, reward, max_cycles, play_forced, illegal, at_limit, **options
        )
        self.env._shows = False
        self._shows = render_mode == "human"
        self.render_mode = render_mode
        seats = len(self.env.possible_agents)
        whole = isinstance(seat, (int, np.integer)) and not isinstance(seat, bool)
        if seat != "random" and not (whole and 0 <= seat < seats):
            raise BadOption(f"seat={seat!r}: choose 0 to {seats - 1}, or random")
        self._wanted = seat
        self._opponents = _opponents(opponents, seats - 1)
        self.seat = 0 if seat == "random" else int(seat)
        self.observation_space = self.game.observation_space()
        self.action_space = gymnasium.spaces.Discrete(self.game.num_actions)
        self._rng = np.zeros(1, np.uint64)

    @property
    def agent(self) -> str:
        """The caller's agent at the AEC table."""
        return self.env.possible_agents[self.seat]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Deal a table and let the others play up to the seat's first decision.

        Args:
            seed: decides deals, dice, a random seat and moves of opponents with a name; None goes on from before.
            options: ``{"position": ...}`` starts from that position rather than from a deal, as `load` does.

        Raises:
            AgezooError: game after game is over before the seat has decided anything.
            BadOption: there is no such option.
            BadPosition: the position is none of this game, or the seat's game is over there.
        """
        unknown = sorted(set(options or {}) - {"position"}, key=str)
        if unknown:
            raise BadOption(f"options: {unknown[0]!r} is none that reset() knows; it knows position")
        super().reset(seed=seed)
        if self._wanted == "random":
            self.seat = int(self.np_random.integers(len(self.env.possible_agents)))
        if options and options.get("position") is not None:
            self._rng[0] = self.np_random.integers(1 << 63)
            return self.load(options["position"])
        for _ in range(_TRIES):
            self._rng[0] = self.np_random.integers(1 << 63)
            self.env.reset(seed=int(self.np_random.integers(1 << 63)))
            self._let_others_play()
            if not self._over:
                return self._begun()
            if self._wanted == "random":
                self.seat = int(self.np_random.integers(len(self.env.possible_agents)))
        raise AgezooError(
            f"{_TRIES} games in a row were over before {self.agent} had decided anything: "
            "give it an earlier seat, or a larger max_cycles"
        )

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Play `action` and let the others play up to the seat's next decision or its end.

        Raises:
            IllegalAction: the seat may not do that now; the table is as it was.
            AgezooError: there is no game to play, or it is over.
        """
        self.env._at_table()
        if self._over:
            raise AgezooError(f"the game of {self.agent} is over: call reset() for a new table")
        self.env.step(action)
        self._let_others_play()
        agent = self.agent
        reward = self.env._cumulative_rewards.get(agent, 0.0)
        terminated = self.env.terminations.get(agent, False)
        truncated = self.env.truncations.get(agent, False)
        if self._shows:
            self.render()
        return self._observation(), float(reward), terminated, truncated, self._info()

    def action_masks(self) -> np.ndarray:
        """bool[A], what the seat may do now, all True after the end: the name that sb3-contrib looks for."""
        self.env._at_table()
        if self._over:
            return np.ones(self.game.num_actions, np.bool_)
        return self.env.observe(self.agent)["action_mask"].astype(np.bool_)

    def render(self) -> Any:
        """The table as the seat sees it."""
        self.env._at_table()
        if self.render_mode is None:
            return None
        return render.render(self.game, self.game.record(self.env.states), self.seat, self.render_mode)

    def position(self, agent: str | None = None) -> dict[str, Any]:
        """The table as a JSON-able dict: whole, for `load`, or as `agent` sees it."""
        return self.env.position(agent)

    def load(self, where: dict[str, Any] | str) -> tuple[np.ndarray, dict[str, Any]]:
        """Go on from a position (dict or JSON text): the others play up to the seat's next decision.

        Returns:
            What `reset` returns.

        Raises:
            BadPosition: it is no table of this game with this many seats, or the seat's game is over there; everything
                is as it was.
        """
        before, rng = self.env, self._rng.copy()
        self.env = copy.copy(before)
        try:
            self.env.load(where)
            self._let_others_play()
            if self._over:
                raise BadPosition(f"position: the game of {self.agent} is over there")
        except Exception:
            self.env, self._rng = before, rng
            raise
        return self._begun()

    def clone(self) -> Self:
        """The same game with the same future; opponents that are functions or objects are shared with it."""
        self.env._at_table()
        return copy.copy(self)

    def __copy__(self) -> Self:
        twin: Self = object.__new__(type(self))
        twin.__dict__ = self.__dict__.copy()
        twin.env, twin._rng, twin._shows = copy.copy(self.env), self._rng.copy(), False
        for name in ("_np_random", "observation_space", "action_space"):
            setattr(twin, name, copy.deepcopy(getattr(self, name)))
        return twin

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._shows = False

    def close(self) -> None:
        """Nothing is held open."""
        self.env.close()

    @property
    def _over(self) -> bool:
        agent = self.agent
        return agent not in self.env.agents or self.env.terminations[agent] or self.env.truncations[agent]

    def _observation(self) -> np.ndarray:
        return self.env.observe(self.agent)["observation"]

    def _info(self) -> dict[str, Any]:
        told = self.env.infos.get(self.agent, {})
        return {**told, "action_mask": self.action_masks().astype(np.int8)}

    def _begun(self) -> tuple[np.ndarray, dict[str, Any]]:
        if self._shows:
            self.render()
        return self._observation(), self._info()

    def _let_others_play(self) -> None:
        env = self.env
        while not self._over and env.agent_selection != self.agent:
            selected = env.agent_selection
            if env.terminations[selected] or env.truncations[selected]:
                env.step(None)
            else:
                env.step(self._choose(selected))

    def _choose(self, agent: str) -> int:
        others = len(self.env.possible_agents)
        player = self._opponents[(self.env.seat_of(agent) - self.seat - 1) % others]
        if hasattr(player, "act"):
            return player.act(self.env, agent)
        if callable(player):
            return player(self.env, agent)
        self._rng[0] += np.uint64(1)  # a seed of its own for every decision
        seed = int(self._rng[0])
        if player == "greedy":
            return self.env.greedy_action(seed)
        if player == "random":
            return self.env.random_action(seed)
        return self.env.montecarlo_action(seed, *montecarlo.parse_name(player))


def _opponents(given: Any, count: int) -> list[Opponent]:
    one = isinstance(given, str) or _plays(given)
    if not one and not isinstance(given, Sequence):
        raise BadOption(f"opponents={given!r}: {_WANTED}, or a sequence of these")
    chosen = [given] * count if one else list(given)
    if len(chosen) != count:
        raise BadOption(f"opponents: {len(chosen)} given for {count} other seats")
    for player in chosen:
        if isinstance(player, str) and player.partition(":")[0] == montecarlo.NAME:
            montecarlo.parse_name(player)
        elif not _plays(player) and player not in PLAYERS:
            raise BadOption(f"opponents={player!r}: {_WANTED}")
    return chosen


def _plays(player: Any) -> bool:
    return callable(getattr(player, "act", player)) and not isinstance(player, type)


_WANTED = (
    f"choose {', '.join(PLAYERS)}, {montecarlo.NAME}:N, "
    "or give a function (env, agent) -> action or an object with such a method act"
)
