"""Seats and limits: whether it matters where one sits, and how many games reach a limit.

    python benchmarks/balance.py [GAME ...] [--player random|greedy|montecarlo:N ...] [--players N ...]
        [--games 1000] [--seed 0] [--write]

All seats are played by the same player. Games are first broken off at their limit, to count how many reach it; then
whoever stands first there wins, as with ``at_limit="decide"``. `--write` puts the tables into docs/balance.md.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from pages import Part

from agezoo import agents
from agezoo.agents.evaluate import mean_interval
from agezoo.envs import AgezooError, Game, find, names
from agezoo.envs.engine import markdown

PAGE = Path(__file__).resolve().parent.parent / "docs" / "balance.md"
PLAYERS = ["random", "greedy", "montecarlo:50"]
FEW = 10  # Monte Carlo players play so many times fewer games


def line(game: Game, player: str, count: int, games: int, seed: int, width: int) -> list[str]:
    """Share of wins at each seat, and of games that reach a limit."""
    mine = agents.make(player, game)
    results = agents.play_games(game, [mine] * count, games, seed, at_limit="truncate")
    won = np.take_along_axis(results.won, np.argsort(results.seats, axis=1), axis=1)  # by seat
    shares = []
    for seat in range(count):
        low, high = mean_interval(won[:, seat])
        shares.append(f"{won[:, seat].mean():.1%} ±{(high - low) / 2:.1%}")
    at_limit = f"{results.truncated.mean():.1%}"
    return [player, str(count), f"{games:,}", at_limit, *shares, *[""] * (width - count)]


def study(game: Game, players: list[str], counts: list[int] | None, games: int, seed: int) -> str:
    """A Markdown table of one game."""
    counts = [game.num_players(n) for n in counts or range(game.players[0], game.players[1] + 1)]
    width, lines = max(counts), []
    for player in players:
        few = max(1, games // FEW) if player.startswith("montecarlo") else games
        lines += [line(game, player, count, few, seed, width) for count in counts]
    head = ["player", "seats", "games", "at a limit", *(f"seat {s}" for s in range(width))]
    return markdown.table(head, lines, "<" + ">" * (3 + width))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("games_named", nargs="*", metavar="GAME", help="default: all")
    parser.add_argument("--player", nargs="+", default=PLAYERS, help=f"default: {' '.join(PLAYERS)}")
    parser.add_argument("--players", type=int, nargs="+", help="seat counts; default all")
    parser.add_argument("--games", type=int, default=1000, help="a line; a tenth for Monte Carlo")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    for name in given.games_named or names():
        start = time.monotonic()
        try:
            game = find(name)
            part = (
                Part(PAGE, f"<!-- seats: {game.name} -->", "<!-- end of seats -->") if given.write else None
            )
            text = study(game, given.player, given.players, given.games, given.seed)
        except AgezooError as error:
            parser.error(str(error))
        print(f"{game.title}, {time.monotonic() - start:.0f} s\n\n{text}\n", flush=True)
        if part is not None:
            part.write(text)


if __name__ == "__main__":
    main()
