"""The depth of a graph: the number of breadth-first levels from a node at the rim, how far information must travel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fewlabels.graph import Graph
from fewlabels.kept import Key

__all__ = ["Shape", "shape_of"]


@dataclass(frozen=True)
class Shape:
    """Number of nodes of a graph, and depth of its largest component."""

    n_nodes: int
    depth: int


SHAPE = Key[Shape]("shape")


def shape_of(graph: Graph) -> Shape:
    """Return the shape of a graph, found once.

    Examples
    --------
    >>> shape_of(Graph.from_weights(np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1)))
    Shape(n_nodes=4, depth=4)
    """
    return graph.kept.get(SHAPE, lambda: _measured(graph))


def _measured(graph: Graph) -> Shape:
    largest = np.bincount(graph.components).argmax()
    start = np.flatnonzero(graph.components == largest)[:1]
    rim = graph.hops_from(start).argmax()
    return Shape(graph.n_nodes, int(graph.hops_from(np.array([rim])).max()) + 1)
