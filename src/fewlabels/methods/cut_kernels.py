"""Steps of CutSSL beside its solves, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.compiled import compiled

__all__ = ["moved", "residual"]

A = NDArray[Any]


@compiled
def residual(indptr: A, indices: A, data: A, pull: A, hold: A, V: A, Y: A, Z: A, left: A) -> None:
    """Set left = B - A V, B what pull + hold (Y - Z) has beside its mean over a row's classes.

    Rows of A have a multiple of four entries.
    """
    c = V.shape[1]
    row = np.empty(c)
    for i in range(V.shape[0]):
        mean = 0.0
        for q in range(c):
            row[q] = pull[i, q] + hold[i] * (Y[i, q] - Z[i, q])
            mean += row[q]
        mean /= c
        for q in range(c):
            row[q] -= mean
        for e in range(indptr[i], indptr[i + 1], 4):
            j0, j1 = np.uint64(indices[e]), np.uint64(indices[e + 1])
            j2, j3 = np.uint64(indices[e + 2]), np.uint64(indices[e + 3])
            w0, w1, w2, w3 = data[e], data[e + 1], data[e + 2], data[e + 3]
            for q in range(c):
                row[q] -= w0 * V[j0, q] + w1 * V[j1, q] + w2 * V[j2, q] + w3 * V[j3, q]
        for q in range(c):
            left[i, q] = row[q]


@compiled
def moved(V: A, change: A, level: A, by: A, middle: float, Y: A, Z: A, labels: A) -> int:
    """Add change - level by' to V; set X = V + middle, Y = max(X + Z, 0), Z <- Z + X - Y; count labels that change."""
    count = 0
    for i in range(V.shape[0]):
        best, at = -1.0, 0
        for q in range(V.shape[1]):
            v = V[i, q] + change[i, q] - level[i] * by[q]
            x = v + middle + Z[i, q]
            y = x if x > 0.0 else 0.0
            V[i, q], Y[i, q], Z[i, q] = v, y, x - y
            at = q if y > best else at
            best = y if y > best else best
        count += at != labels[i]
        labels[i] = at
    return count
