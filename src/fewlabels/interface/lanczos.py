"""The ridge fit of very many labels, without the n x m table of their Green's columns.

K is only ever multiplied: K v takes two solves with as many columns as there are classes. Lanczos steps from y build an
orthonormal basis V and a tridiagonal T with K V = V T + (a rest), and in that basis the fit for every lambda is small:

    alpha = |y| V (T + m lambda)^-1 e_1,    and the error it leaves is  (m lambda)^2 |alpha|^2 / m.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from fewlabels.interface.ridge import RidgeFit, fit_ridge_spectrum
from fewlabels.progress import track

__all__ = ["fit_ridge_by_products"]

MOST_STEPS = 60
ENOUGH = 1e-2
"""The steps end when what they leave of y is below this share of the error that is left on purpose."""

Matrix = NDArray[np.float64]


def fit_ridge_by_products(
    multiply: Callable[[Matrix], Matrix],
    Y: Matrix,
    weights: NDArray[np.float64],
    ridge: float | None = None,
    target_mse: float | str = "auto",
) -> RidgeFit:
    """Minimise (1/m) |S^1/2 (K alpha - Y)|^2 + lambda alpha' K alpha, K known by its products with blocks alone.

    Examples
    --------
    >>> K = np.diag([1.0, 2.0, 3.0])
    >>> fit = fit_ridge_by_products(lambda v: K @ v, np.eye(3), np.ones(3), ridge=0.5)
    >>> np.allclose(fit.coefficients, np.linalg.inv(K + 1.5 * np.eye(3)))
    True
    """
    m, c = Y.shape
    root = np.sqrt(weights)[:, None]
    size = np.linalg.norm(root * Y, axis=0)
    basis = [root * Y / np.where(size > 0, size, 1.0)]
    diagonals: list[NDArray[np.float64]] = []
    sides: list[NDArray[np.float64]] = []
    for step in track(iter(range(min(MOST_STEPS, m))), "learning the interface term, Lanczos steps"):
        q = basis[-1]
        image = root * multiply(root * q)
        diagonals.append(np.einsum("ij,ij->j", q, image))
        for _ in range(2):
            for known in basis:
                image = image - known * np.einsum("ij,ij->j", known, image)
        side = np.linalg.norm(image, axis=0)
        fit, last = _fit_small(np.array(diagonals), np.array(sides), size, m, ridge, target_mse)
        scale = np.abs(np.array(diagonals)).max()
        over = side <= 1e-10 * scale
        rest = np.where(over, 0.0, side) * np.abs(last)
        if step and (rest**2).sum() / m <= ENOUGH**2 * max(fit.mse, 1e-12):
            break
        sides.append(np.where(over, 0.0, side))
        basis.append(np.where(over, 0.0, image / np.where(over, 1.0, side)))
    coefficients = np.zeros((m, c))
    for q, row in zip(basis, fit.coefficients, strict=False):
        coefficients += q * row
    return RidgeFit(fit.ridge, fit.mse, root * coefficients)


def _fit_small(
    diagonals: Matrix,
    sides: Matrix,
    size: NDArray[np.float64],
    m: int,
    ridge: float | None,
    target_mse: float | str,
) -> tuple[RidgeFit, NDArray[np.float64]]:
    """Fit in the Lanczos bases, one tridiagonal matrix per column; return also the last coefficient of each column."""
    values, vectors, loads = [], [], []
    for j in range(diagonals.shape[1]):
        T = np.diag(diagonals[:, j])
        if len(sides):
            T += np.diag(sides[:, j], 1) + np.diag(sides[:, j], -1)
        kappa, V = np.linalg.eigh(T)
        values.append(np.where(kappa > 1e-12 * np.abs(diagonals).max(), kappa, 0.0))
        vectors.append(V)
        loads.append(size[j] * V[0])
    chosen, mse = fit_ridge_spectrum(np.concatenate(values), np.concatenate(loads) ** 2, m, ridge, target_mse)
    columns = [V @ (load / (kappa + m * chosen)) for kappa, V, load in zip(values, vectors, loads, strict=True)]
    coefficients = np.stack(columns, axis=1)
    return RidgeFit(chosen, mse, coefficients), coefficients[-1]
