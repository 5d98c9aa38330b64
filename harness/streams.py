"""Random streams by hashing: the same numbers on any machine, in compiled code and in NumPy alike.

Seeds are never added, for neighbouring runs would then share games; every stream's start is a hash of
what it belongs to. The finaliser is SplitMix64's (Steele, Lea and Flood, "Fast splittable pseudorandom
number generators", OOPSLA 2014).

All functions take and return unsigned 64-bit values: NumPy arrays of ``uint64`` in plain Python, and
scalars in compiled code.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import register_jitable

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_M1 = np.uint64(0xBF58476D1CE4E5B9)
_M2 = np.uint64(0x94D049BB133111EB)
_S30 = np.uint64(30)
_S27 = np.uint64(27)
_S31 = np.uint64(31)


@register_jitable
def mix(z: Any) -> Any:
    """Scramble 64 bits one to one (SplitMix64's finaliser).

    Parameters
    ----------
    z : uint64 or ndarray of uint64

    Returns
    -------
    uint64 or ndarray of uint64
    """
    z = (z ^ (z >> _S30)) * _M1
    z = (z ^ (z >> _S27)) * _M2
    return z ^ (z >> _S31)


@register_jitable
def combine(a: Any, b: Any) -> Any:
    """Hash two 64-bit values into one; the order matters: ``combine(a, b) != combine(b, a)``.

    Parameters
    ----------
    a, b : uint64 or ndarray of uint64
        In plain Python at least one of them an array (scalars would warn of overflow).

    Returns
    -------
    uint64 or ndarray of uint64
    """
    return mix(mix(a + GOLDEN) ^ (b * GOLDEN + _M1))
