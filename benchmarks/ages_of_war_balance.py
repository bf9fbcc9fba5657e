"""How even Ages of War is: greedy against greedy, by faction, by side, by the units an army drew.

    python benchmarks/ages_of_war_balance.py [--games 4000] [--units 6] [--field 8x10] [--seed 0]

Games between two armies of the same faction count for the sides, not for the factions. A kind's number is the share of
games won by the army that had more cards of it than the other.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field

import numpy as np

from agezoo.envs import ages_of_war_v0, make_batch
from agezoo.envs.ages_of_war.components import FACTION_NAMES, KIND_NAMES, NUM_KINDS

GAME = ages_of_war_v0.game
TABLES = 256


@dataclass
class Tally:
    """Games won and lost."""

    decisions: int = 0
    factions: list[tuple[int, int]] = field(default_factory=list)  # of attacker and defender
    winners: list[float] = field(default_factory=list)  # 1: the attacker, 0: the defender, 0.5: cut off
    armies: list[np.ndarray] = field(default_factory=list)  # kinds of the attacker less those of the defender
    turns: list[int] = field(default_factory=list)


def play(games: int, seed: int, **options: int | str) -> Tally:
    """Whole games between greedy players; game k of every table counts before game k + 1 of any."""
    tally, per_table = Tally(), -(-games // TABLES)
    batch = make_batch("ages_of_war", TABLES, seed=seed, **options)
    rng = np.arange(TABLES, dtype=np.uint64) + np.uint64(seed)
    played = np.zeros(TABLES, int)
    actions = np.zeros(TABLES, np.int64)
    while played.min() < per_table:
        before = batch._states.copy()
        batch.greedy_actions(rng, actions)
        batch.step(actions)
        tally.decisions += TABLES
        for i in np.flatnonzero(batch.done | batch.truncated):
            played[i] += 1
            if played[i] <= per_table:
                _count(tally, before[i], batch.reward[i, 0])
    return tally


def _count(tally: Tally, s: np.void, reward: float) -> None:
    tally.factions.append((int(s["faction"][0]), int(s["faction"][1])))
    tally.winners.append(0.5 + reward / 2)
    kinds = [np.bincount(row[row >= 0], minlength=NUM_KINDS) for row in s["kind"]]
    tally.armies.append(kinds[0] - kinds[1])
    tally.turns.append(int(s["turns"]))


def share(won: np.ndarray) -> str:
    """Share and half the width of its 95 % interval."""
    return f"{100 * won.mean():.1f} % ± {196 * np.sqrt(won.mean() * (1 - won.mean()) / len(won)):.1f}"


def report(tally: Tally) -> None:
    """Print the shares."""
    factions, won = np.array(tally.factions), np.array(tally.winners)
    different = factions[:, 0] != factions[:, 1]
    print(
        f"{len(won)} games, {np.mean(tally.turns):.0f} turns on average, {(won == 0.5).sum()} cut off\n"
        f"attacker: {share(won)}"
    )
    for f, name in enumerate(FACTION_NAMES):
        results = np.concatenate(
            [won[different & (factions[:, 0] == f)], 1 - won[different & (factions[:, 1] == f)]]
        )
        print(f"{name}: {share(results)} ({len(results)} games)")
    more = np.array(tally.armies)
    for kind, name in enumerate(KIND_NAMES):
        results = np.concatenate([won[more[:, kind] > 0], 1 - won[more[:, kind] < 0]])
        print(f"  more {name}: {share(results)}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=4000)
    parser.add_argument("--units", type=int, default=6)
    parser.add_argument("--field", default="8x10")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    report(play(given.games, given.seed, units=given.units, field=given.field))
