"""A level of the map: nodes, or groups of nodes, and how strongly each is pulled to its neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.graph import Graph

__all__ = ["Level", "level_of"]


@dataclass(frozen=True, eq=False)
class Level:
    """Points in a random order within their component, so that a shift along the order leads to a random other.

    Attributes
    ----------
    weights : CSR array, shape (k, k)
        W between the points in their own order, without a diagonal.
    component : ndarray of int, shape (k,)
        The component of each point, in their own order.
    order : ndarray of int, shape (k,)
        The point at each place.
    indptr, indices, strength : ndarray
        The edges between places, s_ij = (w_ij / d_i + w_ij / d_j) / 2.
    low, size : ndarray of int, shape (k,)
        Where the component of a place begins, and how many places it has.
    """

    weights: Any
    component: NDArray[np.int64]
    order: NDArray[np.int64]
    indptr: NDArray[Any]
    indices: NDArray[Any]
    strength: NDArray[np.float32]
    low: NDArray[np.int64]
    size: NDArray[np.int64]

    @property
    def n_points(self) -> int:
        """The number of points."""
        return self.order.size


def level_of(graph: Graph, group: NDArray[np.int64] | None, rng: np.random.Generator) -> Level:
    """Return the level whose points are the graph's nodes, or the groups of them that `group` gives.

    Groups lie within components and are numbered from 0; the weight between two groups is that of all edges between
    them.
    """
    W, component = graph.weights, graph.components
    if group is not None:
        k = int(group.max()) + 1
        members = sp.csr_array((np.ones(group.size), (group, np.arange(group.size))), shape=(k, group.size))
        W = sp.csr_array(members @ W @ members.T)
        W.setdiag(0)
        W.eliminate_zeros()
        component = np.zeros(k, dtype=np.int64)
        component[group] = graph.components
    order = np.lexsort((rng.random(component.size), component))
    place = np.empty_like(order)
    place[order] = np.arange(order.size)
    counts = np.bincount(component)
    starts = np.cumsum(counts) - counts
    edges = sp.csr_array((_strength(W), W.indices, W.indptr), shape=W.shape)[order]
    along = component[order]
    return Level(
        weights=W,
        component=component,
        order=order,
        indptr=edges.indptr,
        indices=place.astype(edges.indices.dtype)[edges.indices],
        strength=edges.data,
        low=starts[along],
        size=counts[along],
    )


def _strength(W: Any) -> NDArray[np.float32]:
    degrees = np.asarray(W.sum(axis=1)).ravel()
    share = np.divide(0.5, degrees, out=np.zeros_like(degrees), where=degrees > 0)
    found = W.data * (np.repeat(share, np.diff(W.indptr)) + share[W.indices])
    return np.asarray(found, dtype=np.float32)
