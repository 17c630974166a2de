"""The nearest of some candidates by exact distance: what faster searches find is sorted here, in double precision."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.progress import track

__all__ = [
    "EXTRA_CANDIDATES",
    "ROWS_AT_ONCE",
    "TOO_LARGE",
    "Candidates",
    "Found",
    "exact_distances",
    "exact_distances_sparse",
    "ranked",
    "row_blocks",
]

EXTRA_CANDIDATES = 6
"""Candidates beyond k, because single precision may order near ties wrongly."""

ROWS_AT_ONCE = 4096
ENTRIES_AT_ONCE = 2**19
"""Numbers that are worked on in double precision at once: they stay in the cache, and wide features take no memory."""

SAFE = 1e-100, 1e200
"""Between these, a largest square is squared in double precision without loss; others are scaled first."""

TOO_LARGE = "distances overflow; rescale the features to a range of at most 1e150."

Candidates = Callable[[slice], NDArray[np.int64]]
"""The candidates of a block of queries, a row for each; -1 where there are fewer than elsewhere."""

Distances = Callable[[Any, Any, NDArray[np.int64]], NDArray[np.float64]]

Found = tuple[NDArray[np.int64], NDArray[np.float64]]
"""Indices and distances of the nearest, a row for each query."""


def row_blocks(shape: tuple[int, ...]) -> Iterator[slice]:
    """Yield slices over the first axis of a table, each of at most a few megabytes in double precision.

    Examples
    --------
    >>> list(row_blocks((3, 300_000)))
    [slice(0, 1, None), slice(1, 2, None), slice(2, 3, None)]
    """
    step = max(1, ENTRIES_AT_ONCE // max(1, int(np.prod(shape[1:]))))
    for start in range(0, shape[0], step):
        yield slice(start, min(start + step, shape[0]))


def ranked(
    candidates: Candidates, queries: Any, points: Any, k: int, own: NDArray[np.int64] | None, distances: Distances
) -> Found:
    """Return the k nearest of the candidates, ties by index; their distance is infinite where there are fewer.

    `own` holds the number of each query among the points, so that no point is its own neighbour; None for new points.
    """
    rows = queries.shape[0]
    indices = np.empty((rows, k), dtype=np.int64)
    nearest = np.empty((rows, k))
    for start in track(range(0, rows, ROWS_AT_ONCE), "finding neighbours"):
        block = slice(start, min(start + ROWS_AT_ONCE, rows))
        proposed = candidates(block)
        gaps = distances(queries[block], points, np.maximum(proposed, 0))
        gaps[proposed < 0] = np.inf
        if own is not None:
            gaps[proposed == own[block, None]] = np.inf
        order = np.lexsort((proposed, gaps), axis=1)[:, :k]
        indices[block] = np.take_along_axis(proposed, order, axis=1)
        nearest[block] = np.take_along_axis(gaps, order, axis=1)
    return indices, nearest


def exact_distances(Q: NDArray[Any], X: NDArray[Any], columns: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return |q_i - x_j| in float64 for every row i of Q and every j in columns[i], without cancellation.

    Examples
    --------
    >>> exact_distances(np.array([[0.0, 0.0]]), np.array([[3.0, 4.0], [0.0, 1.0]]), np.array([[1, 0]])).tolist()
    [[1.0, 5.0]]
    """
    found = np.empty(columns.shape)
    for rows in row_blocks((*columns.shape, X.shape[1])):
        with np.errstate(over="ignore", invalid="ignore"):
            gaps = X[columns[rows]].astype(np.float64, copy=False)
            gaps -= Q[rows, None, :]
            squares = np.einsum("ijk,ijk->ij", gaps, gaps)
            scale = 1.0
            if not SAFE[0] < squares.max(initial=0.0) < SAFE[1]:
                scale = np.abs(gaps).max(initial=0.0) or 1.0
                if not np.isfinite(scale):
                    raise FewlabelsError(TOO_LARGE)
                gaps /= scale
                squares = np.einsum("ijk,ijk->ij", gaps, gaps)
            found[rows] = np.sqrt(squares) * scale
    return found


def exact_distances_sparse(Q: Any, X: Any, columns: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the same as :func:`exact_distances` for CSR arrays."""
    rows = np.repeat(np.arange(columns.shape[0]), columns.shape[1])
    gaps = sp.csr_array(Q[rows] - X[columns.ravel()])
    squares = np.asarray(gaps.multiply(gaps).sum(axis=1), dtype=np.float64).ravel()
    return np.sqrt(squares).reshape(columns.shape)
