"""What a training run is made of, read from YAML and checked before anything is written.

    config = read("configs/age_de_bronze_ppo.yaml", ["ppo.learning_rate=5e-4", "seed=1"])

Every key that there is stands in the dataclasses below, with its range; whatever is left out has the default there.
"""

from __future__ import annotations

import dataclasses
import difflib
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agezoo.envs import AgezooError, BadOption, Game, find, names
from agezoo.envs.engine.arguments import check_limit
from agezoo.envs.engine.game import REWARDS

from .base import AT_LIMIT
from .files import replacing

#: What keys were called before, with what they are called now.
_RENAMED = {"past": "self_play", "share": "win_rate"}


class BadConfig(AgezooError):
    """A configuration that cannot be run: says which key, what is wrong with it and what would be right."""


def _key(default: Any, doc: str, **limits: Any) -> Any:
    """A key of the configuration: `low` and `high` (both allowed) or `choices`."""
    return field(default=default, metadata={"doc": doc, **limits})


@dataclass(frozen=True)
class Opponents:
    """Shares of the tables by who sits at the other seats; they add up to 1."""

    random: float = _key(0.15, "random players", low=0, high=1)
    greedy: float = _key(0.65, "greedy players", low=0, high=1)
    self_play: float = _key(0.2, "earlier versions of the agent itself", low=0, high=1)


@dataclass(frozen=True)
class SelfPlay:
    """The earlier versions of the agent that it plays against."""

    every: int = _key(131_072, "steps from one version to the next", low=1, high=10**9)
    keep: int = _key(15, "versions kept, the latest ones", low=1, high=1000)


@dataclass(frozen=True)
class Imitate:
    """A start for the network: choices of greedy players, learned before it plays (see imitate.py)."""

    decisions: int = _key(0, "how many to learn from before playing; 0 for none", low=0, high=10**9)
    learning_rate: float = _key(1e-3, "of Adam, while imitating", low=1e-7, high=1)


@dataclass(frozen=True)
class Learner:
    """MaskablePPO's own arguments."""

    learning_rate: float = _key(1e-3, "of Adam, at the start", low=1e-7, high=1)
    final_learning_rate: float = _key(1e-4, "at the end; in between it falls evenly", low=0, high=1)
    n_steps: int = _key(64, "steps of every table between two updates", low=2, high=100_000)
    batch_size: int = _key(2048, "samples in a minibatch", low=2, high=10**7)
    n_epochs: int = _key(4, "passes over the samples of an update", low=1, high=100)
    gamma: float = _key(0.999, "discount", low=0, high=1)
    gae_lambda: float = _key(0.95, "of the generalised advantage estimate", low=0, high=1)
    clip_range: float = _key(0.2, "of the probability ratio", low=0.001, high=10)
    ent_coef: float = _key(0.003, "weight of the entropy", low=0, high=1)
    vf_coef: float = _key(0.5, "weight of the value loss", low=0, high=10)
    max_grad_norm: float = _key(0.5, "gradients are scaled down to this norm", low=1e-6, high=1e6)
    target_kl: float | None = _key(None, "stop the passes of an update beyond this", low=1e-6, high=10)


@dataclass(frozen=True)
class Checkpoint:
    """Models saved on the way."""

    every: int = _key(500_000, "steps from one checkpoint to the next", low=1, high=10**9)
    keep: int = _key(3, "checkpoints kept, the latest ones", low=1, high=1000)


@dataclass(frozen=True)
class Evaluation:
    """Games against the opponents of `goals`."""

    every: int = _key(200_000, "steps from one evaluation to the next", low=1, high=10**9)
    games: int = _key(200, "games against each opponent in an evaluation", low=1, high=10**6)
    final_games: int = _key(2000, "games against each opponent in the final one", low=1, high=10**7)
    deterministic: bool = _key(True, "play the likeliest action; otherwise draw from the policy")


@dataclass(frozen=True)
class Goal:
    """A win rate to reach in the final evaluation, against one kind of opponent at all other seats."""

    opponent: str = _key("random", "random, greedy, montecarlo:N, a run folder or a model file")
    win_rate: float = _key(0.95, "wins a game", low=0, high=1)


@dataclass(frozen=True)
class Config:
    """A training run."""

    game: str = _key("age_de_bronze", "what is played")
    seed: int = _key(0, "decides everything that is drawn", low=0, high=2**32 - 1)
    steps: int = _key(1_600_000, "decisions of the agent, in all", low=1, high=10**12)
    tables: int = _key(256, "tables that are played at the same time", low=1, high=100_000)
    num_players: int | None = _key(None, "seats; by default (null) the game's own number")
    reward: str = _key("win", "what the end of a game pays: win, rank or score", choices=REWARDS)
    max_cycles: int | None = _key(
        None, "limit of decisions in a game; by default (null) the game's own limit"
    )
    at_limit: str = _key(
        AT_LIMIT, "decide a game at the limit as it stands, or truncate it", choices=("decide", "truncate")
    )
    options: dict[str, Any] = field(default_factory=dict, metadata={"doc": "the game's options"})
    network: tuple[int, ...] = _key((256, 256), "widths of the hidden layers", low=1, high=16_384)
    convolution: tuple[int, ...] = _key(
        (),
        "channels of 3x3 convolutions over the board, before the hidden layers",
        low=1,
        high=4096,
        empty=True,
    )
    aligned: bool = _key(
        False, "every action sees what is observed of the thing it stands for, by shared weights"
    )
    activation: str = _key("relu", "between the layers: tanh or relu", choices=("tanh", "relu"))
    torch_threads: int = _key(2, "cores that the networks use", low=1, high=1024)
    table_threads: int = _key(2, "cores that the tables use", low=1, high=1024)
    opponents: Opponents = field(default_factory=Opponents)
    self_play: SelfPlay = field(default_factory=SelfPlay)
    imitate: Imitate = field(default_factory=Imitate)
    ppo: Learner = field(default_factory=Learner)
    checkpoint: Checkpoint = field(default_factory=Checkpoint)
    evaluation: Evaluation = field(default_factory=Evaluation)
    goals: tuple[Goal, ...] = _key(
        (Goal("random", 0.95), Goal("greedy", 0.4)), "win rates to reach, each against one kind of opponent"
    )

    def rulebook(self) -> Game:
        """The game itself."""
        return find(self.game)

    def seats(self) -> int:
        """How many sit at a table."""
        return self.rulebook().num_players(self.num_players)

    def as_dict(self) -> dict[str, Any]:
        """Plain dicts, lists and numbers, as they stand in a YAML file."""
        return _plain(dataclasses.asdict(self))


def read(path: str | Path | None, overrides: Sequence[str] = ()) -> Config:
    """The configuration in a YAML file, with ``key=value`` overrides on top; for None the defaults.

    Raises:
        BadConfig: no such file, or a key or value that cannot be; one line.
    """
    given = {} if path is None else _load(Path(path))
    for override in overrides:
        _set(given, override)
    return build(given, str(path) if path is not None else "config")


def build(given: Mapping[str, Any], where: str = "config") -> Config:
    """The configuration in a mapping; `where` is what errors begin with.

    Raises:
        BadConfig: a key or value that cannot be.
    """
    try:
        config: Config = _section(Config, given, "")
        _check(config)
    except BadConfig as error:
        raise BadConfig(f"{where}: {error}") from None
    return config


def write(config: Config, path: str | Path) -> None:
    """Write a configuration that `read` reads back."""
    import yaml

    text = yaml.safe_dump(config.as_dict(), sort_keys=False, allow_unicode=True)
    with replacing(Path(path)) as partial:
        partial.write_text(text, encoding="utf-8")


def all_keys(kind: type = Config, above: str = "") -> list[tuple[str, str, Any]]:
    """Every key with its doc and default, in order; nested keys with dots."""
    hints = typing.get_type_hints(kind)
    found: list[tuple[str, str, Any]] = []
    for item in dataclasses.fields(kind):
        if dataclasses.is_dataclass(hints[item.name]):
            found += all_keys(hints[item.name], f"{above}{item.name}.")
        else:
            default = {} if item.name == "options" else item.default
            found.append((f"{above}{item.name}", item.metadata.get("doc", ""), default))
    return found


def _load(path: Path) -> dict[str, Any]:
    import yaml

    try:
        given = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadConfig(f"{path}: cannot be read ({error.strerror})") from None
    except (
        yaml.YAMLError,
        ValueError,
        RecursionError,
    ) as error:  # ValueError: no UTF-8, or 2026-99-99 for a date
        raise BadConfig(f"{path}: not YAML ({' '.join(str(error).split())})") from None
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise BadConfig(f"{path}: a configuration is keys with values, this is a {type(given).__name__}")
    return given


def _set(given: dict[str, Any], override: str) -> None:
    """Put ``a.b=value`` into nested dicts."""
    import yaml

    name, mark, text = override.partition("=")
    if not mark or not name:
        raise BadConfig(f"{override!r}: write key=value")
    try:
        value = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError):
        raise BadConfig(f"{override!r}: {text!r} is not a YAML value") from None
    *above, last = name.split(".")
    for part in above:
        given = given.setdefault(part, {})
        if not isinstance(given, dict):
            raise BadConfig(f"{override!r}: {part} has no keys below it")
    given[last] = value


def _section(kind: Any, given: Any, above: str) -> Any:
    """A dataclass from a mapping, every key checked."""
    label = above.rstrip(".") or "the configuration"
    if not isinstance(given, Mapping):
        raise BadConfig(f"{label}={given!r}: give keys with values: {', '.join(_names(kind))}")
    for name in given:
        if name not in _names(kind):
            raise BadConfig(_unknown(f"{above}{name}", str(name), _names(kind), above))
    hints = typing.get_type_hints(kind)
    fields = {item.name: item for item in dataclasses.fields(kind)}
    values = {
        name: _value(hints[name], value, f"{above}{name}", fields[name].metadata)
        for name, value in given.items()
    }
    return kind(**values)


def _names(kind: Any) -> list[str]:
    return [item.name for item in dataclasses.fields(kind)]


def _unknown(full: str, name: str, known: list[str], above: str) -> str:
    if _RENAMED.get(name) in known:
        return f"unknown key {full}: it is called {above}{_RENAMED[name]} now"
    close = difflib.get_close_matches(name, known, 1)
    hint = f", did you mean {above}{close[0]}?" if close else ";"
    return f"unknown key {full}{hint} choose {', '.join(known)}"


def _value(hint: Any, value: Any, name: str, limits: Mapping[str, Any]) -> Any:
    """`value` as what a key's type asks for, within its limits."""
    if dataclasses.is_dataclass(hint):
        return _section(hint, value, f"{name}.")
    if typing.get_origin(hint) is types.UnionType:
        if value is None:
            return None
        hint = next(part for part in typing.get_args(hint) if part is not type(None))
    if typing.get_origin(hint) is tuple:
        return _several(typing.get_args(hint)[0], value, name, limits)
    if typing.get_origin(hint) is dict:
        if not isinstance(value, dict):
            raise BadConfig(f"{name}={value!r}: give keys with values")
        return dict(value)
    return _limited(_typed(hint, value, name, limits), name, limits)


def _several(hint: Any, value: Any, name: str, limits: Mapping[str, Any]) -> tuple[Any, ...]:
    needed = not (limits.get("empty") or dataclasses.is_dataclass(hint))
    if not isinstance(value, (list, tuple)) or (needed and not value):
        raise BadConfig(f"{name}={value!r}: give a list such as [{_example(hint)}]")
    return tuple(_value(hint, part, f"{name}.{k}", limits) for k, part in enumerate(value))


def _example(hint: Any) -> str:
    return "256, 256" if hint is int else "{opponent: random, win_rate: 0.95}"


def _typed(hint: Any, value: Any, name: str, limits: Mapping[str, Any]) -> Any:
    whole = isinstance(value, int) and not isinstance(value, bool)
    if hint is float:
        if isinstance(value, str):  # YAML 1.1 takes 1e-3 for text
            try:
                return float(value)
            except ValueError:
                pass
        elif whole or isinstance(value, float):
            return float(value)
        raise BadConfig(f"{name}={value!r}: give a number{_range(limits)}")
    if hint is int:
        if isinstance(value, float) and value.is_integer():  # 2e6
            return int(value)
        if isinstance(value, str) and _is_whole(value):  # YAML 1.1 takes 2e6 for text, too
            return int(float(value))
        if whole:
            return value
        raise BadConfig(f"{name}={value!r}: give a whole number{_range(limits)}")
    if hint is bool and not isinstance(value, bool):
        raise BadConfig(f"{name}={value!r}: choose true or false")
    if hint is str and not isinstance(value, str):
        choices = f"choose {', '.join(limits['choices'])}" if "choices" in limits else "give a name"
        raise BadConfig(f"{name}={value!r}: {choices}")
    return value


def _is_whole(text: str) -> bool:
    try:
        return float(text).is_integer()
    except ValueError:
        return False


def _limited(value: Any, name: str, limits: Mapping[str, Any]) -> Any:
    if "choices" in limits and value not in limits["choices"]:
        raise BadConfig(f"{name}={value!r}: choose {', '.join(limits['choices'])}")
    if "low" in limits and not limits["low"] <= value <= limits["high"]:  # false for nan, too
        raise BadConfig(f"{name}={value!r}: out of range, give a number{_range(limits)}")
    return value


def _range(limits: Mapping[str, Any]) -> str:
    return f" from {limits['low']} to {limits['high']}" if "low" in limits else ""


def _check(config: Config) -> None:
    """What depends on the game, or on two keys at once."""
    if config.game not in names() and config.game not in Game.made:
        raise BadConfig(f"game={config.game!r}: choose {', '.join(names())}")
    game = config.rulebook()
    checks: dict[str, Callable[[], Any]] = {
        "num_players": lambda: game.num_players(config.num_players),
        "max_cycles": lambda: check_limit(config.max_cycles),
        "options": lambda: game.prototype(config.num_players, config.options),
    }
    for name, check in checks.items():
        try:
            check()
        except (BadOption, TypeError) as error:
            raise BadConfig(f"{name}: {error}") from None
    if config.aligned and not game.aligned:
        raise BadConfig(
            f"aligned=true: {game.title} observes nothing by the things that its actions stand for"
        )
    if config.convolution and game.planes is None:
        raise BadConfig(
            f"convolution={list(config.convolution)}: {game.title} has no board to look at, leave it empty"
        )
    shares = dataclasses.asdict(config.opponents)
    if abs(sum(shares.values()) - 1) > 1e-6:
        raise BadConfig(f"opponents: shares {shares} add up to {sum(shares.values()):g}, must add up to 1")
    samples = config.tables * config.ppo.n_steps
    if samples % config.ppo.batch_size:
        raise BadConfig(
            f"ppo.batch_size={config.ppo.batch_size}: must divide tables * ppo.n_steps = {samples} without rest"
        )


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    return value
