"""Logistic regression from its first step to its last in one compiled call: L-BFGS.

With a handful of labels an evaluation takes a hundredth of a millisecond, and the interpreter around it ten times as
long.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.compiled import compiled

__all__ = ["least_loss"]

PAIRS = 10
"""Last steps from which the curvature is known."""

TRIES, ENOUGH = 30, 1e-4
"""How many lengths of a step are tried, and which share of the fall that the slope promises is enough."""

SHORTEST, LONGEST, OVERFLOWN = 1e-6, 0.5, 1e-3
"""The share of its length to which a step is cut at most and at least, and that where the loss is not a number."""

LITTLE = 1e-9
"""Steps end when the loss falls by less than this share of it."""

A = NDArray[Any]


@compiled
def loss_at(rows: A, codes: A, W: A, slope: A) -> float:
    """Return the mean loss and half the square of the coefficients over the number of rows; fill in its slope.

    The last row of W are the intercepts. A single column stands against zero.
    """
    m, p = rows.shape
    width = W.shape[1]
    scores = np.dot(rows, W[:p])
    total = 0.0
    for i in range(m):
        top = 0.0 if width == 1 else -np.inf
        for j in range(width):
            scores[i, j] += W[p, j]
            top = max(top, scores[i, j])
        code = codes[i] - 1 if width == 1 else codes[i]
        own = scores[i, code] if code >= 0 else 0.0
        sums = np.exp(-top) if width == 1 else 0.0
        for j in range(width):
            scores[i, j] = np.exp(scores[i, j] - top)
            sums += scores[i, j]
        total += np.log(sums) + top - own
        for j in range(width):
            scores[i, j] /= sums * m
        if code >= 0:
            scores[i, code] -= 1.0 / m
    slope[:p] = np.dot(rows.T, scores)
    squares = 0.0
    for j in range(width):
        slope[p, j] = 0.0
        for i in range(m):
            slope[p, j] += scores[i, j]
        for k in range(p):
            squares += W[k, j] * W[k, j]
            slope[k, j] += W[k, j] / m
    return float(total / m + 0.5 * squares / m)


@compiled
def inner(a: A, b: A) -> float:
    """Return the sum of all products of two tables."""
    total = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            total += a[i, j] * b[i, j]
    return total


@compiled
def downhill(slope: A, steps: A, changes: A, taken: int) -> A:
    """Return the direction of the next step, from the slope and the last steps with the changes of slope they made."""
    direction = -slope
    first = max(0, taken - PAIRS)
    shares = np.zeros(PAIRS)
    for k in range(taken - 1, first - 1, -1):
        s, y = steps[k % PAIRS], changes[k % PAIRS]
        shares[k % PAIRS] = inner(s, direction) / inner(s, y)
        direction -= shares[k % PAIRS] * y
    if taken:
        s, y = steps[(taken - 1) % PAIRS], changes[(taken - 1) % PAIRS]
        direction *= inner(s, y) / inner(y, y)
    for k in range(first, taken):
        s, y = steps[k % PAIRS], changes[k % PAIRS]
        direction += (shares[k % PAIRS] - inner(y, direction) / inner(s, y)) * s
    return direction


@compiled
def shortened(promised: float, risen: float) -> float:
    """Return the share of a step at which a parabola is least: its slope promised a fall, and the loss rose instead."""
    if not np.isfinite(risen):
        return OVERFLOWN
    return min(max(-promised / (2.0 * (risen - promised)), SHORTEST), LONGEST)


@compiled
def least_loss(rows: A, codes: A, width: int, tol: float, most_steps: int) -> A:
    """Return coefficients and, in the last row, intercepts at which no slope is above `tol`, or after `most_steps`."""
    W = np.zeros((rows.shape[1] + 1, width))
    slope, next_slope = np.zeros_like(W), np.zeros_like(W)
    steps, changes = np.zeros((PAIRS, *W.shape)), np.zeros((PAIRS, *W.shape))
    value, taken = loss_at(rows, codes, W, slope), 0
    for _ in range(most_steps):
        if np.abs(slope).max() <= tol:
            break
        direction = downhill(slope, steps, changes, taken)
        promised = inner(slope, direction)
        if not promised < 0.0:
            break
        length = 1.0 if taken else min(1.0, 1.0 / np.sqrt(inner(slope, slope)))
        found = False
        for _ in range(TRIES):
            step = length * direction
            next_value = loss_at(rows, codes, W + step, next_slope)
            found = next_value <= value + ENOUGH * length * promised
            if found:
                break
            length *= shortened(length * promised, next_value - value)
        if not found:
            break
        change = next_slope - slope
        little = value - next_value <= LITTLE * max(abs(value), abs(next_value), 1.0)
        W += step
        value = next_value
        slope[:] = next_slope
        if little:
            break
        if inner(step, change) > 0.0:
            steps[taken % PAIRS], changes[taken % PAIRS] = step, change
            taken += 1
    return W
