"""The cache: found again by another process, never stale, never in the way; plain functions behind kernels."""

import dataclasses
import gc
import hashlib
import json
import os
import pickle
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numba
import numpy as np
import pytest
import tiny

from agezoo.envs.engine import cache as kept
from agezoo.envs.engine import chance, table
from agezoo.envs.engine import compile as compiling
from agezoo.envs.engine.compile import PACKAGE, entry, kernel, lowest_bit, plain, specialize

PLAY = """
import json, sys, time
import tiny
from agezoo.envs.engine.compile import place
from agezoo.envs.engine.aec import TableEnv
env = TableEnv(tiny.GAME)
env.reset(seed=1)
while env.agents:
    done = env.terminations[env.agent_selection]
    env.step(None if done else env.random_action(5))
print(json.dumps([env.scores(), str(place(tiny.GAME.source))]))
"""


def play(cache, path, before="", **more):
    """Play in a process of its own, after the code `before`; returns scores, the cache folder and what stderr says."""
    names = {
        **os.environ,
        "AGEZOO_CACHE_DIR": str(cache),
        "PYTHONPATH": os.pathsep.join(map(str, path)),
        **more,
    }
    done = subprocess.run(
        [sys.executable, "-c", before + PLAY], env=names, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return *json.loads(done.stdout), done.stderr


def files(cache):
    return {path: path.stat().st_mtime_ns for path in Path(cache).rglob("*.nb?")}


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory):
    """A copy of engine and tiny game, with a cache of its own."""
    return copy_of_the_engine(tmp_path_factory.mktemp("sandbox"))


def copy_of_the_engine(root):
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
from agezoo.envs.engine.compile import place
print(place(tiny.GAME.source))
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


# -- whatever may be wrong with the cache ---------------------------------------------------------------------------

# Root may write anywhere, so that permissions prove nothing here: this refuses, in every call that reaches the system,
# what a file system that is mounted read-only refuses.
READ_ONLY = """
import errno, os, sys
def refuse(event, arguments):
    changes = event in ("os.mkdir", "os.utime", "os.rename", "os.remove", "os.rmdir", "os.truncate")
    if event == "open":
        changes = bool(arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
    if changes and isinstance(arguments[0], (str, bytes)) and "/cache" in os.fsdecode(arguments[0]):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), arguments[0])
sys.addaudithook(refuse)
"""

HOMELESS = """
import os, pwd
for name in ("HOME", "XDG_CACHE_HOME", "AGEZOO_CACHE_DIR"):
    os.environ.pop(name, None)
def nobody(uid):
    raise KeyError(f"getpwuid(): uid not found: {uid}")
pwd.getpwuid = nobody
"""

FULL = """
import errno, os, pathlib
def fill(self, data):
    with open(self, "wb") as file:
        file.write(data[: len(data) // 2])
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self))
pathlib.Path.write_bytes = fill
"""

MUTE = """
import sys
sys.stderr = None
"""


@pytest.fixture(scope="module")
def warm(tmp_path_factory):
    """Another copy, with a cache that is filled and what was played with it: (root, cache, scores)."""
    root = copy_of_the_engine(tmp_path_factory.mktemp("warm"))
    scores, _, said = play(root / "cache", [root])
    assert "compiled tiny" in said
    return root, root / "cache", scores


def nothing_beside_the_sources(root):
    return [path for path in root.rglob("*") if path.suffix in (".nbi", ".nbc") and "cache" not in path.parts]


def test_a_warm_cache_is_used_where_it_cannot_be_written(warm, tmp_path):
    root, filled, scores = warm
    cache = shutil.copytree(filled, tmp_path / "cache")
    before = files(cache)
    assert play(cache, [root], READ_ONLY)[::2] == (scores, "")
    assert files(cache) == before


@pytest.mark.parametrize(
    ("trouble", "reason"),
    [(READ_ONLY, "cannot be written"), (HOMELESS, "no folder"), (FULL, "No space left")],
)
def test_without_a_cache_it_compiles_says_why_and_plays(warm, tmp_path, trouble, reason):
    root, _, scores = warm
    found, _, said = play(tmp_path / "cache", [root], trouble)
    assert found == scores
    assert "compiled tiny" in said
    assert reason in said.partition("could not be kept")[2]
    assert said.count("\n") == 3
    assert files(tmp_path) == {}
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and path.suffix not in ("", ".lock")]
    assert nothing_beside_the_sources(root) == []


def test_without_stderr_it_compiles_and_plays(warm, tmp_path):
    root, _, scores = warm
    assert play(tmp_path / "cache", [root], MUTE)[::2] == (scores, "")
    assert play(tmp_path / "cache", [root])[::2] == (scores, "")


def test_damaged_files_are_thrown_away_and_made_anew(warm, tmp_path):
    root, filled, scores = warm
    cache = shutil.copytree(filled, tmp_path / "cache")
    paths = sorted(files(cache))
    whole = {path: path.read_bytes() for path in paths}

    def half(raw):
        return len(raw) // 2

    damages = [
        lambda raw: raw[: half(raw)],
        lambda raw: b"",
        lambda raw: b"garbage" * 100,
        lambda raw: raw[: half(raw)] + bytes([raw[half(raw)] ^ 1]) + raw[half(raw) + 1 :],  # one bit
        lambda raw: hashlib.blake2b(b"no pickle", digest_size=20).digest() + b"no pickle",
        lambda raw: whole[paths[0]],  # another function's
    ]
    for path, damage in zip(paths, [*damages, *damages], strict=False):
        path.write_bytes(damage(whole[path]))
    again, _, said = play(cache, [root])
    assert again == scores
    assert "compiled tiny" in said
    assert play(cache, [root])[::2] == (scores, "")
    assert {path.name for path in files(cache)} == {path.name for path in paths}


def test_a_changed_byte_anywhere_is_noticed(tmp_path):
    """Machine code that is nearly right would be run."""
    path, key = tmp_path / "file.nbc", ("key", 1)
    kept.save(path, pickle.dumps((key, b"code" * 10)))
    whole = path.read_bytes()
    assert kept.load(path, key) == b"code" * 10
    assert kept.load(path, ("key", 2)) is None
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert kept.load(path, key) is None
    assert [found.name for found in tmp_path.iterdir()] == ["file.nbc"]


@pytest.mark.parametrize("home", ["", "relative/folder"])
def test_an_empty_or_relative_cache_folder_of_the_system_does_not_count(monkeypatch, tmp_path, home):
    """Or a folder called agezoo would come up where Python looks for the package."""
    monkeypatch.setattr(kept.sys, "platform", "linux")
    monkeypatch.delenv("AGEZOO_CACHE_DIR", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", home)
    assert kept.root() == tmp_path / ".cache" / "agezoo"


def test_beside_a_script_no_folders_are_searched(tmp_path, monkeypatch):
    """A game in a script in somebody's home: what lies in folders below is nobody's business."""
    monkeypatch.setenv("AGEZOO_CACHE_DIR", str(tmp_path / "cache"))
    script = tmp_path / "script.py"
    script.write_text("")
    (tmp_path / "deep").mkdir()
    found = []
    for text in ("", "#", "# edited"):
        (tmp_path / "deep" / "other.py").write_text(text)
        kept._digest.cache_clear()
        found.append(kept.folder("", script))
    assert found[0] == found[1] == found[2]
    script.write_text("# edited")
    kept._digest.cache_clear()
    assert kept.folder("", script) != found[0]
    assert kept.folder("", tmp_path / "<stdin>") is None


# -- several processes -----------------------------------------------------------------------------------------------


def test_processes_that_start_together_compile_once(warm, tmp_path):
    root, _, scores = warm
    with ThreadPoolExecutor(3) as pool:
        played = list(pool.map(lambda _: play(tmp_path / "cache", [root]), range(3)))
    assert [found for found, _, _ in played] == [scores] * 3
    assert sum("compiled tiny" in said for _, _, said in played) == 1


HOLD = """
import sys, time
from pathlib import Path
from agezoo.envs.engine import cache
with cache.work_on(Path(sys.argv[1]), "tiny_v0") as work:
    assert work.take_turn()
    print("held", flush=True)
    time.sleep(600)
"""


def test_a_lock_ends_with_its_holder_and_is_not_waited_for_for_ever(tmp_path, monkeypatch, capsys):
    holder = subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout.readline() == "held\n"
        monkeypatch.setattr(kept, "PATIENCE", 0.2)
        with kept.work_on(tmp_path, "tiny_v0") as work:
            assert not work.take_turn()
        assert "no longer waiting" in capsys.readouterr().err
    finally:
        holder.kill()
        holder.communicate()
    with kept.work_on(tmp_path, "tiny_v0") as work:
        assert work.take_turn()
        assert not work.take_turn(), "it is this one's turn already"
        with kept.work_on(tmp_path, "tiny_v0") as same:
            assert same is work
    assert kept._works == {}


def test_threads_make_a_game_ready_once(monkeypatch):
    game, made = dataclasses.replace(tiny.GAME, name="tiny_for_threads"), []

    def prepare(self):
        time.sleep(0.2)
        made.append(self)

    monkeypatch.setattr(type(game), "_prepare", prepare)
    monkeypatch.setattr("agezoo.envs.engine.game.specialize", lambda function, game: len(made))
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda _: game.compiled(table.deal), range(4))) == [1] * 4


# -- broken off ------------------------------------------------------------------------------------------------------

BREAK_OFF = """
import sys
from agezoo.envs.engine import table
class Stop(table.Run):
    def refresh(self, *arguments, **more):
        raise KeyboardInterrupt
whole, table.Run = table.Run, Stop
import tiny
from agezoo.envs.engine.aec import TableEnv
try:
    TableEnv(tiny.GAME)
except KeyboardInterrupt:
    table.Run = whole
else:
    raise AssertionError("not interrupted")
assert "ready" not in tiny.GAME.specialized
from agezoo.envs.engine import cache
assert cache._works == {}, "somebody would wait for it"
"""


def test_after_ctrl_c_in_the_compiling_a_game_is_not_ready_but_can_be_made_so(warm, tmp_path):
    root, _, scores = warm
    found, _, said = play(tmp_path / "cache", [root], BREAK_OFF)
    assert found == scores
    assert "compiling tiny was broken off" in said
    assert said.count("compiled tiny in") == 1
    assert play(tmp_path / "cache", [root])[::2] == (scores, "")


# -- a Numba that is not known ---------------------------------------------------------------------------------------

UNKNOWN = """
import numba
numba.__version__ = "0.99.0"
"""
STRANGE = """
from numba.core.dispatcher import Dispatcher
del Dispatcher.enable_caching
"""


@pytest.mark.parametrize(
    ("change", "says"), [(UNKNOWN, "this is 0.99.0"), (STRANGE, "not as agezoo knows it")]
)
def test_an_unknown_numba_compiles_the_plain_way_the_same_bytes(warm, tmp_path, change, says):
    root, _, scores = warm
    found, _, said = play(tmp_path / "cache", [root], change)
    assert found == scores
    assert said.count(says) == 1
    assert "compiled tiny" in said
    assert nothing_beside_the_sources(root) == []


@pytest.mark.parametrize("trouble", [READ_ONLY, HOMELESS, None])
def test_an_unknown_numba_plays_whatever_the_cache(warm, tmp_path, trouble):
    """Numba's own cache, which knows of no trouble, is then the one that is used."""
    root, _, scores = warm
    cache = tmp_path / "cache"
    if trouble is None:
        assert play(cache, [root], UNKNOWN)[0] == scores
        assert "compiled" not in play(cache, [root], UNKNOWN)[2], "found again"
        for number, path in enumerate(sorted(files(cache))):
            path.write_bytes(path.read_bytes()[: 100 * (number % 2)])
    assert play(cache, [root], UNKNOWN + (trouble or ""))[0] == scores
    assert nothing_beside_the_sources(root) == []


def test_the_versions_of_numba_that_are_known_are_those_that_are_asked_for():
    asked = re.search(r'"numba>=([0-9.]+),<([0-9.]+)"', (PACKAGE.parent / "pyproject.toml").read_text())
    low, high = (int(version.split(".")[1]) for version in asked.groups())
    assert tuple(f"0.{minor}" for minor in range(low, high)) == compiling.KNOWN_NUMBA
    assert compiling._numba is not None


def test_the_lowest_bit_is_found_without_numbas_inside():
    for bits in (1, 6, 1 << 40, (1 << 62) + (1 << 61), -8, -(1 << 63)):
        assert compiling._lowest_by_halves(bits) == lowest_bit(bits)


def test_caches_that_nobody_used_for_a_month_are_swept(tmp_path):
    old, fresh, strange, own = (tmp_path / name for name in ("old", "fresh", "strange", "own"))
    for folder in (old, fresh, own):
        folder.mkdir()
        (folder / ".used").touch()
    strange.mkdir()
    os.utime(old / ".used", (0, 0))
    os.utime(own / ".used", (0, 0))
    kept.sweep(own)
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


@kernel
def _doubled(s):
    return 2 * s.first


@entry
def _first_doubled(states):
    return _doubled(states[0])


@pytest.mark.skipif(compiling.PLAIN, reason="nothing is compiled in plain mode")
def test_a_game_whose_fields_are_the_first_of_another_is_no_reason_to_warn(recwarn):
    """Numba would take the code of the one for the other, and says so, though each is compiled on its own."""
    short = np.dtype([("first", np.int8)])
    long = np.dtype([("first", np.int8), ("second", np.int8)])
    assert [_first_doubled(np.ones(2, kind)) for kind in (short, long)] == [2, 2]
    assert [str(said.message) for said in recwarn] == []
