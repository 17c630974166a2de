"""Search backends by name: each finds the nearest points of one data set in its own way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import scipy.sparse as sp

from fewlabels.errors import FewlabelsError
from fewlabels.neighbors.approximate import Approximate
from fewlabels.neighbors.exact import DenseExact, SparseExact
from fewlabels.neighbors.table import Neighbors
from fewlabels.spelling import known_names

__all__ = ["SEARCHES", "Backend", "named_search"]

EXACT_UP_TO = 150_000
APPROXIMATE_FROM = 1000
"""Below so many points an approximate search saves nothing."""


class Backend(Protocol):
    """Finds nearest points by Euclidean distance, nearest first; the points are given when it is made.

    To add a backend, write a class or function that takes (points, recall) and name it in SEARCHES. Points and queries
    are float arrays, or CSR arrays if the features are sparse.
    """

    def among_themselves(self, k: int) -> Neighbors:
        """Return the k nearest other points of every point; k is less than the number of points."""
        ...

    def of(self, Q: Any, k: int) -> Neighbors:
        """Return the k nearest points of new rows; k is at most the number of points."""
        ...


def _exact(points: Any, recall: float) -> Backend:
    return SparseExact(points) if sp.issparse(points) else DenseExact(points)


def _approximate(points: Any, recall: float) -> Backend:
    if sp.issparse(points) or points.shape[0] < APPROXIMATE_FROM:
        return _exact(points, recall)
    return Approximate(points, recall)


def _auto(points: Any, recall: float) -> Backend:
    return (_approximate if points.shape[0] > EXACT_UP_TO else _exact)(points, recall)


SEARCHES: dict[str, Callable[[Any, float], Backend]] = {
    "auto": _auto,
    "exact": _exact,
    "approximate": _approximate,
}


def named_search(name: str) -> Callable[[Any, float], Backend]:
    """Return what makes the backend of this name from points and the recall that is asked for."""
    if name not in list(SEARCHES):
        raise FewlabelsError(f"search={name!r} is not known; {known_names(name, SEARCHES)}.")
    return SEARCHES[name]
