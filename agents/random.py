"""The player that everybody should beat: any legal action, each as likely as the others."""

from __future__ import annotations

import numpy as np

from agezoo.envs import Batch
from agezoo.envs.engine.aec import TableEnv

from .base import Compiled, check_turn


class Random(Compiled):
    """Plays a uniformly random legal action."""

    name = "random"

    def act(self, env: TableEnv, agent: str) -> int:
        """The action of `agent`, whose turn it is.

        Raises:
            BadOption: it is not.
        """
        check_turn(env, agent)
        return env.random_action(self._rng.one())

    def choose(self, batch: Batch, tables: np.ndarray) -> np.ndarray:
        """Actions at `tables`: int64 (K,)."""
        return batch.random_actions(self._rng.states(batch.num_envs), where=tables)
