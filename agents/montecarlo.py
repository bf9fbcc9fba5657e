"""Flat Monte Carlo, ``montecarlo:N``: N simulations a decision in imagined worlds, judged by the game's `value`."""

from __future__ import annotations

from typing import Self

import numpy as np

from agezoo.envs import BadOption, Batch
from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.arguments import check_whole
from agezoo.envs.engine.montecarlo import DEPTH, NAME, SIMULATIONS, parse_name

from .base import BadAgent, Compiled, check_turn


class MonteCarlo(Compiled):
    """Tries every legal action in worlds redrawn for its seat and plays on from there (see engine/montecarlo.py).

    Args:
        simulations: the most that it makes for a decision, at least 1.
        depth: decisions of all seats after which a simulation is judged, at least 0.
        seed: where its random numbers start, 0 to 2**64 - 1.

    Raises:
        BadOption: a number outside its range.
    """

    def __init__(self, simulations: int = SIMULATIONS, depth: int = DEPTH, seed: int = 0) -> None:
        super().__init__(seed)
        self.simulations, self.depth = (
            check_whole("simulations", simulations, 1),
            check_whole("depth", depth, 0),
        )
        self.name = f"{NAME}:{self.simulations}" + (f":{self.depth}" if self.depth != DEPTH else "")

    @classmethod
    def from_text(cls, numbers: str, seed: int = 0) -> Self:
        """What ``montecarlo:NUMBERS`` names: ``400``, or ``400:20`` with a depth.

        Raises:
            BadAgent: those are no numbers, or outside their range.
        """
        try:
            return cls(*parse_name(f"{NAME}:{numbers}"), seed=seed)
        except BadOption as error:
            raise BadAgent(str(error)) from None

    def act(self, env: TableEnv, agent: str) -> int:
        """The action of `agent`, whose turn it is.

        Raises:
            BadOption: it is not.
        """
        check_turn(env, agent)
        return env.montecarlo_action(self._rng.one(), self.simulations, self.depth)

    def choose(self, batch: Batch, tables: np.ndarray) -> np.ndarray:
        """Actions at `tables`: int64 (K,)."""
        rng = self._rng.states(batch.num_envs)
        return batch.montecarlo_actions(rng, self.simulations, self.depth, where=tables)
