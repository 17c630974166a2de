import numpy as np
from gallery import blob_points
from oracles import nearest_neighbors

from fewlabels import Graph


def test_weights_are_the_papers_kernel():
    X, _ = blob_points()
    n, K = len(X), 10
    indices, distances = nearest_neighbors(X, K)
    W = np.zeros((n, n))
    for i in range(n):
        for j, d in zip(indices[i], distances[i], strict=True):
            W[i, j] = np.exp(-4 * d**2 / distances[i, -1] ** 2)
    expected = (W + W.T) / 2
    graph = Graph.from_features(X)
    np.testing.assert_allclose(graph.weights.toarray(), expected, rtol=1e-9)
    assert graph.weights.diagonal().max() == 0


def test_uniform_weights():
    X, _ = blob_points()
    graph = Graph.from_features(X, n_neighbors=4, weights="uniform")
    assert set(graph.weights.data) == {0.5, 1.0}
