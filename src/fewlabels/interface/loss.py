"""Cross-entropy instead of squared error on the labels.

The minimiser lies in the span of the Green's columns, f = G_I alpha, so the problem has m unknowns per class however
large the interface is. With K = R R' and beta = R' alpha the scores at the labels are R beta and |f|^2 = |beta|^2.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import log_softmax

__all__ = ["fit_cross_entropy", "ridge_as_for_squares"]

Matrix = NDArray[np.float64]


def ridge_as_for_squares(ridge: float, classes: int) -> float:
    """Return the ridge that holds a term back under cross-entropy as `ridge` does under squared error.

    About equal scores the curvature of cross-entropy is 1/c along scores that sum to zero, that of squared error 2, so
    alpha = c (K + 2 c m lambda)^-1 (Y - 1/c) to first order in the scores: that of squared error at 2 c lambda.
    """
    return ridge / (2 * classes)


def fit_cross_entropy(
    K: Matrix, Y: Matrix, weights: NDArray[np.float64], ridge: float, start: Matrix | None = None
) -> Matrix:
    """Minimise -(1/m) sum_i s_i log softmax(K alpha)_(i, y_i) + lambda alpha' K alpha; return alpha.

    The problem is strictly convex in f, so the minimiser does not depend on `start` (in beta).

    Examples
    --------
    >>> alpha = fit_cross_entropy(np.eye(2), np.eye(2), np.ones(2), ridge=0.1)
    >>> bool(alpha[0, 0] > 0 > alpha[0, 1])
    True
    """
    m, c = Y.shape
    kappa, V = np.linalg.eigh(K)
    kept = kappa > 1e-13 * max(float(kappa.max()), 0.0)
    root = np.sqrt(kappa[kept])
    R = V[:, kept] * root

    def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        beta = flat.reshape(-1, c)
        logs = log_softmax(R @ beta, axis=1)
        value = -(weights[:, None] * Y * logs).sum() / m + ridge * (beta**2).sum()
        slope = R.T @ (weights[:, None] * (np.exp(logs) - Y)) / m + 2 * ridge * beta
        return float(value), slope.ravel()

    first = np.zeros((root.size, c)) if start is None else start[: root.size]
    options = {"maxiter": 5000, "maxfun": 20_000, "ftol": 1e-15, "gtol": 1e-9}
    found = minimize(loss, first.ravel(), jac=True, method="L-BFGS-B", options=options)
    return np.asarray(V[:, kept] @ (found.x.reshape(-1, c) / root[:, None]))
