"""With many labels contenders are weighed by labels left out, without a table of columns."""

import numpy as np
import oracles
import pytest
from gallery import disconnected

from fewlabels import FewLabelClassifier, Graph, Seeds
from fewlabels.answer import answer
from fewlabels.linear import linear_probabilities
from fewlabels.loop import LabelingLoop
from fewlabels.methods import Auto
from fewlabels.methods.evidence import HARDLY_ANY, Evidence
from fewlabels.methods.left_out import parts_of_labels
from fewlabels.methods.many_labels import MANY, PER_CLASS, SHARPNESS, are_many, weighed_again, weighed_by_many


def overlapping(n=1500, classes=3, seed=0, apart=2.0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(classes, size=n)
    return rng.normal(size=(n, 5)) + apart * np.eye(5)[truth], truth


@pytest.fixture(name="given", scope="module")
def _given():
    X, truth = overlapping()
    nodes = np.random.default_rng(1).permutation(len(X))[: MANY + 100]
    return X, truth, Graph.from_features(X), Seeds.from_classes(nodes, truth[nodes])


def harmonic(graph, nodes, targets):
    """Solve L u = 0 off the labels, dense."""
    L = oracles.laplacian(graph.weights.toarray())
    free = np.setdiff1d(np.arange(len(L)), nodes)
    u = np.zeros((len(L), targets.shape[1]))
    u[nodes] = targets
    u[free] = np.linalg.solve(L[np.ix_(free, free)], -L[np.ix_(free, nodes)] @ targets)
    return u


def test_there_are_many_only_if_every_class_has_its_share():
    few = Seeds.from_classes(np.arange(MANY), np.arange(MANY) % 2)
    many = Seeds.from_classes(np.arange(MANY + 1), np.arange(MANY + 1) % 2)
    classes = MANY // PER_CLASS + 10
    thin = Seeds.from_classes(np.arange(MANY + 1), np.arange(MANY + 1) % classes)
    assert [are_many(each) for each in (few, many, thin)] == [False, True, False]


def test_labels_are_told_of_by_the_others_alone(given):
    _, _, graph, seeds = given
    found = weighed_by_many(graph, seeds, None, None)
    assert [each.name for each in found.chosen] == ["laplace"]
    part, right = parts_of_labels(graph, seeds), np.zeros(seeds.size, dtype=bool)
    for which in range(5):
        rest = part != which
        u = harmonic(graph, seeds.indices[rest], seeds.targets[rest])
        right[~rest] = u[seeds.indices[~rest]].argmax(axis=1) == seeds.codes[~rest]
    assert found.chosen[0].returned == pytest.approx(right.mean(), abs=0.01)
    least, most = found.redrawn.believable[:, 0]
    assert right.mean() - 0.04 < least < right.mean() < most < right.mean() + 0.04
    whole = harmonic(graph, seeds.indices, seeds.targets)
    assert np.mean(found.rows.argmax(axis=1) == whole.argmax(axis=1)) > 0.995


def test_every_label_left_out_counts_alike_where_a_class_has_few():
    X, truth = overlapping(apart=1.0)
    rare = truth == 2
    kept = np.flatnonzero(~rare | (np.cumsum(rare) <= 60))
    X, truth = X[kept], truth[kept]
    nodes = np.random.default_rng(1).permutation(len(X))[: MANY + 200]
    graph, seeds = Graph.from_features(X), Seeds.from_classes(nodes, truth[nodes])
    found = weighed_by_many(graph, seeds, None, None)
    ((_, codes),) = found.redrawn.votes
    right = codes[nodes] == seeds.codes
    by_class = np.mean([right[seeds.codes == j].mean() for j in range(3)])
    assert found.chosen[0].returned == pytest.approx(right.mean())
    assert abs(right.mean() - by_class) > 0.03


def test_weights_grow_with_what_comes_back(given):
    X, _, graph, seeds = given
    chosen = weighed_by_many(graph, seeds, X, None).chosen
    assert len(chosen) == 3
    share = np.array([each.returned for each in chosen])
    wanted = np.exp(SHARPNESS * share) / np.where([each.name == "laplace" for each in chosen], 1, 2)
    np.testing.assert_allclose([each.weight for each in chosen], wanted / wanted.sum())
    assert chosen[0].weight == max(each.weight for each in chosen)


def test_a_classifier_of_features_learns_from_no_more_labels_than_it_has_time_for(given, monkeypatch):
    X, _, graph, seeds = given
    learnt = []

    def watched(features, some, **options):
        learnt.append(some)
        return linear_probabilities(features, some, **options)

    monkeypatch.setattr("fewlabels.methods.contenders.linear_probabilities", watched)
    weighed_by_many(graph, seeds, X, None)
    assert max(each.size for each in learnt) == seeds.size
    learnt.clear()
    monkeypatch.setattr("fewlabels.methods.many_labels.MANY", 30)
    monkeypatch.setattr("fewlabels.methods.many_labels.MOST_WORK", 1)
    weighed_by_many(graph, seeds, X, None)
    assert {each.size for each in learnt} == {30}
    assert all((np.bincount(each.codes) == 10).all() for each in learnt)


def test_confidence_is_as_labels_left_out_say():
    X, truth = overlapping(3000, apart=1.5)
    nodes = np.random.default_rng(2).permutation(len(X))[: MANY + 1]
    y = np.full(len(X), -1)
    y[nodes] = truth[nodes]
    model = FewLabelClassifier().fit(X, y)
    free = y < 0
    right = np.mean(model.transduction_[free] == truth[free])
    assert abs(model.label_distributions_[free].max(axis=1).mean() - right) < 0.05
    assert {each.name for each in model.chosen_} >= {"laplace", "logistic regression"}


def test_a_loop_goes_from_few_to_many_and_back(given):
    X, truth, graph, _ = given
    nodes = np.random.default_rng(3).permutation(len(X))[: MANY + 1]
    loop = LabelingLoop(graph, Auto(X))
    loop.label(nodes[:-1], truth[nodes[:-1]])
    few = loop.answer.labelled.labels
    loop.label(nodes[-1:], truth[nodes[-1:]])
    assert loop.answer.spread.columns is None
    assert np.mean(loop.answer.labelled.labels == few) > 0.9
    assert not np.isin(loop.suggest(5), nodes).any()
    loop.undo()
    assert loop.answer.spread.columns is not None
    np.testing.assert_array_equal(loop.answer.labelled.labels, few)


def test_the_same_labels_weighed_again_give_the_same(given):
    X, _, graph, seeds = given
    found = weighed_by_many(graph, seeds, X, None)
    assert min(each.weight for each in found.chosen) >= HARDLY_ANY
    np.testing.assert_allclose(weighed_again(graph, seeds, X, None, found.chosen), found.rows, atol=1e-6)
    alone = weighed_again(graph, seeds, X, None, [Evidence("laplace", 1.0, 1.0, 0.96)])
    np.testing.assert_allclose(alone, weighed_by_many(graph, seeds, None, None).rows, atol=1e-6)


def test_a_label_more_takes_the_evidence_over(given, monkeypatch):
    X, truth, graph, seeds = given
    loop = LabelingLoop(graph, Auto(X))
    loop.label(seeds.indices, truth[seeds.indices])
    chosen, node = loop.answer.chosen, int(np.setdiff1d(np.arange(len(X)), seeds.indices)[0])
    with monkeypatch.context() as patched:
        patched.setattr("fewlabels.methods.auto.weighed_by_many", None)
        loop.label([node], [truth[node]])
    assert loop.answer.chosen == chosen
    fresh = answer(graph, loop.answer.seeds, Auto(X)).labelled
    assert np.mean(loop.answer.labelled.codes == fresh.codes) > 0.99
    assert loop.answer.labelled.labels[node] == truth[node]
    loop.label(np.arange(len(X))[:400], truth[:400])
    assert loop.answer.chosen != chosen


def test_wrong_labels_among_many_are_found():
    X, truth = overlapping(apart=8.0)
    nodes = np.random.default_rng(4).permutation(len(X))[: MANY + 60]
    names = truth[nodes].copy()
    names[:5] = (names[:5] + 1) % 3
    graph = Graph.from_features(X)
    slips, instead = answer(graph, Seeds.from_classes(nodes, names), Auto(X)).contradicted()
    assert set(slips) == set(nodes[:5])
    assert (instead == truth[slips]).all()


def test_a_prior_is_kept(given):
    X, truth, graph, seeds = given
    known = Seeds.from_classes(seeds.indices, truth[seeds.indices], class_prior=[0.5, 0.3, 0.2])
    sizes = np.bincount(answer(graph, known, Auto(X), keep_sizes=True).labelled.codes, minlength=3)
    np.testing.assert_allclose(sizes / sizes.sum(), [0.5, 0.3, 0.2], atol=0.01)


def test_parts_without_labels_and_classes_in_one_part_alone(monkeypatch):
    monkeypatch.setattr("fewlabels.methods.many_labels.MANY", 3)
    monkeypatch.setattr("fewlabels.methods.many_labels.PER_CLASS", 1)
    graph = disconnected()
    nodes = np.flatnonzero(graph.components != graph.components.max())
    seeds = Seeds.from_classes(nodes, graph.components[nodes] % 2)
    found = answer(graph, seeds, Auto()).labelled
    assert np.isfinite(found.probabilities).all()
    assert (found.codes[nodes] == seeds.codes).all()
