"""Approximate search: only the cells nearest to a query are searched, as many as a measured recall needs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.compiled import kernels_at_hand
from fewlabels.neighbors.cells import Cells
from fewlabels.neighbors.exact import DenseExact
from fewlabels.neighbors.ranking import EXTRA_CANDIDATES, Candidates, exact_distances, ranked
from fewlabels.neighbors.single import SinglePrecision
from fewlabels.neighbors.table import Neighbors, recall_of
from fewlabels.progress import say

__all__ = ["Approximate"]

SAMPLED_ROWS = 500
RECALL_MARGIN = 0.2
"""This part of the allowed misses is kept in reserve: the recall of all points may be lower than that of the sample."""


class Approximate:
    """Approximate search over dense features.

    The neighbours of all points are looked for in the cells around their own (:class:`Cells`) where compiled code is
    available; otherwise, and for new points, in the cells of a faiss index.
    """

    def __init__(self, points: NDArray[Any], recall: float) -> None:
        self._points, self._recall = points, recall
        self._index: _CellIndex | None = None
        self._reached = 0.0

    def among_themselves(self, k: int) -> Neighbors:
        """Return the nearest other points of every point, with the recall measured on sampled points."""
        everyone = np.arange(self._points.shape[0])
        if not kernels_at_hand():
            return self._by_index(self._points, k, everyone)
        rows, truth = self._sample(k)
        cells = Cells(SinglePrecision(self._points).of(self._points))
        probes, reached = cells.probes_for(rows, truth.indices, self._recall + RECALL_MARGIN * (1.0 - self._recall))
        say(f"looking into {probes} of {cells.count} cells per point finds {reached:.1%} of the neighbours")
        near = cells.nearest_of_all(k + EXTRA_CANDIDATES, probes)
        return replace(self._nearest(near.__getitem__, self._points, k, everyone), recall=reached)

    def of(self, Q: NDArray[Any], k: int) -> Neighbors:
        """Return the nearest points of new rows, with the recall measured on sampled points."""
        return self._by_index(Q, k, None)

    def _by_index(self, queries: NDArray[Any], k: int, own: NDArray[np.int64] | None) -> Neighbors:
        if self._index is None:
            self._index, self._reached = self._tuned_index(k)
        found = self._nearest(self._ask(self._index, queries, k), queries, k, own)
        return replace(found, recall=self._reached)

    def _tuned_index(self, k: int) -> tuple[_CellIndex, float]:
        """Search more cells until the neighbours of the sampled points are found as often as was asked for."""
        index = _CellIndex(self._points)
        rows, truth = self._sample(k)
        index.probes = 1
        while True:
            sample = self._points[rows]
            reached = recall_of(self._nearest(self._ask(index, sample, k), sample, k, rows), truth)
            if reached >= self._recall or index.probes == index.n_cells:
                say(f"looking into {index.probes} cells per point finds {reached:.1%} of the neighbours")
                return index, reached
            index.probes = int(np.ceil(index.probes * 1.5))

    def _sample(self, k: int) -> tuple[NDArray[np.int64], Neighbors]:
        """Return some rows and their true neighbours."""
        n = self._points.shape[0]
        rows = np.sort(np.random.default_rng(0).choice(n, size=min(SAMPLED_ROWS, n), replace=False))
        return rows, Neighbors.owning(*DenseExact(self._points).nearest(self._points[rows], k, rows))

    def _ask(self, index: _CellIndex, queries: NDArray[Any], k: int) -> Candidates:
        wanted = min(self._points.shape[0], k + EXTRA_CANDIDATES + 1)
        return lambda block: index.propose(queries[block], wanted)

    def _nearest(
        self, candidates: Candidates, queries: NDArray[Any], k: int, own: NDArray[np.int64] | None
    ) -> Neighbors:
        """Rank candidates; queries whose cells held fewer than k points are searched exactly."""
        indices, distances = ranked(candidates, queries, self._points, k, own, exact_distances)
        short = np.flatnonzero(~np.isfinite(distances).all(axis=1))
        if short.size:
            mine = None if own is None else own[short]
            indices[short], distances[short] = DenseExact(self._points).nearest(queries[short], k, mine)
        return Neighbors.owning(indices, distances)


class _CellIndex:
    """Faiss's inverted file: points in cells, of which a query sees the nearest few."""

    ROWS_PER_CELL_IN_TRAINING = 64

    def __init__(self, X: NDArray[Any]) -> None:
        import faiss

        n, d = X.shape
        self.n_cells = int(max(1, min(4 * np.sqrt(n), n // 39)))
        self._precision = SinglePrecision(X)
        say(f"dividing {n:,} points into {self.n_cells:,} cells")
        single = self._precision.of(X)
        self._quantizer = faiss.IndexFlatL2(d)
        self._index = faiss.IndexIVFFlat(self._quantizer, d, self.n_cells)
        self._index.cp.max_points_per_centroid = self.ROWS_PER_CELL_IN_TRAINING
        self._index.train(single)
        self._index.add(single)

    @property
    def probes(self) -> int:
        """The number of cells searched for one query."""
        return int(self._index.nprobe)

    @probes.setter
    def probes(self, value: int) -> None:
        self._index.nprobe = int(min(value, self.n_cells))

    def propose(self, Q: NDArray[Any], k: int) -> NDArray[np.int64]:
        """Return the k nearest points found in the searched cells; -1 fills up."""
        return np.asarray(self._index.search(self._precision.of(Q), k)[1])
