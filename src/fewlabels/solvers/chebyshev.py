"""The paper's T steps in far fewer products: p_T(P) D^-1 B by its Chebyshev expansion.

p_T(x) = (1 - x^T) / (1 - x) has degree T - 1, but its Chebyshev coefficients fall off after about sqrt(T) terms.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.fft import dct

from fewlabels.operators import Laplacian
from fewlabels.progress import track
from fewlabels.solvers.base import Block, Solution, truncated

__all__ = ["Chebyshev", "series_coefficients"]


@dataclass(frozen=True)
class Chebyshev:
    """The answer of ``Series(steps)``, to within `tol` of its polynomial anywhere on [-1, 1]."""

    steps: int
    tol: float = 1e-4

    def prepare(self, laplacian: Laplacian) -> _PreparedChebyshev:
        """Compute the coefficients of p_T, cut where the rest sums to less than `tol`."""
        return _PreparedChebyshev(laplacian, series_coefficients(self.steps, self.tol))


@dataclass(frozen=True, eq=False)
class _PreparedChebyshev:
    laplacian: Laplacian
    coefficients: NDArray[np.float64]

    def solve(self, B: Block) -> Solution:
        B = self.laplacian.centre(B)
        before = self.laplacian.inverse_degrees[:, None] * B
        X = self.coefficients[0] * before
        now = self.laplacian.walk(before)
        for k in track(range(1, self.coefficients.size), "spreading labels, Chebyshev steps"):
            X += self.coefficients[k] * now
            if k + 1 < self.coefficients.size:
                now, before = 2.0 * self.laplacian.walk(now) - before, now
        return truncated(self.laplacian, X, B, "chebyshev", self.coefficients.size - 1)


def series_coefficients(steps: int, tol: float) -> NDArray[np.float64]:
    """Return the Chebyshev coefficients of p_T, T = steps, without the tail that sums to less than `tol`.

    Examples
    --------
    >>> series_coefficients(3, 1e-12).round(6).tolist()  # 1 + x + x^2
    [1.5, 1.0, 0.5]
    """
    angles = np.pi * (np.arange(steps) + 0.5) / steps
    x = np.cos(angles)
    gap = 2.0 * np.sin(angles / 2.0) ** 2
    coefficients = dct((1.0 - x**steps) / gap, type=2) / steps
    coefficients[0] /= 2.0
    tails = np.cumsum(np.abs(coefficients)[::-1])[::-1]
    return np.asarray(coefficients[: max(1, int((tails >= tol).sum()))])
