"""Polynomials of a walk by their Chebyshev expansions, in far fewer products than they have powers.

p_T(x) = (1 - x^T) / (1 - x), the paper's T steps, and x^s, s steps of diffusion, have degrees T - 1 and s, but their
Chebyshev coefficients fall off after a few times the square root: those of x^s are the probabilities of s tosses of a
coin.

1 / (1 - x) is large on the slowest modes alone. Where a graph keeps those, p_T is summed on them as it stands, and the
expansion need not be right there: it is one for the interval in which the other modes lie, of half as many terms.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.polynomial.chebyshev import chebmulx, chebval
from numpy.typing import NDArray
from scipy.fft import dct

from fewlabels.compiled import kernels_pay
from fewlabels.kept import Key
from fewlabels.progress import track
from fewlabels.solvers.base import Attempt
from fewlabels.solvers.fused_walk import FusedWalk
from fewlabels.solvers.slow_modes import SlowModes, slow_modes_of
from fewlabels.systems import Block, Laplacian, System, WalkSystem

__all__ = ["Chebyshev", "Polynomial", "power_coefficients", "resolvent_coefficients", "series_coefficients"]

COMPILED_WALK = Key[FusedWalk]("compiled walk")
SINGLE_FROM = 1e-5
"""Tolerances from which single precision is enough."""

LOUDEST = 10.0
"""An expansion may make the constants so many times louder than T steps do."""

NARROWEST = 1e-3
"""Half of the shortest interval that is expanded on."""

ROUNDING = 1e-12

Interval = tuple[float, float]


@dataclass(frozen=True)
class Chebyshev:
    """The answer of ``Series(steps)``, to within `tol` of its polynomial on the whole spectrum.

    With several `steps`, one for every column. Where the graph keeps its slowest modes (`slow_modes.py`), they are put
    right afterwards, and the expansion is one for the others alone.
    """

    steps: int | tuple[int, ...]
    tol: float = 1e-4

    def attempt(self, system: System, B: Block, tol: float | None) -> Attempt:
        """Sum the expansion of p_T."""
        balanced, shift = system.solvable(B), _shift_of(system)
        source = system.over_diagonal(balanced)
        modes, within, coefficients, is_quiet = self._expansion(slow_modes_of(system), shift)
        middle, half = _place(within)
        if self.tol >= SINGLE_FROM and is_quiet and kernels_pay(system.n_rows) and isinstance(system, Laplacian):
            fused = system.kept.get(COMPILED_WALK, lambda: FusedWalk(*system.padded_walk()))
            X: Block = fused.expanded(coefficients, source, middle - shift, half).astype(np.float64)
        else:
            X = _expanded(_onto(system.walk, middle, half), coefficients, source)
        residual = None
        if modes is not None:
            values = modes.values + shift
            summed = np.asarray(chebval((values - middle) / half, coefficients)).T
            residual = self._put_right(X, balanced, modes, values, summed)
        return Attempt(X, "chebyshev", len(coefficients) - 1, None, residual)

    def _expansion(self, modes: SlowModes | None, shift: float) -> tuple[SlowModes | None, Interval, Block, bool]:
        """Return the modes to put right, if any, the interval for the others, the coefficients, and if they are quiet.

        They are if they leave the constants, outside the interval, about as they are: what rounding puts there then
        does no harm. In a graph of two sides, where a walk swings for ever, p_T has so many terms that those for a
        shorter interval would not be; the modes are of no use there.
        """
        within = (-1.0, 1.0) if modes is None else modes.others(shift)
        coefficients = self._by_column(lambda steps: series_coefficients(steps, self.tol, within))
        middle, half = _place(within)
        loudness = np.abs(chebval((1.0 + shift - middle) / half, coefficients)).max()
        is_quiet = bool(loudness <= LOUDEST * np.max(self.steps))
        if modes is not None and not is_quiet:
            return self._expansion(None, shift)
        return modes, within, coefficients, is_quiet

    def _put_right(self, X: Block, B: Block, modes: SlowModes, values: Block, summed: Block) -> float:
        """Add to X what the expansion lacks on the slow modes; return what T steps leave of B on them, relative to B.

        A balanced B has nothing of the constants, which a shift may have made grow.
        """
        shares = modes.shares(B)
        shares[values > 1.0 + ROUNDING] = 0.0
        values = np.minimum(values, 1.0)
        X_meant = self._by_column(lambda steps: (values[:, None] ** np.arange(steps)).sum(axis=1))
        left = self._by_column(lambda steps: values**steps)
        columns = (values.size, -1)
        modes.add(X, (X_meant - summed).reshape(columns) * shares)
        size, rest = (B * B).sum(axis=0), modes.squares_of(left.reshape(columns) * shares)
        return float(np.sqrt(np.divide(rest, size, out=np.zeros_like(rest), where=size > 0).max(initial=0.0)))

    def _by_column(self, of_steps: Callable[[int], Block]) -> Block:
        """Return an array that depends on T, or for several T one column of it for each, filled up with zeros."""
        if isinstance(self.steps, int):
            return of_steps(self.steps)
        each = {steps: of_steps(steps) for steps in set(self.steps)}
        found = np.zeros((max(map(len, each.values())), len(self.steps)))
        for column, steps in enumerate(self.steps):
            found[: len(each[steps]), column] = each[steps]
        return found


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


def _shift_of(system: System) -> float:
    """Return how much larger than that of P an eigenvalue of the system's walk is, but for the constants."""
    return 1.0 - system.shift if isinstance(system, Laplacian) else 0.0


def _place(within: Interval) -> tuple[float, float]:
    """Return the middle of an interval and half its length."""
    return (within[1] + within[0]) / 2.0, max((within[1] - within[0]) / 2.0, NARROWEST)


def _onto(walk: Callable[[Block], Block], middle: float, half: float) -> Callable[[Block], Block]:
    """Return (M - middle) / half for the M of a walk."""
    return lambda X: (walk(X) - middle * X) * (1.0 / half) if (middle, half) != (0.0, 1.0) else walk(X)


def _expanded(walk: Callable[[Block], Block], coefficients: Block, before: Block) -> Block:
    """Return sum_k coefficients_k T_k(M) before, by the recurrence T_(k+1) = 2 M T_k - T_(k-1)."""
    X: Block = coefficients[0] * before
    if len(coefficients) == 1:
        return X
    now = walk(before)
    for k in track(range(1, len(coefficients)), "spreading labels, Chebyshev steps"):
        X += coefficients[k] * now
        if k + 1 < len(coefficients):
            now, before = 2 * walk(now) - before, now
    return X


@cache
def series_coefficients(steps: int, tol: float, within: Interval = (-1.0, 1.0)) -> NDArray[np.float64]:
    """Return the Chebyshev coefficients of p_T on an interval, T = steps, without the tail of sum below `tol`.

    Examples
    --------
    >>> series_coefficients(3, 1e-12).round(6).tolist()  # 1 + x + x^2
    [1.5, 1.0, 0.5]
    >>> series_coefficients(2, 1e-12, (0.0, 0.5)).round(6).tolist()  # 1 + x, x = (1 + y) / 4
    [1.25, 0.25]
    """
    middle, half = _place(within)
    angles = np.pi * (np.arange(steps) + 0.5) / steps
    x = middle + half * np.cos(angles)
    gap = (1.0 - middle - half) + half * 2.0 * np.sin(angles / 2.0) ** 2
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


@cache
def resolvent_coefficients(beyond: float, tol: float) -> NDArray[np.float64]:
    """Return the Chebyshev coefficients of 1 / (beyond - x), beyond > 1, without the tail of sum below `tol`.

    They are 2 rho^k / root, the first half of that, with root = sqrt(beyond^2 - 1) and rho = beyond - root.

    Examples
    --------
    >>> resolvent_coefficients(1.25, 0.5).round(6).tolist()
    [1.333333, 1.333333, 0.666667, 0.333333]
    """
    root = np.sqrt(beyond**2 - 1.0)
    rho = beyond - root
    enough = 1 + int(np.ceil(np.log(ROUNDING * tol * root * (1.0 - rho)) / np.log(rho)))
    coefficients = 2.0 * rho ** np.arange(enough) / root
    coefficients[0] /= 2.0
    return _without_tail(coefficients, tol)


def _without_tail(coefficients: NDArray[np.float64], tol: float) -> NDArray[np.float64]:
    tails = np.cumsum(np.abs(coefficients)[::-1])[::-1]
    kept = np.array(coefficients[: max(1, int((tails >= tol).sum()))])
    kept.setflags(write=False)
    return kept
