"""Many small steps u <- M u of a matrix that has the graph's edges, in single precision."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.compiled import kernels_at_hand
from fewlabels.graph import Graph
from fewlabels.solvers.cg import COMPILED_FROM
from fewlabels.solvers.coarse import aggregates_of
from fewlabels.solvers.fused import PAD, SHARES, filled_up
from fewlabels.threads import cores, even_ranges, share_out

__all__ = ["Diffusion"]

Single = NDArray[np.float32]


class Diffusion:
    """A matrix with a row and a column per node of the graph, ready to be multiplied often.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(2), 1) + np.diag(np.ones(2), -1))
    >>> swap = Diffusion(path, sp.csr_array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]))
    >>> swap.run(np.array([[1.0], [2.0], [3.0]]), 3, np.array([0]), np.array([[10.0]])).ravel().tolist()
    [22.0, 11.0, 3.0]
    """

    def __init__(self, graph: Graph, matrix: Any) -> None:
        matrix = sp.csr_array(matrix).astype(np.float32)
        self._compiled = graph.n_nodes >= COMPILED_FROM and kernels_at_hand()
        self._matrix, self._order = matrix, np.arange(graph.n_nodes)
        if self._compiled:
            self._order = np.argsort(aggregates_of(graph), kind="stable")
            self._parts = filled_up(sp.csr_array(matrix[self._order][:, self._order]), 4)
            self._ranges = even_ranges(np.diff(self._parts[0]) + 1, SHARES * cores())

    def run(self, u: NDArray[Any], steps: int, nodes: NDArray[np.int64], pull: NDArray[Any]) -> Single:
        """Return u after some steps, each of which adds `pull` at `nodes`."""
        if not self._compiled:
            now = u.astype(np.float32)
            for _ in range(steps):
                now = self._matrix @ now
                now[nodes] += pull.astype(np.float32)
            return now
        from fewlabels.solvers import kernels

        n, c = u.shape
        now, after = np.zeros((2, n, -(-c // PAD) * PAD), dtype=np.float32)
        now[:, :c] = u[self._order]
        place = np.empty(n, dtype=np.int64)
        place[self._order] = np.arange(n)
        at, added = place[nodes], pull.astype(np.float32)
        for _ in range(steps):
            share_out([partial(kernels.diffuse, *part, *self._parts, now, after) for part in self._ranges])
            after[at, :c] += added
            now, after = after, now
        found = np.empty((n, c), dtype=np.float32)
        found[self._order] = now[:, :c]
        return found
