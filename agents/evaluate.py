"""Whole games between given players, all in batch, and what they say about who is better.

Which games count is fixed before the first of them is dealt. Taking the first so many that finish would favour
short games, and with them whoever wins those.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from agezoo.envs import BadOption, Batch, Game, IllegalAction, find
from agezoo.envs.engine import markdown
from agezoo.envs.engine.table import first_illegal

from .base import AT_LIMIT, Agent, BadAgent, Seeded, make, table_options

_GOLDEN = 0x9E3779B97F4A7C15  # seeds of players lie so far apart
_OF_BATCH = ("reward", "max_cycles", "play_forced", "threads")
_TOLD_EVERY = 64  # decisions of each table, when no game ends
_Z95 = 1.959963984540054  # two-sided 95 % of the normal distribution


def wilson(rate: float, games: float) -> tuple[float, float]:
    """Wilson's 95 % interval (1927) of a rate of `games` that were won or lost; never without width."""
    if games == 0:
        return 0.0, 1.0
    square = _Z95**2 / games
    middle = (rate + square / 2) / (1 + square)
    half = _Z95 / (1 + square) * math.sqrt(rate * (1 - rate) / games + square / (4 * games))
    return max(0.0, min(rate, middle - half)), min(
        1.0, max(rate, middle + half)
    )  # rounding may pass the rate


def mean_interval(outcomes: np.ndarray) -> tuple[float, float]:
    """The 95 % interval of the mean of outcomes from 0 (lost) to 1 (won): Wilson's, for shared wins too.

    Where all are won or lost this is `wilson`. Outcomes in between vary less than wins and losses of the same mean
    do; so many of them tell as much as more games won and lost: as many more as their variance is smaller (the
    dispersion of quasi-likelihood, McCullagh and Nelder 1989). It is estimated with one game won and one lost beside
    those played, so that equal outcomes do not look certain.

    Args:
        outcomes: float (games,).
    """
    games = len(outcomes)
    if games == 0:
        return wilson(0.0, 0)
    more = np.append(np.asarray(outcomes, np.float64), (0.0, 1.0))
    middle = float(more.mean())
    dispersion = float(more.var()) / (middle * (1 - middle))
    return wilson(float(np.mean(outcomes)), games / dispersion)


@dataclass(frozen=True, eq=False)
class Results:
    """Games that were played. Players stand in the order in which they were given.

    Attributes:
        names: what the players are called; equal names are allowed.
        places: int8 (games, players), place of each player, 1 first; equals share a place.
        scores: float32 (games, players), points of each player.
        seats: int8 (games, players), where each player sat.
        truncated: bool (games,), broken off at the limit; whoever stood first then counts as the winner. Games decided
            at the limit are not among them.
        at_limit: bool (games,), ended at the limit, whether they were broken off or decided there.
    """

    names: tuple[str, ...]
    places: np.ndarray
    scores: np.ndarray
    seats: np.ndarray
    truncated: np.ndarray
    at_limit: np.ndarray

    @property
    def games(self) -> int:
        """How many games there are."""
        return len(self.places)

    @property
    def won(self) -> np.ndarray:
        """float64 (games, players): 1 for a win, 1/k for a win shared by k, else 0."""
        first = self.places == 1
        return first / first.sum(axis=1, keepdims=True)

    @property
    def wins(self) -> np.ndarray:
        """float64 (players,): games won, a win shared by k as 1/k."""
        return self.won.sum(axis=0)

    @property
    def mean_scores(self) -> np.ndarray:
        """float64 (players,): points a game."""
        return self.scores.mean(axis=0, dtype=np.float64)

    @property
    def chance(self) -> float:
        """The win rate of equal players: one in as many as sit at a table."""
        return 1 / len(self.names)

    def win_rate(self, player: int) -> float:
        """Wins of `player` (index into `names`) a game."""
        return float(self.won[:, player].mean())

    def interval(self, player: int) -> tuple[float, float]:
        """The 95 % interval of `win_rate`: Wilson's, see `mean_interval`."""
        return mean_interval(self.won[:, player])

    def by_seat(self, player: int) -> np.ndarray:
        """float64 (players, 2): for each seat the games that `player` played there and its wins in them."""
        out = np.zeros((len(self.names), 2))
        for seat in range(len(self.names)):
            there = self.seats[:, player] == seat
            out[seat] = there.sum(), self.won[there, player].sum()
        return out

    def table(self) -> str:
        """A Markdown table: a line for each player with its win rate, interval, points and win rate at each seat."""
        seats = range(len(self.names))
        head = ["player", "wins", "win rate", "95 % interval", "mean score", *(f"seat {s}" for s in seats)]
        lines = []
        for player, name in enumerate(self.names):
            low, high = self.interval(player)
            there = [f"{won / played:.1%}" if played else "-" for played, won in self.by_seat(player)]
            rate, between = f"{self.win_rate(player):.1%}", f"{low:.1%} to {high:.1%}"
            score = f"{self.mean_scores[player]:.2f}"
            lines.append([name, f"{self.wins[player]:.1f}", rate, between, score, *there])
        return markdown.table(head, lines, "<" + ">" * (4 + len(self.names)))

    def summary(self) -> dict[str, Any]:
        """The same as a JSON-able dict."""
        return {
            "games": self.games,
            "truncated": int(self.truncated.sum()),
            "at_limit": int(self.at_limit.sum()),
            "players": [
                {
                    "name": name,
                    "wins": float(self.wins[player]),
                    "win_rate": self.win_rate(player),
                    "interval": list(self.interval(player)),
                    "mean_score": float(self.mean_scores[player]),
                    "by_seat": [
                        {"games": int(played), "wins": float(won)} for played, won in self.by_seat(player)
                    ],
                }
                for player, name in enumerate(self.names)
            ],
        }


def seatings(count: int, games: int, seed: int) -> np.ndarray:
    """Who sits where in each game: int8 (games, seats), the player at each seat.

    Every run of `count` games turns one circle of players through all seats, so that each player sits equally often
    everywhere; from run to run the order of the circle changes, so that nobody always sits behind the same player.
    """
    circles = [(0, *others) for others in itertools.permutations(range(1, count))]
    np.random.default_rng(seed).shuffle(circles)
    game = np.arange(games)
    turns = np.array(circles, np.int8)[game // count % len(circles)]
    shift = (np.arange(count)[None, :] - game[:, None]) % count
    return np.take_along_axis(turns, shift, axis=1)


def play_games(
    game: Game | str,
    players: Sequence[Any],
    games: int,
    seed: int = 0,
    num_players: int | None = None,
    tables: int = 256,
    progress: Callable[[int], None] | None = None,
    at_limit: str = AT_LIMIT,
    **options: Any,
) -> Results:
    """Play `games` games of `players` against each other.

    Args:
        game: the game or its name.
        players: one for each seat, as for `agezoo.agents.make`; the same may be there several times. They change seats
            from game to game.
        games: how many.
        seed: decides deals, dice, seatings and, for players that have a `seed` method, their random numbers: each gets
            a seed of its own.
        num_players: seats, to be checked against `players`; by default as many as there are players.
        tables: how many games run at the same time.
        progress: called with the number of games that are over, now and then.
        at_limit: what happens to a game at the limit of decisions: "decide" ends it as it stands, "truncate" breaks it
            off; either way whoever stood first counts as the winner.
        **options: as for `Batch` (max_cycles, threads, and the game's options, which by default are those that the
            trained agents among the players were trained with).

    Returns:
        The results of exactly `games` games.

    Raises:
        BadOption: an argument is outside its range.
        BadAgent: a player is no agent, plays another game, or does not agree with the others about the options.
    """
    game = find(game) if isinstance(game, str) else game
    for name, number in (("games", games), ("tables", tables)):
        if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or number < 1:
            raise BadOption(f"{name}={number!r}: give a positive whole number")
    if num_players is not None and num_players != len(players):
        raise BadOption(
            f"num_players={num_players!r}: {len(players)} players were given, one sits at each seat"
        )
    players = complete_all(game, players)
    others, own = batch_options(game, players, options)
    batch = Batch(
        game,
        min(int(tables), int(games)),
        seed,
        num_players=len(players),
        at_limit=at_limit,
        **others,
        **own,
    )
    for k, player in enumerate(_distinct(players)):
        if isinstance(player, Seeded):
            player.seed((seed + _GOLDEN * (k + 1)) % (1 << 64))
    return _Match(batch, players, int(games), seed).play(progress)


def complete_all(game: Game, players: Sequence[Any]) -> list[Agent]:
    """`make` for all of them; what was given twice stays one agent.

    Raises:
        BadAgent: as for `make`.
    """
    made: dict[Any, Agent] = {}
    for player in players:
        key = player if isinstance(player, (str, Path)) else id(player)
        if key not in made:
            made[key] = make(player, game)
    return [made[p if isinstance(p, (str, Path)) else id(p)] for p in players]


def batch_options(game: Game, players: Sequence[Any], given: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """What was given for a `Batch`, and all options of the game: trained agents among the players have a say in them.

    Raises:
        BadAgent: as for `agezoo.agents.base.table_options`.
        BadOption: an option that does not exist, or a value outside its range.
    """
    others = {name: value for name, value in given.items() if name in _OF_BATCH}
    own = {name: value for name, value in given.items() if name not in _OF_BATCH}
    return others, table_options(game, players, own)


class _Match:
    """Games under way: table i plays games i, i + tables, i + 2 * tables, ... and then idles."""

    def __init__(self, batch: Batch, players: Sequence[Agent], games: int, seed: int) -> None:
        self.batch, self.games = batch, games
        self.distinct = _distinct(players)
        self.names = tuple(player.name for player in players)
        count = len(players)
        self.seating = seatings(count, games, seed)  # (games, seats): player
        number = {id(player): k for k, player in enumerate(self.distinct)}
        self.who = np.array([number[id(player)] for player in players])  # player: index into distinct
        self.current = np.arange(batch.num_envs)  # the game that each table is at
        self.places = np.zeros((games, count), np.int8)  # by seat
        self.scores = np.zeros((games, count), np.float32)
        self.truncated, self.at_limit = np.zeros((2, games), np.bool_)

    def play(self, progress: Callable[[int], None] | None) -> Results:
        batch = self.batch
        idle_rng = np.arange(1, batch.num_envs + 1, dtype=np.uint64)
        actions = np.zeros(batch.num_envs, np.int64)
        over = steps = 0
        while over < self.games:
            playing = np.flatnonzero(self.current < self.games)
            idle = np.flatnonzero(self.current >= self.games)
            self._choose(playing, actions)
            if len(idle):
                actions[idle] = batch.random_actions(idle_rng, where=idle)
            self._step(actions)
            ended = playing[batch.done[playing] | batch.truncated[playing]]
            steps += 1
            if len(ended):
                self._count(ended)
                over += len(ended)
            if progress is not None and (len(ended) or steps % _TOLD_EVERY == 0):
                progress(over)
        return self._results()

    def _step(self, actions: np.ndarray) -> None:
        """Play them; an action that is not legal is laid at the door of the player who gave it."""
        try:
            self.batch.step(actions)
        except IllegalAction as error:
            bad = first_illegal(self.batch.run.mask, actions)
            player = self.distinct[self.who[self.seating[self.current[bad], self.batch.seat[bad]]]]
            raise IllegalAction(f"{player.name}: {error}") from None

    def _choose(self, playing: np.ndarray, actions: np.ndarray) -> None:
        """Ask every player once for all tables at which it is its turn."""
        asked = self.who[self.seating[self.current[playing], self.batch.seat[playing]]]
        for k, player in enumerate(self.distinct):
            tables = playing[asked == k]
            if len(tables):
                chosen = np.asarray(player.choose(self.batch, tables))
                if chosen.shape != tables.shape or chosen.dtype.kind not in "iu":
                    raise BadAgent(
                        f"{player.name} gave actions of shape {chosen.shape} and dtype {chosen.dtype} for "
                        f"{len(tables)} tables: choose must give an integer for each"
                    )
                actions[tables] = chosen

    def _count(self, ended: np.ndarray) -> None:
        games = self.current[ended]
        self.places[games] = self.batch.places[ended]
        self.scores[games] = self.batch.scores[ended]
        self.truncated[games] = self.batch.truncated[ended]
        self.at_limit[games] = self.batch.at_limit[ended]
        self.current[ended] += self.batch.num_envs

    def _results(self) -> Results:
        seats = np.argsort(self.seating, axis=1).astype(np.int8)  # (games, players): seat
        at = seats.astype(np.int64)
        places = np.take_along_axis(self.places, at, axis=1)
        scores = np.take_along_axis(self.scores, at, axis=1)
        return Results(self.names, places, scores, seats, self.truncated, self.at_limit)


def _distinct(players: Sequence[Agent]) -> list[Agent]:
    """Every player object once."""
    return list({id(player): player for player in players}.values())
