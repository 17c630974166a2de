"""Poisson learning (Calder, Cook, Thorpe and Slepcev, ICML 2020): labels are sources and sinks."""

from __future__ import annotations

from dataclasses import dataclass

from fewlabels.graph import Graph
from fewlabels.labels import Seeds
from fewlabels.methods.base import Method, Spread, component_means, green, poisson_source, solver_for
from fewlabels.operators import laplacian_of
from fewlabels.solvers import Solver

__all__ = ["Poisson"]


@dataclass(eq=False)
class Poisson(Method):
    """L u = y_i - mean(y) at the labelled nodes, 0 elsewhere.

    For regression the values have the scale of the graph, not of the labels, as in the paper's example; Laplace and
    Interface Laplace learning match the labels and are what one wants there. A known class prior enters as in the
    paper: scores are multiplied by s_j = b_j / n_j.

    Parameters
    ----------
    solver : {"auto", "series", "chebyshev", "cg", "direct", "multigrid"} or a solver

    Examples
    --------
    >>> import numpy as np
    >>> path = Graph.from_weights(np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1))
    >>> Poisson().scores(path, Seeds.from_classes([0, 3], [0, 1])).argmax(axis=1).tolist()
    [0, 0, 1, 1]
    """

    solver: str | Solver = "auto"

    def _spread(self, graph: Graph, seeds: Seeds) -> Spread:
        laplacian = laplacian_of(graph)
        solution = green(graph, solver_for(self.solver, graph, seeds), poisson_source(graph, seeds))
        if seeds.is_regression:
            return Spread(solution.value + laplacian.spread(component_means(laplacian, seeds)), (solution,))
        return Spread(solution.value * seeds.class_weights, (solution,))
