"""System: what an iteration asks of a symmetric matrix, wherever its rows are."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from fewlabels.kept import Kept
from fewlabels.systems.coarse import CoarsePicture
from fewlabels.systems.shape import Shape

__all__ = ["Block", "System"]

Block = NDArray[Any]
"""A row per node and a column per right-hand side; anything that adds, scales columns and copies will do."""


class System(Protocol):
    """A X = B for a symmetric positive definite A, or a semidefinite one whose null space is known.

    These verbs are all that series, Chebyshev expansions and conjugate gradients use. A block is only ever added,
    multiplied by a row of numbers, copied, and handed back to the system: rows in other processes can answer to the
    same verbs by exchanging a few rows and small sums.

    Attributes
    ----------
    n_rows : int
    is_singular : bool
    kept : Kept
        What solvers prepared.
    shape : Shape
        How far information travels, and how wide the way is.
    coarse : CoarsePicture
        The matrix on aggregates, small and dense.
    """

    @property
    def n_rows(self) -> int: ...  # noqa: D102
    @property
    def is_singular(self) -> bool: ...  # noqa: D102
    @property
    def kept(self) -> Kept: ...  # noqa: D102
    @property
    def shape(self) -> Shape: ...  # noqa: D102
    @property
    def coarse(self) -> CoarsePicture: ...  # noqa: D102

    def apply(self, X: Block) -> Block:
        """Return A X."""
        ...

    def walk(self, X: Block) -> Block:
        """Return X - N^-1 A X, N the diagonal of A."""
        ...

    def over_diagonal(self, X: Block) -> Block:
        """Return N^-1 X, zero where the diagonal is."""
        ...

    def dot(self, X: Block, Y: Block) -> NDArray[np.float64]:
        """Return the inner product of each column of X with the same column of Y."""
        ...

    def rows(self, X: Block, nodes: NDArray[np.int64]) -> Block:
        """Return a few rows."""
        ...

    def sums(self, X: Block) -> NDArray[np.float64]:
        """Return the sum of each column over each component, shape (components, columns)."""
        ...

    def solvable(self, B: Block) -> Block:
        """Return B without what no solution can account for."""
        ...

    def clean(self, R: Block) -> None:
        """Remove from a residual, in place, what rounding put into the null space."""
        ...

    def choose(self, X: Block) -> None:
        """Move a solution, in place, to the one among all that is meant."""
        ...
