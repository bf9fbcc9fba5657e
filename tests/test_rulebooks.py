"""The conformance suite over every rulebook there is, at every seat count: a new folder is tested by itself."""

import importlib
from pathlib import Path

import gymnasium
import pettingzoo
import pytest

import agezoo.envs
from agezoo.envs.engine import conformance, fuzz, registry
from agezoo.envs.engine.position import GameRecord

GOLDEN = Path(__file__).parent
NAMES = agezoo.envs.names()
TABLES = [
    (name, count)
    for name in NAMES
    for count in range(agezoo.envs.find(name).players[0], agezoo.envs.find(name).players[1] + 1)
]


def state_of(name):
    """Where a game's layouts stand; the game itself where it has no such file."""
    try:
        return importlib.import_module(f"agezoo.envs.{name}.state")
    except ModuleNotFoundError:
        return importlib.import_module(f"agezoo.envs.{name}")


@pytest.mark.parametrize("check", conformance.checks())
@pytest.mark.parametrize(("name", "count"), TABLES)
def test_table(name, count, check):
    conformance.checks()[check](agezoo.envs.find(name), count, seed=count)


@pytest.mark.parametrize("check", conformance.checks_once())
@pytest.mark.parametrize("name", NAMES)
def test_rulebook(name, check):
    conformance.checks_once()[check](agezoo.envs.find(name))


@pytest.mark.parametrize("name", NAMES)
def test_golden_games(name):
    conformance.check_golden(agezoo.envs.find(name), GOLDEN / name / "golden")


@pytest.mark.parametrize("name", NAMES)
def test_golden_games_together_show_every_phase_and_every_block_of_actions(name):
    game = agezoo.envs.find(name)
    phases, blocks = set(), set()
    for path in (GOLDEN / name / "golden").glob("*.txt"):
        record = GameRecord.from_text(path.read_text(encoding="utf-8"))
        assert record.end.startswith(("finished", "truncated"))
        replay = record.replay()
        env = next(replay)
        for _, words, _ in record.moves:
            phases.add(int(getattr(game.record(env.states), "phase", 0)))
            blocks.add(game.actions.locate(env.parse_action(words))[0].name)
            env = next(replay)
            game.check(game.record(env.states))
    if hasattr(state_of(name), "Phase"):  # a game that asks just one kind of thing needs none
        assert phases == {int(phase) for phase in state_of(name).Phase}
    assert blocks == {block.name for block in game.actions.blocks}


@pytest.mark.parametrize("name", NAMES)
def test_options_other_than_the_defaults(name):
    """Worlds, which take long, where an option is a choice; the fuzz run below looks at worlds with all of them."""
    game = agezoo.envs.find(name)
    choices = {option.name for option in game.options if option.choices or option.high - option.low == 1}
    for options in conformance.option_sets(game)[1:]:
        for check in ("components", "batch", "rewards", *(["worlds"] if choices & set(options) else [])):
            conformance.checks()[check](game, None, seed=7, **options)


@pytest.mark.parametrize("name", NAMES)
def test_short_fuzz(name):
    played, _, failures = fuzz.fuzz(agezoo.envs.find(name), 20_000, seed=3, suite=False)
    assert played >= 20_000
    assert not failures, failures[0]


@pytest.mark.parametrize("name", NAMES)
def test_is_in_both_registries(name):
    game = agezoo.envs.find(name)
    table = pettingzoo.make("aec", f"agezoo/{name}-v{game.version}", num_players=game.players[1])
    assert len(table.possible_agents) == game.players[1]
    seat = gymnasium.make(f"{registry.gymnasium_id(name)}-v{game.version}")
    assert seat.unwrapped.game is game
    assert getattr(agezoo.envs, game.env_name).game is game
