"""Definite systems made from a graph: some nodes held fixed, or something added to the diagonal."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.linalg import splu

from fewlabels.graph import Graph
from fewlabels.solvers.auto import Auto
from fewlabels.solvers.base import WIDE_WEIGHTS, Block, Solution, graded
from fewlabels.solvers.cg import CG, conjugate_gradients
from fewlabels.solvers.coarse import CoarseCorrection, aggregates_of
from fewlabels.solvers.direct import Direct

__all__ = ["solve_definite"]


def solve_definite(graph: Graph, matrix: Any, nodes: NDArray[np.int64], B: Block, tol: float = 1e-5) -> Solution:
    """Solve A X = B, A symmetric positive definite with rows and columns that stand for `nodes` of the graph.

    As for the Laplacian, the graph's shape decides: a factorisation where it stays small, otherwise conjugate gradients
    with the coarse level, which holds the slow mode that few fixed nodes leave.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(2), 1) + np.diag(np.ones(2), -1))
    >>> solve_definite(path, sp.csr_array([[2.0]]), np.array([1]), np.array([[3.0]])).value.tolist()
    [[1.5]]
    """
    matrix = sp.csr_array(matrix)
    if isinstance(Auto().choose(graph), Direct):
        factor = splu(
            matrix.tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True}
        )
        X, n_iter, name = factor.solve(np.ascontiguousarray(B)), 1, "direct"
    else:
        correction = CoarseCorrection(matrix, aggregates_of(graph)[nodes])
        X, n_iter = conjugate_gradients(lambda P: matrix @ P, B, correction, tol, CG.max_iter)
        name = "cg"
    return graded(X, B - matrix @ X, B, name, n_iter, tol, WIDE_WEIGHTS)
