import numpy as np
import pytest
import scipy.sparse as sp
from gallery import points
from oracles import nearest_neighbors

from fewlabels.neighbors import find_neighbors


@pytest.mark.parametrize("dress", [np.asarray, sp.csr_array], ids=["dense", "sparse"])
def test_cosine_is_the_plain_search_of_unit_rows(dress):
    X = points() * np.random.default_rng(1).uniform(0.01, 100, size=(700, 1))
    found = find_neighbors(dress(X), 6, metric="cosine")
    indices, distances = nearest_neighbors(X / np.linalg.norm(X, axis=1, keepdims=True), 6)
    np.testing.assert_array_equal(found.indices, indices)
    np.testing.assert_allclose(found.distances, distances, rtol=1e-7)


def test_cosine_survives_huge_and_tiny_rows():
    X = points()
    expected = find_neighbors(X, 5, metric="cosine").indices
    for factor in (1e200, 1e-200):
        for dress in (np.asarray, sp.csr_array):
            np.testing.assert_array_equal(find_neighbors(dress(X * factor), 5, metric="cosine").indices, expected)
