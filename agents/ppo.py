"""The network of sb3-contrib's MaskablePPO with one masked distribution in a forward pass instead of three.

And convolutions over the board, for rulebooks that have one.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

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
    """

    def forward(
        self, obs: torch.Tensor, deterministic: bool = False, action_masks: np.ndarray | None = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Actions int64 (K,), values float32 (K, 1) and log probabilities float32 (K,) for observations (K, F)."""
        latent_pi, latent_vf = self.mlp_extractor(self.features_extractor(obs))
        logs = _log_softmax(self.action_net(latent_pi), action_masks)
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
        logs = _log_softmax(self.action_net(latent_pi), action_masks)
        # a masked action has probability 0 exactly, and 0 * -1e8 is 0: it adds nothing to the entropy
        entropy = -(logs.exp() * logs).sum(1)
        return self.value_net(latent_vf), logs.gather(1, actions.long()[:, None])[:, 0], entropy


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
