"""How Bronze plays between greedy players: shares by turn order, lengths, points, city cards, terrains, technologies.

python benchmarks/bronze_balance.py [--games N] [--seed N] [--players N ...]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from agezoo.envs import bronze_v0
from agezoo.envs.bronze.components import (
    CITY_NAMES,
    CITY_PAWNS,
    CITY_POINTS,
    NUM_CITIES,
    RULE,
    Card,
    Settler,
    Terrain,
)
from agezoo.envs.bronze.text import CARD_NAMES, condition_text
from agezoo.envs.engine.compile import new_tables, plain, template
from agezoo.envs.engine.game import Game
from agezoo.envs.engine.players import greedy_action, random_action, spin
from agezoo.envs.engine.table import deal, settle, standings
from agezoo.envs.bronze import cities, rules

if TYPE_CHECKING:
    apply: Any

GAME = bronze_v0.game
PARTS = ("provinces", "trade routes", "city cards")


@template
def games(states: Any, prototypes: Any, mask: Any, scratch: Any, rng: Any, random: int) -> int:
    """Deal and play every table to its end: greedy players, but in the first `random` of 256 decisions."""
    decisions = 0
    for i in range(len(states)):
        deal(states, i, prototypes, 0, spin(rng, 0))
        settle(states[i], mask, True)
        while not states[i].finished:
            if spin(rng, 0) & np.uint64(255) < random:
                action = random_action(mask, rng, 0)
            else:
                action = greedy_action(states, i, mask, scratch, rng, 0)
            apply(states[i], action)
            states[i].decisions += 1
            settle(states[i], mask, True)
            decisions += 1
    return decisions


def play(game: Game, players: int, count: int, seed: int, random: int = 0) -> np.ndarray:
    """`count` finished tables."""
    states = new_tables(count, game.state)
    mask, rng = np.zeros(game.num_actions, np.bool_), np.array([seed], np.uint64)
    work = game.compiled(games)
    work(states, game.prototype(players), mask, new_tables(2, game.state), rng, random)
    return states


def report(players: int, states: np.ndarray) -> Iterable[str]:
    """Lines about finished tables of one seat count."""
    n, count = players, len(states)
    records = [GAME.record(states, i) for i in range(count)]
    shares, points = np.zeros(n), np.zeros((n, len(PARTS)))
    score, place = np.zeros(n, np.float32), np.zeros(n, np.int8)
    for i, s in enumerate(records):
        GAME.compiled(standings)(states, i, score, place)
        for seat in range(n):
            order = (seat - s.first) % n
            shares[order] += (place[seat] == 1) / (place == 1).sum()
            parts = (rules.province_points, rules.route_points, rules.city_points)
            points[order] += [plain(part)(s, seat) for part in parts]
    shares /= count
    points /= count
    turns = states["height"].sum(axis=2)[:, :n]
    used = RULE.markers - states["markers"][:, :n]
    ahead = [states["free"][np.arange(count), states["lands"] - 1] == 0, (used == RULE.markers).any(axis=1)]
    yield f"## {n} players, {count} games"
    error = 1.96 * np.sqrt(1 / n * (1 - 1 / n) / count)
    yield f"won by first, second, ...: {_percent(shares)} (chance {100 / n:.1f}, 95 % of such runs within {100 * error:.1f})"
    yield f"decisions {states['decisions'].mean():.0f}, turns a player {turns.mean():.1f} ({turns.min()} to {turns.max()})"
    yield f"settlements a player {used.mean():.1f} ({used.min()} to {used.max()}); tiles open {(states['open'] / states['lands']).mean():.0%}"
    yield f"ended by: second pile {(states['empty'] >= 2).mean():.0%}, last tile full {ahead[0].mean():.0%}, markers {ahead[1].mean():.0%}"
    yield "points a player: " + ", ".join(f"{name} {p:.1f}" for name, p in zip(PARTS, points.mean(axis=0), strict=True)) + f", all {points.sum(axis=1).mean():.1f}"
    holders = states["province_of"] >= 0
    yield f"provinces awarded {holders.sum() / states['lands'].sum():.0%}; route tokens a game {[float(round(x, 2)) for x in (states['route_of'] >= 0).sum(axis=(0, 1)) / count]}"
    yield "settlements a player by terrain: " + ", ".join(f"{t.name.lower()} {states['in_terrain'][:, :n, t].mean():.2f}" for t in Terrain)
    yield "by type: " + ", ".join(f"{k.name.lower()} {states['of_settler'][:, :n, k].mean():.2f}" for k in Settler)
    yield "cards a matrix: " + ", ".join(f"{CARD_NAMES[c]} {states['in_matrix'][:, :n, c].mean():.2f}" for c in Card)


def _percent(shares: np.ndarray) -> str:
    return ", ".join(f"{100 * share:.1f}" for share in shares)


def conditions(tables: dict[int, np.ndarray]) -> Iterable[str]:
    """How often each city card was taken, and met by its owner at the end."""
    taken, met = np.zeros((5, NUM_CITIES)), np.zeros((5, NUM_CITIES))
    for n, states in tables.items():
        for i in range(len(states)):
            s = GAME.record(states, i)
            for seat in range(n):
                for city in s.city[seat, : s.cities[seat]]:
                    taken[n, city] += 1
                    met[n, city] += plain(cities.is_met)(s, seat, city)
    yield "## City cards: taken in so many games of a hundred, and then met, with " + ", ".join(map(str, tables))
    for city in range(NUM_CITIES):
        cells = [
            f"{taken[n, city] / len(states):4.0%} {met[n, city] / max(1, taken[n, city]):4.0%}" if n >= CITY_PAWNS[city] else "   -    -"
            for n, states in tables.items()
        ]
        yield f"{CITY_NAMES[city]:<13} {CITY_POINTS[city]}  {'   '.join(cells)}   {condition_text(city)}"
    for n in tables:
        yield f"{n} players: {met[n].sum() / taken[n].sum():.0%} of the city cards taken were met"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4])
    given = parser.parse_args()
    tables = {}
    for players in given.players:
        tables[players] = play(GAME, players, given.games, given.seed)
        print("\n".join(report(players, tables[players])), end="\n\n")
    print("\n".join(conditions(tables)))


if __name__ == "__main__":
    main()
