"""A start for a network: play like the greedy player, and foresee who wins its games.

Self-play and stronger opponents teach nothing as long as every game is lost. Where greedy players are strong, a network
first learns their choices (by cross entropy, masked) and the outcome of their games (by squared error, for the critic);
reinforcement learning goes on from there. The idea is that of AlphaGo and AlphaStar, who began with people's games.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from agezoo.envs import Batch

LENGTH = 256  # decisions of each table that are played before they are learned from; a game's outcome is learned from
# those of its decisions that lie in the round in which it ends
_SEED = 1 << 42  # far from the seeds of training and of evaluation


class Games:
    """Games of greedy players at many tables: what was seen, allowed and done, and what it came to.

    Args:
        batch: the tables.
        seed: of the players' random numbers.
    """

    def __init__(self, batch: Batch, seed: int) -> None:
        self.batch = batch
        self._rng = np.arange(batch.num_envs, dtype=np.uint64) + np.uint64(seed)
        shape = LENGTH, batch.num_envs
        self.seen = np.zeros((*shape, batch.observation.shape[1]), np.float32)
        self.masks = np.zeros((*shape, batch.action_mask.shape[1]), np.bool_)
        self.actions, self.seats = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        self.paid = np.zeros(shape, np.float32)  # the reward that the acting seat came to
        self.over = np.zeros(shape, np.bool_)  # its game was over before the games were cut off
        self._earned = np.zeros_like(batch.reward)  # in games under way; who is knocked out is paid then

    def play(self, stop: Callable[[], bool] = lambda: False) -> bool:
        """Play the next `LENGTH` decisions at every table; games go on from one call to the next.

        Args:
            stop: asked at every decision: whether to leave off. What was played until then is of no use.

        Returns:
            Whether they were played to the end.
        """
        batch, began = self.batch, np.zeros(self.batch.num_envs, np.int64)
        self.over[:] = False
        for t in range(LENGTH):
            if stop():
                return False
            self.seen[t], self.masks[t], self.seats[t] = batch.observation, batch.action_mask, batch.seat
            batch.greedy_actions(self._rng, self.actions[t])
            batch.step(self.actions[t])
            self._earned += batch.reward
            for i in np.flatnonzero(batch.done | batch.truncated):
                game = slice(began[i], t + 1)
                self.paid[game, i] = self._earned[i, self.seats[game, i]]
                self.over[game, i] = True
                self._earned[i] = 0
                began[i] = t + 1
        return True


def imitate(
    model: Any,
    batch: Batch,
    decisions: int,
    learning_rate: float,
    seed: int,
    stop: Callable[[], bool] = lambda: False,
    progress: Callable[[int], None] = lambda done: None,
) -> tuple[float, int]:
    """Have the policy of a MaskablePPO learn from so many decisions of greedy players.

    Args:
        model: the learner; its policy and optimizer change.
        batch: tables of its game, seats and options.
        decisions: how many, rounded up to whole rounds of `LENGTH` decisions a table.
        learning_rate: of Adam.
        seed: of the players and of the order of minibatches.
        stop: asked at every decision and every minibatch: whether to leave off.
        progress: told, after every minibatch, how many decisions have been learned from.

    Returns:
        The part of the decisions of the last round, before it was learned from, that the policy would have made alike
        (0 if there was no round), and how many decisions were learned from.
    """
    games, generator = Games(batch, seed + _SEED), torch.Generator().manual_seed(seed % (1 << 63))
    policy, alike, done = model.policy, 0.0, 0
    policy.set_training_mode(True)
    for group in policy.optimizer.param_groups:
        group["lr"] = learning_rate
    while done < decisions and games.play(stop):
        rows = [torch.as_tensor(part.reshape(-1, *part.shape[2:])) for part in _parts(games)]
        likely, before = 0.0, done
        for chosen in torch.randperm(len(rows[0]), generator=generator).split(model.batch_size):
            if stop():
                return alike, done
            likely += _learn(model, *(part[chosen] for part in rows))
            done += len(chosen)
            progress(done)
        alike = likely / (done - before)
    return alike, done


def _parts(games: Games) -> tuple[np.ndarray, ...]:
    return games.seen, games.masks, games.actions, games.paid, games.over


def _learn(
    model: Any,
    seen: torch.Tensor,
    masks: torch.Tensor,
    actions: torch.Tensor,
    paid: torch.Tensor,
    over: torch.Tensor,
) -> float:
    """One step of Adam on a minibatch; how many of its decisions the policy found likely, one for a certain choice."""
    values, logs, _ = model.policy.evaluate_actions(seen, actions, masks)
    misses = torch.where(over, values.flatten() - paid, 0.0)
    loss = -logs.mean() + model.vf_coef * (misses**2).mean()
    model.policy.optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.policy.parameters(), model.max_grad_norm)
    model.policy.optimizer.step()
    return float(logs.detach().exp().sum())
