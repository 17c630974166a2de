"""Game-theoretic p-Laplace learning (Flores Rios, Calder and Lerman, 2019), one class against the rest."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.compiled import kernels_at_hand
from fewlabels.errors import FewlabelsError, SolveWarning
from fewlabels.graph import Graph
from fewlabels.labels import Seeds
from fewlabels.methods.base import Method, Spread
from fewlabels.operators import laplacian_of
from fewlabels.progress import track
from fewlabels.reach import reach_of
from fewlabels.solvers.cg import COMPILED_FROM
from fewlabels.threads import cores, share_out

__all__ = ["PLaplace"]

Block = NDArray[np.float64]

COLUMNS = 5
"""Columns that are swept together; more of them are slower than twice the sweeps."""


@dataclass(eq=False)
class PLaplace(Method):
    """u_i = a * (weighted mean of the neighbours) + (1 - a) * (their least + their largest) / 2 off the labels.

    a = 1 / (p - 1). Gauss-Seidel sweeps until one changes nothing by more than `tol`. A class prior multiplies the
    columns by s_j.

    Parameters
    ----------
    p : float
        10 gives the paper's column; 2 is Laplace learning.
    tol : float
    max_sweeps : int

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1))
    >>> PLaplace().scores(path, Seeds.from_values([0, 3], [0.0, 3.0])).ravel().round(3).tolist()
    [0.0, 1.0, 2.0, 3.0]
    """

    p: float = 10.0
    tol: float = 1e-6
    max_sweeps: int = 10_000

    def _spread(self, graph: Graph, seeds: Seeds) -> Spread:
        if not isinstance(self.p, (int, float, np.number)) or not self.p >= 2:
            raise FewlabelsError(f"p={self.p!r} must be a number of at least 2.")
        if not isinstance(self.tol, (int, float, np.number)) or not self.tol > 0:
            raise FewlabelsError(f"tol={self.tol!r} must be a number above zero.")
        if not isinstance(self.max_sweeps, (int, np.integer)) or self.max_sweeps < 1:
            raise FewlabelsError(f"max_sweeps={self.max_sweeps!r} must be a whole number of at least 1.")
        low, high = seeds.targets.min(), seeds.targets.max()
        free = reach_of(graph, seeds).nodes & (graph.degrees > 0)
        free[seeds.indices] = False
        u = np.full((graph.n_nodes, seeds.targets.shape[1]), (low + high) / 2)
        u[seeds.indices] = seeds.targets
        mean_share = 1.0 / (self.p - 1.0)
        goal = self.tol * max(high - low, 1e-300)
        sweeps = _Columns if graph.n_nodes >= COMPILED_FROM and kernels_at_hand() else _Colours
        relaxed = sweeps(graph, free, u)
        for _ in track(range(self.max_sweeps), "p-Laplace sweeps"):
            change = relaxed.sweep(mean_share, goal)
            if change <= goal:
                break
        else:
            warnings.warn(
                f"p-Laplace still changed by {change:.1e} after {self.max_sweeps} sweeps; allow more or raise tol.",
                SolveWarning,
                stacklevel=4,
            )
        u = relaxed.values()
        return Spread(u if seeds.is_regression else u * seeds.class_weights, ())


class _Columns:
    """Compiled sweeps in the order of the nodes; every core has some columns, and stops when they have settled."""

    def __init__(self, graph: Graph, free: NDArray[np.bool_], u: Block) -> None:
        W = graph.weights
        shares = W.data * np.repeat(laplacian_of(graph).inverse_degrees, np.diff(W.indptr))
        self._graph = W.indptr, W.indices.astype(np.uint32), shares, np.flatnonzero(free)
        count = min(max(cores(), -(-u.shape[1] // COLUMNS)), u.shape[1])
        self._blocks = [np.ascontiguousarray(block) for block in np.array_split(u, count, axis=1)]
        self._changes = np.full(len(self._blocks), np.inf)

    def sweep(self, mean_share: float, goal: float) -> float:
        from fewlabels.solvers import kernels

        moving = np.flatnonzero(self._changes > goal)
        tasks = [partial(kernels.relax, *self._graph, mean_share, self._blocks[block]) for block in moving]
        self._changes[moving] = share_out(tasks)
        return float(self._changes.max())

    def values(self) -> Block:
        return np.hstack(self._blocks)


class _Colours:
    """Sweeps over the nodes of one colour of the graph at a time, all columns at once."""

    def __init__(self, graph: Graph, free: NDArray[np.bool_], u: Block) -> None:
        self._groups, self._u = [_Group(graph, nodes) for nodes in _colours(graph, free)], u

    def sweep(self, mean_share: float, goal: float) -> float:
        return max((group.relax(self._u, mean_share) for group in self._groups), default=0.0)

    def values(self) -> Block:
        return self._u


class _Group:
    """Nodes of which no two are neighbours, so that all may be relaxed at once."""

    def __init__(self, graph: Graph, nodes: NDArray[np.int64]) -> None:
        rows = graph.weights[nodes]
        self.nodes, self._around, self._starts = nodes, rows.indices, rows.indptr[:-1]
        self._mean: Any = rows.multiply(laplacian_of(graph).inverse_degrees[nodes][:, None]).tocsr()

    def relax(self, u: Block, mean_share: float) -> float:
        """Set the nodes to their new values in place; return the largest change."""
        near = u[self._around]
        middle = np.minimum.reduceat(near, self._starts, axis=0) + np.maximum.reduceat(near, self._starts, axis=0)
        new = mean_share * (self._mean @ u) + (1.0 - mean_share) / 2.0 * middle
        change = float(np.abs(new - u[self.nodes]).max())
        u[self.nodes] = new
        return change


def _colours(graph: Graph, free: NDArray[np.bool_]) -> list[NDArray[np.int64]]:
    """Return the free nodes in groups of one colour, neighbours never in the same group; coloured once for a graph."""
    if "colours" not in graph.memo:
        from pyamg.graph import vertex_coloring

        graph.memo["colours"] = np.asarray(vertex_coloring(graph.weights, method="LDF"))
    colours = graph.memo["colours"]
    groups = (np.flatnonzero(free & (colours == colour)) for colour in np.unique(colours))
    return [nodes for nodes in groups if nodes.size]
