"""Metrics by name: how far apart two points are, as the Euclidean distance of rows made from their features."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.spelling import known_names

__all__ = ["METRICS", "Cosine", "Euclidean", "Metric", "named_metric"]


class Metric(ABC):
    """A distance that orders neighbours as the Euclidean distance of some rows does.

    To add a metric, write a subclass and name it in METRICS.

    Attributes
    ----------
    name : str
        What users write: ``metric="cosine"``.
    rounding : float
        Rows at most so many units of rounding apart are equal: how far `rows` may move those of equal points.
    """

    name: ClassVar[str]
    rounding: ClassVar[float] = 0.0

    def fitted(self, X: Any) -> Self:
        """Return the metric with what it learns from the data set, such as the range of each column."""
        return self

    @abstractmethod
    def rows(self, X: Any) -> Any:
        """Return the rows, dense or sparse, whose Euclidean distance orders the neighbours."""

    def distances(self, euclidean: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the distances that Euclidean distances between the rows stand for; larger ones stay larger."""
        return euclidean


class Euclidean(Metric):
    """|x - y|."""

    name = "euclidean"

    def rows(self, X: Any) -> Any:
        """Return the features as they are."""
        return X


class Cosine(Metric):
    """|x / |x| - y / |y||, which is sqrt(2 - 2 cos) of the angle between x and y."""

    name = "cosine"
    rounding = 8.0

    def rows(self, X: Any) -> Any:
        """Scale every row to length one."""
        if sp.issparse(X):
            largest = abs(X).max(axis=1).toarray().ravel()
            X = sp.csr_array(sp.diags_array(np.divide(1.0, largest, out=np.zeros_like(largest), where=largest > 0)) @ X)
            lengths = np.sqrt(np.asarray(X.multiply(X).sum(axis=1), dtype=np.float64).ravel())
        else:
            largest = np.abs(X).max(axis=1, keepdims=True)
            X = np.divide(X, largest, out=np.zeros_like(X), where=largest > 0)
            lengths = np.linalg.norm(X.astype(np.float64, copy=False), axis=1)
        if not (lengths > 0).all():
            row = int(np.flatnonzero(~(lengths > 0))[0])
            raise FewlabelsError(f"row {row} is all zeros and has no direction; drop it or use metric='euclidean'.")
        if sp.issparse(X):
            return sp.csr_array(sp.diags_array(1.0 / lengths) @ X)
        return X / lengths[:, None].astype(X.dtype)


METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Euclidean(),
        Cosine(),
    )
}


def named_metric(name: str) -> Metric:
    """Return the metric of this name.

    Examples
    --------
    >>> named_metric("cosine").rows(np.array([[3.0, 4.0]])).tolist()
    [[0.6, 0.8]]
    """
    if name not in list(METRICS):
        raise FewlabelsError(f"metric={name!r} is not known; {known_names(name, METRICS)}.")
    return METRICS[name]
