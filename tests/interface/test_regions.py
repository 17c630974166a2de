import numpy as np
import oracles
import pytest
from gallery import blob_points, ring_of_blobs

from fewlabels import Graph, InterfaceLaplace, Seeds
from fewlabels.interface import nonzero_laplacian


def test_the_true_interface_is_where_the_laplacian_of_the_labels_is_not_zero():
    X, y = blob_points()
    graph = Graph.from_features(X)
    jump = np.abs(oracles.laplacian(graph.weights.toarray()) @ np.eye(4)[y]).max(axis=1)
    np.testing.assert_array_equal(nonzero_laplacian(graph, y), np.flatnonzero(jump > 1e-9))


def dense(graph):
    W = graph.weights.toarray()
    return W, oracles.component_projection(graph.components)


def test_auto_hops_leave_a_share_of_nodes_nearest_057():
    graph = ring_of_blobs()
    W, _ = dense(graph)
    train = np.array([3, 50, 90, 130])
    found = InterfaceLaplace(positions="hops").spread(graph, Seeds.from_classes(train, [0, 1, 2, 3]))
    shares = {k: len(oracles.khop_interface(W, train, k)) / len(W) for k in range(-1, 8)}
    assert found.hops == min(shares, key=lambda k: abs(shares[k] - 0.57))
    assert found.mse == pytest.approx(0.2)


def test_balls_take_an_equal_share_around_every_label():
    graph = ring_of_blobs()
    seeds = Seeds.from_classes([3, 50, 90, 130], [0, 1, 2, 3])
    found = InterfaceLaplace().spread(graph, seeds)
    size = int(0.43 * graph.n_nodes / 4)
    kept = set(range(graph.n_nodes))
    for column in found.columns.T:
        kept -= set(np.argsort(-column)[:size].tolist())
    assert found.interface.tolist() == sorted(kept)
    assert found.hops is None


def test_balls_give_every_class_an_equal_share_however_many_labels_it_has():
    graph = ring_of_blobs()
    seeds = Seeds.from_classes([3, 5, 50, 90], [0, 0, 1, 2], balanced=True)
    found = InterfaceLaplace().spread(graph, seeds)
    kept = set(range(graph.n_nodes))
    for column, share in zip(found.columns.T, (1 / 6, 1 / 6, 1 / 3, 1 / 3), strict=True):
        kept -= set(np.argsort(-column)[: int(0.43 * graph.n_nodes * share + 1e-9)].tolist())
    assert found.interface.tolist() == sorted(kept)
