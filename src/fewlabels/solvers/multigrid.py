"""Conjugate gradients preconditioned by smoothed-aggregation multigrid, for stiff graphs too wide to factorise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.kept import Key
from fewlabels.progress import say
from fewlabels.solvers.base import Attempt
from fewlabels.solvers.cg import conjugate_gradients, too_few_steps
from fewlabels.systems import Block, MatrixSystem

__all__ = ["Multigrid"]

DAMPING = 2.0 / 3.0
COARSEST = 500
SAID_FROM = 10_000


@dataclass(frozen=True)
class Multigrid:
    """One V-cycle per step, on all columns at once; the levels come from pyamg."""

    tol: float = 1e-5
    max_iter: int = 500

    def attempt(self, system: MatrixSystem, B: Block, tol: float | None) -> Attempt:
        """Do the steps."""
        cycle = system.kept.get(MULTIGRID, lambda: _VCycle(system))
        X, n_iter = conjugate_gradients(system, system.solvable(B), cycle, self.tol, self.max_iter)
        return Attempt(X, "multigrid", n_iter, self.tol, remedy=too_few_steps(self.max_iter, self.tol))


@dataclass(frozen=True, eq=False)
class _Level:
    matrix: Any
    smoother: NDArray[np.float64]
    prolong: Any


class _VCycle:
    def __init__(self, system: MatrixSystem) -> None:
        from pyamg import smoothed_aggregation_solver

        if system.n_rows > SAID_FROM:
            say(f"aggregating {system.n_rows:,} nodes for multigrid")
        alone = (system.inverse_diagonal == 0).astype(np.float64)
        matrix = sp.csr_matrix(system.matrix + sp.diags_array(alone))
        matrix.indices = matrix.indices.astype(np.int32, copy=False)
        matrix.indptr = matrix.indptr.astype(np.int32, copy=False)
        levels = smoothed_aggregation_solver(matrix, symmetry="symmetric", max_coarse=COARSEST).levels
        self._levels = [
            _Level(level.A, DAMPING / level.A.diagonal()[:, None], sp.csr_array(level.P)) for level in levels[:-1]
        ]
        self._coarsest = np.linalg.pinv(levels[-1].A.toarray(), rcond=1e-10, hermitian=True)

    def __call__(self, R: Block, depth: int = 0) -> Block:
        """Smooth, correct on the coarser level, smooth again: symmetric, as conjugate gradients need it."""
        if depth == len(self._levels):
            return np.asarray(self._coarsest @ R)
        level = self._levels[depth]
        X = level.smoother * R
        X += level.prolong @ self(level.prolong.T @ (R - level.matrix @ X), depth + 1)
        X += level.smoother * (R - level.matrix @ X)
        return X


MULTIGRID = Key[_VCycle]("multigrid")
