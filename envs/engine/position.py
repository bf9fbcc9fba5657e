"""A table as JSON, whole or as one seat may know it, and records of whole games.

A position is ``{"agezoo": 1, "game", "version", "num_players", "options", "state": {field: value}}``. The position of
one seat has the same form, so that it loads like any other, and `view_of`, `observation` (the named blocks that the
seat sees) and `legal_actions` beside it: everything in `state` that the seat cannot know is redrawn at random,
together with the table's random numbers, from a seed that depends only on what the seat sees. Nothing hidden is in it.
"""

from __future__ import annotations

import copy
import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from . import table
from .arguments import check_at_limit, check_limit
from .compile import copied, plain
from .errors import AgezooError, BadOption, BadPosition
from .fields import Field
from .game import LIMITS, Game, Option

if TYPE_CHECKING:
    from .aec import TableEnv

FORMAT = 1
_KEYS = ("agezoo", "game", "version", "num_players", "options", "state")


def dump(game: Game, states: np.ndarray) -> dict[str, Any]:
    """The first table of `states`, whole, as a JSON-able dict."""
    s = states[0]
    skipped = {"num_players", "rng", *(option.name for option in game.options)}
    state: dict[str, Any] = {"rng": f"{int(s['rng']):016x}"}
    state |= {name: np.asarray(s[name]).tolist() for name in game.state.names or () if name not in skipped}
    return {
        "agezoo": FORMAT,
        "game": game.name,
        "version": game.version,
        "num_players": int(s["num_players"]),
        "options": game.options_of(s),
        "state": state,
    }


def dump_view(game: Game, states: np.ndarray, seat: int, over: bool = False) -> dict[str, Any]:
    """The first table of `states` as `seat` may know it, as JSON-able dict; it may do nothing if its game is `over`."""
    seen = np.zeros(game.num_features, np.float32)
    game.compiled(table.look)(states, 0, seat, seen)
    seed = int.from_bytes(hashlib.blake2b(seen.tobytes() + bytes([seat]), digest_size=8).digest(), "little")
    world = copied(states)
    game.compiled(table.imagine)(states, 0, world, 0, seat, np.uint64(seed))
    legal = []
    if not over and not states["finished"][0] and seat == states["seat"][0]:
        legal = [
            {"action": a, "text": game.action_text(game.record(world), a)} for a in legal_actions(game, world)
        ]
    blocks = {name: part.tolist() for name, part in game.observation.unpack(seen).items()}
    return {**dump(game, world), "view_of": f"player_{seat}", "observation": blocks, "legal_actions": legal}


def legal_actions(game: Game, states: np.ndarray) -> list[int]:
    """What the seat to act at the first table of `states` may do."""
    mask = np.zeros((1, game.num_actions), np.bool_)
    game.compiled(table.mark)(states, 0, mask[0])
    return np.flatnonzero(mask[0]).tolist()


def load(game: Game, where: Mapping[str, Any] | str, num_players: int | None = None) -> np.ndarray:
    """A position as an array of shape (1,) and dtype `game.state`.

    Args:
        game: the rulebook.
        where: what `dump` or `dump_view` gave, or its JSON text.
        num_players: seats that the table must have; None for any.

    Raises:
        BadPosition: naming the field and what would be right.
    """
    where = _parsed(where)
    missing = [key for key in _KEYS if key not in where]
    if missing:
        raise BadPosition(f"position: {', '.join(missing)} missing; it needs {', '.join(_KEYS)}")
    for key, right in (("agezoo", FORMAT), ("game", game.name), ("version", game.version)):
        if where[key] != right:
            raise BadPosition(f"position: {key} is {where[key]!r}, must be {right!r}")
    if num_players is not None and where["num_players"] != num_players:
        raise BadPosition(
            f"position: num_players is {where['num_players']!r}, this environment has {num_players}"
        )
    for key in ("options", "state"):
        if not isinstance(where[key], Mapping):
            raise BadPosition(f"position: {key} must be an object, got {type(where[key]).__name__}")
    names = [option.name for option in game.options]
    for name in where["options"]:
        if name not in names:
            raise BadPosition(
                f"position: unknown option {name!r}: {game.title} has these options: {', '.join(names) or 'none'}"
            )
    try:
        states = game.prototype(where["num_players"], where["options"])
    except BadOption as error:
        raise BadPosition(f"position: {error}") from None
    _fill(game, states, where["state"])
    _check(game, states)
    return states


def _parsed(where: Mapping[str, Any] | str) -> Mapping[str, Any]:
    if isinstance(where, (str, bytes)):
        try:
            where = json.loads(where)
        except (ValueError, RecursionError) as error:
            raise BadPosition(f"position: no JSON: {error}") from None
    if not isinstance(where, Mapping):
        raise BadPosition(f"position: must be an object, got {type(where).__name__}")
    return where


def _fill(game: Game, states: np.ndarray, given: Mapping[str, Any]) -> None:
    skipped = {"num_players", *(option.name for option in game.options)}
    wanted = [name for name in game.state.names or () if name not in skipped]
    unknown = sorted(set(given) - set(wanted), key=str)
    if unknown:
        raise BadPosition(
            f"position: state.{unknown[0]} is no field of {game.name}; it has {', '.join(wanted)}"
        )
    for declared in game.all_fields:
        name = declared.name
        if name not in skipped:
            if name not in given:
                raise BadPosition(f"position: state.{name} is missing")
            states[name][0] = _rng(given[name]) if name == "rng" else _numbers(declared, given[name])


def _rng(value: Any) -> np.uint64:
    if not isinstance(value, str) or not re.fullmatch("[0-9a-f]{16}", value):
        raise BadPosition(f"position: state.rng is {value!r}, must be 16 hexadecimal digits")
    return np.uint64(int(value, 16))


def _numbers(declared: Field, value: Any) -> np.ndarray:
    name, kind = declared.name, np.dtype(declared.kind)
    try:
        array = np.array(value)
    except ValueError:
        raise BadPosition(f"position: state.{name} has rows of unequal length") from None
    if array.shape != declared.axes:
        raise BadPosition(f"position: state.{name} has shape {array.shape}, must have {declared.axes}")
    if kind == np.bool_:
        if array.dtype != np.bool_:
            raise BadPosition(f"position: state.{name} must be true or false, got {value!r}")
        return array
    low, high = declared.range
    if array.dtype.kind not in "iu":
        raise BadPosition(f"position: state.{name} must be whole numbers from {low} to {high}")
    outside = np.argwhere((array < low) | (array > high))
    if len(outside):
        where = "".join(f"[{k}]" for k in outside[0])
        found = array[tuple(outside[0])]
        raise BadPosition(
            f"position: state.{name}{where} is {found}, must be a whole number from {low} to {high}"
        )
    return array


def _check(game: Game, states: np.ndarray) -> None:
    s = states[0]
    if not 0 <= s["seat"] < s["num_players"]:
        raise BadPosition(f"position: state.seat is {s['seat']}, must be from 0 to {s['num_players'] - 1}")
    out = s["eliminated"]
    if out.min() < 0 or out.max() > s["num_players"] or out[s["num_players"] :].any():
        raise BadPosition(
            f"position: state.eliminated is {out.tolist()}, must hold a place for seats out, 0 for others"
        )
    if not s["finished"] and out[s["seat"]]:
        raise BadPosition(f"position: state.seat is {s['seat']}, which state.eliminated says is out")
    try:
        game.check(game.record(states))
    except ValueError as error:
        raise BadPosition(f"position: {error}") from None
    over = s["finished"] or plain(game.cut)(game.record(states))
    if not over and not legal_actions(game, states):
        raise BadPosition("position: the seat to act has nothing that it may do")


def schema(game: Game) -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of the positions of a game, whole or of one seat, made of its declared fields.

    What it lets through has the right form; `load` also asks whether it is a table that the rules can lead to.
    """
    skipped = {"num_players", "rng", *(option.name for option in game.options)}
    state = {
        declared.name: _schema_of(declared) for declared in game.all_fields if declared.name not in skipped
    }
    rng = {"type": "string", "pattern": "^[0-9a-f]{16}$", "description": "State of the random numbers"}
    seats = {"type": "integer", "minimum": game.players[0], "maximum": game.players[1]}
    agents = [f"player_{seat}" for seat in range(game.players[1])]
    action = {
        "type": "object",
        "properties": {
            "action": {"type": "integer", "minimum": 0, "maximum": game.num_actions - 1},
            "text": {"type": "string"},
        },
        "required": ["action", "text"],
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A position of {game.title}, version {game.version}",
        "type": "object",
        "properties": {
            "agezoo": {"const": FORMAT},
            "game": {"const": game.name},
            "version": {"const": game.version},
            "num_players": seats,
            "options": {
                "type": "object",
                "properties": {option.name: _schema_of_option(option) for option in game.options},
                "additionalProperties": False,
            },
            "state": _whole_object({"rng": rng, **state}),
            "view_of": {
                "enum": agents,
                "description": "Whose view it is; all that the seat cannot know is redrawn",
            },
            "observation": {
                "type": "object",
                "additionalProperties": {"type": ["array", "number"]},
                "description": "The named blocks that the seat sees",
            },
            "legal_actions": {"type": "array", "items": action, "description": "What the seat may do now"},
        },
        "required": list(_KEYS),
    }


def _whole_object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _schema_of(declared: Field) -> dict[str, Any]:
    """A number, or arrays in arrays of numbers."""
    low, high = declared.range
    made: dict[str, Any] = {"type": "integer", "minimum": low, "maximum": high}
    if np.dtype(declared.kind) == np.bool_:
        made = {"type": "boolean"}
    for size in reversed(declared.axes):
        made = {"type": "array", "items": made, "minItems": size, "maxItems": size}
    words = declared.doc + (f" (a set of {declared.bits}, bit k for the k-th)" if declared.bits else "")
    return {**made, "description": words} if words else made


def _schema_of_option(option: Option) -> dict[str, Any]:
    if option.choices:
        held: dict[str, Any] = {"enum": list(option.choices)}
    else:
        held = {"type": "integer", "minimum": option.low, "maximum": option.high}
        if option.step > 1:
            held = {"enum": list(range(option.low, option.high + 1, option.step))}
    return {**held, "default": option.decode(option.encode(option.default)), "description": option.doc}


def digest(states: np.ndarray) -> str:
    """Eight hexadecimal digits that tell the first table of `states` from any other."""
    return hashlib.blake2b(states[:1].tobytes(), digest_size=4).hexdigest()


@dataclass
class GameRecord:
    """A whole game (or its beginning) as text, one line a move: who, what in words, and a digest of the table after it.

    Args:
        game: the rulebook.
        num_players: seats.
        options: the rulebook's options.
        start: ``{"seed": n}`` or ``{"position": ...}``.
        play_forced: decisions with one legal action were played without asking.
        max_cycles: decisions after which the game was over; None for the rulebook's own limit.
        at_limit: what happened there: "truncate" or "decide".
        moves: ``(seat, words, digest)``.
        end: one line about the standing, or "" while the game goes on.
    """

    game: Game
    num_players: int
    options: dict[str, Any]
    start: dict[str, Any]
    play_forced: bool = True
    max_cycles: int | None = None
    at_limit: str = "truncate"
    moves: list[tuple[int, str, str]] = field(default_factory=list)
    end: str = ""

    @classmethod
    def of(cls, env: TableEnv) -> GameRecord:
        """The game that `env` has played since its reset or load.

        Raises:
            AgezooError: nothing was dealt yet.
        """
        if not env._origin:
            raise AgezooError("there is no game to record: call reset() first")
        record = cls(
            env.game,
            len(env.possible_agents),
            env.game.options_of(env._states[0]),
            copy.deepcopy(env._origin),
            env._play_forced,
            env._limit,
            LIMITS[env._decide],
        )
        twin = record.begin()
        for seat, action in _in_order(env._moves):
            words = twin.action_text(action)
            _act(twin, action)
            record.moves.append((seat, words, digest(twin._states)))
        record.end = _end_line(twin)
        return record

    def begin(self) -> TableEnv:
        """An environment at the start of this game."""
        from .aec import TableEnv

        env = TableEnv(
            self.game,
            self.num_players,
            max_cycles=self.max_cycles,
            play_forced=self.play_forced,
            at_limit=self.at_limit,  # type: ignore[arg-type]
            **self.options,
        )
        if "seed" in self.start:
            env.reset(seed=self.start["seed"])
        else:
            env.load(self.start["position"])
        return env

    def replay(self) -> Iterator[TableEnv]:
        """The environment at the start and after every move, the same object each time.

        Raises:
            BadPosition: a line does not fit the rulebook as it is now, with its number.
        """
        env = self.begin()
        yield env
        for number, (seat, words, after) in enumerate(self.moves, 1):
            line = f"move {number} ({words})"
            if not env.agents or int(env._states["seat"][0]) != seat:
                raise BadPosition(f"{line}: it is not the turn of player_{seat}")
            try:
                action = env.parse_action(words)
            except AgezooError as error:
                raise BadPosition(f"{line}: {error}") from None
            _act(env, action)
            if digest(env._states) != after:
                raise BadPosition(
                    f"{line}: the table after it is {digest(env._states)}, the record says {after}"
                )
            yield env
        if self.end and _end_line(env) != self.end:
            raise BadPosition(f"end: the standing is {_end_line(env)!r}, the record says {self.end!r}")

    def to_text(self) -> str:
        """The record as text, which `from_text` reads back."""
        lines = [
            f"agezoo record {FORMAT}",
            f"game {self.game.name} {self.game.version}",
            f"players {self.num_players}",
            f"options {json.dumps(self.options)}",
            f"forced {'played' if self.play_forced else 'asked'}",
            f"start {json.dumps(self.start)}",
        ]
        if (self.max_cycles, self.at_limit) != (None, LIMITS[0]):
            lines.append(f"limit {self.max_cycles or 'own'} {self.at_limit}")
        lines += [
            f"{n} player_{seat} {words} | {after}" for n, (seat, words, after) in enumerate(self.moves, 1)
        ]
        if self.end:
            lines.append(f"end {self.end}")
        return "\n".join(lines) + "\n"

    @classmethod
    def from_text(cls, text: str) -> GameRecord:
        """Read a record.

        Raises:
            BadPosition: naming the line that is wrong.
        """
        lines = [line for line in text.splitlines() if line.strip()]
        try:
            head = dict(line.split(" ", 1) for line in lines[:6])
            if head.get("agezoo") != f"record {FORMAT}":
                raise BadPosition(f"record: the first line must be 'agezoo record {FORMAT}'")
            name, version = head["game"].split()
            game = _find(name)
            if int(version) != game.version:
                raise BadPosition(
                    f"record: it is of {name} version {version}, this is version {game.version}"
                )
            record = cls(
                game,
                int(head["players"]),
                json.loads(head["options"]),
                json.loads(head["start"]),
                head["forced"] == "played",
            )
        except (KeyError, ValueError) as error:
            if isinstance(error, BadPosition):
                raise
            raise BadPosition(f"record: bad heading: {error}") from None
        for line in lines[6:]:
            if line.startswith("end "):
                record.end = line[4:]
            elif line.startswith("limit "):
                record.max_cycles, record.at_limit = _limit(line)
            else:
                record.moves.append(_move(line))
        return record


def _in_order(moves: Any) -> list[tuple[int, int]]:
    """The chain of moves that an environment keeps, first move first."""
    found = []
    while moves is not None:
        moves, seat, action = moves
        found.append((seat, action))
    return found[::-1]


def _limit(line: str) -> tuple[int | None, str]:
    try:
        _, number, at_limit = line.split()
        check_at_limit(at_limit)
        return check_limit(None if number == "own" else int(number)), at_limit
    except ValueError:
        raise BadPosition(
            f"record: cannot read the line {line!r}; it is 'limit <decisions, or own> <{' or '.join(LIMITS)}>'"
        ) from None


def _move(line: str) -> tuple[int, str, str]:
    try:
        body, after = line.rsplit(" | ", 1)
        _, agent, words = body.split(" ", 2)
        return int(agent.removeprefix("player_")), words, after
    except ValueError:
        raise BadPosition(f"record: cannot read the line {line!r}") from None


def _act(env: TableEnv, action: int) -> None:
    """Step, and take seats that are out from the table at once."""
    env.step(action)
    while env.agents and (env.terminations[env.agent_selection] or env.truncations[env.agent_selection]):
        env.step(None)


def _end_line(env: TableEnv) -> str:
    if not env._over:
        return ""
    how = "finished" if env._states["finished"][0] else "decided" if env._decide else "truncated"
    scores = ", ".join(f"{agent} {points:g}" for agent, points in env.scores().items())
    first = [agent for agent, place in env.places().items() if place == 1]
    return f"{how}; first {' and '.join(first)}; scores {scores}"


def _find(name: str) -> Game:
    from .registry import find

    return find(name)
