"""The network of sb3-contrib's MaskablePPO with one masked distribution in a forward pass instead of three.

And convolutions over the board, for games that have one.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import torch
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from .policy import Aligned, add_aligned

_MASKED = -1e8  # what sb3-contrib gives illegal actions


def _log_softmax(logits: torch.Tensor, masks: Any) -> torch.Tensor:
    """Log probabilities with illegal actions masked out: float32 (K, A)."""
    if masks is not None:
        legal = torch.as_tensor(masks, dtype=torch.bool).reshape(logits.shape)
        logits = logits.masked_fill(~legal, _MASKED)
    return torch.log_softmax(logits, dim=1)


class OneMaskPolicy(MaskableActorCriticPolicy):
    """The actor-critic network of MaskablePPO for flat observations and discrete actions.

    sb3-contrib normalises the logits of all actions, masks, and normalises again, once more for probabilities; masking
    first and normalising once gives the same numbers up to rounding, and the same actions from the same random numbers
    (tests/agents/test_ppo.py).

    Args:
        *args, **kwargs: as for MaskableActorCriticPolicy.
        aligned: `Game.aligned`, to let every action see the numbers observed of what it stands for: the network then
            gives, beside the logits, a weight for each such part of the observation, the same for all its actions.
    """

    def __init__(self, *args: Any, aligned: Aligned | None = None, **kwargs: Any) -> None:
        self._aligned = aligned or []
        super().__init__(*args, **kwargs)

    def _build_mlp_extractor(self) -> None:
        super()._build_mlp_extractor()
        if self._aligned:
            weights = sum(len(parts) for _, parts in self._aligned)
            self.aligned_net = nn.Linear(self.mlp_extractor.latent_dim_pi, weights)
            nn.init.zeros_(self.aligned_net.weight)
            nn.init.zeros_(self.aligned_net.bias)

    def _get_constructor_parameters(self) -> dict[str, Any]:
        return {**super()._get_constructor_parameters(), "aligned": self._aligned}

    def logits(self, obs: torch.Tensor, latent: torch.Tensor) -> torch.Tensor:
        """What each action is worth, legal or not: float32 (K, A)."""
        logits = self.action_net(latent)
        return add_aligned(logits, self.aligned_net(latent), obs, self._aligned) if self._aligned else logits

    def forward(
        self, obs: torch.Tensor, deterministic: bool = False, action_masks: np.ndarray | None = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Actions int64 (K,), values float32 (K, 1) and log probabilities float32 (K,) for observations (K, F)."""
        latent_pi, latent_vf = self.mlp_extractor(self.features_extractor(obs))
        logs = _log_softmax(self.logits(obs, latent_pi), action_masks)
        if deterministic:
            actions = logs.argmax(1)
        else:
            probs = logs.exp()
            # torch.multinomial draws like this, after checking its arguments
            actions = (probs / torch.empty_like(probs).exponential_(1)).argmax(1)
        return actions, self.value_net(latent_vf), logs.gather(1, actions[:, None])[:, 0]

    def evaluate_actions(
        self, obs: torch.Tensor, actions: torch.Tensor, action_masks: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]:
        """Values (K, 1), log probabilities (K,) of `actions` and entropies (K,)."""
        latent_pi, latent_vf = self.mlp_extractor(self.features_extractor(obs))
        logs = _log_softmax(self.logits(obs, latent_pi), action_masks)
        # a masked action has probability 0 exactly, and 0 * -1e8 is 0: it adds nothing to the entropy
        entropy = -(logs.exp() * logs).sum(1)
        return self.value_net(latent_vf), logs.gather(1, actions.long()[:, None])[:, 0], entropy

    def get_distribution(
        self, obs: torch.Tensor, action_masks: np.ndarray | None = None
    ) -> MaskableDistribution:
        """The distribution of actions that sb3-contrib's `predict` draws from."""
        latent = self.mlp_extractor.forward_actor(self.features_extractor(obs))
        distribution = self.action_dist.proba_distribution(action_logits=self.logits(obs, latent))
        if action_masks is not None:
            distribution.apply_masking(action_masks)
        return distribution


class Planes(BaseFeaturesExtractor):
    """3x3 convolutions over the spatial block of an observation; all other numbers pass as they are.

    Args:
        observation_space: of shape (F,).
        where: the spatial block's place in an observation, and its shape (planes, rows, columns): `Game.planes`.
        channels: of each convolution, in order; rows and columns stay as many.
        activation: after each convolution.
    """

    def __init__(
        self,
        observation_space: gymnasium.spaces.Box,
        where: tuple[slice, tuple[int, int, int]],
        channels: list[int],
        activation: type[nn.Module],
    ) -> None:
        block, (planes, rows, columns) = where
        others = observation_space.shape[0] - planes * rows * columns
        super().__init__(observation_space, others + channels[-1] * rows * columns)
        self.block, self.shape = block, (planes, rows, columns)
        self.convolutions = nn.ModuleList(
            nn.Conv2d(fan_in, fan_out, 3, padding=1)
            for fan_in, fan_out in zip([planes, *channels], channels, strict=False)
        )
        self.activation = activation()

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """The numbers before the block, those of the last convolution, the numbers behind: float32 (K, features)."""
        x = observations[:, self.block].reshape(-1, *self.shape)
        for layer in self.convolutions:
            x = self.activation(layer(x))
        before, behind = observations[:, : self.block.start], observations[:, self.block.stop :]
        return torch.cat((before, x.flatten(1), behind), dim=1)
