"""Golden games: whole games as text that must replay line by line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ..aec import TableEnv
from ..errors import BadPosition
from ..game import Game
from ..position import GameRecord
from .facts import option_sets
from .tables import Broken, act, live, need


def check_golden(game: Game, folder: str | Path) -> None:
    """Golden games (GameRecord texts ``*.txt`` in `folder`) replay line by line, one at least of every seat count."""
    counts = set()
    for path in sorted(Path(folder).glob("*.txt")):
        text = path.read_text(encoding="utf-8")
        record = GameRecord.from_text(text)
        need(record.game is game, f"{path.name} is a game of {record.game.name}, not of {game.name}")
        need(record.to_text() == text, f"{path.name} is not written as the engine writes it")
        need(record.end, f"{path.name} stops before the end of its game")
        try:
            moves = sum(1 for _ in record.replay())
        except BadPosition as error:
            raise Broken(f"{path.name}: {error}") from error
        need(moves == len(record.moves) + 1, f"{path.name} has lines that were not played")
        counts.add(record.num_players)
    missing = set(range(game.players[0], game.players[1] + 1)) - counts
    need(not missing, f"{folder} has no golden game for {sorted(missing)} seats; see `record_golden`")


def golden_game(game: Game, num_players: int | None = None, seed: int = 1, **options: Any) -> str:
    """A whole game as text: half of the moves greedy, half random, so that it looks like a game and still wanders."""
    env = TableEnv(game, num_players, **options)
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    while live(env):
        choose = env.random_action if rng.random() < 0.5 else env.greedy_action
        act(env, choose(int(rng.integers(1 << 60))))
    return env.record().to_text()


def record_golden(game: Game, folder: str | Path, seed: int = 1) -> list[Path]:
    """Record a `golden_game` for every seat count and option; existing files are replaced."""
    made = []
    for options in option_sets(game):
        for count in range(game.players[0], game.players[1] + 1):
            words = "".join(f"_{name}_{value}" for name, value in options.items())
            path = Path(folder) / f"{count}_players{words}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(golden_game(game, count, seed, **options), encoding="utf-8")
            made.append(path)
    return made
