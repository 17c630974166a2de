import numpy as np
import oracles
import pytest
from gallery import CONNECTED, GALLERY, ring_of_blobs, some_seeds

from fewlabels import FewlabelsError, Graph, PoissonReweighted, Seeds


@pytest.mark.parametrize("name", CONNECTED)
@pytest.mark.parametrize("tau", [0.0, 0.05])
def test_it_is_its_formula(name, tau):
    graph = GALLERY[name]()
    seeds = some_seeds(graph)
    expected = oracles.poisson_reweighted(graph.weights.toarray(), seeds.indices, seeds.targets, tau)
    np.testing.assert_allclose(PoissonReweighted(tau).scores(graph, seeds), expected, atol=1e-4)


@pytest.mark.parametrize("light", [1e-3, 1e-4])
def test_reweighting_cuts_no_light_edge(light):
    W = np.diag([1, 1, 1, light, 1.0], 1)
    scores = PoissonReweighted().scores(Graph.from_weights(W + W.T), Seeds.from_values([0, 2], [5.0, 7.0]))
    np.testing.assert_allclose(scores[3:], 7.0, atol=1e-3)


@pytest.mark.parametrize("tau", [0.0, 0.05])
def test_the_scale_of_the_weights_does_not_matter(tau):
    graph = ring_of_blobs()
    seeds = some_seeds(graph)
    heavier = Graph.from_weights(graph.weights * 100.0)
    method = PoissonReweighted(tau)
    np.testing.assert_allclose(method.scores(heavier, seeds), method.scores(graph, seeds), atol=1e-6)


@pytest.mark.parametrize("tau", [-1.0, np.nan, "much"])
def test_a_bad_tau_gets_one_sentence(tau):
    with pytest.raises(FewlabelsError, match="must be a number of at least 0"):
        PoissonReweighted(tau).scores(ring_of_blobs(), some_seeds(ring_of_blobs()))
