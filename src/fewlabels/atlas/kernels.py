"""A step of all points on the map, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.compiled import compiled

__all__ = ["move"]

A = NDArray[Any]


@compiled
def move(
    first: int,
    last: int,
    indptr: A,
    indices: A,
    strength: A,
    low: A,
    size: A,
    shifts: A,
    numbers: A,
    Y: A,
    out: A,
) -> None:
    """Move the points of a range from Y to out; `numbers` are rate, push, soft and most of the formula in forces.py."""
    rate, push, soft, most = numbers[0], numbers[1] / np.float32(shifts.size), numbers[2], numbers[3]
    zero, one, two = np.float32(0), np.float32(1), np.float32(2)
    for i in range(first, last):
        x, y = Y[i, 0], Y[i, 1]
        pull_x, pull_y, total = zero, zero, zero
        for e in range(indptr[i], indptr[i + 1]):
            j = indices[e]
            dx, dy = Y[j, 0] - x, Y[j, 1] - y
            k = strength[e] / (one + dx * dx + dy * dy)
            pull_x += k * dx
            pull_y += k * dy
            total += k
        push_x, push_y = zero, zero
        n, base = size[i], low[i]
        for s in range(shifts.size):
            j = i - base + 1 + np.int64(shifts[s] * (n - 1))
            j = base + (j - n if j >= n else j)
            dx, dy = x - Y[j, 0], y - Y[j, 1]
            square = dx * dx + dy * dy
            k = one / ((soft + square) * (one + square))
            push_x += k * dx
            push_y += k * dy
        scale = rate / (one + two * rate * total)
        move_x, move_y = scale * (pull_x + push * push_x), scale * (pull_y + push * push_y)
        length = np.sqrt(move_x * move_x + move_y * move_y)
        if length > most:
            move_x *= most / length
            move_y *= most / length
        out[i, 0] = x + move_x
        out[i, 1] = y + move_y
