import numpy as np
from gallery import columns

from fewlabels import Graph
from fewlabels.solvers import CG, solve
from fewlabels.systems import laplacian_of


def test_the_coarse_level_saves_steps():
    rng = np.random.default_rng(0)
    blobs = 2.5 * rng.normal(size=(12, 6))[rng.integers(12, size=6000)]
    graph = Graph.from_features(blobs + rng.normal(size=(6000, 6)), n_neighbors=10)
    B = columns(graph)
    plain, coarse = solve(laplacian_of(graph), B, CG(1e-6, coarse=False)), solve(laplacian_of(graph), B, CG(1e-6))
    assert coarse.n_iter < 0.6 * plain.n_iter
    np.testing.assert_allclose(coarse.value, plain.value, atol=1e-4 * np.abs(plain.value).max())
