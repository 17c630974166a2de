"""Variance-enlarged Poisson learning (Zhou et al., ICLR 2024)."""

from __future__ import annotations

from dataclasses import dataclass

from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.labels import Seeds
from fewlabels.methods.base import Method, Spread, component_means, poisson_source
from fewlabels.operators import laplacian_of
from fewlabels.solvers import solve_enlarged
from fewlabels.spectrum import spectral_gap

__all__ = ["VPoisson"]


@dataclass(eq=False)
class VPoisson(Method):
    """(L - v (D - d d'/1'd)) u = b: Poisson learning whose energy rewards the degree-weighted variance of u.

    The system is definite on every component while v stays below the first nonzero eigenvalue of L_sym, so v is a
    `fraction` of it. No public code reproduces the authors' choice of v.

    Parameters
    ----------
    fraction : float
        v over the spectral gap, at least 0 (Poisson learning) and below 1. The default of one half doubles the weight
        of the slowest mode and hardly touches the fast ones; it is a middle choice, not a tuned one.

    Examples
    --------
    >>> import numpy as np
    >>> path = Graph.from_weights(np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1))
    >>> VPoisson().scores(path, Seeds.from_classes([0, 3], [0, 1])).argmax(axis=1).tolist()
    [0, 0, 1, 1]
    """

    fraction: float = 0.5

    def _spread(self, graph: Graph, seeds: Seeds) -> Spread:
        if not 0 <= self.fraction < 1:
            raise FewlabelsError(f"fraction={self.fraction} must be at least 0 and below 1.")
        laplacian = laplacian_of(graph)
        solution = solve_enlarged(graph, self.fraction * spectral_gap(graph), poisson_source(graph, seeds))
        u = solution.value
        if seeds.is_regression:
            return Spread(u + laplacian.spread(component_means(laplacian, seeds)), (solution,))
        return Spread(u * seeds.class_weights, (solution,))
