"""Poisson learning (Calder, Cook, Thorpe and Slepcev, ICML 2020): labels are sources and sinks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fewlabels.graph import Graph
from fewlabels.green import green
from fewlabels.labels import Seeds
from fewlabels.methods.base import Spread
from fewlabels.methods.sources import SourceMethod, poisson_scores, poisson_source, solver_of
from fewlabels.solvers import Solution, Solver

__all__ = ["Poisson"]


@dataclass(eq=False)
class Poisson(SourceMethod):
    """L u = y_i - mean(y) at the labelled nodes, 0 elsewhere.

    For regression the values have the scale of the graph, not of the labels, as in the paper's example; Laplace and
    Interface Laplace learning match the labels and are what one wants there. A known class prior enters as in the
    paper: scores are multiplied by s_j = b_j / n_j.

    Parameters
    ----------
    solver : {"auto", "series", "chebyshev", "cg", "direct", "multigrid"} or a solver

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1))
    >>> Poisson().scores(path, Seeds.from_classes([0, 3], [0, 1])).argmax(axis=1).tolist()
    [0, 0, 1, 1]
    """

    solver: str | Solver = "auto"

    def _sources(self, graph: Graph, seeds: Seeds) -> NDArray[np.float64]:
        return poisson_source(graph, seeds)

    def _solved(self, graph: Graph, group: Sequence[Seeds], sources: NDArray[np.float64]) -> Solution:
        return green(graph, sources, solver_of(self.solver, graph, group))

    def _scored(self, graph: Graph, seeds: Seeds, solution: Solution) -> Spread:
        return poisson_scores(graph, seeds, solution)
