"""Poisson learning (Calder, Cook, Thorpe and Slepcev, ICML 2020): labels are sources and sinks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from fewlabels.graph import Graph
from fewlabels.labels import Seeds
from fewlabels.methods.base import Method, Spread, component_means, green, poisson_source, solver_for
from fewlabels.operators import laplacian_of
from fewlabels.solvers import Solution, Solver

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
        solution = green(graph, solver_for(self.solver, graph, seeds), poisson_source(graph, seeds))
        return self._scored(graph, seeds, solution)

    def spread_many(self, graph: Graph, problems: Sequence[Seeds]) -> list[Spread]:
        """Spread several sets of labels over one graph; their columns are solved together."""
        if self.solver in ("series", "chebyshev") or not problems:
            return [self.spread(graph, seeds) for seeds in problems]
        for seeds in problems:
            seeds.check_fits(graph.n_nodes)
        sources = [poisson_source(graph, seeds) for seeds in problems]
        solution = green(graph, solver_for(self.solver, graph, problems[0]), np.hstack(sources))
        ends = np.cumsum([source.shape[1] for source in sources])[:-1]
        parts = [replace(solution, value=value) for value in np.split(solution.value, ends, axis=1)]
        return [
            self._settled(graph, seeds, self._scored(graph, seeds, part))
            for seeds, part in zip(problems, parts, strict=True)
        ]

    def _scored(self, graph: Graph, seeds: Seeds, solution: Solution) -> Spread:
        laplacian = laplacian_of(graph)
        if seeds.is_regression:
            return Spread(solution.value + laplacian.spread(component_means(laplacian, seeds)), (solution,))
        return Spread(solution.value * seeds.class_weights, (solution,))
