import warnings
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from gallery import blob_points, disconnected, ring_of_blobs, some_seeds
from sklearn.datasets import load_digits

from fewlabels import FewLabelClassifier, FewlabelsError, Graph, Seeds
from fewlabels.labels import draw
from fewlabels.methods import Auto, WeighedSpread
from fewlabels.methods.contenders import AveragedLinear, Linear, Problem
from fewlabels.methods.evidence import Weigher


def test_every_contender_and_its_evidence_is_told():
    graph = ring_of_blobs()
    spread = Auto().spread(graph, some_seeds(graph))
    assert isinstance(spread, WeighedSpread)
    names = {each.name for each in spread.chosen}
    assert {"interface-laplace", "interface-laplace, every node", "poisson"} <= names
    assert "logistic regression" not in names
    weights = [each.weight for each in spread.chosen]
    assert weights == sorted(weights, reverse=True)
    assert sum(weights) == pytest.approx(1.0)
    np.testing.assert_allclose(np.exp(spread.scores).sum(axis=1), 1.0)


def test_balls_of_equal_shares_count_more_where_several_classes_are_even(monkeypatch):
    told = []
    weighed = Weigher.weighed
    monkeypatch.setattr(Weigher, "weighed", lambda self, favour: (told.append(favour), weighed(self, favour))[1])
    graph = ring_of_blobs()
    three = some_seeds(graph)
    Auto().spread(graph, three)
    two = three.codes < 2
    Auto().spread(graph, Seeds.from_classes(three.indices[two], three.codes[two]))
    assert told[0]["interface-laplace"] > 1.2
    assert told[1]["interface-laplace"] == 1.0


def test_features_make_logistic_regression_a_contender_and_two_labels_per_class_laplace():
    X, truth = blob_points()
    one, two = (draw(truth, count, random_state=0) for count in (1, 2))
    graph = Graph.from_features(X)
    few, more = ({each.name for each in Auto().with_features(X).spread(graph, s).chosen} for s in (one, two))
    assert "logistic regression" in few
    assert "laplace" not in few
    assert "laplace" in more


def test_how_many_features_there_are_and_how_far_their_classifiers_agree_is_told():
    rng = np.random.default_rng(0)
    truth = np.repeat(np.arange(3), 100)
    X = rng.normal(size=(3, 4))[truth] + rng.normal(size=(300, 4))
    graph, seeds = Graph.from_features(X), draw(truth, 2, random_state=0)
    spread = Auto().with_features(X).spread(graph, seeds)
    free = np.setdiff1d(np.arange(300), seeds.indices)
    problem = Problem(graph, seeds, np.zeros((300, 0)))
    said = [each.scores([problem])[0].argmax(axis=1) for each in (Linear(X), AveragedLinear(X))]
    alike = np.mean([codes[free] == spread.scores[free].argmax(axis=1) for codes in said])
    assert 0.5 < alike < 0.95
    assert spread.redrawn.by_features == (4, pytest.approx(alike, abs=0.005))
    assert Auto().spread(graph, seeds).redrawn.by_features is None


@pytest.mark.parametrize("dress", [np.asarray, sp.csr_matrix, lambda X: X.tolist()], ids=["array", "sparse", "list"])
def test_features_in_any_dress(dress):
    X, truth = blob_points()
    graph, seeds = Graph.from_features(X), draw(truth, 2, random_state=0)
    found = Auto().with_features(dress(X)).scores(graph, seeds)
    np.testing.assert_allclose(found, Auto().with_features(X).scores(graph, seeds), atol=0.05)


def test_digits_are_labelled_at_least_as_well_as_before():
    X, truth = load_digits(return_X_y=True)
    graph = Graph.from_features(X)
    right = []
    for t in range(3):
        seeds = draw(truth, 1, random_state=t)
        scores = [method.scores(graph, seeds) for method in (Auto().with_features(X),)]
        right.append(np.mean(scores[0].argmax(axis=1) == truth))
    assert np.mean(right) > 0.88


def test_points_that_no_label_reaches_are_judged_by_their_features():
    X, truth = blob_points(blobs=4, size=40, noise=0.1)
    X = np.vstack([X, X[truth == 0] + 0.5])
    y = np.full(len(X), -1)
    y[[0, 41, 81, 121]] = range(4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = FewLabelClassifier(n_neighbors=4).fit(X, y)
    lost = ~model.reached_
    assert lost.any()
    assert np.ptp(model.label_distributions_[lost].max(axis=1)) > 0
    np.testing.assert_allclose(model.label_distributions_.sum(axis=1), 1.0)


def test_a_known_prior_favours_its_class():
    graph = ring_of_blobs()
    sizes = [
        (Auto().scores(graph, Seeds.from_classes([3, 50], [0, 1], class_prior=prior)).argmax(axis=1) == 0).sum()
        for prior in ([0.1, 0.9], [0.5, 0.5], [0.9, 0.1])
    ]
    assert sizes == sorted(sizes)


def test_order_of_rows_does_not_move_labels_or_confidence():
    X, truth = blob_points(noise=1.0, size=60)
    y = np.full(truth.size, -1)
    nodes = draw(truth, 2, random_state=0).indices
    y[nodes] = truth[nodes]
    order = np.random.default_rng(1).permutation(truth.size)
    one, other = FewLabelClassifier().fit(X, y), FewLabelClassifier().fit(X[order], y[order])
    np.testing.assert_array_equal(one.transduction_[order], other.transduction_)
    np.testing.assert_allclose(one.label_distributions_[order], other.label_distributions_, atol=0.01)


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_a_point_between_two_labels_by_symmetry_is_even(kind):
    """As scikit-learn asks of its label propagation: a fitted point, and a new one."""
    X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], dtype=kind)
    model = FewLabelClassifier(n_neighbors=2).fit(X, [0, 1, -1])
    np.testing.assert_allclose(model.label_distributions_[2], 0.5, atol=1e-3)
    X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 2.5]], dtype=kind)
    model = FewLabelClassifier(n_neighbors=2).fit(X, [0, 1, -1])
    np.testing.assert_allclose(model.predict_proba([[1.0, 1.0]]), [[0.5, 0.5]])


def test_one_class_and_several_components_have_an_answer():
    graph = disconnected()
    assert (Auto().scores(graph, Seeds.from_classes([0], ["only"])).argmax(axis=1) == 0).all()
    assert np.isfinite(Auto().scores(graph, some_seeds(graph))).all()


def test_values_are_refused():
    with pytest.raises(FewlabelsError, match="is for classes"):
        Auto().scores(ring_of_blobs(), Seeds.from_values([0, 5], [1.0, 2.0]))


def test_beyond_the_table_interface_laplace_answers_alone(monkeypatch):
    monkeypatch.setattr("fewlabels.methods.auto.TABLE_ENTRIES", 10)
    graph = ring_of_blobs()
    assert not isinstance(Auto().spread(graph, some_seeds(graph)), WeighedSpread)


def test_one_more_label_is_taken_in_without_starting_over(monkeypatch):
    monkeypatch.setattr("fewlabels.methods.weighed.QUICK", 0)
    X, truth = load_digits(return_X_y=True)
    graph, method = Graph.from_features(X), Auto().with_features(X)
    few = draw(truth, 2, random_state=0)
    before = method.spread(graph, few)
    other = int(np.setdiff1d(np.arange(truth.size), few.indices)[100])
    more = Seeds.from_classes([*few.indices, other], [*truth[few.indices], truth[other]])
    gathered = []
    weighed = Weigher.weighed
    monkeypatch.setattr(Weigher, "weighed", lambda self, *favour: (gathered.append(1), weighed(self, *favour))[1])
    again = method.spread_again(graph, more, before, few)
    assert not gathered, "evidence is taken over"
    assert again.chosen == before.chosen
    fresh = method.spread(graph, more)
    assert np.mean(again.scores.argmax(axis=1) == fresh.scores.argmax(axis=1)) > 0.99
    np.testing.assert_allclose(again.columns, fresh.columns, atol=1e-6 * np.abs(fresh.columns).max())


def test_evidence_is_gathered_anew_for_many_more_labels_and_new_classes():
    X, truth = load_digits(return_X_y=True)
    graph, method = Graph.from_features(X), Auto().with_features(X)
    few = draw(truth, 1, random_state=0)
    before = method.spread(graph, few)
    many = draw(truth, 2, random_state=0)
    new = Seeds.from_classes([*few.indices, 1000], [*truth[few.indices].astype(str), "new"])
    for seeds in (many, new):
        found = method.spread_again(graph, seeds, before, few)
        np.testing.assert_array_equal(found.scores, method.spread(graph, seeds).scores)
        assert found.gathered == seeds.size


def test_one_more_label_is_answered_as_sharply_as_the_evidence_says(monkeypatch):
    monkeypatch.setattr("fewlabels.methods.weighed.QUICK", 0)
    X, truth = blob_points(noise=1.2)
    graph = Graph.from_features(X, n_neighbors=8)
    nodes = np.concatenate([np.flatnonzero(truth == j)[:3] for j in range(4)])
    method, seeds = Auto().with_features(X), Seeds.from_classes(nodes, truth[nodes])
    more = Seeds.from_classes(np.append(nodes, 159), truth[np.append(nodes, 159)])
    before = method.spread(graph, seeds)
    assert any(each.weight >= 0.05 for each in before.chosen if each.name.startswith("logistic"))

    def again(sharpness):
        chosen = [replace(each, sharpness=sharpness) for each in before.chosen]
        return method.spread_again(graph, more, replace(before, chosen=tuple(chosen)), seeds).scores

    assert np.abs(again(8.0) - again(1.0)).max() > 0.1
