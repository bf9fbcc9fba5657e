"""Actions that see what is observed of the thing they stand for, by weights that all of them share."""

import dataclasses

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch

from agezoo.agents import config
from agezoo.agents.base import BadAgent
from agezoo.agents.command import REACHED, main
from agezoo.agents.policy import Actor, Policy, add_aligned
from agezoo.agents.ppo import OneMaskPolicy
from agezoo.agents.vec import VecTables
from agezoo.envs.engine.layout import Layout, block

from .board import COLUMNS, GAME
from .test_convolution import RUN

ALIGNED = [*(word for word in RUN if "convolution" not in word), "aligned=true"]


@pytest.fixture(scope="module")
def policy():
    env = VecTables(GAME, 4, {"random": 1}, seed=0)
    torch.manual_seed(0)
    made = OneMaskPolicy(
        env.observation_space, env.action_space, lambda _: 1e-3, net_arch=[16], aligned=GAME.aligned
    )
    with torch.no_grad():
        made.aligned_net.weight.normal_()
        made.aligned_net.bias.copy_(torch.tensor([3.0, -2.0]))
    return made


def test_which_actions_are_aligned_with_what():
    assert GAME.aligned == [(slice(0, 6), [slice(1, 7), slice(7, 13)])]
    numbered = Layout(block("put", 2, 3))
    assert dataclasses.replace(GAME, name="numbered_board", actions=numbered).aligned == []
    columns = Layout(block("column", COLUMNS), block("other"))
    found = dataclasses.replace(GAME, name="column_board", actions=columns).aligned
    assert found == [(slice(0, 3), [slice(start, start + 3) for start in (1, 4, 7, 10)])]


def test_each_action_is_moved_by_its_own_numbers_alone():
    seen = torch.zeros(1, 14)
    seen[0, 1 + 4] = 1  # an own stone on the fifth field
    seen[0, 7 + 2] = 1  # the other's on the third
    logits = add_aligned(torch.zeros(1, 6), torch.tensor([[3.0, -2.0]]), seen, GAME.aligned)
    assert logits.tolist() == [[0, 0, -2, 0, 3, 0]]


def test_actions_that_are_not_aligned_keep_their_logits():
    seen = torch.arange(8.0)[None]
    logits = add_aligned(torch.ones(1, 5), torch.tensor([[10.0]]), seen, [(slice(1, 3), [slice(6, 8)])])
    assert logits.tolist() == [[1, 61, 71, 1, 1]]


def test_the_actor_alone_gives_the_logits_of_the_whole_network(policy):
    observations = np.random.default_rng(0).random((50, 14), np.float32)
    actor = Actor.of(policy.state_dict(), "tanh", GAME)
    with torch.no_grad():
        seen = torch.from_numpy(observations)
        latent, _ = policy.mlp_extractor(policy.features_extractor(seen))
        expected = policy.logits(seen, latent)
        assert not torch.allclose(expected, policy.action_net(latent))
    torch.testing.assert_close(actor.logits(observations, np.ones((50, 6), np.bool_)), expected)


def test_a_run_learns_resumes_and_plays(tmp_path, capsys):
    folder = tmp_path / "run"
    assert main([*ALIGNED, f"run={folder}"]) == REACHED
    assert Policy.load(folder, GAME).actor.weights is not None
    assert main([f"resume={folder}", "steps=9216"]) == REACHED
    assert main([f"resume={folder}", "aligned=false"]) != REACHED
    assert "a resumed run keeps aligned" in capsys.readouterr().err


def test_a_file_that_is_not_aligned_as_it_says_is_refused(tmp_path, policy, monkeypatch):
    from agezoo.agents import policy as module

    facts = module.facts_of(GAME, [16], "tanh", aligned=False)
    monkeypatch.setattr(module, "find_model", lambda path: path)
    monkeypatch.setattr(module, "read_model", lambda file: (facts, policy.state_dict()))
    with pytest.raises(BadAgent, match="not aligned"):
        Policy.load(tmp_path / "model.zip", GAME)


def test_a_rulebook_that_observes_nothing_of_its_actions_is_not_aligned():
    bare = dataclasses.replace(GAME, name="bare_board", actions=Layout(block("put", 2, 3)))
    with pytest.raises(config.BadConfig, match="observes nothing by the things"):
        config.build({"game": bare.name, "aligned": True, "num_players": 2})
