"""The forces that draw the map: every point is pulled along its edges and pushed away from random others.

With s_ij from :mod:`fewlabels.atlas.level`, d_ij the distance in the plane and R a few random points of i's component:

    a_ij = s_ij / (1 + d_ij^2)
    F_i  = sum_j a_ij (y_j - y_i) + push mean_{r in R} (y_i - y_r) / ((soft + d_ir^2) (1 + d_ir^2))
    y_i <- y_i + rate F_i / (1 + 2 rate sum_j a_ij)

With q = 1 / (1 + d^2), the pull is half the gradient of sum s_ij log q_ij, the push that of log(1 - q) over random
pairs, softened where they meet. The denominator keeps a large rate stable: however strong the pull, a point goes at
most half the way to where it is pulled. All points move at once from where they were, so the map does not depend on the
number of threads.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.atlas.level import Level
from fewlabels.compiled import kernels_pay
from fewlabels.threads import cores, even_ranges, run_in_threads

__all__ = ["RANDOM_OTHERS", "moved"]

Places = NDArray[np.float32]

RANDOM_OTHERS = 6
"""How many random points push a point in a step."""

PUSH = 5.0
SOFT = 0.1
FARTHEST = 1.0
"""How far a point may go in one step."""

SHARES = 4
"""Pieces of work per core and step."""


def moved(level: Level, Y: Places, rate: float, shifts: NDArray[np.float64]) -> Places:
    """Return where the points are after a step; `shifts` in [0, 1) say which others push, see :class:`Level`."""
    numbers = np.array([rate, PUSH, SOFT, FARTHEST], dtype=np.float32)
    if not kernels_pay(level.n_points):
        return _moved_plainly(level, Y, numbers, shifts)
    from fewlabels.atlas import kernels

    move: Any = kernels.move
    out = np.empty_like(Y)
    edges = (level.indptr, level.indices, level.strength, level.low, level.size)
    ranges = even_ranges(np.diff(level.indptr) + shifts.size, SHARES * cores())
    run_in_threads([partial(move, *part, *edges, shifts, numbers, Y, out) for part in ranges])
    return out


def _moved_plainly(level: Level, Y: Places, numbers: NDArray[np.float32], shifts: NDArray[np.float64]) -> Places:
    rate, push, soft, most = numbers
    n = level.n_points
    from_ = np.repeat(np.arange(n), np.diff(level.indptr))
    a = level.strength / (1 + _squares(Y[level.indices] - Y[from_]))
    pull = sp.csr_array((a, level.indices, level.indptr), shape=(n, n))
    total = np.bincount(from_, weights=a, minlength=n).astype(np.float32)[:, None]
    force = pull @ Y - total * Y
    along = np.arange(n) - level.low + 1
    for shift in shifts:
        other = along + (shift * (level.size - 1)).astype(np.int64)
        gap = Y - Y[level.low + np.where(other < level.size, other, other - level.size)]
        square = _squares(gap)
        force += gap * (push / np.float32(shifts.size) / ((soft + square) * (1 + square)))[:, None]
    step = rate / (1 + 2 * rate * total) * force
    length = np.sqrt(_squares(step))[:, None]
    return np.asarray(Y + step * (most / np.maximum(length, most)), dtype=np.float32)


def _squares(gap: Places) -> NDArray[np.float32]:
    return np.asarray(gap[:, 0] ** 2 + gap[:, 1] ** 2)
