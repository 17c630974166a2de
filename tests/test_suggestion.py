"""What to label next, and labels that come later."""

from dataclasses import replace

import numpy as np
import oracles
import pytest
from gallery import blob_points, disconnected, ring_of_blobs, some_seeds

from fewlabels import FewLabelClassifier, FewlabelsError, Graph, InterfaceLaplace, Laplace, Seeds
from fewlabels.active import STRATEGIES, suggested
from fewlabels.decision import decide


def problem(labels=1, seed=0):
    X, truth = blob_points(noise=0.35, size=60)
    rng = np.random.default_rng(seed)
    y = np.full(truth.size, -1)
    for j in range(4):
        rows = rng.choice(np.flatnonzero(truth == j), size=labels, replace=False)
        y[rows] = j
    return X, truth, y


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_suggestions_are_different_unlabelled_nodes(strategy):
    graph = ring_of_blobs()
    seeds = some_seeds(graph)
    decision = decide(InterfaceLaplace().scores(graph, seeds), graph, seeds)
    found = suggested(graph, seeds, decision, 12, strategy=strategy)
    assert len(set(found.tolist())) == 12
    assert not set(found.tolist()) & set(seeds.indices.tolist())
    everything = suggested(graph, seeds, decision, 10_000, strategy=strategy)
    assert everything.size <= graph.n_nodes - seeds.size


def test_a_part_without_labels_is_asked_about_first():
    graph = disconnected()
    lonely = np.bincount(graph.components).argmin()
    rest = np.flatnonzero(graph.components != lonely)
    seeds = Seeds.from_classes(rest[[0, -1]], [0, 1])
    decision = decide(Laplace().scores(graph, seeds), graph, seeds)
    first = suggested(graph, seeds, decision, 1)
    reached = {graph.components[node] for node in seeds.indices}
    assert graph.components[first[0]] not in reached


def test_a_batch_leaves_less_variance_than_its_best_points_alone():
    graph = ring_of_blobs()
    seeds = Seeds.from_classes([3], [0], n_classes=2)
    decision = decide(Laplace().scores(graph, seeds), graph, seeds)
    G = np.linalg.pinv(oracles.laplacian(graph.weights.toarray()), hermitian=True)
    noise = 0.1 * G.diagonal().mean()

    def left(nodes):
        known = np.concatenate([seeds.indices, nodes])
        K = G[np.ix_(known, known)] + noise * np.eye(known.size)
        return np.trace(G - G[:, known] @ np.linalg.solve(K, G[known]))

    batch = suggested(graph, seeds, decision, 3)
    alone = sorted(set(range(graph.n_nodes)) - {3}, key=lambda node: left(np.array([node])))[:3]
    assert left(batch) < 0.9 * left(np.array(alone))
    assert left(batch[:1]) < 1.2 * left(np.array(alone[:1]))


def test_typical_points_are_asked_about(monkeypatch):
    monkeypatch.setattr("fewlabels.active.CANDIDATES", 10)
    rng = np.random.default_rng(0)
    graph = Graph.from_features(rng.normal(size=(400, 5)))
    seeds = Seeds.from_classes([0, 1], [0, 1])
    decision = decide(Laplace().scores(graph, seeds), graph, seeds)
    counts = np.diff(graph.weights.indptr)
    found = suggested(graph, seeds, decision, 5)
    assert counts[found].min() >= np.median(counts)
    assert np.mean(counts[suggested(graph, seeds, decision, 5, strategy="random")]) < np.mean(counts[found])


def test_of_points_that_tell_as_much_one_of_the_class_with_fewest_labels_is_asked_about():
    part = ring_of_blobs().weights.toarray()
    size = len(part)
    graph = Graph.from_weights(np.kron(np.eye(3), part))
    seeds = Seeds.from_classes([5, 5 + size, 5 + 2 * size], [0, 0, 1])
    decision = decide(Laplace().scores(graph, seeds), graph, seeds)
    assert [suggested(graph, seeds, decision, 1, random_state=t)[0] // size for t in range(5)] == [2] * 5


def test_of_points_that_tell_as_much_one_in_doubt_is_asked_about():
    part = ring_of_blobs().weights.toarray()
    size = len(part)
    graph = Graph.from_weights(np.kron(np.eye(2), part))
    seeds = Seeds.from_classes([5, 30, 5 + size, 30 + size], [0, 1, 0, 1])
    decision = decide(Laplace().scores(graph, seeds), graph, seeds)
    for place in range(2):
        doubt = np.where(np.arange(2 * size) // size == place, 0.9, 0.1)
        found = suggested(graph, seeds, replace(decision, doubt=doubt), 1)
        assert found[0] // size == place


def test_labels_added_later_give_what_a_fresh_fit_gives():
    X, truth, y = problem()
    model = FewLabelClassifier().fit(X, y)
    rows = model.suggest(5)
    model.add_labels(rows, truth[rows])
    y[rows] = truth[rows]
    fresh = FewLabelClassifier().fit(X, y)
    np.testing.assert_allclose(model.scores_, fresh.scores_, atol=1e-4 * np.abs(fresh.scores_).max())
    np.testing.assert_array_equal(model.transduction_, fresh.transduction_)
    np.testing.assert_allclose(model.label_distributions_, fresh.label_distributions_, atol=1e-4)
    assert (model.transduction_[rows] == truth[rows]).all()


@pytest.mark.parametrize("options", [{"method": "poisson"}, {"refine": "mbo"}, {"class_prior": [0.25] * 4}])
def test_added_labels_work_whatever_the_method(options):
    X, truth, y = problem()
    model = FewLabelClassifier(**options).fit(X, y)
    rows = model.suggest(3, strategy="margin")
    model.add_labels(rows, truth[rows])
    assert (model.transduction_[rows] == truth[rows]).all()
    np.testing.assert_allclose(model.label_distributions_.sum(axis=1), 1)


def test_a_label_may_be_corrected_and_a_new_class_may_appear():
    X, _, y = problem()
    names = np.array(["a", "b", "c", "d"], dtype=object)[np.maximum(y, 0)]
    names[y < 0] = ""
    model = FewLabelClassifier().fit(X, names)
    labelled = int(np.flatnonzero(y == 0)[0])
    model.add_labels([labelled], ["z"])
    assert model.transduction_[labelled] == "z"
    assert model.classes_.tolist() == ["b", "c", "d", "z"]


@pytest.mark.parametrize(
    ("rows", "labels", "sentence"),
    [
        ([], [], "at least one"),
        ([1, 1], [0, 1], "different numbers"),
        ([10**6], [0], "different numbers from 0"),
        ([1.5], [0], "takes row numbers"),
        ([1], [-1], "is empty"),
    ],
)
def test_bad_additions_get_one_sentence_and_change_nothing(rows, labels, sentence):
    X, _, y = problem()
    model = FewLabelClassifier().fit(X, y)
    before = model.transduction_.copy()
    with pytest.raises(FewlabelsError, match=sentence):
        model.add_labels(rows, labels)
    np.testing.assert_array_equal(model.transduction_, before)
    with pytest.raises(FewlabelsError, match="choose one of mixed"):
        model.suggest(1, strategy="best")
    with pytest.raises(FewlabelsError, match="at least 1"):
        model.suggest(0)


def test_asking_beats_margin_alone_on_digits():
    from sklearn.datasets import load_digits

    X, truth = load_digits(return_X_y=True)
    found = {"mixed": [], "margin": []}
    for t in range(4):
        rng = np.random.default_rng(t)
        start = [int(rng.choice(np.flatnonzero(truth == j))) for j in range(10)]
        for strategy, accuracies in found.items():
            y = np.full(truth.size, -1)
            y[start] = truth[start]
            model = FewLabelClassifier().fit(X, y)
            rows = model.suggest(20, strategy=strategy, random_state=t)
            accuracies.append(np.mean(model.add_labels(rows, truth[rows]).transduction_ == truth))
    assert np.mean(found["mixed"]) > np.mean(found["margin"])


def test_what_is_refused_leaves_the_fitted_model_as_it_was():
    X, truth, y = problem()
    model = FewLabelClassifier(class_prior=[0.25] * 4).fit(X, y)
    before = {name: np.array(getattr(model, name)) for name in ("transduction_", "reached_", "label_distributions_")}
    model.set_params(class_prior=[1e-6, 1.0, 1.0, 1.0])
    with pytest.raises(FewlabelsError, match="raise its share"):
        model.fit(X[:100], y[:100] * 0 + np.where(np.arange(100) < 4, np.arange(100), -1))
    with pytest.raises(FewlabelsError, match="raise its share"):
        model.add_labels([int(np.flatnonzero(y < 0)[0])], [0])
    for name, value in before.items():
        np.testing.assert_array_equal(getattr(model, name), value)
    assert model.predict(X + 0.01).size == truth.size


def test_everything_labelled_is_kept_whatever_the_sizes():
    model = FewLabelClassifier(class_prior=[0.5, 0.5]).fit([[0.0], [1.0]], ["a", "b"])
    assert model.transduction_.tolist() == ["a", "b"]
    assert model.suggest(3).size == 0
