"""What a sparse factorisation of a graph would cost: its fill, measured on small parts and extrapolated."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.linalg import splu

from fewlabels.graph import Graph
from fewlabels.kept import Key

__all__ = ["fill_per_node", "sparse_lu"]

SMALLER, LARGER = 1500, 3000
"""Nodes of the two parts."""

FILL = Key[float]("fill")


def sparse_lu(matrix: Any) -> Any:
    """Return the factorisation of a symmetric definite matrix, its rows ordered for little fill."""
    return splu(matrix.tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})


def fill_per_node(graph: Graph) -> float:
    """Return about how many entries a row of the factor of L has, found once for a graph.

    Two parts of the graph are factorised, the nodes around one node of the largest component. The fill grows as a
    power of the number of nodes; in two dimensions it hardly grows, in many it grows with them.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(9), 1) + np.diag(np.ones(9), -1))
    >>> fill_per_node(path) < 3
    True
    """
    return graph.kept.get(FILL, lambda: _extrapolated(graph))


def _extrapolated(graph: Graph) -> float:
    largest = np.bincount(graph.components).argmax()
    hops = graph.hops_from(np.flatnonzero(graph.components == largest)[:1])
    nodes = np.flatnonzero(hops >= 0)
    nodes = nodes[np.argsort(hops[nodes], kind="stable")]
    larger = _measured(graph, nodes[:LARGER])
    if nodes.size <= LARGER:
        return larger
    growth = np.clip(np.log2(larger / _measured(graph, nodes[:SMALLER])), 0.0, 1.0)
    return float(larger * (nodes.size / LARGER) ** growth)


def _measured(graph: Graph, nodes: NDArray[np.int64]) -> float:
    degrees = graph.degrees[nodes]
    matrix = sp.diags_array(np.where(degrees > 0, degrees, 1.0) * (1.0 + 1e-6)) - graph.weights[nodes][:, nodes]
    return float(sparse_lu(matrix).L.nnz / nodes.size)
