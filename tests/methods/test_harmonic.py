import numpy as np
import oracles
import pytest
import scipy.sparse as sp
from gallery import CONNECTED, GALLERY, disconnected, some_seeds

from fewlabels import Seeds
from fewlabels.methods.harmonic import harmonic_extension


@pytest.mark.parametrize("name", CONNECTED)
def test_other_weights_on_the_edges_give_another_harmonic_function(name):
    graph = GALLERY[name]()
    seeds = some_seeds(graph)
    a = np.random.default_rng(0).uniform(0.5, 2.0, graph.n_nodes)
    W = a[:, None] * graph.weights.toarray() * a
    found, solves = harmonic_extension(graph, sp.csr_array(W), seeds)
    np.testing.assert_allclose(found, oracles.laplace_learning(W, seeds.indices, seeds.targets), atol=1e-8)
    assert [solution.status for solution in solves] == ["converged"]


def test_nodes_that_no_label_reaches_are_left_at_zero():
    graph = disconnected()
    found, _ = harmonic_extension(graph, graph.weights, Seeds.from_values([5, 40], [2.0, 7.0]))
    np.testing.assert_allclose(found.ravel(), np.repeat([2.0, 7.0, 0.0], 30), atol=1e-8)


def test_where_every_node_is_labelled_nothing_is_solved():
    graph = GALLERY["path"]()
    seeds = Seeds.from_values(np.arange(12), np.arange(12.0))
    found, solves = harmonic_extension(graph, graph.weights, seeds)
    assert found.ravel().tolist() == list(range(12))
    assert solves == ()
