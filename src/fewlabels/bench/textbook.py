"""The paper's algorithm written plainly with scipy, as one would in an hour: what ours is measured against."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.optimize import brentq

__all__ = ["textbook_labels"]

Block = NDArray[np.float64]


def textbook_labels(
    W: Any, seeds: NDArray[np.int64], codes: NDArray[np.int64], hops: int, target: float
) -> NDArray[np.int64]:
    """Return the label of every node by Interface Laplace learning with T steps, as the paper's algorithm states it."""
    n, m = W.shape[0], seeds.size
    degrees = np.asarray(W.sum(axis=1)).ravel()
    P = sp.csr_array(sp.diags_array(1.0 / degrees) @ W)
    Y = np.eye(codes.max() + 1)[codes]

    steps, p, stationary = 0, np.zeros(n), degrees / degrees.sum()
    p[seeds] = 1.0 / m
    step = sp.csr_array(P.T)
    while steps < 1000 and (steps < 100 or np.abs(p - stationary).max() > 1.0 / n):
        p = step @ p
        steps += 1

    def iterate(start: Block) -> Block:
        term = start - start.mean(axis=0)
        total = term.copy()
        for _ in range(steps - 1):
            term = P @ term
            term -= term.mean(axis=0)
            total += term
        return np.asarray(total)

    near = np.zeros(n, dtype=bool)
    near[seeds] = True
    for _ in range(hops):
        near |= W @ near.astype(np.float64) > 0
    impulse = np.zeros((n, m))
    impulse[seeds, np.arange(m)] = 1.0
    A = iterate((impulse - impulse.mean(axis=0)) / degrees[:, None])
    A[near] = 0.0
    K = A.T @ A

    def error(log_ridge: float) -> float:
        alpha = np.linalg.solve(K + m * np.exp(log_ridge) * np.eye(m), Y)
        return float(((K @ alpha - Y) ** 2).sum() / m - target)

    ridge = np.exp(brentq(error, -30.0, 30.0))
    f = A @ np.linalg.solve(K + m * ridge * np.eye(m), Y)
    return np.asarray(iterate(f / degrees[:, None]).argmax(axis=1))
