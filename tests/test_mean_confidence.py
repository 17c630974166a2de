"""How sure labels may be on average."""

from dataclasses import replace

import numpy as np
import pytest

from fewlabels import FewLabelClassifier, Graph
from fewlabels.decision import decide
from fewlabels.drawn import Redrawn
from fewlabels.mean_confidence import as_learnt, bounded, mean_confidence, raised_where_uneven


@pytest.fixture(name="path")
def _path():
    return Graph.from_weights(np.diag(np.ones(99), 1) + np.diag(np.ones(99), -1))


def test_labels_that_do_not_come_back_lower_it():
    kept, classes, labels = np.full(3, 0.8), np.full(3, 4), np.full(3, 40)
    found = mean_confidence(kept, np.array([1.0, 0.5, 0.25]), classes, labels)
    np.testing.assert_allclose(found, [0.8, 0.8 * (0.75 + 0.25 / 3), 0.6], atol=1e-4)


def test_only_uneven_sizes_of_several_classes_with_several_labels_raise_it(path):
    even, uneven = np.arange(100) % 4, np.repeat(np.arange(4), [85, 5, 5, 5])
    shares = np.array([0.85, 0.05, 0.05, 0.05])
    entropy = -(shares * np.log(shares)).sum() / np.log(4)

    def raised(codes, classes, labels):
        return float(raised_where_uneven(np.array([0.6]), codes, path, np.array([classes]), np.array([labels]))[0])

    assert raised(even, 4, 20) == pytest.approx(0.6)
    assert raised(uneven, 4, 4) == pytest.approx(0.6)
    assert raised(np.minimum(uneven, 1), 2, 20) == pytest.approx(0.6)
    assert raised(uneven, 4, 20) == pytest.approx(0.6 + 0.5 * 0.8 * (1 - entropy) * 0.4)


def test_labels_left_out_have_the_last_word():
    told = Redrawn((), (), np.ones(4), np.full(4, 0.2), np.array([[0.0, 0.7, 0.0, 0.0], [1.0, 0.9, 0.3, 0.1]]))
    np.testing.assert_allclose(bounded(np.full(4, 0.8), np.full(4, 5), told), [0.5, 0.7, 0.3, 0.2])


def test_the_default_is_surer_where_its_answer_is_uneven():
    rng = np.random.default_rng(0)
    truth = np.repeat(np.arange(5), [900, *[25] * 4])
    X = 1.8 * rng.normal(size=(5, 4))[truth] + rng.normal(size=(1000, 4))
    y = np.full(1000, -1)
    nodes = np.concatenate([rng.choice(np.flatnonzero(truth == c), 5, replace=False) for c in range(5)])
    y[nodes] = truth[nodes]
    found = FewLabelClassifier().fit(X, y)._answer
    assert found.graph.n_components == 1

    def sure(believable):
        redrawn = replace(found.spread.redrawn, believable=believable, by_features=None)
        rows = decide(found.spread.scores, found.graph, found.seeds, redrawn=redrawn).probabilities
        return rows.max(axis=1)[y < 0].mean()

    shares = np.bincount(found.labelled.codes) / 1000
    uneven = 1 + (shares * np.log(shares)).sum() / np.log(5)
    before, after = sure(None), sure(np.array([[0.0], [1.0]]))
    assert uneven > 0.1
    assert after - before == pytest.approx(0.6 * 0.8 * uneven * (1 - before), rel=0.3)


def test_few_labels_few_features_and_disagreement_lower_it_and_nothing_raises_it():
    usual = {"labels": 100, "features": 64, "agreement": 0.95, "classes": 10}
    for mean in np.linspace(0.1, 1.0, 10).tolist():
        found = as_learnt(mean, **usual)
        assert 0.1 <= found <= mean
        for less in ({"labels": 2}, {"features": 2}, {"agreement": 0.3}):
            assert 0.1 <= as_learnt(mean, **(usual | less)) <= found
    assert as_learnt(0.7, **usual) == 0.7
    assert as_learnt(0.7, **(usual | {"features": 5000, "labels": 5000})) == 0.7
    assert as_learnt(0.52, labels=2, features=2, agreement=0.5, classes=2) == 0.5


def test_the_default_says_what_was_learnt_and_keeps_the_order_of_points():
    rng = np.random.default_rng(0)
    truth = np.repeat(np.arange(3), 200)
    X = rng.normal(size=(3, 3))[truth] + rng.normal(size=(600, 3))
    nodes = np.array([0, 200, 400])
    y = np.full(600, -1)
    y[nodes] = truth[nodes]
    found = FewLabelClassifier().fit(X, y)._answer
    told = found.spread.redrawn
    before = decide(
        found.spread.scores,
        found.graph,
        found.seeds,
        redrawn=replace(told, by_features=None),
        beyond=found.spread.beyond,
    )
    free = found.reached & (y < 0)
    sure, was = found.labelled.confidence[free], before.confidence[free]
    wanted = as_learnt(float(was.mean()), 3, *told.by_features, 3)
    assert told.by_features[0] == 3
    assert wanted < was.mean() - 0.05
    assert sure.mean() == pytest.approx(wanted, abs=0.02)
    assert (found.labelled.labels == before.labels).all()
    order = np.argsort(was, kind="stable")
    assert (np.diff(sure[order]) > -1e-6).all()
