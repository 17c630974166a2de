"""Sparse label propagation (Jung, Hero, Mara and Jahromi, 2016): total variation, by primal-dual steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.compiled import kernels_pay
from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.kept import Key
from fewlabels.labels import Seeds
from fewlabels.methods.base import Method, Spread
from fewlabels.methods.groups import in_blocks
from fewlabels.progress import track
from fewlabels.systems import Rows, aggregates_of, in_order, laplacian_of
from fewlabels.threads import cores, run_in_threads

__all__ = ["SparseLabelPropagation"]

Block = NDArray[np.float64]

LANES = 8
"""Columns are filled up to a multiple of this: what is left over is slower than what is added."""

NARROWEST, WIDEST = 16, 40
"""Columns that a core takes together: narrower ones wait for the graph, wider ones for memory."""

_Ordered = tuple[NDArray[np.int64], Rows, NDArray[np.float32]]
EDGES_ONCE = Key[_Ordered]("edges once")


@dataclass(eq=False)
class SparseLabelPropagation(Method):
    """Minimise the total variation of u, equal to the labels on them, by a fixed number of primal-dual steps.

    u <- u - 2 D^-1 div F, labels reset; v = 2u - u_old; F_ij <- clip(F_ij - (v_j - v_i)/2, -1, 1), where
    div(F)_i = (1/2) sum_j w_ij (F_ij - F_ji). F starts at zero and stays antisymmetric, so one number per undirected
    edge is enough. A class prior multiplies the columns by s_j; regression
    starts from the mean of the labels.

    Parameters
    ----------
    steps : int
        100 gives the paper's column; it is far from converged there.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1))
    >>> SparseLabelPropagation().scores(path, Seeds.from_classes([0, 3], [0, 1])).argmax(axis=1).tolist()
    [0, 0, 1, 1]
    """

    steps: int = 100

    def spread_many(self, graph: Graph, problems: Sequence[Seeds]) -> list[Spread]:
        """Spread several sets of labels over one graph, in blocks of columns."""
        found: list[Spread] = []
        for block in in_blocks([seeds.targets.shape[1] for seeds in problems], WIDEST):
            group = problems[block]
            for seeds in group:
                seeds.check_fits(graph.n_nodes)
            spreads = self._spread_group(graph, group)
            found += [self._completed(graph, seeds, raw) for seeds, raw in zip(group, spreads, strict=True)]
        return found

    def _spread(self, graph: Graph, seeds: Seeds) -> Spread:
        return self._spread_group(graph, [seeds])[0]

    def _spread_group(self, graph: Graph, group: Sequence[Seeds]) -> list[Spread]:
        if self.steps < 1:
            raise FewlabelsError(f"steps={self.steps} must be at least 1.")
        middles = [seeds.targets.mean(axis=0) if seeds.is_regression else 0.0 for seeds in group]
        targets = [seeds.targets - middle for seeds, middle in zip(group, middles, strict=True)]
        if kernels_pay(graph.n_nodes):
            blocks = _by_kernel(graph, group, targets, self.steps)
        else:
            blocks = [_by_products(graph, *each, self.steps) for each in zip(group, targets, strict=True)]
        return [
            Spread(u + middle if seeds.is_regression else u * seeds.class_weights, ())
            for seeds, u, middle in zip(group, blocks, middles, strict=True)
        ]


def _by_kernel(graph: Graph, problems: Sequence[Seeds], targets: Sequence[Block], steps: int) -> list[Block]:
    """Do the steps in single precision, the columns of all problems side by side; every core has some of them."""
    order, edges, pace = _edges_once(graph)
    place = np.empty_like(order)
    place[order] = np.arange(order.size)
    ends = np.cumsum([each.shape[1] for each in targets])
    held = np.concatenate([place[seeds.indices] for seeds in problems])
    given = np.full((held.size, ends[-1]), np.nan, dtype=np.float32)
    row = 0
    for each, end in zip(targets, ends, strict=True):
        given[row : row + len(each), end - each.shape[1] : end] = each
        row += len(each)

    def found(some: slice) -> NDArray[np.float32]:
        return _stepped(edges, pace, held, given[:, some], steps)

    u = np.hstack(run_in_threads([partial(found, some) for some in _parts(int(ends[-1]))]))
    return [u[place, end - each.shape[1] : end].astype(np.float64) for each, end in zip(targets, ends, strict=True)]


def _stepped(
    edges: Rows, pace: NDArray[np.float32], held: NDArray[np.int64], given: NDArray[np.float32], steps: int
) -> NDArray[np.float32]:
    from fewlabels.methods import sparse_kernels as kernels

    c = given.shape[1]
    given = np.pad(given, ((0, 0), (0, -c % LANES)), constant_values=np.nan)
    u, lead, out = np.zeros((3, pace.size, given.shape[1]), dtype=np.float32)
    rows, columns = np.nonzero(~np.isnan(given))
    u[held[rows], columns] = given[rows, columns]
    lead[:] = u / 2
    F = np.zeros((edges[1].size, u.shape[1]), dtype=np.float32)
    for _ in track(range(steps - 1), "spreading labels, primal-dual steps"):
        kernels.propagate(*edges, pace, held, given, u, lead, out, F)
    return u[:, :c]


def _parts(columns: int) -> list[slice]:
    """Return ranges of columns for one core each, wide where there are many.

    Examples
    --------
    >>> _parts(10), len(_parts(60))
    ([slice(0, 10, None)], 2)
    """
    count = max(-(-columns // WIDEST), min(cores(), columns // NARROWEST), 1)
    return [slice(columns * part // count, columns * (part + 1) // count) for part in range(count)]


def _edges_once(graph: Graph) -> _Ordered:
    """Return an order in which neighbours lie together, each edge once in it, and 2 / degree; made once."""

    def made() -> _Ordered:
        order = np.argsort(aggregates_of(graph), kind="stable")
        upper = sp.csr_array(sp.triu(in_order(graph.weights, order), 1))
        edges = upper.indptr.astype(np.int64), upper.indices.astype(np.uint32), upper.data.astype(np.float32)
        return order, edges, (2.0 * laplacian_of(graph).inverse_diagonal[order]).astype(np.float32)

    return graph.kept.get(EDGES_ONCE, made)


def _by_products(graph: Graph, seeds: Seeds, targets: Block, steps: int) -> Block:
    """Do the steps as sparse products, one number per undirected edge."""
    upper = sp.triu(graph.weights, k=1).tocoo()
    edges = np.arange(upper.nnz)
    ends = sp.csr_array((np.ones(upper.nnz), (edges, upper.col)), shape=(upper.nnz, graph.n_nodes)) - sp.csr_array(
        (np.ones(upper.nnz), (edges, upper.row)), shape=(upper.nnz, graph.n_nodes)
    )
    # div(F) = sum_j w_ij F_ij; an edge (i, j), i < j, carries F_ij out of i and into j.
    divergence = sp.csr_array(-ends.T @ sp.diags_array(upper.data))
    pace = 2.0 * laplacian_of(graph).inverse_diagonal[:, None]
    u = np.zeros((graph.n_nodes, targets.shape[1]))
    u[seeds.indices] = targets
    F = np.zeros((upper.nnz, u.shape[1]))
    for _ in track(range(steps), "spreading labels, primal-dual steps"):
        before = u
        u = before - pace * (divergence @ F)
        u[seeds.indices] = targets
        F -= (ends @ (2.0 * u - before)) / 2.0
        np.clip(F, -1.0, 1.0, out=F)
    return u
