import numpy as np
import pytest
from gallery import GALLERY, some_seeds

from fewlabels import Laplace, Poisson, RandomWalk, Seeds, VPoisson


@pytest.mark.parametrize("name", ["ring_of_blobs", "disconnected", "grid"])
@pytest.mark.parametrize("method", [Laplace(), Laplace(mean_shift=True), Poisson(), RandomWalk(), VPoisson()], ids=str)
@pytest.mark.parametrize("entries", [1000, 10**6])
def test_linear_methods_solve_draws_together_as_alone(name, method, entries, entries_at_once):
    graph = GALLERY[name]()
    entries_at_once(entries)
    problems = [some_seeds(graph, seed=t) for t in range(9)]
    for alone, together in zip(problems, method.spread_many(graph, problems), strict=True):
        expected = method.spread(graph, alone).scores
        np.testing.assert_allclose(together.scores, expected, atol=1e-5 * np.abs(expected).max())


def test_scores_are_weighed_by_a_known_prior():
    graph = GALLERY["grid"]()
    plain, prior = (Seeds.from_classes([0, 1, 80], [0, 0, 1], class_prior=shares) for shares in (None, [0.5, 0.5]))
    np.testing.assert_allclose(prior.class_weights, [0.75, 1.5])
    np.testing.assert_allclose(Poisson().scores(graph, prior), Poisson().scores(graph, plain) * [0.75, 1.5])
