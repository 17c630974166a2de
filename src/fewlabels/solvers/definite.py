"""Definite systems made from a graph: some nodes held fixed, or something added to the diagonal."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.linalg import splu

from fewlabels.compiled import kernels_at_hand
from fewlabels.graph import Graph
from fewlabels.operators import laplacian_of
from fewlabels.solvers.auto import Auto
from fewlabels.solvers.base import CONVERGED, WIDE_WEIGHTS, Block, Solution, graded
from fewlabels.solvers.cg import CG, COMPILED_FROM, SINGLE_FROM, conjugate_gradients
from fewlabels.solvers.coarse import CoarseCorrection, aggregates_of
from fewlabels.solvers.direct import Direct
from fewlabels.solvers.fused import FusedSystem

__all__ = ["DefiniteSystem", "solve_enlarged"]


class DefiniteSystem:
    """A X = B, A symmetric positive definite with rows and columns that stand for `nodes` of the graph.

    As for the Laplacian, the graph's shape decides: a factorisation where it stays small, otherwise conjugate gradients
    with the coarse level, which holds the slow mode that few fixed nodes leave.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(2), 1) + np.diag(np.ones(2), -1))
    >>> DefiniteSystem(path, sp.csr_array([[2.0]]), np.array([1])).solve(np.array([[3.0]])).value.tolist()
    [[1.5]]
    """

    def __init__(self, graph: Graph, matrix: Any, nodes: NDArray[np.int64]) -> None:
        self._matrix = sp.csr_array(matrix)
        self._direct = isinstance(Auto().choose(graph), Direct)
        self._compiled = graph.n_nodes >= COMPILED_FROM and kernels_at_hand()
        self._aggregate = np.zeros(0, dtype=np.int64) if self._direct else aggregates_of(graph)[nodes]

    @cached_property
    def _factor(self) -> Any:
        return splu(
            self._matrix.tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True}
        )

    @cached_property
    def _fused(self) -> FusedSystem:
        return FusedSystem(self._matrix, self._aggregate)

    @cached_property
    def _correction(self) -> CoarseCorrection:
        return CoarseCorrection(self._matrix, self._aggregate)

    def solve(self, B: Block, tol: float = 2e-5) -> Solution:
        """Return the solution for all columns of `B`."""
        if self._direct:
            X, n_iter, name = self._factor.solve(np.ascontiguousarray(B)), 1, "direct"
            return graded(X, B - self._matrix @ X, B, name, n_iter, tol, WIDE_WEIGHTS)
        if self._compiled:
            X, n_iter, residual = self._fused.solve(B, tol, CG.max_iter, single=tol >= SINGLE_FROM)
            if residual <= 10 * tol:
                return Solution(X, "cg", CONVERGED, n_iter, residual)
        X, n_iter = conjugate_gradients(lambda P: self._matrix @ P, B, self._correction, tol, CG.max_iter)
        return graded(X, B - self._matrix @ X, B, "cg", n_iter, tol, WIDE_WEIGHTS)


def solve_enlarged(graph: Graph, v: float, B: Block, tol: float = 2e-5) -> Solution:
    """Solve (L - v (D - d d'/1'd)) X = B for a v below the spectral gap; d'X = 0 on every component.

    What of B cannot be balanced within a component is removed first.
    """
    laplacian = laplacian_of(graph)
    degrees = laplacian.degrees[:, None]
    B = laplacian.balance(B)

    def apply(P: Block) -> Block:
        return np.asarray(laplacian.apply(P) - v * degrees * laplacian.centre_by_degree(P))

    if graph.n_nodes >= COMPILED_FROM and kernels_at_hand():
        key = ("enlarged", v)
        if key not in graph.memo:
            graph.memo[key] = FusedSystem(laplacian.matrix, aggregates_of(graph), graph.components, shift=1.0 - v)
        X, n_iter, residual = graph.memo[key].solve(B, tol, CG.max_iter, single=tol >= SINGLE_FROM)
        if residual <= 10 * tol:
            return Solution(laplacian.centre_by_degree(X), "cg", CONVERGED, n_iter, residual)
    correction = CG().prepare(laplacian).precondition
    X, n_iter = conjugate_gradients(apply, B, correction, tol, CG.max_iter, laplacian.centre_in_place)
    X = laplacian.centre_by_degree(X)
    return graded(X, B - apply(X), B, "cg", n_iter, tol, "lower the fraction")
