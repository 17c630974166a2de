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
from fewlabels.marks import order_by_mark

__all__ = ["CoarsePicture", "aggregate_count", "aggregates", "aggregates_of", "connected_aggregates"]

Block = NDArray[Any]

MOST_AGGREGATES_SMALL, MEMBERS, ENOUGH_AGGREGATES = 100, 8, 700
"""Small graphs have aggregates of about so many nodes, the smallest so many aggregates, and others no fewer than
enough: up to there a step costs no more, and twice the aggregates save a third of the steps."""
NO_EDGE = 1e-9
"""What an aggregate's edges weigh at most, beside a typical degree, to count as none."""


class CoarsePicture:
    """The matrix C = P' A P on the aggregates, and the way there and back.

    Aggregates that A does not connect with others are left out: there is nothing to correct between them.

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
        group = np.unique(aggregate, return_inverse=True)[1]
        n, k = matrix.shape[0], int(group.max()) + 1
        component = None
        if null is not None:
            component = np.zeros(k, dtype=np.int64)
            component[group] = null
        members = sp.csr_array((np.ones(n), (group, np.arange(n))), shape=(k, n))
        self._coarse = sp.csr_array(members @ matrix @ members.T)
        typical = float(matrix.diagonal().mean()) or 1.0
        live = connected_aggregates(self._coarse.diagonal() / typical, component)
        self._members = members[live]
        self.component = None if component is None else component[live]
        place = np.full(k, live.size)
        place[live] = np.arange(live.size)
        self._place, self._live = place[group], live

    @cached_property
    def matrix(self) -> NDArray[np.float64]:
        """C, dense."""
        return np.asarray(self._coarse[self._live][:, self._live].toarray())

    def restrict(self, R: Block) -> Block:
        """Return P' R: sums over the aggregates."""
        return np.asarray(self._members @ R)

    def prolong(self, C: Block) -> Block:
        """Return P C: every node gets the row of its aggregate, or zeros if that was left out."""
        return np.asarray(np.vstack([C, np.zeros((1, C.shape[1]), dtype=C.dtype)])[self._place])


def connected_aggregates(diagonal: NDArray[np.float64], component: NDArray[np.int64] | None) -> NDArray[np.int64]:
    """Return the aggregates that have edges to others.

    Parameters
    ----------
    diagonal : ndarray
        Of C, in units of the largest entries of A.
    component : ndarray of int, or None
        The component of each aggregate, for a matrix that is singular along the components.

    Examples
    --------
    >>> connected_aggregates(np.array([1.0, 1.0, 1e-17]), np.array([0, 0, 1])).tolist()
    [0, 1]
    """
    connected = diagonal > NO_EDGE * max(1.0, float(diagonal.max(initial=0.0)))
    if component is not None:
        connected &= np.bincount(component)[component] > 1
    return np.flatnonzero(connected)


AGGREGATES = Key[NDArray[np.int64]]("aggregates")


def aggregates_of(graph: Graph) -> NDArray[np.int64]:
    """Return the aggregate of each node of a graph, found once; on large graphs about two times the root of n of them.

    Twice as many would save one conjugate gradient step in ten there, and cost eight times as much to prepare. No
    aggregate lies in two components, also where aggregation has put what it could not join with anything together.
    Aggregation goes through the nodes in their order by mark, so that the same nodes are joined in whatever order rows
    come, and every solve takes the same steps.
    """

    def made() -> NDArray[np.int64]:
        order = order_by_mark(graph, 0)
        W = sp.csr_array(graph.weights[order][:, order])
        W.sort_indices()
        groups = np.empty(graph.n_nodes, dtype=np.int64)
        groups[order] = aggregates(W, aggregate_count(graph.n_nodes))
        return np.asarray(np.unique(groups * graph.n_components + graph.components, return_inverse=True)[1])

    return graph.kept.get(AGGREGATES, made)


def aggregate_count(n: int) -> int:
    """Return how many aggregates a graph of so many nodes has at most."""
    return max(MOST_AGGREGATES_SMALL, min(n // MEMBERS, ENOUGH_AGGREGATES), int(2 * np.sqrt(n)))


def aggregates(W: sp.csr_array, most: int) -> NDArray[np.int64]:
    """Return the aggregate of each node: connected groups, at most `most` where the graph's components allow it.

    Standard aggregation first, as long as it leaves more than wanted; then neighbouring groups are joined in pairs.
    What neither of them takes, as nodes without edges, is in the first group.
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
