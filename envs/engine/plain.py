"""Tables for plain Python: records whose fields read as Python's own integers.

NumPy's small integers keep their small type in arithmetic (``200 + np.int8(1)`` overflows) where Numba widens to 64
bits. A kernel that runs uncompiled therefore gets a `Record`: the same bytes, read as int and bool. A number that does
not fit its field raises OverflowError here, where compiled code would wrap around in silence.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

_element = np.ndarray.__getitem__
_KEPT = (np.ndarray, np.uint64)  # uint64 stays, for random numbers count on its wrapping around


class Ints(np.ndarray):
    """An array whose single elements read as Python's own numbers."""

    def __getitem__(self, index: Any) -> Any:
        found = _element(self, index)
        return found if isinstance(found, _KEPT) else found.item()

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(len(self)))


class Record:
    """One table: a view of a structured scalar, with its fields as attributes (and by name in brackets).

    A field that is an array is looked up once: what it gives is a view, which never goes stale.
    """

    _arrays: type[Ints] = Ints
    _void: np.void

    def __init__(self, void: np.void) -> None:
        self.__dict__["_void"] = void

    def __getattr__(self, name: str) -> Any:
        try:
            value = self._void[name]
        except ValueError:
            raise AttributeError(f"the table has no field {name!r}") from None
        if isinstance(value, np.ndarray):
            value = self.__dict__[name] = value.view(self._arrays)
            return value
        return value if isinstance(value, np.uint64) else value.item()

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        self._void[name] = value

    __setitem__ = __setattr__

    def tobytes(self) -> bytes:
        """The bytes of the table."""
        return self._void.tobytes()


class Tables(np.ndarray):
    """An array of tables whose single elements read and write as `Record`."""

    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)
        if isinstance(found, np.void):
            return Record(found)
        return found if isinstance(found, np.ndarray) and found.dtype.names else np.asarray(found)

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(index, value._void if isinstance(value, Record) else value)
