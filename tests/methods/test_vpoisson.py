import numpy as np
import oracles
import pytest
from gallery import CONNECTED, GALLERY, ring_of_blobs, some_seeds

from fewlabels import VPoisson
from fewlabels.solvers import mixing_steps


@pytest.mark.parametrize("fraction", [0.0, 0.5, 0.9])
@pytest.mark.parametrize("name", CONNECTED)
def test_vpoisson_is_its_formula(name, fraction):
    graph = GALLERY[name]()
    seeds = some_seeds(graph)
    expected = oracles.variance_poisson(graph.weights.toarray(), seeds.indices, seeds.targets, fraction)
    found = VPoisson(fraction=fraction).scores(graph, seeds)
    np.testing.assert_allclose(found, expected, atol=1e-3 * np.abs(expected).max())


@pytest.mark.parametrize("solver", ["series", "chebyshev"])
def test_t_steps_are_steps_of_its_own_iteration(solver):
    graph = ring_of_blobs()
    seeds = some_seeds(graph)
    W = graph.weights.toarray()
    d, n = W.sum(axis=1), len(W)
    values = np.linalg.eigvalsh(np.eye(n) - W / np.sqrt(np.outer(d, d)))
    v = 0.5 * values[1]
    b = np.zeros((n, seeds.targets.shape[1]))
    b[seeds.indices] = seeds.targets - seeds.targets.mean(axis=0)
    A = np.diag(d) - W - v * (np.diag(d) - np.outer(d, d) / d.sum())
    u = np.zeros_like(b)
    for _ in range(mixing_steps(graph, seeds.indices)):
        u = u + (b - A @ u) / d[:, None]
    found = VPoisson(solver=solver).scores(graph, seeds)
    np.testing.assert_allclose(found, u - d @ u / d.sum(), atol=2e-3 * np.abs(u).max())
