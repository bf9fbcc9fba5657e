"""One decision ahead: the action after which the table looks best by the rulebook's `value`, in one imagined world."""

from __future__ import annotations

import numpy as np

from agezoo.envs import Batch
from agezoo.envs.engine.aec import TableEnv

from .base import Generators


class Greedy:
    """Plays the action that looks best right after it, in a world redrawn for its seat at every decision.

    Args:
        seed: where its random numbers start, 0 to 2**64 - 1.
    """

    name = "greedy"

    def __init__(self, seed: int = 0) -> None:
        self._rng = Generators(seed)

    def seed(self, seed: int) -> None:
        """Start the random numbers anew."""
        self._rng = Generators(seed)

    def act(self, env: TableEnv, agent: str) -> int:
        """The action of `agent`, whose turn it is."""
        del agent
        return env.greedy_action(self._rng.one())

    def choose(self, batch: Batch, tables: np.ndarray) -> np.ndarray:
        """Actions at `tables`: int64 (K,)."""
        return batch.greedy_actions(self._rng.states(batch.num_envs), where=tables)
