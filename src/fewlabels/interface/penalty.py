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
GAP, ROUGH_GAP = 1e-8, 1e-4
"""FISTA stops when the duality gap is below this share of the loss; roughly while the strength is still sought."""

NODES_AT_ONCE = 100

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

    The level at which f is cut solves sum (|f| - level)_+ = t; the sum is convex and piecewise linear in the level, so
    Newton's steps from below reach it exactly, and after a few.

    Examples
    --------
    >>> shrink_linf(np.array([3.0, 1.0]), 1.0).tolist()
    [2.0, 1.0]
    """
    sizes = np.abs(f).ravel()
    if sizes.sum() <= t:
        return np.zeros_like(f)
    above = sizes
    while True:
        level = (above.sum() - t) / above.size
        fewer = above[above > level]
        if fewer.size == above.size or fewer.size == 0:
            return np.asarray(np.clip(f, -level, level))
        above = fewer


SHRINKS: dict[str, Callable[[Block, float], Block]] = {"l1": shrink_l1, "l2": shrink_l2, "linf": shrink_linf}
PRIMAL = {"l1": 1, "l2": 2, "linf": np.inf}
DUAL = {"l1": np.inf, "l2": 2, "linf": 1}


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
    fit = _on_few_nodes if penalty == "l1" else _fista
    if ridge is not None:
        return fit(A, Y, penalty, ridge, f, GAP)
    high = float(np.linalg.norm((2.0 / len(Y)) * (A.T @ Y).ravel(), DUAL[penalty]))
    above = float((Y**2).sum() / len(Y))
    if not 0.0 < target_mse < above:
        raise _out_of_reach(target_mse, penalty)
    # Down from the strength that silences the term, where steps are few, each fit starting from the last.
    low, below = 0.0, 0.0
    for _ in track(iter(range(60)), f"matching the {penalty} penalty to the target error"):
        share = np.clip((target_mse - below) / (above - below), 0.1, 0.9)
        middle = float(low + share * (high - low)) if low > 0.0 else high / 2.0
        found = fit(A, Y, penalty, middle, f, ROUGH_GAP)
        f = found.term
        if abs(found.mse - target_mse) <= MATCH * target_mse:
            return found
        if found.mse > target_mse:
            high, above = middle, found.mse
        else:
            low, below = middle, found.mse
    raise _out_of_reach(target_mse, penalty)


def _out_of_reach(target_mse: float, penalty: str) -> FewlabelsError:
    return FewlabelsError(
        f"target_mse={target_mse:g} is out of reach with the {penalty} penalty; raise it or give ridge."
    )


def _on_few_nodes(A: Block, Y: Block, penalty: str, ridge: float, f: Block, tolerance: float) -> PenalisedFit:
    """Minimise with the l1 norm, whose terms live on few nodes: on those that matter, until no other asks to be in.

    A node at which the slope stays within lambda has no term.
    """
    m = Y.shape[0]
    chosen = np.asarray(f.any(axis=1))
    n_iter = 0
    while True:
        slope = np.abs((2.0 / m) * (A.T @ (Y - A @ f))).max(axis=1)
        asking = np.flatnonzero((slope > ridge * (1.0 + 1e-3)) & ~chosen)
        if asking.size == 0 and n_iter:
            return PenalisedFit(f, ridge, float(((A @ f - Y) ** 2).sum() / m), n_iter)
        asking = asking[np.argsort(-slope[asking])[:NODES_AT_ONCE]]
        chosen[asking] = True
        nodes = np.flatnonzero(chosen)
        if nodes.size == 0:
            return PenalisedFit(f, ridge, float((Y**2).sum() / m), 1)
        found = _fista(A[:, nodes], Y, penalty, ridge, f[nodes], tolerance)
        f = np.zeros_like(f)
        f[nodes] = found.term
        n_iter += found.n_iter


def _fista(A: Block, Y: Block, penalty: str, ridge: float, f: Block, tolerance: float) -> PenalisedFit:
    """Accelerated proximal gradient steps, restarted whenever momentum points uphill, until the duality gap closes.

    With Z = (2/m) (Y - A f) the dual value is <Z, Y> - (m/4) |Z|^2, once Z is scaled so that the dual norm of A'Z is at
    most lambda.
    """
    m = Y.shape[0]
    shrink, primal, dual = SHRINKS[penalty], PRIMAL[penalty], DUAL[penalty]
    pace = m / (2.0 * float(np.linalg.norm(A, 2)) ** 2)
    ahead, momentum, n_iter = f, 1.0, 0
    while n_iter < MOST_STEPS:
        n_iter += 1
        Z = (2.0 / m) * (Y - A @ ahead)
        slope = A.T @ Z
        if n_iter % 10 == 1:
            loss = m / 4.0 * np.vdot(Z, Z) + ridge * np.linalg.norm(ahead.ravel(), primal)
            scale = min(1.0, ridge / max(float(np.linalg.norm(slope.ravel(), dual)), 1e-300))
            if loss - scale * np.vdot(Z, Y) + m / 4.0 * scale**2 * np.vdot(Z, Z) <= tolerance * loss:
                f = ahead
                break
        after = shrink(ahead + pace * slope, pace * ridge)
        change = after - f
        if np.vdot(ahead - after, change) > 0:
            momentum = 1.0
        grown = (1.0 + np.sqrt(1.0 + 4.0 * momentum**2)) / 2.0
        ahead = after + (momentum - 1.0) / grown * change
        f, momentum = after, grown
    mse = float(((A @ f - Y) ** 2).sum() / m)
    return PenalisedFit(f, ridge, mse, n_iter)
