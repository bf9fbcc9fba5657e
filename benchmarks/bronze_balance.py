"""How Bronze plays between greedy players: shares by turn order, lengths, points, huts and cards, city cards.

python benchmarks/bronze_balance.py [--games N] [--seed N]

prints two Markdown tables, which RULES.md has.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

import numpy as np

from agezoo.envs import bronze_v0
from agezoo.envs.bronze import cities, rules
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
from agezoo.envs.bronze.state import WINDOW
from agezoo.envs.bronze.text import CARD_NAMES, cities_of, condition_text
from agezoo.envs.engine.compile import new_tables, plain, template
from agezoo.envs.engine.markdown import table as markdown
from agezoo.envs.engine.players import greedy_action, spin
from agezoo.envs.engine.table import deal, settle, standings

if TYPE_CHECKING:
    apply: Any

GAME = bronze_v0.game
SEATS = range(GAME.players[0], GAME.players[1] + 1)


@template
def games(states: Any, prototypes: Any, mask: Any, scratch: Any, rng: Any, far: Any) -> None:
    """Deal and play every table to its end between greedy players; ``far[0]`` counts tables with tiles out of view."""
    for i in range(len(states)):
        deal(states, i, prototypes, 0, spin(rng, 0))
        settle(states[i], mask, True)
        while not states[i].finished:
            s = states[i]
            far[0] += s.open - s.at[s.seat] > WINDOW
            far[1] += 1
            apply(s, greedy_action(states, i, mask, scratch, rng, 0))  # noqa: F821 - `specialize` puts it in place
            s.decisions += 1
            settle(s, mask, True)


def play(players: int, count: int, seed: int) -> tuple[np.ndarray, float]:
    """`count` finished tables, and the part of decisions at which an open tile lay outside the observation."""
    states, far = new_tables(count, GAME.state), np.zeros(2, np.int64)
    mask, rng = np.zeros(GAME.num_actions, np.bool_), np.array([seed], np.uint64)
    GAME.compiled(games)(states, GAME.prototype(players), mask, new_tables(2, GAME.state), rng, far)
    return states, far[0] / far[1]


def wins(states: np.ndarray, players: int) -> np.ndarray:
    """Share of wins by turn order, the first player first."""
    shares, points, places = np.zeros(players), np.zeros(players, np.float32), np.zeros(players, np.int8)
    for i in range(len(states)):
        GAME.compiled(standings)(states, i, points, places)
        for seat in range(players):
            order = (seat - states["first"][i]) % players
            shares[order] += (places[seat] == 1) / (places == 1).sum()
    return shares / len(states)


def points(states: np.ndarray, players: int) -> list[float]:
    """Mean points of a seat from provinces, trade routes and city cards."""
    parts = [plain(part) for part in (rules.province_points, rules.route_points, rules.city_points)]
    records = [GAME.record(states, i) for i in range(len(states))]
    return [float(np.mean([part(s, seat) for s in records for seat in range(players)])) for part in parts]


def overview(tables: dict[int, np.ndarray], far: dict[int, float]) -> list[list[str]]:
    """Rows of what and how much, with 2, 3, 4 players."""
    columns = [_column(n, states, far[n]) for n, states in tables.items()]
    return [[what, *(column[what] for column in columns)] for what in columns[0]]


def _column(n: int, states: np.ndarray, far: float) -> dict[str, str]:
    count = len(states)
    turns = states["height"].sum(axis=2)[:, :n]
    used = RULE.markers - states["markers"][:, :n]
    full = states["free"][np.arange(count), states["lands"] - 1] == 0
    provinces, routes, city = points(states, n)
    tokens = (states["route_of"] >= 0).sum(axis=(0, 1)) / count
    return {
        "games": f"{count:,}",
        "won by the first, second, ... player in %": ", ".join(f"{100 * w:.1f}" for w in wins(states, n)),
        "the same, if nothing but chance decided": f"{100 / n:.1f} ± {196 * np.sqrt((n - 1) / n**2 / count):.1f}",
        "decisions": f"{states['decisions'].mean():.0f}",
        "turns a player, fewest to most": f"{turns.mean():.1f}, {turns.min()} to {turns.max()}",
        "settlements a player, fewest to most": f"{used.mean():.1f}, {used.min()} to {used.max()}",
        "the second pile was empty": f"{(states['empty'] >= 2).mean():.0%}",
        "the last tile was full": f"{full.mean():.0%}",
        "somebody had no markers left": f"{(used == RULE.markers).any(axis=1).mean():.0%}",
        "points from provinces, routes, cities": f"{provinces:.1f}, {routes:.1f}, {city:.1f}",
        "provinces with an owner": f"{(states['province_of'] >= 0).sum() / states['lands'].sum():.0%}",
        "route tokens for 3, 5, 7 at the end": ", ".join(f"{number:.1f}" for number in tokens),
        **{
            f"settlements in {t.name.lower()}": f"{states['in_terrain'][:, :n, t].mean():.2f}"
            for t in Terrain
        },
        **{
            f"settlements of {k.name.lower()}": f"{states['of_settler'][:, :n, k].mean():.2f}"
            for k in Settler
        },
        **{f"cards of {CARD_NAMES[c]}": f"{states['in_matrix'][:, :n, c].mean():.2f}" for c in Card},
        "decisions with an open tile that is not observed": f"{far:.2%}",
    }


def conditions(tables: dict[int, np.ndarray]) -> list[list[str]]:
    """Rows of city cards: how often each was taken, and met at the end by whoever took it."""
    taken, met = np.zeros((5, NUM_CITIES)), np.zeros((5, NUM_CITIES))
    is_met = plain(cities.is_met)
    for n, states in tables.items():
        for i in range(len(states)):
            s = GAME.record(states, i)
            for seat in range(n):
                for city in cities_of(s, seat):
                    taken[n, city] += 1
                    met[n, city] += is_met(s, seat, city)
    rows = [["all", "", "", *(f"{met[n].sum() / taken[n].sum():.0%}" for n in tables)]]
    for city in range(NUM_CITIES):
        cells = [
            f"{taken[n, city] / len(states):.0%}, {met[n, city] / max(1, taken[n, city]):.0%}"
            if n >= CITY_PAWNS[city]
            else ""
            for n, states in tables.items()
        ]
        rows.append([CITY_NAMES[city], condition_text(city), str(CITY_POINTS[city]), *cells])
    return rows


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    played = {n: play(n, given.games, given.seed) for n in SEATS}
    tables = {n: states for n, (states, _) in played.items()}
    heads = [f"{n} players" for n in SEATS]
    print(markdown(["", *heads], overview(tables, {n: far for n, (_, far) in played.items()})), end="\n\n")
    print(markdown(["city card", "condition", "points", *heads], conditions(tables)))


if __name__ == "__main__":
    main()
