"""What holds for the whole repository: one version, imports that run one way, pinned requirements."""

import ast
import importlib.metadata
import itertools
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import gymnasium
import pettingzoo
import pytest
from packaging.requirements import Requirement

import agezoo.envs
from agezoo.envs.engine.registry import gymnasium_id

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PACKAGES = {name: sorted((ROOT / name).rglob("*.py")) for name in ("envs", "agents", "play")}
PINS = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)", re.MULTILINE)


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_version_is_the_same_wherever_it_stands():
    version = PROJECT["version"]
    assert importlib.metadata.version("agezoo") == version
    assert re.findall(r"^version: *\"?([^\"\n]+)\"?$", text("CITATION.cff"), re.MULTILINE) == [version]
    assert f"## [{version}]" in text("CHANGELOG.md")
    for paths in PACKAGES.values():
        for path in paths:
            assert f'"{version}"' not in path.read_text(encoding="utf-8"), f"{path.name} repeats the version"


def test_every_requirement_is_pinned():
    pins = {name.lower().replace("_", "-") for name, _ in PINS.findall(text("constraints.txt"))}
    asked = [*PROJECT["dependencies"], *itertools.chain(*PROJECT["optional-dependencies"].values())]
    names = {re.match(r"[A-Za-z0-9._-]+", line)[0].lower().replace("_", "-") for line in asked}
    assert sorted(names - pins - {"agezoo"}) == []
    assert "torch==2.13.0" in text("constraints.txt")


def test_what_people_install_has_bounds_on_both_sides_of_what_is_tested():
    pins = {
        name.lower().replace("_", "-"): version for name, version in PINS.findall(text("constraints.txt"))
    }
    extras = PROJECT["optional-dependencies"]
    for line in [*PROJECT["dependencies"], *extras["train"], *extras["play"]]:
        asked = Requirement(line)
        assert {part.operator for part in asked.specifier} == {">=", "<"}, line
        assert asked.specifier.contains(pins[asked.name.lower().replace("_", "-")]), line


def test_the_lowest_versions_are_those_of_the_base_requirements():
    made = subprocess.run(
        [sys.executable, ROOT / ".ci" / "lowest.py"], capture_output=True, text=True, check=True
    ).stdout.split()
    for line, lowest in zip(PROJECT["dependencies"], made, strict=True):
        name, version = lowest.split("==")
        assert Requirement(line).name == name
        assert Requirement(line).specifier.contains(version)
        assert line.startswith(f"{name}>={version},")


@pytest.mark.parametrize("name", agezoo.envs.names())
def test_both_registries_know_every_rulebook(name):
    version = agezoo.envs.find(name).version
    assert f"{gymnasium_id(name)}-v{version}" in gymnasium.registry
    assert f"agezoo/{name}-v{version}" in pettingzoo.aec_registry


def imported(path):
    """The absolute names of what a file of a package imports."""
    package = ["agezoo", *path.relative_to(ROOT).parent.parts]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            head = package[: len(package) + 1 - node.level] if node.level else []
            base = ".".join([*head, *([node.module] if node.module else [])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize(
    ("importer", "never"),
    [
        ("envs", ("agezoo.agents", "agezoo.play", "envs", "torch", "yaml")),
        ("agents", ("agezoo.play", "agents")),
    ],
)
def test_imports_run_one_way(importer, never):
    for path in PACKAGES[importer]:
        for name in imported(path):
            for other in never:
                assert name != other, f"{path} imports {name}"
                assert not name.startswith(f"{other}."), f"{path} imports {name}"


def test_the_engine_knows_no_rulebook():
    for path in (ROOT / "envs" / "engine").rglob("*.py"):
        for name in imported(path):
            assert not name.startswith(tuple(f"agezoo.envs.{rulebook}" for rulebook in agezoo.envs.names()))
