"""The low end of the spectrum of L_sym = I - D^-1/2 W D^-1/2, found once for a graph."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.linalg import LinearOperator, eigsh

from fewlabels.graph import Graph
from fewlabels.operators import laplacian_of
from fewlabels.progress import say

__all__ = ["lowest_modes", "spectral_gap"]

DENSE_UP_TO = 600


def _normalised_weights(graph: Graph) -> sp.csr_array:
    root = sp.diags_array(np.sqrt(laplacian_of(graph).inverse_degrees))
    return sp.csr_array(root @ graph.weights @ root)


def lowest_modes(graph: Graph, count: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the `count` lowest eigenvalues of L_sym, ascending, and their eigenvectors as columns.

    Examples
    --------
    >>> path = Graph.from_weights(np.array([[0, 1], [1, 0]]))
    >>> lowest_modes(path, 2)[0].round(6).tolist()
    [0.0, 2.0]
    """
    key = ("lowest_modes", count)
    if key not in graph.memo:
        S = _normalised_weights(graph)
        count = min(count, graph.n_nodes)
        if graph.n_nodes <= DENSE_UP_TO or count >= graph.n_nodes - 1:
            values, vectors = np.linalg.eigh(np.eye(graph.n_nodes) - S.toarray())
            graph.memo[key] = values[:count], vectors[:, :count]
        else:
            say(f"finding the {count} slowest modes of {graph.n_nodes:,} nodes")
            start = np.random.default_rng(0).normal(size=graph.n_nodes)
            values, vectors = eigsh(S, k=count, which="LA", v0=start, tol=1e-4)
            order = np.argsort(-values)
            graph.memo[key] = 1.0 - values[order], vectors[:, order]
    values, vectors = graph.memo[key]
    return values, vectors


def spectral_gap(graph: Graph) -> float:
    """Return the smallest nonzero eigenvalue of L_sym.

    Examples
    --------
    >>> round(spectral_gap(Graph.from_weights(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]))), 6)
    1.0
    """
    if "spectral_gap" not in graph.memo:
        laplacian = laplacian_of(graph)
        S = _normalised_weights(graph)
        root = np.sqrt(laplacian.degrees)[:, None]
        back = np.sqrt(laplacian.inverse_degrees)[:, None]

        def apply(x: NDArray[np.float64]) -> NDArray[np.float64]:
            """(S + I) with the constant modes removed, so that what remains at the top is the gap."""
            y = root * laplacian.centre_by_degree(back * x.reshape(graph.n_nodes, -1))
            y = S @ y + y
            return np.asarray(root * laplacian.centre_by_degree(back * y)).reshape(x.shape)

        if graph.n_nodes <= DENSE_UP_TO:
            top = np.linalg.eigvalsh(apply(np.eye(graph.n_nodes)))[-1]
        else:
            operator = LinearOperator((graph.n_nodes, graph.n_nodes), matvec=apply, dtype=np.float64)
            start = np.random.default_rng(0).normal(size=graph.n_nodes)
            top = eigsh(operator, k=1, which="LA", return_eigenvectors=False, v0=start, tol=1e-5)[0]
        graph.memo["spectral_gap"] = max(0.0, 2.0 - float(top))
    gap: float = graph.memo["spectral_gap"]
    return gap
