"""Steps u <- M u of a matrix that has the graph's edges: diffusion, in single precision."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.graph import Graph
from fewlabels.kept import Kept
from fewlabels.systems.coarse import aggregates_of
from fewlabels.systems.rows import Rows, in_order, padded_rows

__all__ = ["WalkSystem"]

Single = NDArray[np.float32]


class WalkSystem:
    """A matrix M with a row and a column per node and eigenvalues in [-1, 1], whose polynomials are wanted.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(2), 1) + np.diag(np.ones(2), -1))
    >>> swap = WalkSystem(path, sp.csr_array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]))
    >>> swap.walk(np.array([[1.0], [2.0], [3.0]])).ravel().tolist()
    [2.0, 1.0, 3.0]
    """

    def __init__(self, graph: Graph, matrix: Any) -> None:
        self._graph, self._matrix = graph, sp.csr_array(matrix).astype(np.float32)
        self.kept = Kept()

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return self._graph.n_nodes

    def walk(self, X: NDArray[Any]) -> Single:
        """Return M X."""
        return np.asarray(self._matrix @ X.astype(np.float32, copy=False))

    def padded_rows(self) -> tuple[NDArray[np.int64], Rows]:
        """Return an order in which neighbours lie together, and M in it as the kernels read it."""
        order = np.argsort(aggregates_of(self._graph), kind="stable")
        return order, padded_rows(in_order(self._matrix, order), 4)
