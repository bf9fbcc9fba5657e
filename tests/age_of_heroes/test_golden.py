"""What the golden games show between them: trades, a broken promise, each goal of war, each way to win."""

from __future__ import annotations

from pathlib import Path

from agezoo.envs.age_of_heroes.components import RULE
from agezoo.envs.age_of_heroes.state import Goal, Phase
from agezoo.envs.engine.position import GameRecord

from .scenario import GAME

GOLDEN = sorted(Path(__file__).with_name("golden").glob("*.txt"))


def shown(path: Path) -> set[str]:
    """What one game shows."""
    record = GameRecord.from_text(path.read_text(encoding="utf-8"))
    found = set()
    replay = record.replay()
    env = next(replay)
    for _, words, _ in record.moves:
        s = GAME.record(env.states)
        if s.phase == Phase.SPOILS and not words.startswith("take 0"):
            found.add(Goal(int(s.goal)).name)
        env = next(replay)
    s = GAME.record(env.states)
    found |= {name for name in ("kept", "broken") if s[name].any()} | ({"trade"} if s.trades else set())
    found.add(ending(s))
    return found


def ending(s) -> str:
    """How a game ended."""
    if not s.finished:
        return "limit"
    if sum(place == 0 for place in s.eliminated[: s.num_players]) == 1:
        return "elimination"
    return "empire" if s.cities[s.winner] >= RULE.empire else "monument"


def test_golden_games_show_what_they_should():
    found = set().union(*(shown(path) for path in GOLDEN))
    assert found >= {"CONQUEST", "PLUNDER", "DESTRUCTION", "trade", "kept", "broken", "limit"}
    assert found >= {"empire", "monument", "elimination"}
