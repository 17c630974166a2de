"""The term held by its l1 norm, which lives on few nodes, by FISTA on those that matter."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["Lasso"]

Block = NDArray[np.float64]

MOST_STEPS = 5000
GAP = 1e-8
"""FISTA stops when the duality gap is below this share of the loss."""

NODES_AT_ONCE = 100


class Lasso:
    """Minimises (1/m) |A f - Y|^2 + lambda |f|_1 for one lambda after the other, each beginning from the last.

    Examples
    --------
    >>> Lasso(np.eye(2), np.array([[4.0], [1.0]])).term(2.0).ravel().round(6).tolist()
    [2.0, 0.0]
    """

    def __init__(self, A: Block, Y: Block) -> None:
        self._A, self._Y = A, Y
        self._f = np.zeros((A.shape[1], Y.shape[1]))

    def term(self, strength: float) -> Block:
        """Return the term: found on the nodes that matter, until no other asks to be in.

        A node at which the slope stays within lambda has no term.
        """
        A, Y, m = self._A, self._Y, len(self._Y)
        chosen = np.asarray(self._f.any(axis=1))
        while True:
            slope = np.abs((2.0 / m) * (A.T @ (Y - A @ self._f))).max(axis=1)
            asking = np.flatnonzero((slope > strength * (1.0 + 1e-3)) & ~chosen)
            asking = asking[np.argsort(-slope[asking])[:NODES_AT_ONCE]]
            chosen[asking] = True
            nodes = np.flatnonzero(chosen)
            found = _fista(A[:, nodes], Y, strength, self._f[nodes])
            self._f = np.zeros_like(self._f)
            self._f[nodes] = found
            if asking.size == 0:
                return self._f


def _fista(A: Block, Y: Block, strength: float, f: Block) -> Block:
    """Accelerated proximal gradient steps, restarted whenever momentum points uphill, until the duality gap closes.

    With Z = (2/m) (Y - A f) the dual value is <Z, Y> - (m/4) |Z|^2, once Z is scaled so that no entry of A'Z exceeds
    lambda.
    """
    if f.size == 0:
        return f
    m = Y.shape[0]
    pace = m / (2.0 * float(np.linalg.norm(A, 2)) ** 2)
    ahead, momentum = f, 1.0
    for step in range(MOST_STEPS):
        Z = (2.0 / m) * (Y - A @ ahead)
        slope = A.T @ Z
        if step % 10 == 0:
            loss = m / 4.0 * np.vdot(Z, Z) + strength * np.abs(ahead).sum()
            scale = min(1.0, strength / max(float(np.abs(slope).max()), 1e-300))
            if loss - scale * np.vdot(Z, Y) + m / 4.0 * scale**2 * np.vdot(Z, Z) <= GAP * loss:
                return ahead
        moved = ahead + pace * slope
        after = np.sign(moved) * np.maximum(np.abs(moved) - pace * strength, 0.0)
        change = after - f
        if np.vdot(ahead - after, change) > 0:
            momentum = 1.0
        grown = (1.0 + np.sqrt(1.0 + 4.0 * momentum**2)) / 2.0
        ahead = after + (momentum - 1.0) / grown * change
        f, momentum = after, grown
    return f
