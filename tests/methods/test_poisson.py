import numpy as np
import oracles
import pytest
from gallery import CONNECTED, GALLERY, ring_of_blobs, some_seeds

from fewlabels import Poisson, Seeds


@pytest.mark.parametrize("name", CONNECTED)
def test_poisson_learning_solves_its_equation(name):
    graph = GALLERY[name]()
    seeds = some_seeds(graph)
    u = Poisson().scores(graph, seeds)
    b = np.zeros_like(u)
    b[seeds.indices] = seeds.targets - seeds.targets.mean(axis=0)
    np.testing.assert_allclose(oracles.laplacian(graph.weights.toarray()) @ u, b, atol=1e-8)
    np.testing.assert_allclose(graph.degrees @ u, 0, atol=1e-8)


def test_poisson_multiplies_its_scores_by_the_class_weights():
    graph, train = ring_of_blobs(), [3, 50, 55, 90, 130]
    plain = Poisson().scores(graph, Seeds.from_classes(train, [0, 1, 1, 2, 3]))
    weighted = Poisson().scores(graph, Seeds.from_classes(train, [0, 1, 1, 2, 3], class_prior=[1, 1, 1, 1]))
    np.testing.assert_allclose(weighted, plain * [1.25, 0.625, 1.25, 1.25])
