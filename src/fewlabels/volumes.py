"""Class sizes that are known: offsets per class, and labels that keep to the sizes exactly.

Among all labellings with the given sizes the best has labels argmax_j (u_ij + b_j) for some offsets b, the prices of
the sizes. They minimise sum_i max_j (u_ij + b_j) - sum_j N_j b_j. Softened by a temperature this is smooth, and
Newton's steps find it, at high temperatures for a sample of the points; the temperature is lowered until few points are
undecided, and those are moved where they lose least.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["class_sizes", "constrained_codes", "size_offsets"]

Block = NDArray[np.float64]

ROUGH, FINE = (0.3, 0.1, 0.03, 0.01), (0.01, 0.003)
"""Temperatures, as shares of the scores' deviation: for a sample of the rows, and for all of them."""

FAR_OFF = 2e-3
"""Share of all points by which sizes are missed when a start was a bad one."""

SAMPLED = 8000
NEWTON_STEPS = 16
LONGEST_STEP = 15.0
"""Newton's steps are cut to this many temperatures: far from the answer the model is flat."""

DECIDED = 36.0
"""Rows whose two best are so many temperatures apart count as decided until the offsets have moved LONGEST_STEP."""


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


def size_offsets(
    scores: NDArray[Any],
    sizes: NDArray[np.int64],
    start: NDArray[np.float64] | None = None,
    counts: NDArray[np.int64] | None = None,
    within: float = 0.0,
) -> NDArray[np.float64]:
    """Return b so that argmax(scores + b) gives every class about its size, and a class of size zero none.

    A start from similar scores saves work, and so does a share of all points `within` which sizes may be missed. Rows
    may stand for several points each: their `counts`.

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
    b = np.zeros(live.size) if start is None else _annealed(u, many, wanted, start[live] + level, scale, FINE, within)
    if start is None or _missed(u, many, wanted, b) > max(within, FAR_OFF):
        every = -(-len(scores) // SAMPLED)
        share = many[::every].sum() / many.sum()
        b = _annealed(u[:, ::every], many[::every], share * wanted, np.zeros(live.size), scale, ROUGH, within)
        b = _annealed(u, many, wanted, b, scale, FINE, within)
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
    """Return the offsets at the last of falling temperatures, by Newton's steps from b, halved where they overshoot.

    `u` has a row per class; its columns are `many` points each.
    """
    enough = max(0.5, within * float(wanted.sum()))
    for temperature in temperatures:
        t = temperature * scale
        undecided, others, moved = _undecided(u + b[:, None], many, DECIDED * t)
        best, least, step = b, np.inf, np.zeros_like(b)
        for _ in range(NEWTON_STEPS):
            if moved > LONGEST_STEP * t:
                undecided, others, moved = _undecided(u + b[:, None], many, DECIDED * t)
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
    """Return by how many points a class misses its size at most, as a share of all."""
    have = np.bincount((u + b[:, None]).argmax(axis=0), weights=many, minlength=wanted.size)
    return float(np.abs(have - wanted).max() / wanted.sum())


def _undecided(
    v: NDArray[Any], many: NDArray[np.float64], margin: float
) -> tuple[NDArray[np.int64], NDArray[np.float64], float]:
    """Return the columns whose two best lie within the margin, how many points of others each class has, and a zero."""
    best, second = v[0], np.full(v.shape[1], -np.inf)
    for row in v[1:]:
        second = np.maximum(second, np.minimum(best, row))
        best = np.maximum(best, row)
    close = best - second <= margin
    others = np.array([many[(row == best) & ~close].sum() for row in v])
    return np.asarray(np.flatnonzero(close)), others, 0.0


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
