"""Centred kernel (Mai and Couillet, JMLR 2018): labels spread by the weights about their mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.linalg import LinearOperator, eigsh

from fewlabels.graph import Graph
from fewlabels.labels import Seeds
from fewlabels.methods.base import Method, Spread
from fewlabels.solvers.base import graded
from fewlabels.solvers.cg import conjugate_gradients

__all__ = ["CenteredKernel"]

TOLERANCE = 1e-10
Block = NDArray[np.float64]


@dataclass(eq=False)
class CenteredKernel(Method):
    """u = A u / alpha off the labels, A = J W J, with the labels centred and held fixed.

    The fixed point of the iteration solves (alpha I - A_uu) u = A_ul y, which is definite since alpha is `margin` times
    the largest |eigenvalue| of A; conjugate gradients find it. A class prior multiplies the columns by s_j; for
    regression the mean of the labels is added back.

    Parameters
    ----------
    margin : float
        alpha over the largest |eigenvalue|; 1.05 gives the paper's column.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1))
    >>> CenteredKernel().scores(path, Seeds.from_classes([0, 3], [0, 1])).argmax(axis=1).tolist()
    [0, 0, 1, 1]
    """

    margin: float = 1.05

    def _spread(self, graph: Graph, seeds: Seeds) -> Spread:
        def kernel(X: Block) -> Block:
            Y = graph.weights @ (X - X.mean(axis=0))
            return np.asarray(Y - Y.mean(axis=0))

        fixed = np.zeros((graph.n_nodes, seeds.targets.shape[1]))
        fixed[seeds.indices] = seeds.targets - seeds.targets.mean(axis=0)
        free = np.ones((graph.n_nodes, 1))
        free[seeds.indices] = 0.0
        alpha = self.margin * _largest(graph, kernel)
        B = free * kernel(fixed)
        X, n_iter = conjugate_gradients(
            lambda P: free * (alpha * P - kernel(P)), B, lambda R: R.copy(), TOLERANCE, max_iter=5000
        )
        left = B - free * (alpha * X - kernel(X))
        solution = graded(X, left, B, "cg", n_iter, TOLERANCE, "raise the margin")
        u = fixed + X
        u = u + seeds.targets.mean(axis=0) if seeds.is_regression else u * seeds.class_weights
        return Spread(u, (solution,))


def _largest(graph: Graph, kernel: Callable[[Block], Block]) -> float:
    """Return the largest |eigenvalue| of J W J, found once for a graph."""
    if "centered_kernel" not in graph.memo:
        n = graph.n_nodes
        if graph.n_edges == 0:
            graph.memo["centered_kernel"] = 0.0
        elif n <= 3:
            matrix = kernel(np.eye(n))
            graph.memo["centered_kernel"] = float(np.abs(np.linalg.eigvalsh(matrix)).max())
        else:
            apply = LinearOperator((n, n), matvec=lambda x: kernel(x.reshape(-1, 1)).ravel(), dtype=np.float64)
            start = np.random.default_rng(0).normal(size=n)
            values = eigsh(apply, k=1, which="LM", return_eigenvectors=False, v0=start, tol=1e-6)
            graph.memo["centered_kernel"] = float(np.abs(values).max())
    return max(float(graph.memo["centered_kernel"]), 1e-300)
