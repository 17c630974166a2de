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
    """A matrix M with a row and a column per node, or for `nodes` alone, and eigenvalues in [-1, 1].

    Its polynomials are wanted.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(2), 1) + np.diag(np.ones(2), -1))
    >>> swap = WalkSystem(path, sp.csr_array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]))
    >>> swap.walk(np.array([[1.0], [2.0], [3.0]])).ravel().tolist()
    [2.0, 1.0, 3.0]
    """

    def __init__(self, graph: Graph, matrix: Any, nodes: NDArray[np.int64] | None = None) -> None:
        self._graph, self._matrix, self._nodes = graph, sp.csr_array(matrix).astype(np.float32), nodes
        self.kept = Kept()

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return int(self._matrix.shape[0])

    def walk(self, X: NDArray[Any]) -> Single:
        """Return M X."""
        return np.asarray(self._matrix @ X.astype(np.float32, copy=False))

    def padded_rows(self) -> tuple[NDArray[np.int64], Rows]:
        """Return an order in which neighbours lie together, and M in it as the kernels read it."""
        every = aggregates_of(self._graph)
        order = np.argsort(every if self._nodes is None else every[self._nodes], kind="stable")
        return order, padded_rows(in_order(self._matrix, order), 4)
