import numpy as np
import pytest
import scipy.sparse as sp
from gallery import blob_points
from sklearn.linear_model import LogisticRegression

from fewlabels import Seeds
from fewlabels.compiled import kernels_at_hand
from fewlabels.linear import doubtful_probabilities, linear_probabilities


@pytest.fixture(autouse=True, params=[False, True], ids=["scipy", "kernels"])
def _both_ways(request, monkeypatch):
    if request.param and not kernels_at_hand():
        pytest.skip("needs the extra 'fast'")
    monkeypatch.setattr("fewlabels.linear.kernels_pay", lambda rows: request.param)


def is_logistic_regression(X, truth, nodes):
    wanted = LogisticRegression(max_iter=10_000, tol=1e-10).fit(X[nodes], truth[nodes]).predict_proba(X)
    for features in (X, X.astype(np.float32), sp.csr_array(X)):
        found = linear_probabilities(features, Seeds.from_classes(nodes, truth[nodes]))
        np.testing.assert_allclose(found, wanted, atol=0.01)


def test_it_is_logistic_regression_on_the_labelled_rows():
    X, truth = blob_points()
    nodes = np.array([int(np.flatnonzero(truth == j)[k]) for j in range(4) for k in (0, 1, 2)])
    is_logistic_regression(X, truth, nodes)


@pytest.mark.parametrize("classes", [2, 4])
def test_rows_with_many_more_features_are_learnt_from_in_their_span(classes):
    rng = np.random.default_rng(classes)
    truth = np.arange(40) % classes
    X = rng.normal(size=(40, 300)) + 3 * rng.normal(size=(classes, 300))[truth]
    nodes = np.arange(12)
    X[nodes[1]] = X[nodes[0]] = 0.0
    is_logistic_regression(X, truth, nodes)


@pytest.mark.parametrize("width", [2, 50])
def test_equal_and_huge_rows_end_in_finite_numbers(width):
    seeds = Seeds.from_classes([0, 1, 2], [0, 1, 2])
    for X in (np.zeros((5, width)), np.ones((5, width)), 1e150 * np.random.default_rng(0).normal(size=(5, width))):
        found = linear_probabilities(X, seeds)
        np.testing.assert_allclose(found.sum(axis=1), 1.0)


def test_one_class_alone_is_certain_and_a_class_without_labels_impossible():
    X, _ = blob_points()
    assert (linear_probabilities(X, Seeds.from_classes([3], ["only"])) == 1.0).all()
    found = linear_probabilities(X, Seeds.from_classes([3, 90], [0, 2], n_classes=3))
    assert (found[:, 1] == 0.0).all()
    np.testing.assert_allclose(found.sum(axis=1), 1.0)


def test_features_taken_through_a_linear_map_are_learnt_from_and_judged_by():
    X, truth = blob_points()
    nodes = np.array([int(np.flatnonzero(truth == j)[k]) for j in range(4) for k in (0, 1, 2)])
    M = np.random.default_rng(0).random((len(X), len(X)))
    M /= M.sum(axis=1, keepdims=True)
    for some in (nodes, nodes[:6]):
        seeds = Seeds.from_classes(some, truth[some])
        found = linear_probabilities(X, seeds, known=(M @ X)[some], averaged=lambda u: M @ u)
        np.testing.assert_allclose(found, linear_probabilities(M @ X, seeds), atol=1e-6)


def test_whole_numbers_are_features_too():
    X = np.array([[0], [1], [8], [9]])
    found = linear_probabilities(X, Seeds.from_classes([0, 3], [0, 1]))
    np.testing.assert_allclose(found, linear_probabilities(X.astype(float), Seeds.from_classes([0, 3], [0, 1])))
    assert found.argmax(axis=1).tolist() == [0, 0, 1, 1]


def test_some_rows_alone_are_judged_as_among_all():
    X, truth = blob_points()
    seeds, some = Seeds.from_classes([3, 90], truth[[3, 90]]), np.array([5, 7, 100])
    np.testing.assert_allclose(linear_probabilities(X, seeds, nodes=some), linear_probabilities(X, seeds)[some])


@pytest.mark.parametrize("width", [2, 300])
def test_features_far_from_zero_are_learnt_from_all_the_same(width):
    rng = np.random.default_rng(0)
    truth = np.arange(40) % 2
    X = rng.normal(size=(40, width))
    X[:, 0] = 1.7e9 + 1e7 * truth + 1e5 * X[:, 0]
    found = linear_probabilities(X, Seeds.from_classes(np.arange(10), truth[:10]))
    assert (found.argmax(axis=1) == truth).all()


def test_far_from_few_labels_nothing_is_certain_on_average():
    X = np.concatenate([np.arange(6.0), [1e4, -1e4]])[:, None]
    far = np.abs(X[:, 0]) > 100
    for count, most in ((1, 0.75), (3, 0.875)):
        nodes = np.concatenate([np.arange(count), 5 - np.arange(count)])
        seeds = Seeds.from_classes(nodes, (nodes > 2).astype(int))
        plain, found = linear_probabilities(X, seeds), doubtful_probabilities(X, seeds, far)
        assert plain[far].max(axis=1).mean() > 0.99
        np.testing.assert_allclose(found[far].max(axis=1).mean(), most)
        np.testing.assert_allclose(found.sum(axis=1), 1.0)
        np.testing.assert_array_equal(found[~far], plain[~far])
        np.testing.assert_array_equal(found.argmax(axis=1), plain.argmax(axis=1))
