"""How Âge de Bronze plays: shares of wins by seat and nation, lengths, and what becomes of cards and deities' powers.

    python benchmarks/age_de_bronze_balance.py [--player greedy|montecarlo:N ...] [--games N] [--seed N] [--write]

prints Markdown tables for each player, all seats being played by the same one. Monte Carlo plays a twentieth of the
games. `--write` puts the tables into RULES.md, between the two lines that name this command. Nothing here is ours to
balance: cards, deities and points are the rulebook's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from pages import run_study

from agezoo.envs import age_de_bronze_v0
from agezoo.envs.age_de_bronze.components import HELD_CARDS, NUM_MAIN, PROGRESS, TRICKS, Card, Deity, Nation
from agezoo.envs.age_de_bronze.state import A, Phase
from agezoo.envs.age_de_bronze.text import CARD_NAMES, DEITY_NAMES, NATION_NAMES
from agezoo.envs.engine.compile import new_tables, template
from agezoo.envs.engine.markdown import table as markdown
from agezoo.envs.engine.montecarlo import WORLDS, montecarlo_action, parse_name
from agezoo.envs.engine.players import greedy_action, spin
from agezoo.envs.engine.table import deal, settle, standings

if TYPE_CHECKING:
    apply: Any

GAME = age_de_bronze_v0.game
SEATS = range(GAME.players[0], GAME.players[1] + 1)
RULES = GAME.source.parent / "RULES.md"
START, END = (
    "<!-- balance: python benchmarks/age_de_bronze_balance.py --write -->",
    "<!-- end of balance -->",
)
LIMIT = GAME.max_decisions
POSSIBLE, DONE = range(2)  # turns in which an action was possible, and in which it was done
LEFT, TURNS = range(2)  # actions left at the end of turns, turns


@template
def games(states: Any, prototypes: Any, mask: Any, scratch: Any, rng: Any, counts: Any, done: Any) -> None:
    """Deal and play every table to its end between greedy players, and count what they can do and do."""
    for i in range(len(states)):
        deal(states, i, prototypes, 0, spin(rng, 0))
        settle(states[i], mask, True)
        while not states[i].finished and states[i].decisions < LIMIT:
            action = greedy_action(states, i, mask, scratch, rng, 0)
            go_on(states[i], action, mask, counts, done[i])


@template
def searched(
    states: Any, prototypes: Any, mask: Any, scratch: Any, rng: Any, counts: Any, done: Any, room: Any, numbers: Any
) -> None:  # fmt: skip
    """The same between Monte Carlo players of ``numbers``, simulations and depth."""
    playing, order, worth = room
    for i in range(len(states)):
        deal(states, i, prototypes, 0, spin(rng, 0))
        settle(states[i], mask, True)
        while not states[i].finished and states[i].decisions < LIMIT:
            action = montecarlo_action(
                states, i, mask, scratch, playing, order, worth, rng, 0, numbers[0], numbers[1]
            )
            go_on(states[i], action, mask, counts, done[i])


@template
def go_on(s: Any, action: int, mask: Any, counts: Any, done: Any) -> None:
    """Play an action, and those to which there is no other; count it, and at the end of a turn what was possible."""
    turns, now, ends = counts
    if s.phase == Phase.TURN:
        done[s.seat, action] += 1
        now[DONE, action] = 1
        for other in range(len(mask)):
            now[POSSIBLE, other] |= mask[other]
        if action == A.end_turn:
            ends[LEFT] += s.actions
            ends[TURNS] += 1
    turn = s.turn
    apply(s, action)  # noqa: F821 - `specialize` puts it in place
    s.decisions += 1
    settle(s, mask, True)
    if s.turn != turn or s.finished:
        turns += now
        now[:] = 0


class Study:
    """Finished games of one player at all seats of one seat count.

    Attributes:
        states: the tables at their ends.
        turns: int64 (2, num_actions): turns in which an action was possible, and in which it was done.
        done: int64 (games, seats, num_actions): how often each seat did what, as an action of its turn.
        left: mean actions left at the end of a turn that a seat ended.
        won: float (games, seats): each seat's share of the win.
    """

    def __init__(self, player: str, players: int, count: int, seed: int) -> None:
        self.players = players
        self.states = new_tables(count, GAME.state)
        self.turns, now = np.zeros((2, 2, GAME.num_actions), np.int64)
        self.done = np.zeros((count, players, GAME.num_actions), np.int64)
        ends = np.zeros(2, np.int64)
        mask, rng = np.zeros(GAME.num_actions, np.bool_), np.array([seed], np.uint64)
        given = (self.states, GAME.prototype(players), mask)
        counted = ((self.turns, now, ends), self.done)
        if player == "greedy":
            GAME.compiled(games)(*given, new_tables(2, GAME.state), rng, *counted)
        else:
            room = np.zeros_like(mask), np.zeros(len(mask), np.int64), np.zeros(len(mask))
            numbers = np.array(parse_name(player))
            GAME.compiled(searched)(*given, new_tables(WORLDS, GAME.state), rng, *counted, room, numbers)
        self.left = ends[LEFT] / max(1, ends[TURNS])
        self.won, self.points = np.zeros((count, players)), np.zeros((count, players), np.float32)
        points, places = np.zeros(players, np.float32), np.zeros(players, np.int8)
        for i in range(count):
            GAME.compiled(standings)(self.states, i, points, places)
            self.won[i] = (places == 1) / (places == 1).sum()
            self.points[i] = points

    def of(self, action: int) -> str:
        """In how many of the turns in which an action was possible it was done; and what a seat wins that does it."""
        possible, done = self.turns[:, action]
        times = self.done[:, :, action]
        share = (times * self.won).sum() * self.players / max(1, times.sum())
        return f"{done / max(1, possible):.0%}, {share:.2f}"


def overview(studies: list[Study]) -> list[list[str]]:
    """Rows of what and how much, by seats."""
    columns = [_column(study) for study in studies]
    return [[what, *(column[what] for column in columns)] for what in columns[0]]


def _column(study: Study) -> dict[str, str]:
    states, n = study.states, study.players
    count, nations = len(states), int(states["nations"][0])
    held = states["hand"][:, :n].sum(axis=(0, 1)) / (count * n)
    return {
        "games": f"{count:,}",
        "at the limit": f"{(~states['finished']).mean():.1%}",
        "won by the first, second, ... seat in %": ", ".join(
            f"{100 * w:.1f}" for w in study.won.mean(axis=0)
        ),
        "the same, if nothing but chance decided": f"{100 / n:.1f} ± {196 * np.sqrt((n - 1) / n**2 / count):.1f}",
        "decisions": f"{states['decisions'].mean():.0f}",
        "points of a seat": f"{study.points.mean():.1f}",
        **{
            f"{name} of a nation": f"{states[name][:, :nations].mean():.1f}"
            for name in ("family", "victory", "temple", "riches")
        },
        "nations with their own deity at the end": f"{_at_home(states, nations):.0%}",
        "cards in a hand at the end": f"{held.sum():.1f}",
        "actions left when a turn is ended": f"{study.left:.2f}",
    }


def _at_home(states: np.ndarray, nations: int) -> float:
    own = states["nation"][:, :nations].astype(np.int64)
    return float((np.take_along_axis(states["deity_holder"], own, axis=1) == np.arange(nations)).mean())


def of_nations(studies: list[Study]) -> list[list[str]]:
    """Rows of nations: share of wins of the seat that runs it, in those of an average seat."""
    rows = []
    for nation in Nation:
        cells = []
        for study in studies:
            there = study.states["nation"] == nation
            games_, places = np.nonzero(there)
            won = study.won[games_, places % study.players] * study.players
            cells.append(f"{won.mean():.2f} ± {1.96 * won.std() / np.sqrt(len(won)):.2f}")
        rows.append([NATION_NAMES[nation], *cells])
    return rows


def of_actions(studies: list[Study]) -> list[list[str]]:
    """Rows of what a turn offers."""
    cards = [(f"take {CARD_NAMES[k]}", A.take + k) for k in range(NUM_MAIN)]
    cards += [(f"play {CARD_NAMES[Card[name]]}", A.play + k) for k, name in enumerate(PROGRESS)]
    cards += [("play Augury", A.augury)]
    cards += [(f"trick: {CARD_NAMES[Card[name]]}", A.trick + k) for k, name in enumerate(TRICKS)]
    cards += [(f"power: {DEITY_NAMES[k]}", A.deity + k) for k in Deity]
    return [[what, *(study.of(action) for study in studies)] for what, action in cards]


def of_hands(studies: list[Study]) -> list[list[str]]:
    """Rows of cards: how many of a kind a hand has at the end, which nobody has played."""
    return [
        [
            CARD_NAMES[card],
            *(f"{study.states['hand'][:, : study.players, card].mean():.2f}" for study in studies),
        ]
        for card in range(len(HELD_CARDS))
    ]


def text(player: str, count: int, seed: int) -> str:
    """The tables of one player."""
    studies = [Study(player, n, count, seed) for n in SEATS]
    heads = [f"{n} players" for n in SEATS]
    return "\n\n".join(
        [
            f"All seats played by {player}:",
            markdown(["", *heads], overview(studies)),
            "Nations: share of the wins of the seats that run them, an average seat's being 1, with 95 % intervals:",
            markdown(["nation", *heads], of_nations(studies)),
            (
                "Actions and powers: done in so many of the turns in which they were possible, by seats whose share of "
                "the wins\nis so many times that of an average seat:"
            ),
            markdown(["action", *heads], of_actions(studies)),
            "Cards left in a hand at the end:",
            markdown(["card", *heads], of_hands(studies)),
        ]
    )


if __name__ == "__main__":
    run_study(__doc__, text, RULES, START, END)
