"""The scan over a tile of squared distances that keeps each point's nearest, compiled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fewlabels.compiled import compiled

__all__ = ["CHUNK", "keep_nearest"]

CHUNK = 32
"""Distances that are compared before anything is decided about any of them."""


@compiled
def keep_nearest(
    tile: NDArray[np.float32],
    row: int,
    others: NDArray[np.int64],
    both: bool,
    squares: NDArray[np.float32],
    nearest: NDArray[np.int32],
) -> None:
    """Enter the others into the sorted lists of the points row, row + 1, ...; `tile` holds their squared distances.

    With `both`, those points are entered into the lists of the others as well. A chunk is skipped if none of its
    distances is below the largest of a list.
    """
    rows, columns = tile.shape
    last = squares.shape[1] - 1
    limits = np.full(columns, -np.inf, dtype=tile.dtype)
    if both:
        for j in range(columns):
            limits[j] = squares[others[j], last]
    for i in range(rows):
        a = row + i
        for first in range(0, columns, CHUNK):
            end = min(columns, first + CHUNK)
            limit, near = squares[a, last], np.int32(0)
            for j in range(first, end):
                near += np.int32(tile[i, j] < max(limit, limits[j]))
            if near == 0:
                continue
            for j in range(first, end):
                value, other = tile[i, j], others[j]
                if other == a:
                    continue
                for turn in range(2 if both else 1):
                    mine, found = (a, other) if turn == 0 else (other, a)
                    if value < squares[mine, last]:
                        place = last
                        while place > 0 and squares[mine, place - 1] > value:
                            squares[mine, place] = squares[mine, place - 1]
                            nearest[mine, place] = nearest[mine, place - 1]
                            place -= 1
                        squares[mine, place] = value
                        nearest[mine, place] = found
                if both:
                    limits[j] = squares[other, last]
