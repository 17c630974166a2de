import numpy as np
import pytest
from gallery import GALLERY, path, ring_of_blobs
from oracles import laplacian

from fewlabels.solvers import CG, Direct, Multigrid, solve
from fewlabels.systems import green_system, laplacian_of, projections_of


@pytest.mark.parametrize("name", GALLERY)
def test_the_green_system_is_the_formula(name):
    graph = GALLERY[name]()
    W, d = graph.weights.toarray(), graph.degrees
    back = np.divide(1.0, np.sqrt(d), out=np.zeros_like(d), where=d > 0)
    S = back[:, None] * W * back
    H = back[:, None] * np.linalg.pinv(np.diag((d > 0).astype(float)) - S, rcond=1e-12, hermitian=True) * back
    B = np.random.default_rng(0).normal(size=(graph.n_nodes, 3))
    found = solve(green_system(graph), B, Direct())
    np.testing.assert_allclose(found.value, H @ B, atol=1e-6 * np.abs(H @ B).max())


@pytest.mark.parametrize("solver", [CG(1e-11), CG(1e-11, coarse=False)], ids=str)
def test_a_shifted_laplacian_is_the_formula_where_the_degree_weighted_mean_is_zero(solver):
    graph, v = ring_of_blobs(), 1e-3
    W, d = graph.weights.toarray(), graph.degrees
    A = laplacian(W) - v * (np.diag(d) - np.outer(d, d) / d.sum())
    B = projections_of(graph).balance(np.random.default_rng(0).normal(size=(graph.n_nodes, 2)))
    X = solve(green_system(graph, shift=1.0 - v), B, solver).value
    np.testing.assert_allclose(A @ X, B, atol=1e-6)
    np.testing.assert_allclose(d @ X, 0, atol=1e-6 * np.abs(X).max() * d.sum())


def test_both_laplacians_of_a_graph_share_what_is_prepared():
    graph, B = ring_of_blobs(), np.random.default_rng(0).normal(size=(90, 2))
    B = B[: graph.n_nodes] if len(B) >= graph.n_nodes else np.random.default_rng(0).normal(size=(graph.n_nodes, 2))
    for solver in (Direct(), CG(1e-6), CG(1e-3), Multigrid(1e-6), Multigrid(1e-3)):
        for system in (laplacian_of(graph), green_system(graph)):
            solve(system, B, solver)
    kept = list(graph.kept)
    assert sorted(set(kept) & {"factorisation", "coarse inverse", "multigrid"}) == [
        "coarse inverse",
        "factorisation",
        "multigrid",
    ]
    assert all(kept.count(name) == 1 for name in ("factorisation", "coarse inverse", "multigrid", "laplacian matrix"))


def test_a_walk_back_moves_a_distribution():
    graph = path(4)
    P = graph.weights.toarray() / graph.degrees[:, None]
    p = np.array([0.5, 0.5, 0.0, 0.0])
    np.testing.assert_allclose(laplacian_of(graph).walk_back(p), P.T @ p)


@pytest.mark.parametrize("name", GALLERY)
def test_the_laplacian_is_degrees_minus_weights(name):
    graph = GALLERY[name]()
    W = graph.weights.toarray()
    L = np.diag(W.sum(axis=1)) - W
    X = np.random.default_rng(0).normal(size=(graph.n_nodes, 2))
    np.testing.assert_allclose(laplacian_of(graph).apply(X), L @ X, atol=1e-10)
    np.testing.assert_allclose(laplacian_of(graph).matrix.toarray(), L)
