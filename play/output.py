"""Output that any terminal can show, whatever its encoding."""

from __future__ import annotations

import codecs
import io
import sys
import unicodedata

_LIKE = {
    "×": "x",
    "–": "-",
    "—": "-",
    "−": "-",
    "·": ".",
    "•": "*",
    "…": "...",
    "→": "->",
    "≤": "<=",
    "≥": ">=",
}
_HANDLER = "agezoo-plain-letters"


def plain_letters(error: UnicodeError) -> tuple[str | bytes, int]:
    """An error handler of codecs: a letter without its accents, a sign like it, else a question mark."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_plain(sign) for sign in error.object[error.start : error.end]), error.end


def _plain(sign: str) -> str:
    bare = _LIKE.get(sign) or unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode()
    return bare or "?"


def make_safe() -> None:
    """From now on nothing that is printed fails for its letters."""
    codecs.register_error(_HANDLER, plain_letters)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_HANDLER)
