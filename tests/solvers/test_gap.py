import numpy as np
import oracles
import pytest
import scipy.sparse as sp
from gallery import GALLERY

from fewlabels import Graph
from fewlabels.solvers.gap import coarse_gap, spectral_gap


@pytest.mark.parametrize("name", ["grid", "ring_of_blobs", "disconnected", "two_cliques"])
def test_the_spectral_gap_is_the_first_nonzero_eigenvalue(name, monkeypatch):
    graph = GALLERY[name]()
    expected = np.sort(np.linalg.eigvalsh(oracles.normal_laplacian(graph.weights.toarray())))[graph.n_components]
    assert spectral_gap(graph) == pytest.approx(expected, abs=1e-9)
    monkeypatch.setattr("fewlabels.solvers.gap.DENSE_UP_TO", 3)
    assert spectral_gap(GALLERY[name]()) == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("name", ["grid", "ring_of_blobs", "disconnected", "two_cliques", "path"])
@pytest.mark.parametrize("most", [8, 100])
def test_the_coarse_gap_is_a_bound_and_not_far_off(name, most, monkeypatch):
    monkeypatch.setattr("fewlabels.systems.coarse.MOST_AGGREGATES_SMALL", most)
    monkeypatch.setattr("fewlabels.systems.coarse.ENOUGH_AGGREGATES", most)
    graph = GALLERY[name]()
    exact = np.sort(np.linalg.eigvalsh(oracles.normal_laplacian(graph.weights.toarray())))[graph.n_components]
    assert 0.999 * exact <= coarse_gap(graph) <= 12 * exact


def test_the_coarse_gap_sees_a_thread():
    rng = np.random.default_rng(0)
    W = sp.block_diag([Graph.from_features(rng.normal(size=(400, 5))).weights for _ in range(2)]).tolil()
    W[3, 403] = W[403, 3] = 1e-5
    graph = Graph.from_weights(W.tocsr())
    assert coarse_gap(graph) == pytest.approx(spectral_gap(graph), rel=0.05)
