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

__all__ = ["CoarseCorrection", "aggregates", "aggregates_of", "definite_inverse"]

MOST_AGGREGATES_SMALL = 100


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
        component = None
        if null is not None:
            component = np.zeros(k, dtype=np.int64)
            component[self._aggregate] = null
        self._size = float(coarse.diagonal().mean()) or 1.0
        self._inverse = definite_inverse(coarse / self._size, component).astype(np.float32)

    def __call__(self, R: Block) -> Block:
        """Apply the preconditioner."""
        coarse = self._restrict @ R
        size = float(np.abs(coarse).max(initial=0.0)) or 1.0
        correction = self._inverse @ (coarse / size).astype(np.float32)
        Z = self._scale * R
        Z += (correction * (size / self._size))[self._aggregate]
        return np.asarray(Z)


def definite_inverse(C: NDArray[np.float64], component: NDArray[np.int64] | None = None) -> NDArray[np.float64]:
    """Return the inverse of a symmetric positive definite matrix.

    A matrix that is singular along the constant of each component gets a small rank-one lift there, which makes it
    definite.
    """
    if component is not None:
        C = C + (np.trace(C) or 1.0) / len(C) ** 2 * (component[:, None] == component[None, :])
    lower = dpotri(cho_factor(C, lower=True, check_finite=False)[0], lower=True)[0]
    return np.asarray(np.tril(lower) + np.tril(lower, -1).T)


def aggregates_of(graph: Graph) -> NDArray[np.int64]:
    """Return the aggregate of each node of a graph, found once; about two times the square root of n of them.

    Twice as many would save one conjugate gradient step in ten, and cost eight times as much to prepare.
    """
    if "aggregates" not in graph.memo:
        most = max(MOST_AGGREGATES_SMALL, int(2 * np.sqrt(graph.n_nodes)))
        graph.memo["aggregates"] = aggregates(graph.weights, most)
    return np.asarray(graph.memo["aggregates"])


def aggregates(W: sp.csr_array, most: int) -> NDArray[np.int64]:
    """Return the aggregate of each node: connected groups, at most `most` where the graph's components allow it.

    Standard aggregation first, as long as it leaves more than wanted; then neighbouring groups are joined in pairs.
    """
    from pyamg.aggregation.aggregate import pairwise_aggregation, standard_aggregation

    aggregate = np.arange(W.shape[0])
    by_pairs = False
    while W.shape[0] > most:
        matrix = sp.csr_matrix(W + sp.eye_array(W.shape[0]))
        if by_pairs:
            matrix = sp.csr_matrix(sp.diags_array(np.asarray(W.sum(axis=1)).ravel()) - W)
        matrix.indices = matrix.indices.astype(np.int32, copy=False)
        matrix.indptr = matrix.indptr.astype(np.int32, copy=False)
        found = pairwise_aggregation(matrix, matchings=1, norm="min") if by_pairs else standard_aggregation(matrix)
        grouped = sp.csr_array(found[0], dtype=np.float64)
        if by_pairs and grouped.shape[1] >= W.shape[0]:
            break
        if not by_pairs and grouped.shape[1] < most / 2:
            by_pairs = True
            continue
        filled = np.diff(grouped.indptr) > 0
        group = np.zeros(grouped.shape[0], dtype=np.int64)
        group[filled] = grouped.indices[grouped.indptr[:-1][filled]]
        aggregate = group[aggregate]
        W = sp.csr_array(grouped.T @ W @ grouped)
        W = sp.csr_array(W - sp.diags_array(W.diagonal()))
        W.eliminate_zeros()
    return aggregate
