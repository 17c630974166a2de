"""Both triangles of a symmetric factorisation, compiled: for many columns at once, and without the interpreter."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.compiled import compiled

__all__ = ["solve_in_place"]

A = NDArray[Any]


@compiled
def solve_in_place(indptr: A, indices: A, data: A, pivots: A, Y: A) -> None:
    """Y = (L D L')^-1 Y. The columns of L begin with the one on its diagonal; D = diag(pivots)."""
    n, c = Y.shape
    for j in range(n):
        last = indptr[j + 1]
        e = indptr[j] + 1
        while e + 3 < last:
            i0, i1 = np.uint64(indices[e]), np.uint64(indices[e + 1])
            i2, i3 = np.uint64(indices[e + 2]), np.uint64(indices[e + 3])
            w0, w1, w2, w3 = data[e], data[e + 1], data[e + 2], data[e + 3]
            for q in range(c):
                value = Y[j, q]
                Y[i0, q] -= w0 * value
                Y[i1, q] -= w1 * value
                Y[i2, q] -= w2 * value
                Y[i3, q] -= w3 * value
            e += 4
        for left in range(e, last):
            i0, w0 = np.uint64(indices[left]), data[left]
            for q in range(c):
                Y[i0, q] -= w0 * Y[j, q]
    row = np.zeros(c)
    for j in range(n - 1, -1, -1):
        for q in range(c):
            row[q] = Y[j, q] / pivots[j]
        last = indptr[j + 1]
        e = indptr[j] + 1
        while e + 3 < last:
            i0, i1 = np.uint64(indices[e]), np.uint64(indices[e + 1])
            i2, i3 = np.uint64(indices[e + 2]), np.uint64(indices[e + 3])
            w0, w1, w2, w3 = data[e], data[e + 1], data[e + 2], data[e + 3]
            for q in range(c):
                row[q] -= w0 * Y[i0, q] + w1 * Y[i1, q] + w2 * Y[i2, q] + w3 * Y[i3, q]
            e += 4
        for left in range(e, last):
            i0, w0 = np.uint64(indices[left]), data[left]
            for q in range(c):
                row[q] -= w0 * Y[i0, q]
        for q in range(c):
            Y[j, q] = row[q]
