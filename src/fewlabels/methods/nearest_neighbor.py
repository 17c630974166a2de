"""Nearest labelled node in graph distance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse.csgraph import dijkstra

from fewlabels.graph import Graph
from fewlabels.labels import Seeds
from fewlabels.methods.base import Method, Spread, refuse_prior

__all__ = ["NearestNeighbor"]


@dataclass(eq=False)
class NearestNeighbor(Method):
    """The label of the nearest labelled node, along edges as long as the distance of their ends.

    Scores are minus the distance to the nearest label of each class. Where only weights are known, edges are counted.
    For regression, the value of the nearest label.

    Examples
    --------
    >>> graph = Graph.from_features([[0.0], [1.0], [2.5], [3.5]], n_neighbors=2)
    >>> NearestNeighbor().scores(graph, Seeds.from_classes([0, 3], [0, 1])).tolist()
    [[-0.0, -3.5], [-1.0, -2.5], [-2.5, -1.0], [-3.5, -0.0]]
    """

    def _spread(self, graph: Graph, seeds: Seeds) -> Spread:
        refuse_prior(self, seeds)
        edges = graph.weights if graph.lengths is None else graph.lengths
        hops = graph.lengths is None
        if seeds.is_regression:
            found = dijkstra(edges, indices=seeds.indices, unweighted=hops, min_only=True, return_predecessors=True)
            nearest = found[2]
            value = np.zeros(graph.n_nodes)
            value[seeds.indices] = seeds.targets[:, 0]
            return Spread(np.where(nearest >= 0, value[np.maximum(nearest, 0)], 0.0)[:, None], ())
        distances = np.full((graph.n_nodes, seeds.targets.shape[1]), np.inf)
        for j in np.unique(seeds.codes):
            distances[:, j] = dijkstra(edges, indices=seeds.indices[seeds.codes == j], unweighted=hops, min_only=True)
        return Spread(-np.where(np.isfinite(distances), distances, 0.0), ())
