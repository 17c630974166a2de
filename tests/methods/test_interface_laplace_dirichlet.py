import numpy as np
import oracles
import pytest
from gallery import CONNECTED, GALLERY, SEEDS, disconnected

from fewlabels import InterfaceLaplaceDirichlet, Seeds


@pytest.mark.parametrize("name", CONNECTED)
def test_the_dirichlet_term_is_the_papers_formula(name):
    graph = GALLERY[name]()
    train = np.sort(np.random.default_rng(0).choice(graph.n_nodes, 3, replace=False))
    seeds = Seeds.from_classes(train, [0, 1, 0])
    found = InterfaceLaplaceDirichlet(hops=0, ridge=0.4).spread(graph, seeds)
    W = graph.weights.toarray()
    L, I = oracles.laplacian(W), found.interface  # noqa: E741
    K = np.setdiff1d(np.arange(len(W)), I)
    np.testing.assert_array_equal(K, train)
    A = np.linalg.solve(L[np.ix_(K, K)], W[np.ix_(K, I)])
    rows = A[np.searchsorted(K, train)]
    f = rows.T @ np.linalg.solve(rows @ rows.T + 3 * 0.4 * np.eye(3), seeds.targets)
    seen = rows.any(axis=0)
    np.testing.assert_allclose(found.scores[I[seen]], f[seen], atol=1e-8)
    np.testing.assert_allclose(found.scores[K], A @ f, atol=1e-8)
    np.testing.assert_allclose((L @ found.scores)[I[~seen]], 0.0, atol=1e-8)
    assert (np.ptp(found.scores, axis=1) > 0).all(), "a node that no label sees would be of the first class"


def test_the_dirichlet_term_is_harmonic_off_the_interface(graph):
    found = InterfaceLaplaceDirichlet(hops=1).spread(graph, SEEDS)
    Lu = oracles.laplacian(graph.weights.toarray()) @ found.scores
    np.testing.assert_allclose(np.delete(Lu, found.interface, axis=0), 0, atol=1e-8)
    assert found.mse == pytest.approx(0.2)
    assert np.isfinite(
        InterfaceLaplaceDirichlet().scores(disconnected(), Seeds.from_classes([5, 15, 40], [0, 1, 0]))
    ).all()
