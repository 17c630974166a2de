"""The inverse of the small dense matrix on the aggregates."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor
from scipy.linalg.lapack import dpotri

__all__ = ["definite_inverse"]


def definite_inverse(C: NDArray[np.float64], component: NDArray[np.int64] | None = None) -> NDArray[np.float64]:
    """Return the inverse of a symmetric positive definite matrix.

    A matrix that is singular along the constant of each component gets a small rank-one lift there, which makes it
    definite.

    Examples
    --------
    >>> definite_inverse(np.diag([2.0, 4.0])).round(9).tolist()
    [[0.5, 0.0], [0.0, 0.25]]
    """
    if not C.size:
        return C
    if component is not None:
        C = C + (np.trace(C) or 1.0) / len(C) ** 2 * (component[:, None] == component[None, :])
    lower = dpotri(cho_factor(C, lower=True, check_finite=False)[0], lower=True)[0]
    return np.asarray(np.tril(lower) + np.tril(lower, -1).T)
