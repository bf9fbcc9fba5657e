"""Agents of one's own: a function or an object with `act` becomes a whole agent."""

from __future__ import annotations

import inspect
import operator
from typing import Any

import numpy as np

from agezoo.envs import Batch
from agezoo.envs.engine.aec import TableEnv

from .base import Agent, BadAgent, Trained, check_turn

_WANTED = "an agent is a function (env, agent) -> action, or an object with such a method called act"


def complete(player: Any) -> Agent:
    """`player` as a whole agent: itself if it is one, else with what it lacks.

    Raises:
        BadAgent: it cannot act; says what is missing.
    """
    if inspect.isclass(player):
        raise BadAgent(f"{player.__name__} is a class: give an object of it, such as {player.__name__}()")
    act = getattr(player, "act", None)
    if act is None:
        if not callable(player):
            raise BadAgent(f"{_shown(player)} has no act: {_WANTED}")
        act = player
    _check_call(act, player, "act", ("env", "agent"))
    choose, seed = getattr(player, "choose", None), getattr(player, "seed", None)
    if choose is not None:
        _check_call(choose, player, "choose", ("batch", "tables"))
    if isinstance(getattr(player, "name", None), str) and choose is not None and act is not player:
        return player
    if seed is not None and not callable(seed):
        raise BadAgent(f"{_shown(player)}: seed is no method seed(seed); leave it out or make it one")
    return Own(player, act, choose, seed)


class Own:
    """An agent that somebody else wrote, with everything that it leaves out.

    Args:
        player: as it was given.
        act: what it decides with.
        choose: what it decides with at many tables; None to ask `act` at one after the other.
        seed: starts its random numbers; None if it has none that can be started.
    """

    def __init__(self, player: Any, act: Any, choose: Any = None, seed: Any = None) -> None:
        given = getattr(player, "name", None) or getattr(player, "__name__", None)
        self.name: str = given if isinstance(given, str) else type(player).__name__
        self.player = player
        self._act, self._choose, self._seed = act, choose, seed
        if isinstance(player, Trained):
            self.options, self.any_options = player.options, player.any_options
            self.num_players = player.num_players

    def seed(self, seed: int) -> None:
        """Start the player's random numbers anew, if it lets us."""
        if self._seed is not None:
            self._seed(seed)

    def act(self, env: TableEnv, agent: str) -> int:
        """The action of `agent`, whose turn it is.

        Raises:
            BadAgent: the player gave something that is no number.
        """
        check_turn(env, agent)
        action = self._act(env, agent)
        try:
            return operator.index(action)
        except TypeError:
            raise BadAgent(
                f"{self.name} gave {action!r} for {agent}: act must give the number of a legal action"
            ) from None

    __call__ = act

    def choose(self, batch: Batch, tables: np.ndarray) -> np.ndarray:
        """Actions at `tables`: int64 (K,)."""
        if self._choose is not None:
            return self._choose(batch, tables)
        actions = np.empty(len(tables), np.int64)
        for j, i in enumerate(tables.tolist()):
            env = batch.table(i)
            actions[j] = self.act(env, env.agent_selection)
        return actions


def _shown(player: Any) -> str:
    text = repr(player)
    return f"{text if len(text) <= 60 else text[:57] + '...'} ({type(player).__name__})"


def _check_call(function: Any, player: Any, name: str, arguments: tuple[str, ...]) -> None:
    """See that `function` takes so many arguments, as far as Python knows.

    Raises:
        BadAgent: it does not.
    """
    called = name if function is not player else getattr(player, "__name__", type(player).__name__)
    if not callable(function):
        raise BadAgent(f"{_shown(player)}: {called} is no method; {_WANTED}")
    try:
        inspect.signature(function).bind(*arguments)
    except TypeError as error:
        raise BadAgent(
            f"{_shown(player)}: {called} must take ({', '.join(arguments)}), but {error}"
        ) from None
    except ValueError:  # written in C: Python does not know
        pass
