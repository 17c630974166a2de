"""The first nonzero eigenvalue of L_sym = I - D^-1/2 W D^-1/2: roughly, to choose a tolerance by, or to some digits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.linalg import LinearOperator, eigsh

from fewlabels.graph import Graph
from fewlabels.kept import Key
from fewlabels.solvers.cg import CG
from fewlabels.systems import green_system, laplacian_of, projections_of

__all__ = ["rough_gap", "spectral_gap"]

GAP = Key[float]("spectral gap")
ROUGH, FINE = "rough", "fine"
ROUGH_TOL = 1e-2
DENSE_UP_TO = 600


def rough_gap(graph: Graph) -> float:
    """Return the gap, seldom more than twice too large: two inverse iterations."""

    def found() -> float:
        system, degrees = green_system(graph), graph.degrees[:, None]
        x = np.random.default_rng(0).normal(size=(graph.n_nodes, 1))
        for _ in range(2):
            x = CG(ROUGH_TOL).attempt(system, system.solvable(degrees * x), None).value
            system.choose(x)
            x /= np.abs(x).max() or 1.0
        return float((x * system.apply(x)).sum() / max(float((degrees * x * x).sum()), 1e-300))

    return graph.kept.get(GAP, found, ROUGH)


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
