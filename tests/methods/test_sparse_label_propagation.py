import numpy as np
import oracles
import pytest
from gallery import GALLERY, some_seeds

from fewlabels import SparseLabelPropagation

pytestmark = pytest.mark.usefixtures("compiled_everywhere")


@pytest.mark.parametrize("name", GALLERY)
@pytest.mark.parametrize("steps", [1, 2, 30])
def test_compiled_primal_dual_steps_are_those_of_the_formula(name, steps):
    graph = GALLERY[name]()
    seeds = some_seeds(graph)
    expected = oracles.sparse_label_propagation(graph.weights.toarray(), seeds.indices, seeds.targets, steps)
    found = SparseLabelPropagation(steps=steps)._spread(graph, seeds).scores
    np.testing.assert_allclose(found, expected, atol=1e-3)
