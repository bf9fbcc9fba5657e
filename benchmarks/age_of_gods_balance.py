"""What abilities, gods and the divine wrath do in games between greedy agents.

    python benchmarks/age_of_gods_balance.py [--games 4000] [--players 4 3 5] [--seed 1]

Prints three tables in Markdown: for each ability how often its card is played for it and what that moves (territories
that change hands or are emptied, technology levels, markers and fortifications, a use), for each god its share of the
wins (1.00 is that of equal players; ties are shared) with the standard error, and how often each divine wrath comes.
The games are played with each of the numbers of players; abilities and wrath are those of the first.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from agezoo.envs import age_of_gods_v0
from agezoo.envs.age_of_gods.components import TABLE, God, People
from agezoo.envs.age_of_gods.state import A
from agezoo.envs.engine import markdown
from agezoo.envs.engine.batch import Batch
from agezoo.envs.engine.players import greedy_actions

GAME = age_of_gods_v0.game
COLUMNS = ("territories", "technology", "markers", "fortifications")


class Study:
    """Counts over many games.

    Args:
        players: seats.
        seed: of deals and choices.
        tables: played side by side.
    """

    def __init__(self, players: int, seed: int, tables: int = 256) -> None:
        self.players = players
        self.batch = Batch(GAME, tables, seed, players, play_forced=False)
        self.rng = np.arange(tables, dtype=np.uint64) + np.uint64(seed)
        self.greedy = GAME.compiled(greedy_actions)
        self.games = 0
        self.cards = np.zeros((len(People), 3))  # played for technology, ability, wrath
        self.followed = np.zeros(len(People))  # uses whose outcome was seen: not those that end a game
        self.moved = np.zeros((len(People), len(COLUMNS)))
        self.gods: dict[God, list[float]] = {god: [] for god in God}
        self.wraths = np.zeros(7)
        self.points: list[float] = []
        self.under_way: dict[int, tuple[int, int, Any]] = {}  # table: people, seat, the table before

    def play(self, games: int) -> None:
        """Play at least that many games to their end."""
        everywhere = np.arange(self.batch.num_envs)
        actions = np.zeros(self.batch.num_envs, np.int64)
        while self.games < games:
            self.greedy(self.batch.states, self.batch.action_mask, self.rng, everywhere, actions)
            before = self.batch.states.view(np.ndarray).copy()
            for i in np.flatnonzero((actions >= A.technology) & (actions < A.roll)):
                self._card(int(i), before[i], int(actions[i]))
            self.batch.step(actions)
            self._follow(before)
            self._ends(before)

    def _card(self, i: int, s: Any, action: int) -> None:
        """A card is about to be played."""
        destiny = action >= A.destiny_technology
        people = (
            int(s["destiny"][s["seat"]][(action - A.destiny_technology) % 4])
            if destiny
            else (action - A.technology) % 24
        )
        technology = action < A.ability or A.destiny_technology <= action < A.destiny_ability
        if s["extent"][people] == 0:
            self.cards[people, 2] += 1
        elif technology:
            self.cards[people, 0] += 1
        else:
            self.cards[people, 1] += 1
            self.under_way[i] = people, int(s["seat"]), s.copy()

    def _follow(self, before: np.ndarray) -> None:
        """Abilities that are done: what did they move?"""
        states = self.batch.states.view(np.ndarray)
        for i, (people, seat, start) in list(self.under_way.items()):
            ended = bool(self.batch.done[i])
            after = states[i]
            if ended or after["seat"] != seat or after["ability"] != people:
                if not ended:
                    self._count(people, start, after)
                del self.under_way[i]
        called = (before["wrath"] == 0) & (states["wrath"] > 0) & ~self.batch.done
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
        for i in np.flatnonzero(self.batch.done):
            self.games += 1
            places = self.batch.places[i, : self.players]
            winners = (places == 1).sum()
            for seat in range(self.players):
                self.gods[God(int(before["god"][i, seat]))].append(
                    (places[seat] == 1) / winners * self.players
                )
            self.points += self.batch.scores[i, : self.players].tolist()

    # -- tables --------------------------------------------------------------------------------------------------------

    def abilities(self) -> str:
        """What each ability does."""
        done = self.followed + 1e-9
        lines = []
        for people, row in enumerate(TABLE["people"]):
            share = self.cards[people, 1] / max(1, self.cards[people, :2].sum())
            moved = [f"{x / done[people]:.2f}" for x in self.moved[people]]
            lines.append([row["name"], row["ability"], f"{share:.0%}", *moved])
        return markdown.table(["people", "ability", "share of its cards", *COLUMNS], lines, "<<>>>>>")

    def share(self, god: God) -> tuple[float, float]:
        """A god's share of the wins, and the standard error."""
        won = self.gods[god] or [0.0]
        return float(np.mean(won)), float(np.std(won)) / len(won) ** 0.5

    def wrath(self) -> str:
        """How often each divine wrath comes."""
        lines = [[row["name"], f"{self.wraths[row['die']] / self.games:.2f}"] for row in TABLE["wrath"]]
        return markdown.table(["divine wrath", "times a game"], lines, "<>")

    def summary(self) -> str:
        """What was played."""
        return (
            f"{self.games} games of {self.players} greedy players: {np.mean(self.points):.1f} points on average, "
            f"{self.wraths.sum() / self.games:.1f} divine wraths that struck a game"
        )


def gods(studies: list[Study]) -> str:
    """Each god's share of the wins, by number of players."""
    head = [f"{study.players} players" for study in studies]
    lines = [
        [god.name.title(), *("{:.2f} ± {:.2f}".format(*study.share(god)) for study in studies)]
        for god in sorted(God, key=lambda god: -sum(study.share(god)[0] for study in studies))
    ]
    return markdown.table(["god", *head], lines, "<" + ">" * len(studies))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=4000)
    parser.add_argument("--players", type=int, nargs="+", default=[4, 3, 5])
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    studies = [Study(players, given.seed) for players in given.players]
    for study in studies:
        study.play(given.games)
    lines = "\n".join(study.summary() for study in studies)
    print("\n\n".join([studies[0].abilities(), gods(studies), studies[0].wrath(), lines]))
