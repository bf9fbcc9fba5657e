"""A Gymnasium environment: one seat of a table, with given opponents at the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import gymnasium
import numpy as np

from . import registry
from .aec import TableEnv
from .errors import BadOption
from .game import Game
from .players import PLAYERS

Opponent = str | Callable[[TableEnv, str], int]


class SeatEnv(gymnasium.Env[np.ndarray, np.int64]):
    """One seat of a rulebook's table.

    Observations are float32[F] (the mask is not in them: `action_masks` gives it, as sb3-contrib asks for it), actions
    Discrete(A). The reward comes when the seat's game is over; ``info`` then holds ``score`` and ``place``.

    Args:
        game: a rulebook or its name.
        seat: the seat that the caller plays, or "random": a new one each episode.
        opponents: "random", "greedy", a function ``(env, agent) -> action`` over the AEC environment (it should look
            only at ``env.observe(agent)``), or a sequence of these for the other seats in turn order.
        num_players, reward, max_cycles, at_limit, play_forced, illegal, options: as for `TableEnv`.
        render_mode: as for `TableEnv`; pictures show what the seat sees.

    Raises:
        BadOption: an argument is outside its range.
    """

    metadata = {"render_modes": ["ansi", "rgb_array", "human"], "render_fps": 2}  # noqa: RUF012 - Gymnasium's form

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
        self.game = registry.find(game) if isinstance(game, str) else game
        self.env = TableEnv(
            self.game, num_players, render_mode, reward, max_cycles, play_forced, illegal, at_limit, **options
        )
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
        """Deal a table and let the others play up to the seat's first decision."""
        super().reset(seed=seed)
        for _ in range(100):
            if self._wanted == "random":
                self.seat = int(self.np_random.integers(len(self.env.possible_agents)))
            self._rng[0] = self.np_random.integers(1 << 63)
            self.env.reset(seed=int(self.np_random.integers(1 << 63)))
            self._let_others_play()
            if not self._over:
                break
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Play `action` and let the others play up to the seat's next decision or its end.

        Raises:
            IllegalAction: the seat may not do that now; the table is as it was.
        """
        self.env.step(action)
        self._let_others_play()
        agent = self.agent
        reward = self.env._cumulative_rewards.get(agent, 0.0)
        terminated = self.env.terminations.get(agent, False)
        truncated = self.env.truncations.get(agent, False)
        return self._observation(), float(reward), terminated, truncated, self._info()

    def action_masks(self) -> np.ndarray:
        """bool[A], what the seat may do now: the name that sb3-contrib looks for."""
        return self.env.observe(self.agent)["action_mask"].astype(np.bool_)

    def render(self) -> Any:
        """The table as the seat sees it."""
        from . import render

        if self.render_mode is None:
            return None
        return render.render(self.game, self.game.record(self.env._states), self.seat, self.render_mode)

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
        return dict(self.env.infos.get(self.agent, {}))

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
        player = self._opponents[(self.env._seat(agent) - self.seat - 1) % others]
        if callable(player):
            return player(self.env, agent)
        self._rng[0] += np.uint64(1)
        seed = int(self._rng[0])
        if player == "greedy":
            return self.env.greedy_action(seed)
        return self.env.random_action(seed)


def _opponents(given: Opponent | Sequence[Opponent], count: int) -> list[Opponent]:
    chosen = [given] * count if isinstance(given, str) or callable(given) else list(given)
    if len(chosen) != count:
        raise BadOption(f"opponents: {len(chosen)} given for {count} other seats")
    for player in chosen:
        if not callable(player) and player not in PLAYERS:
            raise BadOption(
                f"opponents={player!r}: choose {', '.join(PLAYERS)}, or give a function (env, agent) -> action"
            )
    return chosen
