import numpy as np
import pytest
from gallery import GALLERY, some_seeds

from fewlabels import Laplace, Poisson, RandomWalk, VPoisson


@pytest.mark.parametrize("name", ["ring_of_blobs", "disconnected", "grid"])
@pytest.mark.parametrize("method", [Laplace(), Laplace(mean_shift=True), Poisson(), RandomWalk(), VPoisson()], ids=str)
def test_linear_methods_solve_draws_together_as_alone(name, method):
    graph = GALLERY[name]()
    problems = [some_seeds(graph, seed=t) for t in range(9)]
    for alone, together in zip(problems, method.spread_many(graph, problems), strict=True):
        expected = method.spread(graph, alone).scores
        np.testing.assert_allclose(together.scores, expected, atol=1e-5 * np.abs(expected).max())
