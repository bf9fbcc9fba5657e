"""Kernels as Python that forgives nothing: where compiled code would read or write beside an array, a traceback.

NumPy, too, takes index -1 for the last element. In these functions every index into a field of the table or into a
table of components must be in range as it stands, and every number must fit the field that it is put into.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np

from ..plain import Ints, Record


class StrictInts(Ints):
    """An array that takes no index from behind."""

    def __getitem__(self, index: Any) -> Any:
        _refuse_outside(self, index)
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        _refuse_outside(self, index)
        super().__setitem__(index, value)


class StrictRecord(Record):
    """A table whose fields are `StrictInts`."""

    _arrays = StrictInts


class StrictNumpy:
    """NumPy, whose new arrays are `StrictInts`."""

    def __getattr__(self, name: str) -> Any:
        found = getattr(np, name)
        if name in ("zeros", "ones", "empty", "full", "arange", "array"):
            return lambda *args, **kwargs: found(*args, **kwargs).view(StrictInts)
        return found


def _refuse_outside(array: np.ndarray, index: Any) -> None:
    for axis, k in enumerate(index if isinstance(index, tuple) else (index,)):
        if isinstance(k, (int, np.integer)) and not 0 <= k < array.shape[axis]:
            raise IndexError(f"index {k} on axis {axis} of an array of shape {array.shape}")


@cache
def strict(function: Any) -> Callable[..., Any]:
    """The Python function behind a kernel, over strict kernels and strict arrays in turn; give it a `StrictRecord`."""
    source = getattr(function, "py_func", function)
    if not isinstance(source, FunctionType):
        return function  # wraps around on purpose, as chance does
    names = dict(source.__globals__)
    made = FunctionType(source.__code__, names, source.__name__, source.__defaults__)
    for name in source.__code__.co_names:
        found = names.get(name)
        if found is np:
            names[name] = StrictNumpy()
        elif isinstance(found, np.ndarray) and found.dtype.kind in "iubf":
            names[name] = found.view(StrictInts)
        elif found is not function and (
            hasattr(found, "py_func") or getattr(found, "__module__", "") == source.__module__
        ):
            names[name] = strict(found) if callable(found) and not isinstance(found, type) else found
    return np.errstate(over="ignore")(made) if hasattr(source, "__wraps_around__") else made
