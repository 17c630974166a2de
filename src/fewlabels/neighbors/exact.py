"""Exact search: every point is compared with every query."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import KDTree
from scipy.spatial.distance import cdist

from fewlabels.compiled import kernels_pay
from fewlabels.errors import FewlabelsError
from fewlabels.neighbors.pairs import nearest_of, nearest_of_all
from fewlabels.neighbors.ranking import (
    EXTRA_CANDIDATES,
    ROWS_AT_ONCE,
    TOO_LARGE,
    Candidates,
    Found,
    exact_distances,
    exact_distances_sparse,
    ranked,
)
from fewlabels.neighbors.single import SinglePrecision
from fewlabels.neighbors.table import Neighbors
from fewlabels.progress import track

__all__ = ["DenseExact", "SparseExact"]

SINGLE_ERROR = 1e-3
"""A few times the root of single precision: |q|^2 + |x|^2 - 2 q.x is wrong by up to this share of |q| + |x|."""

MIN_QUERIES_FOR_TILES = 64
"""Queries from which compiled tiles beat faiss's search row by row."""

ROWS_IN_DOUBLE = 64
TREE_DIMENSIONS = 16
"""Up to so many features a k-d tree is faster than all distances in double precision."""


class DenseExact:
    """Exact search over dense features: candidates in single precision, checked in double precision."""

    def __init__(self, points: NDArray[Any]) -> None:
        self._points = points
        self._precision = SinglePrecision(points)
        self._single = self._precision.of(points)
        self._longest = float(self._precision.lengths(points).max())

    def among_themselves(self, k: int) -> Neighbors:
        """Return the nearest other points of every point."""
        n = self._points.shape[0]
        candidates = self._ask(self._points, k)
        if k + EXTRA_CANDIDATES < n and kernels_pay(n):
            candidates = nearest_of_all(self._single, k + EXTRA_CANDIDATES).__getitem__
        return Neighbors.owning(*self._checked(candidates, self._points, k, np.arange(n)))

    def of(self, Q: NDArray[Any], k: int) -> Neighbors:
        """Return the nearest points of new rows."""
        return Neighbors.owning(*self.nearest(Q, k, None))

    def nearest(self, Q: NDArray[Any], k: int, own: NDArray[np.int64] | None) -> Found:
        """Return the nearest points of some rows; `own` holds their numbers if they are points themselves."""
        return self._checked(self._ask(Q, k), Q, k, own)

    def _ask(self, queries: NDArray[Any], k: int) -> Candidates:
        wanted = min(self._points.shape[0], k + EXTRA_CANDIDATES + 1)
        return lambda block: self._propose(queries[block], wanted)

    def _propose(self, Q: NDArray[Any], k: int) -> NDArray[np.int64]:
        """Return the k nearest points of each query in single precision."""
        single = self._precision.of(Q)
        if len(single) >= MIN_QUERIES_FOR_TILES and kernels_pay(len(self._single)):
            return nearest_of(single, self._single, k)
        return np.asarray(self._index.search(single, k)[1])

    @cached_property
    def _index(self) -> Any:
        """The points as faiss searches them, for few queries or where kernels are not at hand."""
        import faiss

        index = faiss.IndexFlatL2(self._points.shape[1])
        index.add(self._single)
        return index

    def _checked(self, candidates: Candidates, queries: NDArray[Any], k: int, own: NDArray[np.int64] | None) -> Found:
        """Rank the candidates, and search again where single precision was not enough."""
        indices, distances = ranked(candidates, queries, self._points, k, own, exact_distances)
        if not np.isfinite(distances).all():
            raise FewlabelsError(TOO_LARGE)
        farthest = distances[:, -1]
        unsure = np.flatnonzero((farthest > 0) & (farthest < self._resolution(queries)))
        self._search_in_double(unsure, queries, own, indices, distances)
        return indices, distances

    def _resolution(self, Q: NDArray[Any]) -> NDArray[np.float64]:
        """Return the distance below which single precision cannot order the neighbours of each query."""
        size = self._precision.lengths(Q) + min(self._longest, 1e30)
        return np.asarray(SINGLE_ERROR * size * self._precision.scale)

    def _search_in_double(
        self,
        unsure: NDArray[np.int64],
        queries: NDArray[Any],
        own: NDArray[np.int64] | None,
        indices: NDArray[np.int64],
        distances: NDArray[np.float64],
    ) -> None:
        """Replace the neighbours of some queries by those that double precision finds.

        One outlier stretches the scale until all other points lie within its rounding error, and dense clusters in few
        dimensions lie within it from the start. A k-d tree is fast in few dimensions.
        """
        k = indices.shape[1]
        wanted = min(k + 1, self._points.shape[0])
        tree = KDTree(self._points) if unsure.size and self._points.shape[1] <= TREE_DIMENSIONS else None
        step = ROWS_IN_DOUBLE if tree is None else ROWS_AT_ONCE
        for start in track(range(0, unsure.size, step), "finding neighbours in double precision"):
            rows = unsure[start : start + step]
            if tree is None:
                gaps = cdist(queries[rows], self._points)
                near = np.argpartition(gaps, wanted - 1, axis=1)[:, :wanted]
                far = np.take_along_axis(gaps, near, axis=1)
            else:
                far, near = (
                    part.reshape(rows.size, wanted) for part in tree.query(queries[rows], k=wanted, workers=-1)
                )
            if own is not None:
                far[near == own[rows, None]] = np.inf
            order = np.lexsort((near, far), axis=1)[:, :k]
            indices[rows] = np.take_along_axis(near, order, axis=1)
            distances[rows] = np.take_along_axis(far, order, axis=1)


class SparseExact:
    """Exact search over sparse features, a block of queries at a time, in double precision throughout."""

    ENTRIES_AT_ONCE = 2**24

    def __init__(self, points: Any) -> None:
        self._points = points
        self._columns = points.T.tocsr()
        self._squares = np.asarray(points.multiply(points).sum(axis=1), dtype=np.float64).ravel()

    def among_themselves(self, k: int) -> Neighbors:
        """Return the nearest other points of every point."""
        return self._nearest(self._points, k, np.arange(self._points.shape[0]))

    def of(self, Q: Any, k: int) -> Neighbors:
        """Return the nearest points of new rows."""
        return self._nearest(Q, k, None)

    def _nearest(self, queries: Any, k: int, own: NDArray[np.int64] | None) -> Neighbors:
        wanted = min(self._points.shape[0], k + EXTRA_CANDIDATES + 1)
        indices, distances = ranked(
            lambda block: self._propose(queries[block], wanted), queries, self._points, k, own, exact_distances_sparse
        )
        if not np.isfinite(distances).all():
            raise FewlabelsError(TOO_LARGE)
        return Neighbors.owning(indices, distances)

    def _propose(self, Q: Any, k: int) -> NDArray[np.int64]:
        """Return the k nearest points of each query by |x|^2 - 2 q.x, which ranks as the distance does."""
        step = max(1, self.ENTRIES_AT_ONCE // self._squares.size)
        found = np.empty((Q.shape[0], k), dtype=np.int64)
        for start in range(0, Q.shape[0], step):
            block = Q[start : start + step]
            ranks = self._squares - 2.0 * (block @ self._columns).toarray()
            found[start : start + step] = np.argpartition(ranks, k - 1, axis=1)[:, :k]
        return found
