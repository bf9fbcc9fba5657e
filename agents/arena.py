"""Who is better: every pair of agents meets, and ratings with intervals come out of all their places.

Two agents meet at tables where each has half of the seats (with an odd number, the larger half in half of the games),
so that the seats won by chance are as many for both. A game says how often a seat of the one stands above a seat of
the other, equal places counting half; this is how TrueSkill (Herbrich, Minka and Graepel, 2006) takes a game of many
apart. Ratings are Bradley and Terry's model (1952) on Elo's scale, fitted to these scores with Hunter's MM algorithm
(2004).

What is known before the first game is worth `PRIOR_GAMES` games of each pairing, shared evenly, and `PRIOR_SHARE` of
those played (additive smoothing). So an agent that never loses has a rating, and one that ends, however many games it
wins: at 400 log10(501) = 1,080 above the other, where the scale no longer tells agents apart. Intervals are Bayesian:
the rates behind the ratings are drawn from their posterior under that prior, a Dirichlet process (Ferguson, 1973; the
Bayesian bootstrap of Rubin, 1981, is its limit without a prior), game by game, for the seats of one game do not count
as independent; for games won or lost that is a Beta posterior. They always have some width.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agezoo.envs import BadOption, Game, find
from agezoo.envs.engine import markdown
from agezoo.envs.engine.arguments import check_seed

from .base import AT_LIMIT, Agent, BadAgent, make, seats_of
from .evaluate import Results, batch_options, mean_interval, play_games

PRIOR_GAMES = 2
PRIOR_SHARE = 1 / 250
_ELO = 400 / np.log(10)
_DRAWS = 1000
_TOLERANCE = 1e-9
_CERTAIN = 1e-12  # draws of the posterior are never quite certain, but may be rounded to that
_MOST_STEPS = 20_000


@dataclass(frozen=True, eq=False)
class Pairing:
    """What two agents did against each other.

    Attributes:
        one, other: index into the names of the arena.
        wins: float64 (games,), the part of each game's win that went to seats of `one`.
        above: float64 (games,), how often a seat of `one` stood above a seat of `other`, ties counting half.
        truncated: games that were broken off at the limit and count as they stood.
        at_limit: games that ended at the limit, whether they were broken off or decided there.
    """

    one: int
    other: int
    wins: np.ndarray
    above: np.ndarray
    truncated: int
    at_limit: int

    @property
    def games(self) -> int:
        """How many games there are."""
        return len(self.wins)

    @property
    def win_rate(self) -> float:
        """Wins of `one` a game; equals get a half."""
        return float(self.wins.mean())

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of `win_rate`: Wilson's, see `agezoo.agents.evaluate.mean_interval`."""
        return mean_interval(self.wins)


@dataclass(frozen=True, eq=False)
class Standing:
    """The arena's result.

    Attributes:
        game: what they played.
        num_players: seats at each table.
        options: all options of the game, as they were.
        at_limit: "decide" or "truncate", what happened at the limit of decisions.
        seed: what the games were dealt from.
        names: the agents.
        pairings: every two of them.
        ratings: float64 (agents,), Elo; `zero` has 0.
        intervals: float64 (agents, 2), 95 % intervals of the rating's distance from that of `zero`.
        zero: index of the agent that the others are measured from.
    """

    game: Game
    num_players: int
    options: dict[str, Any]
    at_limit: str
    seed: int
    names: tuple[str, ...]
    pairings: tuple[Pairing, ...]
    ratings: np.ndarray
    intervals: np.ndarray
    zero: int

    def win_rate(self, agent: int) -> float:
        """Wins of an agent a game, over all its pairings; equals get a half."""
        won = [
            p.win_rate if p.one == agent else 1 - p.win_rate
            for p in self.pairings
            if agent in (p.one, p.other)
        ]
        return float(np.mean(won))

    def table(self) -> str:
        """Ratings, best first, and every pairing, as Markdown tables."""
        ratings = []
        for agent in np.argsort(-self.ratings, kind="stable"):
            low, high = self.intervals[agent]
            between = "-" if agent == self.zero else f"{low:+.0f} to {high:+.0f}"
            rate = f"{self.win_rate(agent):.1%}"
            ratings.append((self.names[agent], f"{self.ratings[agent]:+.0f}", between, rate))
        pairings = []
        for p in self.pairings:
            low, high = p.interval
            names = (self.names[p.one], self.names[p.other])
            between = f"{low:.1%} to {high:.1%}"
            pairings.append((*names, p.games, p.at_limit, f"{p.win_rate:.1%}", between))
        return "\n\n".join(
            [
                markdown.table(("agent", "rating", "95 % interval", "win rate"), ratings, "<>>>"),
                markdown.table(
                    ("agent", "against", "games", "at the limit", "win rate", "95 % interval"),
                    pairings,
                    "<<>>>>",
                ),
            ]
        )

    def summary(self) -> dict[str, Any]:
        """The same as a JSON-able dict."""
        return {
            "game": self.game.name,
            "version": self.game.version,
            "num_players": self.num_players,
            "options": self.options,
            "at_limit": self.at_limit,
            "seed": self.seed,
            "zero": self.names[self.zero],
            "agents": [
                {
                    "name": name,
                    "rating": float(self.ratings[agent]),
                    "interval": self.intervals[agent].tolist(),
                    "win_rate": self.win_rate(agent),
                }
                for agent, name in enumerate(self.names)
            ],
            "pairings": [
                {
                    "agent": self.names[p.one],
                    "against": self.names[p.other],
                    "games": p.games,
                    "win_rate": p.win_rate,
                    "interval": list(p.interval),
                    "above": float(p.above.mean()),
                    "truncated": p.truncated,
                    "at_limit": p.at_limit,
                }
                for p in self.pairings
            ],
        }


def round_robin(
    game: Game | str,
    agents: Sequence[Any],
    games: int = 400,
    num_players: int | None = None,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
    at_limit: str = AT_LIMIT,
    **options: Any,
) -> Standing:
    """Every agent meets every other.

    Args:
        game: the game or its name.
        agents: two or more, as for `agezoo.agents.make`.
        games: games of each pairing; at an odd number of seats rounded up to an even number.
        num_players: seats at each table; by default as many as the trained agents were trained with, if they agree,
            else the game's default.
        seed: decides everything; each match has deals of its own.
        progress: called with the games that are over and the games there will be.
        at_limit: as for `play_games`.
        **options: as for `play_games`; all matches are played with the same options.

    Raises:
        BadAgent: fewer than two agents, or two of the same name, or one that is none, or they do not agree about the
            options.
        BadOption: an argument is outside its range.
    """
    game = find(game) if isinstance(game, str) else game
    if isinstance(games, bool) or not isinstance(games, (int, np.integer)) or games < 1:
        raise BadOption(f"games={games!r}: give a positive whole number")
    players = _players(game, agents)
    seats = game.num_players(seats_of(players) if num_players is None else num_players)
    others, table = batch_options(game, players, options)
    halves = sorted({seats // 2, seats - seats // 2})  # how many seats the first of two agents has
    each = -(-int(games) // len(halves))
    matches = [(pair, own) for pair in itertools.combinations(range(len(players)), 2) for own in halves]
    starts = np.random.SeedSequence(check_seed(seed)).generate_state(len(matches), np.uint64)
    found: dict[tuple[int, int], list[tuple[Results, int]]] = {}
    for number, ((one, other), own) in enumerate(matches):
        line_up = [players[one]] * own + [players[other]] * (seats - own)
        told = _from(progress, number * each, len(matches) * each)
        results = play_games(
            game, line_up, each, int(starts[number]), progress=told, at_limit=at_limit, **others, **table
        )
        found.setdefault((one, other), []).append((results, own))
    pairings = tuple(_pairing(pair, results) for pair, results in found.items())
    names = tuple(player.name for player in players)
    zero = names.index("random") if "random" in names else 0
    ratings, intervals = _rate(pairings, len(players), zero, seed)
    return Standing(
        game=game,
        num_players=seats,
        options=table,
        at_limit=at_limit,
        seed=seed,
        names=names,
        pairings=pairings,
        ratings=ratings,
        intervals=intervals,
        zero=zero,
    )


def _from(
    progress: Callable[[int, int], None] | None, before: int, total: int
) -> Callable[[int], None] | None:
    """`progress` for one match: its games come after those `before`."""
    return None if progress is None else lambda over: progress(before + over, total)


def _players(game: Game, agents: Sequence[Any]) -> list[Agent]:
    players = [make(agent, game) for agent in agents]
    if len(players) < 2:
        raise BadAgent(f"{len(players)} agents were given: an arena takes two or more")
    names = [player.name for player in players]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise BadAgent(f"two agents are called {twice[0]!r}: give each agent once")
    return players


def _pairing(pair: tuple[int, int], found: list[tuple[Results, int]]) -> Pairing:
    wins, above = [], []
    for results, own in found:
        wins.append(results.won[:, :own].sum(axis=1))
        ours, theirs = results.places[:, :own, None], results.places[:, None, own:]
        above.append(((ours < theirs) + 0.5 * (ours == theirs)).mean(axis=(1, 2)))
    truncated, at_limit = (
        sum(int(getattr(results, how).sum()) for results, _ in found) for how in ("truncated", "at_limit")
    )
    return Pairing(*pair, np.concatenate(wins), np.concatenate(above), truncated, at_limit)


def _rate(pairings: Sequence[Pairing], count: int, zero: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Ratings and their 95 % intervals, from the games and from draws of what may be behind them."""
    rng = np.random.default_rng(seed)
    won = np.zeros((1 + _DRAWS, count, count))  # 0: the games as they were
    met = np.zeros((count, count))
    for p in pairings:
        prior = PRIOR_GAMES + PRIOR_SHARE * p.games
        mean = (p.above.sum() + prior / 2) / (p.games + prior)
        rates = np.concatenate([[mean], posterior(p.above, prior, rng)])
        met[p.one, p.other] = met[p.other, p.one] = p.games + prior
        won[:, p.one, p.other] = rates * (p.games + prior)
        won[:, p.other, p.one] = (1 - rates) * (p.games + prior)
    strength = bradley_terry(won.sum(axis=2), met)
    elo = _ELO * (np.log(strength) - np.log(strength[:, [zero]]))
    return elo[0], np.quantile(elo[1:], [0.025, 0.975], axis=0).T


def posterior(outcomes: np.ndarray, prior: float, rng: np.random.Generator) -> np.ndarray:
    """Draws of the mean that may be behind `outcomes`, from the posterior of a Dirichlet process.

    Args:
        outcomes: float (games,), from 0 (lost) to 1 (won).
        prior: games, half of them lost and half of them won, that the prior is worth.
        rng: what is drawn from.

    Returns:
        float64 (draws,).
    """
    values, counts = np.unique(np.append(outcomes, (0.0, 1.0)), return_counts=True)
    worth = counts.astype(np.float64)
    worth[[0, -1]] += prior / 2 - 1  # instead of the one game lost and the one won that were appended
    weights = rng.standard_gamma(worth, (_DRAWS, len(values)))
    return np.clip(weights @ values / weights.sum(axis=1), _CERTAIN, 1 - _CERTAIN)


def bradley_terry(won: np.ndarray, met: np.ndarray) -> np.ndarray:
    """Strengths p such that i beats j with probability p_i / (p_i + p_j), most likely given the games (Hunter's MM).

    Args:
        won: float (samples, agents), games won by each agent, more than 0 and fewer than it played.
        met: float (agents, agents), games of each two agents; 0 on the diagonal.

    Returns:
        float (samples, agents), with geometric mean 1.
    """
    strength = np.ones_like(won)
    for _ in range(_MOST_STEPS):
        before = strength
        strength = won / (met / (before[:, :, None] + before[:, None, :])).sum(axis=2)
        strength /= np.exp(np.log(strength).mean(axis=1, keepdims=True))
        if np.abs(np.log(strength / before)).max() < _TOLERANCE:
            break
    return strength
