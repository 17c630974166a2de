"""Polynomials of a walk by their Chebyshev expansions, in far fewer products than they have powers.

p_T(x) = (1 - x^T) / (1 - x), the paper's T steps, and x^s, s steps of diffusion, have degrees T - 1 and s, but their
Chebyshev coefficients fall off after a few times the square root: those of x^s are the probabilities of s tosses of a
coin.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.polynomial.chebyshev import chebmulx
from numpy.typing import NDArray
from scipy.fft import dct

from fewlabels.compiled import kernels_pay
from fewlabels.kept import Key
from fewlabels.progress import track
from fewlabels.solvers.base import Attempt
from fewlabels.solvers.fused_walk import FusedWalk
from fewlabels.systems import Block, Laplacian, System, WalkSystem

__all__ = ["Chebyshev", "Polynomial", "power_coefficients", "series_coefficients"]

COMPILED_WALK = Key[FusedWalk]("compiled walk")
SINGLE_FROM = 1e-5
"""Tolerances from which single precision is enough."""


@dataclass(frozen=True)
class Chebyshev:
    """The answer of ``Series(steps)``, to within `tol` of its polynomial anywhere on [-1, 1]."""

    steps: int
    tol: float = 1e-4

    def attempt(self, system: System, B: Block, tol: float | None) -> Attempt:
        """Sum the expansion of p_T."""
        coefficients = series_coefficients(self.steps, self.tol)
        source = system.over_diagonal(system.solvable(B))
        single = self.tol >= SINGLE_FROM and kernels_pay(system.n_rows)
        if single and isinstance(system, Laplacian) and system.shift == 1.0:
            fused = system.kept.get(COMPILED_WALK, lambda: FusedWalk(*system.padded_walk()))
            X = fused.expanded(coefficients.astype(np.float32), source).astype(np.float64)
        else:
            X = _expanded(system.walk, coefficients, source)
        return Attempt(X, "chebyshev", coefficients.size - 1, None)


@dataclass(frozen=True, eq=False)
class Polynomial:
    """sum_k coefficients_k T_k(M) B for the matrix M of a walk; `tol` is what was cut off from the coefficients."""

    coefficients: NDArray[np.float64]
    tol: float

    def attempt(self, system: WalkSystem, B: Block, tol: float | None) -> Attempt:
        """Sum the expansion, compiled where that pays."""
        shares = self.coefficients.astype(np.float32)
        if kernels_pay(system.n_rows):
            fused = system.kept.get(COMPILED_WALK, lambda: FusedWalk(*system.padded_rows()))
            X = fused.expanded(shares, B)
        else:
            X = _expanded(system.walk, shares, B.astype(np.float32))
        return Attempt(X, "chebyshev", shares.size - 1, None, residual=self.tol)


def _expanded(walk: Callable[[Block], Block], coefficients: Block, before: Block) -> Block:
    """Return sum_k coefficients_k T_k(M) before, by the recurrence T_(k+1) = 2 M T_k - T_(k-1)."""
    X: Block = coefficients[0] * before
    if coefficients.size == 1:
        return X
    now = walk(before)
    for k in track(range(1, coefficients.size), "spreading labels, Chebyshev steps"):
        X += coefficients[k] * now
        if k + 1 < coefficients.size:
            now, before = 2 * walk(now) - before, now
    return X


@cache
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
    return _without_tail(coefficients, tol)


@cache
def power_coefficients(steps: int, tol: float) -> NDArray[np.float64]:
    """Return the Chebyshev coefficients of x^steps, without the tail that sums to less than `tol`.

    Examples
    --------
    >>> power_coefficients(3, 1e-12).tolist()  # (3 T_1 + T_3) / 4
    [0.0, 0.75, 0.0, 0.25]
    """
    found: Block = np.ones(1)
    for _ in range(steps):
        found = np.asarray(chebmulx(found))
    return _without_tail(found, tol)


def _without_tail(coefficients: NDArray[np.float64], tol: float) -> NDArray[np.float64]:
    tails = np.cumsum(np.abs(coefficients)[::-1])[::-1]
    kept = np.array(coefficients[: max(1, int((tails >= tol).sum()))])
    kept.setflags(write=False)
    return kept
