"""The arena: its ratings are right where they are known, and the same for the same seed."""

import numpy as np
import pytest

from agezoo.agents import BadAgent
from agezoo.agents.arena import bradley_terry, round_robin
from agezoo.agents.random import Random
from agezoo.play import cli


class Twin(Random):
    """A second random player."""

    name = "twin"


def test_strengths_are_found_from_expected_scores():
    strength = np.array([0.25, 1.0, 4.0])
    met = np.array([[0, 100, 50], [100, 0, 70], [50, 70, 0]])
    won = (met * strength[:, None] / (strength[:, None] + strength[None, :])).sum(axis=1)
    assert bradley_terry(won[None], met)[0] == pytest.approx(strength, rel=1e-5)


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_greedy_beats_random(players):
    standing = round_robin("age_de_bronze", ["random", "greedy"], games=40, num_players=players, seed=1)
    assert standing.names == ("random", "greedy")
    assert standing.ratings[0] == 0
    assert standing.intervals[1, 0] > 100
    assert standing.win_rate(1) > 0.9
    assert standing.win_rate(0) + standing.win_rate(1) == pytest.approx(1)
    pairing = standing.pairings[0]
    assert pairing.games == 40
    assert pairing.interval[0] <= pairing.win_rate <= pairing.interval[1]


@pytest.mark.parametrize("players", [2, 3])
def test_equals_are_rated_equal(players):
    standing = round_robin("age_de_bronze", ["random", Twin(seed=5)], games=300, num_players=players, seed=2)
    low, high = standing.intervals[1]
    assert low < 0 < high
    assert high - low < 200
    assert abs(standing.win_rate(0) - 0.5) < 0.1


def test_three_agents_and_the_same_seed_twice():
    def rate(seed):
        heard = []
        standing = round_robin(
            "age_de_bronze",
            ["greedy", "random", Twin(seed=5)],
            games=30,
            seed=seed,
            progress=lambda *n: heard.append(n),
        )
        return standing, heard

    one, heard = rate(3)
    again, _ = rate(3)
    other, _ = rate(4)
    assert heard[-1] == (90, 90)
    assert [done for done, _ in heard] == sorted(done for done, _ in heard)
    assert one.summary() == again.summary()
    assert one.table() == again.table()
    assert one.summary() != other.summary()
    assert one.zero == 1
    assert len(one.pairings) == 3
    assert one.ratings[0] > max(one.ratings[1:])
    assert one.table().splitlines()[2].startswith("| greedy | +")


@pytest.mark.parametrize("agents", [[], ["greedy"], ["greedy", "random", "greedy"], ["greedy", "nobody"]])
def test_bad_agents(agents):
    with pytest.raises(BadAgent):
        round_robin("age_de_bronze", agents)


@pytest.mark.parametrize(
    ("at_limit", "said"),
    [
        ("decide", "40 of 40 games ended at a limit of the game: they were decided as they stood."),
        (
            "truncate",
            "40 of 40 games ended at a limit of the game: they were broken off, and count, as they stood.",
        ),
    ],
)
def test_games_at_the_limit_are_counted(at_limit, said):
    more = {"games": 40, "num_players": 2, "seed": 1, "at_limit": at_limit, "max_cycles": 9}
    standing = round_robin("age_de_bronze", ["random", "greedy"], **more)
    assert standing.pairings[0].at_limit == standing.summary()["pairings"][0]["at_limit"] == 40
    assert "| random | greedy | 40 | 40 | " in standing.table()
    assert cli.limits(standing) == said
    whole = round_robin("age_de_bronze", ["random", "greedy"], **{**more, "max_cycles": None})
    assert whole.pairings[0].at_limit == 0
    assert cli.limits(whole) == "0 of 40 games ended at a limit of the game."


def test_odd_tables_split_the_games_evenly():
    standing = round_robin("age_de_bronze", ["random", Twin(seed=5)], games=31, num_players=3)
    assert standing.pairings[0].games == 32
