"""NeighborSearch: nearest neighbours of a data set among itself, or of new points in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.spatial import KDTree
from scipy.spatial.distance import cdist

from fewlabels.compiled import kernels_at_hand
from fewlabels.errors import FewlabelsError
from fewlabels.neighbors.candidates import CandidateIndex, DenseIndex, InvertedIndex, SparseIndex
from fewlabels.neighbors.cells import Cells
from fewlabels.neighbors.checks import METRICS, checked_features, paired_distances, unit_rows
from fewlabels.neighbors.table import Neighbors
from fewlabels.progress import say, track

Proposals = Callable[[slice], NDArray[np.int64]]
"""Candidates of a block of queries; -1 where there are fewer than elsewhere."""

__all__ = ["SEARCHES", "NeighborSearch", "find_neighbors", "recall_of"]

SEARCHES = ("auto", "exact", "approximate")

EXACT_UP_TO = 150_000
APPROXIMATE_FROM = 1000
SPARE = 6
"""Candidates beyond k, because single precision may order near ties wrongly."""

ROWS_AT_ONCE = 4096
ROWS_IN_DOUBLE = 64
TREE_DIMENSIONS = 8
SAMPLED_ROWS = 500
MARGIN = 0.2
"""The part of what may be missed that is kept in hand, because the recall of all rows is not that of the sampled."""

TIE = 1e-6
"""Distances within this relative gap of the k-th count as found: which of two equals is returned is chance."""


class NeighborSearch:
    """Search for nearest neighbours in one data set.

    Parameters
    ----------
    X : array-like, DataFrame or sparse matrix, shape (n, d)
    metric : {"euclidean", "cosine"}
    search : {"auto", "exact", "approximate"}
        "auto" is exact up to 150,000 points and for sparse features, approximate beyond.
    recall : float
        What approximate search must find of the true neighbours, measured on sampled rows; it looks into as many
        cells as that takes.

    Examples
    --------
    >>> NeighborSearch([[0.0], [1.0], [3.0]]).among_themselves(1).indices.ravel().tolist()
    [1, 0, 1]
    """

    def __init__(self, X: Any, metric: str = "euclidean", search: str = "auto", recall: float = 0.95) -> None:
        if metric not in METRICS:
            raise FewlabelsError(f"metric={metric!r} is not known; choose one of {', '.join(METRICS)}.")
        if search not in SEARCHES:
            raise FewlabelsError(f"search={search!r} is not known; choose one of {', '.join(SEARCHES)}.")
        if not 0 < recall <= 1:
            raise FewlabelsError(f"recall={recall} is not a share; give a number above 0 and at most 1.")
        self.metric, self.search, self.recall = metric, search, recall
        self._points = self._prepared(X)
        self._index: CandidateIndex | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the index; it is built again when needed."""
        return {**self.__dict__, "_index": None}

    def among_themselves(self, n_neighbors: int) -> Neighbors:
        """Return the nearest other points of every point; at most n - 1 of them."""
        if not isinstance(n_neighbors, (int, np.integer)) or n_neighbors < 1:
            raise FewlabelsError(f"{n_neighbors} neighbours; give a whole number, at least one neighbour per point.")
        k = min(int(n_neighbors), self._points.shape[0] - 1)
        return self._search(self._points, k, own=np.arange(self._points.shape[0]))

    def of(self, Q: Any, n_neighbors: int) -> Neighbors:
        """Return the nearest points of new rows `Q`."""
        queries = self._prepared(Q, single_row=True)
        if queries.shape[1] != self._points.shape[1]:
            raise FewlabelsError(f"new rows have {queries.shape[1]} features, the data {self._points.shape[1]}.")
        return self._search(queries, min(int(n_neighbors), self._points.shape[0]), own=None)

    def _prepared(self, X: Any, single_row: bool = False) -> Any:
        if single_row and getattr(X, "shape", (2,))[0] == 1:
            both = sp.vstack([X, X]) if sp.issparse(X) else np.vstack([np.asarray(X)] * 2)
            return self._prepared(both)[:1]
        points = checked_features(X)
        fitted = getattr(self, "_points", None)
        if fitted is not None and sp.issparse(fitted) != sp.issparse(points):
            points = sp.csr_array(points) if sp.issparse(fitted) else points.toarray()
        return unit_rows(points) if self.metric == "cosine" else points

    def _search(self, queries: Any, k: int, own: NDArray[np.int64] | None) -> Neighbors:
        """Find neighbours of the queries; `own` says which points they are, so that none is its own neighbour."""
        approximate = (
            not sp.issparse(self._points)
            and self._points.shape[0] >= APPROXIMATE_FROM
            and (self.search == "approximate" or (self.search == "auto" and self._points.shape[0] > EXACT_UP_TO))
        )
        if not approximate:
            if self._index is None:
                self._index = SparseIndex(self._points) if sp.issparse(self._points) else DenseIndex(self._points)
            return self._exact(self._index, queries, k, own)
        if own is not None and own.size == self._points.shape[0] and kernels_at_hand():
            return self._by_cells(k, own)
        if self._index is None:
            self._index, self._reached = self._tuned_index(k)
        found = self._approximate(self._asking(self._index, queries, k), queries, k, own)
        return Neighbors(found.indices, found.distances, recall=self._reached)

    def _by_cells(self, k: int, own: NDArray[np.int64]) -> Neighbors:
        """Look for every point's neighbours in as many cells around it as the sampled rows need."""
        rows, truth = self._sample(k)
        cells = Cells(DenseIndex(self._points).single(self._points))
        probes, reached = cells.probes_for(rows, truth.indices, self.recall + MARGIN * (1.0 - self.recall))
        say(f"looking into {probes} of {cells.count} cells per point finds {reached:.1%} of the neighbours")
        near = cells.nearest_of_all(k + SPARE, probes)
        found = self._approximate(near.__getitem__, self._points, k, own)
        return Neighbors(found.indices, found.distances, recall=reached)

    def _sample(self, k: int) -> tuple[NDArray[np.int64], Neighbors]:
        """Return some rows and their true neighbours."""
        n = self._points.shape[0]
        rows = np.sort(np.random.default_rng(0).choice(n, size=min(SAMPLED_ROWS, n), replace=False))
        return rows, self._exact(DenseIndex(self._points), self._points[rows], k, rows)

    def _tuned_index(self, k: int) -> tuple[InvertedIndex, float]:
        """Look into more cells until the sampled rows find the recall that was asked for."""
        index = InvertedIndex(self._points)
        rows, truth = self._sample(k)
        index.probes = 1
        while True:
            sample = self._points[rows]
            reached = recall_of(self._approximate(self._asking(index, sample, k), sample, k, rows), truth)
            if reached >= self.recall or index.probes == index.n_cells:
                say(f"looking into {index.probes} cells per point finds {reached:.1%} of the neighbours")
                return index, reached
            index.probes = int(np.ceil(index.probes * 1.5))

    def _asking(self, index: CandidateIndex, queries: Any, k: int) -> Proposals:
        """Return the candidates of a block of queries, asked for when needed."""
        wanted = min(self._points.shape[0], k + SPARE + 1)
        return lambda block: index.propose(queries[block], wanted)

    def _exact(self, index: CandidateIndex, queries: Any, k: int, own: NDArray[np.int64] | None) -> Neighbors:
        """Rank the candidates of an exact index, and look again where single precision was not enough."""
        known = None
        if own is not None and own.size == self._points.shape[0] and isinstance(index, DenseIndex):
            known = index.propose_for_all(k + SPARE)
        propose = self._asking(index, queries, k) if known is None else known.__getitem__
        indices, distances = self._ranked(propose, queries, k, own)
        if not np.isfinite(distances).all():
            raise FewlabelsError("distances overflow; rescale the features to a range of at most 1e150.")
        self._refine(index, queries, own, indices, distances)
        return Neighbors(indices, distances)

    def _approximate(self, propose: Proposals, queries: Any, k: int, own: NDArray[np.int64] | None) -> Neighbors:
        """Rank candidates; rows whose probed cells held fewer than k points are searched exactly."""
        indices, distances = self._ranked(propose, queries, k, own)
        short = np.flatnonzero(~np.isfinite(distances).all(axis=1))
        if short.size:
            index, mine = DenseIndex(self._points), None if own is None else own[short]
            exact = self._exact(index, queries[short], k, mine)
            indices[short], distances[short] = exact.indices, exact.distances
        return Neighbors(indices, distances)

    def _ranked(
        self, propose: Proposals, queries: Any, k: int, own: NDArray[np.int64] | None
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the k nearest of the candidates by exact distance, ties by index; infinity where there are fewer."""
        rows = queries.shape[0]
        indices = np.empty((rows, k), dtype=np.int64)
        distances = np.empty((rows, k))
        for start in track(range(0, rows, ROWS_AT_ONCE), "finding neighbours"):
            block = slice(start, min(start + ROWS_AT_ONCE, rows))
            proposed = propose(block)
            gaps = paired_distances(queries[block], self._points, np.maximum(proposed, 0))
            gaps[proposed < 0] = np.inf
            if own is not None:
                gaps[proposed == own[block, None]] = np.inf
            order = np.lexsort((proposed, gaps), axis=1)[:, :k]
            indices[block] = np.take_along_axis(proposed, order, axis=1)
            distances[block] = np.take_along_axis(gaps, order, axis=1)
        return indices, distances

    def _refine(
        self,
        index: CandidateIndex,
        queries: Any,
        own: NDArray[np.int64] | None,
        indices: NDArray[np.int64],
        distances: NDArray[np.float64],
    ) -> None:
        """Search again, in double precision, for rows whose neighbours single precision could not tell apart.

        An outlier stretches the scale until the rest lies within its rounding, and dense clumps in few dimensions lie
        within it from the start; a tree is quick there, and every distance is computed where it is not.
        """
        if not isinstance(index, DenseIndex):
            return
        k = indices.shape[1]
        blurred = np.flatnonzero((distances[:, -1] > 0) & (distances[:, -1] < index.blur(queries)))
        wanted = min(k + 1, self._points.shape[0])
        tree = KDTree(self._points) if blurred.size and self._points.shape[1] <= TREE_DIMENSIONS else None
        step = ROWS_IN_DOUBLE if tree is None else ROWS_AT_ONCE
        for start in track(range(0, blurred.size, step), "finding neighbours in double precision"):
            rows = blurred[start : start + step]
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


def find_neighbors(
    X: Any, n_neighbors: int = 10, metric: str = "euclidean", search: str = "auto", recall: float = 0.95
) -> Neighbors:
    """Return the `n_neighbors` nearest other points of every row of `X`; see :class:`NeighborSearch`."""
    return NeighborSearch(X, metric, search, recall).among_themselves(n_neighbors)


def recall_of(found: Neighbors, truth: Neighbors) -> float:
    """Return the share of true neighbours found, counting equals of the farthest true one as found."""
    farthest = truth.distances[:, -1:] * (1 + TIE)
    return float((found.distances <= farthest).mean())
