import numpy as np
import oracles
import pytest
from gallery import GALLERY, some_seeds

from fewlabels import Seeds, SparseLabelPropagation

pytestmark = pytest.mark.usefixtures("compiled_everywhere")


@pytest.mark.parametrize("name", GALLERY)
@pytest.mark.parametrize("steps", [1, 2, 30])
def test_compiled_primal_dual_steps_are_those_of_the_formula(name, steps):
    graph = GALLERY[name]()
    seeds = some_seeds(graph)
    expected = oracles.sparse_label_propagation(graph.weights.toarray(), seeds.indices, seeds.targets, steps)
    found = SparseLabelPropagation(steps=steps)._spread(graph, seeds).scores
    np.testing.assert_allclose(found, expected, atol=1e-3)


@pytest.mark.parametrize("name", GALLERY)
def test_several_sets_of_labels_together_are_each_alone(name):
    graph = GALLERY[name]()
    problems = [some_seeds(graph, n_classes=c, seed=c) for c in (2, 3, 2, 3, 30)]
    method = SparseLabelPropagation(steps=30)
    for seeds, found in zip(problems, method.spread_many(graph, problems), strict=True):
        expected = oracles.sparse_label_propagation(graph.weights.toarray(), seeds.indices, seeds.targets, 30)
        np.testing.assert_allclose(found.scores, method.spread(graph, seeds).scores, atol=1e-5)
        np.testing.assert_allclose(method._spread(graph, seeds).scores, expected, atol=1e-3)


def test_values_and_classes_are_spread_together():
    graph = GALLERY["grid"]()
    problems = [some_seeds(graph), Seeds.from_values([0, 80], [-1.0, 3.0])]
    for seeds, found in zip(problems, SparseLabelPropagation().spread_many(graph, problems), strict=True):
        np.testing.assert_allclose(found.scores, SparseLabelPropagation().spread(graph, seeds).scores, atol=1e-5)
