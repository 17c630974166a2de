"""A coarse picture of a graph: aggregates of neighbouring nodes, and exact solves on them.

Conjugate gradients spend most of their steps on the few slow modes that vary over the whole graph. Those are nearly
constant on small aggregates, so P C^-1 P' with P the aggregates' indicator columns and C = P' L P takes care of them,
and the degrees take care of the rest.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.linalg import cho_factor
from scipy.linalg.lapack import dpotri

from fewlabels.operators import Laplacian
from fewlabels.solvers.base import Block

__all__ = ["CoarseCorrection", "aggregates"]

MOST_AGGREGATES = 4000


class CoarseCorrection:
    """R -> D^-1 R + P C^-1 P' R, symmetric and positive: a preconditioner for L.

    C^-1 is kept in single precision. It only guides the steps; the residual stays in double.
    """

    def __init__(self, laplacian: Laplacian) -> None:
        graph = laplacian.graph
        self._scale = laplacian.inverse_degrees[:, None]
        self._aggregate = aggregates(graph.weights, MOST_AGGREGATES)
        n_aggregates = int(self._aggregate.max()) + 1
        n = graph.n_nodes
        indicator = sp.csr_array((np.ones(n), (self._aggregate, np.arange(n))), shape=(n_aggregates, n))
        self._restrict = indicator
        coarse = (indicator @ laplacian.matrix @ indicator.T).toarray()
        # C is singular along the constant of each component; a small rank-one lift there makes it definite.
        component = np.zeros(n_aggregates, dtype=np.int64)
        component[self._aggregate] = graph.components
        lift = max(np.trace(coarse), 1.0) / n_aggregates**2
        coarse += lift * (component[:, None] == component[None, :])
        self._inverse = _inverse(coarse).astype(np.float32)

    def __call__(self, R: Block) -> Block:
        """Apply the preconditioner."""
        correction = self._inverse @ (self._restrict @ R).astype(np.float32)
        Z = self._scale * R
        Z += correction[self._aggregate]
        return np.asarray(Z)


def _inverse(C: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the inverse of a symmetric positive definite matrix."""
    lower = dpotri(cho_factor(C, lower=True, check_finite=False)[0], lower=True)[0]
    return np.asarray(np.tril(lower) + np.tril(lower, -1).T)


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
