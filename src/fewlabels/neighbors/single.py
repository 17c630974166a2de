"""Points in single precision, for searches that are fast in it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.neighbors.ranking import TOO_LARGE, row_blocks

__all__ = ["SinglePrecision"]


FARTHEST = 1e15
"""New rows may lie far outside the data: so many times its extent, squares still fit single precision."""


class SinglePrecision:
    """Centres and scales rows by one data set, so that float32 resolves its differences as well as it can.

    Examples
    --------
    >>> X = np.array([[1e6], [1e6 + 1.0]])
    >>> SinglePrecision(X).of(X).ravel().tolist()
    [-1.0, 1.0]
    """

    def __init__(self, X: NDArray[Any]) -> None:
        with np.errstate(over="ignore", invalid="ignore"):
            self.centre = X.mean(axis=0, dtype=np.float64)
            largest = max(float(np.abs(X[rows] - self.centre).max()) for rows in row_blocks(X.shape))
        if not np.isfinite(largest):
            raise FewlabelsError(TOO_LARGE)
        self.scale = largest if largest > 0 else 1.0

    def of(self, Q: NDArray[Any]) -> NDArray[np.float32]:
        """Return rows of the same features in single precision."""
        single = np.empty(Q.shape, dtype=np.float32)
        for rows in row_blocks(Q.shape):
            with np.errstate(over="ignore"):
                single[rows] = np.clip((Q[rows] - self.centre) / self.scale, -FARTHEST, FARTHEST)
        return single

    def lengths(self, Q: NDArray[Any]) -> NDArray[np.float64]:
        """Return the length of each of those rows."""
        squares = np.empty(Q.shape[0])
        for rows in row_blocks(Q.shape):
            single = self.of(Q[rows])
            squares[rows] = np.einsum("ij,ij->i", single, single, dtype=np.float64)
        return np.sqrt(squares)
