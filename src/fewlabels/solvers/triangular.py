"""The triangles of a sparse factorisation, solved for several columns at once on all cores.

SuperLU takes the columns one by one and holds the interpreter meanwhile; with rows of many columns every entry of the
factor is read once for all of them.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp

from fewlabels.systems import Block
from fewlabels.threads import cores, run_in_threads

__all__ = ["Triangles"]

COLUMNS_AT_ONCE = 32


class Triangles:
    """A symmetric definite matrix with its rows in another order, as L D L'; L has ones on its diagonal.

    Parameters
    ----------
    factor : SuperLU
        A factorisation whose pivots are all on the diagonal.
    """

    def __init__(self, factor: Any) -> None:
        L = sp.csc_array(factor.L)
        L.sort_indices()
        self._order = np.argsort(factor.perm_r)
        self._arrays = (L.indptr, L.indices, L.data, factor.U.diagonal())

    def solve(self, B: Block) -> Block:
        """Return the inverse of the matrix times some columns."""
        X = np.empty_like(B, dtype=np.float64)
        width = min(COLUMNS_AT_ONCE, max(1, -(-B.shape[1] // cores())))
        run_in_threads([partial(self._some, B, X, slice(q, q + width)) for q in range(0, B.shape[1], width)])
        return X

    def _some(self, B: Block, X: Block, columns: slice) -> None:
        from fewlabels.solvers.triangular_kernels import solve_in_place

        Y = np.ascontiguousarray(B[self._order, columns], dtype=np.float64)
        solve_in_place(*self._arrays, Y)
        X[self._order, columns] = Y
