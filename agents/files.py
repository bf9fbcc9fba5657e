"""Files that are whole or not there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Write to the path that this yields; only when that went well does it take the place of `path`.

    Whatever goes wrong in between, `path` stays as it was and nothing is left beside it.
    """
    partial = path.with_name(path.name + ".part")
    try:
        yield partial
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write `text`, whole or not at all."""
    with replacing(path) as partial:
        partial.write_text(text, encoding="utf-8")


def write_json(path: Path, what: Any) -> None:
    """Write `what` as JSON, whole or not at all."""
    write_text(path, json.dumps(what, indent=1) + "\n")


def can_write(folder: Path) -> None:
    """Try to write a file in `folder`, which is made for that, and leave everything as it was.

    Raises:
        OSError: it cannot be done.
    """
    made = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".agezoo-probe"
        try:
            probe.write_bytes(b"")
        finally:
            probe.unlink(missing_ok=True)
    finally:
        for path in made:
            with suppress(OSError):  # it was never made
                path.rmdir()
