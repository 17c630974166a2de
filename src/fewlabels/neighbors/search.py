"""NeighborSearch: nearest neighbours of a data set among itself, or of new points in it."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewlabels.errors import FewlabelsError
from fewlabels.neighbors.backends import Backend, named_search
from fewlabels.neighbors.checks import checked_features, stored_like
from fewlabels.neighbors.copies import beyond_copies
from fewlabels.neighbors.metrics import named_metric
from fewlabels.neighbors.table import Neighbors

__all__ = ["NeighborSearch", "find_neighbors"]


class NeighborSearch:
    """Search for nearest neighbours in one data set.

    Parameters
    ----------
    X : array-like, DataFrame or sparse matrix, shape (n, d)
    metric : str
        "euclidean", "cosine", or another name in ``fewlabels.neighbors.METRICS``.
    search : str
        "auto" is exact up to 150,000 points and for sparse features, approximate beyond; "exact", "approximate", or
        another name in ``fewlabels.neighbors.SEARCHES``.
    recall : float
        What approximate search must find of the true neighbours, measured on sampled rows; it looks into as many
        cells as that takes.

    Examples
    --------
    >>> NeighborSearch([[0.0], [1.0], [3.0]]).among_themselves(1).indices.ravel().tolist()
    [1, 0, 1]
    """

    def __init__(self, X: Any, *, metric: str = "euclidean", search: str = "auto", recall: float = 0.95) -> None:
        chosen = named_metric(metric)
        named_search(search)  # an unknown name is refused before any work is done
        if not 0 < recall <= 1:
            raise FewlabelsError(f"recall={recall} is not a share; give a number above 0 and at most 1.")
        self.metric, self.search, self.recall = metric, search, recall
        self.features = checked_features(X)
        self._metric = chosen.fitted(self.features)
        self._points = self._metric.rows(self.features)
        self._backend: Backend | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is made again: the backend, and the rows that the metric makes of the features."""
        return {**self.__dict__, "_backend": None, "_points": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._points = self._metric.rows(self.features)

    def among_themselves(self, n_neighbors: int) -> Neighbors:
        """Return the nearest other points of every point; at most n - 1 of them.

        Of a row that is repeated, few copies are listed beside the nearest distinct rows.
        """
        if not isinstance(n_neighbors, (int, np.integer)) or n_neighbors < 1:
            raise FewlabelsError(f"{n_neighbors} neighbours; give a whole number, at least one neighbour per point.")
        found = self._ready().among_themselves(min(int(n_neighbors), self._points.shape[0] - 1))
        equal = self._metric.rounding * float(np.finfo(self._points.dtype).eps)
        return self._measured(beyond_copies(found, self._points, lambda some: self._backend_of(some).of, equal))

    def of(self, Q: Any, n_neighbors: int) -> Neighbors:
        """Return the nearest points of new rows `Q`."""
        queries = stored_like(self.features, checked_features(Q, min_rows=1))
        if queries.shape[1] != self.features.shape[1]:
            raise FewlabelsError(
                f"new rows have {queries.shape[1]} features, the data {self.features.shape[1]}; give the same ones."
            )
        k = min(int(n_neighbors), self._points.shape[0])
        return self._measured(self._ready().of(self._metric.rows(queries), k))

    def _ready(self) -> Backend:
        if self._backend is None:
            self._backend = self._backend_of(self._points)
        return self._backend

    def _backend_of(self, points: Any) -> Backend:
        return named_search(self.search)(points, self.recall)

    def _measured(self, found: Neighbors) -> Neighbors:
        """Return the neighbours with the distances of the metric."""
        return Neighbors.owning(found.indices, self._metric.distances(found.distances), recall=found.recall)


def find_neighbors(
    X: Any, n_neighbors: int = 10, *, metric: str = "euclidean", search: str = "auto", recall: float = 0.95
) -> Neighbors:
    """Return the `n_neighbors` nearest other points of every row of `X`; see :class:`NeighborSearch`."""
    return NeighborSearch(X, metric=metric, search=search, recall=recall).among_themselves(n_neighbors)
