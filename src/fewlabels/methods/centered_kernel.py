"""Centred kernel (Mai and Couillet, JMLR 2018): labels spread by the weights about their mean."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.linalg import LinearOperator, eigsh

from fewlabels.graph import Graph
from fewlabels.kept import Key
from fewlabels.labels import Seeds
from fewlabels.methods.base import Method, Spread
from fewlabels.solvers import CG, solve
from fewlabels.systems import OperatorSystem

__all__ = ["CenteredKernel"]

TOL = 1e-8
LARGEST = Key[float]("largest eigenvalue")
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
        fixed = np.zeros((graph.n_nodes, seeds.targets.shape[1]))
        fixed[seeds.indices] = seeds.targets - seeds.targets.mean(axis=0)
        free = np.ones((graph.n_nodes, 1))
        free[seeds.indices] = 0.0
        alpha = self.margin * _largest(graph)

        def product(P: Block) -> Block:
            AP = _kernel(graph, P)
            np.subtract(alpha * P, AP, out=AP)
            AP *= free
            return AP

        system = OperatorSystem(graph.n_nodes, product)
        solution = solve(system, free * _kernel(graph, fixed), CG(TOL, coarse=False))
        u = fixed + solution.value
        u = u + seeds.targets.mean(axis=0) if seeds.is_regression else u * seeds.class_weights
        return Spread(u, (solution,))


def _kernel(graph: Graph, X: Block) -> Block:
    """Return J W J X."""
    Y = np.asarray(graph.weights @ (X - X.mean(axis=0)))
    Y -= Y.mean(axis=0)
    return Y


def _largest(graph: Graph) -> float:
    """Return the largest |eigenvalue| of J W J, found once for a graph."""

    def found() -> float:
        n = graph.n_nodes
        if graph.n_edges == 0:
            return 0.0
        if n <= 3:
            return float(np.abs(np.linalg.eigvalsh(_kernel(graph, np.eye(n)))).max())
        product = LinearOperator((n, n), matvec=lambda x: _kernel(graph, x.reshape(-1, 1)).ravel(), dtype=np.float64)
        start = np.random.default_rng(0).normal(size=n)
        values = eigsh(product, k=1, which="LM", return_eigenvectors=False, v0=start, tol=1e-6)
        return float(np.abs(values).max())

    return max(graph.kept.get(LARGEST, found), 1e-300)
