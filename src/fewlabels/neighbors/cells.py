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

__all__ = ["Cells", "cell_centres", "cell_count", "nearest_cells", "probes_for"]

POINTS_IN_TRAINING = 32
TRAINING_ROUNDS = 5
CELLS_AT_ONCE = 64


def cell_count(n: int) -> int:
    """Return how many cells suit so many points: a few times root n.

    Examples
    --------
    >>> cell_count(1_000_000)
    2000
    """
    return int(max(1, min(2 * np.sqrt(n), n // 39)))


def cell_centres(X: NDArray[np.float32], count: int) -> NDArray[np.float32]:
    """Return the centres of so many cells, by k-means on some of the points."""
    import faiss

    means = faiss.Kmeans(
        X.shape[1],
        count,
        niter=TRAINING_ROUNDS,
        seed=0,
        min_points_per_centroid=1,
        max_points_per_centroid=POINTS_IN_TRAINING,
        verbose=False,
    )
    means.train(X)
    return np.asarray(means.centroids)


def nearest_cells(centres: NDArray[np.float32], X: NDArray[np.float32], count: int) -> NDArray[np.int64]:
    """Return the cells whose centres are nearest to each point, nearest first."""
    import faiss

    index = faiss.IndexFlatL2(centres.shape[1])
    index.add(centres)
    return np.asarray(index.search(X, count)[1])


def probes_for(ranks: NDArray[np.int64], recall: float) -> tuple[int, float]:
    """Return how many cells find this share of some neighbours, and the share they find.

    `ranks` are those of each neighbour's cell among the cells around the point's own.

    Examples
    --------
    >>> probes_for(np.array([0, 0, 1, 5]), 0.75)
    (2, 0.75)
    """
    ranks = np.sort(ranks.ravel())
    probes = int(ranks[int(np.ceil(recall * ranks.size)) - 1]) + 1
    return probes, float((ranks < probes).mean())


class Cells:
    """A data set cut into cells by k-means, a few times root n of them."""

    def __init__(self, X: NDArray[np.float32]) -> None:
        self._X, self.count = X, cell_count(X.shape[0])
        say(f"dividing {X.shape[0]:,} points into {self.count:,} cells")
        centres = cell_centres(X, self.count)
        self._cell = nearest_cells(centres, X, 1).ravel()
        self._around = nearest_cells(centres, centres, self.count)
        self._around[:, 0] = np.arange(self.count)

    def probes_for(self, rows: NDArray[np.int64], neighbors: NDArray[np.int64], recall: float) -> tuple[int, float]:
        """Return how many cells find this share of the neighbours of some rows, and the share they find."""
        rank = np.empty((rows.size, self.count), dtype=np.int64)
        np.put_along_axis(rank, self._around[self._cell[rows]], np.arange(self.count)[None, :], axis=1)
        return probes_for(np.take_along_axis(rank, self._cell[neighbors], axis=1), recall)

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
