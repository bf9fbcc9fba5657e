"""Golden games: recorded once, they must play alike for ever. make_golden.py records them anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from agezoo.envs.age_de_bronze.state import ACTIONS, Phase
from agezoo.envs.engine.position import GameRecord

from .scenario import GAME

GAMES = sorted(Path(__file__).with_name("golden").glob("*.txt"))


def read(path: Path) -> GameRecord:
    return GameRecord.from_text(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_the_game_plays_as_recorded(path):
    """Every move is legal, ends in the table that was recorded, and loses no component."""
    record = read(path)
    for env in record.replay():
        GAME.check(GAME.record(env._states))
    assert record.end.startswith("finished")


def test_the_games_together_show_every_seat_count_every_phase_and_every_block_of_actions():
    players, phases, blocks = set(), set(), set()
    for path in GAMES:
        record = read(path)
        players.add(record.num_players)
        replay = record.replay()
        env = next(replay)
        for _, words, _ in record.moves:
            phases.add(Phase(int(GAME.record(env._states).phase)))
            blocks.add(ACTIONS.locate(env.parse_action(words))[0].name)
            env = next(replay)
    assert players == {2, 3, 4, 5, 6}
    assert phases == set(Phase)
    assert blocks == {block.name for block in ACTIONS.blocks}
