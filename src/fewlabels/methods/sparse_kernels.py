"""Steps of sparse label propagation, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.compiled import compiled

__all__ = ["propagate"]

A = NDArray[Any]


@compiled
def propagate(indptr: A, indices: A, weights: A, pace: A, held: A, given: A, u: A, lead: A, out: A, F: A) -> None:
    """Do a primal-dual step: F_ij = clip(F_ij + lead_i - lead_j), then u_i -= pace_i sum_j w_ij F_ij.

    Leaves lead = u - (u before) / 2. Every edge is there once, at its first end; `out` gathers what flows out of every
    node, and is zero before and after. By the time that a node's own edges are done it has all its flows, and no later
    edge of the step asks for its `lead`. `held` are nodes with a label, and `given` their values, NaN in columns where
    they have none.
    """
    c = u.shape[1]
    one, half = u.dtype.type(1.0), u.dtype.type(0.5)
    for i in range(u.shape[0]):
        for e in range(indptr[i], indptr[i + 1]):
            j = np.uint64(indices[e])
            w = weights[e]
            for q in range(c):
                flow = F[e, q] + (lead[i, q] - lead[j, q])
                flow = flow if flow > -one else -one
                flow = flow if flow < one else one
                F[e, q] = flow
                out[i, q] += w * flow
                out[j, q] -= w * flow
        for q in range(c):
            change = pace[i] * out[i, q]
            u[i, q] -= change
            lead[i, q] = half * (u[i, q] - change)
            out[i, q] = 0
    for h in range(held.size):
        for q in range(c):
            if not np.isnan(given[h, q]):
                u[held[h], q] = given[h, q]
                lead[held[h], q] = half * given[h, q]
