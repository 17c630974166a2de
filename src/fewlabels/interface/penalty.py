"""Other penalties on the interface term: its l1, l2 or l-infinity norm, by FISTA."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.progress import track

__all__ = ["PENALTIES", "PenalisedFit", "fit_penalised", "shrink_l1", "shrink_l2", "shrink_linf"]

PENALTIES = ("l2-squared", "l1", "l2", "linf")
MOST_STEPS = 5000
CHANGE = 1e-6
"""FISTA stops when a step changes the term by less than this, relative to its size."""

MATCH = 0.01
"""How closely the error on the labels meets its target, relative to the target."""

Block = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PenalisedFit:
    """The term on the interface, the strength of the penalty, the error on the labels, and FISTA's last step count."""

    term: Block
    ridge: float
    mse: float
    n_iter: int


def shrink_l1(f: Block, t: float) -> Block:
    """Return the proximal map of t |f|_1: soft threshold.

    Examples
    --------
    >>> shrink_l1(np.array([3.0, -0.5]), 1.0).tolist()
    [2.0, -0.0]
    """
    return np.asarray(np.sign(f) * np.maximum(np.abs(f) - t, 0.0))


def shrink_l2(f: Block, t: float) -> Block:
    """Return the proximal map of t |f|_2, f less its projection on the ball of radius t.

    Examples
    --------
    >>> shrink_l2(np.array([3.0, 4.0]), 2.5).tolist()
    [1.5, 2.0]
    """
    length = float(np.linalg.norm(f))
    return np.asarray(f * max(0.0, 1.0 - t / length)) if length > 0 else f


def shrink_linf(f: Block, t: float) -> Block:
    """Return the proximal map of t |f|_inf: by Moreau, f less its projection on the l1 ball of radius t.

    Examples
    --------
    >>> shrink_linf(np.array([3.0, 1.0]), 1.0).tolist()
    [2.0, 1.0]
    """
    sizes = np.abs(f).ravel()
    if sizes.sum() <= t:
        return np.zeros_like(f)
    ordered = np.sort(sizes)[::-1]
    excess = np.cumsum(ordered) - t
    last = np.flatnonzero(ordered > excess / np.arange(1, ordered.size + 1))[-1]
    level = excess[last] / (last + 1)
    return np.asarray(np.clip(f, -level, level))


SHRINKS: dict[str, Callable[[Block, float], Block]] = {"l1": shrink_l1, "l2": shrink_l2, "linf": shrink_linf}


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
        lambda; otherwise it is found so that the error on the labels is `target_mse` within one percent.
    """
    if penalty not in SHRINKS:
        raise FewlabelsError(f"penalty={penalty!r} is not known; choose one of {', '.join(PENALTIES)}.")
    root = np.sqrt(weights)[:, None]
    A, Y = root * A, root * Y
    f = np.zeros((A.shape[1], Y.shape[1]))
    if ridge is not None:
        return _fista(A, Y, SHRINKS[penalty], ridge, f)
    dual = {"l1": np.inf, "l2": 2, "linf": 1}[penalty]
    high = float(np.linalg.norm((2.0 / len(Y)) * (A.T @ Y).ravel(), dual))
    low, found = high * 1e-8, None
    for _ in track(range(60), f"matching the {penalty} penalty to the target error"):
        middle = float(np.sqrt(low * high))
        found = _fista(A, Y, SHRINKS[penalty], middle, f)
        f = found.term
        if abs(found.mse - target_mse) <= MATCH * target_mse:
            return found
        low, high = (low, middle) if found.mse > target_mse else (middle, high)
    raise FewlabelsError(
        f"target_mse={target_mse:g} is out of reach with the {penalty} penalty; raise it or give ridge."
    )


def _fista(A: Block, Y: Block, shrink: Callable[[Block, float], Block], ridge: float, f: Block) -> PenalisedFit:
    """Accelerated proximal gradient steps, restarted whenever momentum points uphill."""
    m = Y.shape[0]
    pace = m / (2.0 * float(np.linalg.norm(A, 2)) ** 2)
    ahead, momentum, n_iter = f, 1.0, 0
    while n_iter < MOST_STEPS:
        n_iter += 1
        after = shrink(ahead - pace * (2.0 / m) * (A.T @ (A @ ahead - Y)), pace * ridge)
        change = after - f
        if np.vdot(ahead - after, change) > 0:
            momentum = 1.0
        grown = (1.0 + np.sqrt(1.0 + 4.0 * momentum**2)) / 2.0
        ahead = after + (momentum - 1.0) / grown * change
        f, momentum = after, grown
        if np.linalg.norm(change) <= CHANGE * np.linalg.norm(f):
            break
    mse = float(((A @ f - Y) ** 2).sum() / m)
    return PenalisedFit(f, ridge, mse, n_iter)
