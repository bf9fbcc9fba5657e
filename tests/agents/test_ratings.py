"""Ratings and intervals against strengths that are known, by simulation that knows nothing of how they are computed."""

from __future__ import annotations

import itertools
from math import log10

import numpy as np
import pytest

from agezoo.agents import arena
from agezoo.agents.arena import PRIOR_GAMES, PRIOR_SHARE, Pairing, posterior, round_robin
from agezoo.agents.evaluate import Results, mean_interval, play_games, wilson

from .knockout import GAME


def results(places, seats=None):
    """Games in which players came to these places."""
    places = np.array(places, np.int8)
    games, count = places.shape
    seats = (
        np.tile(np.arange(count, dtype=np.int8), (games, 1)) if seats is None else np.array(seats, np.int8)
    )
    names = tuple(f"p{k}" for k in range(count))
    return Results(names, places, np.zeros(places.shape, np.float32), seats, *np.zeros((2, games), bool))


def pairing(above, one=0, other=1):
    above = np.asarray(above, np.float64)
    return Pairing(one, other, above, above, 0, 0)


def rate(*pairings, count=2, zero=0, seed=0):
    return arena._rate(pairings, count, zero, seed)


def undefeated(games):
    """How far agent 1 is rated above agent 0, which lost all their games: rating, low, high."""
    ratings, intervals = rate(pairing(np.zeros(games)))
    return ratings[1], *intervals[1]


# -- intervals of win rates --------------------------------------------------------------------------------------------


def test_wins_and_losses_alone_have_wilson_s_interval():
    for won, games in [(0, 30), (30, 30), (7, 30), (1, 2), (0, 1), (1, 1)]:
        outcomes = np.repeat([1.0, 0.0], [won, games - won])
        assert mean_interval(outcomes) == pytest.approx(wilson(won / games, games), abs=1e-12)
    assert mean_interval(np.zeros(0)) == (0, 1)


@pytest.mark.parametrize(
    "chances",
    [
        {1: 0.5, 0: 0.5},
        {1: 0.25, 0: 0.75},
        {1: 0.2, 0.5: 0.6, 0: 0.2},
        {1: 0.05, 0.5: 0.9, 0: 0.05},
        {1: 0.3, 0.5: 0.1, 1 / 3: 0.1, 0: 0.5},
        {1: 0.9, 0.5: 0.08, 0: 0.02},
    ],
    ids=str,
)
@pytest.mark.parametrize("games", [60, 400])
def test_intervals_cover_the_true_win_rate_as_often_as_they_say(chances, games):
    outcomes, weights = np.array(list(chances)), np.array(list(chances.values()))
    truth = float(outcomes @ weights)
    rng = np.random.default_rng(1)
    drawn = rng.choice(outcomes, (3000, games), p=weights)
    intervals = [mean_interval(row) for row in drawn]
    covered = np.mean([low <= truth <= high for low, high in intervals])
    assert 0.93 <= covered <= 0.985
    if 0.5 in chances and chances[0.5] > 0.5:  # shared wins tell more than Wilson's interval alone knows
        wide = np.mean([high - low for low, high in (wilson(row.mean(), games) for row in drawn)])
        assert np.mean([high - low for low, high in intervals]) < 0.7 * wide


@pytest.mark.parametrize("games", [1, 10, 1000])
@pytest.mark.parametrize("outcome", [0.0, 0.5, 1.0])
def test_no_interval_is_without_width(games, outcome):
    low, high = mean_interval(np.full(games, outcome))
    assert 0 <= low <= outcome <= high <= 1
    assert high - low > 0.2 / games


def test_win_rate_and_interval_are_of_the_same_player():
    found = results([[1, 2, 3]] * 80 + [[2, 1, 3]] * 20 + [[1, 1, 3]] * 10)
    assert found.win_rate(0) == pytest.approx(85 / 110)
    for player in range(3):
        low, high = found.interval(player)
        assert low <= found.win_rate(player) <= high
    assert found.interval(2)[1] < 0.05 < found.interval(1)[0]
    summary = found.summary()
    assert [line["win_rate"] for line in summary["players"]] == [found.win_rate(k) for k in range(3)]
    assert [tuple(line["interval"]) for line in summary["players"]] == [found.interval(k) for k in range(3)]
    assert found.table().splitlines()[2].startswith("| p0 | 85.0 | 77.3% | ")


def test_wins_by_seat_are_those_won_there():
    found = results([[1, 2], [1, 2], [2, 1]], [[0, 1], [1, 0], [1, 0]])
    assert found.by_seat(0).tolist() == [[1, 1], [2, 1]]
    assert found.by_seat(1).tolist() == [[2, 1], [1, 0]]
    assert [seat["wins"] for seat in found.summary()["players"][0]["by_seat"]] == [1, 1]


# -- ratings -----------------------------------------------------------------------------------------------------------


def test_ratings_of_elo_s_own_table():
    """75 % of the games are worth 191 points, 64 % are worth 100; priors of so many games move that by a point."""
    for percent, points in [(75, 191), (64, 100), (50, 0), (36, -100)]:
        above = np.repeat([1.0, 0.0], [percent * 100, (100 - percent) * 100])
        ratings, intervals = rate(pairing(above, 1, 0))
        assert ratings[1] == pytest.approx(points, abs=2)
        assert intervals[1, 0] < ratings[1] < intervals[1, 1]
        assert ratings[0] == intervals[0, 0] == intervals[0, 1] == 0


def games_of(strengths, own, games, rng):
    """Places of `own` seats of the first and as many others of the second: Luce's model, drawn by racing clocks."""
    rates = np.repeat(strengths, own)
    finish = rng.exponential(1 / rates, (games, len(rates)))
    return finish.argsort(axis=1).argsort(axis=1) + 1


@pytest.mark.parametrize("seats", [2, 4, 5])
def test_intervals_cover_known_strengths(seats):
    """Whoever comes first of two in a race with rates a and b is the one in a of a + b races: Elo is known."""
    elo = np.array([0.0, 120.0, 330.0])
    strengths = 10 ** (elo / 400)
    rng = np.random.default_rng(4)
    inside = total = 0
    for trial in range(150):
        found = []
        for one, other in itertools.combinations(range(3), 2):
            own = [seats // 2, seats - seats // 2]
            drawn = [
                (results(games_of(strengths[[one, other]], [mine, seats - mine], 60, rng)), mine)
                for mine in sorted(set(own))
            ]
            found.append(arena._pairing((one, other), drawn))
        _, intervals = rate(*found, count=3, seed=trial)
        inside += ((intervals[1:, 0] <= elo[1:]) & (elo[1:] <= intervals[1:, 1])).sum()
        total += 2
    assert (
        0.90 <= inside / total <= 0.985
    )  # 0.95; of 300, a third of them tied together, 0.9 is four sigmas off


@pytest.mark.parametrize("games", [1, 10, 100, 400, 10_000, 1_000_000])
def test_an_undefeated_agent_has_an_interval_and_an_end(games):
    rating, low, high = undefeated(games)
    assert low < rating < high
    assert high - low > 10
    assert 0 < rating < 1081
    if games >= 10:
        assert low > 0


def test_more_games_of_the_same_leave_ratings_where_they_are():
    for above in ([1] * 80 + [0] * 20, [1, 0, 0.5, 0.5], [1] * 97 + [0] * 3):
        once = rate(pairing(above * 4, 1, 0))[0][1]
        ten = rate(pairing(above * 40, 1, 0))[0][1]
        assert ten == pytest.approx(once, abs=15 if np.mean(above) < 0.95 else 40)
    few, many, most = (undefeated(games)[0] for games in (400, 4000, 1_000_000))
    assert few < many < most < few + 160
    assert most == pytest.approx(400 * log10(501), abs=1)


def test_the_prior_is_worth_what_it_says():
    games = 50
    prior = PRIOR_GAMES + PRIOR_SHARE * games
    drawn = posterior(np.ones(games), prior, np.random.default_rng(0))
    # Beta(a, b): mean a / (a + b), variance ab / ((a + b)^2 (a + b + 1))
    a, b = games + prior / 2, prior / 2
    assert drawn.mean() == pytest.approx(a / (a + b), abs=0.002)
    assert drawn.var() == pytest.approx(a * b / (a + b) ** 2 / (a + b + 1), rel=0.15)
    assert (drawn < 1).all()
    shared = posterior(np.full(1000, 0.5), 2, np.random.default_rng(0))
    assert shared.mean() == pytest.approx(0.5, abs=0.002)
    assert 0 < shared.std() < 0.005


def test_a_tie_counts_half():
    """Two seats each: one of the first above both others, one level with the upper of them."""
    found = results([[1, 2, 2, 4]])
    made = arena._pairing((0, 1), [(found, 2)])
    assert made.above.tolist() == [(1 + 1 + 0.5 + 1) / 4]
    level = arena._pairing((0, 1), [(results([[1, 1]]), 1)])
    assert level.above.tolist() == [0.5]
    assert level.wins.tolist() == [0.5]
    assert level.win_rate == 0.5
    lost = arena._pairing((0, 1), [(results([[2, 1]]), 1)])
    assert (lost.above.tolist(), lost.wins.tolist()) == ([0], [0])
    both = arena._pairing((0, 1), [(found, 2), (results([[2, 1, 1, 1]]), 1)])
    assert both.above.tolist() == [3.5 / 4, 0]
    assert both.wins.tolist() == [1, 0]


def test_ratings_are_measured_from_random_and_in_its_place():
    above = [1] * 70 + [0] * 30
    up = rate(pairing(above), zero=1)
    down = rate(pairing(above), zero=0)
    assert up[0][0] == pytest.approx(-down[0][1])
    assert up[0][0] > 100
    assert up[1][0] == pytest.approx(-down[1][1][::-1], abs=1e-9)


def test_every_match_has_deals_of_its_own(monkeypatch):
    seeds, options = [], []

    def played(game, line_up, games, seed, **more):
        seeds.append(seed)
        options.append(more["at_limit"])
        return play_games(game, line_up, games, seed, **more)

    monkeypatch.setattr(arena, "play_games", played)
    stay, leave, mixed = (named(name, action) for name, action in (("a", 0), ("b", 1), ("c", None)))
    standing = round_robin(GAME, [stay, leave, mixed], games=4, seed=5)
    assert len(seeds) == len(set(seeds)) == 6  # three pairings, at three seats in two ways each
    again = seeds.copy()
    seeds.clear()
    round_robin(GAME, [stay, leave, mixed], games=4, seed=6)
    assert not set(seeds) & set(again)
    assert set(options) == {"decide"}
    assert (standing.at_limit, standing.options) == ("decide", {})
    assert standing.summary()["at_limit"] == "decide"
    assert [p.games for p in standing.pairings] == [4, 4, 4]


def named(name, action):
    def act(env, agent):
        return env.random_action(env.agents.index(agent)) if action is None else action

    act.__name__ = name
    return act


def test_the_table_and_the_summary_say_who_is_who():
    standing = round_robin(GAME, [named("leave", 1), named("stay", 0)], games=40, seed=5)
    assert standing.win_rate(1) > 0.6
    assert standing.win_rate(0) == pytest.approx(1 - standing.win_rate(1))
    first, second = standing.table().splitlines()[2:4]
    assert first.startswith("| stay | +")
    assert second.startswith("| leave | +0 | - |")
    summary = standing.summary()
    assert [line["name"] for line in summary["agents"]] == ["leave", "stay"]
    pair = summary["pairings"][0]
    assert (pair["agent"], pair["against"], pair["games"]) == ("leave", "stay", 40)
    assert pair["win_rate"] == standing.pairings[0].win_rate < 0.5
    assert pair["above"] < 0.5
    assert pair["interval"][0] <= pair["win_rate"] <= pair["interval"][1]
    assert summary["agents"][1]["interval"][0] > 0
