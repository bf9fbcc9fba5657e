"""Evaluation: which games count, who sits where, what the numbers mean."""

import itertools
from collections import Counter

import numpy as np
import pytest

from agezoo import agents
from agezoo.agents import evaluate
from agezoo.agents.evaluate import Results, play_games, seatings, wilson
from agezoo.envs import BadOption, Batch, find, names
from agezoo.envs.engine.chance import next_seed, table_seed
from agezoo.envs.engine.compile import plain

from .knockout import GAME as KNOCKOUT


class Watched:
    """A player that notes where it was asked."""

    def __init__(self, player, name):
        self.player, self.name, self.asked = player, name, []

    def act(self, env, agent):
        return self.player.act(env, agent)

    def choose(self, batch, tables):
        assert len(set(tables.tolist())) == len(tables)
        self.asked.append((tables.copy(), batch.seat[tables].copy()))
        return self.player.choose(batch, tables)


def test_every_player_sits_everywhere_equally_often():
    for count in (2, 3, 4, 6):
        games = count * 50
        seating = seatings(count, games, seed=5)
        assert (np.sort(seating, axis=1) == np.arange(count)).all()
        for player, seat in itertools.product(range(count), range(count)):
            assert (seating[:, seat] == player).sum() == games // count


def test_every_order_around_the_table_comes_up():
    seating = seatings(4, 4 * 6, seed=0)
    assert len({tuple(row) for row in seating.tolist()}) == 24


def test_exactly_the_games_that_were_fixed_are_counted(game):
    """The tables are replayed one by one: each game's result is that of the deal it stands for."""
    games, tables, seed = 23, 5, 3
    results = play_games(game, [agents.make("random")] * 3, games, seed=seed, tables=tables, max_cycles=90)
    assert results.games == games
    batch = Batch(game, tables, seed, num_players=3, max_cycles=90)
    deals = batch.seeds.copy()
    for i in range(tables):
        assert deals[i] == plain(table_seed)(np.uint64(seed), i)
    # the same players with the same random numbers once more, on tables that go on for ever
    player = agents.make("random")
    player.seed((seed + 0x9E3779B97F4A7C15) % (1 << 64))
    quota = [len(range(i, games, tables)) for i in range(tables)]
    idle = np.arange(1, tables + 1, dtype=np.uint64)
    found = [[] for _ in range(tables)]
    while any(len(found[i]) < quota[i] for i in range(tables)):
        playing = np.array([i for i in range(tables) if len(found[i]) < quota[i]])
        others = np.array([i for i in range(tables) if len(found[i]) >= quota[i]], np.int64)
        actions = np.zeros(tables, np.int64)
        actions[playing] = player.choose(batch, playing)
        actions[others] = batch.random_actions(idle, where=others)
        batch.step(actions)
        for i in playing:
            if batch.done[i] or batch.truncated[i]:
                found[i].append(batch.scores[i].copy())
                deals[i] = plain(next_seed)(deals[i])
    seating = seatings(3, games, seed)
    for k in range(games):
        by_seat = found[k % tables][k // tables]
        assert (results.scores[k] == by_seat[np.argsort(seating[k])]).all()


def test_match_can_be_repeated(game):
    players = [agents.make("random"), agents.make("greedy")]
    results = play_games(game, players, 40, seed=1, tables=40)
    again = play_games(game, players, 40, seed=1, tables=40)
    assert (results.places == again.places).all()
    assert (results.scores == again.scores).all()
    assert (results.places.min(axis=1) == 1).all()  # every game has a winner


def test_players_are_asked_at_their_seats_only(game):
    one, two = Watched(agents.make("greedy"), "one"), Watched(agents.make("random"), "two")
    results = play_games(game, [one, two], 4, seed=2, tables=4)
    first = {
        table: seat for tables, seats in one.asked[:1] for table, seat in zip(tables, seats, strict=True)
    }
    for table, seat in first.items():
        assert results.seats[table, 0] == seat
    assert results.seats.tolist() in ([[0, 1], [1, 0]] * 2, [[1, 0], [0, 1]] * 2)


def test_greedy_beats_random_from_every_seat(game):
    players = [agents.make("greedy"), *[agents.make("random")] * 3]
    results = play_games(game, players, 200, seed=0)
    assert results.win_rate(0) > 0.9
    for played, won in results.by_seat(0):
        assert played == 50
        assert won > 40
    assert results.wins.sum() == pytest.approx(200)


def test_equal_players_win_equally_often(game):
    results = play_games(game, [agents.make("random", seed=k) for k in range(4)], 1200, seed=4)
    for player in range(4):
        low, high = results.interval(player)
        assert low - 0.02 < 0.25 < high + 0.02


def test_shared_wins_count_in_part():
    places = np.array([[1, 1, 3], [1, 2, 3], [1, 1, 1]], np.int8)
    seats = np.tile(np.arange(3, dtype=np.int8), (3, 1))
    results = Results(("a", "b", "c"), places, np.zeros((3, 3), np.float32), seats, *np.zeros((2, 3), bool))
    assert results.wins.tolist() == pytest.approx([1 / 2 + 1 + 1 / 3, 1 / 2 + 1 / 3, 1 / 3])
    assert results.win_rate(0) == pytest.approx(11 / 18)
    assert results.chance == pytest.approx(1 / 3)
    assert results.table().count("\n") == 4
    assert results.summary()["players"][2]["wins"] == pytest.approx(1 / 3)


def test_wilson_interval():
    low, high = wilson(0.5, 100)  # 0.4038 to 0.5962 in every table of Wilson intervals
    assert (round(low, 4), round(high, 4)) == (0.4038, 0.5962)
    assert wilson(0.0, 10)[0] == 0
    assert wilson(1.0, 10)[1] == pytest.approx(1)
    assert wilson(0.3, 0) == (0, 1)


def test_interval_covers_the_truth_as_often_as_it_says():
    rng = np.random.default_rng(0)
    wins = rng.binomial(200, 0.4, size=4000) / 200
    covered = np.mean([low < 0.4 < high for low, high in (wilson(rate, 200) for rate in wins)])
    assert 0.93 < covered < 0.97


def test_games_are_decided_at_their_limit_by_default():
    def play(**more):
        return play_games(KNOCKOUT, ["random"] * 3, 20, seed=1, max_cycles=1, **more)

    assert not play().truncated.any()
    assert not play(at_limit="decide").truncated.any()
    broken_off = play(at_limit="truncate")
    assert broken_off.truncated.any()
    assert (broken_off.places == play().places).all()


def test_games_that_end_at_their_limit_are_counted_either_way():
    """Tables that are played by the same players: as many reach the limit, whatever happens there, and none without."""

    def play(**more):
        return play_games(KNOCKOUT, ["random"] * 3, 40, seed=1, **more)

    decided, broken_off = play(max_cycles=3), play(max_cycles=3, at_limit="truncate")
    assert (broken_off.at_limit == broken_off.truncated).all()
    assert (decided.at_limit == broken_off.at_limit).all()
    assert 0 < decided.at_limit.sum() < 40
    assert decided.summary()["at_limit"] == decided.at_limit.sum()
    assert not play().at_limit.any()


@pytest.mark.parametrize("name", names())
def test_greedy_play_is_better_than_random_play(name):
    """By six sigmas of what chance alone would win."""
    rulebook = find(name)
    games, chance = 100, 1 / rulebook.default_players
    results = play_games(name, ["greedy", *["random"] * (rulebook.default_players - 1)], games, seed=1)
    assert results.win_rate(0) > chance + 6 * (chance * (1 - chance) / games) ** 0.5


def test_truncated_games_count_by_standing(game):
    results = play_games(game, [agents.make("random")] * 2, 10, seed=0, max_cycles=20, at_limit="truncate")
    assert results.truncated.all()
    assert results.wins.sum() == pytest.approx(10)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"games": 0}, "games=0: give a positive whole number"),
        ({"tables": 1.5}, "tables=1.5: give a positive whole number"),
        ({"num_players": 3}, "num_players=3: 2 players were given"),
        ({"seed": -1}, "seed=-1"),
        ({"weather": 1}, "got an unexpected keyword argument 'weather'"),
    ],
)
def test_bad_arguments_are_refused(game, change, said):
    arguments = {"games": 4, **change}
    with pytest.raises(BadOption, match=said):
        play_games(game, [agents.make("random")] * 2, **arguments)


def test_progress_is_told_now_and_then_while_no_game_ends(game, monkeypatch):
    monkeypatch.setattr(evaluate, "_TOLD_EVERY", 3)
    told, asked = [], []

    def first(env, agent):
        asked.append(agent)
        return env.legal_actions()[0]

    play_games(game, [first] * 2, 1, progress=told.append)
    assert len(asked) > 4
    assert told == [0] * ((len(asked) - 1) // 3) + [1]


def test_progress_is_told(game):
    told = []
    play_games(game, [agents.make("random")] * 2, 9, seed=0, tables=4, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 9


def test_where_chooses_as_the_whole_batch_would(game):
    """Batch.random_actions and greedy_actions at some tables: the same moves from the same generators."""
    for choose in ("random_actions", "greedy_actions"):
        batch = Batch(game, 9, 0, num_players=4, threads=2)
        every = getattr(batch, choose)(np.arange(9, dtype=np.uint64))
        where = np.array([7, 2, 3])
        rng = np.arange(9, dtype=np.uint64)
        some = getattr(batch, choose)(rng, where=where)
        assert (some == every[where]).all()
        assert Counter(np.flatnonzero(rng != np.arange(9)).tolist()) == Counter(where.tolist())
        with pytest.raises(BadOption, match="tables 0 to 8"):
            getattr(batch, choose)(rng, where=np.array([9]))
