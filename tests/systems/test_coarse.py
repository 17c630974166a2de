import numpy as np

from fewlabels import Graph
from fewlabels.systems.coarse import aggregates, aggregates_of, connected_aggregates


def test_aggregates_are_connected_and_few():
    graph = Graph.from_features(np.random.default_rng(0).normal(size=(3000, 3)), n_neighbors=8)
    aggregate = aggregates(graph.weights, 500)
    assert len(np.unique(aggregate)) <= 500
    for number in np.unique(aggregate)[:40]:
        members = np.flatnonzero(aggregate == number)
        inside = graph.weights[members][:, members].toarray() + np.eye(members.size)
        assert (np.linalg.matrix_power(inside, members.size) > 0).all()


def test_an_aggregate_that_is_a_whole_component_has_nothing_to_correct():
    assert connected_aggregates(np.array([1.0, 1.0, 0.5]), np.array([0, 0, 1])).tolist() == [0, 1]
    assert connected_aggregates(np.array([1.0, 1.0, 0.5]), None).tolist() == [0, 1, 2]


def test_graphs_of_some_thousand_nodes_have_hundreds_of_aggregates():
    graph = Graph.from_features(np.random.default_rng(0).normal(size=(4000, 6)))
    assert np.unique(aggregates_of(graph)).size > 2 * np.sqrt(4000)


def test_the_same_nodes_are_joined_in_whatever_order_they_come():
    X = np.random.default_rng(0).normal(size=(900, 5))
    mixed = np.random.default_rng(1).permutation(len(X))
    one, other = aggregates_of(Graph.from_features(X))[mixed], aggregates_of(Graph.from_features(X[mixed]))
    pairs = np.unique(np.stack([one, other]), axis=1)
    assert pairs.shape[1] == one.max() + 1 == other.max() + 1
