import pickle
import re

import numpy as np
import pytest
import scipy.sparse as sp
from gallery import blob_points
from oracles import nearest_neighbors

from fewlabels import FewLabelClassifier, FewlabelsError, Graph
from fewlabels.cli import main
from fewlabels.neighbors import METRICS, SEARCHES, Metric, Neighbors, NeighborSearch, find_neighbors, recall_of
from fewlabels.neighbors.metrics import Cosine


def points(n=700, d=5, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


@pytest.mark.parametrize("dress", [np.asarray, sp.csr_array], ids=["dense", "sparse"])
def test_exact_search_equals_a_plain_search(dress):
    X = points()
    found = find_neighbors(dress(X), 7)
    indices, distances = nearest_neighbors(X, 7)
    np.testing.assert_array_equal(found.indices, indices)
    np.testing.assert_allclose(found.distances, distances, rtol=1e-10)
    assert found.recall == 1


@pytest.mark.parametrize("dress", [np.asarray, sp.csr_array], ids=["dense", "sparse"])
def test_cosine_is_the_plain_search_of_unit_rows(dress):
    X = points() * np.random.default_rng(1).uniform(0.01, 100, size=(700, 1))
    found = find_neighbors(dress(X), 6, metric="cosine")
    indices, distances = nearest_neighbors(X / np.linalg.norm(X, axis=1, keepdims=True), 6)
    np.testing.assert_array_equal(found.indices, indices)
    np.testing.assert_allclose(found.distances, distances, rtol=1e-7)


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


def test_cosine_survives_huge_and_tiny_rows():
    X = points()
    expected = find_neighbors(X, 5, metric="cosine").indices
    for factor in (1e200, 1e-200):
        for dress in (np.asarray, sp.csr_array):
            np.testing.assert_array_equal(find_neighbors(dress(X * factor), 5, metric="cosine").indices, expected)


def test_sparse_and_dense_rows_meet():
    X, Q = points(), points(4, seed=3)
    dense, sparse = NeighborSearch(X), NeighborSearch(sp.csr_array(X))
    np.testing.assert_array_equal(dense.of(sp.csr_array(Q), 3).indices, sparse.of(Q, 3).indices)


def test_overflow_is_a_sentence():
    with pytest.raises(FewlabelsError, match="rescale the features"):
        find_neighbors(np.array([[1.7e308], [-1.7e308], [0.0]]), 1)


@pytest.mark.parametrize("recall", [0.8, 0.95, 0.999])
def test_approximate_search_reaches_the_recall_it_states(recall):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 16))[rng.integers(40, size=12_000)] + 0.6 * rng.normal(size=(12_000, 16))
    exact = find_neighbors(X, 10, search="exact")
    found = find_neighbors(X, 10, search="approximate", recall=recall)
    assert found.recall >= recall
    assert recall_of(found, exact) >= recall - 0.02
    assert not (found.indices == np.arange(12_000)[:, None]).any()
    assert np.isfinite(found.distances).all()


def test_approximate_search_is_for_many_dense_points(monkeypatch):
    X = points(3000, 8)
    assert find_neighbors(X, 5, search="approximate", recall=0.3).recall < 1
    assert find_neighbors(X[:900], 5, search="approximate", recall=0.3).recall == 1
    assert find_neighbors(sp.csr_array(X), 5, search="approximate", recall=0.3).recall == 1
    assert find_neighbors(X, 5, recall=0.3).recall == 1
    monkeypatch.setattr("fewlabels.neighbors.backends.EXACT_UP_TO", 2000)
    assert find_neighbors(X, 5, recall=0.3).recall < 1
    assert find_neighbors(X, 5, search="exact", recall=0.3).recall == 1


def test_approximate_search_fills_up_rows_whose_cells_are_too_small():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(2000, 3)), 50 + rng.normal(size=(3, 3))])
    found = find_neighbors(X, 12, search="approximate", recall=0.5)
    exact = find_neighbors(X, 12, search="exact")
    assert (found.indices >= 0).all()
    np.testing.assert_allclose(found.distances[-3:], exact.distances[-3:])


def test_a_point_is_never_its_own_neighbour_even_among_duplicates():
    X = np.repeat(blob_points()[0][:20], 15, axis=0)
    found = find_neighbors(X, 6)
    assert not (found.indices == np.arange(300)[:, None]).any()
    np.testing.assert_array_equal(found.distances, 0)


def test_more_neighbours_than_points_are_cut():
    assert find_neighbors(points(4), 10).n_neighbors == 3


def test_new_points_find_the_fitted_ones():
    X, Q = points(), points(9, seed=5)
    search = NeighborSearch(X)
    found = search.of(Q, 4)
    expected = np.sqrt(((Q[:, None] - X[None]) ** 2).sum(axis=2))
    np.testing.assert_array_equal(found.indices, np.argsort(expected, axis=1)[:, :4])
    one = search.of(Q[:1], 4)
    np.testing.assert_array_equal(one.indices, found.indices[:1])


def test_the_common_file_loads_and_saves_with_self_first(tmp_path):
    found = find_neighbors(points(), 5)
    found.save(tmp_path / "knn.npz")
    with np.load(tmp_path / "knn.npz") as file:
        np.testing.assert_array_equal(file["J"][:, 0], np.arange(700))
        np.testing.assert_array_equal(file["D"][:, 0], 0)
        assert file["J"].shape == file["D"].shape == (700, 6)
    again = Neighbors.load(tmp_path / "knn.npz")
    np.testing.assert_array_equal(again.indices, found.indices)
    np.testing.assert_array_equal(again.distances, found.distances)


def test_self_is_dropped_wherever_duplicates_put_it(tmp_path):
    J = np.array([[0, 1, 2], [0, 1, 2], [0, 1, 3], [3, 2, 1]])
    D = np.array([[0.0, 0, 1], [0, 0, 1], [0, 0, 2], [0, 1, 2]])
    np.savez(tmp_path / "knn.npz", J=J, D=D)
    loaded = Neighbors.load(tmp_path / "knn.npz")
    assert loaded.indices.tolist() == [[1, 2], [0, 2], [0, 1], [2, 1]]
    assert loaded.distances.tolist() == [[0, 1], [0, 1], [0, 0], [1, 2]]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: find_neighbors(points(), 5, metric="manhattan"), "choose one of euclidean, cosine"),
        (lambda: find_neighbors(points(), 5, search="fast"), "choose one of auto, exact, approximate"),
        (lambda: find_neighbors(points(), 0), "at least one neighbour"),
        (lambda: find_neighbors(points(), 5, recall=1.5), "above 0 and at most 1"),
        (lambda: find_neighbors(np.zeros((3, 2)), 1, metric="cosine"), "row 0 is all zeros"),
        (lambda: find_neighbors([["a"], ["b"]], 1), "must be numbers"),
        (lambda: find_neighbors(np.zeros(5), 1), r"shape \(5,\)"),
        (lambda: find_neighbors(np.zeros((1, 5)), 1), "at least two points"),
        (lambda: NeighborSearch(points()).of(np.zeros((2, 3)), 1), "new rows have 3 features, the data 5"),
        (lambda: find_neighbors(points(), 3).nearest(4), "lists 3 per point"),
        (lambda: Neighbors(np.zeros((2, 1)), np.zeros((2, 1))), "whole numbers"),
        (lambda: Neighbors(np.zeros((2, 1), int), np.full((2, 1), np.nan)), "of point 0 are not finite"),
    ],
)
def test_bad_input_gets_one_sentence(call, sentence):
    with pytest.raises(FewlabelsError, match=sentence):
        call()


def test_a_file_without_the_arrays_is_refused(tmp_path):
    np.savez(tmp_path / "other.npz", A=np.zeros(3))
    with pytest.raises(FewlabelsError, match=r"holds \['A'\]; a neighbour file has arrays J and D"):
        Neighbors.load(tmp_path / "other.npz")


class Correlation(Metric):
    """1 - r, where r is Pearson's correlation of two rows."""

    name = "correlation"

    def rows(self, X):
        return Cosine().rows(X - X.mean(axis=1, keepdims=True))

    def distances(self, euclidean):
        return euclidean**2 / 2


class ByRange(Metric):
    """Euclidean distance after every column is divided by its range in the data set."""

    name = "by-range"

    def fitted(self, X):
        found = ByRange()
        found.ranges = np.ptp(X, axis=0)
        return found

    def rows(self, X):
        return X / self.ranges


class Plain:
    """All distances, sorted; counts what it is asked for."""

    asked = 0

    def __init__(self, points, recall):
        self._points, self._recall = points, recall

    def among_themselves(self, k):
        Plain.asked += 1
        gaps = np.linalg.norm(self._points[:, None] - self._points[None], axis=2)
        np.fill_diagonal(gaps, np.inf)
        return self._nearest(gaps, k)

    def of(self, Q, k):
        Plain.asked += 1
        return self._nearest(np.linalg.norm(Q[:, None] - self._points[None], axis=2), k)

    def _nearest(self, gaps, k):
        indices = np.argsort(gaps, axis=1, kind="stable")[:, :k]
        return Neighbors(indices, np.take_along_axis(gaps, indices, axis=1), recall=self._recall)


@pytest.fixture(name="registered")
def _registered(monkeypatch):
    monkeypatch.setitem(METRICS, Correlation.name, Correlation())
    monkeypatch.setitem(METRICS, ByRange.name, ByRange())
    monkeypatch.setitem(SEARCHES, "plain", Plain)
    monkeypatch.setattr(Plain, "asked", 0)


def stretched(n=300, seed=0):
    return points(n, 4, seed) * [1.0, 10.0, 0.1, 1.0] + [0.0, 5.0, 0.0, 1.0]


@pytest.mark.usefixtures("registered")
def test_a_registered_metric_is_used_wherever_neighbours_are_sought(tmp_path):
    X, Q = stretched(), stretched(20, seed=1)
    apart = 1 - np.corrcoef(np.vstack([X, Q]))
    near = np.where(np.eye(len(X)), np.inf, apart[: len(X), : len(X)])
    search = NeighborSearch(X, metric="correlation")
    found = search.among_themselves(6)
    np.testing.assert_array_equal(found.indices, np.argsort(near, axis=1)[:, :6])
    np.testing.assert_allclose(found.distances, np.sort(near, axis=1)[:, :6], rtol=1e-9)
    new = search.of(Q, 5)
    np.testing.assert_array_equal(new.indices, np.argsort(apart[len(X) :, : len(X)], axis=1)[:, :5])
    np.testing.assert_allclose(new.distances, np.sort(apart[len(X) :, : len(X)], axis=1)[:, :5], rtol=1e-9)

    expected = Graph.from_neighbors(found.indices, found.distances)
    graph = Graph.from_features(X, n_neighbors=6, metric="correlation")
    np.testing.assert_allclose(graph.weights.toarray(), expected.weights.toarray())
    y = np.full(len(X), -1)
    y[:2] = 0, 1
    fitted = FewLabelClassifier(n_neighbors=6, metric="correlation").fit(X, y)
    np.testing.assert_allclose(fitted.graph_.weights.toarray(), expected.weights.toarray())

    np.save(tmp_path / "X.npy", X)
    (tmp_path / "labels.csv").write_text("row,label\n0,a\n1,b\n")
    files = [str(tmp_path / name) for name in ("X.npy", "labels.csv", "out.csv")]
    options = ["--metric", "correlation", "--neighbors", "6", "--quiet"]
    assert main(["label", *files[:2], "--out", files[2], *options]) == 0
    labels = np.array([line.split(",")[1] for line in (tmp_path / "out.csv").read_text().splitlines()[1:]])
    np.testing.assert_array_equal(labels, np.array(["a", "b"])[fitted.transduction_])


@pytest.mark.usefixtures("registered")
def test_a_metric_measures_new_points_by_what_it_learned_from_the_data():
    X, Q = stretched(), 0.01 * stretched(5, seed=1)
    ranges = X.max(axis=0) - X.min(axis=0)
    found = NeighborSearch(X, metric="by-range").of(Q, 4)
    gaps = np.linalg.norm((Q / ranges)[:, None] - (X / ranges)[None], axis=2)
    np.testing.assert_array_equal(found.indices, np.argsort(gaps, axis=1)[:, :4])
    np.testing.assert_allclose(found.distances, np.sort(gaps, axis=1)[:, :4])


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize("metric", ["euclidean", "correlation"])
def test_a_registered_search_is_used_with_every_metric(metric):
    X, Q = stretched(), stretched(20, seed=1)
    expected = NeighborSearch(X, metric=metric, search="exact")
    search = NeighborSearch(X, metric=metric, search="plain", recall=0.9)
    found = search.among_themselves(6)
    assert Plain.asked == 1
    assert found.recall == 0.9
    np.testing.assert_array_equal(found.indices, expected.among_themselves(6).indices)
    np.testing.assert_allclose(found.distances, expected.among_themselves(6).distances, rtol=1e-6)
    np.testing.assert_array_equal(search.of(Q, 3).indices, expected.of(Q, 3).indices)
    graph = Graph.from_features(X, n_neighbors=6, metric=metric, search="plain")
    assert Plain.asked == 3
    exact = Graph.from_features(X, n_neighbors=6, metric=metric)
    np.testing.assert_allclose(graph.weights.toarray(), exact.weights.toarray(), rtol=1e-6)


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"metric": "l1"}, "metric='l1' is not known; choose one of euclidean, cosine, correlation, by-range."),
        ({"search": "fast"}, "search='fast' is not known; choose one of auto, exact, approximate, plain."),
        ({"metric": ["cosine"]}, "metric=['cosine'] is not known; choose one of euclidean, cosine"),
    ],
)
def test_an_unknown_name_is_refused_with_those_that_are_registered(options, sentence):
    with pytest.raises(FewlabelsError, match=re.escape(sentence)):
        NeighborSearch(points(), **options)


def test_a_search_that_was_pickled_finds_the_same():
    X, Q = points(), points(9, seed=5)
    search = NeighborSearch(X, metric="cosine")
    expected = search.of(Q, 4)
    again = pickle.loads(pickle.dumps(search)).of(Q, 4)
    np.testing.assert_array_equal(again.indices, expected.indices)
    np.testing.assert_array_equal(again.distances, expected.distances)


def test_tables_are_read_only(tmp_path):
    found = find_neighbors(points(), 5)
    found.save(tmp_path / "knn.npz")
    for table in (found, found.nearest(2), Neighbors.load(tmp_path / "knn.npz")):
        for array in (table.indices, table.distances):
            with pytest.raises(ValueError, match="read-only"):
                array[0, 0] = 0
    assert np.shares_memory(found.nearest(2).indices, found.indices)


@pytest.mark.parametrize("hand_over", [np.asarray, lambda a: a[:, :1], lambda a: np.broadcast_to(a, a.shape)])
def test_arrays_of_the_caller_stay_theirs(hand_over):
    indices, distances = np.array([[1, 2], [0, 2], [1, 0]]), np.array([[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]])
    table = Neighbors(hand_over(indices), hand_over(distances))
    indices[0, 0], distances[0, 0] = 2, 0.5
    assert table.indices[0, 0] == 1
    assert table.distances[0, 0] == 1.0


def test_arrays_that_nobody_else_writes_to_are_not_copied():
    indices, distances = np.array([[1], [0]]), np.ones((2, 1))
    table = Neighbors.owning(indices, distances)
    assert table.indices is indices
    assert table.distances is distances
    assert Neighbors(indices, distances).indices is indices
    with pytest.raises(ValueError, match="read-only"):
        indices[0, 0] = 0
