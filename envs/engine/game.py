"""`Game`: the one object that a rulebook hands over, checked when it is built.

One object that is a game is boardgame.io's idea; facts that are declared and then held against random play are
OpenSpiel's.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import gymnasium
import numpy as np

from . import table
from .compile import announced, copied, new_tables, preparing, specialize
from .errors import BadGame, BadOption, UnknownOption
from .fields import HEADER, MAX_SEATS, Field, table_dtype
from .layout import Layout
from .plain import Record

REWARDS = ("win", "rank", "score")
LIMITS = ("truncate", "decide")  # what happens to a game at its limit


@dataclass(frozen=True)
class Option:
    """A choice made before the table is dealt; it stands in the state field of the same name.

    Args:
        name: a state field.
        default: the value that it has by default.
        choices: the values there are, in words; the state holds the index. Empty for a number.
        low, high: range of a number, both included.
        step: the numbers there are from `low` on are so far apart.
        doc: one sentence for people.
    """

    name: str
    default: int | str | bool
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 1
    step: int = 1
    doc: str = ""

    @property
    def samples(self) -> tuple[int | str, ...]:
        """Values to test with: all choices, all numbers where they are a step apart, else both ends of the range."""
        if self.choices:
            return self.choices
        stride = self.step if self.step > 1 else max(1, self.high - self.low)
        return tuple(range(self.low, self.high + 1, stride))

    def encode(self, value: Any) -> int:
        """The number that the state holds for `value`.

        Raises:
            BadOption: `value` is not one of the choices or outside the range.
        """
        if self.choices:
            if value not in self.choices:
                raise BadOption(f"option {self.name}={value!r}: choose one of {', '.join(self.choices)}")
            return self.choices.index(value)
        whole = isinstance(value, (bool, np.bool_, int, np.integer))
        inside = whole and self.low <= int(value) <= self.high
        if not inside or (int(value) - self.low) % self.step:
            steps = f" in steps of {self.step}" if self.step > 1 else ""
            raise BadOption(
                f"option {self.name}={value!r}: give a whole number from {self.low} to {self.high}{steps}"
            )
        return int(value)

    def decode(self, number: int) -> int | str:
        """The value that `encode` turns into `number`."""
        return self.choices[number] if self.choices else int(number)


def _unpickled(name: str, module: str) -> Game:
    """The game called `name`, which importing `module` makes."""
    if name not in Game.made:
        importlib.import_module(module.rpartition(".")[0] or module)
    if name not in Game.made:
        importlib.import_module(module)
    return Game.made[name]


def _no_check(s: Any) -> None:
    """Nothing to conserve."""


@dataclass(frozen=True, eq=False)
class Game:
    """A rulebook: its facts, its layouts, its kernels and its words.

    Kernels (see `compile.kernel`) over a record `s` of dtype `state`, which the engine makes of `fields`:

    - ``setup(s)`` deals a table; ``num_players``, the options and ``rng`` are set, all else is zero.
    - ``legal(s, mask)`` marks in ``mask`` (bool[num_actions], all False) what the seat to act may do; at least one.
    - ``apply(s, action)`` plays a legal action, resolves chance, runs on to the next decision or the end.
    - ``observe(s, seat, out)`` fills ``out`` (float32[num_features], all zero) in natural units; the engine scales.
    - ``determinize(s, seat)`` redraws, from ``s.rng``, all that `seat` cannot know, uniformly over what fits. The
      outcome depends on nothing but ``s.rng`` and what `seat` knows: hidden things that are gathered to be shuffled
      are put in order first, or whoever knows the random numbers could undo the shuffle; nor may a place that is no
      longer in use still tell what lay there.
    - ``scores(s, out)`` fills ``out`` (float32[num_players]) with the rulebook's points as they stand.
    - ``placing(s, out)`` fills ``out`` (int8[num_players]) with places, 1 first, ties alike; by default by score.
    - ``cut(s)`` says (bool) that the table has reached a limit of the rulebook's own, on rounds, say, and is truncated
      there, as at `max_decisions` (or decided, where the environment says so); by default never. It does not count
      ``s.decisions``, which worlds count anew.
    - ``value(s, seat)`` says (float) how good the table looks for `seat`, for greedy and search agents; by default
      the margin over the best other seat.

    Args:
        name: the rulebook's folder.
        title: its name for people.
        version: part of the environment id; bump it when rules, actions or observations change.
        players: fewest and most seats.
        default_players: seats by default.
        fields: what a table holds beyond the engine's header, and who may see it.
        max_decisions: the most decisions a game takes; tables are truncated there unless `max_cycles` says otherwise.
        ends_by_itself: the rules alone end every game before `max_decisions`.
        hidden_information, chance, zero_sum: facts held against random play; zero_sum is about "win" and "rank".
        action_text: ``(s, action) -> str``, different for every action that is legal at the same time.
        table_text: ``(s, seat) -> str``, the table as `seat` sees it, whole for None; what lies open to all for
            `fields.PUBLIC`, a number that no seat has.
        heard_text: ``(s, action, seat) -> str``, what `seat` hears of another seat's action, where `action_text` would
            tell it a secret; by default all actions are open.
        picture: ``(s, seat) -> RGB array (height, width, 3) uint8``; by default `table_text` as a picture.
        check: ``(s) -> None``, raises ValueError when components are lost or a field contradicts another.
        spatial: name of an observation block with axes (planes, rows, columns), if there is one.

    Raises:
        BadGame: the declaration contradicts itself.
    """

    name: str
    title: str
    version: int
    players: tuple[int, int]
    default_players: int
    fields: tuple[Field, ...]
    actions: Layout
    observation: Layout
    max_decisions: int
    setup: Callable[..., Any]
    legal: Callable[..., Any]
    apply: Callable[..., Any]
    observe: Callable[..., Any]
    determinize: Callable[..., Any]
    scores: Callable[..., Any]
    action_text: Callable[[Any, int], str]
    table_text: Callable[[Any, int | None], str]
    placing: Callable[..., Any] = table.place_by_score
    value: Callable[..., Any] = table.score_margin
    cut: Callable[..., Any] = table.never_cut
    heard_text: Callable[[Any, int, int], str] | None = None
    picture: Callable[[Any, int | None], np.ndarray] | None = None
    check: Callable[[Any], None] = _no_check
    options: tuple[Option, ...] = ()
    ends_by_itself: bool = True
    hidden_information: bool = True
    chance: bool = True
    zero_sum: bool = True
    spatial: str | None = None
    specialized: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)
    made: ClassVar[dict[str, Game]] = {}  # by name, so that games outside the package unpickle too

    def __post_init__(self) -> None:
        fewest, most = self.players
        if not 2 <= fewest <= self.default_players <= most <= MAX_SEATS:
            raise BadGame(
                f"{self.name}: players {self.players}, default {self.default_players}: 2 to {MAX_SEATS} fit"
            )
        if not re.fullmatch(r"[a-z][a-z0-9_]*", self.name):
            raise BadGame(f"name {self.name!r}: use lower case letters, digits and underscores")
        names = self.state.names[len(HEADER) :]  # type: ignore[index]
        for declared in self.fields:
            if declared.vast:
                raise BadGame(
                    f"{self.name}: state field {declared.name!r} holds more numbers than `state()` can tell apart: "
                    "declare its bits, or its low and high"
                )
        for option in self.options:
            if option.name not in names:
                raise BadGame(f"{self.name}: option {option.name!r} needs a state field of that name")
            option.encode(option.default)
        if self.spatial is not None and self.planes is None:
            raise BadGame(
                f"{self.name}: spatial {self.spatial!r} is no observation block of planes x rows x columns"
            )
        if self.max_decisions < 1:
            raise BadGame(f"{self.name}: max_decisions is {self.max_decisions}, must be at least 1")
        Game.made[self.name] = self

    def __repr__(self) -> str:
        return f"Game({self.name!r}, version={self.version}, players={self.players})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self.name, self.setup.__module__)

    @cached_property
    def state(self) -> np.dtype[Any]:
        """The dtype of a table."""
        return table_dtype(*self.fields)

    def position_schema(self) -> dict[str, Any]:
        """JSON Schema (draft 2020-12) of this game's positions, as plain data."""
        from .position import schema

        return schema(self)

    @cached_property
    def all_fields(self) -> tuple[Field, ...]:
        """The engine's header, then the rulebook's fields."""
        return (*HEADER, *self.fields)

    @property
    def num_actions(self) -> int:
        """Length of the action mask."""
        return self.actions.size

    @property
    def num_features(self) -> int:
        """Length of the observation."""
        return self.observation.size

    @property
    def env_name(self) -> str:
        """Name of the PettingZoo module, such as ``bronze_v0``."""
        return f"{self.name}_v{self.version}"

    @cached_property
    def planes(self) -> tuple[slice, tuple[int, int, int]] | None:
        """Where the spatial block lies in an observation, and its planes, rows and columns; None without one.

        ``where, shape = game.planes; observation[..., where].reshape(-1, *shape)`` is what a convolution takes.
        """
        for found in self.observation.blocks:
            if found.name == self.spatial and len(found.shape) == 3:
                planes, rows, columns = found.shape
                return self.observation.slices()[found.name], (planes, rows, columns)
        return None

    @cached_property
    def aligned(self) -> list[tuple[slice, list[slice]]]:
        """Action blocks whose axes are also the last axes of some observation blocks, with the parts that they make.

        An action block ``territory`` over the names of all territories, for example, and each run of observed numbers
        that has one for each of the same territories: ``for actions, parts in game.aligned: ...``.
        """
        found = []
        for block, where in zip(self.actions.blocks, self.actions.slices().values(), strict=True):
            if any(not isinstance(axis, int) for axis in block.axes):
                parts = [
                    slice(start, start + block.size)
                    for seen, place in zip(
                        self.observation.blocks, self.observation.slices().values(), strict=True
                    )
                    if seen.labels[-len(block.labels) :] == block.labels
                    for start in range(place.start, place.stop, block.size)
                ]
                if parts:
                    found.append((where, parts))
        return found

    @cached_property
    def source(self) -> Path:
        """The file that holds the rules."""
        function = getattr(self.setup, "py_func", self.setup)
        return Path(function.__code__.co_filename)

    @cached_property
    def kernels(self) -> dict[str, Any]:
        """Everything that a template may call by name."""
        names = ("setup", "legal", "apply", "observe", "determinize", "scores", "placing", "value", "cut")
        kernels: dict[str, Any] = {name: getattr(self, name) for name in names}
        kernels["SCALE"], kernels["SCALED"] = self.observation.scale(), self.observation.scaled()
        return kernels

    def compiled(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """An engine template compiled for this rulebook; on first use all that an environment needs is compiled."""
        if "ready" not in self.specialized:
            with preparing:  # one thread compiles, others wait; what it calls on the way goes on below
                if not self.specialized.keys() & {"ready", "preparing"}:
                    self.specialized["preparing"] = True
                    try:
                        self._prepare()
                        self.specialized["ready"] = True  # not before: Ctrl-C may come while it compiles
                    finally:
                        del self.specialized["preparing"]
        return specialize(function, self)

    def _prepare(self) -> None:
        """Compile the environment's own functions now, and say so, rather than stall in the first step."""
        with announced(self, 4) as tick:
            tick("deal")
            states = self.prototype(self.default_players)
            run = table.Run(self, 1)
            specialize(table.deal_all, self)(states, run.all, copied(states), np.ones(1, np.uint64), False)
            tick("step")
            run.refresh(states)
            run.step(states, np.array([int(np.argmax(run.mask[0]))]))
            tick("observe")
            specialize(table.look, self)(states, 0, 0, run.observation[0])
            run.is_over(states)
            tick("determinize")
            specialize(table.imagine, self)(states, 0, copied(states), 0, 0, np.uint64(1))

    def num_players(self, given: int | None) -> int:
        """`given`, or the default number of seats.

        Raises:
            BadOption: the rulebook is not for so many.
        """
        fewest, most = self.players
        if given is None:
            return self.default_players
        if isinstance(given, bool) or not isinstance(given, (int, np.integer)) or not fewest <= given <= most:
            raise BadOption(f"num_players={given!r}: {self.title} is for {fewest} to {most} players")
        return int(given)

    def prototype(
        self, num_players: int | None = None, options: Mapping[str, Any] | None = None
    ) -> np.ndarray:
        """One table before the deal: array of shape (1,) and dtype `state` with seats and options set, all else zero.

        Raises:
            BadOption: a value is outside its range.
            UnknownOption: there is no such option.
        """
        options = dict(options or {})
        states = new_tables(1, self.state)
        states["num_players"] = self.num_players(num_players)
        for option in self.options:
            states[option.name] = option.encode(options.pop(option.name, option.default))
        if options:
            known = ", ".join(option.name for option in self.options) or "none"
            first, *more = map(repr, options)
            others = f" (nor {', '.join(more)})" if more else ""
            raise UnknownOption(
                f"got an unexpected keyword argument {first}{others}: {self.title} has these options: {known}"
            )
        return states

    def record(self, states: np.ndarray, i: int = 0) -> Any:
        """Table `i` of `states` as a `plain.Record`: a view whose fields read as Python's own numbers."""
        return Record(states.view(np.ndarray)[i])

    def told(self, s: Any, action: int, seat: int | None) -> str:
        """The action that the acting seat is about to play, in words, as `seat` hears of it; in full for None."""
        if self.heard_text is None or seat is None or seat == s["seat"]:
            return self.action_text(s, action)
        return self.heard_text(s, action, seat)

    def options_of(self, s: Any) -> dict[str, int | str]:
        """The options that a table was dealt with."""
        return {option.name: option.decode(int(s[option.name])) for option in self.options}

    def prototypes(self, num_players: int | Sequence[int] | None, options: Mapping[str, Any]) -> np.ndarray:
        """`prototype` for each of several seat counts, or for one: array of dtype `state`.

        Raises:
            BadOption: no seat count is given, or as for `prototype`.
        """
        counts: list[Any] = list(num_players) if isinstance(num_players, Iterable) else [num_players]
        if not counts:
            raise BadOption("num_players=(): give at least one seat count")
        states = new_tables(len(counts), self.state)
        for k, count in enumerate(counts):
            states[k] = self.prototype(count, options)[0]
        return states

    def observation_space(self) -> gymnasium.spaces.Box:
        """float32[num_features], with the declared bounds."""
        low, high = self.observation.bounds()
        return gymnasium.spaces.Box(low, high, dtype=np.float32)
