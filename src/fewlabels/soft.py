"""Scores -> distributions over the classes, on a scale that is each component's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.threads import in_blocks_of_rows

__all__ = [
    "SINGLE_HOLDS",
    "falling_roots",
    "gaps_below_best",
    "logarithms",
    "power_to_reach",
    "probabilities",
    "raised",
    "row_maxima",
    "row_sums",
    "softmax",
    "softness",
]

Block = NDArray[np.floating[Any]]

NEAR_ENOUGH, MOST_STEPS = 1e-4, 30
"""How nearly a mean is as wanted, and after how many steps the search for it ends."""

LEAST = 1e-12
"""The least probability that has a logarithm of its own."""

SINGLE_HOLDS = 1e30
"""Numbers beyond this are cut to it before they are averaged in single precision."""

SAMPLED, WIDEST = 1500, 3.0
"""Rows whose mean is looked at, and within how many natural logarithms a power is looked for."""


def softness(scores: Block, possible: NDArray[np.bool_], components: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return for every node the scale at which a difference in its scores counts.

    It is the root mean square of the scores about each row's mean, over the node's component, since scores of one
    component say nothing of another's.

    Examples
    --------
    >>> softness(np.array([[1.0, -1.0, 99.0]]), np.array([[True, True, False]]), np.array([0])).tolist()
    [1.0]
    """
    counts, squares, sizes = np.empty((3, len(scores)))

    def about_the_mean(some: slice) -> None:
        mine, kept = possible[some], scores[some]
        if mine.all():
            counts[some] = mine.shape[1]
            kept = kept - (row_sums(kept) / mine.shape[1])[:, None]
        else:
            kept, counts[some] = np.where(mine, kept, 0.0), mine.sum(axis=1)
            kept = np.where(mine, kept - (row_sums(kept) / np.maximum(counts[some], 1.0))[:, None], 0.0)
        size = float(max(kept.max(initial=0.0), -kept.min(initial=0.0)))
        sizes[some] = size
        kept /= size or 1.0
        squares[some] = np.einsum("ij,ij->i", kept, kept)

    in_blocks_of_rows(len(scores), about_the_mean)
    largest = float(sizes.max(initial=0.0)) or 1.0
    squares *= (sizes / largest) ** 2
    total = np.bincount(components, weights=squares)
    entries = np.bincount(components, weights=np.where(counts > 1, counts, 0.0))
    mean = np.divide(total, entries, out=np.zeros_like(total), where=entries > 0)
    return np.asarray(largest * np.sqrt(mean)[components])


def probabilities(scores: Block, scale: NDArray[np.float64], possible: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Return softmax(scores / scale), a scale for each row, over the classes that are possible in it.

    In single precision: no probability is known to seven digits.

    Examples
    --------
    >>> probabilities(np.array([[0.0, 0.0, 9.0]]), np.ones(1), np.array([[True, True, False]])).tolist()
    [[0.5, 0.5, 0.0]]
    """
    rows = np.empty(scores.shape, dtype=np.float32)

    def soften(some: slice) -> None:
        rows[some] = softmax(scores[some], scale[some], possible[some])

    in_blocks_of_rows(len(scores), soften)
    return rows


def softmax(scores: Block, scale: NDArray[np.float64], possible: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Return what :func:`probabilities` does, of few rows."""
    rows = np.exp(gaps_below_best(scores, scale, possible).astype(np.float32))
    total = row_sums(rows)
    if not total.all():
        rows[total == 0], total = 1.0, np.where(total == 0, rows.shape[1], total)
    return np.asarray(rows / total[:, None])


def gaps_below_best(scores: Block, scale: NDArray[np.float64], possible: NDArray[np.bool_]) -> Block:
    """Return how far each score is below the best possible one of its row, in units of the row's scale."""
    if possible.all():
        gaps = scores - row_maxima(scores)[:, None]
    else:
        gaps = np.where(possible, scores, -np.inf)
        top = row_maxima(gaps)
        gaps -= np.where(np.isfinite(top), top, 0.0)[:, None]
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        gaps /= scale[:, None]
    if not scale.all():
        gaps[np.isnan(gaps)] = 0.0
    return np.asarray(gaps)


def row_maxima(rows: Block) -> Block:
    """Return the largest entry of each of few rows; numpy is slow along short rows, and fast along columns."""
    return np.asarray(np.ascontiguousarray(rows.T).max(axis=0))


def row_sums(rows: Block) -> Block:
    """Return the sum of each row, which a product takes faster than numpy's sum."""
    return np.asarray(rows @ np.ones(rows.shape[1], dtype=rows.dtype))


def logarithms(rows: Block) -> Block:
    """Turn probabilities into their logarithms, in place; none is below that of 1e-12."""

    def take(some: slice) -> None:
        np.log(np.maximum(rows[some], LEAST), out=rows[some])

    in_blocks_of_rows(len(rows), take)
    return rows


def raised(rows: Block, power: float) -> Block:
    """Return distributions raised to a power, entry by entry, and made to sum to one again.

    Examples
    --------
    >>> raised(np.array([[0.25, 0.75]]), 2.0).tolist()
    [[0.1, 0.9]]
    """
    if power == 1.0:
        return rows
    found = rows**power
    return np.asarray(found / found.sum(axis=1, keepdims=True))


def power_to_reach(wanted: float, rows: Block) -> float:
    """Return the power to which distributions are to be raised for their mean largest entry to be as wanted.

    Examples
    --------
    >>> round(power_to_reach(0.9, np.array([[0.25, 0.75]])), 2)
    2.0
    """
    sample = logarithms(np.array(rows[:: max(1, len(rows) // SAMPLED)]))
    sample -= sample.max(axis=1, keepdims=True)

    def too_soft_by(log_power: NDArray[np.float64]) -> NDArray[np.float64]:
        return wanted - np.atleast_1d((1.0 / np.exp(np.exp(log_power) * sample).sum(axis=1)).mean())

    return float(np.exp(falling_roots(too_soft_by, np.array([-WIDEST]), np.array([WIDEST])))[0])


def falling_roots(
    f: Callable[[NDArray[np.float64]], NDArray[np.float64]], low: NDArray[np.float64], high: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return where falling functions are zero, or the end of the range that is nearer to it: the Illinois method.

    Examples
    --------
    >>> falling_roots(lambda t: np.array([0.5, -9.0]) - t, np.zeros(2), np.ones(2)).round(4).tolist()
    [0.5, 0.0]
    """
    at_low, at_high = f(low), f(high)
    found, open_ = np.where(at_low <= 0, low, high), (at_low > 0) & (at_high < 0)
    last = np.zeros(low.size)
    for _ in range(MOST_STEPS):
        if not open_.any():
            break
        fall = np.where(open_, at_low - at_high, 1.0)
        middle = np.where(open_, low + (high - low) * at_low / fall, found)
        value = f(middle)
        found = np.where(open_, middle, found)
        above = value > 0
        at_high = np.where(above, np.where(last > 0, at_high / 2, at_high), value)
        at_low = np.where(above, value, np.where(last < 0, at_low / 2, at_low))
        low, high = np.where(above, middle, low), np.where(above, high, middle)
        last = np.where(above, 1.0, -1.0)
        open_ &= np.abs(value) > NEAR_ENOUGH
    return found
