"""Polynomials of a walk on compiled kernels and all cores."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.systems import Rows
from fewlabels.threads import cores, even_ranges, run_in_threads

__all__ = ["PAD", "SHARES", "FusedWalk", "padded_width"]

PAD = 4
"""Columns are filled up to a multiple of this; the kernels' inner loops are twice as fast without a remainder."""

SHARES = 4
"""Pieces of work per core and pass: few enough to cost nothing, many enough that no core waits for another."""


def padded_width(columns: int) -> int:
    """Return the number of columns that the kernels work on.

    Examples
    --------
    >>> padded_width(10)
    12
    """
    return -(-columns // PAD) * PAD


class FusedWalk:
    """A walk in an order in which neighbours lie together, its rows padded."""

    def __init__(self, order: NDArray[np.int64], rows: Rows) -> None:
        self._order, self._rows = order, rows
        self._ranges = even_ranges(np.diff(rows[0]) + 1, SHARES * cores())

    def expanded(self, coefficients: NDArray[np.float32], u: NDArray[Any]) -> NDArray[np.float32]:
        """Return sum_k coefficients_k T_k(M) u."""
        from fewlabels.solvers import kernels

        diffuse: Any = kernels.diffuse
        n, c = u.shape
        now, before = np.zeros((2, n, padded_width(c)), dtype=np.float32)
        now[:, :c] = u[self._order]
        total = coefficients[0] * now
        for k, share in enumerate(coefficients[1:]):
            numbers = (bool(k), share, now, before, total)
            run_in_threads([partial(diffuse, *part, *self._rows, *numbers) for part in self._ranges])
            now, before = before, now
        found = np.empty((n, c), dtype=np.float32)
        found[self._order] = total[:, :c]
        return found
