"""Rulebooks are found by looking: a new folder needs no other edit."""

import importlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import gymnasium
import pettingzoo
import pytest
import tiny

import agezoo.envs
from agezoo.envs.engine import registration, registry
from agezoo.envs.engine.compile import PACKAGE
from agezoo.envs.engine.errors import BadGame, BadOption
from agezoo.envs.engine.seat import SeatEnv

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
assert conformance.run_once(env.game, GOLDEN) == ["plain", "golden"]
import agezoo.envs.engine.fuzz as fuzz
assert fuzz.main(["age_of_paper", "--decisions", "2000", "--fuzz-only"]) == 0
print("found")
"""


def age_of_paper(tmp_path):
    """The tiny game, copied as a rulebook of version 3 beside a copy of the engine, with golden games of its own."""
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
    return golden


def in_copy(tmp_path, code):
    """What `code` prints, run over the copy."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(tmp_path), "AGEZOO_PLAIN": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_new_folder_is_found_without_another_edit(tmp_path):
    golden = age_of_paper(tmp_path)
    assert in_copy(tmp_path, USE.replace("GOLDEN", repr(str(golden)))).endswith("found\n")


SPAWNED = """
import gymnasium
if __name__ == "__main__":
    env = gymnasium.make_vec(
        "agezoo.envs:agezoo/AgeDeBronze-v0",
        num_envs=2,
        vectorization_mode="async",
        vector_kwargs={"context": "spawn"},
        opponents="random",
    )
    seen, _ = env.reset(seed=1)
    print(len(seen))
    env.close()
"""


def test_with_the_module_in_the_id_spawned_workers_find_the_game(tmp_path):
    """As README and docs/interop.md say: such a process has not imported agezoo.envs."""
    script = tmp_path / "spawned.py"
    script.write_text(SPAWNED)
    done = subprocess.run(
        [sys.executable, script],
        env={**os.environ, "AGEZOO_PLAIN": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "2\n"
    for page in ("README.md", "docs/interop.md"):
        assert "agezoo.envs:agezoo/AgeDeBronze-v0" in (PACKAGE.parent / page).read_text(encoding="utf-8")


def test_names_are_the_folders_with_a_game():
    names = agezoo.envs.names()
    assert "age_de_bronze" in names
    assert "engine" not in names
    assert all((PACKAGE / name / "__init__.py").exists() for name in names)


@pytest.mark.parametrize("name", ["chess", "engine", "", "age_de_bronze_v9x"])
def test_unknown_names_are_answered_with_the_known(name):
    for find in (agezoo.envs.find, agezoo.envs.make):
        with pytest.raises(BadOption, match=r"there is no game.*age_de_bronze"):
            find(name)


# -- versions --------------------------------------------------------------------------------------------------------


def imported_from(name):
    exec(f"from agezoo.envs import {name}", {})


DOORS = {
    "find": agezoo.envs.find,
    "make": agezoo.envs.make,
    "make_batch": lambda name: agezoo.envs.make_batch(name, 2),
    "from agezoo.envs import": imported_from,
    "agezoo.envs.": lambda name: getattr(agezoo.envs, name),
    "import agezoo.envs.": lambda name: importlib.import_module(f"agezoo.envs.{name}"),
    "one seat": SeatEnv,
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("version", ["99", "00"])
def test_another_version_is_refused_at_every_door(door, version):
    with pytest.raises(BadOption, match=r"in version 0, ask for age_de_bronze_v0") as refused:
        DOORS[door](f"age_de_bronze_v{version}")
    assert f"age_de_bronze_v{version}" in str(refused.value)
    assert "\n" not in str(refused.value)
    DOORS[door]("age_de_bronze_v0")


def test_another_version_is_refused_by_both_registries():
    with pytest.raises(gymnasium.error.VersionNotFound, match="v0"):
        gymnasium.make("agezoo/AgeDeBronze-v99")
    with pytest.raises(pettingzoo.env_registry.exceptions.VersionNotFound, match="v0"):
        pettingzoo.make("aec", "agezoo/age_de_bronze-v99")


RAISED = """
import importlib, gymnasium, pettingzoo
import agezoo.envs
from agezoo.envs.engine.seat import SeatEnv
assert agezoo.envs.make("age_of_paper").game.version == 3
for serve in (
    agezoo.envs.find,
    agezoo.envs.make,
    lambda name: agezoo.envs.make_batch(name, 2),
    lambda name: getattr(agezoo.envs, name),
    lambda name: importlib.import_module(f"agezoo.envs.{name}"),
    SeatEnv,
):
    try:
        serve("age_of_paper_v2")
    except agezoo.envs.BadOption as why:
        assert str(why) == (
            "there is no age_of_paper_v2: Tiny is here in version 3, ask for age_of_paper_v3 or for age_of_paper"
        )
    else:
        raise AssertionError("an older id is served")
for make in (
    lambda: gymnasium.make("agezoo/AgeOfPaper-v2"),
    lambda: pettingzoo.make("aec", "agezoo/age_of_paper-v2"),
):
    try:
        make()
    except Exception as why:
        assert "v3" in str(why)
    else:
        raise AssertionError("an older id is served")
print("refused")
"""


def test_with_the_version_raised_the_older_id_is_refused(tmp_path):
    age_of_paper(tmp_path)
    assert in_copy(tmp_path, RAISED).endswith("refused\n")


def test_there_are_no_module_files_that_could_be_of_another_version():
    assert [path.name for path in PACKAGE.glob("*_v[0-9]*")] == []
    assert not hasattr(agezoo.envs, "chess_v0")
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("agezoo.envs.chess_v0")


def test_the_declared_version_is_read_without_running_the_rules(tmp_path, monkeypatch):
    monkeypatch.setattr(registry, "_ROOT", tmp_path)
    (tmp_path / "paper").mkdir()
    (tmp_path / "paper" / "__init__.py").write_text("raise RuntimeError\nVERSION = 12\n")
    assert registration.declared_version("paper") == 12
    for line in ("VERSION: int = 12", "VERSION=12  # raised", "VERSION = 12\nOTHER = 1"):
        (tmp_path / "paper" / "__init__.py").write_text(line)
        assert registration.declared_version("paper") == 12
    (tmp_path / "paper" / "__init__.py").write_text("")
    with pytest.raises(BadGame, match="needs a line 'VERSION"):
        registration.declared_version("paper")


def test_declared_versions_are_those_of_the_games():
    for name in agezoo.envs.names():
        assert registration.declared_version(name) == agezoo.envs.find(name).version
        assert agezoo.envs.find(name).name == name
