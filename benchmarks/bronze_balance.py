"""How Bronze plays: shares by turn order, lengths, points, huts; technologies, province tokens and city cards.

    python benchmarks/bronze_balance.py [--player greedy|montecarlo:N ...] [--games N] [--seed N] [--write]

prints Markdown tables for each player, all seats being played by the same one. Monte Carlo plays a twentieth of the
games. `--write` puts the tables into RULES.md, between the two lines that name this command.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from pages import run_study

from agezoo.envs import bronze_v0
from agezoo.envs.bronze import cities, rules
from agezoo.envs.bronze.components import (
    CITY_NAMES,
    CITY_PAWNS,
    CITY_POINTS,
    FACES,
    NUM_CITIES,
    OFFER,
    PROVINCE,
    RULE,
    Card,
    Settler,
    Terrain,
)
from agezoo.envs.bronze.rules import PILES_IN_PLAY
from agezoo.envs.bronze.state import NONE, WINDOW, A, Phase
from agezoo.envs.bronze.text import CARD_NAMES, cities_of, condition_text
from agezoo.envs.engine.compile import new_tables, plain, template
from agezoo.envs.engine.markdown import table as markdown
from agezoo.envs.engine.montecarlo import WORLDS, montecarlo_action, parse_name
from agezoo.envs.engine.players import greedy_action, spin
from agezoo.envs.engine.table import deal, settle, standings

if TYPE_CHECKING:
    apply: Any

GAME = bronze_v0.game
SEATS = range(GAME.players[0], GAME.players[1] + 1)
RULES = GAME.source.parent / "RULES.md"
START, END = "<!-- balance: python benchmarks/bronze_balance.py --write -->", "<!-- end of balance -->"
OPEN, FACE_UP, FACE_DOWN = range(3)  # what is counted of a technology, once for each card that could be taken
BY_ITSELF, CARE, PLAN = 0.55, 0.7, 0.35  # the scale of points of city cards, as RULES.md has it
OFFERED, CHOSEN = range(2)  # and of a city card, for each choice among several


@template
def games(states: Any, prototypes: Any, mask: Any, scratch: Any, rng: Any, counts: Any) -> None:
    """Deal and play every table to its end between greedy players, and count what they choose from."""
    for i in range(len(states)):
        deal(states, i, prototypes, 0, spin(rng, 0))
        settle(states[i], mask, True)
        while not states[i].finished:
            action = greedy_action(states, i, mask, scratch, rng, 0)
            note(states[i], action, counts)
            go_on(states[i], action, mask)


@template
def searched(
    states: Any, prototypes: Any, mask: Any, scratch: Any, rng: Any, counts: Any, room: Any, numbers: Any
) -> None:
    """The same between Monte Carlo players of ``numbers``, simulations and depth."""
    playing, order, worth = room
    for i in range(len(states)):
        deal(states, i, prototypes, 0, spin(rng, 0))
        settle(states[i], mask, True)
        while not states[i].finished:
            action = montecarlo_action(
                states, i, mask, scratch, playing, order, worth, rng, 0, numbers[0], numbers[1]
            )
            note(states[i], action, counts)
            go_on(states[i], action, mask)


@template
def go_on(s: Any, action: int, mask: Any) -> None:
    """Play an action, and those to which there is no other."""
    apply(s, action)  # noqa: F821 - `specialize` puts it in place
    s.decisions += 1
    settle(s, mask, True)


@template
def note(s: Any, action: int, counts: Any) -> None:
    """Count what can be chosen, and what is: open tiles out of view, technologies, city cards."""
    far, cards, offers = counts
    far[0] += s.open - s.at[s.seat] > WINDOW
    far[1] += 1
    if s.phase == Phase.TAKE:
        for pile in range(PILES_IN_PLAY):
            if s.top[pile] != NONE:
                cards[s.top[pile], OPEN] += 1
        cards[s.top[action // 2], FACE_UP + action % 2] += 1
    elif s.phase == Phase.CITY:
        for k in range(OFFER):
            city = s.shown[s.at[s.seat], k]
            if city != NONE:
                offers[city, OFFERED] += 1
        offers[action - A.city, CHOSEN] += 1


class Study:
    """Finished games of one player at all seats of one seat count.

    Attributes:
        states: the tables at their ends.
        far: the part of decisions at which an open tile lay outside the observation.
        cards: int64 (FACES, 3): how often each technology lay open at a choice, was taken face up, face down.
        offers: int64 (NUM_CITIES, 2): how often each city card could be chosen, and was.
        won: float (games, seats): each seat's share of the win.
    """

    def __init__(self, player: str, players: int, count: int, seed: int) -> None:
        self.player, self.players = player, players
        self.states = new_tables(count, GAME.state)
        far = np.zeros(2, np.int64)
        self.cards, self.offers = np.zeros((FACES, 3), np.int64), np.zeros((NUM_CITIES, 2), np.int64)
        mask, rng = np.zeros(GAME.num_actions, np.bool_), np.array([seed], np.uint64)
        given = (self.states, GAME.prototype(players), mask)
        counts = (far, self.cards, self.offers)
        if player == "greedy":
            GAME.compiled(games)(*given, new_tables(2, GAME.state), rng, counts)
        else:
            room = np.zeros_like(mask), np.zeros(len(mask), np.int64), np.zeros(len(mask))
            numbers = np.array(parse_name(player))
            GAME.compiled(searched)(*given, new_tables(WORLDS, GAME.state), rng, counts, room, numbers)
        self.far = far[0] / far[1]
        self.won = np.zeros((count, players))
        points, places = np.zeros(players, np.float32), np.zeros(players, np.int8)
        for i in range(count):
            GAME.compiled(standings)(self.states, i, points, places)
            self.won[i] = (places == 1) / (places == 1).sum()

    def wins(self) -> np.ndarray:
        """Share of wins by turn order, the first player first."""
        order = (np.arange(self.players) + self.states["first"][:, None]) % self.players
        return np.take_along_axis(self.won, order, axis=1).mean(axis=0)

    def points(self) -> list[float]:
        """Mean points of a seat from provinces, trade routes and city cards."""
        parts = [plain(part) for part in (rules.province_points, rules.route_points, rules.city_points)]
        records = [GAME.record(self.states, i) for i in range(len(self.states))]
        return [
            float(np.mean([part(s, seat) for s in records for seat in range(self.players)])) for part in parts
        ]


def overview(studies: list[Study]) -> list[list[str]]:
    """Rows of what and how much, with 2, 3, 4 players."""
    columns = [_column(study) for study in studies]
    return [[what, *(column[what] for column in columns)] for what in columns[0]]


def _column(study: Study) -> dict[str, str]:
    states, n = study.states, study.players
    count = len(states)
    turns = states["height"].sum(axis=2)[:, :n]
    used = RULE.markers - states["markers"][:, :n]
    full = states["free"][np.arange(count), states["lands"] - 1] == 0
    provinces, routes, city = study.points()
    tokens = (states["route_of"] >= 0).sum(axis=(0, 1)) / count
    return {
        "games": f"{count:,}",
        "won by the first, second, ... player in %": ", ".join(f"{100 * w:.1f}" for w in study.wins()),
        "the same, if nothing but chance decided": f"{100 / n:.1f} ± {196 * np.sqrt((n - 1) / n**2 / count):.1f}",
        "decisions": f"{states['decisions'].mean():.0f}",
        "turns a player, fewest to most": f"{turns.mean():.1f}, {turns.min()} to {turns.max()}",
        "settlements a player, fewest to most": f"{used.mean():.1f}, {used.min()} to {used.max()}",
        "the second pile was empty": f"{(states['empty'] >= 2).mean():.0%}",
        "the last tile was full": f"{full.mean():.0%}",
        "somebody had no markers left": f"{(used == RULE.markers).any(axis=1).mean():.0%}",
        "points from provinces, routes, cities": f"{provinces:.1f}, {routes:.1f}, {city:.1f}",
        "route tokens for 3, 5, 7 at the end": ", ".join(f"{number:.1f}" for number in tokens),
        **{
            f"settlements in {t.name.lower()}": f"{states['in_terrain'][:, :n, t].mean():.2f}"
            for t in Terrain
        },
        **{
            f"settlements of {k.name.lower()}": f"{states['of_settler'][:, :n, k].mean():.2f}"
            for k in Settler
        },
        **{
            f"{points}-point provinces with an owner": _owned(states, points)
            for points in np.unique(PROVINCE)
        },
        "cards of Bronze Casting in a matrix": f"{states['in_matrix'][:, :n, Card.BRONZE_CASTING].mean():.1f}",
        "decisions with an open tile that is not observed": f"{study.far:.2%}",
    }


def _owned(states: np.ndarray, points: int) -> str:
    there = states["province"] == points
    return f"{(states['province_of'][there] != NONE).mean():.0%}"


def technologies(studies: list[Study]) -> list[list[str]]:
    """Rows of technologies: taken face up and face down, in % of the choices at which a card of it lay open."""
    rows = []
    for card in range(FACES):
        cells = []
        for study in studies:
            taken = study.cards[card, FACE_UP:] / study.cards[card, OPEN]
            cells.append(f"{taken[0]:.1%}, {taken[1]:.1%}, {1 - taken.sum():.1%}")
        rows.append([CARD_NAMES[card], *cells])
    return rows


def conditions(studies: list[Study]) -> list[list[str]]:
    """Rows of city cards: how often chosen, met at the end by holders and by others, and how often holders win."""
    tallies = [CityTally(study) for study in studies]
    rows = [["all", "", "", "", *(f"{tally.all_met():.0%} of holders" for tally in tallies)]]
    for city in range(NUM_CITIES):
        cells = [tally.cell(city) if tally.study.players >= CITY_PAWNS[city] else "" for tally in tallies]
        parts = [tally.parts(city) for tally in tallies if tally.study.players >= CITY_PAWNS[city]]
        points = [str(CITY_POINTS[city]), str(by_the_scale(*np.mean(parts, axis=0)))]
        rows.append([CITY_NAMES[city], condition_text(city), *points, *cells])
    return rows


def by_the_scale(others: float, holders: float) -> int:
    """Points of a condition that such parts of the other seats and of a card's holders meet (RULES.md)."""
    if others > BY_ITSELF:
        return 3
    if holders >= CARE:
        return 4
    return 5 if holders >= PLAN else 6


class CityTally:
    """What became of the city cards in a study.

    Attributes:
        seats: int64 (2, NUM_CITIES): seats that do not hold a card, and those that do.
        met: int64 (2, NUM_CITIES): those of them that meet its condition at the end.
        won: float (NUM_CITIES,): wins of those that hold it, a share of an average seat being 1.
    """

    def __init__(self, study: Study) -> None:
        self.study = study
        self.seats, self.met = np.zeros((2, 2, NUM_CITIES), np.int64)
        self.won = np.zeros(NUM_CITIES)
        is_met = plain(cities.is_met)
        used = np.flatnonzero(study.players >= CITY_PAWNS)
        for i in range(len(study.states)):
            s = GAME.record(study.states, i)
            for seat in range(study.players):
                held = cities_of(s, seat)
                self.won[held] += study.won[i, seat] * study.players
                for city in used:
                    self.seats[int(city in held), city] += 1
                    self.met[int(city in held), city] += is_met(s, seat, city)

    def all_met(self) -> float:
        """The part of the cards held whose conditions are met."""
        return float(self.met[1].sum() / self.seats[1].sum())

    def parts(self, city: int) -> tuple[float, float]:
        """The parts of the other seats and of the holders that meet a condition."""
        others, holders = self.met[:, city] / np.maximum(1, self.seats[:, city])
        return float(others), float(holders)

    def cell(self, city: int) -> str:
        """How often chosen, met by holders, met by others, and what holders win."""
        chosen = self.study.offers[city, CHOSEN] / max(1, self.study.offers[city, OFFERED])
        others, holders = self.parts(city)
        won = self.won[city] / max(1, self.seats[1, city])
        return f"{chosen:.0%}, {holders:.0%}, {others:.0%}, {won:.2f}"


def text(player: str, count: int, seed: int) -> str:
    """The tables of one player."""
    studies = [Study(player, n, count, seed) for n in SEATS]
    heads = [f"{n} players" for n in SEATS]
    return "\n\n".join(
        [
            f"All seats played by {player}:",
            markdown(["", *heads], overview(studies)),
            (
                "Technologies: of the choices at which a card lay open, the part at which it was taken face up, taken "
                "face down,\nand left:"
            ),
            markdown(["technology", *heads], technologies(studies)),
            (
                "City cards: chosen in so many of the choices at which it lay there, met at the end by so many of its "
                "holders,\nby so many of the other seats (it comes by itself), and the holders' share of the wins, an "
                "average seat's being 1:"
            ),
            markdown(["city card", "condition", "points", "by the scale", *heads], conditions(studies)),
        ]
    )


if __name__ == "__main__":
    run_study(__doc__, text, RULES, START, END)
