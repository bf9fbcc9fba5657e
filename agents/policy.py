"""Trained networks as players. This module imports PyTorch; nothing else in the package does until it is needed.

A model file is stable-baselines3's .zip of a MaskablePPO, with facts about what it plays beside its parameters. For
playing, only the actor's weights are read, and nothing in the file is unpickled.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from agezoo.envs import BadOption, Batch, Game, find, names
from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.arguments import check_at_limit

from .base import AT_LIMIT, BadAgent, check_turn, complete_options, shown_options
from .files import replacing

ACTIVATIONS = {"tanh": torch.tanh, "relu": torch.relu}
FINAL = "final.zip"
CHECKPOINTS = "checkpoints"
_FACTS = "agezoo"  # the entry of the model's data that holds them
_MASKED = -1e8

#: What a model file has to say, and of which kind that is.
_KINDS: dict[str, Any] = {
    "game": str,
    "version": int,
    "features": int,
    "actions": int,
    "network": list,
    "convolution": list,
    "aligned": bool,
    "activation": str,
    "options": dict,
    "num_players": (int, type(None)),
    "at_limit": str,
}

#: What the names of an actor's parameters begin with.
ACTOR = ("features_extractor.", "mlp_extractor.policy_net.", "action_net.", "aligned_net.")

#: `Game.aligned`: action blocks, each with the parts of the observation that have a number for each of its actions.
Aligned = list[tuple[slice, list[slice]]]


def add_aligned(
    logits: torch.Tensor, weights: torch.Tensor, observations: torch.Tensor, aligned: Aligned
) -> torch.Tensor:
    """Logits (K, A) plus, for actions of aligned blocks, what is observed of each (K, F) by `weights` (K, parts)."""
    pieces, done, used = [], 0, 0
    for actions, parts in aligned:
        seen = torch.stack([observations[:, part] for part in parts], dim=1)
        weight = weights[:, None, used : used + len(parts)]
        pieces += [logits[:, done : actions.start], logits[:, actions] + torch.bmm(weight, seen)[:, 0]]
        done, used = actions.stop, used + len(parts)
    return torch.cat([*pieces, logits[:, done:]], dim=1)


def facts_of(
    game: Game,
    network: Sequence[int],
    activation: str,
    convolution: Sequence[int] = (),
    aligned: bool = False,
    trained: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """What a model file says about itself: the game, its version, its shapes, the network, what it was trained with.

    Args:
        game: what it plays.
        network: widths of the hidden layers.
        activation: between them.
        convolution: channels of the convolutions before them.
        aligned: whether actions see what is observed of the thing they stand for.
        trained: at which tables: ``options``, ``num_players``, ``at_limit``; what is left out is the game's default.
    """
    trained = trained or {}
    check_at_limit(trained.get("at_limit", AT_LIMIT))
    return {
        "game": game.name,
        "version": game.version,
        "features": game.num_features,
        "actions": game.num_actions,
        "network": list(network),
        "convolution": list(convolution),
        "aligned": aligned,
        "activation": activation,
        "options": complete_options(game, trained.get("options", {})),
        "num_players": trained.get("num_players"),
        "at_limit": trained.get("at_limit", AT_LIMIT),
    }


class Actor:
    """The part of a network that chooses actions: a multilayer perceptron, optionally with convolutions before it.

    Args:
        layers: weights (out, in) and biases (out,) in order; the last layer gives a logit for each action.
        activation: "tanh" or "relu", between the layers.
        convolutions: weights (out, in, 3, 3) and biases (out,) of the convolutions over the board, in order.
        where: where an observation holds the board, and its shape: `Game.planes`; needed with `convolutions`.
        weights: weight and bias of the layer that weighs what is observed of actions, None without one.
        aligned: `Game.aligned`; needed with `weights`.
    """

    def __init__(
        self,
        layers: list[tuple[torch.Tensor, torch.Tensor]],
        activation: str,
        convolutions: list[tuple[torch.Tensor, torch.Tensor]] | None = None,
        where: tuple[slice, tuple[int, int, int]] | None = None,
        weights: tuple[torch.Tensor, torch.Tensor] | None = None,
        aligned: Aligned | None = None,
    ) -> None:
        self.weights = weights
        self.aligned = aligned or []
        self.layers = layers
        self.activation = activation
        self.convolutions = convolutions or []
        self.where = where

    @classmethod
    def of(cls, parameters: Mapping[str, torch.Tensor], activation: str, game: Game | None = None) -> Actor:
        """A copy of the actor in the state dict of a MaskableActorCriticPolicy.

        With convolutions or aligned actions `game` is needed.
        """
        layers = [*_layers(parameters, "mlp_extractor.policy_net."), *_layers(parameters, "action_net.")]
        convolutions = _layers(parameters, "features_extractor.convolutions.")
        weights = next(iter(_layers(parameters, "aligned_net.")), None)
        where, aligned = (game.planes, game.aligned) if game else (None, None)
        return cls(layers, activation, convolutions, where, weights, aligned)

    def shapes(self) -> list[int]:
        """Numbers that go into the perceptron, widths of the hidden layers, actions."""
        return [self.layers[0][0].shape[1], *(len(bias) for _, bias in self.layers)]

    def channels(self) -> list[int]:
        """Channels of the convolutions."""
        return [len(bias) for _, bias in self.convolutions]

    def logits(self, observations: np.ndarray, masks: np.ndarray) -> torch.Tensor:
        """float32 (K, A) for observations float32 (K, F); illegal actions, by masks bool (K, A), get -1e8."""
        x = seen = torch.from_numpy(observations)
        between = ACTIVATIONS[self.activation]
        if self.where and self.convolutions:
            x = self._convolved(x, *self.where)
        for weight, bias in self.layers[:-1]:
            x = between(functional.linear(x, weight, bias))
        latent, x = x, functional.linear(x, *self.layers[-1])
        if self.weights is not None:
            x = add_aligned(x, functional.linear(latent, *self.weights), seen, self.aligned)
        return x.masked_fill_(~torch.from_numpy(masks), _MASKED)

    def _convolved(self, x: torch.Tensor, block: slice, shape: tuple[int, int, int]) -> torch.Tensor:
        board = x[:, block].reshape(-1, *shape)
        for weight, bias in self.convolutions:
            board = ACTIVATIONS[self.activation](functional.conv2d(board, weight, bias, padding=1))
        return torch.cat((x[:, : block.start], board.flatten(1), x[:, block.stop :]), dim=1)

    def best(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """The likeliest legal action: int64 (K,)."""
        with torch.inference_mode():
            return self.logits(observations, masks).argmax(1).numpy()

    def sample(self, observations: np.ndarray, masks: np.ndarray, generator: torch.Generator) -> np.ndarray:
        """A legal action drawn from the policy: int64 (K,)."""
        with torch.inference_mode():
            logits = self.logits(observations, masks)
            # the argmax of logits plus Gumbel noise, -log of an exponential variable, is a draw from their softmax
            noise = torch.empty_like(logits).exponential_(generator=generator)
            return logits.sub_(noise.log_()).argmax(1).numpy()


def _layers(parameters: Mapping[str, torch.Tensor], stem: str) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """Copies of the weights and biases under `stem`, which numbers the layers unless it is one itself."""
    numbered = sorted(
        (int(middle or 0), name.removesuffix("weight"))
        for name in parameters
        if name.startswith(stem) and name.endswith("weight")
        for middle in (name.removeprefix(stem).removesuffix("weight").rstrip("."),)
    )
    return [
        (
            parameters[f"{name}weight"].detach().clone().float(),
            parameters[f"{name}bias"].detach().clone().float(),
        )
        for _, name in numbered
    ]


class Policy:
    """A trained network as an agent.

    Args:
        actor: the network.
        game: what it plays.
        name: what it is called.
        deterministic: play the likeliest action; otherwise draw from the policy.
        seed: where the draws start.
        options: those it was trained with; by default the game's.
        num_players: seats at the tables it was trained at; None if it is not known. It plays with any number.
        at_limit: what happened at the limit of decisions when it was trained.
        any_options: play at tables with other options, too.
    """

    def __init__(
        self,
        actor: Actor,
        game: Game,
        name: str,
        deterministic: bool = True,
        seed: int = 0,
        *,
        options: Mapping[str, Any] | None = None,
        num_players: int | None = None,
        at_limit: str = AT_LIMIT,
        any_options: bool = False,
    ) -> None:
        self.actor = actor
        self.game = game
        self.name = name
        self.deterministic = deterministic
        self.options = complete_options(game, options or {})
        self.num_players = num_players
        self.at_limit = at_limit
        self.any_options = any_options
        self._codes = {option.name: option.encode(self.options[option.name]) for option in game.options}
        self._generator = torch.Generator().manual_seed(seed % (1 << 63))

    @classmethod
    def load(
        cls,
        path: str | Path,
        game: Game | None = None,
        name: str | None = None,
        deterministic: bool = True,
        seed: int = 0,
        *,
        any_options: bool = False,
    ) -> Policy:
        """Read a model: see `agezoo.agents.load`.

        Args:
            path: a run folder or a .zip file.
            game: what it has to play; None for what it was trained on.
            name: what it is called; by default after its file.
            deterministic: play the likeliest action; otherwise draw from the policy.
            seed: where the draws start.
            any_options: play at tables with other options than those it was trained with, too.

        Raises:
            BadAgent: there is no model, it cannot be read, or it was made for another game, version or shape.
        """
        file = find_model(path)
        facts, parameters = read_model(file)
        game = check_facts(file, facts, game)
        try:
            actor = checked_actor(parameters, facts, game)
        except BadAgent as error:
            raise BadAgent(f"{file}: {error}") from None
        return cls(
            actor,
            game,
            name or _short_name(file),
            deterministic,
            seed,
            options=facts["options"],
            num_players=facts["num_players"],
            at_limit=facts["at_limit"],
            any_options=any_options,
        )

    def seed(self, seed: int) -> None:
        """Start the draws anew."""
        self._generator.manual_seed(seed % (1 << 63))

    def act(self, env: TableEnv, agent: str) -> int:
        """The action of `agent`, whose turn it is.

        Raises:
            BadAgent: the table is one of another game, or has options that the agent was not trained with.
            BadOption: it is not the turn of `agent`.
        """
        self._check(env)
        check_turn(env, agent)
        seen = env.observe(agent)
        masks = seen["action_mask"].astype(np.bool_)
        return int(self._play(seen["observation"][None], masks[None])[0])

    __call__ = act

    def choose(self, batch: Batch, tables: np.ndarray) -> np.ndarray:
        """Actions at `tables`: int64 (K,).

        Raises:
            BadAgent: the tables are of another game, or have options that the agent was not trained with.
        """
        self._check(batch, tables)
        return self._play(batch.observation[tables], batch.action_mask[tables])

    def _play(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        if self.deterministic:
            return self.actor.best(observations, masks)
        return self.actor.sample(observations, masks, self._generator)

    def _check(self, at: TableEnv | Batch, tables: np.ndarray | int = 0) -> None:
        game = at.game
        if game is not self.game:
            raise BadAgent(f"{self.name} plays {self.game.env_name}, not {game.env_name}")
        if self.any_options:
            return
        states = at.states
        for name, code in self._codes.items():
            apart = np.atleast_1d(states[name][tables] != code)
            if apart.any():
                table = int(np.atleast_1d(tables)[apart][0])
                here = game.options_of(game.record(states, table))
                other = [option for option in here if here[option] != self.options[option]]
                raise BadAgent(
                    f"{self.name} was trained with {shown_options(self.options, other)}, this table has "
                    f"{shown_options(here, other)}: make one with these options, or load the agent with "
                    "any_options=True"
                )


def checked_actor(parameters: Mapping[str, torch.Tensor], facts: Mapping[str, Any], game: Game) -> Actor:
    """The actor in the parameters of a model that is what its facts say.

    Raises:
        BadAgent: it is something else.
    """
    between = facts["activation"]
    if between not in ACTIVATIONS:
        raise BadAgent(f"between its layers is {between}; known are {', '.join(ACTIVATIONS)}")
    try:
        actor = Actor.of(parameters, between, game)
        shapes = actor.shapes()
    except (KeyError, IndexError, ValueError):
        raise BadAgent("its network is no multilayer perceptron that train.py makes") from None
    channels = facts["convolution"]
    expected = [_width(game, channels), *facts["network"], facts["actions"]]
    if (actor.channels(), shapes) != (channels, expected):
        raise BadAgent(f"its layers are {actor.channels() + shapes}, but it says {channels + expected}")
    parts = sum(len(parts) for _, parts in game.aligned) if facts["aligned"] else None
    if parts != (None if actor.weights is None else len(actor.weights[1])):
        raise BadAgent("its actions are not aligned with observations as it says")
    return actor


def _width(game: Game, channels: list[int]) -> int:
    """Numbers that go into the perceptron."""
    if not channels or game.planes is None:
        return game.num_features
    block, (_, rows, columns) = game.planes
    return game.num_features - (block.stop - block.start) + channels[-1] * rows * columns


def save(
    model: Any,
    path: str | Path,
    game: Game,
    options: Mapping[str, Any] | None = None,
    num_players: int | None = None,
    at_limit: str | None = None,
) -> Path:
    """Write a MaskablePPO so that `agezoo.agents.load` can play it: ``save(model, "x.zip", game)``.

    Args:
        model: an sb3_contrib.MaskablePPO over flat observations, with one list of widths as its network, optionally
            with `agezoo.agents.ppo.Planes` before it.
        path: where to, ending in .zip.
        game: what it plays.
        options: those it was trained with; by default those of its environment, or of the file it was loaded from.
        num_players: seats at the tables it was trained at; by default as `options`.
        at_limit: what happened at the limit of decisions; by default as `options`.

    Returns:
        The file.

    Raises:
        BadAgent: it could not be loaded again, or would not play alike; nothing has been written.
        BadOption: an option that does not exist, or a value outside its range; nothing has been written.
    """
    facts = _facts_of_model(model, game)
    given = {"options": options, "num_players": num_players, "at_limit": at_limit}
    trained = {**_trained_with(model, game), **{name: v for name, v in given.items() if v is not None}}
    facts = facts_of(game, trained=trained, **facts)
    game.num_players(facts["num_players"])
    _check_alike(model, checked_actor(model.policy.state_dict(), facts, game), game)
    file = Path(path)
    with replacing(file) as partial, partial.open("wb") as stream:
        model.agezoo = {**_more_facts(model), **facts}
        model.save(stream)
    return file


def _more_facts(model: Any) -> dict[str, Any]:
    """What else was noted about a model, such as how many decisions it has imitated."""
    return {name: value for name, value in getattr(model, _FACTS, {}).items() if name == "imitated"}


def _facts_of_model(model: Any, game: Game) -> dict[str, Any]:
    """Network, activation, convolutions and alignment of a MaskablePPO.

    Raises:
        BadAgent: it has parts that a model file knows nothing of.
    """
    policy = model.policy
    known = {"Tanh": "tanh", "ReLU": "relu"}  # PyTorch's names, and ours
    activation = getattr(policy.activation_fn, "__name__", str(policy.activation_fn))
    if activation not in known:
        raise BadAgent(f"activation {activation}: an agent can be played with {' or '.join(known)} alone")
    extractor = type(policy.features_extractor).__name__
    if extractor not in ("FlattenExtractor", "Planes"):
        raise BadAgent(f"features extractor {extractor}: an agent can be played with none, or with Planes")
    sizes = (policy.observation_space.shape, getattr(policy.action_space, "n", None))
    if sizes != ((game.num_features,), game.num_actions):
        raise BadAgent(
            f"it sees {policy.observation_space} and plays {policy.action_space}, {game.env_name} has "
            f"{game.num_features} features and {game.num_actions} actions"
        )
    return {
        "network": [
            layer.out_features for layer in policy.mlp_extractor.policy_net if hasattr(layer, "out_features")
        ],
        "activation": known[activation],
        "convolution": [
            layer.out_channels for layer in getattr(policy.features_extractor, "convolutions", ())
        ],
        "aligned": hasattr(policy, "aligned_net"),
    }


def _trained_with(model: Any, game: Game) -> dict[str, Any]:
    """At which tables a model was trained: as its environment says, or the file it was loaded from."""
    tables = model.get_env()
    if tables is not None and tables.has_attr("trained_with"):
        return dict(tables.get_attr("trained_with", [0])[0])
    seat = tables.get_attr("unwrapped", [0])[0] if tables is not None else None
    env = getattr(seat, "env", None)
    if isinstance(env, TableEnv) and env.game is game:
        options = game.options_of(game.record(env._prototype))
        return {
            "options": options,
            "num_players": len(env.possible_agents),
            "at_limit": "decide" if env._decide else "truncate",
        }
    facts = getattr(model, _FACTS, {})
    return {name: facts[name] for name in ("options", "num_players", "at_limit") if name in facts}


def _check_alike(model: Any, actor: Actor, game: Game) -> None:
    """See that the actor alone would choose as the whole model does.

    Raises:
        BadAgent: it would not.
    """
    rng = np.random.default_rng(0)
    seen = rng.random((4, game.num_features), np.float32)
    masks = np.ones((4, game.num_actions), np.bool_)
    policy = model.policy
    with torch.inference_mode():
        on = torch.as_tensor(seen, device=policy.device)
        theirs = policy.get_distribution(on, action_masks=masks).distribution.logits.cpu()
        ours = torch.log_softmax(actor.logits(seen, masks), dim=1)
        theirs = torch.log_softmax(theirs, dim=1)
    if not torch.allclose(ours, theirs, rtol=1e-3, atol=1e-3):
        raise BadAgent("its network does more than a multilayer perceptron that train.py makes")


def find_model(path: str | Path) -> Path:
    """The model file that `path` means: itself, or the final model or latest checkpoint of a run folder.

    Raises:
        BadAgent: there is none.
    """
    where = Path(path)
    if where.is_file():
        return where
    if (where / FINAL).is_file():
        return where / FINAL
    saved = checkpoints(where)
    if saved:
        return saved[-1]
    if where.is_dir():
        raise BadAgent(f"{where}: there is neither {FINAL} nor a file in {CHECKPOINTS}/ here")
    raise BadAgent(f"{where}: there is no such file or run folder")


def checkpoints(run: Path) -> list[Path]:
    """The checkpoints of a run folder, the earliest first."""
    found = [p for p in (run / CHECKPOINTS).glob("*.zip") if p.stem.isdecimal()]
    return sorted(found, key=lambda p: int(p.stem))


def read_model(file: Path) -> tuple[dict[str, Any], dict[str, torch.Tensor]]:
    """The facts and the parameters in a model file.

    Raises:
        BadAgent: it is not a model that train.py or `save` wrote.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            facts = json.loads(archive.read("data")).get(_FACTS)
            with archive.open("policy.pth") as stream:
                parameters = torch.load(stream, map_location="cpu", weights_only=True)
    except (OSError, zipfile.BadZipFile, KeyError, ValueError, AttributeError, RuntimeError) as error:
        raise BadAgent(f"{file}: not a model of train.py ({error})") from None
    if not isinstance(facts, dict):
        raise BadAgent(
            f"{file}: it does not say what game it plays; save models with agezoo.agents.policy.save"
        )
    for name, kind in _KINDS.items():
        if not isinstance(facts.get(name), kind):
            raise BadAgent(f"{file}: it does not say its {name} as models do now; train it again")
    return facts, parameters


def check_facts(file: Path, facts: Mapping[str, Any], game: Game | None) -> Game:
    """The game that a model plays.

    Raises:
        BadAgent: it is not installed, not `game`, or of another version or shape by now.
    """
    if facts["game"] not in names() and facts["game"] not in Game.made:
        raise BadAgent(f"{file}: it plays {facts['game']}; installed are {', '.join(names())}")
    own = find(facts["game"])
    if game is not None and own is not game:
        raise BadAgent(f"{file}: it plays {own.name}, not {game.name}")
    if facts["version"] != own.version:
        raise BadAgent(
            f"{file}: it plays {own.name}_v{facts['version']}, this is {own.env_name}; train it again"
        )
    shape, expected = (facts["features"], facts["actions"]), (own.num_features, own.num_actions)
    if shape != expected:
        raise BadAgent(
            f"{file}: it sees {shape[0]} features and knows {shape[1]} actions, {own.env_name} has "
            f"{expected[0]} and {expected[1]}; train it again"
        )
    try:
        options = complete_options(own, facts["options"])
        own.num_players(facts["num_players"])
        check_at_limit(facts["at_limit"])
    except BadOption as error:
        raise BadAgent(f"{file}: trained with what {own.env_name} does not have ({error})") from None
    if options != facts["options"]:
        raise BadAgent(f"{file}: it does not say all options of {own.env_name}; train it again")
    return own


def _short_name(file: Path) -> str:
    """``x`` for runs/x/final.zip, ``x/500000`` for a checkpoint, the stem for a lone file."""
    file = file.resolve()
    if file.name == FINAL:
        return file.parent.name
    if file.parent.name == CHECKPOINTS:
        return f"{file.parent.parent.name}/{file.stem}"
    return file.stem
