"""The nearest points of every point of a data set, from each pair's distance computed once.

|x|^2 + |y|^2 - 2 x.y is one matrix product if the rows are extended by |x|^2 and 1; its tiles are scanned while they
are in the cache. The pairs of blocks are taken in round-robin order: in a round each block is in one pair, so two
threads never write to the same lists.
"""

from __future__ import annotations

import threading
from functools import partial

import numpy as np
from numpy.typing import NDArray

from fewlabels.neighbors.ranking import row_blocks
from fewlabels.progress import track
from fewlabels.threads import one_blas_thread, run_in_threads

__all__ = ["NearestLists", "nearest_of", "nearest_of_all"]

BLOCK_SIZE = 1024
TILE_ROWS = 256
"""A tile of so many rows and a block of columns fits the second-level cache."""

N_CENTRES = 256
"""Points are sorted by the nearest of so many of them, so that the lists hold near points early and change seldom."""


class NearestLists:
    """For every point the k nearest of those it was compared with; points are numbered by their place in an order."""

    def __init__(self, X: NDArray[np.float32], order: NDArray[np.int64], k: int) -> None:
        # Not in the threads: an interrupt while several of them import a compiler leaves it half imported.
        from fewlabels.neighbors.scan import keep_nearest

        self._keep_nearest, self._order = keep_nearest, order
        self._rows = np.empty((X.shape[0], X.shape[1] + 2), dtype=np.float32)
        for places in row_blocks(self._rows.shape):
            self._rows[places, :-2] = X[order[places]]
        self._rows[:, -2] = 1.0
        self._rows[:, -1] = np.einsum("ij,ij->i", X, X)[order]
        self._squares = np.full((len(X), k), np.inf, dtype=np.float32)
        self._nearest = np.full((len(X), k), -1, dtype=np.int32)
        self._buffers = threading.local()

    def compare(self, mine: range, others: NDArray[np.int64], *, both: bool) -> None:
        """Enter the others into the lists of mine; with `both` also mine into theirs, if none is in both groups."""
        if not hasattr(self._buffers, "tile"):
            self._buffers.tile = np.empty(TILE_ROWS * BLOCK_SIZE, dtype=np.float32)
        left = self._facing(mine)
        for column in range(0, others.size, BLOCK_SIZE):
            places = others[column : column + BLOCK_SIZE]
            facing = self._rows[places].T
            for row in range(mine.start, mine.stop, TILE_ROWS):
                points = left[row - mine.start : row - mine.start + TILE_ROWS]
                shape = (points.shape[0], facing.shape[1])
                tile = self._buffers.tile[: shape[0] * shape[1]].reshape(shape)
                np.matmul(points, facing, out=tile)
                self._keep_nearest(tile, row, places, both, self._squares, self._nearest)

    def _facing(self, mine: range) -> NDArray[np.float32]:
        """Return [-2 x, |x|^2, 1], whose product with [y, 1, |y|^2] is the squared distance."""
        left = np.float32(-2.0) * self._rows[mine.start : mine.stop]
        left[:, -2] = self._rows[mine.start : mine.stop, -1]
        left[:, -1] = 1.0
        return left

    def found(self) -> NDArray[np.int64]:
        """Return the lists in the order of the data, nearest first; -1 where a point has fewer than k."""
        lists = np.empty(self._nearest.shape, dtype=np.int64)
        lists[self._order] = np.where(self._nearest < 0, -1, self._order[self._nearest])
        return lists


def nearest_of(Q: NDArray[np.float32], X: NDArray[np.float32], k: int) -> NDArray[np.int64]:
    """Return the k points of X nearest to each row of Q, in single precision.

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [3.0]], dtype=np.float32)
    >>> nearest_of(np.array([[2.9]], dtype=np.float32), X, 2).tolist()
    [[2, 1]]
    """
    n = X.shape[0]
    lists = NearestLists(np.vstack([X, Q]), np.arange(n + len(Q)), k)
    rows = range(n, n + len(Q), TILE_ROWS)
    with one_blas_thread():
        run_in_threads(
            [partial(lists.compare, range(a, min(a + TILE_ROWS, n + len(Q))), np.arange(n), both=False) for a in rows]
        )
    return lists.found()[n:]


def nearest_of_all(X: NDArray[np.float32], k: int) -> NDArray[np.int64]:
    """Return the k other points nearest to each, in single precision, for n > k points.

    Examples
    --------
    >>> nearest_of_all(np.array([[0.0], [1.0], [3.0]], dtype=np.float32), 1).ravel().tolist()
    [1, 0, 1]
    """
    n = X.shape[0]
    lists = NearestLists(X, _by_region(X), k)

    def compare_blocks(one: int, other: int) -> None:
        mine, others = (range(block * BLOCK_SIZE, min((block + 1) * BLOCK_SIZE, n)) for block in (one, other))
        lists.compare(mine, np.arange(others.start, others.stop), both=one != other)

    with one_blas_thread():
        for pairs in track(_round_robin(-(-n // BLOCK_SIZE)), "finding neighbours"):
            run_in_threads([partial(compare_blocks, *pair) for pair in pairs])
    return lists.found()


def _by_region(X: NDArray[np.float32]) -> NDArray[np.int64]:
    """Return an order of the points in which those with the same nearest centre are together."""
    centres = X[np.random.default_rng(0).choice(len(X), size=min(N_CENTRES, len(X)), replace=False)]
    half = 0.5 * np.einsum("ij,ij->i", centres, centres)
    region = np.concatenate(
        [(half - X[a : a + BLOCK_SIZE] @ centres.T).argmin(axis=1) for a in range(0, len(X), BLOCK_SIZE)]
    )
    return np.argsort(region, kind="stable")


def _round_robin(blocks: int) -> list[list[tuple[int, int]]]:
    """Return rounds of pairs of blocks: each pair once, a block with itself too, and no block twice in a round.

    Examples
    --------
    >>> _round_robin(3)
    [[(0, 0), (1, 1), (2, 2)], [(1, 2)], [(0, 2)], [(0, 1)]]
    """
    rounds = [[(block, block) for block in range(blocks)]]
    seats = list(range(blocks)) + ([-1] if blocks % 2 else [])
    for _ in range(len(seats) - 1):
        half = len(seats) // 2
        pairs = zip(seats[:half], reversed(seats[half:]), strict=True)
        rounds.append(sorted((min(a, b), max(a, b)) for a, b in pairs if min(a, b) >= 0))
        seats = [seats[0], seats[-1], *seats[1:-1]]
    return rounds
