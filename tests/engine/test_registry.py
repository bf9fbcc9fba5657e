"""Rulebooks are found by looking: a new folder needs no other edit."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import tiny

import agezoo.envs
from agezoo.envs.engine import registration, registry
from agezoo.envs.engine.compile import PACKAGE
from agezoo.envs.engine.errors import BadGame, BadOption

USE = """
import gymnasium, pettingzoo
import agezoo.envs
assert agezoo.envs.names() == ["age_of_paper"], agezoo.envs.names()
from agezoo.envs import age_of_paper_v3
env = age_of_paper_v3.env(num_players=2)
env.reset(seed=1)
assert age_of_paper_v3.game is agezoo.envs.find("age_of_paper") is env.game
assert agezoo.envs.make("age_of_paper_v3").game is env.game
assert agezoo.envs.make_batch("age_of_paper", 3, seed=1, num_players=[2, 3]).num_envs == 3
assert pettingzoo.make("aec", "agezoo/age_of_paper-v3", num_players=2).possible_agents == ["player_0", "player_1"]
seat = gymnasium.make("agezoo/AgeOfPaper-v3", opponents="greedy")
seat.reset(seed=1)
from agezoo.envs.engine import conformance
assert conformance.run_once(env.game, GOLDEN) == ["performance", "plain", "golden"]
import agezoo.envs.engine.fuzz as fuzz
assert fuzz.main(["age_of_paper", "--decisions", "2000", "--fuzz-only"]) == 0
print("found")
"""


def test_a_new_folder_is_found_without_another_edit(tmp_path):
    """The tiny game, copied as a rulebook beside a copy of the engine, with golden games of its own."""
    root = tmp_path / "agezoo" / "envs"
    skip = shutil.ignore_patterns("__pycache__", "golden", "broken.py", "reference.py")
    shutil.copytree(PACKAGE / "engine", root / "engine", ignore=skip)
    shutil.copy(PACKAGE / "__init__.py", root)
    shutil.copytree(Path(tiny.__file__).parent, root / "age_of_paper", ignore=skip)
    rules = root / "age_of_paper" / "__init__.py"
    text = (
        rules.read_text()
        .replace('name="tiny"', 'name="age_of_paper"')
        .replace("version=0", "version=VERSION")
    )
    rules.write_text(text.replace("\nCARDS = 5\n", "\nVERSION = 3\nCARDS = 5\n"))
    golden = tmp_path / "golden"
    golden.mkdir()
    for path in (Path(tiny.__file__).parent / "golden").glob("*.txt"):
        (golden / path.name).write_text(path.read_text().replace("game tiny 0", "game age_of_paper 3"))
    done = subprocess.run(
        [sys.executable, "-c", USE.replace("GOLDEN", repr(str(golden)))],
        env={**os.environ, "PYTHONPATH": str(tmp_path), "AGEZOO_PLAIN": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("found\n")


def test_names_are_the_folders_with_a_game():
    names = agezoo.envs.names()
    assert "age_de_bronze" in names
    assert "engine" not in names
    assert all((PACKAGE / name / "__init__.py").exists() for name in names)


@pytest.mark.parametrize("name", ["chess", "engine", "", "age_de_bronze_v9x"])
def test_unknown_names_are_answered_with_the_known(name):
    for find in (agezoo.envs.find, agezoo.envs.make):
        with pytest.raises(BadOption, match=r"there is no rulebook.*age_de_bronze"):
            find(name)


def test_other_versions_are_no_modules():
    with pytest.raises(AttributeError, match="age_de_bronze_v9"):
        _ = agezoo.envs.age_de_bronze_v9
    assert registry.module("age_de_bronze") is None


def test_the_declared_version_is_read_without_running_the_rules(tmp_path, monkeypatch):
    monkeypatch.setattr(registry, "_ROOT", tmp_path)
    (tmp_path / "paper").mkdir()
    (tmp_path / "paper" / "__init__.py").write_text("raise RuntimeError\nVERSION = 12\n")
    assert registration.declared_version("paper") == 12
    (tmp_path / "paper" / "__init__.py").write_text("")
    with pytest.raises(BadGame, match="needs a line 'VERSION"):
        registration.declared_version("paper")


def test_declared_versions_are_those_of_the_games():
    for name in agezoo.envs.names():
        assert registration.declared_version(name) == agezoo.envs.find(name).version
        assert agezoo.envs.find(name).name == name
