"""Steps along the edges of p-conductance learning, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.compiled import compiled

__all__ = ["split"]

A = NDArray[Any]


@compiled
def split(row: A, column: A, weights: A, u: A, y: A, pull: A) -> None:
    """With v = u_i - u_j + y let z be v shrunk for p = 3/2, y = v - z, and add w (z - y) to pull_i, less to pull_j.

    With s = |z|^(1/2) it is s + s^2 = |v|, and y has the size s.
    """
    for e in range(row.size):
        i, j, w = np.uint64(row[e]), np.uint64(column[e]), weights[e]
        for q in range(u.shape[1]):
            v = u[i, q] - u[j, q] + y[e, q]
            size = abs(v)
            s = 2.0 * size / (1.0 + np.sqrt(1.0 + 4.0 * size))
            s = s if v > 0.0 else -s
            y[e, q] = s
            flow = w * (abs(s) * s - s)
            pull[i, q] += flow
            pull[j, q] -= flow
