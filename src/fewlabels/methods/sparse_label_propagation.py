"""Sparse label propagation (Jung, Hero, Mara and Jahromi, 2016): total variation, by primal-dual steps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.labels import Seeds
from fewlabels.methods.base import Method, Spread
from fewlabels.operators import laplacian_of
from fewlabels.progress import track

__all__ = ["SparseLabelPropagation"]


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
        upper = sp.triu(graph.weights, k=1).tocoo()
        edges = np.arange(upper.nnz)
        ends = sp.csr_array((np.ones(upper.nnz), (edges, upper.col)), shape=(upper.nnz, graph.n_nodes)) - sp.csr_array(
            (np.ones(upper.nnz), (edges, upper.row)), shape=(upper.nnz, graph.n_nodes)
        )
        # div(F) = sum_j w_ij F_ij; an edge (i, j), i < j, carries F_ij out of i and into j.
        divergence = sp.csr_array(-ends.T @ sp.diags_array(upper.data))
        pace = 2.0 * laplacian_of(graph).inverse_degrees[:, None]
        middle = seeds.targets.mean(axis=0) if seeds.is_regression else 0.0
        targets = seeds.targets - middle
        u = np.zeros((graph.n_nodes, targets.shape[1]))
        u[seeds.indices] = targets
        F = np.zeros((upper.nnz, u.shape[1]))
        for _ in track(range(self.steps), "spreading labels, primal-dual steps"):
            before = u
            u = before - pace * (divergence @ F)
            u[seeds.indices] = targets
            F -= (ends @ (2.0 * u - before)) / 2.0
            np.clip(F, -1.0, 1.0, out=F)
        return Spread(u + middle if seeds.is_regression else u * seeds.class_weights, ())
