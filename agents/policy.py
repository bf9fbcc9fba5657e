"""Trained networks as players. This module imports PyTorch; nothing else in the package does until it is needed.

A model file is stable-baselines3's .zip of a MaskablePPO, with facts about what it plays beside its parameters. For
playing, only the actor's weights are read, and nothing in the file is unpickled.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from agezoo.envs import Batch, Game, find, names
from agezoo.envs.engine.aec import TableEnv

from .base import BadAgent

ACTIVATIONS = {"tanh": torch.tanh, "relu": torch.relu}
FINAL = "final.zip"
CHECKPOINTS = "checkpoints"
_FACTS = "agezoo"  # the entry of the model's data that holds them
_MASKED = -1e8


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
    network: list[int],
    activation: str,
    convolution: list[int] | None = None,
    aligned: bool = False,
) -> dict[str, Any]:
    """What a model file says about itself: the game, its version, its shapes, the network."""
    return {
        "game": game.name,
        "version": game.version,
        "features": game.num_features,
        "actions": game.num_actions,
        "network": list(network),
        "convolution": list(convolution or ()),
        "aligned": aligned,
        "activation": activation,
    }


class Actor:
    """The part of a network that chooses actions: a multilayer perceptron, with convolutions before it if wished.

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
    """

    def __init__(
        self, actor: Actor, game: Game, name: str, deterministic: bool = True, seed: int = 0
    ) -> None:
        self.actor = actor
        self.game = game
        self.name = name
        self.deterministic = deterministic
        self._generator = torch.Generator().manual_seed(seed % (1 << 63))

    @classmethod
    def load(
        cls,
        path: str | Path,
        game: Game | None = None,
        name: str | None = None,
        deterministic: bool = True,
        seed: int = 0,
    ) -> Policy:
        """Read a model: see `agezoo.agents.load`.

        Raises:
            BadAgent: there is no model, it cannot be read, or it was made for another game, version or shape.
        """
        file = find_model(path)
        facts, parameters = read_model(file)
        game = check_facts(file, facts, game)
        between = facts.get("activation")
        if between not in ACTIVATIONS:
            raise BadAgent(f"{file}: between its layers is {between}; known are {', '.join(ACTIVATIONS)}")
        try:
            actor = Actor.of(parameters, between, game)
        except (KeyError, IndexError, ValueError):
            raise BadAgent(f"{file}: its network is no multilayer perceptron that train.py makes") from None
        channels = facts.get("convolution", [])
        expected = [_width(game, channels), *facts["network"], facts["actions"]]
        if (actor.channels(), actor.shapes()) != (channels, expected):
            found = actor.channels() + actor.shapes()
            raise BadAgent(f"{file}: its layers are {found}, but it says {channels + expected}")
        parts = sum(len(parts) for _, parts in game.aligned) if facts.get("aligned") else 0
        if parts != (0 if actor.weights is None else len(actor.weights[1])):
            raise BadAgent(f"{file}: its actions are not aligned with observations as it says")
        return cls(actor, game, name or _short_name(file), deterministic, seed)

    def seed(self, seed: int) -> None:
        """Start the draws anew."""
        self._generator.manual_seed(seed % (1 << 63))

    def act(self, env: TableEnv, agent: str) -> int:
        """The action of `agent`, whose turn it is.

        Raises:
            BadAgent: the table is one of another game.
        """
        self._check(env.game)
        seen = env.observe(agent)
        masks = seen["action_mask"].astype(np.bool_)
        return int(self._play(seen["observation"][None], masks[None])[0])

    def choose(self, batch: Batch, tables: np.ndarray) -> np.ndarray:
        """Actions at `tables`: int64 (K,).

        Raises:
            BadAgent: the tables are of another game.
        """
        self._check(batch.game)
        return self._play(batch.observation[tables], batch.action_mask[tables])

    def _play(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        if self.deterministic:
            return self.actor.best(observations, masks)
        return self.actor.sample(observations, masks, self._generator)

    def _check(self, game: Game) -> None:
        if game is not self.game:
            raise BadAgent(f"{self.name} plays {self.game.env_name}, not {game.env_name}")


def _width(game: Game, channels: list[int]) -> int:
    """Numbers that go into the perceptron."""
    if not channels or game.planes is None:
        return game.num_features
    block, (_, rows, columns) = game.planes
    return game.num_features - (block.stop - block.start) + channels[-1] * rows * columns


def save(model: Any, path: str | Path, game: Game) -> Path:
    """Write a MaskablePPO so that `agezoo.agents.load` can play it: ``save(model, "x.zip", game)``.

    Args:
        model: an sb3_contrib.MaskablePPO over flat observations, with one list of widths as its network, and
            `agezoo.agents.ppo.Planes` before it if wished.
        path: where to, ending in .zip.
        game: what it plays.

    Returns:
        The file.
    """
    activation = {"Tanh": "tanh", "ReLU": "relu"}[model.policy.activation_fn.__name__]
    network = [layer.out_features for layer in model.policy.mlp_extractor.policy_net[::2]]
    layers = getattr(model.policy.features_extractor, "convolutions", ())
    aligned = hasattr(model.policy, "aligned_net")
    model.agezoo = facts_of(game, network, activation, [layer.out_channels for layer in layers], aligned)
    file = Path(path)
    partial = file.with_name(file.name + ".part")  # an interrupted write never looks like a model
    with partial.open("wb") as stream:
        model.save(stream)
    partial.replace(file)
    return file


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
    if not isinstance(facts, dict) or not {"game", "version", "features", "actions", "network"} <= set(facts):
        raise BadAgent(
            f"{file}: it does not say what game it plays; save models with agezoo.agents.policy.save"
        )
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
    return own


def _short_name(file: Path) -> str:
    """``x`` for runs/x/final.zip, ``x/500000`` for a checkpoint, the stem for a lone file."""
    file = file.resolve()
    if file.name == FINAL:
        return file.parent.name
    if file.parent.name == CHECKPOINTS:
        return f"{file.parent.parent.name}/{file.stem}"
    return file.stem
