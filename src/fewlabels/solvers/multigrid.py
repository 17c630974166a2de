"""Conjugate gradients preconditioned by smoothed-aggregation multigrid, for stiff graphs too wide to factorise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.operators import Laplacian
from fewlabels.progress import say
from fewlabels.solvers.base import Block, Solution
from fewlabels.solvers.cg import preconditioned_cg

__all__ = ["Multigrid"]

DAMPING = 2.0 / 3.0
COARSEST = 500


@dataclass(frozen=True)
class Multigrid:
    """One V-cycle per step, on all columns at once; the levels come from pyamg."""

    tol: float = 1e-5
    max_iter: int = 500

    def prepare(self, laplacian: Laplacian) -> _PreparedMultigrid:
        """Aggregate the graph level by level, once."""
        return _PreparedMultigrid(laplacian, self.tol, self.max_iter)


@dataclass(frozen=True, eq=False)
class _Level:
    matrix: Any
    smoother: NDArray[np.float64]
    prolong: Any


class _PreparedMultigrid:
    def __init__(self, laplacian: Laplacian, tol: float, max_iter: int) -> None:
        from pyamg import smoothed_aggregation_solver

        self._laplacian, self._tol, self._max_iter = laplacian, tol, max_iter
        if laplacian.graph.n_nodes > 10_000:
            say(f"aggregating {laplacian.graph.n_nodes:,} nodes for multigrid")
        alone = (laplacian.degrees == 0).astype(np.float64)
        matrix = sp.csr_matrix(laplacian.matrix + sp.diags_array(alone))
        matrix.indices = matrix.indices.astype(np.int32, copy=False)
        matrix.indptr = matrix.indptr.astype(np.int32, copy=False)
        levels = smoothed_aggregation_solver(matrix, symmetry="symmetric", max_coarse=COARSEST).levels
        self._levels = [
            _Level(level.A, DAMPING / level.A.diagonal()[:, None], sp.csr_array(level.P)) for level in levels[:-1]
        ]
        self._coarsest = np.linalg.pinv(levels[-1].A.toarray(), rcond=1e-10, hermitian=True)

    def solve(self, B: Block) -> Solution:
        return preconditioned_cg(
            self._laplacian, B, lambda R: self._cycle(R, 0), self._tol, self._max_iter, "multigrid"
        )

    def _cycle(self, R: Block, depth: int) -> Block:
        """Smooth, correct on the coarser level, smooth again: symmetric, as conjugate gradients need it."""
        if depth == len(self._levels):
            return np.asarray(self._coarsest @ R)
        level = self._levels[depth]
        X = level.smoother * R
        X += level.prolong @ self._cycle(level.prolong.T @ (R - level.matrix @ X), depth + 1)
        X += level.smoother * (R - level.matrix @ X)
        return X
