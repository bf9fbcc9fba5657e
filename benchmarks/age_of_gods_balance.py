"""How even Age of Gods is: seats, gods, peoples and their abilities, and how often each divine wrath comes.

    python benchmarks/age_of_gods_balance.py [--player greedy|montecarlo:N] [--players 2 3 4 5 6] [--games 1000]
        [--seed 1] [--write]

All seats are played by the same player. Shares of wins are relative: 1.00 is that of equal players, ties are shared,
the standard error stands beside. A people's share is that of the seats that hold its destiny card. For each ability: in
how many of a seat's Action Phases it could have been played, how often it then was and was not, how its people's cards
were played (for the ability, for technology, for the divine wrath), and what a use moves (territories that change hands
or are emptied, technology levels, markers, fortifications). Whether a people is alive is looked at before the last card
of a game.
`--write` puts the tables into RULES.md, between the two lines that name the kind of player.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from pages import Part

from agezoo import agents
from agezoo.envs import AgezooError, age_of_gods_v0
from agezoo.envs.age_of_gods.components import TABLE, God, People
from agezoo.envs.age_of_gods.state import A
from agezoo.envs.engine import markdown
from agezoo.envs.engine.batch import Batch

GAME = age_of_gods_v0.game
PAGE = Path(__file__).resolve().parent.parent / "envs" / GAME.name / "RULES.md"
COLUMNS = ("territories", "technology", "markers", "fortifications")
TECHNOLOGY, ABILITY, WRATH = range(3)
TABLES = 256


class Study:
    """Counts over many games of one number of players.

    Args:
        player: name of the agent that plays all seats.
        players: seats.
        games: to be played to their end, at least.
        seed: of deals and choices.
    """

    def __init__(self, player: str, players: int, games: int, seed: int) -> None:
        self.player, self.players = player, players
        tables = min(TABLES, games)
        self.agent = agents.make(player, GAME)
        self.agent.seed(seed)
        self.batch = Batch(GAME, tables, seed, players, play_forced=False, at_limit="truncate")
        self.games = self.at_limit = 0
        self.cards = np.zeros((len(People), 3))
        self.asked = np.zeros(len(People))  # Action Phases in which the ability could have been used
        self.followed = np.zeros(len(People))  # uses whose outcome was seen: not those that end a game
        self.moved = np.zeros((len(People), len(COLUMNS)))
        self.gods: dict[God, list[float]] = {god: [] for god in God}
        self.peoples: dict[People, list[float]] = {people: [] for people in People}
        self.seats: list[list[float]] = [[] for _ in range(players)]
        self.alive = np.zeros(len(People))
        self.wraths = np.zeros(7)
        self.points: list[float] = []
        self.under_way: dict[int, tuple[int, int, Any]] = {}  # table: people, seat, the table before
        self._play(games)

    def _play(self, games: int) -> None:
        everywhere = np.arange(self.batch.num_envs)
        while self.games < games:
            actions = self.agent.choose(self.batch, everywhere)
            before = self.batch.states.view(np.ndarray).copy()
            for i in np.flatnonzero((actions >= A.technology) & (actions < A.roll)):
                self._card(int(i), before[i], int(actions[i]))
            self.batch.step(actions)
            self._follow(before)
            self._ends(before)

    def _card(self, i: int, s: Any, action: int) -> None:
        """A card is about to be played."""
        mask, alive = self.batch.action_mask[i], s["extent"] > 0
        able = mask[A.ability : A.ability + len(People)].copy()
        for k, people in enumerate(s["destiny"][s["seat"]]):
            able[people] |= mask[A.destiny_ability + k]
        self.asked += able & alive
        destiny = action >= A.destiny_technology
        people = (
            int(s["destiny"][s["seat"]][(action - A.destiny_technology) % 4])
            if destiny
            else (action - A.technology) % len(People)
        )
        technology = action < A.ability or A.destiny_technology <= action < A.destiny_ability
        if not alive[people]:
            self.cards[people, WRATH] += 1
        elif technology:
            self.cards[people, TECHNOLOGY] += 1
        else:
            self.cards[people, ABILITY] += 1
            self.under_way[i] = people, int(s["seat"]), s.copy()

    def _follow(self, before: np.ndarray) -> None:
        """Abilities that are done: what did they move?"""
        states = self.batch.states.view(np.ndarray)
        over = self.batch.done | self.batch.truncated
        for i, (people, seat, start) in list(self.under_way.items()):
            after = states[i]
            if over[i] or after["seat"] != seat or after["ability"] != people:
                if not over[i]:
                    self._count(people, start, after)
                del self.under_way[i]
        called = (before["wrath"] == 0) & (states["wrath"] > 0) & ~over
        for wrath in states["wrath"][called]:
            self.wraths[wrath] += 1

    def _count(self, people: int, start: Any, after: Any) -> None:
        forts = int(start["fortified"]) ^ int(after["fortified"])
        markers = np.abs(after["marker"].astype(int) - start["marker"]).sum() + (
            start["attacker"] != after["attacker"]
        )
        markers += (start["vortex"] != after["vortex"]) + (start["fortress"] != after["fortress"])
        self.followed[people] += 1
        self.moved[people] += (
            (start["owner"] != after["owner"]).sum(),
            np.abs(after["technology"].astype(int) - start["technology"]).sum(),
            markers,
            forts.bit_count(),
        )

    def _ends(self, before: np.ndarray) -> None:
        self.at_limit += int(self.batch.truncated.sum())
        self.games += int(self.batch.truncated.sum())
        for i in np.flatnonzero(self.batch.done):
            self.games += 1
            places = self.batch.places[i, : self.players]
            won = (places == 1) / (places == 1).sum() * self.players
            for seat in range(self.players):
                self.seats[seat].append(won[seat])
                self.gods[God(int(before["god"][i, seat]))].append(won[seat])
                for people in before["destiny"][i, seat]:
                    self.peoples[People(int(people))].append(won[seat])
            self.alive += before["extent"][i] > 0
            self.points += self.batch.scores[i, : self.players].tolist()

    def summary(self) -> str:
        """What was played."""
        return (
            f"{self.games} games of {self.players} {self.player} players: "
            f"{np.mean(self.points):.1f} points on average, "
            f"{self.wraths.sum() / self.games:.1f} divine wraths that struck a game, "
            f"{self.at_limit / self.games:.1%} of the games at the limit of decisions"
        )


# -- tables ------------------------------------------------------------------------------------------------------------


def share(won: list[float]) -> tuple[float, float]:
    """A share of the wins, and its standard error."""
    won = won or [0.0]
    return float(np.mean(won)), float(np.std(won)) / len(won) ** 0.5


def said(won: list[float]) -> str:
    """The same in words; nothing where nothing was played."""
    return "{:.2f} ± {:.2f}".format(*share(won)) if won else "-"


def together(studies: list[Study], people: People) -> list[float]:
    """Outcomes of the seats with a people's destiny card, all numbers of players."""
    return [won for study in studies for won in study.peoples[people]]


def peoples(studies: list[Study]) -> str:
    """Each people's share of the wins as a destiny, and how often it is alive at the end."""
    head = [f"{study.players} players" for study in studies]
    games = sum(study.games for study in studies)
    lines = []
    for people, row in zip(People, TABLE["people"], strict=True):
        alive = sum(study.alive[people] for study in studies) / games
        by_count = [f"{share(study.peoples[people])[0]:.2f}" for study in studies]
        lines.append(
            [row["name"], str(row["size"]), said(together(studies, people)), *by_count, f"{alive:.0%}"]
        )
    return markdown.table(["people", "size", "wins", *head, "alive"], lines, "<" + ">" * (len(head) + 3))


def abilities(studies: list[Study]) -> str:
    """What each ability does, and how often."""
    asked, cards, moved, followed = (
        sum(getattr(study, name) for study in studies) for name in ("asked", "cards", "moved", "followed")
    )
    seat_games = sum(study.games * study.players for study in studies)
    lines = []
    for people, row in enumerate(TABLE["people"]):
        used = cards[people, ABILITY]
        parts = [f"{n / max(1, cards[people].sum()):.0%}" for n in cards[people]]
        lines.append([
            row["name"], row["ability"], f"{asked[people] / seat_games:.2f}",
            f"{used / max(1, asked[people]):.0%}", f"{1 - used / max(1, asked[people]):.0%}",
            parts[ABILITY], parts[TECHNOLOGY], parts[WRATH],
            *(f"{x / max(1, followed[people]):.2f}" for x in moved[people]),
        ])  # fmt: skip
    head = ["people", "ability", "possible", "used", "left", "ability", "technology", "wrath", *COLUMNS]
    return markdown.table(head, lines, "<<" + ">" * (len(head) - 2))


def gods(studies: list[Study]) -> str:
    """Each god's share of the wins, by number of players."""
    head = [f"{study.players} players" for study in studies]
    lines = [
        [god.name.title(), *(said(study.gods[god]) for study in studies)]
        for god in sorted(God, key=lambda god: -sum(share(study.gods[god])[0] for study in studies))
    ]
    return markdown.table(["god", *head], lines, "<" + ">" * len(studies))


def seats(studies: list[Study]) -> str:
    """Each seat's share of the wins; who is first is drawn."""
    most = max(study.players for study in studies)
    lines = [
        [str(study.players), *(said(won) for won in study.seats), *["-"] * (most - study.players)]
        for study in studies
    ]
    head = ["players", *(f"seat {k}" for k in range(most))]
    return markdown.table(head, lines, ">" * (most + 1))


def wrath(studies: list[Study]) -> str:
    """How often each divine wrath comes."""
    head = [f"{study.players} players" for study in studies]
    lines = [
        [row["name"], *(f"{study.wraths[row['die']] / study.games:.2f}" for study in studies)]
        for row in TABLE["wrath"]
    ]
    return markdown.table(["divine wrath, times a game", *head], lines, "<" + ">" * len(head))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--player", default="greedy", help="greedy (default), random or montecarlo:N")
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4, 5, 6])
    parser.add_argument("--games", type=int, default=1000, help="for each number of players")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    kind = given.player.partition(":")[0]
    part = (
        Part(PAGE, f"<!-- balance: {kind} -->", f"<!-- end of balance: {kind} -->") if given.write else None
    )
    try:
        counts = [GAME.num_players(n) for n in given.players]
        studies = [Study(given.player, n, given.games, given.seed) for n in counts]
    except AgezooError as error:
        parser.error(str(error))
    numbers = " ".join(map(str, counts))
    command = (
        f"Printed by `python benchmarks/age_of_gods_balance.py --player {given.player} --players {numbers} "
        f"--games {given.games} --seed {given.seed}`:"
    )
    tables = [table(studies) for table in (peoples, abilities, gods, seats, wrath)]
    text = "\n\n".join([command, *tables, "\\\n".join(study.summary() for study in studies)])
    print(text)
    if part is not None:
        part.write(f"\n{text}\n")


if __name__ == "__main__":
    main()
