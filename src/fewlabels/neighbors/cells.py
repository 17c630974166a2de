"""The probable nearest points of every point of a data set: those in the cells around its own.

A point's neighbours lie in its own cell or in those whose centres are nearest to that cell's. How many cells are needed
follows from a sample whose neighbours are known: the rank of each neighbour's cell among those around the point's own.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from fewlabels.neighbors.pairs import NearestLists
from fewlabels.progress import say, track
from fewlabels.threads import one_blas_thread, run_in_threads

__all__ = ["Cells"]

POINTS_IN_TRAINING = 32
TRAINING_ROUNDS = 5
CELLS_AT_ONCE = 64


class Cells:
    """A data set cut into cells by k-means, a few times root n of them."""

    def __init__(self, X: NDArray[np.float32]) -> None:
        import faiss

        n, d = X.shape
        count = int(max(1, min(2 * np.sqrt(n), n // 39)))
        say(f"dividing {n:,} points into {count:,} cells")
        means = faiss.Kmeans(
            d, count, niter=TRAINING_ROUNDS, seed=0, max_points_per_centroid=POINTS_IN_TRAINING, verbose=False
        )
        means.train(X)
        self._X, self.count = X, count
        self._centres = np.asarray(means.centroids)
        self._cell = np.asarray(means.index.search(X, 1)[1]).ravel()
        self._around = np.asarray(means.index.search(self._centres, count)[1])
        self._around[:, 0] = np.arange(count)

    def probes_for(self, rows: NDArray[np.int64], neighbors: NDArray[np.int64], recall: float) -> tuple[int, float]:
        """Return how many cells find this share of the neighbours of some rows, and the share they find."""
        rank = np.empty((rows.size, self.count), dtype=np.int64)
        np.put_along_axis(rank, self._around[self._cell[rows]], np.arange(self.count)[None, :], axis=1)
        ranks = np.sort(np.take_along_axis(rank, self._cell[neighbors], axis=1).ravel())
        probes = int(ranks[int(np.ceil(recall * ranks.size)) - 1]) + 1
        return probes, float((ranks < probes).mean())

    def nearest_of_all(self, k: int, probes: int) -> NDArray[np.int64]:
        """Return the k points nearest to each in the `probes` cells around it; -1 where they hold fewer."""
        order = np.argsort(self._cell, kind="stable")
        starts = np.concatenate([[0], np.cumsum(np.bincount(self._cell, minlength=self.count))])
        lists = NearestLists(self._X, order, k)

        def look_around(cell: int) -> None:
            places = [np.arange(starts[other], starts[other + 1]) for other in self._around[cell, :probes]]
            lists.compare(range(int(starts[cell]), int(starts[cell + 1])), np.concatenate(places), both=False)

        with one_blas_thread():
            for first in track(range(0, self.count, CELLS_AT_ONCE), "finding neighbours"):
                some = range(first, min(first + CELLS_AT_ONCE, self.count))
                run_in_threads([partial(look_around, cell) for cell in some])
        return lists.found()
