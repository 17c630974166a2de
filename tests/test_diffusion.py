import numpy as np
import pytest
import scipy.sparse as sp
from gallery import disconnected, isolated_node, ring_of_blobs

from fewlabels.diffusion import LAZY, averaged_rows, diffused


def walk(graph):
    """The lazy walk as a dense matrix; a node without edges only stays."""
    W = graph.weights.toarray()
    d = W.sum(axis=1)
    P = np.divide(W, d[:, None], out=np.zeros_like(W), where=d[:, None] > 0)
    return (P + LAZY * np.eye(len(W))) / (1.0 + LAZY)


@pytest.mark.parametrize("make", [ring_of_blobs, disconnected, isolated_node])
@pytest.mark.parametrize("steps", [1, 8])
def test_steps_are_powers_of_the_walk(make, steps):
    graph = make()
    U = np.random.default_rng(0).normal(size=(graph.n_nodes, 3))
    wanted = np.linalg.matrix_power(walk(graph), steps) @ U
    np.testing.assert_allclose(diffused(graph, U, steps, 1e-6), wanted, atol=1e-4)
    np.testing.assert_allclose(diffused(graph, U, steps), wanted, atol=0.02 * np.abs(U).max() * graph.n_nodes**0.5)


@pytest.mark.parametrize("make", [ring_of_blobs, disconnected, isolated_node])
@pytest.mark.parametrize("as_features", [np.asarray, np.float32, sp.csr_array])
def test_rows_of_averaged_features_need_no_other_rows(make, as_features):
    graph = make()
    X = np.random.default_rng(0).normal(size=(graph.n_nodes, 5))
    nodes = np.array([3, 0, graph.n_nodes - 1])
    shares = np.linalg.matrix_power(walk(graph), 8)[nodes]
    wanted = shares @ X + np.outer(1.0 - shares.sum(axis=1), X.mean(axis=0))
    np.testing.assert_allclose(averaged_rows(graph, as_features(X), nodes, 8), wanted, atol=0.05)


def test_rows_of_features_far_from_zero_are_averaged_as_exactly():
    graph, nodes = ring_of_blobs(), np.array([3, 0])
    X = np.random.default_rng(0).normal(size=(graph.n_nodes, 2))
    found = averaged_rows(graph, X + 1e9, nodes, 8) - 1e9
    np.testing.assert_allclose(found, averaged_rows(graph, X, nodes, 8), atol=1e-4)


def test_a_constant_stays():
    graph = ring_of_blobs()
    np.testing.assert_allclose(diffused(graph, np.ones((graph.n_nodes, 1)), 8), 1.0, atol=0.02)
