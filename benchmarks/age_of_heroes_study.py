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

from agezoo import agents
from agezoo.envs import AgezooError, age_of_heroes_v0
from agezoo.envs.age_of_heroes.components import RULE
from agezoo.envs.age_of_heroes.state import ACTIONS, BARBARIANS, Goal, Phase
from agezoo.envs.age_of_heroes.text import TRIBE_NAMES
from agezoo.play import cli

GAME = age_of_heroes_v0.game


class Study:
    """What happened in the games so far; most of it is counted apart for the agent and for the others."""

    def __init__(self) -> None:
        self.games, self.rounds, self.decisions = 0, 0, 0
        self.wins = {"agent": 0.0, "others": 0.0}
        self.ways: Counter[str] = Counter()
        self.did = {"agent": Counter(), "others": Counter()}
        self.by_order: Counter[int] = Counter()
        self.by_tribe: dict[str, list[float]] = {name: [0, 0] for name in TRIBE_NAMES}
        self.counts: Counter[Any] = Counter()  # wars by goal, trades by kind, promises by what became of them
        self.barbarians: Counter[str] = Counter()

    def play(self, agent: Any, other: Any, env: Any, seed: int) -> None:
        """One game."""
        env.reset(seed=seed)
        seats = len(env.possible_agents)
        own = f"player_{seed % seats}"
        while not _over(env):
            name = env.agent_selection
            if env.terminations[name]:
                env.step(None)
                continue
            player, side = (agent, "agent") if name == own else (other, "others")
            action = player.act(env, name)
            before = env.clone()
            env.step(action)
            self._note(before, env, action, self.did[side])
        self._note_end(env, own)

    def _note(self, before: Any, after: Any, action: int, did: Counter[str]) -> None:
        s, t = GAME.record(before._states), GAME.record(after._states)
        block = ACTIONS.locate(action)[0].name
        did[block] += 1
        if block == "answer" and ACTIONS.starts.answer + 1 in before.legal_actions():
            did["accepted" if t.trades > s.trades else "declined"] += 1
            if t.trades > s.trades:
                self._note_trade(s)
        if block == "send_offer":
            did["offered"] += 1
        if block == "ready" and s.phase == Phase.MUSTER:
            did["attacks"] += 1
            did["broken"] += int(s.promise[s.turn, s.target])
            self.counts[Goal(int(s.goal)).name.lower(), "wars"] += 1
        if block == "take":
            self.counts[Goal(int(s.goal)).name.lower(), "won"] += 1
        if s.attacker == BARBARIANS and t.attacker != BARBARIANS:
            lost = int(s.hand_size[s.target]) - int(t.hand_size[s.target])
            answered = block in ("olympic_games", "luck")
            self.barbarians[
                "answered by a card" if answered else "plundered" if lost > 0 else "repelled"
            ] += 1

    def _note_trade(self, s: Any) -> None:
        both = bool(sum(s.given)) and bool(sum(s.wanted))
        vow = s.vow_given + s.vow_wanted
        kind = "a promise in it" if vow else "cards for cards" if both else "gifts"
        self.counts["trade", kind] += 1
        self.counts["promises", "made"] += int(vow)

    def _note_end(self, env: Any, own: str) -> None:
        s = GAME.record(env._states)
        places = env.places()
        first = [name for name, place in places.items() if place == 1]
        self.games += 1
        self.rounds += int(s.round)
        self.decisions += int(s.decisions)
        self.counts["promises", "kept"] += int(s.kept.sum())
        self.counts["promises", "broken"] += int(s.broken.sum())
        self.counts["promises", "open"] += int(s.promise.sum())
        self.ways[_way(s)] += 1
        for name in env.possible_agents:
            share = (name in first) / len(first)
            seat = env.possible_agents.index(name)
            self.wins["agent" if name == own else "others"] += share
            self.by_order[(seat - int(s.first)) % s.num_players] += share
            tribe = self.by_tribe[TRIBE_NAMES[s.tribe[seat]]]
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
            f"won by the {names[0]} seat {self.wins['agent'] / n:.1%} (an equal share is {1 / seats:.1%})",
            "ends: " + ", ".join(f"{way} {count / n:.1%}" for way, count in self.ways.most_common()),
            "by place in turn order: " + ", ".join(f"{self.by_order[k] / n:.1%}" for k in range(seats)),
            "by tribe (wins a game played): "
            + ", ".join(
                f"{name} {won / max(1, played):.1%}" for name, (won, played) in self.by_tribe.items()
            ),
        ]
        for side, of in (("agent", 1), ("others", seats - 1)):
            lines.append(self._habits(names[side == "others"], self.did[side], n * of))
        lines.append(self._trades())
        for goal in Goal:
            name = goal.name.lower()
            wars, won = self.counts[name, "wars"], self.counts[name, "won"]
            lines.append(f"wars for {name}: {wars / n:.2f} a game, {won / max(1, wars):.0%} brought spoils")
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
            "offers made": did["offered"],
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


def _over(env: Any) -> bool:
    return all(env.terminations[a] or env.truncations[a] for a in env.agents)


def _way(s: Any) -> str:
    if not s.finished:
        return "limit on rounds"
    if s.winner < 0 or sum(place == 0 for place in s.eliminated[: s.num_players]) == 1:
        return "elimination"
    return "five cities" if s.cities[s.winner] >= RULE.empire else "monument"


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
    env = age_of_heroes_v0.env(num_players=args.players, play_forced=False, **more)
    found = Study()
    for seed in range(args.seed, args.seed + args.games):
        found.play(*players, env, seed)
    print(found.report((args.agent, args.against), args.players))


def _value(text: str) -> Any:
    return int(text) if text.isdigit() else text


if __name__ == "__main__":
    sys.exit(main())
