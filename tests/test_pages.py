"""Pages say what the code says, for every rulebook."""

from __future__ import annotations

import importlib.util
import inspect
import re
from pathlib import Path
from types import ModuleType

import pytest

import agezoo.envs
from agezoo.envs.engine import markdown
from agezoo.envs.engine.aec import TableEnv

TESTS = Path(__file__).parent
NAMES = agezoo.envs.names()
ARGUMENTS = inspect.signature(TableEnv).parameters  # of every game, so rules may name them


def _script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, TESTS.parent / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


make_pages = _script("make_pages")


def text_of(name: str) -> str:
    return make_pages.rules_path(name).read_text(encoding="utf-8")


def sources(name: str) -> list[Path]:
    return [*make_pages.rules_path(name).parent.rglob("*.py"), *(TESTS / name).glob("*.py")]


@pytest.mark.parametrize("name", NAMES)
def test_the_components_in_the_rules_are_those_of_the_table(name):
    assert text_of(name) == make_pages.rules(name)


@pytest.mark.parametrize("name", NAMES)
def test_the_page_of_actions_and_observations_is_up_to_date(name):
    assert make_pages.layouts_path(name).read_text(encoding="utf-8") == make_pages.layouts(name)


def test_the_page_of_options_is_up_to_date():
    assert make_pages.options_path().read_text(encoding="utf-8") == make_pages.options()


def test_the_table_of_games_in_the_readme_is_up_to_date():
    assert make_pages.readme_path().read_text(encoding="utf-8") == make_pages.readme()


def test_markdown_tables_are_made_in_one_place():
    """Code that lays out a rule of a table by itself would forget to escape what ends a cell."""
    homes = ("envs", "agents", "play", "tools", "benchmarks")
    makers = [
        path.relative_to(TESTS.parent).as_posix()
        for home in homes
        for path in (TESTS.parent / home).rglob("*.py")
        if "---" in re.sub(r"# -+.*|-{5,}", "", path.read_text(encoding="utf-8"))
    ]
    assert makers == ["envs/engine/markdown.py"]


def test_cells_of_a_table_stay_cells():
    made = markdown.table(["a|b", "n"], [["x | y\nz", 1], [["p", True], {"k": False}]], "<>")
    assert made.splitlines() == [
        "| a\\|b | n |",
        "| --- | ---: |",
        "| x \\| y z | 1 |",
        "| p, yes | k no |",
    ]


@pytest.mark.parametrize("name", NAMES)
def test_every_ruling_that_the_code_names_is_there(name):
    numbers = re.findall(r"^(\d+)\. \*\*", text_of(name), re.MULTILINE)
    assert numbers == [str(n) for n in range(1, len(numbers) + 1)]
    for path in sources(name):
        for number in re.findall(r"[Rr]uling (\d+)", path.read_text(encoding="utf-8")):
            assert number in numbers, f"{path.name}: ruling {number}"


@pytest.mark.parametrize("name", NAMES)
def test_every_kernel_and_test_that_the_rules_name_is_there(name):
    folder = make_pages.rules_path(name).parent
    source = "".join(
        path.read_text(encoding="utf-8") for path in [*folder.rglob("*.py"), *folder.glob("*.toml")]
    )
    for word in set(re.findall(r"`([A-Za-z_][A-Za-z0-9_./]*)`", text_of(name))):
        if "/" in word or word.endswith((".py", ".toml", ".md", ".yaml")):
            homes = (folder, folder / "rules", TESTS / name, make_pages.ROOT)
            assert any((home / word).exists() for home in homes), word
        elif word not in ARGUMENTS:
            assert re.search(rf"\b{word.rpartition('.')[2]}\b", source), word
