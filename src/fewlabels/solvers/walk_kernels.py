"""Steps of a Chebyshev expansion of a walk, compiled: one on a range of rows, or all of a small graph in one call."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.compiled import compiled

__all__ = ["all_products", "diffuse"]

A = NDArray[Any]


@compiled
def diffuse(
    first: int,
    last: int,
    indptr: A,
    indices: A,
    data: A,
    middle: float,
    twice: float,
    pace: float,
    share: A,
    now: A,
    before: A,
    total: A,
) -> None:
    """Take a step of the Chebyshev recurrence, before = twice pace (M - middle) now - before; total += share before.

    On a range of rows, which have a multiple of four entries; every column has its own share.
    """
    centre, factor = now.dtype.type(middle), now.dtype.type(twice * pace)
    c = now.shape[1]
    row = np.zeros(c, dtype=now.dtype)
    for i in range(first, last):
        for q in range(c):
            row[q] = -centre * now[i, q]
        for e in range(indptr[i], indptr[i + 1], 4):
            j0, j1 = np.uint64(indices[e]), np.uint64(indices[e + 1])
            j2, j3 = np.uint64(indices[e + 2]), np.uint64(indices[e + 3])
            w0, w1, w2, w3 = data[e], data[e + 1], data[e + 2], data[e + 3]
            for q in range(c):
                row[q] += w0 * now[j0, q] + w1 * now[j1, q] + w2 * now[j2, q] + w3 * now[j3, q]
        for q in range(c):
            value = factor * row[q] - before[i, q]
            before[i, q] = value
            total[i, q] += share[q] * value


@compiled
def all_products(
    indptr: A, indices: A, data: A, middle: float, pace: float, shares: A, now: A, before: A, total: A
) -> None:
    """Add the terms of a Chebyshev expansion but the first to the total, which holds that; `before` is zero."""
    for k in range(1, len(shares)):
        twice = 2.0 if k > 1 else 1.0
        diffuse(0, indptr.size - 1, indptr, indices, data, middle, twice, pace, shares[k], now, before, total)
        now, before = before, now
