"""One masked distribution in a forward pass gives what sb3-contrib's three give."""

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from agezoo.agents.policy import Actor
from agezoo.agents.ppo import OneMaskPolicy


@pytest.fixture(scope="module")
def case(game):
    """The same parameters in both policies, with observations and masks of real tables."""
    from agezoo.agents.vec import VecTables

    env = VecTables(game, 200, {"random": 1}, seed=0, num_players=4)
    observations = env.reset()
    for _ in range(20):
        observations, *_ = env.step(env.mask.argmax(1))
    network = {"net_arch": [32, 32]}
    torch.manual_seed(0)
    theirs = MaskableActorCriticPolicy(env.observation_space, env.action_space, lambda _: 1e-3, **network)
    with torch.no_grad():
        theirs.action_net.weight.mul_(100)  # the initial policy is nearly uniform, which would hide mistakes
    ours = OneMaskPolicy(env.observation_space, env.action_space, lambda _: 1e-3, **network)
    ours.load_state_dict(theirs.state_dict())
    return ours, theirs, torch.from_numpy(observations), env.mask.copy()


def test_same_actions_values_and_probabilities(case):
    ours, theirs, observations, masks = case
    with torch.no_grad():
        for seed in range(20):
            torch.manual_seed(seed)
            a, values, logs = ours(observations, action_masks=masks)
            torch.manual_seed(seed)
            b, their_values, their_logs = theirs(observations, action_masks=masks)
            assert torch.equal(a, b)
            assert torch.equal(values, their_values)
            torch.testing.assert_close(logs, their_logs, rtol=1e-5, atol=1e-5)
            assert masks[np.arange(len(a)), a.numpy()].all()
        best, _, _ = ours(observations, deterministic=True, action_masks=masks)
        assert torch.equal(best, theirs(observations, deterministic=True, action_masks=masks)[0])


def test_same_loss_terms_and_gradients(case):
    ours, theirs, observations, masks = case
    float_masks = torch.from_numpy(masks.astype(np.float32))  # as the rollout buffer keeps them
    actions = torch.from_numpy(masks.argmax(1))
    gradients = []
    for policy in (ours, theirs):
        policy.zero_grad()
        values, logs, entropy = policy.evaluate_actions(observations, actions, float_masks)
        (logs.mean() + 0.1 * entropy.mean() + values.mean()).backward()
        gradients.append(
            [values, logs, entropy, *(p.grad for p in policy.parameters() if p.grad is not None)]
        )
    for our, their in zip(*gradients, strict=True):
        torch.testing.assert_close(our, their, rtol=1e-4, atol=1e-5)


def test_without_masks(case):
    ours, theirs, observations, _ = case
    torch.manual_seed(1)
    a = ours(observations)
    torch.manual_seed(1)
    b = theirs(observations)
    assert torch.equal(a[0], b[0])


def test_actor_is_the_policy_s_actor(case):
    ours, _, observations, masks = case
    actor = Actor.of(ours.state_dict(), "tanh")
    with torch.no_grad():
        best, _, _ = ours(observations, deterministic=True, action_masks=masks)
        distribution = ours.get_distribution(observations, masks).distribution.probs.numpy()
    assert (actor.best(observations.numpy(), masks) == best.numpy()).all()
    generator = torch.Generator().manual_seed(0)
    drawn = np.zeros_like(distribution)
    rounds = 400
    for _ in range(rounds):
        actions = actor.sample(observations.numpy(), masks, generator)
        drawn[np.arange(len(actions)), actions] += 1
    assert (drawn[~masks] == 0).all()
    deviation = np.abs(drawn / rounds - distribution)
    assert (deviation < 6 * np.sqrt(distribution * (1 - distribution) / rounds) + 5e-3).all()
