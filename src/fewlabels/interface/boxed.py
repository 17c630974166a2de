"""The term held by its largest value: least squares in a box, solved for in as many numbers as there are labels.

The loss with lambda |f|_inf has its minimum where the loss alone has it among all |f| <= level, for some level, and
there the classes are apart. The dual of one class is a problem in m numbers z, however large the interface:

    minimise (m/4) |z|^2 - <z, y> + level |A'z|_1.

Rounding off the corner of |x| below `corner` makes it smooth, and f = level clip(A'z / corner, -1, 1) its term.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["in_box"]

Block = NDArray[np.float64]
Vector = NDArray[np.float64]

GAP = 1e-5
"""How far the loss may be above its minimum, as a share of what it is without a term."""

SHARPER, MOST_CORNERS, MOST_STEPS, HALVINGS = 0.2, 40, 100, 40
"""By how much corners get sharper each time; bounds for what ends by itself."""


def in_box(A: Block, Y: Block, level: float) -> tuple[Block, float]:
    """Minimise (1/m) |A f - Y|^2 among all |f| <= level; return f, and lambda: what a higher level would gain.

    Parameters
    ----------
    A : ndarray, shape (m, interface)
        What each label sees of each interface node.
    Y : ndarray, shape (m, c)
    level : float

    Examples
    --------
    >>> f, strength = in_box(np.array([[1.0, 1.0]]), np.array([[4.0]]), 1.0)
    >>> f.ravel().tolist(), strength
    ([1.0, 1.0], 8.0)
    """
    f, strength = np.empty((A.shape[1], Y.shape[1])), 0.0
    for column, y in enumerate(Y.T):
        f[:, column], z = _one_class(A, y, level)
        strength += float(np.abs(A.T @ z).sum())
    return f, strength


def _one_class(A: Block, y: Vector, level: float) -> tuple[Vector, Vector]:
    """Newton steps on corners that get sharper, until the gap between the problem and its dual closes."""
    m = y.size
    z = (2.0 / m) * y
    corner = float(np.abs(A.T @ z).max(initial=0.0))
    f = np.zeros(A.shape[1])
    for _ in range(MOST_CORNERS):
        if corner == 0.0:
            break
        z = _minimised(A, y, level, corner, z)
        x = A.T @ z
        f = level * np.clip(x / corner, -1.0, 1.0)
        left = A @ f - y
        gap = left @ left / m - z @ y + m / 4.0 * (z @ z) + level * np.abs(x).sum()
        if gap <= GAP * (y @ y) / m:
            break
        corner *= SHARPER
    return f, z


def _minimised(A: Block, y: Vector, level: float, corner: float, z: Vector) -> Vector:
    """Return the z of the smooth problem, quadratic as long as the same nodes are at a corner: Newton's steps end."""
    m = y.size

    def value(z: Vector, x: Vector) -> float:
        sizes = np.abs(x)
        rounded = np.where(sizes > corner, sizes - corner / 2.0, x * x / (2.0 * corner))
        return float(m / 4.0 * (z @ z) - z @ y + level * rounded.sum())

    x = A.T @ z
    now = value(z, x)
    for _ in range(MOST_STEPS):
        slope = m / 2.0 * z - y + A @ (level * np.clip(x / corner, -1.0, 1.0))
        free = A[:, np.abs(x) <= corner]
        curve = m / 2.0 * np.eye(m) + (level / corner) * (free @ free.T)
        step = np.linalg.lstsq(curve, -slope)[0]
        along, share = A.T @ step, 1.0
        for _ in range(HALVINGS):
            after = value(z + share * step, x + share * along)
            if after <= now + 1e-4 * share * float(slope @ step):
                break
            share /= 2.0
        else:
            break
        z, x = z + share * step, x + share * along
        gained, now = now - after, after
        if gained <= 1e-14 * (abs(now) + 1e-300):
            break
    return z
