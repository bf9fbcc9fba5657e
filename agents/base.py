"""What an agent is, and how to get one by name."""

from __future__ import annotations

import difflib
import importlib
import inspect
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np

from agezoo.envs import AgezooError, BadOption, Batch, Game, find
from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.chance import table_seed
from agezoo.envs.engine.compile import plain

#: What happens at the limit of decisions when agents are trained and judged, unless something else is asked for.
AT_LIMIT = "decide"


class BadAgent(AgezooError):
    """An agent that does not exist, cannot be read, lacks something, or was made for another game."""


@runtime_checkable
class Agent(Protocol):
    """Somebody who can play at one table and at many.

    An agent looks only at what its seat may know: the observation and the mask, or a world redrawn for its seat.
    Of your own, less is enough: `make` completes a function ``(env, agent) -> action`` and an object with only `act`.
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


@runtime_checkable
class Trained(Protocol):
    """An agent that knows the options it was trained with, and plays with no others unless it was told to.

    Attributes:
        options: all options of its game.
        any_options: it plays with others, too.
        num_players: seats at the tables it was trained at.
    """

    name: str
    options: Mapping[str, Any]
    any_options: bool
    num_players: int | None


def check_turn(env: TableEnv, agent: str) -> None:
    """See that it is the turn of `agent`.

    Raises:
        BadOption: it is not, or its game is over.
    """
    if agent not in env.possible_agents:
        raise BadOption(f"agent={agent!r}: this table has {', '.join(env.possible_agents)}")
    if not env.agents:
        raise BadOption(f"agent={agent!r}: nobody is to act here, call reset() to deal a table")
    if agent not in env.agents or env.terminations[agent] or env.truncations[agent]:
        raise BadOption(f"agent={agent!r}: its game is over, it has nothing to decide")
    if agent != env.agent_selection:
        raise BadOption(f"agent={agent!r} is not to act: it is the turn of {env.agent_selection}")


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


class Compiled(ABC):
    """A player that is compiled into the engine; what is its own are its random numbers.

    Abstract: a player says with `act` and `choose` what it plays.

    Args:
        seed: where they start, 0 to 2**64 - 1.
    """

    def __init__(self, seed: int = 0) -> None:
        self._rng = Generators(seed)

    def seed(self, seed: int) -> None:
        """Start the random numbers anew."""
        self._rng = Generators(seed)

    @abstractmethod
    def act(self, env: TableEnv, agent: str) -> int:
        """The action of `agent`, whose turn it is."""

    @abstractmethod
    def choose(self, batch: Batch, tables: np.ndarray) -> np.ndarray:
        """Actions at `tables`: int64 (K,)."""

    def __call__(self, env: TableEnv, agent: str) -> int:
        """`act`: what takes a function as an opponent takes an agent, too."""
        return self.act(env, agent)


#: Agents that need no file, by name: module of this package and class in it.
_BUILT_IN: dict[str, tuple[str, str]] = {
    "random": ("random", "Random"),
    "greedy": ("greedy", "Greedy"),
    "montecarlo": ("montecarlo", "MonteCarlo"),
}


def names() -> list[str]:
    """What `make` knows without a file."""
    return sorted(_BUILT_IN)


def make(spec: Any, game: Game | str | None = None, seed: int = 0, *, any_options: bool = False) -> Agent:
    """The agent that `spec` names or is.

    Args:
        spec: "random", "greedy", "montecarlo:N" (N simulations a decision, "montecarlo:N:DEPTH" judged after so many
            decisions), a run folder or a .zip file of `train.py`; or an agent of your own: a function
            ``(env, agent) -> action``, an object with such a method `act`, or a whole `Agent`, which is handed back as
            it is.
        game: the game it has to play; only a trained agent knows its own.
        seed: where its random numbers start, 0 to 2**64 - 1; an agent of your own keeps its own.
        any_options: as for `load`.

    Raises:
        BadAgent: there is no such agent, it plays another game, or what was given is none; says what is missing.
    """
    if isinstance(spec, (str, Path)):
        return resolve(spec, game, seed, any_options=any_options)
    from .own import complete

    return complete(spec)


def resolve(
    text: str | Path,
    game: Game | str | None = None,
    seed: int = 0,
    *,
    allow_code: bool = False,
    any_options: bool = False,
) -> Agent:
    """The agent that a text names.

    Args:
        text: as `spec` of `make`; with `allow_code` also ``module:name``, a
            class, object or function that is imported.
        game: as for `make`.
        seed: as for `make`.
        allow_code: import code that `text` names. For what a person typed on a command line, never for text out of
            a file or from the net.
        any_options: as for `load`.

    Raises:
        BadAgent: there is no such agent, or it plays another game.
    """
    known = f"choose {', '.join(names())}, a run folder, or a .zip of train.py"
    name, mark, rest = str(text).partition(":")
    if name in _BUILT_IN and (not mark or hasattr(_class(name), "from_text")):
        return _class(name).from_text(rest, seed) if mark else _class(name)(seed=seed)
    if _exists(text):
        return load(text, game, any_options=any_options, seed=seed)
    module, mark, name = str(text).partition(":")
    if mark and _dotted(module) and _dotted(name):
        if not allow_code:
            raise BadAgent(
                f"{str(text)!r} is code, which is imported from the command line alone: {known}; "
                "in Python give the agent itself"
            )
        return _imported(module, name)
    close = difflib.get_close_matches(str(text), names(), 1)
    hint = f" (did you mean {close[0]}?)" if close else ""
    more = ", or module:name for one of your own" if allow_code else ""
    raise BadAgent(f"there is no agent {str(text)!r}{hint}: {known}{more}")


def load(path: str | Path, game: Game | str | None = None, **options: Any) -> Agent:
    """A trained agent: ``load("runs/x")``. It needs PyTorch, and nothing else that training needs.

    Args:
        path: a run folder (its final model, or the latest checkpoint) or a .zip file.
        game: the game it has to play; None for the one it was trained on.
        **options: as for `agezoo.agents.policy.Policy.load`; ``any_options=True`` for an agent that plays with other
            options than those it was trained with, too.

    Raises:
        BadAgent: there is no model, it cannot be read, or it was made for another game, version or seat layout.
        MissingExtra: PyTorch is not installed.
    """
    from .extras import need

    need("play", f"a trained agent such as {str(path)!r}")
    from .policy import Policy

    return Policy.load(path, find(game) if isinstance(game, str) else game, **options)


def table_options(game: Game, players: Iterable[Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """All options of the tables at which `players` meet: those given, those that trained agents play with, defaults.

    Args:
        game: what they play.
        players: agents; those that are `Trained` have a say.
        given: options that were asked for.

    Raises:
        BadAgent: trained agents do not agree with each other, or with what was asked for.
        BadOption: an option that does not exist, or a value outside its range.
    """
    wanted = complete_options(game, given)
    trained = list({id(p): p for p in players if isinstance(p, Trained)}.values())
    strict = [p for p in trained if not p.any_options]
    for player in strict:
        other = {name: wanted[name] for name in given if wanted[name] != player.options[name]}
        if other:
            raise BadAgent(
                f"{player.name} was trained with {shown_options(player.options, other)} and cannot play with "
                f"{shown_options(other)}: leave it out, or load the agent with any_options=True"
            )
    deciding = strict or trained
    for player in deciding[1:]:
        first = deciding[0]
        apart = [n for n in first.options if n not in given and first.options[n] != player.options[n]]
        if apart:
            help_ = "give the options, and load them with any_options=True" if strict else "give the options"
            raise BadAgent(
                f"{first.name} was trained with {shown_options(first.options, apart)}, {player.name} with "
                f"{shown_options(player.options, apart)}: to have them meet, {help_}"
            )
    others = deciding[0].options if deciding else {}
    return {name: value if name in given else others.get(name, value) for name, value in wanted.items()}


def complete_options(game: Game, given: Mapping[str, Any]) -> dict[str, Any]:
    """All options of `game`: those given, and the defaults of the others.

    Raises:
        BadOption: an option that does not exist, or a value outside its range.
    """
    return game.options_of(game.record(game.prototype(None, given)))


def shown_options(options: Mapping[str, Any], only: Iterable[str] | None = None) -> str:
    """``units=2, field=6x8``."""
    return ", ".join(f"{name}={options[name]}" for name in (options if only is None else only))


def seats_of(players: Iterable[Any]) -> int | None:
    """The number of seats that trained agents among `players` were trained with, if they agree."""
    counts = {p.num_players for p in players if isinstance(p, Trained)} - {None}
    return counts.pop() if len(counts) == 1 else None


def _class(name: str) -> Any:
    module, kind = _BUILT_IN[name]
    return getattr(importlib.import_module(f".{module}", __package__), kind)


def _exists(path: str | Path) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # too long for a path, or with a zero in it
        return False


def _dotted(text: str) -> bool:
    return all(part.isidentifier() for part in text.split("."))


def _imported(module: str, name: str) -> Agent:
    """The agent ``module:name``; modules in the current folder are found, too."""
    from .own import complete

    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found: Any = importlib.import_module(module)
    except ImportError as error:
        raise BadAgent(f"{module}:{name}: {module} cannot be imported ({error})") from error
    for part in name.split("."):
        if not hasattr(found, part):
            raise BadAgent(f"{module}:{name}: {module} has no {name}")
        found = getattr(found, part)
    if inspect.isclass(found):
        try:
            found = found()
        except TypeError as error:
            raise BadAgent(f"{module}:{name} cannot be made without arguments ({error})") from error
    return complete(found)
