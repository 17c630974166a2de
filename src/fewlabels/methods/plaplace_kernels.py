"""Sweeps of game-theoretic p-Laplace learning, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.compiled import compiled

__all__ = ["relax"]

A = NDArray[Any]


@compiled
def relax(indptr: A, indices: A, share: A, free: A, mean_share: Any, over: Any, u: A) -> Any:
    """One Gauss-Seidel sweep of the game-theoretic p-Laplacian over the free nodes; return the largest change.

    Every change is made `over` times as large. Rows have a multiple of four entries, spare ones of no share pointing to
    a neighbour.
    """
    c = u.shape[1]
    low, high, mean = np.empty(c, dtype=u.dtype), np.empty(c, dtype=u.dtype), np.empty(c, dtype=u.dtype)
    half, change = (u.dtype.type(1) - mean_share) / u.dtype.type(2), u.dtype.type(0)
    for r in range(free.size):
        i = free[r]
        j = np.uint64(indices[indptr[i]])
        for q in range(c):
            low[q] = u[j, q]
            high[q] = u[j, q]
            mean[q] = 0
        for e in range(indptr[i], indptr[i + 1], 4):
            j0, j1 = np.uint64(indices[e]), np.uint64(indices[e + 1])
            j2, j3 = np.uint64(indices[e + 2]), np.uint64(indices[e + 3])
            w0, w1, w2, w3 = share[e], share[e + 1], share[e + 2], share[e + 3]
            for q in range(c):
                x0, x1, x2, x3 = u[j0, q], u[j1, q], u[j2, q], u[j3, q]
                mean[q] += w0 * x0 + w1 * x1 + w2 * x2 + w3 * x3
                least, most = x0 if x0 < x1 else x1, x0 if x0 > x1 else x1
                least, most = x2 if x2 < least else least, x2 if x2 > most else most
                least, most = x3 if x3 < least else least, x3 if x3 > most else most
                low[q] = least if least < low[q] else low[q]
                high[q] = most if most > high[q] else high[q]
        for q in range(c):
            step = over * (mean_share * mean[q] + half * (low[q] + high[q]) - u[i, q])
            change = max(change, abs(step))
            u[i, q] += step
    return change
