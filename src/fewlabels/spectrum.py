"""The lowest eigenpairs of L_sym = I - D^-1/2 W D^-1/2, found once for a graph."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.linalg import eigsh

from fewlabels.graph import Graph
from fewlabels.kept import Key
from fewlabels.progress import say
from fewlabels.systems import laplacian_of

__all__ = ["lowest_modes"]

Modes = tuple[NDArray[np.float64], NDArray[np.float64]]
LOWEST_MODES = Key[Modes]("lowest modes")
DENSE_UP_TO = 600


def lowest_modes(graph: Graph, count: int) -> Modes:
    """Return the `count` lowest eigenvalues of L_sym, ascending, and their eigenvectors as columns.

    Examples
    --------
    >>> path = Graph.from_weights(np.array([[0, 1], [1, 0]]))
    >>> lowest_modes(path, 2)[0].round(6).tolist()
    [0.0, 2.0]
    """
    return graph.kept.get(LOWEST_MODES, lambda: _found(graph, min(count, graph.n_nodes)), count)


def _found(graph: Graph, count: int) -> Modes:
    root = sp.diags_array(np.sqrt(laplacian_of(graph).inverse_diagonal))
    S = sp.csr_array(root @ graph.weights @ root)
    if graph.n_nodes <= DENSE_UP_TO or count >= graph.n_nodes - 1:
        values, vectors = np.linalg.eigh(np.eye(graph.n_nodes) - S.toarray())
        return values[:count], vectors[:, :count]
    say(f"finding the {count} slowest modes of {graph.n_nodes:,} nodes")
    start = np.random.default_rng(0).normal(size=graph.n_nodes)
    values, vectors = eigsh(S, k=count, which="LA", v0=start, tol=1e-4)
    order = np.argsort(-values)
    return 1.0 - values[order], vectors[:, order]
