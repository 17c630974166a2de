"""Checking: points at random, labelled without seeing the guess and never learnt from, give an honest accuracy."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

__all__ = ["random_order", "wilson"]

Z = 1.959963984540054
"""The normal quantile of 97.5%, for intervals that hold 19 times in 20."""


def random_order(n_points: int, checksum: str) -> NDArray[np.int64]:
    """Return all rows in a random order that belongs to the data, so that it is the same after a restart.

    Examples
    --------
    >>> sorted(random_order(4, "c0ffee").tolist())
    [0, 1, 2, 3]
    """
    return np.random.default_rng(int(checksum[:16], 16)).permutation(n_points)


def wilson(right: int, checked: int) -> tuple[float, float]:
    """Return Wilson's interval for a share, at 95%.

    Examples
    --------
    >>> [round(end, 3) for end in wilson(9, 10)]
    [0.596, 0.982]
    """
    share, squared = right / checked, Z * Z / checked
    middle = (share + squared / 2) / (1 + squared)
    half = Z / (1 + squared) * math.sqrt(share * (1 - share) / checked + squared / (4 * checked))
    return max(0.0, middle - half), min(1.0, middle + half)
