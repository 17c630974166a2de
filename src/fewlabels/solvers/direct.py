"""A sparse factorisation of L with one node of each component held at zero."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse.linalg import splu

from fewlabels.errors import FewlabelsError
from fewlabels.operators import Laplacian
from fewlabels.progress import say
from fewlabels.solvers.base import WIDE_WEIGHTS, Block, Solution, graded

__all__ = ["Direct"]

ACCEPTED_RESIDUAL = 1e-7


@dataclass(frozen=True)
class Direct:
    """Exact up to rounding. Right for small graphs and for low-dimensional ones, where the factor stays sparse."""

    def prepare(self, laplacian: Laplacian) -> _PreparedDirect:
        """Factorise, once."""
        return _PreparedDirect(laplacian)


class _PreparedDirect:
    def __init__(self, laplacian: Laplacian) -> None:
        self._laplacian = laplacian
        held = np.unique(laplacian.graph.components, return_index=True)[1]
        self._free = np.setdiff1d(np.arange(laplacian.graph.n_nodes), held)
        self._factor: Any = None
        if self._free.size:
            if laplacian.graph.n_nodes > 10_000:
                say(f"factorising the graph Laplacian of {laplacian.graph.n_nodes:,} nodes")
            reduced = laplacian.matrix[self._free][:, self._free].tocsc()
            try:
                self._factor = splu(
                    reduced,
                    permc_spec="MMD_AT_PLUS_A",
                    diag_pivot_thresh=0.0,
                    options={"SymmetricMode": True},
                )
            except (RuntimeError, MemoryError) as error:
                raise FewlabelsError(
                    f"the graph Laplacian could not be factorised ({error}); use solver='cg' or 'multigrid'."
                ) from None

    def solve(self, B: Block) -> Solution:
        B = self._laplacian.centre(B)
        X = self._once(B)
        X += self._once(self._laplacian.centre(B - self._laplacian.apply(X)))
        X = self._laplacian.centre(X)
        return graded(X, B - self._laplacian.apply(X), B, "direct", 1, ACCEPTED_RESIDUAL, WIDE_WEIGHTS)

    def _once(self, B: Block) -> Block:
        X = np.zeros_like(B)
        if self._factor is not None:
            X[self._free] = self._factor.solve(np.ascontiguousarray(B[self._free]))
        return X
