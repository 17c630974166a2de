"""The graph Laplacian L = D - W as a block operator, with what its constant mode asks for.

L is singular along the constant of every component. Three projections deal with it, all per component:

* ``centre`` removes the plain mean, J = I - 11'/n; L^+ maps into its range.
* ``balance`` removes the part of a source that cannot be balanced, putting the sink on nodes in proportion to their
  degree: f - d (1'f)/(1'd). It is what the paper's T steps do in the limit.
* ``centre_by_degree`` removes the degree-weighted mean.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.graph import Graph

__all__ = ["Laplacian", "laplacian_of"]

Block = NDArray[np.float64]


class Laplacian:
    """L = D - W of a graph, applied to blocks of columns.

    Examples
    --------
    >>> path = Graph.from_weights(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]))
    >>> Laplacian(path).apply(np.array([[1.0], [0.0], [0.0]])).ravel().tolist()
    [1.0, -1.0, 0.0]
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.degrees = graph.degrees
        self.inverse_degrees = _inverse(graph.degrees)
        self._ones = np.ones(graph.n_nodes)

    @cached_property
    def matrix(self) -> Any:
        """L as a CSR array."""
        return sp.csr_array(sp.diags_array(self.degrees) - self.graph.weights)

    def apply(self, X: Block) -> Block:
        """Return L X."""
        return np.asarray(self.degrees[:, None] * X - self.graph.weights @ X)

    def walk(self, X: Block) -> Block:
        """Return P X, P = D^-1 W; zero at nodes without edges."""
        return np.asarray(self.inverse_degrees[:, None] * (self.graph.weights @ X))

    @cached_property
    def _members(self) -> Any:
        """Indicator rows of the components, shape (components, nodes)."""
        n = self.graph.n_nodes
        rows = (self.graph.components, np.arange(n))
        return sp.csr_array((np.ones(n), rows), shape=(self.graph.n_components, n))

    @cached_property
    def _volume_members(self) -> Any:
        """The degrees in the rows of their components, shape (components, nodes)."""
        return sp.csr_array(self._members @ sp.diags_array(self.degrees))

    @cached_property
    def sizes(self) -> NDArray[np.float64]:
        """The number of nodes in each component."""
        return np.bincount(self.graph.components).astype(np.float64)

    @cached_property
    def volumes(self) -> NDArray[np.float64]:
        """The sum of degrees in each component."""
        return np.asarray(np.bincount(self.graph.components, weights=self.degrees), dtype=np.float64)

    def sums(self, X: Block) -> Block:
        """Return the column sums of `X` over each component, shape (components, columns)."""
        return (self._ones @ X)[None, :] if self.graph.n_components == 1 else np.asarray(self._members @ X)

    def spread(self, values: Block) -> Block:
        """Return per-component rows repeated for every node of the component."""
        return values if self.graph.n_components == 1 else values[self.graph.components]

    def centre(self, X: Block) -> Block:
        """Remove the mean of every column over each component."""
        return np.asarray(X - self.spread(self.sums(X) / self.sizes[:, None]))

    def centre_in_place(self, X: Block) -> None:
        """Remove the mean of every column over each component, without a copy of `X`."""
        X -= self.spread(self.sums(X) / self.sizes[:, None])

    def balance(self, X: Block) -> Block:
        """Make every column sum to zero over each component, the sink spread in proportion to degree."""
        share = self.sums(X) * _inverse(self.volumes)[:, None]
        return np.asarray(X - self.degrees[:, None] * self.spread(share))

    def centre_by_degree(self, X: Block) -> Block:
        """Remove the degree-weighted mean of every column over each component."""
        return np.asarray(X - self.spread(self._means_by_degree(X)))

    def centre_by_degree_in_place(self, X: Block) -> None:
        """Remove the degree-weighted mean of every column over each component, without a copy of `X`."""
        X -= self.spread(self._means_by_degree(X))

    def _means_by_degree(self, X: Block) -> Block:
        sums = (self.degrees @ X)[None, :] if self.graph.n_components == 1 else self._volume_members @ X
        return np.asarray(sums * _inverse(self.volumes)[:, None])


def laplacian_of(graph: Graph) -> Laplacian:
    """Return the graph's Laplacian, made once."""
    if "laplacian" not in graph.memo:
        graph.memo["laplacian"] = Laplacian(graph)
    laplacian: Laplacian = graph.memo["laplacian"]
    return laplacian


def _inverse(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.divide(1.0, x, out=np.zeros_like(x), where=x > 0)
