"""The cache: found again by another process, never stale, never in the way; plain functions behind kernels."""

import gc
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest
import tiny

from agezoo.envs.engine import chance, table
from agezoo.envs.engine import compile as compiling
from agezoo.envs.engine.compile import PACKAGE, kernel, lowest_bit, plain, specialize

PLAY = """
import json, sys, time
import tiny
from agezoo.envs.engine.compile import _folder
from agezoo.envs.engine.aec import TableEnv
env = TableEnv(tiny.GAME)
env.reset(seed=1)
while env.agents:
    done = env.terminations[env.agent_selection]
    env.step(None if done else env.random_action(5))
print(json.dumps([env.scores(), str(_folder(tiny.GAME.source))]))
"""


def play(cache, path, **more):
    """Play in a process of its own; returns scores, the cache folder and what was said on stderr."""
    names = {
        **os.environ,
        "AGEZOO_CACHE_DIR": str(cache),
        "PYTHONPATH": os.pathsep.join(map(str, path)),
        **more,
    }
    done = subprocess.run(
        [sys.executable, "-c", PLAY], env=names, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return *json.loads(done.stdout), done.stderr


def files(cache):
    return {path: path.stat().st_mtime_ns for path in Path(cache).rglob("*.nb?")}


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory):
    """A copy of engine and tiny game, with a cache of its own."""
    root = tmp_path_factory.mktemp("sandbox")
    skip = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PACKAGE / "engine", root / "agezoo" / "envs" / "engine", ignore=skip)
    shutil.copy(PACKAGE / "__init__.py", root / "agezoo" / "envs")
    shutil.copytree(Path(tiny.__file__).parent, root / "tiny", ignore=skip)
    return root


def test_cache_is_found_by_the_next_process_and_never_stale(sandbox):
    cache = sandbox / "cache"
    first, folder, said = play(cache, [sandbox])
    assert str(cache) in folder
    assert "compiling tiny" in said
    before = files(cache)
    assert len(before) > 5
    again, _, said = play(cache, [sandbox])
    assert again == first
    assert said == "", "nothing is compiled, nothing is said"
    assert files(cache) == before

    plain_scores, _, _ = play(cache, [sandbox], AGEZOO_PLAIN="1")
    assert plain_scores == first

    edited = sandbox / "tiny" / "__init__.py"
    edited.write_text(edited.read_text().replace("s.card[seat] + 1 + s.won", "s.card[seat] + 101 + s.won"))
    changed, other, said = play(cache, [sandbox])
    assert other != folder
    assert "compiling tiny" in said
    assert changed == {a: points + 100 if points else 0 for a, points in first.items()}


def test_an_edit_in_another_file_of_the_engine_counts(sandbox):
    """`eliminate` stands in table.py, which no file of the tiny game mentions in Numba's eyes."""
    digest = """
import tiny
from agezoo.envs.engine.compile import _folder
print(_folder(tiny.GAME.source))
"""
    names = {**os.environ, "PYTHONPATH": str(sandbox), "AGEZOO_CACHE_DIR": str(sandbox / "other")}

    def folder():
        return subprocess.run(
            [sys.executable, "-c", digest], env=names, capture_output=True, text=True, check=True
        ).stdout

    before = folder()
    assert folder() == before
    source = sandbox / "agezoo" / "envs" / "engine" / "chance.py"
    source.write_text(source.read_text() + "\n# edited\n")
    assert folder() != before


def test_an_unwritable_cache_is_done_without(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    compiling._writable.cache_clear()
    assert not compiling._writable(blocked / "cache")


def test_caches_that_nobody_used_for_a_month_are_swept(tmp_path):
    old, fresh, strange, own = (tmp_path / name for name in ("old", "fresh", "strange", "own"))
    for folder in (old, fresh, own):
        folder.mkdir()
        (folder / ".used").touch()
    strange.mkdir()
    os.utime(old / ".used", (0, 0))
    os.utime(own / ".used", (0, 0))
    compiling._sweep(own)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fresh", "own", "strange"]


def test_specialized_functions_are_made_once_and_know_their_game():
    made = specialize(table.deal, tiny.GAME)
    assert specialize(table.deal, tiny.GAME) is made
    function = getattr(made, "py_func", made)
    assert function.__qualname__ == "tiny_v0.deal"
    assert getattr(function.__globals__["setup"], "py_func", tiny.setup) is getattr(
        tiny.setup, "py_func", tiny.setup
    )
    assert "setup" not in table.deal.__globals__


def test_plain_functions_call_plain_functions():
    s = tiny.GAME.record(tiny.GAME.prototype(3))
    s.rng = np.uint64(1)
    plain(tiny.setup)(s)
    tiny.check(s)
    assert plain(len) is len
    assert int(plain(chance.mix)(np.uint64(0))) == 0


def test_the_lowest_bit_is_found_compiled_and_plain():
    found = compiling.entry(lowest_of)
    for bits in (1, 6, 1 << 40, (1 << 62) + (1 << 61), -8):
        assert found(bits) == lowest_of(bits) == np.binary_repr(bits, 64)[::-1].index("1")
    assert lowest_of(np.int16(-8)) == 3


def lowest_of(bits):
    return lowest_bit(bits)


def test_kernel_is_the_function_itself_in_plain_mode(monkeypatch):
    monkeypatch.setattr(compiling, "PLAIN", True)

    def function(s):
        return s

    assert kernel(function) is function
    assert compiling.entry(function) is function
    assert compiling.plain(function) is function


@numba.njit
def twice(n):
    return 2 * n


@kernel
def twice_and_one(n):
    return twice(n) + 1


@compiling.entry
def twice_and_two(n):
    return twice_and_one(n) + 1


@pytest.mark.skipif(compiling.PLAIN, reason="nothing is compiled in plain mode")
def test_a_kernel_has_no_machine_code_of_its_own_but_what_it_is_linked_with_has():
    assert twice_and_two(3) == 8
    assert twice(3) == 6, "an ordinary function keeps its own, though a kernel had it compiled"

    def in_the_machine(function):
        made = next(iter(function.overloads.values()))
        return made.library._codegen._engine.is_symbol_defined(made.fndesc.mangled_name)

    assert in_the_machine(twice)
    assert not in_the_machine(twice_and_one)
    with pytest.raises(TypeError, match="twice_and_one"):
        twice_and_one(3)


@pytest.mark.parametrize("enabled", [True, False])
def test_the_garbage_collector_rests_while_a_rulebook_is_compiled_and_is_then_as_before(enabled):
    before = gc.isenabled()

    def fail_to_compile():
        with compiling._no_garbage_collected():
            assert not gc.isenabled()
            raise KeyError

    try:
        (gc.enable if enabled else gc.disable)()
        with pytest.raises(KeyError):
            fail_to_compile()
        assert gc.isenabled() == enabled
    finally:
        (gc.enable if before else gc.disable)()
