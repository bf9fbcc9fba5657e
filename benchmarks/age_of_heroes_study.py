"""How Age of Heroes is played: who wins and how, what wars bring, how often agents trade, promise and keep promises.

    python benchmarks/age_of_heroes_study.py [--agent greedy] [--against random] [--players 3] [--games 200] [--seed 0]
                                             [fair=off promises=0 ...]

`--agent` sits at one seat of each table, a different one from game to game, `--against` at all others. Agents are
named as in `agezoo arena`: random, greedy, a run folder or a model file.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from typing import Any

import numpy as np

from agezoo import agents
from agezoo.envs import AgezooError, Batch, age_of_heroes_v0
from agezoo.envs.age_of_heroes.components import RULE
from agezoo.envs.age_of_heroes.state import ACTIONS, BARBARIANS, A, Goal, Phase
from agezoo.envs.age_of_heroes.text import TRIBE_NAMES
from agezoo.envs.engine.compile import copied
from agezoo.envs.engine.table import Run
from agezoo.play import cli

GAME = age_of_heroes_v0.game
TABLES = 256  # that are played at the same time
AGENT, OTHERS = 0, 1
BLOCKS = [block.name for block in ACTIONS.blocks]
BLOCK_OF = np.repeat(np.arange(len(BLOCKS)), [block.size for block in ACTIONS.blocks])


class Study:
    """What happened in the games so far; most of it is counted apart for the agent and for the others."""

    def __init__(self) -> None:
        self.games, self.rounds, self.decisions = 0, 0, 0
        self.wins = [0.0, 0.0]
        self.ways: Counter[str] = Counter()
        self.did: list[Counter[str]] = [Counter(), Counter()]
        self.by_order: Counter[int] = Counter()
        self.by_tribe: dict[str, list[float]] = {name: [0, 0] for name in TRIBE_NAMES}
        self.counts: Counter[Any] = Counter()  # wars by goal, trades by kind, promises by what became of them
        self.barbarians: Counter[str] = Counter()

    def play(self, players: list[agents.Agent], batch: Batch, seats: int, games: int) -> None:
        """Table i plays games i, i + tables, i + 2 * tables, ..., so that short games do not count more."""
        game = np.arange(batch.num_envs)
        alone = Run(GAME, 1, play_forced=False)
        while (game < games).any():
            own = batch.seat == game % seats
            actions = np.zeros(batch.num_envs, np.int64)
            for player, tables in zip(players, (np.flatnonzero(own), np.flatnonzero(~own)), strict=True):
                if len(tables):
                    actions[tables] = player.choose(batch, tables)
            before, able = copied(batch.states), batch.action_mask[:, A.answer + 1].copy()
            batch.step(actions)
            after, ended = copied(batch.states), np.flatnonzero(batch.done | batch.truncated)
            for i in ended:  # it has been dealt anew: play its last action once more
                last = before[i : i + 1].copy()
                alone.step(last, actions[i : i + 1])
                after[i] = last[0]
            playing = game < games
            for side, at in ((AGENT, own), (OTHERS, ~own)):
                done = np.bincount(BLOCK_OF[actions[playing & at]], minlength=len(BLOCKS))
                self.did[side].update(dict(zip(BLOCKS, done.tolist(), strict=True)))
                for i in np.flatnonzero(playing & at & _worth_a_note(before, after, actions)):
                    self._note(before[i], after[i], int(actions[i]), bool(able[i]), self.did[side])
            for i in ended[game[ended] < games]:
                self._note_end(after[i], batch.places[i], int(game[i] % seats))
            game[ended] += batch.num_envs

    def _note(self, s: np.void, t: np.void, action: int, able: bool, did: Counter[str]) -> None:
        block = BLOCKS[BLOCK_OF[action]]
        if block == "answer" and able:
            accepted = t["trades"] > s["trades"]
            did["accepted" if accepted else "declined"] += 1
            if accepted:
                self._note_trade(s)
        elif block == "ready" and s["phase"] == Phase.MUSTER:
            did["attacks"] += 1
            did["broken"] += int(s["promise"][s["turn"], s["target"]])
            self.counts[Goal(s["goal"]), "wars"] += 1
        elif block == "take":
            self.counts[Goal(s["goal"]), "won"] += 1
        if s["attacker"] == BARBARIANS and t["attacker"] != BARBARIANS:
            lost = s["hand_size"][s["target"]] > t["hand_size"][s["target"]]
            answered = block in ("olympic_games", "luck")
            self.barbarians["answered by a card" if answered else "plundered" if lost else "repelled"] += 1

    def _note_trade(self, s: np.void) -> None:
        both = s["given"].any() and s["wanted"].any()
        vow = int(s["vow_given"] + s["vow_wanted"])
        kind = "a promise in it" if vow else "cards for cards" if both else "gifts"
        self.counts["trade", kind] += 1
        self.counts["promises", "made"] += vow

    def _note_end(self, s: np.void, places: np.ndarray, own: int) -> None:
        seats = int(s["num_players"])
        first = np.flatnonzero(places[:seats] == 1)
        self.games += 1
        self.rounds += int(s["round"])
        self.decisions += int(s["decisions"])
        self.counts["promises", "kept"] += int(s["kept"].sum())
        self.counts["promises", "broken"] += int(s["broken"].sum())
        self.counts["promises", "open"] += int(s["promise"].sum())
        self.ways[_way(s)] += 1
        for seat in range(seats):
            share = (seat in first) / len(first)
            self.wins[AGENT if seat == own else OTHERS] += share
            self.by_order[(seat - int(s["first"])) % seats] += share
            tribe = self.by_tribe[TRIBE_NAMES[s["tribe"][seat]]]
            tribe[0] += share
            tribe[1] += 1

    def report(self, names: tuple[str, str], seats: int) -> str:
        """All of it as text."""
        n = self.games
        lines = [
            (
                f"{n} games of {seats} seats, {names[0]} against {names[1]}: {self.rounds / n:.1f} rounds and "
                f"{self.decisions / n:.0f} decisions a game, forced ones included"
            ),
            f"won by the {names[0]} seat {self.wins[AGENT] / n:.1%} (an equal share is {1 / seats:.1%})",
            "ends: " + ", ".join(f"{way} {count / n:.1%}" for way, count in self.ways.most_common()),
            "by place in turn order: " + ", ".join(f"{self.by_order[k] / n:.1%}" for k in range(seats)),
            "by tribe (wins a game played): "
            + ", ".join(
                f"{name} {won / max(1, played):.1%}" for name, (won, played) in self.by_tribe.items()
            ),
        ]
        for side, of in ((AGENT, 1), (OTHERS, seats - 1)):
            lines.append(self._habits(names[side], self.did[side], n * of))
        lines.append(self._trades())
        for goal in Goal:
            wars, won = self.counts[goal, "wars"], self.counts[goal, "won"]
            lines.append(
                f"wars for {goal.name.lower()}: {wars / n:.2f} a game, {won / max(1, wars):.0%} brought spoils"
            )
        met = sum(self.barbarians.values())
        lines.append(
            f"barbarians: {met / n:.2f} attacks a game, "
            + ", ".join(f"{what} {count / max(1, met):.0%}" for what, count in self.barbarians.most_common())
        )
        return "\n".join(lines)

    @staticmethod
    def _habits(name: str, did: Counter[str], games: int) -> str:
        asked = did["accepted"] + did["declined"]
        habits = {
            "offers made": did["send_offer"],
            "dropped": did["drop_offer"],
            "accepted": did["accepted"],
            "that it could accept": asked,
            "attacks": did["attacks"],
            "promises broken": did["broken"],
        }
        return f"{name}, a seat and game: " + ", ".join(
            f"{n / games:.2f} {what}" for what, n in habits.items()
        )

    def _trades(self) -> str:
        kinds = {what: count for (head, what), count in self.counts.items() if head == "trade"}
        trades = sum(kinds.values())
        made, kept = self.counts["promises", "made"], self.counts["promises", "kept"]
        broken, left = self.counts["promises", "broken"], self.counts["promises", "open"]
        words = ", ".join(f"{what} {count / max(1, trades):.0%}" for what, count in sorted(kinds.items()))
        return (
            f"trades: {trades / self.games:.2f} a game ({words}); promises: {made / self.games:.2f} a game, "
            f"kept {kept / max(1, made):.0%}, broken {broken / max(1, made):.0%}, "
            f"void or open at the end {(made - kept - broken) / max(1, made):.0%} ({left} open)"
        )


def _worth_a_note(before: np.ndarray, after: np.ndarray, actions: np.ndarray) -> np.ndarray:
    """Where something happened that is more than a count of actions: answers, wars, the end of an invasion."""
    noted = np.isin(BLOCK_OF[actions], [BLOCKS.index(name) for name in ("answer", "ready", "take")])
    return noted | ((before["attacker"] == BARBARIANS) & (after["attacker"] != BARBARIANS))


def _way(s: np.void) -> str:
    if not s["finished"]:
        return "limit on rounds"
    if s["winner"] < 0 or np.count_nonzero(s["eliminated"][: s["num_players"]] == 0) == 1:
        return "elimination"
    return "five cities" if s["cities"][s["winner"]] >= RULE.empire else "monument"


def main() -> int:
    parser = cli.Parser("age_of_heroes_study.py", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--agent", default="greedy")
    parser.add_argument("--against", default="greedy")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("options", nargs="*", metavar="option=value", help="of the rulebook")
    args = parser.parse_args()
    return cli.guarded("age_of_heroes_study.py", lambda: study(args))


def study(args: argparse.Namespace) -> None:
    if args.games < 1:
        raise AgezooError(f"--games {args.games}: give a positive number")
    players = [
        agents.make(name, GAME, seed=args.seed + k) for k, name in enumerate((args.agent, args.against))
    ]
    options = dict(option.partition("=")[::2] for option in args.options)
    more = {name: _value(value) for name, value in options.items()}
    tables = min(TABLES, args.games)
    batch = Batch(GAME, tables, args.seed, num_players=args.players, play_forced=False, **more)
    found = Study()
    found.play(players, batch, args.players, args.games)
    print(found.report((args.agent, args.against), args.players))


def _value(text: str) -> Any:
    return int(text) if text.isdigit() else text


if __name__ == "__main__":
    sys.exit(main())
