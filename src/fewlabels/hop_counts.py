"""How many edges each node is away from some of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.csgraph import breadth_first_order

__all__ = ["hop_counts"]


def hop_counts(weights: Any, nodes: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """Return for every node the number of edges to the nearest of `nodes`; -1 where no path leads there.

    All of them are reached from one further node by a single search, in a time that does not grow with the depth.

    Examples
    --------
    >>> hop_counts(sp.csr_array(np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1)), np.array([0])).tolist()
    [0, 1, 2, 3]
    """
    n = weights.shape[0]
    indices = np.append(weights.indices, nodes.astype(weights.indices.dtype))
    ends = np.append(weights.indptr, indices.size).astype(weights.indptr.dtype)
    order, came_from = breadth_first_order(
        sp.csr_array((np.ones(indices.size), indices, ends), shape=(n + 1, n + 1)), n
    )
    place = np.empty(n + 1, dtype=np.int64)
    place[order] = np.arange(order.size)
    before = place[came_from[order[1:]]]
    hops = np.full(n, -1, dtype=np.int64)
    start, end, distance = 0, 1, -1
    while start < end:
        hops[order[max(start, 1) : end]] = distance
        start, end, distance = end, 1 + int(np.searchsorted(before, end)), distance + 1
    return hops
