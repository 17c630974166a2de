"""Scores -> distributions over the classes, on a scale that is each component's own."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["gaps_below_best", "probabilities", "softness"]

Block = NDArray[np.floating[Any]]


def softness(scores: Block, possible: NDArray[np.bool_], components: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return for every node the scale at which a difference in its scores counts.

    It is the root mean square of the scores about each row's mean, over the node's component, since scores of one
    component say nothing of another's.

    Examples
    --------
    >>> softness(np.array([[1.0, -1.0, 99.0]]), np.array([[True, True, False]]), np.array([0])).tolist()
    [1.0]
    """
    counts = possible.sum(axis=1)
    kept = np.where(possible, scores, 0.0)
    centred = np.where(possible, kept - (kept.sum(axis=1) / np.maximum(counts, 1))[:, None], 0.0)
    largest = float(np.abs(centred).max(initial=0.0)) or 1.0
    squares = np.bincount(components, weights=((centred / largest) ** 2).sum(axis=1))
    entries = np.bincount(components, weights=np.where(counts > 1, counts, 0))
    mean = np.divide(squares, entries, out=np.zeros_like(squares), where=entries > 0)
    return np.asarray(largest * np.sqrt(mean)[components])


def probabilities(scores: Block, scale: NDArray[np.float64], possible: NDArray[np.bool_]) -> Block:
    """Return softmax(scores / scale), a scale for each row, over the classes that are possible in it.

    Examples
    --------
    >>> probabilities(np.array([[0.0, 0.0, 9.0]]), np.ones(1), np.array([[True, True, False]])).tolist()
    [[0.5, 0.5, 0.0]]
    """
    rows = np.exp(gaps_below_best(scores, scale, possible))
    total = rows.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(rows, total, out=np.full_like(rows, 1.0 / rows.shape[1]), where=total > 0))


def gaps_below_best(scores: Block, scale: NDArray[np.float64], possible: NDArray[np.bool_]) -> Block:
    """Return how far each score is below the best possible one of its row, in units of the row's scale."""
    gaps = np.where(possible, scores, -np.inf)
    top = gaps.max(axis=1, keepdims=True)
    gaps -= np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        gaps /= scale[:, None]
    gaps[np.isnan(gaps)] = 0.0
    return gaps
