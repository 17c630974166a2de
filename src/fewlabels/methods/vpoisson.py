"""Variance-enlarged Poisson learning (Zhou et al., ICLR 2024)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.labels import Seeds
from fewlabels.methods.base import Method, Spread, component_means, poisson_source
from fewlabels.operators import laplacian_of
from fewlabels.solvers import prepared
from fewlabels.solvers.base import graded
from fewlabels.solvers.cg import CG, conjugate_gradients
from fewlabels.spectrum import spectral_gap

__all__ = ["VPoisson"]

TOLERANCE = 1e-5
Block = NDArray[np.float64]


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
    >>> path = Graph.from_weights(np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1))
    >>> VPoisson().scores(path, Seeds.from_classes([0, 3], [0, 1])).argmax(axis=1).tolist()
    [0, 0, 1, 1]
    """

    fraction: float = 0.5

    def _spread(self, graph: Graph, seeds: Seeds) -> Spread:
        if not 0 <= self.fraction < 1:
            raise FewlabelsError(f"fraction={self.fraction} must be at least 0 and below 1.")
        laplacian = laplacian_of(graph)
        v = self.fraction * spectral_gap(graph)
        degrees = laplacian.degrees[:, None]
        B = laplacian.balance(poisson_source(graph, seeds))
        correction = prepared(graph, CG()).precondition

        def apply(P: Block) -> Block:
            return np.asarray(laplacian.matrix @ P - v * degrees * laplacian.centre_by_degree(P))

        X, n_iter = conjugate_gradients(apply, B, correction, TOLERANCE, CG.max_iter, laplacian.centre_in_place)
        u = laplacian.centre_by_degree(X)
        solution = graded(u, B - apply(u), B, "cg", n_iter, TOLERANCE, "lower the fraction")
        if seeds.is_regression:
            return Spread(u + laplacian.spread(component_means(laplacian, seeds)), (solution,))
        return Spread(u * seeds.class_weights, (solution,))
