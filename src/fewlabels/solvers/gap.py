"""The first nonzero eigenvalue of L_sym = I - D^-1/2 W D^-1/2: a quick bound to choose by, or to some digits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh
from scipy.sparse.linalg import LinearOperator, eigsh

from fewlabels.graph import Graph
from fewlabels.kept import Key
from fewlabels.systems import green_system, laplacian_of, projections_of

__all__ = ["coarse_gap", "spectral_gap"]

GAP = Key[float]("spectral gap")
COARSE, FINE = "coarse", "fine"
WIDEST = 2.0
"""No eigenvalue of L_sym is larger."""

DENSE_UP_TO = 600


def coarse_gap(graph: Graph) -> float:
    """Return the gap that the aggregates of the graph have: an upper bound, seldom ten times too large.

    Where parts of a graph hang together by a thread it is nearly exact: the aggregates see the thread.

    Examples
    --------
    >>> coarse_gap(Graph.from_weights(np.array([[0, 1], [1, 0]])))
    2.0
    """

    def found() -> float:
        coarse = green_system(graph).coarse
        if coarse.component is None or not coarse.component.size:
            return WIDEST
        back = 1.0 / np.sqrt(coarse.restrict(graph.degrees[:, None]))
        constants = np.unique(coarse.component).size
        values = eigh(back * coarse.matrix * back.T, eigvals_only=True, subset_by_index=[0, constants])
        return max(0.0, float(values[-1]))

    return graph.kept.get(GAP, found, COARSE)


def spectral_gap(graph: Graph) -> float:
    """Return the gap to about five digits.

    Examples
    --------
    >>> round(spectral_gap(Graph.from_weights(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]))), 6)
    1.0
    """
    return graph.kept.get(GAP, lambda: max(0.0, 2.0 - _top(graph)), FINE)


def _top(graph: Graph) -> float:
    """Return the largest eigenvalue of S + I without its constant modes: two less the gap."""
    laplacian, projections = laplacian_of(graph), projections_of(graph)
    root, back = np.sqrt(graph.degrees)[:, None], np.sqrt(laplacian.inverse_diagonal)[:, None]

    def apply(x: NDArray[np.float64]) -> NDArray[np.float64]:
        y = projections.centre_by_degree(back * x.reshape(graph.n_nodes, -1))
        return np.asarray(root * projections.centre_by_degree(laplacian.walk(y) + y)).reshape(x.shape)

    if graph.n_nodes <= DENSE_UP_TO:
        return float(np.linalg.eigvalsh(apply(np.eye(graph.n_nodes)))[-1])
    operator = LinearOperator((graph.n_nodes, graph.n_nodes), matvec=apply, dtype=np.float64)
    start = np.random.default_rng(0).normal(size=graph.n_nodes)
    return float(eigsh(operator, k=1, which="LA", return_eigenvectors=False, v0=start, tol=1e-5)[0])
