"""Convolutions over the board: they see what they should, learn, are saved, and play alike with and without sb3."""

import dataclasses
import json

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch

from agezoo.agents import config
from agezoo.agents.base import BadAgent
from agezoo.agents.command import REACHED, main
from agezoo.agents.policy import Actor, Policy
from agezoo.agents.ppo import OneMaskPolicy, Planes
from agezoo.agents.vec import VecTables
from agezoo.envs.engine.errors import BadGame

from .board import GAME

RUN = [
    "game=board", "num_players=2", "tables=32", "steps=8192", "network=[32]", "convolution=[8, 4]", "torch_threads=1",
    "opponents={random: 0.9, greedy: 0, self_play: 0.1}", "ppo.n_steps=32", "ppo.batch_size=256",
    "ppo.learning_rate=3e-3", "self_play={every: 2048, keep: 2}", "checkpoint={every: 4096, keep: 2}",
    "evaluation={every: 4096, games: 40, final_games: 400}", "goals=[{opponent: random, win_rate: 0.6}]",
]  # fmt: skip


@pytest.fixture(scope="module")
def policy():
    env = VecTables(GAME, 4, {"random": 1}, seed=0)
    more = {"where": GAME.planes, "channels": [8, 4], "activation": torch.nn.ReLU}
    torch.manual_seed(0)
    return OneMaskPolicy(
        env.observation_space,
        env.action_space,
        lambda _: 1e-3,
        net_arch=[32],
        activation_fn=torch.nn.ReLU,
        features_extractor_class=Planes,
        features_extractor_kwargs=more,
    )


def test_where_the_planes_lie():
    assert GAME.planes == (slice(1, 13), (2, 2, 3))
    assert dataclasses.replace(GAME, name="no_board", spatial=None).planes is None


@pytest.mark.parametrize("spatial", ["seat", "nowhere"])
def test_a_spatial_block_must_be_planes(spatial):
    with pytest.raises(BadGame, match="no observation block of planes x rows x columns"):
        dataclasses.replace(GAME, name="bad_board", spatial=spatial)


def test_a_convolution_sees_neighbours_of_its_own_plane_and_no_field_far_off(policy):
    layer = policy.features_extractor
    observation = torch.zeros(1, 14)
    with torch.no_grad():
        nothing = layer(observation)
        observation[0, 1 + 0] = 1  # own stone in the corner of row 0
        moved = (layer(observation) - nothing)[0]
    assert layer.features_dim == moved.shape[0] == 14 - 12 + 4 * 6
    board = moved[1:-1].reshape(4, 2, 3).abs().sum(0)
    assert board[0, 0] > 0
    assert board[1, 1] > 0
    assert moved[0] == moved[-1] == 0  # what is no board passes as it is
    one = Planes(policy.observation_space, GAME.planes, [4], torch.nn.ReLU)
    with torch.no_grad():
        board = (one(observation) - one(torch.zeros(1, 14)))[0, 1:-1].reshape(4, 2, 3).abs().sum(0)
    assert board[0, 2] == board[1, 2] == 0  # two columns off: beyond one 3x3 convolution


def test_the_actor_alone_gives_the_logits_of_the_whole_network(policy):
    observations = np.random.default_rng(0).random((50, 14), np.float32)
    masks = np.ones((50, 6), np.bool_)
    actor = Actor.of(policy.state_dict(), "relu", GAME)
    with torch.no_grad():
        latent, _ = policy.mlp_extractor(policy.features_extractor(torch.from_numpy(observations)))
        expected = policy.action_net(latent)
    torch.testing.assert_close(actor.logits(observations, masks), expected)


def test_a_run_with_convolutions_learns_resumes_and_plays(tmp_path, capsys):
    folder = tmp_path / "run"
    assert main([*RUN, f"run={folder}"]) == REACHED
    assert json.loads((folder / "evaluation.json").read_text())["goals"][0]["win_rate"] > 0.6
    player = Policy.load(folder, GAME)
    assert player.actor.channels() == [8, 4]
    assert main([f"resume={folder}", "steps=9216"]) == REACHED
    assert main([f"resume={folder}", "convolution=[8]"]) != REACHED
    assert "a resumed run keeps convolution" in capsys.readouterr().err


def test_a_file_whose_convolutions_are_not_what_it_says_is_refused(tmp_path, policy, monkeypatch):
    from agezoo.agents import policy as module

    facts = module.facts_of(GAME, [32], "relu", [8, 8])
    monkeypatch.setattr(module, "find_model", lambda path: path)
    monkeypatch.setattr(module, "read_model", lambda file: (facts, policy.state_dict()))
    with pytest.raises(BadAgent, match="its layers are"):
        Policy.load(tmp_path / "model.zip", GAME)


def test_a_rulebook_without_a_board_takes_no_convolution():
    with pytest.raises(config.BadConfig, match="has no board to look at"):
        config.build({"game": "age_de_bronze", "convolution": [8]})
    assert config.build({"game": "board", "convolution": []}).convolution == ()
