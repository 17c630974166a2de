"""Laplace learning (Zhu, Ghahramani and Lafferty, ICML 2003): harmonic off the labels, equal to them on them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fewlabels.graph import Graph
from fewlabels.labels import Seeds
from fewlabels.methods.base import Method, Spread, green, impulses, solver_for
from fewlabels.operators import laplacian_of
from fewlabels.solvers import Solver

__all__ = ["Laplace", "harmonic_coefficients"]

Block = NDArray[np.float64]


def harmonic_coefficients(
    green_at_seeds: Block, targets: Block, components: NDArray[np.int64]
) -> tuple[Block, Block, NDArray[np.int64]]:
    """Combine Green's columns and a constant per component so that they match the labels.

    u = G a + b solves L u = 0 off the labels when the entries of a sum to zero over each component; matching the
    labels then fixes a and b:  [G_ll  C'; C  0] [a; b] = [y; 0], C the components' indicator rows.

    Returns
    -------
    a : ndarray, shape (m, c)
    b : ndarray, shape (labelled components, c)
    names : ndarray, shape (labelled components,)
        The component that each row of b belongs to.
    """
    names, places = np.unique(components, return_inverse=True)
    m, k = targets.shape[0], names.size
    saddle = np.zeros((m + k, m + k))
    saddle[:m, :m] = (green_at_seeds + green_at_seeds.T) / 2
    saddle[m + places, np.arange(m)] = saddle[np.arange(m), m + places] = 1.0
    solution = np.linalg.solve(saddle, np.vstack([targets, np.zeros((k, targets.shape[1]))]))
    return solution[:m], solution[m:], names


@dataclass(eq=False)
class Laplace(Method):
    """L u = 0 off the labels, u = y on them, from the Green's columns of the labels.

    Parameters
    ----------
    solver : {"auto", "series", "chebyshev", "cg", "direct", "multigrid"} or a solver

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1))
    >>> Laplace().scores(path, Seeds.from_values([0, 3], [0.0, 3.0])).ravel().round(6).tolist()
    [0.0, 1.0, 2.0, 3.0]
    """

    solver: str | Solver = "auto"

    def _spread(self, graph: Graph, seeds: Seeds) -> Spread:
        laplacian = laplacian_of(graph)
        columns = green(graph, solver_for(self.solver, graph, seeds), impulses(graph, seeds))
        a, b, names = harmonic_coefficients(
            columns.value[seeds.indices], seeds.targets, graph.components[seeds.indices]
        )
        constants = np.zeros((graph.n_components, b.shape[1]))
        constants[names] = b
        scores = columns.value @ a + laplacian.spread(constants)
        return Spread(scores if seeds.is_regression else scores * seeds.class_weights, (columns,))
