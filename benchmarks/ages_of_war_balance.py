"""How even Ages of War is: by faction, by side, by the units that an army drew; and what each power is worth.

    python benchmarks/ages_of_war_balance.py [--player greedy|montecarlo:N] [--games 2000] [--seed 0]
        [--sizes 6x8 8x8 8x10 10x10] [--write]

Both seats are played by the same player. Every army size is played on the field of its name (two units on 6x8, ...,
eight on 10x10). Games between two armies of one faction count for the sides, not for the factions. A kind's number is
the share won by the army that had more cards of it than the other, over all sizes.

What a power is worth is seen in further games, a quarter as many for each power and size, between two armies of its
faction of which one, the attacker in every second game, may not use it. `--write` puts the tables into RULES.md.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from pages import Part

from agezoo import agents
from agezoo.envs import AgezooError, Batch, make_batch
from agezoo.envs.ages_of_war.components import (
    FACTION_NAMES,
    FACTIONS,
    KIND_NAMES,
    NUM_FACTIONS,
    NUM_KINDS,
    NUM_REGULARS,
    RULE,
)
from agezoo.envs.ages_of_war.state import A
from agezoo.envs.engine.markdown import table as markdown

TABLES = 64
SIZES = {"6x8": 2, "8x8": 4, "8x10": 6, "10x10": 8}
POWER_SHARE = 4  # one game of each power for so many of all
RULES = Path(__file__).parent.parent / "envs" / "ages_of_war" / "RULES.md"
SEATS = np.arange(2)


@dataclass
class Tally:
    """Games that were played; `possible`, `used` and `uses` have a number for each seat.

    Attributes:
        factions: of attacker and defender.
        won: 1 for the attacker, 0 for the defender, 0.5 for a game that was cut off.
        more: kinds of the attacker less those of the defender.
        turns: how long they took.
        possible: turns in which the own power could be used.
        used: those in which it was.
        uses: of it.
        forbidden: the seat that might not use its power, -1 for none.
    """

    factions: list[tuple[int, ...]] = field(default_factory=list)
    won: list[float] = field(default_factory=list)
    more: list[np.ndarray] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)
    possible: list[np.ndarray] = field(default_factory=list)
    used: list[np.ndarray] = field(default_factory=list)
    uses: list[np.ndarray] = field(default_factory=list)
    forbidden: list[int] = field(default_factory=list)

    def count(self, s: np.void, reward: float) -> None:
        """Count a game by its last table but one and the attacker's reward."""
        self.factions.append(tuple(s["faction"].tolist()))
        self.won.append(0.5 + reward / 2)
        attacker, defender = (np.bincount(row[row >= 0], minlength=NUM_KINDS) for row in s["kind"])
        self.more.append(attacker - defender)
        self.turns.append(int(s["turns"]))


class Watch:
    """Counts, table by table, in which turns a power could be used and was."""

    def __init__(self) -> None:
        self.possible, self.used, self.uses = (np.zeros((TABLES, 2), int) for _ in range(3))
        self._seen, self._done = np.zeros(TABLES, int), np.zeros(TABLES, int)  # the last such turn

    def look(self, batch: Batch, possible: np.ndarray, actions: np.ndarray) -> None:
        """Before the actions are played."""
        turns, seat = batch.states["turns"].astype(int), batch.seat.astype(int)
        using = actions == A.power
        for tables, last, count in (
            (possible & (turns != self._seen), self._seen, self.possible),
            (using & (turns != self._done), self._done, self.used),
        ):
            count[tables, seat[tables]] += 1
            last[tables] = turns[tables]
        self.uses[using, seat[using]] += 1

    def hand_over(self, i: int, tally: Tally) -> None:
        """A game ended."""
        for mine, its in ((self.possible, tally.possible), (self.used, tally.used), (self.uses, tally.uses)):
            its.append(mine[i].copy())
            mine[i] = 0
        self._seen[i] = self._done[i] = 0


def enlist(batch: Batch, tables: np.ndarray, faction: int) -> None:
    """Two armies of one faction at tables that have just been dealt."""
    for i in tables:
        s = batch.states[i]
        s["faction"][:] = faction
        s["hand"][:, NUM_REGULARS:] = 0
        s["hand"][:, NUM_REGULARS + RULE.elites * faction : NUM_REGULARS + RULE.elites * (faction + 1)] = 1
    batch.refresh()


def play(name: str, games: int, seed: int, faction: int = -1, **options: int | str) -> Tally:
    """Whole games, as many at every table, so that short ones do not count more.

    Args:
        name: who plays both seats.
        games: how many at least.
        seed: of the deals and the player.
        faction: if given, both armies are of it, and one of them may not use its power.
        **options: of the game.
    """
    tally, watch, each = Tally(), Watch(), -(-games // TABLES)
    player = agents.make(name, "ages_of_war")
    player.seed(seed)  # type: ignore[attr-defined]
    batch = make_batch("ages_of_war", TABLES, seed=seed, **options)
    played, every = np.zeros(TABLES, int), np.arange(TABLES)
    if faction >= 0:
        enlist(batch, every, faction)
    while played.min() < each:
        before, possible = batch.states.copy(), batch.run.mask[:, A.power].copy()
        forbidden = (every + played) % 2  # the seat, in every second game the attacker
        actions = np.zeros(TABLES, np.int64)
        if faction >= 0:
            batch.run.mask[:, A.power] &= batch.seat != forbidden
        going = played < each
        actions[~going] = batch.run.mask[~going].argmax(axis=1)
        actions[going] = player.choose(batch, np.flatnonzero(going))
        watch.look(batch, possible, actions)
        batch.step(actions)
        over = np.flatnonzero(batch.done | batch.truncated)
        for i in over:
            if going[i]:
                tally.count(before[i], float(batch.reward[i, 0]))
                tally.forbidden.append(int(forbidden[i]) if faction >= 0 else -1)
                watch.hand_over(i, tally)
            played[i] += 1
        if faction >= 0 and len(over):
            enlist(batch, over, faction)
    return tally


def share(won: np.ndarray) -> str:
    """Share and half the width of its 95 % interval."""
    return f"{100 * won.mean():.1f} % ± {196 * np.sqrt(won.mean() * (1 - won.mean()) / len(won)):.1f}"


def of_faction(tally: Tally, faction: int) -> np.ndarray:
    """Games that a faction played against the others, 1 for those it won."""
    factions, won = np.array(tally.factions), np.array(tally.won)
    attacks, defends = factions[:, 0] == faction, factions[:, 1] == faction
    return np.concatenate([won[attacks & ~defends], 1 - won[defends & ~attacks]])


def report(tallies: dict[str, Tally]) -> str:
    """Sides, factions and regular units in Markdown."""
    rows = [["games", *(str(len(t.won)) for t in tallies.values())]]
    rows.append(["cut off", *(str(t.won.count(0.5)) for t in tallies.values())])
    rows.append(["turns, on average", *(f"{np.mean(t.turns):.0f}" for t in tallies.values())])
    rows.append(["attacker", *(share(np.array(t.won)) for t in tallies.values())])
    for f, name in enumerate(FACTION_NAMES):
        rows.append([name, *(share(of_faction(t, f)) for t in tallies.values())])
    for row in rows:
        row.append("")
    rows[0][-1] = str(sum(len(t.won) for t in tallies.values()))
    rows[1][-1] = str(sum(t.won.count(0.5) for t in tallies.values()))
    rows[3][-1] = share(np.concatenate([t.won for t in tallies.values()]))
    for f in range(NUM_FACTIONS):
        rows[4 + f][-1] = share(np.concatenate([of_faction(t, f) for t in tallies.values()]))
    head = ["won by", *(f"{SIZES[name]} units, {name}" for name in tallies), "all"]
    more = np.concatenate([t.more for t in tallies.values()])
    won = np.concatenate([t.won for t in tallies.values()])
    kinds = [
        [name, share(np.concatenate([won[more[:, kind] > 0], 1 - won[more[:, kind] < 0]]))]
        for kind, name in enumerate(KIND_NAMES[:NUM_REGULARS])
    ]
    return (
        markdown(head, rows, "<" + ">" * (len(tallies) + 1))
        + "\n\n"
        + markdown(["won by the army with more", "share"], kinds, "<>")
    )


def with_it(tally: Tally) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Of the army that might use its power: games won, turns in which it could, in which it did, uses."""
    mine, rows = 1 - np.array(tally.forbidden), np.arange(len(tally.won))
    won = np.where(mine == 0, tally.won, 1 - np.array(tally.won))
    possible, used, uses = (np.array(c)[rows, mine] for c in (tally.possible, tally.used, tally.uses))
    return won, possible, used, uses


def powers(tallies: dict[int, dict[str, Tally]]) -> str:
    """What each power is worth, and how often it is used, in Markdown."""
    rows = []
    for f, by_size in tallies.items():
        found = [with_it(t) for t in by_size.values()]
        won, possible, used, uses = (np.concatenate(column) for column in zip(*found, strict=True))
        rows.append(
            [
                f"{FACTION_NAMES[f]}: {FACTIONS[f]['power']}",
                *(f"{100 * w.mean():.1f} %" for w, *_ in found),
                share(won),
                f"{100 * (possible > 0).mean():.0f} %",
                f"{100 * (used > 0).mean():.0f} %",
                f"{uses.mean():.2f} of {FACTIONS[f]['uses']}",
                f"{100 * (1 - used.sum() / possible.sum()):.0f} %",
            ]
        )
    sizes = [f"{SIZES[name]} units, {name}" for name in next(iter(tallies.values()))]
    head = ["with it, against the same army without", *sizes, "all", "possible", "used", "uses a game"]
    head.append("turns in which it was possible and left")
    return markdown(head, rows, "<" + ">" * (len(head) - 1))


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--player", default="greedy", help="of both seats; default greedy")
    parser.add_argument("--games", type=int, default=2000, help="of each size; default 2000")
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=list(SIZES), help="default all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--write", action="store_true", help="into RULES.md")
    given = parser.parse_args()
    kind = given.player.partition(":")[0]
    part = Part(RULES, f"<!-- balance: {kind} -->", "<!-- end of balance -->") if given.write else None
    sizes = {name: SIZES[name] for name in given.sizes}
    try:
        of_powers = {
            f: {
                name: play(given.player, -(-given.games // POWER_SHARE), given.seed, f, units=n, field=name)
                for name, n in sizes.items()
            }
            for f in range(NUM_FACTIONS)
        }
        tallies = {
            name: play(given.player, given.games, given.seed, units=n, field=name)
            for name, n in sizes.items()
        }
    except AgezooError as error:
        parser.error(str(error))
    found = report(tallies) + "\n\n" + powers(of_powers)
    print(found)
    if part is not None:
        part.write(found)


if __name__ == "__main__":
    main()
