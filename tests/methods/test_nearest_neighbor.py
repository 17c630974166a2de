import numpy as np
import oracles
from gallery import blob_points, path

from fewlabels import Graph, NearestNeighbor, Seeds


def test_nearest_neighbour_follows_the_shortest_path():
    X, _ = blob_points()
    graph = Graph.from_features(X, n_neighbors=8)
    seeds = Seeds.from_classes([3, 50, 60, 90], [0, 1, 1, 2])
    reach = oracles.graph_distance(graph.lengths.toarray(), seeds.indices)
    nearest, found = reach.argmin(axis=1), NearestNeighbor().scores(graph, seeds)
    np.testing.assert_array_equal(found.argmax(axis=1), seeds.codes[nearest])
    closeness = 1 / (1 + reach.min(axis=1) / reach.min(axis=1).mean())
    np.testing.assert_allclose(found, np.eye(3)[seeds.codes[nearest]] * closeness[:, None], atol=1e-9)
    values = Seeds.from_values(seeds.indices, [1.0, 2.0, 3.0, 4.0])
    np.testing.assert_array_equal(
        NearestNeighbor().scores(graph, values).ravel(), np.array([1.0, 2.0, 3.0, 4.0])[reach.argmin(axis=1)]
    )


def test_nearest_neighbour_counts_edges_where_only_weights_are_known():
    scores = NearestNeighbor().scores(path(6), Seeds.from_classes([0, 5], [0, 1]))
    np.testing.assert_allclose(scores[:, 0], [1, 1 / 2, 1 / 3, 0, 0, 0])
