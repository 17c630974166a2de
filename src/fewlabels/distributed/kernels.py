"""The pass of a conjugate gradient step over a block's halo, compiled; those over its own rows are the solvers'."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.compiled import compiled

__all__ = ["follow"]

A = NDArray[Any]


@compiled
def follow(
    first: int,
    indptr: A,
    indices: A,
    data: A,
    root: A,
    group: A,
    length: A,
    share: A,
    lift: A,
    drop: A,
    V: A,
    R: A,
    AP: A,
) -> None:
    """AP = V + share AP + A Z lift and R -= length AP + root drop on the halo, the rows from `first` on.

    V holds the halo's rows alone.
    """
    c = R.shape[1]
    row = np.zeros(c, dtype=R.dtype)
    for i in range(first, R.shape[0]):
        for q in range(c):
            row[q] = V[i - first, q] + share[q] * AP[i, q]
        for e in range(indptr[i], indptr[i + 1], 2):
            h0, h1 = np.uint64(indices[e]), np.uint64(indices[e + 1])
            w0, w1 = data[e], data[e + 1]
            for q in range(c):
                row[q] += w0 * lift[h0, q] + w1 * lift[h1, q]
        s, g = root[i], group[i]
        for q in range(c):
            AP[i, q] = row[q]
            R[i, q] -= length[q] * row[q] + s * drop[g, q]
