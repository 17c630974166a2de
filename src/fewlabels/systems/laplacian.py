"""The graph Laplacian L = D - W as a system."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.graph import Graph
from fewlabels.kept import Key, read_only
from fewlabels.systems.base import Block
from fewlabels.systems.matrix import MatrixSystem
from fewlabels.systems.projections import projections_of, reciprocal
from fewlabels.systems.rows import Rows
from fewlabels.systems.walk import WalkSystem

__all__ = ["Laplacian", "green_system", "laplacian_of"]


class Laplacian(MatrixSystem):
    """L X = B on a graph, each component on its own.

    What of B does not sum to zero over a component has no solution. It sinks evenly over the nodes, and the solution
    has zero mean: X = L^+ B. With `sink_by_degree` it sinks in proportion to degree, and the degree-weighted mean is
    zero: X = H B, H = D^-1/2 (I - S)^+ D^-1/2, which the paper's steps tend to, up to their constant mode. H is
    symmetric, H d = 0, and L H B = B - d (1'B)/(1'd).

    With `shift`, L + (shift - 1) (D - d d'/1'd) takes the place of L, definite on every component while 1 - shift is
    below the first nonzero eigenvalue of L_sym. Such a system goes with `sink_by_degree`.

    Examples
    --------
    >>> path = Graph.from_weights(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]))
    >>> Laplacian(path).apply(np.array([[1.0], [0.0], [0.0]])).ravel().tolist()
    [1.0, -1.0, 0.0]
    """

    def __init__(self, graph: Graph, *, sink_by_degree: bool = False, shift: float = 1.0) -> None:
        self._graph, self._n_rows, self._nodes = graph, graph.n_nodes, None
        self._projections, self.sinks_by_degree = projections_of(graph), sink_by_degree
        self.null, self.shift, self.kept = graph.components, shift, graph.kept
        self.inverse_diagonal = read_only(reciprocal(graph.degrees))

    @property
    def matrix(self) -> Any:
        """L as a CSR array, without the shift."""
        degrees, W = self._graph.degrees, self._graph.weights
        return self.kept.get(MATRIX, lambda: sp.csr_array(sp.diags_array(degrees) - W))

    def apply(self, X: Block) -> Block:
        """Return L X, or with a shift what takes the place of L."""
        image = self.matrix @ X
        if self.shift != 1.0:
            degrees = self._graph.degrees[:, None]
            image += (self.shift - 1.0) * degrees * self._projections.centre_by_degree(X)
        return np.asarray(image)

    def walk(self, X: Block) -> Block:
        """Return P X, P = D^-1 W, zero at nodes without edges; with a shift, X less L's substitute over D."""
        step = np.asarray(self.inverse_diagonal[:, None] * (self._graph.weights @ X))
        return step if self.shift == 1.0 else step + (1.0 - self.shift) * self._projections.centre_by_degree(X)

    def padded_walk(self) -> tuple[NDArray[np.int64], Rows]:
        """Return an order in which neighbours lie together, and P in it as the kernels read it."""
        shares = sp.diags_array(self.inverse_diagonal) @ self._graph.weights
        return WalkSystem(self._graph, shares).padded_rows()

    def walk_back(self, p: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return P' p = W D^-1 p: where a walk from the distribution p is after one step."""
        return np.asarray(self._graph.weights @ (self.inverse_diagonal * p))

    def sums(self, X: Block) -> NDArray[np.float64]:
        """Return the column sums over each component."""
        return self._projections.sums(X)

    def solvable(self, B: Block) -> Block:
        """Return B without what cannot be balanced within a component."""
        return self._projections.balance(B) if self.sinks_by_degree else self._projections.centre(B)

    def clean(self, R: Block) -> None:
        """Remove the constant of every component."""
        self._projections.centre_in_place(R)

    def choose(self, X: Block) -> None:
        """Give every component zero mean, plain or weighted by degree."""
        if self.sinks_by_degree:
            self._projections.centre_by_degree_in_place(X)
        else:
            self._projections.centre_in_place(X)


LAPLACIAN = Key[Laplacian]("laplacian")
MATRIX = Key[Any]("laplacian matrix")


def laplacian_of(graph: Graph) -> Laplacian:
    """Return the graph's Laplacian as the system of L^+, made once."""
    return graph.kept.get(LAPLACIAN, lambda: Laplacian(graph), False, 1.0)


def green_system(graph: Graph, *, shift: float = 1.0) -> Laplacian:
    """Return the graph's Laplacian as the system of H, made once for a shift."""
    return graph.kept.get(LAPLACIAN, lambda: Laplacian(graph, sink_by_degree=True, shift=shift), True, shift)
