"""A coarse picture of a graph: aggregates of neighbouring nodes, and exact solves on them.

Conjugate gradients spend most of their steps on the few slow modes that vary over the whole graph. Those are nearly
constant on small aggregates, so P C^-1 P' with P the aggregates' indicator columns and C = P' L P takes care of them,
and the degrees take care of the rest.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.linalg import cho_factor
from scipy.linalg.lapack import dpotri

from fewlabels.graph import Graph
from fewlabels.solvers.base import Block

__all__ = ["CoarseCorrection", "aggregates", "aggregates_of"]

MOST_AGGREGATES = 4000


class CoarseCorrection:
    """R -> D^-1 R + P C^-1 P' R, symmetric and positive: a preconditioner for A = D - (what is off its diagonal).

    C^-1 is kept in single precision. It only guides the steps; the residual stays in double.

    Parameters
    ----------
    matrix : CSR array, shape (n, n)
        A: a graph Laplacian, or a definite matrix made from one.
    aggregate : ndarray of int, shape (n,)
        The aggregate of each row.
    null : ndarray of int, shape (n,), optional
        For a singular A, the component of each row, whose constants A maps to zero.
    """

    def __init__(self, matrix: Any, aggregate: NDArray[np.int64], null: NDArray[np.int64] | None = None) -> None:
        diagonal = matrix.diagonal()
        self._scale = np.divide(1.0, diagonal, out=np.zeros_like(diagonal), where=diagonal > 0)[:, None]
        self._aggregate = np.unique(aggregate, return_inverse=True)[1]
        n, k = matrix.shape[0], int(self._aggregate.max()) + 1
        self._restrict = sp.csr_array((np.ones(n), (self._aggregate, np.arange(n))), shape=(k, n))
        coarse = (self._restrict @ matrix @ self._restrict.T).toarray()
        if null is not None:
            # C is singular along the constant of each component; a small rank-one lift there makes it definite.
            component = np.zeros(k, dtype=np.int64)
            component[self._aggregate] = null
            coarse += (np.trace(coarse) or 1.0) / k**2 * (component[:, None] == component[None, :])
        self._size = float(coarse.diagonal().mean()) or 1.0
        self._inverse = _inverse(coarse / self._size).astype(np.float32)

    def __call__(self, R: Block) -> Block:
        """Apply the preconditioner."""
        coarse = self._restrict @ R
        size = float(np.abs(coarse).max(initial=0.0)) or 1.0
        correction = self._inverse @ (coarse / size).astype(np.float32)
        Z = self._scale * R
        Z += (correction * (size / self._size))[self._aggregate]
        return np.asarray(Z)


def _inverse(C: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the inverse of a symmetric positive definite matrix."""
    lower = dpotri(cho_factor(C, lower=True, check_finite=False)[0], lower=True)[0]
    return np.asarray(np.tril(lower) + np.tril(lower, -1).T)


def aggregates_of(graph: Graph) -> NDArray[np.int64]:
    """Return the aggregate of each node of a graph, found once."""
    if "aggregates" not in graph.memo:
        graph.memo["aggregates"] = aggregates(graph.weights, MOST_AGGREGATES)
    return np.asarray(graph.memo["aggregates"])


def aggregates(W: sp.csr_array, most: int) -> NDArray[np.int64]:
    """Return the aggregate of each node: connected groups, at most `most` where the graph's components allow it."""
    from pyamg.aggregation.aggregate import standard_aggregation

    aggregate = np.arange(W.shape[0])
    count = W.shape[0]
    while count > most:
        matrix = sp.csr_matrix(W + sp.eye_array(count))
        matrix.indices = matrix.indices.astype(np.int32, copy=False)
        matrix.indptr = matrix.indptr.astype(np.int32, copy=False)
        grouped = sp.csr_array(standard_aggregation(matrix)[0], dtype=np.float64)
        if grouped.shape[1] >= count:
            break
        joined = np.asarray(grouped.argmax(axis=1)).ravel()
        aggregate, count = joined[aggregate], grouped.shape[1]
        W = sp.csr_array(grouped.T @ W @ grouped)
    return aggregate
