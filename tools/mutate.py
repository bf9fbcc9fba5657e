"""Do the tests bite? Edits one thing at a time in a copy of the sources and sees whether any test notices.

    python tools/mutate.py [rules | engine | agents | play | GAME ...] [--seconds 600] [--seed 0]

An edit turns a comparison, a sign or an "and" around, moves a whole number by one, takes the other branch or leaves a
statement out, at a place drawn at random. The tests of that part then run uncompiled (``AGEZOO_PLAIN=1``), up to the
first that fails, in three times the time at most that they take unedited. What no test noticed is printed with its
line; an edit that only changes how fast something is, or nothing at all, may stay.

By what is known of them, the usual tools do not fit: mutmut puts all variants of a function side by side under other
names, and a template takes a kernel's code and globals; cosmic-ray edits the working tree in place.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
PARTS = ("rules", "engine", "agents", "play")
COPIED = ("envs", "agents", "play", "tests", "configs", "docs", "tools")
#: Tests that take long and are about something else than the words and numbers of a part.
LEFT_OUT = ("test_compile.py", "test_conformance.py", "test_tiny.py", "test_ppo.py", "test_training.py")
OTHER_COMPARISON = {
    ast.Eq: "!=", ast.NotEq: "==", ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">",
    ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
}  # fmt: skip
OTHER_SIGN = {ast.Add: "-", ast.Sub: "+", ast.Mult: "+"}


@dataclass(frozen=True)
class Edit:
    """Other text for a place in a file.

    Args:
        path: from the root.
        start, end: characters of the file.
        line: for people.
        text: what stands there then.
    """

    path: Path
    start: int
    end: int
    line: int
    text: str


@dataclass(frozen=True)
class Part:
    """Sources, and the tests that should notice what changes in them."""

    sources: tuple[Path, ...]
    tests: tuple[str, ...]


def parts() -> dict[str, list[Part]]:
    """What can be edited, by the names that the command takes."""
    games = sorted(
        path.parent.name
        for path in (ROOT / "envs").glob("*/rules*")
        if (ROOT / "tests" / path.parent.name).is_dir()
    )
    rules = {
        game: Part(
            _files(f"envs/{game}"), (f"tests/{game}", f"tests/test_rulebooks.py::test_golden_games[{game}]")
        )
        for game in games
    }
    return {
        "rules": [*rules.values()],
        "engine": [Part(_files("envs/engine"), ("tests/engine",))],
        "agents": [Part(_files("agents"), ("tests/agents",))],
        "play": [Part(_files("play"), ("tests/play",))],
        **{game: [part] for game, part in rules.items()},
    }


def _files(folder: str) -> tuple[Path, ...]:
    found = sorted((ROOT / folder).rglob("*.py"))
    return tuple(p.relative_to(ROOT) for p in found if "conformance" not in p.parts and p.name != "fuzz.py")


def edits(path: Path) -> list[Edit]:
    """All edits of a file."""
    text = (ROOT / path).read_text(encoding="utf-8")
    starts = [0]
    for line in text.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    raw = text.encode()

    def at(line: int, column: int) -> int:
        return len(raw[: starts[line - 1] + column].decode())

    def made(node: ast.expr | ast.stmt, new: str) -> Edit:
        start = at(node.lineno, node.col_offset)
        end = at(node.end_lineno or node.lineno, node.end_col_offset or 0)
        return Edit(path, start, end, node.lineno, new)

    return [made(node, new) for node in _of_functions(ast.parse(text)) for new in _variants(node, text)]


def _of_functions(tree: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """What stands in functions, without docstrings and annotations."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for statement in function.body:
                for node in ast.walk(statement):
                    if isinstance(node, (ast.expr, ast.stmt)):
                        yield node


def _variants(node: ast.expr | ast.stmt, text: str) -> Iterator[str]:
    """Other texts for a node; only the node itself changes."""

    def source(part: ast.AST) -> str:
        return ast.get_source_segment(text, part) or ""

    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in OTHER_COMPARISON:
        yield f"{source(node.left)} {OTHER_COMPARISON[type(node.ops[0])]} {source(node.comparators[0])}"
    elif isinstance(node, ast.BinOp) and type(node.op) in OTHER_SIGN and "\n" not in source(node):
        yield f"({source(node.left)}) {OTHER_SIGN[type(node.op)]} ({source(node.right)})"
    elif isinstance(node, ast.BoolOp) and "\n" not in source(node):
        yield (" or " if isinstance(node.op, ast.And) else " and ").join(
            f"({source(v)})" for v in node.values
        )
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield f"({node.value} + 1)"
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield str(not node.value)
    elif isinstance(node, ast.IfExp) and "\n" not in source(node):
        yield f"{source(node.orelse)} if {source(node.test)} else {source(node.body)}"
    elif isinstance(node, (ast.Assign, ast.AugAssign)) or (
        isinstance(node, ast.Expr) and not isinstance(node.value, (ast.Constant, ast.Yield))
    ):
        yield "pass"


def copy_tree(folder: Path) -> None:
    """The sources and tests, importable as they are when installed."""
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for path in ROOT.iterdir():
        if path.is_file() and path.suffix in (".toml", ".md", ".py", ".txt", ".cff"):
            shutil.copy(path, folder)
    (folder / "installed" / "agezoo").mkdir(parents=True)
    for name in ("envs", "agents", "play"):
        (folder / "installed" / "agezoo" / name).symlink_to(folder / name, target_is_directory=True)


def notices(folder: Path, tests: tuple[str, ...], seconds: float) -> str:
    """What the tests say: "" if all pass, else the first that fails, or "time"."""
    command = [sys.executable, "-m", "pytest", "-n", "0", "-x", "-q", "--no-header", "-p", "no:cacheprovider"]
    command += [f"--ignore-glob=*{name}" for name in LEFT_OUT]
    names = {
        **os.environ,
        "AGEZOO_PLAIN": "1",
        "PYTHONPATH": str(folder / "installed"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    try:
        done = subprocess.run(
            [*command, *tests],
            cwd=folder,
            env=names,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "time"
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return "" if done.returncode == 0 else (failed or done.stdout.splitlines() or ["it does not start"])[-1]


def run(every: dict[str, list[Part]], names: list[str], seconds: float, seed: int) -> int:
    """Edit until the time is over; returns how many edits nobody noticed."""
    chosen = random.Random(seed)
    survivors = 0
    for name in names:
        tried = noticed = 0
        end = time.monotonic() + seconds / len(names)
        with TemporaryDirectory() as place:
            folder = Path(place)
            copy_tree(folder)
            limits: dict[tuple[str, ...], float] = {}
            pools = {part.tests: [e for path in part.sources for e in edits(path)] for part in every[name]}
            while time.monotonic() < end:
                tests = chosen.choice([*pools])
                if tests not in limits:
                    start = time.monotonic()
                    said = notices(folder, tests, max(seconds, 600))
                    if said:
                        print(f"{name}: unedited, {' '.join(tests)} fail: {said}", flush=True)
                        return 1
                    limits[tests] = 30 + 3 * (time.monotonic() - start)
                    end += time.monotonic() - start
                    continue
                edit = chosen.choice(pools[tests])
                before = (folder / edit.path).read_text(encoding="utf-8")
                (folder / edit.path).write_text(
                    before[: edit.start] + edit.text + before[edit.end :], encoding="utf-8"
                )
                said = notices(folder, tests, limits[tests])
                (folder / edit.path).write_text(before, encoding="utf-8")
                tried += 1
                noticed += bool(said)
                if not said:
                    old = " ".join(before[edit.start : edit.end].split())
                    print(f"  not noticed: {edit.path}:{edit.line}: {old}  ->  {edit.text}", flush=True)
        survivors += tried - noticed
        print(f"{name}: {noticed} of {tried} edits noticed (seed {seed})", flush=True)
    return survivors


def main() -> int:
    """The command line; returns 0 if every edit was noticed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", help=f"default {', '.join(PARTS)}; or a game: rules of one")
    parser.add_argument(
        "--seconds", type=float, default=600, help="of edits, for all parts together; default 600"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the places that are edited")
    parser.add_argument("--sources", nargs="+", metavar="FILE", help="edit these files instead of parts")
    parser.add_argument("--tests", nargs="+", metavar="TEST", help="with --sources: what should notice")
    given = parser.parse_args()
    choices = parts()
    if given.sources:
        given.parts = ["sources"]
        choices["sources"] = [Part(tuple(map(Path, given.sources)), tuple(given.tests or ["tests"]))]
    unknown = sorted(set(given.parts) - set(choices))
    if unknown or given.seconds <= 0:
        parser.error(f"choose parts among {', '.join(choices)}, and a positive number of seconds")
    return int(run(choices, given.parts or [*PARTS], given.seconds, given.seed) > 0)


if __name__ == "__main__":
    sys.exit(main())
