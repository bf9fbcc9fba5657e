"""The only file that knows how Numba is set up.

`@kernel` compiles a function of a rulebook; `@template` marks a loop of the engine that `specialize` compiles once
for each rulebook. With ``AGEZOO_PLAIN=1`` in the environment (or Numba's own ``NUMBA_DISABLE_JIT=1``) both leave
plain Python functions that a debugger can step through and that compute the same bytes. With
``AGEZOO_BOUNDSCHECK=1`` an index in compiled code that is negative or too large raises IndexError, where otherwise it
reads and writes somewhere else (conformance/edited.py plays so).

Compiled code is kept in one folder for each state of the sources (see cache.py): Numba by itself notices edits only in
the file of the compiled function, so a kernel that calls another file's kernel would go stale.

Some of this uses Numba's inside, which makes a rulebook compile in a fraction of the time and lets a cache be read that
cannot be written. With a version of Numba that is not known, or whose inside looks different, all is compiled by plain
``numba.njit``: the same bytes, later; a line on stderr says so. `tests/engine/test_compile.py` plays both ways.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import inspect
import os
import threading
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import llvmlite
import numba
import numba.extending
import numpy as np
from numba.core import config as _numba_config
from numba.core import types
from numba.core.errors import NumbaExperimentalFeatureWarning

from . import cache as kept
from .plain import Tables

if TYPE_CHECKING:
    from .game import Game

config: Any = _numba_config  # its settings are made at run time, unknown to type checkers
PACKAGE = kept.PACKAGE
PLAIN: bool = os.environ.get("AGEZOO_PLAIN", "") not in ("", "0") or bool(config.DISABLE_JIT)
BOUNDSCHECK: bool = os.environ.get("AGEZOO_BOUNDSCHECK", "") not in ("", "0") and not PLAIN

#: Versions of Numba whose inside is known; pyproject.toml asks for one of them.
KNOWN_NUMBA = ("0.68",)


def _inside() -> tuple[Any, str]:
    """What is used of Numba's inside; None, and why, for a Numba that is not known."""
    version = ".".join(numba.__version__.split(".")[:2])
    if version not in KNOWN_NUMBA:
        return None, f"agezoo knows Numba {', '.join(KNOWN_NUMBA)}, this is {numba.__version__}"
    try:
        from numba.core.codegen import JITCodeLibrary
        from numba.core.compiler import Compiler, CompileResult
        from numba.core.dispatcher import Dispatcher
        from numba.core.serialize import dumps
        from numba.cpython.unsafe.numbers import trailing_zeros

        found = SimpleNamespace(
            library=JITCodeLibrary,
            compiler=Compiler,
            result=CompileResult,
            dumps=dumps,
            trailing_zeros=trailing_zeros,
        )
        uses = {
            JITCodeLibrary: (
                "get_pointer_to_function",
                "_finalize_final_module",
                "_finalize_dynamic_globals",
            ),
            Compiler: ("define_pipelines",),
            CompileResult: ("_reduce", "_rebuild"),
            Dispatcher: ("compile", "get_call_template", "enable_caching"),
        }
        for owner, names in uses.items():
            for name in names:
                getattr(owner, name)
    except (ImportError, AttributeError) as error:
        return None, f"the inside of Numba {numba.__version__} is not as agezoo knows it ({error})"
    return found, ""


_numba, _WHY_NOT = _inside()


@cache
def _say_if_unknown() -> None:
    """Once in a process."""
    if _numba is None:
        kept.say(f"agezoo: {_WHY_NOT}: compiling takes longer\n")


def _kernel_compiler() -> Any:
    """Numba's compiler, for kernels: their code is linked into other code alone, never made into machine code itself.

    A quarter of the time that a rulebook takes to compile went there.
    """

    def finalize(self: Any) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    linked = type(
        "LinkedCode",
        (_numba.library,),
        {
            "codegen": SimpleNamespace(
                set_env=lambda name, env: None
            ),  # where Python would find its constants
            "get_pointer_to_function": lambda self, name: 0,  # None: Python cannot call it
            "_finalize_final_module": finalize,
        },
    )

    def pipelines(self: Any) -> Any:
        self.state.library = linked(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        return _numba.compiler.define_pipelines(self)

    return type("KernelCompiler", (_numba.compiler,), {"define_pipelines": pipelines})


def _index_as_it_is(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """In place of Numba's own, which adds `size` to a negative index before it is checked."""
    del size
    return context.cast(builder, index, kind, types.intp)


if BOUNDSCHECK:
    from numba.np import arrayobj

    arrayobj.fix_integer_index = _index_as_it_is

_OUTER: dict[str, Any] = {"nogil": True, "error_model": "numpy", "boundscheck": BOUNDSCHECK}
_INNER = _OUTER
_KERNEL = _OUTER
if _numba is not None and not PLAIN:
    _INNER = {**_INNER, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    _KERNEL = {**_INNER, "pipeline_class": _kernel_compiler()}


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
    made: Any = numba.njit(**_KERNEL)(function)
    if _widens(made.__class__):
        made.__class__ = _refusing(made.__class__)
    return made


@cache
def _widens(dispatcher: Any) -> bool:
    """Whether a call of one compiled function by another is typed where it always was.

    It is the one thing inside Numba that is used whatever its version: some rulebooks compile no other way.
    """
    try:
        return list(inspect.signature(dispatcher.get_call_template).parameters) == ["self", "args", "kws"]
    except (AttributeError, TypeError, ValueError):
        return False


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
    if _numba is None:
        return _lowest_by_halves
    trailing_zeros = _numba.trailing_zeros

    def compiled(bits: Any) -> Any:
        return trailing_zeros(bits)

    return compiled


def _lowest_by_halves(bits: Any) -> Any:
    """The same in steps: is there a bit in the lower half of what is left?"""
    lowest = 0
    for width in (32, 16, 8, 4, 2, 1):
        if bits & ((1 << width) - 1) == 0:
            bits >>= width
            lowest += width
    return lowest


def entry(function: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel that Python calls, too: compiled with a wrapper and cached."""
    return function if PLAIN else _compile(function, function.__qualname__, _home(function))


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
        game.specialized[function] = (
            made if PLAIN else _compile(made, game.env_name, game.source, _home(function))
        )
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


#: One thread at a time makes a rulebook ready.
preparing = threading.RLock()


@contextlib.contextmanager
def announced(game: Game, steps: int) -> Iterator[Callable[[str], None]]:
    """Say on stderr that `game` is being compiled, if anything of it is missing in the cache.

    Yields:
        A function to call before each of the `steps`, with its name.
    """
    if PLAIN:
        yield lambda what: None
        return
    _say_if_unknown()
    told, finished = kept.Announcement(game.name, steps), False
    with kept.work_on(place(game.source), game.env_name) as work, _no_garbage_collected():
        work.listener = told.begin
        try:
            yield told.tick
            finished = True
        finally:
            work.listener = lambda: None
            told.end(work.lost, finished)


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


def _compile(function: Callable[..., Any], name: str, *sources: Path) -> Callable[..., Any]:
    """Compile for Python, with a cache for what stands in the files `sources`; `name` is whose code it is."""
    made: Any = numba.njit(**_OUTER)(function)
    if _numba is not None:
        made._cache = _Cache(function, sources, name)
    elif hasattr(made, "_cache"):
        _enable_plain_caching(made, sources)
        made._cache = _Forgiving(made._cache, sources, name)
    else:
        return made
    made.__class__ = _one_at_a_time(made.__class__)
    return made


@cache
def _one_at_a_time(dispatcher: Any) -> Any:
    """Numba's class of compiled functions, but that compiling is the `Work` of its rulebook."""

    def compile_alone(self: Any, sig: Any) -> Any:
        with self._cache.working(), warnings.catch_warnings():
            # every game has its own code; Numba thinks of the code of one whose fields are the first of this one's, too
            warnings.filterwarnings("ignore", ".* considered a subtype of", NumbaExperimentalFeatureWarning)
            return dispatcher.compile(self, sig)

    return type("Entry", (dispatcher,), {"compile": compile_alone})


class _AlwaysOn:
    """What Numba asks of a cache, and what is nothing to one that keeps files alone."""

    def enable(self) -> None:
        """It always is."""

    def disable(self) -> None:
        """It cannot be."""

    def flush(self) -> None:
        """Nothing is kept in memory."""


class _Watched(_AlwaysOn, ABC):
    """What stands where Numba has the cache of one compiled function, and asks this process's turn before compiling.

    Abstract: `_Cache` and `_Forgiving` say where it is kept.
    """

    def __init__(self, sources: tuple[Path, ...], name: str) -> None:
        self.sources, self.name = sources, name
        self.work = kept.Work(None, name)

    @contextlib.contextmanager
    def working(self) -> Iterator[None]:
        """While the function is being compiled."""
        with kept.work_on(place(*self.sources), self.name) as self.work:
            yield

    @property
    def cache_path(self) -> str:
        """As in Numba's own."""
        return str(place(*self.sources))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function for argument types `sig`; None if there is none and it is for us to compile it."""
        target_context.refresh()
        found = self.found(sig, target_context)
        if found is None and self.work.take_turn():
            found = self.found(sig, target_context)  # another process may have compiled it while we waited
            if found is not None:
                self.work.pass_turn()
        if found is None:
            self.work.missed()
        return found

    @abstractmethod
    def found(self, sig: Any, target_context: Any) -> Any:
        """The same, whose turn it may be."""


class _Cache(_Watched):
    """A cache that never fails: it reads what cannot be written, and what is damaged is missing."""

    def __init__(self, function: Callable[..., Any], sources: tuple[Path, ...], name: str) -> None:
        super().__init__(sources, name)
        self._stem = f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}".replace(
            "<", ""
        ).replace(">", "")
        self._code = hashlib.sha256(function.__code__.co_code).hexdigest()

    def _path(self, key: tuple[Any, ...]) -> Path | None:
        where = place(*self.sources)
        name = hashlib.blake2b(repr(key).encode(), digest_size=10).hexdigest()
        return None if where is None else where / f"{self._stem}-{name}.nbc"

    def _key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        """Argument types, processor, code."""
        return sig, codegen.magic_tuple(), self._code

    def found(self, sig: Any, target_context: Any) -> Any:
        """What the file holds."""
        key = self._key(sig, target_context.codegen())
        path = self._path(key)
        data = None if path is None else kept.load(path, key)
        if data is None:
            return None
        try:
            return _numba.result._rebuild(target_context, *data)
        except Exception:  # no code after all: compile it
            return None

    def save_overload(self, sig: Any, compiled: Any) -> None:
        """Keep it, if that can be."""
        key = self._key(sig, compiled.codegen)
        path = self._path(key)
        if path is None or compiled.lifted or compiled.library.has_dynamic_globals:
            return
        where = place(*self.sources)
        if where is not None and not kept.writable(where):
            self.work.lost = f"{where} cannot be written"
            return
        try:
            kept.save(path, _numba.dumps((key, compiled._reduce())))
        except Exception as error:
            self.work.lost = f"{where}: {getattr(error, 'strerror', None) or error}"


def _enable_plain_caching(made: Any, sources: tuple[Path, ...]) -> None:
    """Numba's own cache, in our folder; none where that cannot be written, lest it goes beside the sources."""
    where = place(*sources)
    if where is None or not kept.writable(where):
        made._cache = None
        return
    before = getattr(config, "CACHE_DIR", "")
    config.CACHE_DIR = str(where)  # read once, when caching is enabled
    try:
        made.enable_caching()
        inside = Path(made.stats.cache_path).is_relative_to(where)
    except Exception:
        inside = False
    finally:
        config.CACHE_DIR = before
    if not inside:
        made._cache = None


class _Forgiving(_Watched):
    """Numba's own cache, whose errors are no reason not to play."""

    def __init__(self, cache: Any, sources: tuple[Path, ...], name: str) -> None:
        super().__init__(sources, name)
        self._inner = cache

    def found(self, sig: Any, target_context: Any) -> Any:
        """What Numba's cache has; a damaged one is emptied."""
        if self._inner is None:
            return None
        try:
            return self._inner.load_overload(sig, target_context)
        except Exception:
            with contextlib.suppress(Exception):
                self._inner.flush()
            return None

    def save_overload(self, sig: Any, compiled: Any) -> None:
        """Keep it, if that can be."""
        if self._inner is None:
            self.work.lost = "there is no folder for it that can be written"
            return
        try:
            self._inner.save_overload(sig, compiled)
        except Exception as error:
            self.work.lost = str(getattr(error, "strerror", None) or error)


def _home(function: Callable[..., Any]) -> Path:
    """The file that a function stands in."""
    return Path(function.__code__.co_filename)


def place(*sources: Path) -> Path | None:
    """The cache folder for code that stands in the files `sources`; None where none can be."""
    flags = f"{getattr(config, 'OPT', '')} {getattr(config, 'BOUNDSCHECK', '')} {BOUNDSCHECK}"
    way = "plain" if _numba is None else "known"
    return kept.folder(f"{numba.__version__} {llvmlite.__version__} {np.__version__} {flags} {way}", *sources)
