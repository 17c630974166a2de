"""A coarse picture of a system: aggregates of neighbouring nodes, and the matrix between them.

Conjugate gradients spend most of their steps on the few slow modes that vary over the whole graph. Those are nearly
constant on small aggregates, so an exact solve with C = P' A P, P the aggregates' indicators, takes care of them.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.graph import Graph
from fewlabels.kept import Key

__all__ = ["CoarsePicture", "aggregates", "aggregates_of"]

Block = NDArray[Any]

MOST_AGGREGATES_SMALL = 100


class CoarsePicture:
    """The matrix C = P' A P on the aggregates, and the way there and back.

    Parameters
    ----------
    matrix : CSR array, shape (n, n)
        A: a graph Laplacian, or a definite matrix made from one.
    aggregate : ndarray of int, shape (n,)
        The aggregate of each row.
    null : ndarray of int, shape (n,), optional
        For a singular A, the component of each row, whose constants A maps to zero.

    Attributes
    ----------
    component : ndarray of int, or None
        For a singular A, the component of each aggregate.
    """

    def __init__(self, matrix: Any, aggregate: NDArray[np.int64], null: NDArray[np.int64] | None = None) -> None:
        self._fine, self._aggregate = matrix, np.unique(aggregate, return_inverse=True)[1]
        n, k = matrix.shape[0], int(self._aggregate.max()) + 1
        self._members = sp.csr_array((np.ones(n), (self._aggregate, np.arange(n))), shape=(k, n))
        self.component = None
        if null is not None:
            self.component = np.zeros(k, dtype=np.int64)
            self.component[self._aggregate] = null

    @cached_property
    def matrix(self) -> NDArray[np.float64]:
        """C, dense."""
        return np.asarray((self._members @ self._fine @ self._members.T).toarray())

    def restrict(self, R: Block) -> Block:
        """Return P' R: sums over the aggregates."""
        return np.asarray(self._members @ R)

    def prolong(self, C: Block) -> Block:
        """Return P C: every node gets the row of its aggregate."""
        return np.asarray(C[self._aggregate])


AGGREGATES = Key[NDArray[np.int64]]("aggregates")


def aggregates_of(graph: Graph) -> NDArray[np.int64]:
    """Return the aggregate of each node of a graph, found once; about two times the square root of n of them.

    Twice as many would save one conjugate gradient step in ten, and cost eight times as much to prepare.
    """
    most = max(MOST_AGGREGATES_SMALL, int(2 * np.sqrt(graph.n_nodes)))
    return graph.kept.get(AGGREGATES, lambda: aggregates(graph.weights, most))


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
