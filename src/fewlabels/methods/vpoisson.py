"""Variance-enlarged Poisson learning (Zhou et al., ICLR 2024)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass

import numpy as np
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.labels import Seeds
from fewlabels.methods.base import Spread
from fewlabels.methods.sources import SourceMethod, poisson_scores, poisson_source, solver_of
from fewlabels.solvers import Solution, Solver, solve, spectral_gap
from fewlabels.systems import green_system

__all__ = ["VPoisson"]

TOL = 2e-5
"""The shift leaves the slowest mode slower still."""


@dataclass(eq=False)
class VPoisson(SourceMethod):
    """(L - v (D - d d'/1'd)) u = b: Poisson learning whose energy rewards the degree-weighted variance of u.

    The system is definite on every component while v stays below the first nonzero eigenvalue of L_sym, so v is a
    `fraction` of it. No public code reproduces the authors' choice of v.

    Parameters
    ----------
    fraction : float
        v over the spectral gap, at least 0 (Poisson learning) and below 1. The default of one half doubles the weight
        of the slowest mode and hardly touches the fast ones; it is a middle choice, not a tuned one.
    solver : {"auto", "series", "chebyshev", "cg", "direct", "multigrid"} or a solver
        "series" and "chebyshev" stop after Poisson learning's T steps.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1))
    >>> VPoisson().scores(path, Seeds.from_classes([0, 3], [0, 1])).argmax(axis=1).tolist()
    [0, 0, 1, 1]
    """

    fraction: float = 0.5
    _: KW_ONLY
    solver: str | Solver = "auto"

    def _sources(self, graph: Graph, seeds: Seeds) -> NDArray[np.float64]:
        if not 0 <= self.fraction < 1:
            raise FewlabelsError(f"fraction={self.fraction} must be at least 0 and below 1.")
        return poisson_source(graph, seeds)

    def _solved(self, graph: Graph, group: Sequence[Seeds], sources: NDArray[np.float64]) -> Solution:
        system = green_system(graph, shift=1.0 - self.fraction * spectral_gap(graph))
        return solve(system, sources, solver_of(self.solver, graph, group), tol=TOL)

    def _scored(self, graph: Graph, seeds: Seeds, solution: Solution) -> Spread:
        return poisson_scores(graph, seeds, solution)
