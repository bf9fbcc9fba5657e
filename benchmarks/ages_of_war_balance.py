"""How even Ages of War is: greedy against greedy, by faction, by side, by the units that an army drew.

    python benchmarks/ages_of_war_balance.py [--games 2000] [--seed 0] [--write]

Every army size is played on the field of its name (two units on 6x8, ..., eight on 10x10). Games between two armies of
one faction count for the sides, not for the factions. A kind's number is the share won by the army that had more cards
of it than the other, over all sizes. `--write` puts the tables into the rulebook's RULES.md.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from agezoo.envs import make_batch
from agezoo.envs.ages_of_war.components import FACTION_NAMES, KIND_NAMES, NUM_KINDS, NUM_REGULARS
from agezoo.envs.engine.markdown import table as markdown

TABLES = 256
SIZES = {"6x8": 2, "8x8": 4, "8x10": 6, "10x10": 8}
RULES = Path(__file__).parent.parent / "envs" / "ages_of_war" / "RULES.md"
BEGIN, END = "<!-- balance -->\n", "<!-- end of balance -->"


@dataclass
class Tally:
    """Games that were played.

    Attributes:
        factions: of attacker and defender.
        won: 1 for the attacker, 0 for the defender, 0.5 for a game that was cut off.
        more: kinds of the attacker less those of the defender.
        turns: how long they took.
    """

    factions: list[tuple[int, int]] = field(default_factory=list)
    won: list[float] = field(default_factory=list)
    more: list[np.ndarray] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)

    def count(self, s: np.void, reward: float) -> None:
        """Count a game by its last table but one and the attacker's reward."""
        self.factions.append((int(s["faction"][0]), int(s["faction"][1])))
        self.won.append(0.5 + reward / 2)
        attacker, defender = (np.bincount(row[row >= 0], minlength=NUM_KINDS) for row in s["kind"])
        self.more.append(attacker - defender)
        self.turns.append(int(s["turns"]))


def play(games: int, seed: int, **options: int | str) -> Tally:
    """Whole games between greedy players, as many at every table, so that short ones do not count more."""
    tally, each = Tally(), -(-games // TABLES)
    batch = make_batch("ages_of_war", TABLES, seed=seed, **options)
    rng = np.arange(TABLES, dtype=np.uint64) + np.uint64(seed)
    played, actions = np.zeros(TABLES, int), np.zeros(TABLES, np.int64)
    while played.min() < each:
        before = batch.states.copy()
        batch.greedy_actions(rng, actions)
        batch.step(actions)
        for i in np.flatnonzero(batch.done | batch.truncated):
            played[i] += 1
            if played[i] <= each:
                tally.count(before[i], float(batch.reward[i, 0]))
    return tally


def share(won: np.ndarray) -> str:
    """Share and half the width of its 95 % interval."""
    return f"{100 * won.mean():.1f} % ± {196 * np.sqrt(won.mean() * (1 - won.mean()) / len(won)):.1f}"


def by_faction(tally: Tally, faction: int) -> str:
    """Share of games that a faction won against the others."""
    factions, won = np.array(tally.factions), np.array(tally.won)
    attacks, defends = factions[:, 0] == faction, factions[:, 1] == faction
    return share(np.concatenate([won[attacks & ~defends], 1 - won[defends & ~attacks]]))


def report(tallies: dict[str, Tally]) -> str:
    """Both tables in Markdown."""
    rows = [["games", *(str(len(t.won)) for t in tallies.values())]]
    rows.append(["cut off", *(str(t.won.count(0.5)) for t in tallies.values())])
    rows.append(["turns, on average", *(f"{np.mean(t.turns):.0f}" for t in tallies.values())])
    rows.append(["attacker", *(share(np.array(t.won)) for t in tallies.values())])
    rows += [[name, *(by_faction(t, f) for t in tallies.values())] for f, name in enumerate(FACTION_NAMES)]
    head = ["won by", *(f"{SIZES[name]} units, {name}" for name in tallies)]
    more = np.concatenate([t.more for t in tallies.values()])
    won = np.concatenate([t.won for t in tallies.values()])
    kinds = [
        [name, share(np.concatenate([won[more[:, kind] > 0], 1 - won[more[:, kind] < 0]]))]
        for kind, name in enumerate(KIND_NAMES[:NUM_REGULARS])
    ]
    return (
        markdown(head, rows, "<" + ">" * len(tallies))
        + "\n\n"
        + markdown(["won by the army with more", "share"], kinds, "<>")
    )


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=2000, help="of each size; default 2000")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--write", action="store_true", help="into RULES.md")
    given = parser.parse_args()
    tallies = {name: play(given.games, given.seed, units=units, field=name) for name, units in SIZES.items()}
    found = report(tallies)
    print(found)
    if given.write:
        head, rest = RULES.read_text(encoding="utf-8").split(BEGIN)
        text = f"{head}{BEGIN}{found}\n{END}{rest.split(END)[1]}"
        RULES.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
