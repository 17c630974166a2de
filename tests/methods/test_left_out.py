from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import beta
from sklearn.datasets import make_blobs
from sklearn.linear_model import LogisticRegression

from fewlabels import FewLabelClassifier, Graph, Seeds
from fewlabels.decision import decide
from fewlabels.green import green_columns
from fewlabels.methods.contenders import DAMPING, Problem
from fewlabels.methods.left_out import PARTS, believable_range, parts_of_labels


def problem_of(X, y, nodes):
    graph = Graph.from_features(X, n_neighbors=8)
    seeds = Seeds.from_classes(nodes, y[nodes], balanced=True)
    return Problem(graph, seeds, green_columns(graph, seeds.indices, damping=DAMPING).value)


def first_of_each(y, count):
    return np.concatenate([np.flatnonzero(y == c)[:count] for c in np.unique(y)])


def damped_poisson(graph, train, codes, classes):
    """(L + s (D - d d'/1'd)) u = sum over the labels of (y_i - mean y) e_i, dense."""
    W = graph.weights.toarray()
    d = W.sum(axis=1)
    A = np.diag(d) - W + DAMPING * (np.diag(d) - np.outer(d, d) / d.sum())
    Y = np.eye(classes)[codes]
    B = np.zeros((len(W), classes))
    B[train] = Y - Y.mean(axis=0)
    return np.linalg.pinv(A) @ B


def test_shares_left_out_are_those_of_methods_fitted_anew_without_them():
    X, y = make_blobs(120, centers=3, cluster_std=3.5, random_state=1)
    problem = problem_of(X, y, first_of_each(y, 5))
    graph, seeds = problem.graph, problem.seeds
    assert graph.n_components == 1
    part, right = parts_of_labels(graph, seeds), np.zeros((2, seeds.size), dtype=bool)
    for which in range(PARTS):
        out = part == which
        assert np.bincount(seeds.codes[out]).tolist() == [1, 1, 1]
        train = seeds.indices[~out]
        u = damped_poisson(graph, train, seeds.codes[~out], 3)
        right[0, out] = u[seeds.indices[out]].argmax(axis=1) == seeds.codes[out]
        model = LogisticRegression(max_iter=100, tol=1e-3).fit(X[train], seeds.codes[~out])
        right[1, out] = model.predict(X[seeds.indices[out]]) == seeds.codes[out]
    for features, best in ((None, right[0].sum()), (X, right.sum(axis=1).max())):
        expected = beta.ppf([[0.1], [0.9]], best + 0.5, seeds.size - best + 0.5)
        np.testing.assert_allclose(believable_range(problem, features), expected)
    assert 0 < right[0].sum() < seeds.size


def test_a_single_label_of_each_class_says_nothing():
    X, y = make_blobs(90, centers=3, random_state=0)
    least, most = believable_range(problem_of(X, y, first_of_each(y, 1)), X)
    assert not least.any()
    assert (most == 1.0).all()


def test_each_component_has_its_own_bound():
    X, y = make_blobs(200, centers=[[0, 0], [1, 0], [60, 0], [66, 0]], cluster_std=1.0, random_state=0)
    y = y % 2
    problem = problem_of(X, y, np.concatenate([first_of_each(np.where(X[:, 0] < 30, y, -1), 8)[8:], []]).astype(int))
    least, bounds = believable_range(problem, None)
    assert problem.graph.n_components >= 2
    with_labels = np.unique(problem.graph.components[problem.seeds.indices])
    others = np.setdiff1d(np.arange(problem.graph.n_components), with_labels)
    assert (bounds[others] == 1.0).all()
    assert not least[others].any()
    assert ((least[with_labels] > 0.0) & (bounds[with_labels] < 1.0)).all()


@pytest.mark.parametrize("per_class", [5, 20])
def test_classes_that_nothing_tells_apart_are_not_believed(per_class):
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((900, 6)), rng.integers(0, 6, 900)
    given = np.full(900, -1)
    nodes = first_of_each(y, per_class)
    given[nodes] = y[nodes]
    model = FewLabelClassifier().fit(X, given)
    sure = model.label_distributions_.max(axis=1)[given < 0].mean()
    assert sure < 1 / 6 + {5: 0.25, 20: 0.1}[per_class]


def test_what_graph_and_features_tell_differently_is_doubted():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((600, 40))
    y = (X[:, 0] > 0).astype(int)
    given = np.full(600, -1)
    given[first_of_each(y, 1)] = [0, 1]
    told = FewLabelClassifier().fit(X, given)
    agreed = told._answer.spread.redrawn.agreed
    assert agreed is not None
    assert 0 <= agreed[0] < 0.8


def test_labels_stand_for_the_nodes_of_their_class():
    X, y = make_blobs(300, centers=3, cluster_std=3.5, random_state=1)
    problem = problem_of(X, y, first_of_each(y, 5))
    graph, seeds = problem.graph, problem.seeds
    assert graph.n_components == 1
    part, right = parts_of_labels(graph, seeds), np.zeros(seeds.size, dtype=bool)
    for which in range(PARTS):
        out = part == which
        u = damped_poisson(graph, seeds.indices[~out], seeds.codes[~out], 3)
        right[out] = u[seeds.indices[out]].argmax(axis=1) == seeds.codes[out]
    sizes = np.array([200, 80, 20])
    weights = (sizes / 5)[seeds.codes]
    share, as_many = (weights * right).sum() / weights.sum(), weights.sum() ** 2 / (weights**2).sum()
    expected = beta.ppf([[0.1], [0.9]], share * as_many + 0.5, (1 - share) * as_many + 0.5)
    codes = np.repeat(np.arange(3), sizes)
    np.testing.assert_allclose(believable_range(problem, None, codes), expected)
    assert believable_range(problem)[1] != pytest.approx(expected[1])


def test_one_large_class_is_not_doubted_for_the_sake_of_small_ones():
    rng = np.random.default_rng(0)
    sizes = [1800, *[30] * 5]
    y = np.repeat(np.arange(6), sizes)
    X = np.concatenate([rng.normal(size=(1800, 5)), 2.2 + 0.6 * rng.normal(size=(150, 5)) + rng.normal(size=(150, 1))])
    given = np.full(y.size, -1)
    nodes = np.concatenate([rng.choice(np.flatnonzero(y == c), 8, replace=False) for c in range(6)])
    given[nodes] = y[nodes]
    model = FewLabelClassifier().fit(X, given)
    found = model._answer
    (least,), _ = found.spread.redrawn.believable
    told = replace(found.spread.redrawn, by_features=None)
    with_bounds, without = (
        decide(found.spread.scores, found.graph, found.seeds, redrawn=redrawn).probabilities
        for redrawn in (told, replace(told, believable=None))
    )
    right = (model.transduction_ == y)[given < 0].mean()
    bounded, lower = (rows.max(axis=1)[given < 0].mean() for rows in (with_bounds, without))
    assert lower < least - 0.05 < right
    assert bounded == pytest.approx(least, abs=0.02)


def test_classes_of_one_label_are_not_told_of():
    X, y = make_blobs(300, centers=3, cluster_std=2.0, random_state=1)
    problem = problem_of(X, y, np.concatenate([first_of_each(y, 6)[:6], first_of_each(y, 1)[1:]]))
    codes = np.repeat(np.arange(3), [150, 100, 50])
    least, most = believable_range(problem, None, codes)
    (by_first,), (up_to,) = believable_range(problem, None, np.zeros(300, dtype=int))
    assert problem.graph.n_components == 1
    assert least == pytest.approx(by_first / 2)
    assert most == pytest.approx(1 - (1 - up_to) / 2)
