"""What an agent is, and how to get one by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np

from agezoo.envs import AgezooError, Batch, Game, find
from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.chance import table_seed
from agezoo.envs.engine.compile import plain


class BadAgent(AgezooError):
    """An agent that does not exist, cannot be read, or was made for another game."""


@runtime_checkable
class Agent(Protocol):
    """Somebody who can play at one table and at many.

    An agent looks only at what its seat may know: the observation and the mask, or a world redrawn for its seat.
    """

    name: str

    def act(self, env: TableEnv, agent: str) -> int:
        """The action of `agent`, whose turn it is at `env`; the table stays as it is."""
        ...

    def choose(self, batch: Batch, tables: np.ndarray) -> np.ndarray:
        """An action for the seat to act at each of `tables`.

        Args:
            batch: the tables; they stay as they are.
            tables: int64 (K,), which of them, none twice.

        Returns:
            Legal actions, int64 (K,).
        """
        ...


@runtime_checkable
class Seeded(Protocol):
    """An agent with random numbers of its own that can be started anew, so that a match can be repeated."""

    def seed(self, seed: int) -> None:
        """Start the agent's random numbers from `seed`, 0 to 2**64 - 1."""
        ...


class Generators:
    """The random numbers of one compiled player: one generator for each table of a batch, made as they are needed.

    Args:
        seed: 0 to 2**64 - 1.
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._states = np.zeros(0, np.uint64)
        self._single = 0

    def states(self, count: int) -> np.ndarray:
        """uint64, at least `count`: what the compiled players draw from; they advance it in place."""
        have = len(self._states)
        if have < count:
            base = np.uint64(self.seed)
            more = [plain(table_seed)(base, i) for i in range(have, count)]
            self._states = np.concatenate([self._states, np.array(more, np.uint64)])
        return self._states

    def one(self) -> int:
        """A seed for one move at one table; another at every call."""
        self._single -= 1  # tables of a batch count up from 0
        return int(plain(table_seed)(np.uint64(self.seed), (1 << 62) + self._single))


class Compiled:
    """A player that is compiled into the engine; what is its own are its random numbers.

    Args:
        seed: where they start, 0 to 2**64 - 1.
    """

    def __init__(self, seed: int = 0) -> None:
        self._rng = Generators(seed)

    def seed(self, seed: int) -> None:
        """Start the random numbers anew."""
        self._rng = Generators(seed)


#: Agents that need no file, by name: module of this package and class in it.
_BUILT_IN: dict[str, tuple[str, str]] = {"random": ("random", "Random"), "greedy": ("greedy", "Greedy")}


def names() -> list[str]:
    """What `make` knows without a file."""
    return sorted(_BUILT_IN)


def make(spec: str | Path | Agent, game: Game | str | None = None, seed: int = 0) -> Agent:
    """The agent that `spec` names.

    Args:
        spec: "random", "greedy", a run folder or a .zip file of `train.py`; an agent is handed back as it is.
        game: the rulebook it has to play; only a trained agent knows its own.
        seed: where its random numbers start, 0 to 2**64 - 1.

    Raises:
        BadAgent: there is no such agent, or it plays another game.
    """
    if not isinstance(spec, (str, Path)):
        return spec
    if str(spec) in _BUILT_IN:
        return _class(str(spec))(seed=seed)
    if Path(spec).exists():
        return load(spec, game, seed=seed)
    raise BadAgent(
        f"there is no agent {str(spec)!r}: choose {', '.join(names())}, a run folder, or a .zip of train.py"
    )


def load(path: str | Path, game: Game | str | None = None, **options: Any) -> Agent:
    """A trained agent: ``load("runs/x")``.

    Args:
        path: a run folder (its final model, or the latest checkpoint) or a .zip file.
        game: the rulebook it has to play; None for the one it was trained on.
        **options: as for `agezoo.agents.policy.Policy`.

    Raises:
        BadAgent: there is no model, it cannot be read, or it was made for another game, version or seat layout.
    """
    from .policy import Policy

    return Policy.load(path, find(game) if isinstance(game, str) else game, **options)


def _class(name: str) -> Callable[..., Agent]:
    import importlib

    module, kind = _BUILT_IN[name]
    return getattr(importlib.import_module(f".{module}", __package__), kind)
