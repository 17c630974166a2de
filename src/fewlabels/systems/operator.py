"""A definite system known by its product alone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.kept import Kept
from fewlabels.systems.base import Block
from fewlabels.systems.coarse import CoarsePicture
from fewlabels.systems.shape import Shape

__all__ = ["OperatorSystem"]


class OperatorSystem:
    """A X = B, A symmetric positive definite and given as a function; its diagonal counts as one.

    Examples
    --------
    >>> OperatorSystem(2, lambda X: 2 * X).apply(np.ones((2, 1))).tolist()
    [[2.0], [2.0]]
    """

    def __init__(self, n_rows: int, product: Callable[[Block], Block]) -> None:
        self._n_rows, self._product = n_rows, product
        self.kept = Kept()

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return self._n_rows

    @property
    def is_singular(self) -> bool:
        """Whether A has a null space."""
        return False

    @property
    def shape(self) -> Shape:
        """Nothing is known of the way that information takes, so it counts as short."""
        return Shape(self._n_rows, 1)

    @property
    def coarse(self) -> CoarsePicture:
        """Refuse: a product alone tells of no aggregates."""
        raise FewlabelsError("this system has no coarse picture; solve it with CG(coarse=False).")

    def apply(self, X: Block) -> Block:
        """Return A X."""
        return self._product(X)

    def walk(self, X: Block) -> Block:
        """Return X - N^-1 A X."""
        return np.asarray(X - self.over_diagonal(self.apply(X)))

    def over_diagonal(self, X: Block) -> Block:
        """Return N^-1 X."""
        return X.copy()

    def dot(self, X: Block, Y: Block) -> NDArray[np.float64]:
        """Return the inner products of equal columns."""
        return np.asarray(np.einsum("ij,ij->j", X, Y))

    def rows(self, X: Block, nodes: NDArray[np.int64]) -> Block:
        """Return a few rows."""
        return X[nodes]

    def sums(self, X: Block) -> NDArray[np.float64]:
        """Return the column sums; a definite system counts as one component."""
        return np.asarray(X.sum(axis=0)[None, :])

    def solvable(self, B: Block) -> Block:
        """Return B: a definite system has a solution for everything."""
        return B

    def clean(self, R: Block) -> None:
        """Do nothing: there is no null space."""

    def choose(self, X: Block) -> None:
        """Do nothing: there is one solution."""
