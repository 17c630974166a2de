import numpy as np
import pytest
from gallery import GALLERY, SEEDS, TRAIN, blob_points, some_seeds
from oracles import limit

from fewlabels import FewLabelClassifier, FewlabelsError, Graph, InterfaceLaplace, InterfaceLaplaceNetwork, Seeds


def test_the_network_learns_what_the_labels_ask_for(graph):
    X, truth = blob_points()
    method = InterfaceLaplaceNetwork(features=X, hops=1, epochs=300)
    found = method.spread(graph, SEEDS)
    assert np.mean(found.scores.argmax(axis=1) == truth) > 0.8
    assert (np.delete(found.term, found.interface, axis=0) == 0).all()
    assert found.ridge == pytest.approx(InterfaceLaplace(hops=1, target_mse=0.2).spread(graph, SEEDS).ridge)
    free = InterfaceLaplace(hops=1, ridge=found.ridge).spread(graph, SEEDS)
    np.testing.assert_allclose(found.scores, limit(graph) @ found.term, atol=1e-6 * np.abs(found.scores).max())

    def loss(spread):
        u = limit(graph) @ spread.term
        return ((u[TRAIN] - SEEDS.targets) ** 2).sum() / 4 + spread.ridge * (spread.term**2).sum()

    silent = (SEEDS.targets**2).sum() / 4
    assert loss(free) <= loss(found) < 1.2 * loss(free) < silent
    np.testing.assert_array_equal(method.scores(graph, SEEDS), found.scores)
    y = np.full(truth.size, -1)
    y[TRAIN] = [0, 1, 2, 3]
    model = FewLabelClassifier(method="interface-laplace-network", n_neighbors=8).fit(X, y)
    assert np.mean(model.transduction_ == truth) > 0.8


@pytest.mark.parametrize("scale", [1e-25, 100.0, 1e25])
def test_the_scale_of_the_weights_does_not_matter(graph, scale):
    X, _ = blob_points()
    method = InterfaceLaplaceNetwork(features=X, hops=1, epochs=100)
    expected = method.scores(graph, SEEDS)
    found = method.scores(Graph.from_weights(graph.weights * scale), SEEDS)
    np.testing.assert_allclose(found, expected, atol=0.02 * np.abs(expected).max())


@pytest.mark.parametrize("name", GALLERY)
def test_scores_are_finite_on_every_graph(name):
    graph = GALLERY[name]()
    X = np.random.default_rng(0).normal(size=(graph.n_nodes, 3))
    method = InterfaceLaplaceNetwork(features=X, epochs=20)
    for seeds in (some_seeds(graph), Seeds.from_classes([0], [0], n_classes=2), Seeds.from_values([0, 3], [1.0, 5.0])):
        assert np.isfinite(method.scores(graph, seeds)).all()


@pytest.mark.parametrize(
    ("features", "sentence"),
    [
        (None, "give features=X"),
        (np.ones((3, 2)), "one row of finite numbers for each of the 160 nodes"),
        ([["a"]] * 160, "one table of numbers"),
        (np.full((160, 2), np.nan), "finite numbers"),
    ],
)
def test_the_network_asks_for_features(graph, features, sentence):
    with pytest.raises(FewlabelsError, match=sentence):
        InterfaceLaplaceNetwork(features=features).scores(graph, SEEDS)
