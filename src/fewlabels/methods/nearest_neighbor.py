"""Nearest labelled node in graph distance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse.csgraph import dijkstra

from fewlabels.graph import Graph
from fewlabels.labels import Seeds
from fewlabels.methods.base import Method, Spread

__all__ = ["NearestNeighbor"]


@dataclass(eq=False)
class NearestNeighbor(Method):
    """The label of the nearest labelled node, along edges as long as the distance of their ends.

    Scores are 1 / (1 + distance / mean distance) in the column of that label and 0 in the others, so that confidence
    falls with distance. Where only weights are known, edges are counted. For regression, the value of the nearest
    label.

    Examples
    --------
    >>> graph = Graph.from_features([[0.0], [1.0], [2.5], [3.5]], n_neighbors=2)
    >>> NearestNeighbor().scores(graph, Seeds.from_classes([0, 3], [0, 1])).round(2).tolist()
    [[1.0, 0.0], [0.33, 0.0], [0.0, 0.33], [0.0, 1.0]]
    """

    def _spread(self, graph: Graph, seeds: Seeds) -> Spread:
        edges = graph.weights if graph.lengths is None else graph.lengths
        hops = graph.lengths is None
        order = np.argsort(seeds.indices)
        found = dijkstra(edges, indices=seeds.indices, unweighted=hops, min_only=True, return_predecessors=True)
        reached = np.flatnonzero(np.isfinite(found[0]))
        distance, nearest = found[0][reached], np.searchsorted(seeds.indices, found[2][reached], sorter=order)
        u = np.zeros((graph.n_nodes, seeds.targets.shape[1]))
        u[reached] = seeds.targets[order[nearest]]
        if not seeds.is_regression:
            u[reached] *= (1.0 / (1.0 + distance / (distance.mean() or 1.0)))[:, None]
        return Spread(u, ())
