"""How Age of Heroes is played: who wins and how, what wars bring, how often agents trade, promise and keep promises.

    python benchmarks/age_of_heroes_study.py [--agent greedy] [--against random] [--players 3] [--games 200] [--seed 0]
                                             [fair=off promises=0 ...]
    python benchmarks/age_of_heroes_study.py --trading [--player greedy|montecarlo:N] [--seats 3 4 5 6] [--games 1000]

`--agent` sits at one seat of each table, a different one from game to game, `--against` at all others. Agents are
named as in `agezoo arena`: random, greedy, montecarlo:N, a run folder or a model file; `silent:greedy` is a greedy
player that never trades: at the Fair it says nothing, and accepts nothing.

`--trading` prints what trading is worth: how often one such silent seat wins against players who trade, and how much is
said at tables where all do; then all that happened at those tables.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from typing import Any

import numpy as np

from agezoo import agents
from agezoo.agents.evaluate import mean_interval
from agezoo.envs import AgezooError, Batch, age_of_heroes_v0
from agezoo.envs.age_of_heroes.components import RULE
from agezoo.envs.age_of_heroes.state import ACTIONS, BARBARIANS, NEWEST, A, Goal, Phase, Vow
from agezoo.envs.age_of_heroes.text import TRIBE_NAMES
from agezoo.envs.engine import markdown
from agezoo.envs.engine.compile import copied
from agezoo.envs.engine.table import Run
from agezoo.play import cli

GAME = age_of_heroes_v0.game
TABLES = 256  # that are played at the same time
AGENT, OTHERS = 0, 1
BLOCKS = [block.name for block in ACTIONS.blocks]
BLOCK_OF = np.repeat(np.arange(len(BLOCKS)), [block.size for block in ACTIONS.blocks])


SILENT = "silent:"
SAYS_NOTHING = {Phase.OFFER: A.no_offer, Phase.REPLY: A.reply, Phase.ANSWER: A.answer}


class Silent:
    """A player that never trades: at the Fair it says nothing, replies nothing, and declines."""

    def __init__(self, player: agents.Agent) -> None:
        self.player, self.name = player, f"{SILENT}{player.name}"

    def choose(self, batch: Batch, tables: np.ndarray) -> np.ndarray:
        """What it is asked at the Fair it answers by itself."""
        phases = batch.states["phase"][tables]
        actions = np.full(len(tables), -1, np.int64)
        for phase, action in SAYS_NOTHING.items():
            actions[phases == phase] = action
        rest = np.flatnonzero(actions < 0)
        if len(rest):
            actions[rest] = self.player.choose(batch, tables[rest])
        return actions


def player_called(name: str, seed: int) -> Any:
    """An agent by name, or the one behind ``silent:``."""
    if name.startswith(SILENT):
        return Silent(agents.make(name.removeprefix(SILENT), GAME, seed=seed))
    return agents.make(name, GAME, seed=seed)


class Study:
    """What happened in the games so far; most of it is counted apart for the agent and for the others."""

    def __init__(self) -> None:
        self.games, self.rounds, self.decisions = 0, 0, 0
        self.wins = [0.0, 0.0]
        self.shares: list[float] = []  # of the agent, game by game
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
                self._note_trade(s, t)
        elif block == "send_offer":
            did["counter-offers" if s["chain"] else "offers"] += 1
        elif block == "ready" and s["phase"] == Phase.MUSTER:
            did["attacks"] += 1
            self.counts[Goal(s["goal"]), "wars"] += 1
        elif block == "take":
            self.counts[Goal(s["goal"]), "won"] += 1
        if s["attacker"] == BARBARIANS and t["attacker"] != BARBARIANS:
            lost = s["hand_size"][s["target"]] > t["hand_size"][s["target"]]
            answered = block in ("olympic_games", "luck")
            self.barbarians["answered by a card" if answered else "plundered" if lost else "repelled"] += 1

    def _note_trade(self, s: np.void, t: np.void) -> None:
        given, wanted = s["given"][NEWEST].sum(), s["wanted"][NEWEST].sum()
        vows = int(s["vow_given"][NEWEST]) | int(s["vow_wanted"][NEWEST])
        kind = "a promise in it" if vows else "cards for cards" if given and wanted else "gifts"
        self.counts["trade", kind] += 1
        self.counts["cards", "exchanged"] += int(given + wanted)
        new = (t["promise"] > 0) & (s["promise"] == 0)
        for vow in Vow:
            self.counts["made", vow] += int(new[:, :, vow].sum())

    def _note_end(self, s: np.void, places: np.ndarray, own: int) -> None:
        seats = int(s["num_players"])
        first = np.flatnonzero(places[:seats] == 1)
        self.games += 1
        self.rounds += int(s["round"])
        self.decisions += int(s["decisions"])
        for vow in Vow:
            self.counts["kept", vow] += int(s["kept"][:, :, vow].sum())
            self.counts["broken", vow] += int(s["broken"][:, :, vow].sum())
        self.did[AGENT]["broken"] += int(s["broken"][own].sum())
        self.did[OTHERS]["broken"] += int(s["broken"].sum() - s["broken"][own].sum())
        self.shares.append((own in first) / len(first))
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
            "questions": did["question"],
            "offers": did["offers"],
            "counter-offers": did["counter-offers"],
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
        words = ", ".join(f"{what} {count / max(1, trades):.0%}" for what, count in sorted(kinds.items()))
        cards = self.counts["cards", "exchanged"] / max(1, trades)
        promises = []
        for vow in Vow:
            made, kept, broken = (self.counts[what, vow] for what in ("made", "kept", "broken"))
            share = max(1, made)
            promises.append(
                f"{vow.name.lower().replace('_', ' ')} {made / self.games:.2f} (kept {kept / share:.0%}, "
                f"broken {broken / share:.0%})"
            )
        return (
            f"trades: {trades / self.games:.2f} a game of {cards:.1f} cards ({words})\n"
            f"promises a game: {', '.join(promises)}; the others are void or open at the end"
        )

    def spoken(self) -> list[str]:
        """How much is said in a game, by all seats: cells of a table."""
        n, did = self.games, self.did[AGENT] + self.did[OTHERS]
        trades = sum(count for (head, _), count in self.counts.items() if head == "trade")
        made, kept, broken = (
            sum(self.counts[what, vow] for vow in Vow) for what in ("made", "kept", "broken")
        )
        said = (did["question"], did["offers"], did["counter-offers"], trades, made)
        shares = (f"{kept / max(1, made):.0%}", f"{broken / max(1, made):.0%}")
        return [f"{self.decisions / n:.0f}", *(f"{count / n:.1f}" for count in said), *shares]


def _worth_a_note(before: np.ndarray, after: np.ndarray, actions: np.ndarray) -> np.ndarray:
    """Where something happened that is more than a count of actions: answers, wars, the end of an invasion."""
    noted = np.isin(
        BLOCK_OF[actions], [BLOCKS.index(name) for name in ("answer", "send_offer", "ready", "take")]
    )
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
    parser.add_argument("--trading", action="store_true", help="what trading is worth")
    parser.add_argument("--player", default="greedy", help="of --trading")
    parser.add_argument("--seats", type=int, nargs="+", default=[3, 4, 5, 6], help="of --trading")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("options", nargs="*", metavar="option=value", help="of the rulebook")
    args = parser.parse_args()
    return cli.guarded("age_of_heroes_study.py", lambda: study(args))


def study(args: argparse.Namespace) -> None:
    if args.games < 1:
        raise AgezooError(f"--games {args.games}: give a positive number")
    options = dict(option.partition("=")[::2] for option in args.options)
    more = {name: _value(value) for name, value in options.items()}
    if args.trading:
        print(trading(args.player, args.seats, args.games, args.seed, more))
        return
    found = played(args.agent, args.against, args.players, args.games, args.seed, more)
    print(found.report((args.agent, args.against), args.players))


def played(agent: str, against: str, seats: int, games: int, seed: int, options: dict[str, Any]) -> Study:
    """What happens in so many games of one agent against others."""
    players = [player_called(name, seed + k) for k, name in enumerate((agent, against))]
    batch = Batch(GAME, min(TABLES, games), seed, num_players=seats, play_forced=False, **options)
    found = Study()
    found.play(players, batch, seats, games)
    return found


def trading(player: str, counts: list[int], games: int, seed: int, options: dict[str, Any]) -> str:
    """What trading is worth, as a Markdown table."""
    rows, reports = [], []
    for seats in counts:
        silent = played(f"{SILENT}{player}", player, seats, games, seed, options)
        low, high = mean_interval(np.array(silent.shares))
        won = f"{np.mean(silent.shares):.1%} (95 %: {low:.1%} to {high:.1%})"
        all_trade = played(player, player, seats, games, seed, options)
        rows.append([str(seats), won, f"{1 / seats:.1%}", *all_trade.spoken()])
        reports.append(all_trade.report((player, player), seats))
    head = [
        "seats",
        "won by the one that never trades",
        "an equal share",
        "decisions a game",
        "questions",
        "offers",
    ]
    head += ["counter-offers", "trades", "promises", "kept", "broken"]
    table = markdown.table(head, rows, ">" * len(head))
    return "\n\n".join([f"{games} games each, {player}", table, *reports])


def _value(text: str) -> Any:
    return int(text) if text.isdigit() else text


if __name__ == "__main__":
    sys.exit(main())
