"""Distances -> edge weights, and making them symmetric."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.spelling import known_names

__all__ = ["WEIGHTS", "edge_lengths", "edge_weights", "symmetric"]

WEIGHTS = ("gaussian", "uniform")
SHORTEST_LENGTH = 1e-100
"""The length of an edge between duplicates: a sparse matrix would drop a zero, and the edge with it."""


def edge_weights(distances: NDArray[np.float64], kind: str = "gaussian") -> NDArray[np.float64]:
    """Turn neighbour distances, nearest first, into weights.

    "gaussian" is self-tuning: w_ij = exp(-4 |x_i - x_j|^2 / d_K(x_i)^2), where d_K is the distance of the farthest
    listed neighbour. A point whose listed neighbours are all its duplicates (d_K = 0) gives each the weight 1.
    "uniform" gives every neighbour the weight 1.

    Examples
    --------
    >>> edge_weights(np.array([[0.0, 1.0, 2.0], [0.0, 0.0, 0.0]])).round(3).tolist()
    [[1.0, 0.368, 0.018], [1.0, 1.0, 1.0]]
    """
    if kind == "uniform":
        return np.ones_like(distances)
    if kind != "gaussian":
        raise FewlabelsError(f"weights={kind!r} is not known; {known_names(kind, WEIGHTS)}.")
    farthest = distances.max(axis=1, keepdims=True)
    ratio = np.divide(distances, farthest, out=np.zeros_like(distances), where=farthest > 0)
    return np.asarray(np.exp(-4.0 * ratio**2))


def symmetric(indices: NDArray[np.int64], weights: NDArray[np.float64]) -> Any:
    """Return (W + W') / 2 as a CSR array, without self-loops."""
    one_way = _one_way(indices, weights)
    return sp.csr_array((one_way + one_way.T) / 2)


def edge_lengths(indices: NDArray[np.int64], distances: NDArray[np.float64]) -> Any:
    """Return the distance along every edge of the symmetric graph, at least SHORTEST_LENGTH."""
    one_way = _one_way(indices, np.maximum(distances, SHORTEST_LENGTH))
    return sp.csr_array(one_way.maximum(one_way.T))


def _one_way(indices: NDArray[np.int64], values: NDArray[np.float64]) -> Any:
    n, k = indices.shape
    rows, columns = np.repeat(np.arange(n), k), indices.ravel()
    others = rows != columns
    return sp.csr_array((values.ravel()[others], (rows[others], columns[others])), shape=(n, n))
