"""Record the golden games anew, after a change of the rules that is meant: python tests/age_de_bronze/make_golden.py.

Half of the moves are random, half the greedy player's, so that the games look like games and still wander into every
corner of the rules.
"""

from __future__ import annotations

from pathlib import Path

from agezoo.envs import age_de_bronze_v0

FOLDER = Path(__file__).with_name("golden")
GAMES = ((2, 1), (2, 5), (3, 2), (4, 3), (5, 4), (6, 6), (6, 9))  # players, seed


def play(players: int, seed: int) -> str:
    """A whole game as text."""
    env = age_de_bronze_v0.env(num_players=players)
    env.reset(seed=seed)
    move = 0
    while not any(env.terminations.values()):
        move += 1
        chance = seed * 100_000 + move
        env.step(env.greedy_action(chance) if chance * 7919 % 10 < 5 else env.random_action(chance))
    return env.record().to_text()


if __name__ == "__main__":
    for number, (seats, first) in enumerate(GAMES, 1):
        path = FOLDER / f"{number}_{seats}_players.txt"
        path.write_text(play(seats, first), encoding="utf-8")
        print(path.name)
