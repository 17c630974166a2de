import numpy as np
import oracles
import pytest
from gallery import CONNECTED, GALLERY, some_seeds

from fewlabels import VPoisson


@pytest.mark.parametrize("fraction", [0.0, 0.5, 0.9])
@pytest.mark.parametrize("name", CONNECTED)
def test_vpoisson_is_its_formula(name, fraction):
    graph = GALLERY[name]()
    seeds = some_seeds(graph)
    expected = oracles.variance_poisson(graph.weights.toarray(), seeds.indices, seeds.targets, fraction)
    found = VPoisson(fraction=fraction).scores(graph, seeds)
    np.testing.assert_allclose(found, expected, atol=1e-3 * np.abs(expected).max())
