"""Steps of a slightly lazy random walk: what every node says becomes the mean over its surroundings."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.graph import Graph
from fewlabels.green import impulses
from fewlabels.kept import Key
from fewlabels.solvers import Polynomial, power_coefficients, solve
from fewlabels.systems import WalkSystem, laplacian_of

__all__ = ["averaged_rows", "diffused"]

LAZY = 0.15
"""How much stays in place in a step, relative to what moves; without it a graph of two sides would swap them."""

TOL = 1e-2
"""How exactly the steps are done, by default: what is thresholded or compared afterwards does not see more."""

LAZY_WALK = Key[WalkSystem]("lazy walk")


def diffused(graph: Graph, U: NDArray[Any], steps: int, tol: float = TOL) -> NDArray[Any]:
    """Return P^steps U, P the walk, within `tol`, in far fewer products than steps.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(2), 1) + np.diag(np.ones(2), -1))
    >>> bool(np.allclose(diffused(path, np.array([[1.0], [0.0], [1.0]]), 1), [[0.13], [0.87], [0.13]], atol=1e-3))
    True
    """
    return solve(_lazy_walk(graph), U, Polynomial(power_coefficients(int(steps), tol), tol)).value


def averaged_rows(graph: Graph, features: Any, nodes: NDArray[np.int64], steps: int) -> NDArray[np.float64]:
    """Return some rows of P^steps X for features X, dense or sparse, without the other rows.

    D P is symmetric, D the degrees, so that row i is the transpose of X' D P^steps D^-1 e_i: as many columns are walked
    as there are rows wanted, however wide the features are. What is missing of a row's shares to one, by the tolerance
    or since a node has no neighbours, is made up for by the mean row: it would show in features far from zero.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(2), 1) + np.diag(np.ones(2), -1))
    >>> averaged_rows(path, np.array([[1.0], [0.0], [1.0]]), np.array([1]), 1).round(3).tolist()
    [[0.87]]
    """
    degrees = np.where(graph.degrees > 0, graph.degrees, 1.0)
    shares = diffused(graph, impulses(graph, nodes) / degrees[nodes], steps) * degrees[:, None]
    missing = 1.0 - shares.sum(axis=0, dtype=np.float64)
    middle = np.asarray(features.mean(axis=0, dtype=np.float64)).ravel()
    return np.asarray((features.T @ shares).T + np.outer(missing, middle), dtype=np.float64)


def _lazy_walk(graph: Graph) -> WalkSystem:
    """Return the walk, made once for a graph."""

    def made() -> WalkSystem:
        W, moved = graph.weights, laplacian_of(graph).inverse_diagonal / (1.0 + LAZY)
        shares = (W.data * np.repeat(moved, np.diff(W.indptr))).astype(np.float32)
        walk = sp.csr_array((shares, W.indices, W.indptr), shape=W.shape)
        return WalkSystem(graph, walk + sp.eye_array(graph.n_nodes, dtype=np.float32) * (LAZY / (1.0 + LAZY)))

    return graph.kept.get(LAZY_WALK, made)
