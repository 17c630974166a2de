import pickle
import re

import numpy as np
import pytest
import scipy.sparse as sp
from gallery import points

from fewlabels import FewLabelClassifier, FewlabelsError, Graph
from fewlabels.cli import main
from fewlabels.neighbors import METRICS, SEARCHES, Metric, Neighbors, NeighborSearch, find_neighbors
from fewlabels.neighbors.metrics import Cosine


def test_sparse_and_dense_rows_meet():
    X, Q = points(), points(4, seed=3)
    dense, sparse = NeighborSearch(X), NeighborSearch(sp.csr_array(X))
    np.testing.assert_array_equal(dense.of(sp.csr_array(Q), 3).indices, sparse.of(Q, 3).indices)


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
