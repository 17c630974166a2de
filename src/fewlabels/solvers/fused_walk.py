"""Polynomials of a walk on compiled kernels and all cores."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.systems import Rows
from fewlabels.threads import FEW_ROWS, cores, even_ranges, run_in_threads, side_by_side

__all__ = ["FusedWalk", "padded_width", "parts_of_columns", "shared", "shares_of"]

PAD = 4
"""Columns, if several, are filled up to a multiple of this; inner loops are twice as fast without a remainder."""

SHARES, SHARED_FROM = 4, 60_000
"""Pieces of work per core and pass: few enough to cost nothing, many enough that no core waits for another. Below so
many rows times columns a pass is over before a second thread has begun."""

PART = 32
"""About so many columns are taken by one thread where there are few rows."""

Ranges = list[tuple[int, int]]


def shares_of(work: NDArray[Any]) -> Ranges:
    """Return ranges of about equal work for all cores."""
    return even_ranges(work, SHARES * cores())


def shared(ranges: Ranges, entries: int) -> Ranges:
    """Return the ranges, or one for all where a block has few entries.

    Examples
    --------
    >>> shared([(0, 2), (2, 5)], 100)
    [(0, 5)]
    """
    return ranges if entries >= SHARED_FROM else [(ranges[0][0], ranges[-1][1])]


def parts_of_columns(columns: int) -> list[slice]:
    """Return ranges of about equally many columns, for each of which one thread works.

    They do not depend on the number of cores, and so neither do the steps that are taken for a column.

    Examples
    --------
    >>> parts_of_columns(7), parts_of_columns(10)
    ([slice(0, 7, None)], [slice(0, 5, None), slice(5, 10, None)])
    """
    count = max(1, min(columns // PAD, max(2, -(-columns // PART))))
    return [slice(columns * place // count, columns * (place + 1) // count) for place in range(count)]


def padded_width(columns: int) -> int:
    """Return the number of columns that the kernels work on.

    Examples
    --------
    >>> padded_width(10), padded_width(1)
    (12, 1)
    """
    return columns if columns == 1 else -(-columns // PAD) * PAD


class FusedWalk:
    """A walk in an order in which neighbours lie together, its rows padded."""

    def __init__(self, order: NDArray[np.int64], rows: Rows) -> None:
        self._order, self._rows = order, rows
        self._ranges = shares_of(np.diff(rows[0]) + 1)

    def expanded(
        self, coefficients: NDArray[np.floating[Any]], u: NDArray[Any], middle: float = 0.0, half: float = 1.0
    ) -> NDArray[np.float32]:
        """Return sum_k coefficients_k T_k((M - middle) / half) u; a row of coefficients has one for every column."""
        found = np.empty(u.shape, dtype=np.float32)
        shares = np.broadcast_to(coefficients.reshape(len(coefficients), -1), (len(coefficients), u.shape[1]))
        place = (middle, 1.0 / half)
        if len(u) > FEW_ROWS:
            self._expand(shares, place, u, found, False)
            return found
        parts = [(shares[:, some], place, u[:, some], found[:, some]) for some in parts_of_columns(u.shape[1])]
        side_by_side([partial(self._expand, *part, True) for part in parts])
        return found

    def _expand(
        self,
        coefficients: NDArray[Any],
        place: tuple[float, float],
        u: NDArray[Any],
        found: NDArray[Any],
        whole: bool,
    ) -> None:
        """Fill `found`; with `whole` by one thread, in one call."""
        from fewlabels.solvers import walk_kernels

        n, c = u.shape
        now, before = np.zeros((2, n, padded_width(c)), dtype=np.float32)
        now[:, :c] = u[self._order]
        shares = np.zeros((len(coefficients), padded_width(c)), dtype=np.float32)
        shares[:, :c] = coefficients
        total = shares[0] * now
        middle, pace = place
        if whole:
            walk_kernels.all_products(*self._rows, middle, pace, shares, now, before, total)
        else:
            diffuse: Any = walk_kernels.diffuse
            for k, share in enumerate(shares[1:]):
                numbers = (middle, 2.0 if k else 1.0, pace, share, now, before, total)
                run_in_threads([partial(diffuse, *part, *self._rows, *numbers) for part in self._ranges])
                now, before = before, now
        found[self._order] = total[:, :c]
