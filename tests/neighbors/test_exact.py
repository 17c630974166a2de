import numpy as np
import pytest
import scipy.sparse as sp
from gallery import blob_points, points
from oracles import nearest_neighbors

from fewlabels import FewlabelsError
from fewlabels.neighbors import find_neighbors
from fewlabels.neighbors.exact import DenseExact


@pytest.mark.parametrize("dress", [np.asarray, sp.csr_array], ids=["dense", "sparse"])
def test_exact_search_equals_a_plain_search(dress):
    X = points()
    found = find_neighbors(dress(X), 7)
    indices, distances = nearest_neighbors(X, 7)
    np.testing.assert_array_equal(found.indices, indices)
    np.testing.assert_allclose(found.distances, distances, rtol=1e-10)
    assert found.recall == 1


@pytest.mark.parametrize(("shift", "scale"), [(1e6, 1.0), (0.0, 1e-30), (0.0, 1e30), (-1e4, 1e-2)])
def test_search_survives_far_and_tiny_data(shift, scale):
    X = shift + scale * points()
    found = find_neighbors(X, 5)
    with np.errstate(over="ignore", under="ignore"):
        truth = nearest_neighbors((X - shift) / scale, 5)
    np.testing.assert_allclose(found.distances / scale, truth[1], rtol=1e-3)


def odd_data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 3))
    outlier = np.vstack([X, [[1e10, 0, 0]]])
    filled = X.copy()
    filled[::10, 1] = -2147483648.0
    apart = np.vstack([X[:250], 1e8 + X[250:]])
    jittered = np.repeat(X[:100], 5, axis=0) + 1e-8 * rng.normal(size=(500, 3))
    wide = np.hstack([jittered, np.zeros((500, 9))])
    return {
        "more dimensions": wide,
        "outlier": outlier,
        "fill value": filled,
        "two clusters": apart,
        "near duplicates": jittered,
    }


@pytest.mark.parametrize("kind", odd_data())
def test_exact_search_is_exact_where_single_precision_is_blind(kind):
    X = odd_data()[kind]
    found = find_neighbors(X, 5)
    np.testing.assert_allclose(found.distances, nearest_neighbors(X, 5)[1], rtol=1e-6, atol=1e-12)


def test_overflow_is_a_sentence():
    with pytest.raises(FewlabelsError, match="rescale the features"):
        find_neighbors(np.array([[1.7e308], [-1.7e308], [0.0]]), 1)


def test_a_point_is_never_its_own_neighbour_even_among_duplicates():
    X = np.repeat(blob_points()[0][:20], 15, axis=0)
    found = DenseExact(X).among_themselves(6)
    assert not (found.indices == np.arange(300)[:, None]).any()
    np.testing.assert_array_equal(found.distances, 0)
