import numpy as np
import oracles
import pytest
from gallery import GALLERY

from fewlabels.solvers.gap import rough_gap, spectral_gap


@pytest.mark.parametrize("name", ["grid", "ring_of_blobs", "disconnected", "two_cliques"])
def test_the_spectral_gap_is_the_first_nonzero_eigenvalue(name, monkeypatch):
    graph = GALLERY[name]()
    expected = np.sort(np.linalg.eigvalsh(oracles.normal_laplacian(graph.weights.toarray())))[graph.n_components]
    assert spectral_gap(graph) == pytest.approx(expected, abs=1e-9)
    monkeypatch.setattr("fewlabels.solvers.gap.DENSE_UP_TO", 3)
    assert spectral_gap(GALLERY[name]()) == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("name", ["grid", "ring_of_blobs", "disconnected", "two_cliques", "path"])
def test_the_rough_gap_is_at_most_twice_too_large_and_never_too_small(name):
    graph = GALLERY[name]()
    exact = np.sort(np.linalg.eigvalsh(oracles.normal_laplacian(graph.weights.toarray())))[graph.n_components]
    assert 0.999 * exact <= rough_gap(graph) <= 2 * exact
