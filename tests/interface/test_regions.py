import numpy as np
import oracles
import pytest
from gallery import CONNECTED, GALLERY, blob_points, path, ring_of_blobs, some_seeds

from fewlabels import FewlabelsError, Graph, InterfaceLaplace, Seeds
from fewlabels.interface import nonzero_laplacian
from fewlabels.interface.regions import beyond_hops, farthest, outside_balls, share_hops


def test_the_true_interface_is_where_the_laplacian_of_the_labels_is_not_zero():
    X, y = blob_points()
    graph = Graph.from_features(X)
    jump = np.abs(oracles.laplacian(graph.weights.toarray()) @ np.eye(4)[y]).max(axis=1)
    np.testing.assert_array_equal(nonzero_laplacian(graph, y), np.flatnonzero(jump > 1e-9))


def test_auto_hops_leave_a_share_of_nodes_nearest_057():
    graph = ring_of_blobs()
    W = graph.weights.toarray()
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


@pytest.mark.parametrize("name", CONNECTED)
@pytest.mark.parametrize("hops", [-1, 0, 1, 2])
def test_nodes_beyond_the_hops_are_those_of_the_papers_listing(name, hops):
    graph = GALLERY[name]()
    nodes = some_seeds(graph, n_classes=2, per_class=1).indices
    expected = oracles.khop_interface(graph.weights.toarray(), nodes.tolist(), hops)
    if expected.size:
        np.testing.assert_array_equal(beyond_hops(graph, nodes, hops), expected)
    else:
        with pytest.raises(FewlabelsError, match=f"hops={hops} leaves no interface"):
            beyond_hops(graph, nodes, hops)


def test_every_labelled_component_has_hops_of_its_own():
    W = np.zeros((26, 26))
    W[:20, :20], W[20:, 20:] = path(20).weights.toarray(), path(6).weights.toarray()
    nodes, hops = share_hops(Graph.from_weights(W), np.array([0, 20]), share=0.5)
    assert nodes.tolist() == [*range(10, 20), 23, 24, 25]
    assert hops == 9, "of the larger one"


def test_the_farthest_nodes_are_counted_in_edges_where_lengths_are_not_known():
    graph = Graph.from_weights(path(8).weights)
    assert farthest(graph, np.array([1]), np.arange(8), 3).tolist() == [5, 6, 7]
    assert farthest(graph, np.array([1]), np.arange(4), 1).tolist() == [3]


def test_nodes_that_tie_at_the_rim_stay_outside_the_ball():
    G = np.array([[9.0], [5.0], [5.0], [5.0], [1.0]])
    assert outside_balls(path(5), np.array([0]), G, share=0.4).tolist() == [1, 2, 3, 4]
    assert outside_balls(path(5), np.array([0]), G, share=0.2).tolist() == [4]
