"""Random walk, or local and global consistency (Zhou, Bousquet, Lal, Weston and Schoelkopf, NeurIPS 2003)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.kept import Key
from fewlabels.labels import Seeds
from fewlabels.methods.base import Spread
from fewlabels.methods.sources import SourceMethod
from fewlabels.solvers import Solution, solve
from fewlabels.systems import MatrixSystem, laplacian_of

__all__ = ["RandomWalk"]

WALK = Key[MatrixSystem]("random walk")
TOL = 1e-8


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

    def _solved(self, graph: Graph, group: Sequence[Seeds], sources: NDArray[np.float64]) -> Solution:
        return solve(graph.kept.get(WALK, lambda: _walk(graph, self.alpha), self.alpha), sources, tol=TOL)

    def _scored(self, graph: Graph, seeds: Seeds, solution: Solution) -> Spread:
        u = solution.value
        if seeds.is_regression:
            return Spread(np.divide(u[:, :1], u[:, 1:], out=np.zeros_like(u[:, :1]), where=u[:, 1:] > 0), (solution,))
        return Spread(u * seeds.class_weights, (solution,))


def _walk(graph: Graph, alpha: float) -> MatrixSystem:
    root = sp.diags_array(np.sqrt(laplacian_of(graph).inverse_diagonal))
    S = sp.csr_array(root @ graph.weights @ root)
    alone = (graph.degrees == 0).astype(np.float64)
    return MatrixSystem(graph, sp.diags_array(1.0 - alpha * alone) - alpha * S)
