"""Weighted nonlocal Laplacian (Shi, Osher and Zhu, J. Sci. Comput. 2017): edges at labels weigh more."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from fewlabels.graph import Graph
from fewlabels.labels import Seeds
from fewlabels.methods.base import Method, Spread
from fewlabels.methods.harmonic import harmonic_extension

__all__ = ["WNLL"]


@dataclass(eq=False)
class WNLL(Method):
    """Laplace learning on W' = A W + W A, A = n/m at labelled nodes and 1 elsewhere.

    A class prior multiplies the columns by s_j.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1))
    >>> WNLL().scores(path, Seeds.from_values([0, 3], [0.0, 3.0])).ravel().round(3).tolist()
    [0.0, 0.857, 2.143, 3.0]
    """

    def _spread(self, graph: Graph, seeds: Seeds) -> Spread:
        strength = np.ones(graph.n_nodes)
        strength[seeds.indices] = graph.n_nodes / seeds.size
        W = graph.weights
        data = W.data * (np.repeat(strength, np.diff(W.indptr)) + strength[W.indices])
        stronger = sp.csr_array((data, W.indices, W.indptr), shape=W.shape)
        u, solves = harmonic_extension(graph, stronger, seeds)
        return Spread(u if seeds.is_regression else u * seeds.class_weights, solves)
