"""Game-theoretic p-Laplace learning (Flores Rios, Calder and Lerman, 2019), one class against the rest."""

from __future__ import annotations

import warnings
from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.compiled import kernels_pay
from fewlabels.errors import FewlabelsError, SolveWarning
from fewlabels.graph import Graph
from fewlabels.kept import Key
from fewlabels.labels import Seeds
from fewlabels.methods.base import Method, Spread
from fewlabels.progress import track
from fewlabels.reach import reach_of
from fewlabels.systems import Rows, aggregates_of, laplacian_of, padded_rows
from fewlabels.threads import cores, run_in_threads

__all__ = ["PLaplace"]

Block = NDArray[np.float64]
_Ordered = tuple[NDArray[np.int64], Rows]

SWEEP_ORDER = Key[_Ordered]("sweep order")
COLOURS = Key[NDArray[np.int64]]("colours")

WIDTH, MOST_WIDTHS = 4, 3
"""Columns are swept by fours, up to three of them together."""

OVER, OVER_SWEEPS = 1.2, 200
"""Changes are made larger by this, for two thirds of the sweeps; should they not settle, they go on as they are, which
always does."""

SINGLE_FROM = 1e-6
"""Tolerances from which single precision is enough."""


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
    _: KW_ONLY
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
        sweeps = _Columns if kernels_pay(graph.n_nodes) else _Colours
        relaxed = sweeps(graph, free, u, self.tol)
        for _ in track(iter(range(self.max_sweeps)), "p-Laplace sweeps"):
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
    """Compiled sweeps, aggregate by aggregate; every core has some columns, and stops when they have settled."""

    def __init__(self, graph: Graph, free: NDArray[np.bool_], u: Block, tol: float) -> None:
        self._order, shares = _by_aggregates(graph)
        kind: Any = np.float32 if tol >= SINGLE_FROM else np.float64
        indptr, indices, data = shares
        self._graph = indptr, indices, data.astype(kind), np.flatnonzero(free[self._order])
        self._low, self._range = u.min(), float(np.ptp(u)) or 1.0
        scaled = ((u[self._order] - self._low) / self._range).astype(kind)
        count = -(-u.shape[1] // WIDTH)
        width = WIDTH * -(-count // min(count, max(cores(), -(-count // MOST_WIDTHS))))
        self._columns, self._blocks = u.shape[1], []
        for first in range(0, u.shape[1], width):
            block = scaled[:, first : first + width]
            self._blocks.append(np.pad(block, ((0, 0), (0, -block.shape[1] % WIDTH)), mode="edge"))
        self._changes = np.full(len(self._blocks), np.inf)
        self._sweeps = 0

    def sweep(self, mean_share: float, goal: float) -> float:
        from fewlabels.methods import plaplace_kernels as kernels

        over = OVER if self._sweeps < OVER_SWEEPS else 1.0
        self._sweeps += 1
        moving = np.flatnonzero(self._changes * self._range > goal)
        kind = self._blocks[0].dtype.type
        tasks = [partial(kernels.relax, *self._graph, kind(mean_share), kind(over), self._blocks[b]) for b in moving]
        self._changes[moving] = run_in_threads(tasks)
        return float(self._changes.max()) * self._range

    def values(self) -> Block:
        u = np.empty((self._order.size, self._columns))
        u[self._order] = np.hstack(self._blocks)[:, : self._columns]
        return np.asarray(u * self._range + self._low)


def _by_aggregates(graph: Graph) -> _Ordered:
    """Return an order in which neighbours lie together, and D^-1 W in it as the kernel reads it; made once."""

    def made() -> _Ordered:
        order = np.argsort(aggregates_of(graph), kind="stable")
        shares = sp.csr_array(sp.diags_array(laplacian_of(graph).inverse_diagonal) @ graph.weights)
        return order, padded_rows(sp.csr_array(shares[order][:, order]), WIDTH)

    return graph.kept.get(SWEEP_ORDER, made)


class _Colours:
    """Sweeps over the nodes of one colour of the graph at a time, all columns at once."""

    def __init__(self, graph: Graph, free: NDArray[np.bool_], u: Block, tol: float) -> None:
        self._groups, self._u = [_Group(graph, nodes) for nodes in _colours(graph, free)], u

    def sweep(self, mean_share: float, goal: float) -> float:
        return max((group.relax(self._u, mean_share) for group in self._groups), default=0.0)

    def values(self) -> Block:
        return self._u


class _Group:
    """Nodes of which no two are neighbours, so that all may be relaxed at once."""

    def __init__(self, graph: Graph, nodes: NDArray[np.int64]) -> None:
        self.nodes, (self._around, self._starts) = nodes, graph.neighbors_of(nodes)
        shares = sp.diags_array(laplacian_of(graph).inverse_diagonal[nodes])
        self._mean = sp.csr_array(shares @ graph.weights[nodes])

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
    colours = graph.kept.get(COLOURS, lambda: _coloured(graph))
    groups = (np.flatnonzero(free & (colours == colour)) for colour in np.unique(colours))
    return [nodes for nodes in groups if nodes.size]


def _coloured(graph: Graph) -> NDArray[np.int64]:
    from pyamg.graph import vertex_coloring

    return np.asarray(vertex_coloring(graph.weights, method="LDF"))
