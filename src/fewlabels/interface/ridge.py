"""How strong: the ridge parameter, from a target error on the labels, and the ridge solution in its m x m form.

With K = V diag(kappa) V' the weighted error on the labels after the ridge fit is

    g(lambda) = (1/m) sum_j (m lambda / (m lambda + kappa_j))^2 |v_j' y|^2,

so one eigendecomposition answers for every lambda.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from fewlabels.errors import FewlabelsError

__all__ = ["RidgeFit", "fit_ridge", "fit_ridge_spectrum"]

AUTO_TARGET = 0.2
LARGEST_TARGET = 0.6
PRIOR_LABELS = 10
"""How many labels the usual target counts for, beside what the labels say of each other."""

NULL = 1e-14
"""Eigenvalues below this share of the largest are rounding."""

Matrix = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RidgeFit:
    """The ridge parameter, the error it leaves on the labels, and the coefficients alpha with f = G_I alpha."""

    ridge: float
    mse: float
    coefficients: Matrix


def fit_ridge(
    K: Matrix,
    Y: Matrix,
    weights: NDArray[np.float64],
    ridge: float | None = None,
    target_mse: float | str = "auto",
    noise: float = 0.0,
    by_labels: bool = False,
) -> RidgeFit:
    """Minimise (1/m) |S^1/2 (K alpha - Y)|^2 + lambda alpha' K alpha over alpha.

    Parameters
    ----------
    K : ndarray, shape (m, m)
        Gram matrix of the rows that the labels see of the interface.
    Y : ndarray, shape (m, c)
        Targets.
    weights : ndarray, shape (m,)
        S, how much each label counts.
    ridge : float, optional
        lambda itself; otherwise it follows from `target_mse`.
    target_mse : float or "auto"
        The error to leave on the labels. "auto" lies a fifth of the way through what is reachable, which is 0.2 for
        one-hot targets and a K of full rank.

    noise : float
        What rounding may have put into K; eigenvalues below it count as zero.
    by_labels : bool
        For one-hot targets, let "auto" be what the labels say of each other: see `_targets_by_labels`. The ridge and
        error told are of the middle target.

    Examples
    --------
    >>> fit = fit_ridge(np.eye(2), np.eye(2), np.ones(2), target_mse=0.25)
    >>> round(fit.ridge, 6), fit.coefficients.round(6).tolist()
    (0.5, [[0.5, 0.0], [0.0, 0.5]])
    """
    m = Y.shape[0]
    root = np.sqrt(weights)[:, None]
    kappa, V = np.linalg.eigh(root * K * root.T)
    kappa = np.where(kappa > max(NULL * kappa.max(), noise), np.maximum(kappa, 0.0), 0.0)
    loads = V.T @ (root * Y)
    power = np.einsum("ij,ij->i", loads, loads)
    chosen, mse = fit_ridge_spectrum(kappa, power, m, ridge, target_mse)

    def along(strength: float) -> Matrix:
        return np.asarray(loads / (kappa + m * strength)[:, None])

    if not by_labels or ridge is not None or target_mse != "auto":
        return RidgeFit(chosen, mse, np.asarray(root * (V @ along(chosen))))
    # What the others say of a label: its target less alpha_i over the i-th diagonal entry of (K + m lambda / S)^-1.
    diagonal = np.square(V) @ (1.0 / (kappa + m * chosen))
    left_out = Y - V @ along(chosen) / (root * diagonal[:, None])
    wrong = left_out.argmax(axis=1) != Y.argmax(axis=1)
    ridges = [_ridge_for(kappa, power, m, "auto", share) for share in _targets_by_labels(wrong, Y)]
    solution = _average([along(strength) for strength in ridges], kappa)
    return RidgeFit(ridges[1], _error(ridges[1], kappa, power, m), np.asarray(root * (V @ solution)))


def _targets_by_labels(wrong: NDArray[np.bool_], Y: Matrix) -> tuple[float, float, float]:
    """Return three target errors for labels of which some, left out, are `wrong` by the others.

    The middle one is the share of wrong labels: easy data has few, and the term may follow its labels closely; hard
    data has many. A class of n labels had one less when it was tried, so an error there counts 1 - 1/n^2; a class of
    one label tells nothing. The usual target counts as ten labels more. The less the labels tell, the wider the other
    two are apart: from half and twice the middle one when they tell nothing, towards none.

    Examples
    --------
    >>> _targets_by_labels(np.array([True, True]), np.eye(2))
    (0.1, 0.2, 0.4)
    """
    counts = Y.sum(axis=0)[Y.argmax(axis=1)]
    told = float((counts > 1).sum())
    share = float((wrong * (1.0 - 1.0 / np.square(counts))).sum())
    middle = (share + PRIOR_LABELS * AUTO_TARGET) / (told + PRIOR_LABELS)
    apart = 2.0 ** (PRIOR_LABELS / (told + PRIOR_LABELS))
    return middle / apart, middle, min(middle * apart, LARGEST_TARGET)


def _average(solutions: list[Matrix], kappa: NDArray[np.float64]) -> Matrix:
    """Return the mean of terms, given along the eigenvectors of K, each weighed by the inverse of its size |f|."""
    sizes = np.array([np.sqrt((kappa[:, None] * s**2).sum()) for s in solutions])
    if not (sizes > 0).all():
        return solutions[len(solutions) // 2]
    shares = (1.0 / sizes) / (1.0 / sizes).sum()
    return np.asarray(sum(share * solution for share, solution in zip(shares, solutions, strict=True)))


def fit_ridge_spectrum(
    kappa: NDArray[np.float64],
    power: NDArray[np.float64],
    m: int,
    ridge: float | None,
    target_mse: float | str,
) -> tuple[float, float]:
    """Return lambda and the error it leaves on m labels, from eigenvalues and the squares of what y has along each."""
    if ridge is None:
        ridge = _ridge_for(kappa, power, m, target_mse)
    elif not isinstance(ridge, (int, float, np.number)) or not (np.isfinite(ridge) and ridge > 0):
        raise FewlabelsError(f"ridge={ridge} must be a number above zero.")
    return float(ridge), _error(ridge, kappa, power, m)


def _error(ridge: float, kappa: NDArray[np.float64], power: NDArray[np.float64], m: int) -> float:
    return float((np.square(m * ridge / (m * ridge + kappa)) * power).sum() / m)


def _ridge_for(
    kappa: NDArray[np.float64], power: NDArray[np.float64], m: int, target: float | str, share: float = AUTO_TARGET
) -> float:
    lowest, highest = power[kappa == 0].sum() / m, power.sum() / m
    if isinstance(target, str):
        if target != "auto":
            raise FewlabelsError(f"target_mse={target!r} must be a number or 'auto'.")
        goal = float(lowest + share * (highest - lowest))
    elif isinstance(target, (int, float, np.number)):
        goal = float(target)
    else:
        raise FewlabelsError(f"target_mse={target!r} must be a number or 'auto'.")
    if highest - lowest <= 1e-12 * highest:
        return 1.0
    if not lowest < goal < highest * (1.0 - 1e-12):
        raise FewlabelsError(
            f"target_mse={goal:g} is out of reach: on these labels it can be anything above {lowest:.3g} and below "
            f"{highest:.3g}; choose one in between, or 'auto'."
        )
    middle = np.log(kappa[kappa > 0].mean() / m)
    span = 4.0
    while span < 600 and not (
        _error(np.exp(middle - span), kappa, power, m) < goal < _error(np.exp(middle + span), kappa, power, m)
    ):
        span *= 1.5
    try:
        found = brentq(lambda t: _error(np.exp(t), kappa, power, m) - goal, middle - span, middle + span, xtol=1e-12)
    except ValueError:
        raise FewlabelsError(
            f"target_mse={goal:g} is too close to an end of the reachable range {lowest:.3g} to {highest:.3g}; "
            "choose one further inside, or 'auto'."
        ) from None
    return float(np.exp(found))
