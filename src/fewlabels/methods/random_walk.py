"""Random walk, or local and global consistency (Zhou, Bousquet, Lal, Weston and Schoelkopf, NeurIPS 2003)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.labels import Seeds
from fewlabels.methods.base import Spread
from fewlabels.methods.sources import SourceMethod
from fewlabels.solvers import DefiniteSystem, Solution

__all__ = ["RandomWalk"]


@dataclass(eq=False)
class RandomWalk(SourceMethod):
    """((1 - a) I + a L_sym) u = Y, Y padded with zeros, L_sym = I - D^-1/2 W D^-1/2.

    A class prior multiplies the columns by s_j. For regression the values are averaged by the weights that the walk
    gives to each label, u(y) / u(1).

    Parameters
    ----------
    alpha : float
        a, how far the walk carries; 0.95 gives the paper's column.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1))
    >>> RandomWalk().scores(path, Seeds.from_classes([0, 3], [0, 1])).argmax(axis=1).tolist()
    [0, 0, 1, 1]
    """

    alpha: float = 0.95

    def _sources(self, graph: Graph, seeds: Seeds) -> NDArray[np.float64]:
        if not 0 < self.alpha < 1:
            raise FewlabelsError(f"alpha={self.alpha} must lie between 0 and 1.")
        targets = np.hstack([seeds.targets, np.ones((seeds.size, 1))]) if seeds.is_regression else seeds.targets
        sources = np.zeros((graph.n_nodes, targets.shape[1]))
        sources[seeds.indices] = targets
        return sources

    def _solved(self, graph: Graph, seeds: Seeds, sources: NDArray[np.float64]) -> Solution:
        key = ("walk", self.alpha)
        if key not in graph.memo:
            root = np.sqrt(np.divide(1.0, graph.degrees, out=np.zeros(graph.n_nodes), where=graph.degrees > 0))
            S = sp.csr_array(sp.diags_array(root) @ graph.weights @ sp.diags_array(root))
            alone = (graph.degrees == 0).astype(np.float64)
            matrix = sp.diags_array(1.0 - self.alpha * alone) - self.alpha * S
            graph.memo[key] = DefiniteSystem(graph, matrix, np.arange(graph.n_nodes))
        solution: Solution = graph.memo[key].solve(sources, tol=1e-8)
        return solution

    def _scored(self, graph: Graph, seeds: Seeds, solution: Solution) -> Spread:
        u = solution.value
        if seeds.is_regression:
            return Spread(np.divide(u[:, :1], u[:, 1:], out=np.zeros_like(u[:, :1]), where=u[:, 1:] > 0), (solution,))
        return Spread(u * seeds.class_weights, (solution,))
