"""The Monte Carlo agent, by name: in all five games, for all seat counts, the same again by seed."""

import numpy as np
import pytest

import agezoo.envs
from agezoo import agents
from agezoo.agents import BadAgent, play_games
from agezoo.envs import Batch, find


@pytest.mark.parametrize("name", agezoo.envs.names())
def test_it_plays_every_game_at_every_seat_count(name):
    game = find(name)
    counts = range(game.players[0], game.players[1] + 1)
    first, again = (agents.make("montecarlo:6:3", game, seed=8) for _ in range(2))
    batch = Batch(game, 2 * len(counts), 3, num_players=list(counts))
    tables, rng = np.arange(batch.num_envs), np.arange(batch.num_envs, dtype=np.uint64)
    for _ in range(12):
        actions = first.choose(batch, tables)
        assert batch.action_mask[tables, actions].all()
        assert actions.tolist() == again.choose(batch, tables).tolist()
        batch.step(actions)
        batch.step(batch.random_actions(rng))
    assert first.choose(batch, tables).shape == tables.shape


def test_it_beats_greedy_play_in_bronze():
    """By two and a half sigmas of what chance alone would win."""
    games = 120
    results = play_games("bronze", ["montecarlo:60:20", "greedy"], games, seed=2)
    assert results.win_rate(0) > 0.5 + 2.5 * 0.5 / games**0.5


def test_names():
    assert agents.make("montecarlo").name == "montecarlo:400"
    assert agents.make("montecarlo:25").name == "montecarlo:25"
    player = agents.make("montecarlo:25:8")
    assert (player.name, player.simulations, player.depth) == ("montecarlo:25:8", 25, 8)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("montecarlo:x", "give montecarlo:SIMULATIONS"),
        ("montecarlo:0", "simulations=0"),
        ("montecarlo:5:5:5", "give montecarlo:SIMULATIONS"),
        ("greedy:5", "there is no agent 'greedy:5'"),
        ("montcarlo", r"did you mean montecarlo\?"),
    ],
)
def test_bad_names_are_refused(name, said):
    with pytest.raises(BadAgent, match=said):
        agents.make(name)
