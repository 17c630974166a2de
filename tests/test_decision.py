import numpy as np
import pytest
from gallery import disconnected, ring_of_blobs

from fewlabels import Poisson, Seeds
from fewlabels.decision import decide
from fewlabels.methods import METHODS
from fewlabels.volumes import class_sizes


@pytest.mark.parametrize("name", [name for name in METHODS if "network" not in name])
def test_a_prior_is_kept_exactly_by_every_method(name):
    graph = ring_of_blobs()
    truth = np.arange(graph.n_nodes) * 4 // graph.n_nodes
    nodes = np.array([int(np.flatnonzero(truth == j)[0]) for j in range(4)])
    prior = np.array([0.4, 0.3, 0.2, 0.1])
    seeds = Seeds.from_classes(nodes, range(4), class_prior=prior)
    decision = decide(METHODS[name]().scores(graph, seeds), graph, seeds, keep_sizes=True)
    np.testing.assert_array_equal(np.bincount(decision.codes, minlength=4), class_sizes(prior, graph.n_nodes))
    np.testing.assert_array_equal(decision.codes[nodes], np.arange(4))
    np.testing.assert_allclose(decision.probabilities.sum(axis=1), 1.0)
    assert (decision.confidence >= 0).all()


def test_nothing_is_known_where_no_label_reaches_and_no_given_label_is_in_doubt():
    graph = disconnected()
    first = np.flatnonzero(graph.components == graph.components[0])
    seeds = Seeds.from_classes(first[[0, -1]], [0, 1])
    decision = decide(Poisson().scores(graph, seeds), graph, seeds)
    assert (decision.doubt[~decision.reached] == 1).all()
    assert (decision.doubt[seeds.indices] == 0).all()


def test_one_class_is_one_of_two_that_may_be():
    graph = ring_of_blobs()
    seeds = Seeds.from_classes([3, 9], ["only", "only"])
    decision = decide(Poisson().scores(graph, seeds), graph, seeds)
    expected = np.full(graph.n_nodes, 0.5)
    expected[[3, 9]] = 1.0
    np.testing.assert_array_equal(decision.confidence, expected)
    assert (decision.probabilities == 1.0).all()
