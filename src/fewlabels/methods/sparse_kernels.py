"""Steps of sparse label propagation, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.compiled import compiled

__all__ = ["propagate"]

A = NDArray[Any]


@compiled
def propagate(first: int, last: int, indptr: A, indices: A, weights: A, pace: A, v: A, u: A, F: A, v_next: A) -> None:
    """Do a primal-dual step: F_ij = clip(F_ij - (v_j - v_i)/2), then u_i -= pace_i sum_j w_ij F_ij.

    Every node keeps the flows of its own edges, so that a range of nodes needs nothing of another but v. Leaves
    v_next = 2 u - (u before).
    """
    c = u.shape[1]
    one, half = u.dtype.type(1.0), u.dtype.type(0.5)
    out, at = np.zeros(c, dtype=u.dtype), np.zeros(c, dtype=u.dtype)
    for i in range(first, last):
        for q in range(c):
            out[q] = 0
            at[q] = half * v[i, q]
        for e in range(indptr[i], indptr[i + 1]):
            j = np.uint64(indices[e])
            w = weights[e]
            for q in range(c):
                flow = F[e, q] - half * v[j, q] + at[q]
                flow = flow if flow > -one else -one
                flow = flow if flow < one else one
                F[e, q] = flow
                out[q] += w * flow
        for q in range(c):
            before = u[i, q]
            u[i, q] = before - pace[i] * out[q]
            v_next[i, q] = 2 * u[i, q] - before
