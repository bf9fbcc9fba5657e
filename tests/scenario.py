"""What the scenarios of every rulebook share: a table to play at in words, to ask, and to throw dice at.

A rulebook's own ``scenario.py`` lays tables out (`lay`) and adds its own words to `Table`.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any, ClassVar, Self

import numpy as np

from agezoo.envs.engine import chance, table
from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.compile import plain
from agezoo.envs.engine.errors import IllegalAction

SEEDS = 500_000  # random numbers that are tried before giving up


def listed(words: str) -> list[str]:
    """``2 Iron, Hero`` as names, one for each card: Iron, Iron, Hero."""
    names: list[str] = []
    for part in filter(None, (word.strip() for word in words.split(","))):
        number, _, name = part.partition(" ") if part[0].isdigit() else ("1", "", part)
        names += [name] * int(number)
    return names


class Table:
    """A table to play at and to ask."""

    phases: ClassVar[type[IntEnum]]  # what a rulebook calls what is being decided

    def __init__(self, env: TableEnv) -> None:
        self.env = env
        self.game = env.game

    # -- play -----------------------------------------------------------------------------------------------------

    def play(self, *words: str) -> Self:
        """Play these actions one after the other; whatever the table looks like, no component may be lost."""
        for said in words:
            self.env.step(self.action(said))
            self.game.check(self.state)
            while self.env.agents and self.env.terminations[self.env.agent_selection] and not self.finished:
                self.env.step(None)  # a seat that was knocked out steps down
        return self

    def action(self, said: str) -> int:
        """The legal action that is called so."""
        return self.env.parse_action(said)

    def can(self, words: str) -> bool:
        """Whether the seat to act may do this."""
        try:
            self.action(words)
        except IllegalAction:
            return False
        return True

    def choices(self, start: str = "") -> set[str]:
        """All that the seat to act may do, as far as it begins with `start`."""
        words = (self.env.action_text(action) for action in self.env.legal_actions())
        return {said for said in words if said.startswith(start)}

    def dice(self, *rolls: int) -> Self:
        """Choose random numbers so that the next dice show `rolls`."""
        return self.chosen(lambda trial: shows(trial, rolls))

    def chosen(self, gives: Callable[[Any], bool]) -> Self:
        """Choose random numbers of which `gives` says that they give what is wanted; it may use them up."""
        trial = self.game.record(self.game.prototype())
        for seed in range(SEEDS):
            trial.rng = np.uint64(seed)
            if gives(trial):
                return self.seeded(seed)
        raise AssertionError("no such random numbers")

    def seeded(self, seed: int, position: dict[str, Any] | None = None) -> Self:
        """The same table, or the one at `position`, with the random numbers that follow from `seed`."""
        position = position or self.env.position()
        self.env.load({**position, "state": {**position["state"], "rng": f"{seed:016x}"}})
        return self

    # -- ask ------------------------------------------------------------------------------------------------------

    @property
    def state(self) -> Any:
        """The whole table as a record."""
        return self.game.record(self.env.states)

    @property
    def to_act(self) -> Any:
        """The seat that decides."""
        return int(self.state.seat)

    @property
    def phase(self) -> Any:
        """What is being decided."""
        return self.phases(int(self.state.phase))

    @property
    def finished(self) -> bool:
        """The game is over."""
        return bool(self.state.finished)

    def sees(self, seat: Any, name: str) -> np.ndarray:
        """A block of what a seat observes, in natural units."""
        observed = self.env.observe(f"player_{seat}")["observation"] / self.game.observation.scale()
        return self.game.observation.unpack(observed)[name]

    def scores(self) -> list[int]:
        """Points of every seat."""
        return [int(points) for points in self.env.scores().values()]

    def places(self) -> list[int]:
        """Places of every seat."""
        return list(self.env.places().values())

    def world(self, seat: int, seed: int) -> Self:
        """A table that a seat cannot tell from this one."""
        return type(self)(self.env.world(f"player_{seat}", seed))

    def worlds(self, seat: Any, number: int) -> np.ndarray:
        """That many of them as an array of tables, from seeds 0, 1, ..."""
        drawn = np.repeat(self.env.states, number)
        imagine = self.game.compiled(table.imagine)
        for k in range(number):
            imagine(self.env.states, 0, drawn, k, seat, np.uint64(k))
        return drawn


def shows(trial: Any, rolls: tuple[int, ...]) -> bool:
    """Whether the next dice of a table show `rolls`."""
    return all(plain(chance.roll)(trial) == roll for roll in rolls)


__all__ = ["Table", "listed", "shows"]
