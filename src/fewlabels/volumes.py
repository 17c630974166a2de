"""Class sizes that are known: offsets per class, and labels that keep to the sizes exactly.

Among all labellings with class sizes N_j, the one of highest total score has labels argmax_j (u_ij + b_j) for some
offsets b. They minimise sum_i max_j (u_ij + b_j) - sum_j N_j b_j, the dual of an assignment problem. With a softened
maximum this is smooth, and Newton's method minimises it: first at high temperatures on a sample of the points, then at
falling ones on all. The points that are still undecided are moved where they lose least.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["class_sizes", "constrained_codes", "evenness", "size_offsets"]

Block = NDArray[np.float64]

SAMPLE_TEMPERATURES = (0.3, 0.1, 0.03, 0.01)
TEMPERATURES = (0.01, 0.003)
"""In units of the scores' standard deviation: for a sample of the points, and for all of them."""

BAD_START = 2e-3
"""A given start is dropped if a class misses its size by more than this share of all points."""

SAMPLE_SIZE = 8000
NEWTON_STEPS = 16
LONGEST_STEP = 15.0
"""The longest Newton step, in temperatures: far from the minimum the slope is almost flat and steps are too long."""

DECIDED_MARGIN = 36.0
"""Points whose two best classes are this many temperatures apart count as decided, until b has moved LONGEST_STEP."""


def class_sizes(prior: NDArray[np.float64], n: int) -> NDArray[np.int64]:
    """Return whole numbers in proportion to the prior that sum to n.

    Examples
    --------
    >>> class_sizes(np.array([0.5, 0.3, 0.2]), 9).tolist()
    [4, 3, 2]
    """
    exact = np.asarray(prior, dtype=np.float64) / np.sum(prior) * n
    sizes = np.floor(exact).astype(np.int64)
    most = np.argsort(sizes - exact, kind="stable")[: n - int(sizes.sum())]
    sizes[most] += 1
    return sizes


def evenness(sizes: NDArray[Any], classes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return how even the sizes in each row are: their entropy, as a share of that of so many equal classes.

    Examples
    --------
    >>> evenness(np.array([[5, 5, 0], [9, 1, 0], [4, 0, 0]]), np.array([2, 2, 3])).round(2).tolist()
    [1.0, 0.47, 0.0]
    """
    shares = sizes / np.maximum(sizes.sum(axis=1, keepdims=True), 1)
    entropy = (shares * -np.log(np.maximum(shares, 1e-300))).sum(axis=1)
    return np.asarray(entropy / np.log(np.maximum(classes, 2)))


def size_offsets(
    scores: NDArray[Any],
    sizes: NDArray[np.int64],
    start: NDArray[np.float64] | None = None,
    counts: NDArray[np.int64] | None = None,
    within: float = 0.0,
) -> NDArray[np.float64]:
    """Return b so that argmax(scores + b) gives every class about its size, and a class of size zero none.

    A `start` from similar scores saves work, and so does `within`, the share of all points by which a class may miss
    its size. With `counts` a row stands for that many points.

    Examples
    --------
    >>> u = np.array([[1.0, 0.0], [0.8, 0.0], [0.2, 0.0], [0.1, 0.0]])
    >>> (u + size_offsets(u, np.array([2, 2]))).argmax(axis=1).tolist()
    [0, 0, 1, 1]
    """
    live = np.flatnonzero(sizes > 0)
    u, wanted = np.ascontiguousarray(scores[:, live].T), sizes[live].astype(np.float64)
    level = (u - u.mean(axis=0)).mean(axis=1)
    u = u - level[:, None]
    scale = float(np.sqrt(np.mean((u - u.mean(axis=0)) ** 2))) or 1.0
    many = np.ones(len(scores)) if counts is None else counts.astype(np.float64)
    b = (
        np.zeros(live.size)
        if start is None
        else _annealed(u, many, wanted, start[live] + level, scale, TEMPERATURES, within)
    )
    if start is None or _missed(u, many, wanted, b) > max(within, BAD_START):
        every = -(-len(scores) // SAMPLE_SIZE)
        share = many[::every].sum() / many.sum()
        b = _annealed(
            u[:, ::every], many[::every], share * wanted, np.zeros(live.size), scale, SAMPLE_TEMPERATURES, within
        )
        b = _annealed(u, many, wanted, b, scale, TEMPERATURES, within)
    b = b - level
    offsets = np.full(sizes.size, -2.0 * (float(np.ptp(scores)) + np.ptp(b) + np.abs(b).max() + 1.0))
    offsets[live] = b
    return offsets


def _annealed(
    u: NDArray[Any],
    many: NDArray[np.float64],
    wanted: NDArray[np.float64],
    b: NDArray[np.float64],
    scale: float,
    temperatures: tuple[float, ...],
    within: float,
) -> NDArray[np.float64]:
    """Return the offsets at falling temperatures, by Newton's method from b; a step too long is halved.

    They end with the last, or as soon as every class has its size `within` the share of all points.

    `u` has a row per class; column i stands for `many[i]` points.
    """
    enough = max(0.5, within * float(wanted.sum()))
    for temperature in temperatures:
        if 0.0 < within and _missed(u, many, wanted, b) <= within:
            break
        t = temperature * scale
        undecided, others = _undecided(u + b[:, None], many, DECIDED_MARGIN * t)
        moved = 0.0
        best, least, step = b, np.inf, np.zeros_like(b)
        for _ in range(NEWTON_STEPS):
            if moved > LONGEST_STEP * t:
                undecided, others = _undecided(u + b[:, None], many, DECIDED_MARGIN * t)
                moved = 0.0
            z = (u[:, undecided] + b[:, None]) / t
            z -= z.max(axis=0)
            p = np.exp(z, out=z)
            p /= p.sum(axis=0)
            heavy = many[undecided] * p
            sums = heavy.sum(axis=1)
            excess = sums + others - wanted
            worst = float(np.abs(excess).max())
            if worst < least:
                best, least = b, worst
                slope = (np.diag(sums) - p @ heavy.T) / t
                step = np.linalg.lstsq(slope + 1e-9 * np.trace(slope) * np.eye(wanted.size), excess, rcond=None)[0]
                step *= min(1.0, LONGEST_STEP * t / max(float(np.abs(step).max()), 1e-300))
                step -= step.mean()
            else:
                step = step / 2
            if least < enough:
                break
            moved += float(np.ptp(best - step - b))
            b = best - step
        b = best
    return b


def _missed(u: NDArray[Any], many: NDArray[np.float64], wanted: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """Return the largest error of a class size, as a share of all points."""
    have = np.bincount((u + b[:, None]).argmax(axis=0), weights=many, minlength=wanted.size)
    return float(np.abs(have - wanted).max() / wanted.sum())


def _undecided(
    v: NDArray[Any], many: NDArray[np.float64], margin: float
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the columns whose two best scores lie within the margin, and each class's points in the other columns."""
    best, second = v[0], np.full(v.shape[1], -np.inf)
    for row in v[1:]:
        second = np.maximum(second, np.minimum(best, row))
        best = np.maximum(best, row)
    close = best - second <= margin
    others = np.array([many[(row == best) & ~close].sum() for row in v])
    return np.asarray(np.flatnonzero(close)), others


def constrained_codes(scores: Block, sizes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return a class for every row, exactly as many of each as `sizes`, and the offsets behind it.

    Examples
    --------
    >>> constrained_codes(np.array([[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [1.0, 0.0]]), np.array([2, 2]))[0].tolist()
    [1, 1, 0, 0]
    """
    offsets = size_offsets(scores, sizes)
    v = scores + offsets
    codes = v.argmax(axis=1)
    have = np.bincount(codes, minlength=sizes.size)
    while (have != sizes).any():
        under = np.flatnonzero(have < sizes)
        rows = np.flatnonzero((have > sizes)[codes])
        gains = v[rows][:, under]
        loss = v[rows, codes[rows]] - gains.max(axis=1)
        targets = under[gains.argmax(axis=1)]
        for place in np.argsort(loss, kind="stable"):
            row, to = rows[place], targets[place]
            if have[codes[row]] > sizes[codes[row]] and have[to] < sizes[to]:
                have[codes[row]] -= 1
                have[to] += 1
                codes[row] = to
    return codes, offsets
