"""A sparse factorisation; of a singular system with one row of each component held at zero.

With a shift above one nothing need be held: on what sums to zero over each component the shifted system agrees with
L + (shift - 1) D, which is definite.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.compiled import kernels_pay
from fewlabels.errors import FewlabelsError
from fewlabels.kept import Key
from fewlabels.progress import say
from fewlabels.solvers.base import WIDE_WEIGHTS, Attempt
from fewlabels.solvers.fill import sparse_lu
from fewlabels.solvers.triangular import Triangles
from fewlabels.systems import Block, MatrixSystem

__all__ = ["Direct"]

ACCEPTED_RESIDUAL = 1e-7
SMALL_RESIDUAL = 1e-11
SAID_FROM = 10_000


@dataclass(frozen=True)
class Direct:
    """Exact up to rounding. Right for small graphs and for low-dimensional ones, where the factor stays sparse."""

    def attempt(self, system: MatrixSystem, B: Block, tol: float | None) -> Attempt:
        """Solve with the factor, and once more for what that leaves where it is not small."""
        factor = system.kept.get(FACTORISATION, lambda: _Factorisation(system), system.shift)
        B = np.asarray(system.solvable(B), dtype=np.float64)
        X = factor.solve(B)
        left = B - system.apply(X)
        system.clean(left)
        if not _is_small(system.dot(left, left), system.dot(B, B)):
            X += factor.solve(left)
        return Attempt(X, "direct", 1, ACCEPTED_RESIDUAL, remedy=WIDE_WEIGHTS)


def _is_small(left: NDArray[np.float64], whole: NDArray[np.float64]) -> bool:
    """Tell from squared lengths whether a second solve would change nothing that matters."""
    return bool((left <= SMALL_RESIDUAL**2 * whole).all())


class _Factorisation:
    def __init__(self, system: MatrixSystem) -> None:
        self._free: NDArray[np.int64] = np.arange(system.n_rows)
        matrix = system.matrix
        if system.shift > 1.0:
            matrix = matrix + (system.shift - 1.0) * sp.diags_array(matrix.diagonal())
            self._free = np.flatnonzero(system.inverse_diagonal)
        elif system.null is not None:
            self._free = np.setdiff1d(self._free, np.unique(system.null, return_index=True)[1])
        self._factor: Any = None
        if self._free.size == 0:
            return
        if system.n_rows > SAID_FROM:
            say(f"factorising the graph Laplacian of {system.n_rows:,} nodes")
        if self._free.size < system.n_rows:
            matrix = matrix[self._free][:, self._free]
        try:
            factor = sparse_lu(matrix)
        except (RuntimeError, MemoryError) as error:
            raise FewlabelsError(
                f"the graph Laplacian could not be factorised ({error}); use solver='cg' or 'multigrid'."
            ) from None
        symmetric = np.array_equal(factor.perm_r, factor.perm_c)
        self._factor = Triangles(factor) if symmetric and kernels_pay(self._free.size) else factor

    def solve(self, B: Block) -> Block:
        X = np.zeros_like(B)
        if self._factor is not None:
            X[self._free] = self._factor.solve(np.ascontiguousarray(B[self._free]))
        return X


FACTORISATION = Key[_Factorisation]("factorisation")
