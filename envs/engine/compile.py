"""The only file that knows how Numba is set up.

`@kernel` compiles a function of a rulebook; `@template` marks a loop of the engine that `specialize` compiles once
for each rulebook. With ``AGEZOO_PLAIN=1`` in the environment (or Numba's own ``NUMBA_DISABLE_JIT=1``) both leave
plain Python functions that a debugger can step through and that compute the same bytes. With
``AGEZOO_BOUNDSCHECK=1`` an index in compiled code that is negative or too large raises IndexError, where otherwise it
reads and writes somewhere else (conformance/edited.py plays so).

Compiled code is cached in one folder for each state of the sources: Numba by itself notices edits only in the file
of the compiled function, so a kernel that calls another file's kernel would go stale. The folder is
``$AGEZOO_CACHE_DIR``, or ``agezoo`` in the user's cache folder.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import numba
import numba.extending
import numpy as np
from numba.core import config as _numba_config
from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.cpython.unsafe.numbers import trailing_zeros as _trailing_zeros
from numba.np import arrayobj as _arrayobj

from .plain import Tables

if TYPE_CHECKING:
    from .game import Game

config: Any = _numba_config  # its settings are made at run time, unknown to type checkers
trailing_zeros: Any = _trailing_zeros  # type checkers miss an argument that Numba gives
PACKAGE = Path(__file__).resolve().parent.parent
PLAIN: bool = os.environ.get("AGEZOO_PLAIN", "") not in ("", "0") or bool(config.DISABLE_JIT)
BOUNDSCHECK: bool = os.environ.get("AGEZOO_BOUNDSCHECK", "") not in ("", "0") and not PLAIN
_UNUSED_FOR = 30 * 24 * 3600.0  # seconds after which the cache of other sources is swept


class _LinkedCode(JITCodeLibrary):
    """Code that is linked into other code alone, and so never made into machine code of its own.

    A quarter of the time that a rulebook takes to compile went there.
    """

    codegen = SimpleNamespace(set_env=lambda name, env: None)  # where Python would find its constants

    def get_pointer_to_function(self, name: str) -> int:
        """None: Python cannot call it."""
        return 0

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


class _KernelCompiler(Compiler):
    """Numba's compiler, for kernels."""

    def define_pipelines(self) -> Any:
        self.state.library = _LinkedCode(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        return super().define_pipelines()


def _index_as_it_is(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """In place of Numba's own, which adds `size` to a negative index before it is checked."""
    del size
    return context.cast(builder, index, kind, types.intp)


if BOUNDSCHECK:
    _arrayobj.fix_integer_index = _index_as_it_is

_OUTER: dict[str, Any] = {"nogil": True, "error_model": "numpy", "boundscheck": BOUNDSCHECK}
_INNER: dict[str, Any] = {
    **_OUTER,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile `function` for use in other kernels and in templates; it runs without holding the GIL.

    Python itself cannot call it (see `entry` and `plain`): without the wrapper for that, and without a cache entry of
    its own, a rulebook compiles in two thirds of the time.

    Args:
        function: a module-level function without closure.

    Returns:
        The compiled function, or `function` itself in plain mode.
    """
    if PLAIN:
        return function
    made: Any = numba.njit(pipeline_class=_KernelCompiler, **_INNER)(function)
    made.__class__ = _refusing(made.__class__)
    return made


@cache
def _refusing(dispatcher: Any) -> Any:
    """Numba's class of compiled functions, but for two things.

    Calls from Python, which would crash without a wrapper, are refused. And a kernel is compiled once for all small
    integers, enum members and constants that it is called with, as for int64; Numba would compile it, and all that it
    calls, for each constant anew.
    """

    def refuse(self: Any, *args: Any, **kwargs: Any) -> Any:
        name = self.py_func.__name__
        raise TypeError(f"kernel {name} is for other kernels and templates; plain({name}) is for Python")

    def template_of_call(self: Any, args: Any, kws: Any) -> Any:
        wide = {name: _widened(kind) for name, kind in kws.items()}
        return dispatcher.get_call_template(self, tuple(_widened(kind) for kind in args), wide)

    return type("Kernel", (dispatcher,), {"__call__": refuse, "get_call_template": template_of_call})


def _widened(kind: Any) -> Any:
    """int64 for what is a smaller integer, a constant or an enum member; any other type as it is."""
    kind = types.unliteral(kind)
    whole = isinstance(kind, (types.Integer, types.IntEnumMember)) and kind != types.uint64
    return types.int64 if whole else kind


def wrapping_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel whose unsigned arithmetic wraps around on purpose; plain NumPy scalars would warn."""
    function.__wraps_around__ = True  # type: ignore[attr-defined]
    return np.errstate(over="ignore")(function) if PLAIN else kernel(function)


def lowest_bit(bits: Any) -> int:
    """The number of the lowest bit that is set in an int64 other than 0, for kernels; one instruction in those."""
    return (int(bits) & -int(bits)).bit_length() - 1


@numba.extending.overload(lowest_bit)
def _lowest_bit(bits: Any) -> Callable[[Any], Any]:
    def compiled(bits: Any) -> Any:
        return trailing_zeros(bits)

    return compiled


def entry(function: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel that Python calls, too: compiled with a wrapper and cached."""
    return function if PLAIN else _compile(function, _folder(Path(function.__code__.co_filename)))


def plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """The Python function behind a kernel, calling the Python functions behind its kernels in turn.

    For words and pictures, which need a rule now and then and are in no hurry. Give it records that know their fields
    as attributes (`Game.record`).
    """
    if PLAIN or not hasattr(function, "py_func"):
        return function
    return _plain(function)


def new_tables(count: int, dtype: np.dtype[Any]) -> np.ndarray:
    """`count` tables of zeros."""
    states = np.zeros(count, dtype)
    return states.view(Tables) if PLAIN else states


def copied(states: np.ndarray) -> np.ndarray:
    """A copy of `states`; NumPy's own copies a structured array field by field, twenty times slower."""
    return np.ndarray.__new__(type(states), states.shape, states.dtype, bytearray(states.tobytes()))


def _spare(states: Any, count: int) -> Any:
    return np.empty(count, states.dtype)


#: Room for `count` more tables like `states`, for use in templates.
spare: Callable[[Any, int], Any] = (
    (lambda states, count: new_tables(count, states.dtype)) if PLAIN else kernel(_spare)
)


@cache
def _plain(function: Any) -> Callable[..., Any]:
    source = function.py_func
    names = dict(source.__globals__)
    made = FunctionType(source.__code__, names, source.__name__, source.__defaults__)
    for name in source.__code__.co_names:
        if name in names and names[name] is not function and hasattr(names[name], "py_func"):
            names[name] = _plain(names[name])
    return np.errstate(over="ignore")(made) if hasattr(source, "__wraps_around__") else made


def template(function: Callable[..., Any]) -> Callable[..., Any]:
    """Mark an engine function that calls a rulebook's kernels by name, to be compiled by `specialize`."""
    function.__is_template__ = True  # type: ignore[attr-defined]
    return function


def specialize(function: Callable[..., Any], game: Game) -> Callable[..., Any]:
    """Compile a template for one rulebook.

    The template's code runs over its own globals plus the kernels of `game` (``legal``, ``apply``, ...) and the other
    templates that it calls, specialised too. A closure over the kernels would never be found in Numba's cache, for
    its key would hold a random id; a function with the rulebook in its qualified name is.

    Args:
        function: a function marked by `template`.
        game: the rulebook.

    Returns:
        The compiled function; the same object at every call with the same arguments.
    """
    if function not in game.specialized:
        made = _over(function, game)
        game.specialized[function] = made if PLAIN else _compile(made, _folder(game.source))
    return game.specialized[function]


@cache
def _in_place(function: Any) -> Any:
    """A kernel or template that stands in place of its calls: what is no function of its own is optimised once less."""
    return numba.njit(inline="always", **_INNER)(getattr(function, "py_func", function))


def _inner(function: Callable[..., Any], game: Game) -> Callable[..., Any]:
    """A template for use in other templates."""
    key = function, "inner"
    if key not in game.specialized:
        made = _over(function, game)
        game.specialized[key] = made if PLAIN else _in_place(made)
    return game.specialized[key]


def _over(function: Callable[..., Any], game: Game) -> FunctionType:
    """The template's code over the kernels of `game`."""
    names = {**function.__globals__, **game.kernels}
    for name in function.__code__.co_names:
        if getattr(names.get(name), "__is_template__", False):
            names[name] = _inner(names[name], game)
        elif name in game.kernels and hasattr(names[name], "py_func") and not PLAIN:
            names[name] = _in_place(names[name])
    made = FunctionType(function.__code__, names, function.__name__, function.__defaults__)
    made.__qualname__ = f"{game.name}_v{game.version}.{function.__name__}"
    made.__module__ = function.__module__
    made.__doc__ = function.__doc__
    return made


@contextlib.contextmanager
def announced(game: Game, steps: int) -> Iterator[Callable[[str], None]]:
    """Say on stderr that `game` is being compiled, unless its cache is warm.

    Yields:
        A function to call before each of the `steps`, with its name.
    """
    marker = None if PLAIN else _folder(game.source) / f"{game.name}_v{game.version}.compiled"
    if marker is None or marker.exists():
        yield lambda what: None
        return
    start, done = time.monotonic(), 0

    def tick(what: str) -> None:
        nonlocal done
        done += 1
        bar = "#" * done + "." * (steps - done)
        end = "" if sys.stderr.isatty() else "\n"
        lead = "\r" if sys.stderr.isatty() else ""
        if sys.stderr.isatty() or done == 1:
            sys.stderr.write(
                f"{lead}agezoo: compiling {game.name}, once for this version  [{bar}] {what:<12}{end}"
            )
            sys.stderr.flush()

    with _no_garbage_collected():
        yield tick
    with contextlib.suppress(OSError):
        marker.touch()
    lead = "\r" if sys.stderr.isatty() else ""
    seconds = time.monotonic() - start
    sys.stderr.write(
        f"{lead}agezoo: compiled {game.name} in {seconds:.1f} s{' ' * (steps + 40)}\n".rstrip() + "\n"
    )


@contextlib.contextmanager
def _no_garbage_collected() -> Iterator[None]:
    """Millions of objects are made in compiling: to look for garbage among them took a tenth of the time.

    What is not collected meanwhile comes to some 130 MiB in Age of Heroes.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _compile(function: Callable[..., Any], folder: Path) -> Callable[..., Any]:
    """Compile with a cache in `folder`."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)  # read once, when the dispatcher is made
    try:
        return numba.njit(cache=_writable(folder), **_OUTER)(function)
    finally:
        config.CACHE_DIR = before


@cache
def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / ".used").touch()
    except OSError:
        return False
    _sweep(folder)
    return True


def _sweep(folder: Path) -> None:
    """Remove the caches of sources that nobody has run for a month."""
    for other in folder.parent.iterdir():
        used = other / ".used"
        with contextlib.suppress(OSError):
            if other != folder and used.exists() and time.time() - used.stat().st_mtime > _UNUSED_FOR:
                shutil.rmtree(other, ignore_errors=True)


def _folder(source: Path) -> Path:
    """The cache folder for code that stands in `source`: beside the package, its own folder counts too."""
    source = source.resolve()
    if source.is_relative_to(PACKAGE):
        return _root() / _digest(PACKAGE)
    return _root() / _digest(PACKAGE, source.parent)


def _root() -> Path:
    chosen = os.environ.get("AGEZOO_CACHE_DIR")
    if chosen:
        return Path(chosen).expanduser()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "agezoo"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "agezoo" / "cache"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "agezoo"


@cache
def _digest(*folders: Path) -> str:
    """A name for the state of all sources: code, component tables, Numba's and Python's versions."""
    digest = hashlib.blake2b(digest_size=10)
    digest.update(f"{numba.__version__} {np.__version__} {sys.version_info[:2]} {PACKAGE}".encode())
    digest.update(b"boundscheck" if BOUNDSCHECK else b"")
    for folder in folders:
        for suffix in ("*.py", "*.toml"):
            for path in sorted(folder.rglob(suffix)):
                digest.update(str(path.relative_to(folder)).encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()
