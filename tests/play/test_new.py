"""A game of one's own: `agezoo new` in a copy of the tree, and the suite over what it wrote, without another edit."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from agezoo.envs import BadOption
from agezoo.play import new

ROOT = Path(__file__).parent.parent.parent
SKIPPED = shutil.ignore_patterns(
    ".git", ".venv", ".*_cache", "__pycache__", "runs", "build", "dist", "*.egg-info", "weights"
)
SUITE = ("test_rulebooks.py", "test_pages.py", "test_house.py", "test_pictures.py")


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the tree, and how to run Python over it."""
    root = tmp_path_factory.mktemp("copy")
    tree, path = root / "tree", root / "path" / "agezoo"
    shutil.copytree(ROOT, tree, ignore=SKIPPED)
    path.mkdir(parents=True)
    for package in ("envs", "agents", "play"):
        (path / package).symlink_to(tree / package)

    def run(*arguments, **more):
        return subprocess.run(
            [sys.executable, *map(str, arguments)],
            cwd=tree,
            env={**os.environ, "PYTHONPATH": str(path.parent), **more},
            capture_output=True,
            text=True,
            check=False,
        )

    return tree, run


def test_a_new_game_passes_the_suite_as_it_is(copy):
    tree, run = copy
    done = run("-m", "agezoo.play.cli", "new", "duel")
    assert done.returncode == 0, done.stderr
    for script in new.COMMANDS:
        assert f"python {script} duel" in done.stdout
    assert "| duel | Duel | 2-4 |" in (tree / "README.md").read_text(encoding="utf-8")
    assert "hand_size" in (tree / "docs" / "options.md").read_text(encoding="utf-8")
    for home in ("envs", "tests"):
        for file in (tree / home / "duel").rglob("*.*"):
            assert "mygame" not in file.read_text(encoding="utf-8").lower()
    suite = [f"tests/{name}" for name in SUITE]
    passed = run(
        "-m", "pytest", "-p", "no:cacheprovider", "-n", "0", "-q", "tests/duel", *suite,
        "-k", "duel or test_house or page_of_options or readme",
    )  # fmt: skip
    assert passed.returncode == 0, passed.stdout[-3000:]
    linted = run("-m", "ruff", "check", "--no-cache", "envs/duel", "tests/duel")
    assert linted.returncode == 0, linted.stdout

    again = run("-m", "agezoo.play.cli", "new", "duel")
    assert again.returncode == 2
    assert "envs/duel exists already" in again.stderr
    assert again.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "name", ["", "Duel", "2048", "a-b", "../x", "class", "engine", "duel_v1", "age_de_bronze"]
)
def test_names_that_cannot_be(name):
    with pytest.raises(BadOption, match="NAME"):
        next(new.begin(name))
    assert not (ROOT / "tests" / (name or "?") / "test_rules.py").exists()


def test_it_is_for_a_checkout(monkeypatch, tmp_path):
    monkeypatch.setattr(new, "CHECKOUT", tmp_path)
    with pytest.raises(BadOption, match="no checkout"):
        next(new.begin("duel"))
    assert list(tmp_path.iterdir()) == []
