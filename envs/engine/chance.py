"""Random numbers kept inside the table.

The generator is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014): 64 bits
of state in the field ``rng``, so that a copy of a table has the same future, and a reseeded copy another. Bounded
integers are unbiased (Lemire, "Fast random integer generation in an interval", 2019).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .compile import kernel, wrapping_kernel

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_LOW_32 = np.uint64(0xFFFFFFFF)
_TWO_32 = np.uint64(1 << 32)


@wrapping_kernel
def mix(x: np.uint64) -> np.uint64:
    """SplitMix64's finalizer: uint64 to uint64, every input bit stirs every output bit."""
    x = (x ^ (x >> _S30)) * _MIX_1
    x = (x ^ (x >> _S27)) * _MIX_2
    return x ^ (x >> _S31)


@wrapping_kernel
def next_seed(seed: np.uint64) -> np.uint64:
    """The seed of the table that is dealt after the table of `seed`."""
    return mix(seed + _GAMMA)


@wrapping_kernel
def table_seed(seed: np.uint64, table: int) -> np.uint64:
    """The seed of the first table number `table` of a batch that was reset with `seed`."""
    return mix(mix(seed) + _GAMMA * np.uint64(table + 1))


@wrapping_kernel
def next_uint64(s: Any) -> np.uint64:
    """64 random bits; advances ``s.rng``."""
    s.rng = s.rng + _GAMMA
    return mix(s.rng)


@wrapping_kernel
def randint(s: Any, n: int) -> Any:
    """A uniform integer (int64) from 0 to n - 1, for 1 <= n < 2**31."""
    bound = np.uint64(n)
    product = (next_uint64(s) >> _S32) * bound
    low = product & _LOW_32
    if low < bound:
        threshold = (_TWO_32 - bound) % bound
        while low < threshold:
            product = (next_uint64(s) >> _S32) * bound
            low = product & _LOW_32
    return np.int64(product >> _S32)


DIE = 6  # faces of a die


@kernel
def roll(s: Any) -> Any:
    """One six-sided die: 1 to 6."""
    return randint(s, DIE) + 1


@kernel
def shuffle(s: Any, cards: Any, start: int, stop: int) -> None:
    """Put ``cards[start:stop]`` into a uniformly random order (Fisher and Yates)."""
    for i in range(stop - 1, start, -1):
        j = start + randint(s, i - start + 1)
        kept = cards[i]
        cards[i] = cards[j]
        cards[j] = kept


@kernel
def draw(s: Any, counts: Any) -> int:
    """Take one of the things counted in `counts` (int array), each equally likely: its kind, or -1 if there is none."""
    total = 0
    for kind in range(len(counts)):
        total += counts[kind]
    if total == 0:
        return -1
    left = randint(s, total)
    for kind in range(len(counts)):
        left -= counts[kind]
        if left < 0:
            counts[kind] -= 1
            return kind
    return -1
