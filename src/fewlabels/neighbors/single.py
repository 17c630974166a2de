"""Points in single precision, for searches that are fast in it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.neighbors.ranking import TOO_LARGE

__all__ = ["SinglePrecision"]


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
            self._centre = X.mean(axis=0, dtype=np.float64)
            largest = float(np.abs(X - self._centre).max())
        if not np.isfinite(largest):
            raise FewlabelsError(TOO_LARGE)
        self.scale = largest if largest > 0 else 1.0

    def of(self, Q: NDArray[Any]) -> NDArray[np.float32]:
        """Return rows of the same features in single precision."""
        return np.ascontiguousarray((Q - self._centre) / self.scale, dtype=np.float32)
