"""A definite system whose matrix this process holds: some nodes held fixed, or something added to the diagonal."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.graph import Graph
from fewlabels.systems.base import Block
from fewlabels.systems.coarse import CoarsePicture, aggregates_of
from fewlabels.systems.operator import OperatorSystem
from fewlabels.systems.projections import reciprocal
from fewlabels.systems.shape import Shape, shape_of

__all__ = ["MatrixSystem"]


class MatrixSystem(OperatorSystem):
    """A X = B, A symmetric positive definite with rows and columns that stand for `nodes` of the graph.

    Beside the verbs of every system it offers its matrix, for solvers that need it whole.

    Attributes
    ----------
    null : ndarray of int, or None
        For a singular A, the component of each row, whose constants A maps to zero.
    sinks_by_degree : bool
        Whether what of B has no solution sinks in proportion to N, and the solution's mean by N is zero: as in the
        kernels.
    shift : float
        What is solved is A + (shift - 1) (N - (its part along the null space)); 1 for A itself.
    inverse_diagonal : ndarray
        One over the diagonal N, zero where it is zero.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(2), 1) + np.diag(np.ones(2), -1))
    >>> MatrixSystem(path, sp.csr_array([[2.0]]), np.array([1])).apply(np.array([[3.0]])).tolist()
    [[6.0]]
    """

    null: NDArray[np.int64] | None = None
    sinks_by_degree = True
    shift = 1.0

    def __init__(self, graph: Graph, matrix: Any, nodes: NDArray[np.int64] | None = None) -> None:
        self._matrix = sp.csr_array(matrix)
        super().__init__(self._matrix.shape[0], lambda X: np.asarray(self.matrix @ X))
        self._graph, self._nodes = graph, nodes
        self.inverse_diagonal = reciprocal(np.asarray(self._matrix.diagonal(), dtype=np.float64))

    @property
    def graph(self) -> Graph:
        """The graph that it was made from."""
        return self._graph

    @property
    def matrix(self) -> Any:
        """A as a CSR array."""
        return self._matrix

    @property
    def is_singular(self) -> bool:
        """Whether A has a null space."""
        return self.null is not None

    @property
    def shape(self) -> Shape:
        """The shape of the graph."""
        return shape_of(self._graph)

    @property
    def aggregate(self) -> NDArray[np.int64]:
        """The aggregate of each row."""
        every = aggregates_of(self._graph)
        return every if self._nodes is None else every[self._nodes]

    @property
    def coarse(self) -> CoarsePicture:
        """The matrix on the aggregates, without the shift."""
        return CoarsePicture(self.matrix, self.aggregate, self.null)

    def over_diagonal(self, X: Block) -> Block:
        """Return N^-1 X."""
        return np.asarray(self.inverse_diagonal[:, None] * X)
