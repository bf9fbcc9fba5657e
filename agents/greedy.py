"""One decision ahead: the action after which the table looks best by the game's `value`, in one imagined world."""

from __future__ import annotations

import numpy as np

from agezoo.envs import Batch
from agezoo.envs.engine.aec import TableEnv

from .base import Compiled, check_turn


class Greedy(Compiled):
    """Plays the action that looks best right after it, in a world redrawn for its seat at every decision."""

    name = "greedy"

    def act(self, env: TableEnv, agent: str) -> int:
        """The action of `agent`, whose turn it is.

        Raises:
            BadOption: it is not.
        """
        check_turn(env, agent)
        return env.greedy_action(self._rng.one())

    def choose(self, batch: Batch, tables: np.ndarray) -> np.ndarray:
        """Actions at `tables`: int64 (K,)."""
        return batch.greedy_actions(self._rng.states(batch.num_envs), where=tables)
