"""Depth and width of a graph, by breadth-first levels from a node at the rim.

The number of levels, the depth, says how far information must travel: conjugate gradients need several times as many
steps. The largest of them, the width, bounds the separators, and so the cost of a factorisation, which grows like its
cube.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fewlabels.graph import Graph
from fewlabels.kept import Key

__all__ = ["Shape", "shape_of"]


@dataclass(frozen=True)
class Shape:
    """Number of nodes of a graph, and depth and width of its largest component."""

    n_nodes: int
    depth: int
    width: int


SHAPE = Key[Shape]("shape")


def shape_of(graph: Graph) -> Shape:
    """Return the shape of a graph, found once.

    Examples
    --------
    >>> shape_of(Graph.from_weights(np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1)))
    Shape(n_nodes=4, depth=4, width=1)
    """
    return graph.kept.get(SHAPE, lambda: _measured(graph))


def _measured(graph: Graph) -> Shape:
    largest = np.bincount(graph.components).argmax()
    start = np.flatnonzero(graph.components == largest)[:1]
    rim = graph.hops_from(start).argmax()
    levels = graph.hops_from(np.array([rim]))
    sizes = np.bincount(levels[levels >= 0])
    return Shape(graph.n_nodes, int(sizes.size), int(sizes.max()))
