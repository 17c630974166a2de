import numpy as np
import oracles
import pytest
from gallery import columns, ring_of_blobs

from fewlabels import Graph
from fewlabels.solvers import CG, solve
from fewlabels.solvers.fused import FusedSystem
from fewlabels.systems import laplacian_of


def test_the_coarse_level_saves_steps():
    rng = np.random.default_rng(0)
    blobs = 2.5 * rng.normal(size=(12, 6))[rng.integers(12, size=6000)]
    graph = Graph.from_features(blobs + rng.normal(size=(6000, 6)), n_neighbors=10)
    B = columns(graph)
    plain, coarse = solve(laplacian_of(graph), B, CG(1e-6, coarse=False)), solve(laplacian_of(graph), B, CG(1e-6))
    assert coarse.n_iter < 0.6 * plain.n_iter
    np.testing.assert_allclose(coarse.value, plain.value, atol=1e-4 * np.abs(plain.value).max())


@pytest.mark.usefixtures("compiled_everywhere")
def test_what_single_precision_leaves_is_solved_for_again(monkeypatch):
    graph = ring_of_blobs()
    exact = FusedSystem.solve

    def rough(self, B, tol, max_iter, single=True):
        X, n_iter, _ = exact(self, B, 1e-5, max_iter, single=False)
        return 0.9 * X, n_iter, 0.1

    monkeypatch.setattr(FusedSystem, "solve", rough)
    monkeypatch.setattr("fewlabels.solvers.cg.conjugate_gradients", None)
    B = np.random.default_rng(0).normal(size=(graph.n_nodes, 3))
    found = solve(laplacian_of(graph), B, CG(1e-3)).value
    expected = np.linalg.pinv(oracles.laplacian(graph.weights.toarray()), rcond=1e-13, hermitian=True) @ B
    np.testing.assert_allclose(found, expected, atol=0.02 * np.abs(expected).max())
