"""Random draws by counter for compiled parts: a number depends on (row's key, step, channel) and on nothing else.

So thread count, chunking and the order of rows change no bit, and children of a fork, which keep the key of their own
place, differ. Streams for ordinary NumPy code are in `surefoot.seeding`.
"""

from __future__ import annotations

import math
from typing import Any

import numba
import numpy as np

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_A, _MIX_B = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_CHANNEL = np.uint64(0xD1B54A32D192ED03)


@numba.njit
def _mixed(x: Any) -> Any:
    """The finaliser of SplitMix64 (Steele, Lea, Flood 2014): every input bit changes every output bit."""
    x = (x ^ (x >> np.uint64(30))) * _MIX_A
    x = (x ^ (x >> np.uint64(27))) * _MIX_B
    return x ^ (x >> np.uint64(31))


@numba.njit
def uniform(key: int, step: int, channel: int) -> float:
    """A number in [0, 1) with 53 random bits."""
    x = _mixed(np.uint64(key) + np.uint64(step) * _GOLDEN)
    x = _mixed(x + np.uint64(channel) * _CHANNEL)
    return float(x >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@numba.njit
def normal(key: int, step: int, channel: int) -> float:
    """A standard normal number (Box-Muller); uses channels 2 channel and 2 channel + 1 of `uniform`."""
    u, w = uniform(key, step, 2 * channel), uniform(key, step, 2 * channel + 1)
    return math.sqrt(-2.0 * math.log(1.0 - u)) * math.cos(2.0 * math.pi * w)


def row_keys(key: int, rows: int) -> np.ndarray:
    """One key for each row's place, int64 (rows,); plain NumPy, so that starting a batch compiles nothing."""
    counters = np.uint64(key) + np.arange(1, rows + 1, dtype=np.uint64) * _GOLDEN
    return _mixed.py_func(counters).astype(np.int64)
