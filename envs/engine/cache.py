"""Where compiled code is kept, and who compiles it when several processes start together.

There is one folder for each state of the sources, below ``$AGEZOO_CACHE_DIR`` or ``agezoo`` in the user's cache folder,
and in it one file for each compiled function and processor. Whoever can write there can have code run as you, as with
any Python cache.

Nothing here stops play. A folder that cannot be written is read all the same; a damaged file counts as missing and is
written anew; without any folder, or with a full disk, code is compiled at every start, and a line on stderr says so.
A lock (``flock``, or its like on Windows) makes processes that start together compile once: the system gives it back
when its holder ends, however that ends, so it cannot go stale. Where a file system knows no locks, or the holder takes
longer than `PATIENCE` (it may have been stopped), each compiles for itself.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import shutil
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import IO, Any

if sys.platform == "win32":
    import msvcrt
else:
    try:
        import fcntl
    except ImportError:  # a system with neither
        fcntl = None  # type: ignore[assignment]

PACKAGE = Path(__file__).resolve().parent.parent
PATIENCE = 600.0  # seconds to wait for another process to compile the same; it takes some twenty
_UNUSED_FOR = 30 * 24 * 3600.0  # seconds after which the cache of other sources is swept
_CHECKSUM = 20  # bytes
_POLL = 0.05  # seconds


# -- folders ---------------------------------------------------------------------------------------------------------


def root() -> Path | None:
    """The folder above those of all sources; None for a user without a home."""
    try:
        return (_chosen() or _usual()).absolute()
    except (RuntimeError, KeyError, OSError):  # no HOME and an unknown user; a working directory that is gone
        return None


def _chosen() -> Path | None:
    given = os.environ.get("AGEZOO_CACHE_DIR")
    return Path(given).expanduser() if given else None


def _usual() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "agezoo"
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "agezoo" / "cache"
    shared = os.environ.get("XDG_CACHE_HOME", "")  # which has to be absolute, or it does not count
    return (Path(shared) if shared.startswith("/") else Path.home() / ".cache") / "agezoo"


def folder(setup: str, *sources: Path) -> Path | None:
    """The cache folder for code that stands in the files `sources`.

    Args:
        setup: versions of what compiles; part of the folder's name, as the package's own sources are.
        *sources: beyond the package, the folder of each file counts too.

    Returns:
        None where nothing can be kept: no cache folder, or code that stands in no file.
    """
    above = root()
    if above is None or not all(source.is_file() for source in sources):
        return None
    homes = {source.resolve().parent for source in sources}
    others = sorted(home for home in homes if not home.is_relative_to(PACKAGE))
    try:
        return above / _digest(setup, PACKAGE, *others)
    except OSError:
        return None


@cache
def _digest(setup: str, *folders: Path) -> str:
    """A name for the state of all sources: code and component tables, and what compiles them."""
    digest = hashlib.blake2b(f"{setup} {sys.version_info[:2]} {PACKAGE}".encode(), digest_size=10)
    for home in folders:
        deep = "**/" if (home / "__init__.py").exists() else ""  # beside a script there may be anything
        for suffix in ("*.py", "*.toml"):
            for path in sorted(home.glob(f"{deep}{suffix}")):
                digest.update(str(path.relative_to(home)).encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()


@cache
def writable(place: Path) -> bool:
    """Whether the folder can be written to; it is made, and marked as used today."""
    try:
        place.mkdir(parents=True, exist_ok=True)
        (place / ".used").touch()
    except OSError:
        return False
    sweep(place)
    return True


def sweep(place: Path) -> None:
    """Remove the caches of sources that nobody has run for a month."""
    with contextlib.suppress(OSError):
        for other in place.parent.iterdir():
            used = other / ".used"
            with contextlib.suppress(OSError):
                if other != place and used.exists() and time.time() - used.stat().st_mtime > _UNUSED_FOR:
                    shutil.rmtree(other, ignore_errors=True)


# -- files -----------------------------------------------------------------------------------------------------------


def load(path: Path, key: Any) -> Any:
    """What was saved there under `key`; None for a file that is missing, damaged or about something else."""
    try:
        raw = path.read_bytes()
        checksum, body = raw[:_CHECKSUM], raw[_CHECKSUM:]
        if hashlib.blake2b(body, digest_size=_CHECKSUM).digest() != checksum:
            return None
        found, data = pickle.loads(body)
    except Exception:  # a file can be wrong in any way
        return None
    return data if found == key else None


def save(path: Path, body: bytes) -> None:
    """Save a pickled pair of key and data, whole or not at all.

    Raises:
        OSError: it cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{uuid.uuid4().hex[:16]}")
    try:
        draft.write_bytes(hashlib.blake2b(body, digest_size=_CHECKSUM).digest() + body)
        draft.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise


# -- one process at a time -------------------------------------------------------------------------------------------


class Work:
    """The compiling of one rulebook, as far as other processes and the person waiting are concerned.

    Attributes:
        listener: called when something is found missing in the cache, before it is compiled.
        lost: why something compiled was not kept; empty if all was.
    """

    def __init__(self, place: Path | None, name: str) -> None:
        self.name = name
        self.place = place
        self.listener: Callable[[], None] = lambda: None
        self.lost = "" if place is not None else "there is no folder for it"
        self.users = 0
        self._lock: IO[bytes] | None = None
        self._alone = place is None  # do not ask for the lock (any more)

    def take_turn(self) -> bool:
        """Wait until no other process compiles this. False: it is this one's turn already, or there is no lock."""
        if self._lock is not None or self._alone or self.place is None:
            return False
        self._alone = True  # until it is had
        try:
            writable(self.place)
            file = (self.place / f"{self.name}.lock").open("ab")
        except OSError:
            return False
        try:
            had = self._wait_for(file)
        except OSError:  # no locks on this file system
            had = False
        except BaseException:
            file.close()
            raise
        if not had:
            file.close()
            return False
        self._lock, self._alone = file, False
        return True

    def _wait_for(self, file: IO[bytes]) -> bool:
        start, told = time.monotonic(), False
        while not _locked(file):
            waited = time.monotonic() - start
            if waited > PATIENCE:
                say(f"agezoo: another process has been compiling {self.name} for long; no longer waiting\n")
                return False
            if waited > 1 and not told:
                say(f"agezoo: waiting for another process, which is compiling {self.name}\n")
                told = True
            time.sleep(_POLL)
        return True

    def pass_turn(self) -> None:
        """Let other processes go on."""
        if self._lock is not None:
            with contextlib.suppress(OSError):
                _unlock(self._lock)
            self._lock.close()
            self._lock = None

    def missed(self) -> None:
        """Something is not in the cache and will be compiled."""
        self.listener()


_works: dict[tuple[Path | None, str], Work] = {}
_guard = threading.Lock()


@contextlib.contextmanager
def work_on(place: Path | None, name: str) -> Iterator[Work]:
    """The `Work` on what is called `name`: one for all threads and all functions of a rulebook, while any is at it."""
    with _guard:
        work = _works.setdefault((place, name), Work(place, name))
        work.users += 1
    try:
        yield work
    finally:
        with _guard:
            work.users -= 1
            if not work.users:
                del _works[place, name]
                work.pass_turn()


if sys.platform == "win32":

    def _locked(file: IO[bytes]) -> bool:
        try:
            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True

    def _unlock(file: IO[bytes]) -> None:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)

else:

    def _locked(file: IO[bytes]) -> bool:
        if fcntl is None:
            raise OSError("no locks on this system")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            return False
        return True

    def _unlock(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_UN)


# -- words -----------------------------------------------------------------------------------------------------------


def say(text: str) -> None:
    """Write to stderr, if there is one: a program without a console has None, a daemon a closed one."""
    with contextlib.suppress(AttributeError, OSError, ValueError):
        sys.stderr.write(text)
        sys.stderr.flush()


def _at_terminal() -> bool:
    try:
        return bool(sys.stderr.isatty())
    except (AttributeError, OSError, ValueError):
        return False


class Announcement:
    """Says on stderr that a rulebook is being compiled, from the moment that something is missing in the cache.

    Args:
        name: the rulebook.
        steps: how often `tick` will be called.
    """

    def __init__(self, name: str, steps: int) -> None:
        self.name, self.steps = name, steps
        self._start = time.monotonic()
        self._done, self._what = 0, ""
        self._begun, self._terminal = False, _at_terminal()

    def tick(self, what: str) -> None:
        """Go on to the next step."""
        self._done, self._what = self._done + 1, what
        if self._begun and self._terminal:
            self._draw()

    def begin(self) -> None:
        """Something has to be compiled."""
        if not self._begun:
            self._begun = True
            self._draw()

    def end(self, lost: str, finished: bool) -> None:
        """Say how long it took, and why it was not kept if it was `lost`; or that it was not `finished`."""
        if not self._begun:
            return
        lead, clear = ("\r", " " * (self.steps + 40)) if self._terminal else ("", "")
        if not finished:
            say(f"{lead}agezoo: compiling {self.name} was broken off{clear}\n")
            return
        seconds = time.monotonic() - self._start
        say(f"{lead}agezoo: compiled {self.name} in {seconds:.1f} s{clear}".rstrip() + "\n")
        if lost:
            say(
                f"agezoo: the compiled code could not be kept ({lost}), so the next start compiles again; "
                "AGEZOO_CACHE_DIR names a folder for it\n"
            )

    def _draw(self) -> None:
        bar = "#" * self._done + "." * (self.steps - self._done)
        lead, end = ("\r", "") if self._terminal else ("", "\n")
        say(
            f"{lead}agezoo: compiling {self.name}, once for this version  [{bar}] {self._what:<12}".rstrip(
                " "
            )
            + end
        )
