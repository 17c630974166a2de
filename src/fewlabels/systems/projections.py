"""Sums and means over the components of a graph, and the three projections made of them.

The Laplacian is singular along the constant of every component. All of these work on each component alone:

* ``centre`` removes the plain mean, J = I - 11'/n; L^+ maps into its range.
* ``balance`` removes from a source what cannot be balanced; the sink lies on nodes in proportion to their degree:
  f - d (1'f)/(1'd). It is what the paper's T steps do in the limit.
* ``centre_by_degree`` removes the degree-weighted mean.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.graph import Graph
from fewlabels.kept import Key, read_only
from fewlabels.threads import in_blocks_of_rows

__all__ = ["Projections", "projections_of", "reciprocal"]

Block = NDArray[np.float64]


class Projections:
    """Sums over each component, and what is removed from blocks with their help.

    Examples
    --------
    >>> two = Graph.from_weights(np.array([[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]]))
    >>> Projections(two).centre(np.array([[1.0], [3.0], [5.0], [5.0]])).ravel().tolist()
    [-1.0, 1.0, 0.0, 0.0]
    """

    def __init__(self, graph: Graph) -> None:
        self._components, self._count = graph.components, graph.n_components
        self._degrees, self._ones = graph.degrees, np.ones(graph.n_nodes)

    @cached_property
    def _alone(self) -> NDArray[np.int64]:
        """The nodes without edges."""
        return np.flatnonzero(self._degrees == 0)

    @cached_property
    def _members(self) -> Any:
        """Indicator rows of the components, shape (components, nodes)."""
        n = self._components.size
        return sp.csr_array((np.ones(n), (self._components, np.arange(n))), shape=(self._count, n))

    @cached_property
    def _volume_members(self) -> Any:
        """The degrees in the rows of their components, shape (components, nodes)."""
        return sp.csr_array(self._members @ sp.diags_array(self._degrees))

    @cached_property
    def sizes(self) -> NDArray[np.float64]:
        """The number of nodes in each component."""
        return read_only(np.bincount(self._components).astype(np.float64))

    @cached_property
    def volumes(self) -> NDArray[np.float64]:
        """The sum of degrees in each component."""
        return read_only(np.asarray(np.bincount(self._components, weights=self._degrees), dtype=np.float64))

    def sums(self, X: Block) -> Block:
        """Return the column sums of `X` over each component, shape (components, columns)."""
        return (self._ones @ X)[None, :] if self._count == 1 else np.asarray(self._members @ X)

    def repeated(self, values: Block) -> Block:
        """Return the row of each node's component, for rows per component; one row stands for all nodes."""
        return values if self._count == 1 else values[self._components]

    def centre(self, X: Block) -> Block:
        """Remove the mean of every column over each component."""
        return self._less(X, self._means(X))

    def centre_in_place(self, X: Block) -> None:
        """Remove the mean of every column over each component, without a copy of `X`."""
        self._less(X, self._means(X), out=X)

    def balance(self, X: Block) -> Block:
        """Make every column sum to zero over each component; the sink lies on nodes in proportion to their degree.

        A node without edges has no sink but itself.
        """
        balanced = self._less(X, self.sums(X) * reciprocal(self.volumes)[:, None], times=self._degrees)
        balanced[self._alone] = 0.0
        return balanced

    def centre_by_degree(self, X: Block) -> Block:
        """Remove the degree-weighted mean of every column over each component."""
        return self._less(X, self._means_by_degree(X))

    def centre_by_degree_in_place(self, X: Block) -> None:
        """Remove the degree-weighted mean of every column over each component, without a copy of `X`."""
        self._less(X, self._means_by_degree(X), out=X)

    def _less(
        self, X: Block, values: Block, *, times: NDArray[np.float64] | None = None, out: Block | None = None
    ) -> Block:
        """Return X less the row of each node's component, `times` as much of it for each node."""
        found = np.empty(X.shape, dtype=np.result_type(X, values)) if out is None else out

        def subtract(some: slice) -> None:
            rows = values if self._count == 1 else np.take(values, self._components[some], axis=0)
            np.subtract(X[some], rows if times is None else times[some, None] * rows, out=found[some])

        in_blocks_of_rows(len(X), subtract)
        return found

    def _means(self, X: Block) -> Block:
        return np.asarray(self.sums(X) / self.sizes[:, None])

    def _means_by_degree(self, X: Block) -> Block:
        sums = (self._degrees @ X)[None, :] if self._count == 1 else self._volume_members @ X
        return np.asarray(sums * reciprocal(self.volumes)[:, None])


PROJECTIONS = Key[Projections]("projections")


def projections_of(graph: Graph) -> Projections:
    """Return the projections of a graph, made once."""
    return graph.kept.get(PROJECTIONS, lambda: Projections(graph))


def reciprocal(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return 1 / x, and zero where x is zero."""
    return np.divide(1.0, x, out=np.zeros_like(x), where=x > 0)
