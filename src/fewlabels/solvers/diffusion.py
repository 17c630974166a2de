"""Many steps u <- M u of a matrix that has the graph's edges, in far fewer products and in single precision.

The Chebyshev coefficients of x^s are those of a coin's s tosses: beyond a few times sqrt(s) they are next to nothing.
"""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.polynomial.chebyshev import chebmulx
from numpy.typing import NDArray

from fewlabels.compiled import kernels_at_hand
from fewlabels.graph import Graph
from fewlabels.solvers.cg import COMPILED_FROM
from fewlabels.solvers.coarse import aggregates_of
from fewlabels.solvers.fused import PAD, SHARES, filled_up
from fewlabels.threads import cores, even_ranges, run_in_threads

__all__ = ["Diffusion", "power_coefficients"]

Single = NDArray[np.float32]


class Diffusion:
    """A matrix with a row and a column per node of the graph and eigenvalues in [-1, 1], ready to be applied often.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(2), 1) + np.diag(np.ones(2), -1))
    >>> swap = Diffusion(path, sp.csr_array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]))
    >>> swap.apply(power_coefficients(3, 1e-6), np.array([[1.0], [2.0], [3.0]])).ravel().tolist()
    [2.0, 1.0, 3.0]
    """

    def __init__(self, graph: Graph, matrix: Any) -> None:
        matrix = sp.csr_array(matrix).astype(np.float32)
        self._compiled = graph.n_nodes >= COMPILED_FROM and kernels_at_hand()
        self._matrix, self._order = matrix, np.arange(graph.n_nodes)
        if self._compiled:
            self._order = np.argsort(aggregates_of(graph), kind="stable")
            self._parts = filled_up(sp.csr_array(matrix[self._order][:, self._order]), 4)
            self._ranges = even_ranges(np.diff(self._parts[0]) + 1, SHARES * cores())

    def apply(self, coefficients: NDArray[np.float64], u: NDArray[Any]) -> Single:
        """Return sum_k coefficients_k T_k(M) u."""
        shares = coefficients.astype(np.float32)
        if not self._compiled:
            now = before = u.astype(np.float32)
            total = shares[0] * now
            for k, share in enumerate(shares[1:]):
                step = self._matrix @ now
                now, before = 2 * step - before if k else step, now
                total += share * now
            return np.asarray(total)
        from fewlabels.solvers import kernels

        n, c = u.shape
        now, before = np.zeros((2, n, -(-c // PAD) * PAD), dtype=np.float32)
        now[:, :c] = u[self._order]
        total = shares[0] * now
        for k, share in enumerate(shares[1:]):
            numbers = (bool(k), share, now, before, total)
            run_in_threads([partial(kernels.diffuse, *part, *self._parts, *numbers) for part in self._ranges])
            now, before = before, now
        found = np.empty((n, c), dtype=np.float32)
        found[self._order] = total[:, :c]
        return found


@cache
def power_coefficients(steps: int, tol: float) -> NDArray[np.float64]:
    """Return the Chebyshev coefficients of x^steps, without the tail that sums to less than `tol`.

    Examples
    --------
    >>> power_coefficients(3, 1e-12).tolist()  # (3 T_1 + T_3) / 4
    [0.0, 0.75, 0.0, 0.25]
    """
    found: NDArray[Any] = np.ones(1)
    for _ in range(steps):
        found = chebmulx(found)
    tail = np.cumsum(found[::-1])[::-1]
    kept: NDArray[np.float64] = np.asarray(found[: max(1, int((tail >= tol).sum()))])
    kept.setflags(write=False)
    return kept
