"""Other penalties on the interface term: its l1, l2 or l-infinity norm, over all nodes and classes together.

Each has one number on which term, error and lambda depend: lambda itself for l1 (lasso.py), the ridge whose solution
the plain l2 norm retraces, the largest value allowed for l-infinity (boxed.py). It is sought in one search.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from fewlabels.errors import FewlabelsError
from fewlabels.interface.boxed import in_box
from fewlabels.interface.lasso import Lasso

__all__ = ["PENALTIES", "PenalisedFit", "fit_penalised"]

PENALTIES = ("l2-squared", "l1", "l2", "linf")
DUAL = {"l1": np.inf, "l2": 2, "linf": 1}

NEAR, EXACT = 1e-3, 1e-9
"""How closely the number is found, relative to it: for a target error, and for a lambda that was given."""

FARTHEST = 30.0
"""How far the number is sought: so many times e more or less than the first guess."""

Block = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PenalisedFit:
    """The term on the interface, the strength of the penalty, and the error on the labels."""

    term: Block
    ridge: float
    mse: float


def fit_penalised(
    A: Block,
    Y: Block,
    weights: NDArray[np.float64],
    penalty: str,
    ridge: float | None = None,
    target_mse: float = 0.2,
) -> PenalisedFit:
    """Minimise (1/m) |S^1/2 (A f - Y)|^2 + lambda |f| for a norm of the flattened term.

    Parameters
    ----------
    A : ndarray, shape (m, interface)
        What each label sees of each interface node.
    Y : ndarray, shape (m, c)
    weights : ndarray, shape (m,)
        S, how much each label counts.
    penalty : {"l1", "l2", "linf"}
    ridge : float, optional
        lambda; otherwise it is found so that the error on the labels is `target_mse`.

    Examples
    --------
    >>> fit = fit_penalised(np.eye(2), np.eye(2), np.ones(2), "l1", target_mse=0.25)
    >>> round(fit.ridge, 2), fit.term.round(2).tolist()
    (0.5, [[0.5, 0.0], [0.0, 0.5]])
    """
    if penalty not in DUAL:
        raise FewlabelsError(f"penalty={penalty!r} is not known; choose one of {', '.join(PENALTIES)}.")
    root = np.sqrt(weights)[:, None]
    A, Y = root * A, root * Y
    strongest = float(np.linalg.norm((2.0 / len(Y)) * (A.T @ Y).ravel(), DUAL[penalty]))
    whole = float((Y**2).sum() / len(Y))
    if ridge is not None and ridge >= strongest:
        return PenalisedFit(np.zeros((A.shape[1], Y.shape[1])), ridge, whole)
    if ridge is None and not (strongest > 0.0 and 0.0 < target_mse < whole):
        raise _out_of_reach(target_mse, penalty)
    fit, start = {"l1": _by_lambda, "l2": _by_ridge, "linf": _by_level}[penalty](A, Y, strongest)
    if ridge is not None:
        found = _sought(fit, start, lambda each: each.ridge, ridge, EXACT)
    else:
        found = _sought(fit, start, lambda each: each.mse, target_mse, NEAR)
    if found is None:
        raise _out_of_reach(target_mse, penalty)
    return found


Fit = Callable[[float], PenalisedFit]
"""The best term by a number with which lambda and the error rise."""


def _by_lambda(A: Block, Y: Block, strongest: float) -> tuple[Fit, float]:
    lasso = Lasso(A, Y)

    def fit(strength: float) -> PenalisedFit:
        return _measured(A, Y, lasso.term(strength), strength)

    return fit, strongest


def _by_ridge(A: Block, Y: Block, strongest: float) -> tuple[Fit, float]:
    """Retrace the ridge: the minimum with lambda |f| is that with mu |f|^2 where lambda = 2 mu |f|."""
    kappa, V = np.linalg.eigh(A @ A.T)
    kappa, loads, m = np.maximum(kappa, 0.0)[:, None], V.T @ Y, len(Y)

    def fit(mu: float) -> PenalisedFit:
        term = A.T @ (V @ (loads / (kappa + m * mu)))
        return _measured(A, Y, term, 2.0 * mu * float(np.linalg.norm(term)))

    return fit, float(kappa.max()) / m


def _by_level(A: Block, Y: Block, strongest: float) -> tuple[Fit, float]:
    def fit(number: float) -> PenalisedFit:
        return _measured(A, Y, *in_box(A, Y, 1.0 / number))

    # The error falls by no more than `strongest` times the level.
    return fit, strongest * len(Y) / float((Y**2).sum())


def _measured(A: Block, Y: Block, term: Block, strength: float) -> PenalisedFit:
    return PenalisedFit(term, strength, float(((A @ term - Y) ** 2).sum() / len(Y)))


def _sought(
    fit: Fit, start: float, measure: Callable[[PenalisedFit], float], goal: float, near: float
) -> PenalisedFit | None:
    """Return the fit that measures `goal`, by a number sought from `start`; None where there is none."""
    nearest: tuple[float, PenalisedFit | None] = (np.inf, None)

    def missed(log: float) -> float:
        nonlocal nearest
        found = fit(start * float(np.exp(log)))
        by = measure(found) - goal
        nearest = min(nearest, (abs(by), found), key=lambda each: each[0])
        return by

    low = high = 0.0
    while missed(low) > 0:
        low, high = low - 1.0, low
        if low < -FARTHEST:
            return None
    while missed(high) < 0:
        low, high = high, high + 1.0
        if high > FARTHEST:
            return None
    brentq(missed, low, high, xtol=near, rtol=near)
    return nearest[1]


def _out_of_reach(target_mse: float, penalty: str) -> FewlabelsError:
    return FewlabelsError(
        f"target_mse={target_mse:g} is out of reach with the {penalty} penalty; raise it or give ridge."
    )
