"""The slowest modes of a graph, on which T steps are done exactly, so that a short polynomial does for all others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.linalg import LinearOperator, eigsh

from fewlabels.graph import Graph
from fewlabels.kept import Key, ReadOnlyArrays
from fewlabels.spectrum import lowest_modes
from fewlabels.systems import Block, Laplacian, System, laplacian_of
from fewlabels.threads import in_blocks_of_rows

__all__ = ["SlowModes", "keep_slow_modes", "slow_modes_of"]

COUNT = 50
"""As many as MBO uses, so that they are found once. On MNIST they halve the products that T steps need; 100 take four
times as long to find, and by estimate would save a fifth of what is left."""

DENSE_UP_TO = 600

TOL = 1e-3
"""How exactly the ends of what is left of the spectrum are found; it is taken to be wider by twice as much."""


@dataclass(frozen=True, eq=False)
class SlowModes(ReadOnlyArrays):
    """Eigenpairs of S = D^-1/2 W D^-1/2 at its upper end, and where the others lie.

    Attributes
    ----------
    values : ndarray, shape (r,)
        Eigenvalues of S, and of P = D^-1 W.
    vectors : ndarray, shape (n, r)
        D^-1/2 times the eigenvectors: f(P) D^-1 B is the sum of f(values_i) vectors_i vectors_i' B and what f makes of
        the other modes.
    squares : ndarray, shape (r, r)
        Inner products of D times these vectors.
    low, high : float
        All other eigenvalues lie between.
    """

    values: NDArray[np.float64]
    vectors: NDArray[np.float64]
    squares: NDArray[np.float64]
    low: float
    high: float

    def others(self, shift: float) -> tuple[float, float]:
        """Return the interval of all other eigenvalues, moved by a shift that leaves them below one."""
        return max(-1.0, self.low + shift), min(1.0, self.high + shift)

    def squares_of(self, amounts: Block) -> NDArray[np.float64]:
        """Return the squared length of D times so much of each mode, for every column."""
        return np.asarray((amounts * (self.squares @ amounts)).sum(axis=0))

    def shares(self, B: Block) -> Block:
        """Return how much of a balanced source each mode takes, shape (r, columns)."""
        return np.asarray(self.vectors.T @ B)

    def add(self, X: Block, amounts: Block) -> None:
        """Add so much of each mode to every column of X."""

        def add_to(some: slice) -> None:
            X[some] += self.vectors[some] @ amounts

        in_blocks_of_rows(len(X), add_to)


SLOW_MODES = Key[SlowModes]("slow modes")


def keep_slow_modes(graph: Graph) -> SlowModes:
    """Find the slowest modes, once for a graph: from then on T steps on it are cheaper.

    It takes as long as T steps for a hundred columns or so, which is why a single fit does without.
    """
    return graph.kept.get(SLOW_MODES, lambda: _found(graph))


def slow_modes_of(system: System) -> SlowModes | None:
    """Return the modes of a system's graph if they are kept."""
    if not isinstance(system, Laplacian) or SLOW_MODES.name not in system.kept:
        return None
    return keep_slow_modes(system.graph)


def _found(graph: Graph) -> SlowModes:
    """Find the modes, then the ends of what is left without them: a mode that was missed would be one."""
    low_values, vectors = lowest_modes(graph, COUNT)
    values, back = 1.0 - low_values, np.sqrt(laplacian_of(graph).inverse_diagonal)
    S = sp.csr_array(sp.diags_array(back) @ graph.weights @ sp.diags_array(back))
    low, high = _ends(S, np.ascontiguousarray(vectors))
    scaled = back[:, None] * vectors
    weighted = graph.degrees[:, None] * scaled
    return SlowModes(values, scaled, weighted.T @ weighted, max(-1.0, low - 2 * TOL), min(1.0, high + 2 * TOL))


def _ends(S: Any, taken: NDArray[np.float64]) -> tuple[float, float]:
    """Return the smallest and the largest eigenvalue of S without the modes that are taken."""
    n = S.shape[0]

    def apply(x: NDArray[np.float64]) -> NDArray[np.float64]:
        z = S @ (x - taken @ (taken.T @ x))
        return np.asarray(z - taken @ (taken.T @ z))

    if n <= DENSE_UP_TO:
        ends = np.linalg.eigvalsh(apply(np.eye(n)))
    else:
        operator = LinearOperator((n, n), matvec=apply, dtype=np.float64)
        start = np.random.default_rng(1).normal(size=n)
        ends = eigsh(operator, k=2, which="BE", return_eigenvectors=False, v0=start, tol=TOL)
    return float(ends.min()), float(ends.max())
