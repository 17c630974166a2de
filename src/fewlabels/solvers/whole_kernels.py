"""Many steps of a solve in one compiled call.

On small graphs a pass is over before a second thread has begun, and what lies between two passes takes as long as they
do. So each thread solves for columns of its own there, without the interpreter.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.compiled import compiled
from fewlabels.solvers.kernels import advance, advance_one, multiply, multiply_one

__all__ = ["all_steps"]

A = NDArray[Any]


@compiled
def shares_of_components(weights: A, values: A, component: A, part: A, shares: A) -> None:
    """For each aggregate, what its component's values come to, each times its weight and all times the part."""
    k, c = values.shape
    total = np.zeros((part.size, c))
    for g in range(k):
        for q in range(c):
            total[component[g], q] += weights[g] * values[g, q]
    for g in range(k):
        for q in range(c):
            shares[g, q] = part[component[g]] * total[component[g], q]


@compiled
def lift_by(outer: A, inner: A, inverse: A, live: A, constants: tuple[A, A, A], lift: A, bend: A) -> None:
    """Fill lift with C^-1 (outer - inner), free of constants; add the columns' products with it and inner to bend."""
    component, volumes, part = constants
    c = lift.shape[1]
    known = np.empty((live.size, c), dtype=lift.dtype)
    found = np.empty_like(known)
    for row in range(live.size):
        for q in range(c):
            known[row, q] = outer[live[row], q] - inner[live[row], q]
    np.dot(inverse, known, found)
    for row in range(live.size):
        for q in range(c):
            bend[q] += known[row, q] * found[row, q]
            lift[live[row], q] = found[row, q]
    if part.size:
        means = np.empty_like(lift)
        shares_of_components(volumes, lift, component, part, means)
        lift -= means
    for g in range(lift.shape[0]):
        for q in range(c):
            bend[q] += 2.0 * lift[g, q] * inner[g, q]


@compiled
def all_steps(
    starts: A,
    matrix: tuple[A, A, A],
    image: tuple[A, A, A],
    shift: float,
    root: A,
    inverse: A,
    live: A,
    constants: tuple[A, A, A],
    blocks: tuple[A, A, A, A],
    lift: A,
    outer: A,
    told: tuple[A, A, A, A, A, A],
    slow: float,
    exhausted: float,
    most: int,
) -> int:
    """Take the steps of :class:`fewlabels.solvers.fused_steps.Steps` until all columns are done; return their number.

    Where no component has a constant to remove, the last of `constants` is empty. Told of each column are the square at
    which it is done, the one that it has, its energy, what the last step added to that, the square before and the
    length of the step: with them the next call goes on.
    """
    (X, R, P, AP), (component, _, part) = blocks, constants
    small, square, energy, raised, gamma, length = told
    k, c = outer.shape
    kind = R.dtype
    inner, drop = np.zeros((k, c), dtype=kind), np.zeros((k, c), dtype=kind)
    share, far = np.zeros(c, dtype=kind), np.zeros(c, dtype=kind)
    ratio, bend, ones = np.zeros(c), np.empty(c), np.ones(k)
    for step in range(most):
        going = (square > small) | (raised > slow * energy)
        if not going.any() or not np.isfinite(square).all():
            return step
        if part.size:
            shares_of_components(ones, outer, component, part, drop)
        for q in range(c):
            ratio[q] = square[q] / gamma[q] if gamma[q] > 0 and square[q] > exhausted * small[q] else 0.0
            gamma[q], share[q], bend[q] = square[q], ratio[q], 0.0
        if c == 1:
            multiply_one(0, k, starts, *matrix, shift, root, share, R, AP, inner, bend)
        else:
            multiply(0, k, starts, *matrix, shift, root, share, R, AP, inner, bend)
        lift_by(outer, inner, inverse, live, constants, lift, bend)
        for q in range(c):
            bend[q] -= ratio[q] * (gamma[q] / length[q] if length[q] > 0 else 0.0)
            moving = gamma[q] > exhausted * small[q] and bend[q] > 0
            length[q] = gamma[q] / bend[q] if moving else 0.0
            far[q], square[q] = length[q], 0.0
        if c == 1:
            advance_one(0, k, starts, *image, root, far, share, lift, drop, X, R, P, AP, outer, square)
        else:
            advance(0, k, starts, *image, root, far, share, lift, drop, X, R, P, AP, outer, square)
        for q in range(c):
            raised[q] = length[q] * gamma[q]
            energy[q] += raised[q]
    return most
