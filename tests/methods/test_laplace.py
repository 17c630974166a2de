import numpy as np
import oracles
import pytest
from gallery import CONNECTED, GALLERY, some_seeds

from fewlabels import Graph, Laplace, Seeds


@pytest.mark.parametrize("name", CONNECTED)
def test_laplace_learning_is_harmonic_off_the_labels(name):
    graph = GALLERY[name]()
    seeds = some_seeds(graph)
    expected = oracles.laplace_learning(graph.weights.toarray(), seeds.indices, seeds.targets)
    np.testing.assert_allclose(Laplace().scores(graph, seeds), expected, atol=1e-6)


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("name", CONNECTED)
def test_laplace_of_any_order_is_its_formula(name, order):
    graph = GALLERY[name]()
    seeds = some_seeds(graph)
    expected = oracles.laplace_learning(graph.weights.toarray(), seeds.indices, seeds.targets, order)
    found = Laplace(order=order).scores(graph, seeds)
    np.testing.assert_allclose(found, expected, atol=1e-5 * 10 ** (order - 1) * np.abs(expected).max())
    shifted = Laplace(order=order, mean_shift=True).scores(graph, seeds)
    np.testing.assert_allclose(shifted, found - found.mean(axis=0), atol=1e-12 * np.abs(found).max())


@pytest.mark.parametrize("order", [2, 3])
def test_higher_orders_match_the_labels_on_large_graphs_too(order):
    rng = np.random.default_rng(0)
    graph = Graph.from_features(rng.normal(size=(12_000, 4)), n_neighbors=8)
    seeds = Seeds.from_values(np.arange(8) * 1000, rng.uniform(0, 3, size=8))
    found = Laplace(order=order).spread(graph, seeds)
    np.testing.assert_allclose(found.scores[seeds.indices], seeds.targets, atol=0.01)
