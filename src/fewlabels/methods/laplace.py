"""Laplace learning (Zhu, Ghahramani and Lafferty, ICML 2003): harmonic off the labels, equal to them on them."""

from __future__ import annotations

from dataclasses import dataclass

from fewlabels.graph import Graph
from fewlabels.labels import Seeds
from fewlabels.methods.base import Method, Spread, green, harmonic_scores, impulses, solver_for
from fewlabels.solvers import Solver

__all__ = ["Laplace"]


@dataclass(eq=False)
class Laplace(Method):
    """L u = 0 off the labels, u = y on them, from the Green's columns of the labels.

    Parameters
    ----------
    solver : {"auto", "series", "chebyshev", "cg", "direct", "multigrid"} or a solver

    Examples
    --------
    >>> import numpy as np
    >>> path = Graph.from_weights(np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1))
    >>> Laplace().scores(path, Seeds.from_values([0, 3], [0.0, 3.0])).ravel().round(6).tolist()
    [0.0, 1.0, 2.0, 3.0]
    """

    solver: str | Solver = "auto"

    def _spread(self, graph: Graph, seeds: Seeds) -> Spread:
        columns = green(graph, solver_for(self.solver, graph, seeds), impulses(graph, seeds))
        scores = harmonic_scores(graph, seeds, columns.value)
        return Spread(scores if seeds.is_regression else scores * seeds.class_weights, (columns,))
