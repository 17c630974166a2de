"""Passes over the bids of an auction, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.compiled import compiled

__all__ = ["counted", "needed_by"]

A = NDArray[Any]


@compiled
def counted(bids: A, b: A) -> Any:
    """Return how many rows each class has that is the first of the largest of bids + b."""
    sizes = np.zeros(b.size, dtype=np.int64)
    for i in range(bids.shape[0]):
        best, at = bids[i, 0] + b[0], 0
        for q in range(1, b.size):
            value = bids[i, q] + b[q]
            at = q if value > best else at
            best = value if value > best else best
        sizes[at] += 1
    return sizes


@compiled
def needed_by(bids: A, b: A, j: int) -> Any:
    """Return the largest of the other classes' bids + b less the bid for class j, for every row."""
    needed = np.empty(bids.shape[0])
    for i in range(bids.shape[0]):
        best = -np.inf
        for q in range(b.size):
            value = bids[i, q] + b[q]
            best = value if q != j and value > best else best
        needed[i] = best - bids[i, j]
    return needed
