"""Sparse label propagation (Jung, Hero, Mara and Jahromi, 2016): total variation, by primal-dual steps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.compiled import kernels_at_hand
from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.labels import Seeds
from fewlabels.methods.base import Method, Spread
from fewlabels.operators import laplacian_of
from fewlabels.progress import track
from fewlabels.solvers.cg import COMPILED_FROM
from fewlabels.solvers.coarse import aggregates_of
from fewlabels.threads import cores, even_ranges, run_in_threads

__all__ = ["SparseLabelPropagation"]

Block = NDArray[np.float64]

SHARES = 4
"""Pieces of work per core and step."""

LANES = 8
"""Columns are filled up to a multiple of this: what is left over is slower than what is added."""


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

    def _spread(self, graph: Graph, seeds: Seeds) -> Spread:
        if self.steps < 1:
            raise FewlabelsError(f"steps={self.steps} must be at least 1.")
        middle = seeds.targets.mean(axis=0) if seeds.is_regression else 0.0
        compiled = graph.n_nodes >= COMPILED_FROM and kernels_at_hand()
        u = (_by_kernel if compiled else _by_products)(graph, seeds, seeds.targets - middle, self.steps)
        return Spread(u + middle if seeds.is_regression else u * seeds.class_weights, ())


def _by_kernel(graph: Graph, seeds: Seeds, targets: Block, steps: int) -> Block:
    """Do the steps in single precision, one pass each: every node keeps the flows of its own edges."""
    from fewlabels.solvers import kernels

    order = np.argsort(aggregates_of(graph), kind="stable")
    W = sp.csr_array(sp.csr_array(graph.weights[order])[:, order])
    indices, weights = W.indices.astype(np.uint32), W.data.astype(np.float32)
    held = np.isin(order, seeds.indices)
    pace = np.where(held, 0.0, 2.0 * laplacian_of(graph).inverse_degrees[order]).astype(np.float32)
    c = targets.shape[1]
    given = np.zeros((graph.n_nodes, c))
    given[seeds.indices] = targets
    u, v, v_next = np.zeros((3, graph.n_nodes, -(-c // LANES) * LANES), dtype=np.float32)
    u[:, :c] = v[:, :c] = given[order]
    F = np.zeros((W.nnz, u.shape[1]), dtype=np.float32)
    parts = even_ranges(np.diff(W.indptr) + 1, SHARES * cores())
    for _ in track(range(steps - 1), "spreading labels, primal-dual steps"):
        run_in_threads(
            [partial(kernels.propagate, *part, W.indptr, indices, weights, pace, v, u, F, v_next) for part in parts]
        )
        v, v_next = v_next, v
    found = np.empty((graph.n_nodes, c))
    found[order] = u[:, :c]
    return found


def _by_products(graph: Graph, seeds: Seeds, targets: Block, steps: int) -> Block:
    """Do the steps as sparse products, one number per undirected edge."""
    upper = sp.triu(graph.weights, k=1).tocoo()
    edges = np.arange(upper.nnz)
    ends = sp.csr_array((np.ones(upper.nnz), (edges, upper.col)), shape=(upper.nnz, graph.n_nodes)) - sp.csr_array(
        (np.ones(upper.nnz), (edges, upper.row)), shape=(upper.nnz, graph.n_nodes)
    )
    # div(F) = sum_j w_ij F_ij; an edge (i, j), i < j, carries F_ij out of i and into j.
    divergence = sp.csr_array(-ends.T @ sp.diags_array(upper.data))
    pace = 2.0 * laplacian_of(graph).inverse_degrees[:, None]
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
