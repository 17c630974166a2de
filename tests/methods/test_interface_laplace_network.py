import numpy as np
import pytest
from gallery import SEEDS, TRAIN, blob_points
from oracles import limit

from fewlabels import FewLabelClassifier, FewlabelsError, InterfaceLaplace, InterfaceLaplaceNetwork


def test_the_network_learns_what_the_labels_ask_for(graph):
    X, truth = blob_points()
    method = InterfaceLaplaceNetwork(features=X, hops=1, epochs=300)
    found = method.spread(graph, SEEDS)
    assert np.mean(found.scores.argmax(axis=1) == truth) > 0.8
    assert (np.delete(found.term, found.interface, axis=0) == 0).all()
    free = InterfaceLaplace(hops=1).spread(graph, SEEDS)
    assert found.ridge == pytest.approx(free.ridge)
    np.testing.assert_allclose(found.scores, limit(graph) @ found.term, atol=1e-6 * np.abs(found.scores).max())

    def loss(spread):
        u = limit(graph) @ spread.term
        return ((u[TRAIN] - SEEDS.targets) ** 2).sum() / 4 + spread.ridge * (spread.term**2).sum()

    silent = (SEEDS.targets**2).sum() / 4
    assert loss(free) <= loss(found) < 0.8 * silent
    np.testing.assert_array_equal(method.scores(graph, SEEDS), found.scores)
    y = np.full(truth.size, -1)
    y[TRAIN] = [0, 1, 2, 3]
    model = FewLabelClassifier(method="interface-laplace-network", n_neighbors=8).fit(X, y)
    assert np.mean(model.transduction_ == truth) > 0.8


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
