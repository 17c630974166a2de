import numpy as np
import pytest
import scipy.sparse as sp
from gallery import blob_points, points
from scipy.spatial.distance import cdist

from fewlabels import FewLabelClassifier, FewLabelRegressor, Graph
from fewlabels.neighbors import NeighborSearch, find_neighbors
from fewlabels.neighbors.exact import DenseExact


def in_order(found):
    """Hold a table to what every table owes: others, each once, nearest first."""
    n, k = found.indices.shape
    assert (found.indices != np.arange(n)[:, None]).all()
    assert (found.indices < n).all()
    assert all(len(set(row)) == k for row in found.indices.tolist())
    assert (np.diff(found.distances, axis=1) >= 0).all()
    return found


def shuffled(X, times, seed=0):
    order = np.random.default_rng(seed).permutation(len(X) * times)
    return np.tile(X, (times, 1))[order], np.tile(np.arange(len(X)), times)[order]


@pytest.mark.parametrize("times", [4, 12, 40])
@pytest.mark.parametrize("dress", [np.asarray, sp.csr_array, np.float32])
def test_copies_list_three_copies_and_the_seven_nearest_distinct_rows(times, dress):
    X = points(60).astype(np.float32).astype(np.float64)
    repeated, original = shuffled(X, times)
    found = in_order(find_neighbors(dress(repeated), 10))
    gaps = cdist(X, X)
    expected = np.argsort(gaps, axis=1)[:, :8][original]
    np.testing.assert_array_equal(original[found.indices[:, 3:]], expected[:, 1:])
    np.testing.assert_array_equal(original[found.indices[:, :3]], np.repeat(original[:, None], 3, axis=1))
    np.testing.assert_allclose(found.distances[:, 3:], np.sort(gaps, axis=1)[:, 1:8][original], rtol=1e-6)
    listed = np.bincount(found.indices.ravel(), minlength=len(repeated))
    once = np.bincount(np.argsort(gaps, axis=1)[:, 1:8].ravel(), minlength=60)
    np.testing.assert_array_equal(listed, 3 + once[original])


def test_rows_without_many_copies_keep_their_neighbours():
    X = np.vstack([points(300), points(300)[:50], points(300)[:50]])
    found, plain = find_neighbors(X, 10), DenseExact(X).among_themselves(10)
    np.testing.assert_array_equal(found.indices, plain.indices)
    X = np.vstack([X, np.tile(X[299], (30, 1))])
    found, plain = find_neighbors(X, 10), DenseExact(X).among_themselves(10)
    others = (X != X[299]).any(axis=1)
    np.testing.assert_array_equal(found.indices[others], plain.indices[others])


@pytest.mark.parametrize("dress", [np.asarray, sp.csr_array, np.float32])
def test_multiples_are_copies_by_cosine(dress):
    X = points(40) + 3.0
    repeated, original = shuffled(X, 15)
    scaled = repeated * np.random.default_rng(1).uniform(0.2, 5.0, size=(600, 1))
    found = in_order(find_neighbors(dress(scaled), 10, metric="cosine"))
    expected = find_neighbors(X, 7, metric="cosine")
    assert (original[found.indices[:, :3]] == original[:, None]).all()
    np.testing.assert_array_equal(original[found.indices[:, 3:]], expected.indices[original])


def test_approximate_search_knows_copies_too():
    X = points(1500)
    repeated, original = shuffled(X, 12)
    found = in_order(find_neighbors(repeated, 10, search="approximate", recall=0.9))
    assert (original[found.indices[:, :3]] == original[:, None]).all()
    truth = find_neighbors(X, 7, search="exact").distances[:, -1][original]
    assert (found.distances[:, 3:] <= truth[:, None] * (1 + 1e-6)).mean() >= 0.9
    assert (found.distances[:, 3:] > 0).all()


def test_a_row_repeated_without_end_does_not_drown_those_around_it():
    X, _ = blob_points()
    many = np.vstack([X, np.tile(X[:1], (3000, 1))])
    found = in_order(find_neighbors(many, 8))
    copies = np.r_[0, len(X) : len(many)]
    assert (found.distances[copies, -1] > 0).sum() == 8
    graph = Graph.from_features(many, 8)
    assert graph.n_components == 1
    assert graph.neighbor_counts[1 : len(X)].max() <= 50
    assert graph.hops_from(copies[:1])[copies].max() <= 12


@pytest.mark.parametrize("k", [1, 2, 3, 7, 10, 50])
@pytest.mark.parametrize(
    "sizes", [[2], [30], [200], [4, 4], [1, 30], [30, 30], [1, 1, 40], [3, 2, 12, 5], [2000, 1, 1, 1, 9]]
)
@pytest.mark.parametrize("dress", [np.asarray, sp.csr_array])
def test_few_distinct_rows_hang_together(k, sizes, dress):
    rows = np.repeat(1.0 + np.arange(2 * len(sizes)).reshape(-1, 2) ** 2, sizes, axis=0)
    found = in_order(NeighborSearch(dress(rows)).among_themselves(k))
    assert found.n_neighbors == min(k, len(rows) - 1)
    pieces = Graph.from_features(dress(rows), k).n_components
    assert pieces <= len(sizes) or k == 1
    assert pieces == 1 or k < 4


@pytest.mark.parametrize("size", [12, 30])
def test_estimators_answer_on_repeated_rows_as_on_distinct_ones(size):
    X, y = blob_points(noise=0.2)
    repeated, original = shuffled(X, size)
    given = np.full(len(X), -1)
    given[::20] = y[::20]
    once = FewLabelClassifier().fit(X, given).transduction_
    first = np.unique(original, return_index=True)[1]
    labels = np.full(len(repeated), -1)
    labels[first] = given
    fitted = FewLabelClassifier().fit(repeated, labels)
    assert fitted.reached_.all()
    assert (fitted.transduction_ == once[original]).mean() >= 0.99
    values = np.full(len(repeated), np.nan)
    values[first[::20]] = X[::20, 0]
    found = FewLabelRegressor().fit(repeated, values).transduction_
    assert np.corrcoef(found, repeated[:, 0])[0, 1] > 0.8
