import numpy as np
import oracles
import pytest
from gallery import ring_of_blobs

from fewlabels.spectrum import lowest_modes


@pytest.mark.parametrize("count", [2, 7])
def test_lowest_modes_are_the_dense_ones(count, monkeypatch):
    graph = ring_of_blobs()
    expected = np.linalg.eigvalsh(oracles.normal_laplacian(graph.weights.toarray()))[:count]
    dense = lowest_modes(graph, count)[0]
    monkeypatch.setattr("fewlabels.spectrum.DENSE_UP_TO", 10)
    values, vectors = lowest_modes(ring_of_blobs(), count)
    np.testing.assert_allclose(values, expected, atol=1e-6)
    np.testing.assert_allclose(dense, expected, atol=1e-10)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(count), atol=1e-8)
