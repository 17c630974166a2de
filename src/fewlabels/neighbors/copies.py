"""Rows that repeat: a row with many copies lists few of them and the nearest distinct rows.

The nearest neighbours of such a row are all copies of it, and those of a row whose neighbours repeat are few distinct
rows: the graph would fall apart into copies.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from fewlabels.neighbors.ranking import Found
from fewlabels.neighbors.table import Neighbors

__all__ = ["beyond_copies"]

COPIES_LISTED = 0.3
"""The share of its neighbours that a repeated row takes from its copies; a row with so many copies is repeated."""

Nearest = Callable[[Any, int], Neighbors]
"""The k nearest of some points of new rows."""


def beyond_copies(found: Neighbors, points: Any, search: Callable[[Any], Nearest], equal: float = 0.0) -> Neighbors:
    """Return the neighbours with those of repeated rows replaced: a few of the copies, and the nearest distinct rows.

    Copy number t of a row lists copy number t of the others, so that copies share the load; the copies of one row are
    linked in rings of several strides. As many copies list others as the others have copies, but at least k: a row that
    is repeated thousands of times does not drown those around it. The rest list copies only. A table of one neighbour
    per point has no room for both and stays as it is.

    Parameters
    ----------
    found : Neighbors
        The nearest others of every point.
    points : array or CSR array
    search : callable
        Takes points, and returns what finds the nearest of them to some rows.
    equal : float
        Points at most so far apart are copies.
    """
    k = found.n_neighbors
    n_copies = max(1, int(COPIES_LISTED * k))
    repeated = found.distances[:, n_copies - 1] <= equal
    if k == 1 or not repeated.any():
        return found
    copies = _Copies(found, repeated, equal)
    near = _nearest_distinct(copies, points, search, k, equal)
    n_others = min(k - n_copies, near[0].shape[1])
    indices, distances = found.indices.copy(), found.distances.copy()
    rows = np.flatnonzero(copies.repeated[copies.group] & (copies.size[copies.group] > k - n_others))
    asked = np.cumsum(copies.repeated)[copies.group[rows]] - 1
    outward = np.maximum(k, copies.size[near[0][:, :n_others]].max(axis=1, initial=0))[asked] > copies.rank[rows]
    for chosen, others in ((outward, n_others), (~outward, 0)):
        some, own = rows[chosen], k - others
        indices[some, :own], distances[some, :own] = copies.linked(some, own), 0.0
        indices[some, own:] = copies.member(near[0][asked[chosen], :others], copies.rank[some, None])
        distances[some, own:] = near[1][asked[chosen], :others]
    return Neighbors.owning(indices, distances, recall=found.recall)


def _nearest_distinct(copies: _Copies, points: Any, search: Callable[[Any], Nearest], k: int, equal: float) -> Found:
    """Return the nearest other groups of each repeated one; groups that turn out to be equal are joined first."""
    while True:
        asked = np.flatnonzero(copies.repeated)
        if copies.count == 1:
            return np.empty((1, 0), dtype=np.int64), np.empty((1, 0))
        wanted = min(k, copies.count - 1)
        near = search(points[copies.first])(points[copies.first[asked]], wanted + 1)
        gaps = np.where(near.indices == asked[:, None], np.inf, near.distances)
        order = np.argsort(gaps, axis=1, kind="stable")[:, :wanted]
        groups, gaps = np.take_along_axis(near.indices, order, axis=1), np.take_along_axis(gaps, order, axis=1)
        same = gaps <= equal
        if not same.any():
            return groups, gaps
        copies.join(np.repeat(asked, same.sum(axis=1)), groups[same])


class _Copies:
    """Which points are copies of each other, in groups; a point that is not repeated is a group of its own."""

    def __init__(self, found: Neighbors, repeated: NDArray[np.bool_], equal: float) -> None:
        self.group = np.arange(found.n_points)
        self.repeated, self.count = repeated, found.n_points
        same = (found.distances <= equal) & repeated[:, None]
        self.join(np.repeat(self.group, same.sum(axis=1)), found.indices[same])

    def join(self, some: NDArray[np.int64], others: NDArray[np.int64]) -> None:
        """Make one group of each pair of groups, and number the members of each by the order of the points."""
        pairs = sp.csr_array((np.ones(some.size), (some, others)), shape=(self.count, self.count))
        joined = connected_components(pairs, directed=False)[1].astype(np.int64)
        self.group, self.repeated = joined[self.group], np.bincount(joined, weights=self.repeated) > 0
        self.first, self.size = np.unique(self.group, return_index=True, return_counts=True)[1:]
        self.count = self.first.size
        self._members = np.argsort(self.group, kind="stable")
        self._start = np.cumsum(self.size) - self.size
        self.rank = np.empty_like(self.group)
        self.rank[self._members] = np.arange(self.group.size) - self._start[self.group[self._members]]

    def member(self, groups: NDArray[np.int64], number: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the member of each group that has this number, counting round and round."""
        return np.asarray(self._members[self._start[groups] + number % self.size[groups]])

    def linked(self, rows: NDArray[np.int64], count: int) -> NDArray[np.int64]:
        """Return so many copies of each row, at strides that double, so that no copy is far from another."""
        size, step = self.size[self.group[rows], None], np.arange(count)
        longer = (size - 1 - count) * (np.exp2(step - count) - np.exp2(-count))
        return self.member(self.group[rows, None], self.rank[rows, None] + 1 + step + longer.astype(np.int64))
