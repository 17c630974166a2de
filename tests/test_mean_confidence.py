"""How sure labels may be on average."""

from dataclasses import replace

import numpy as np
import pytest

from fewlabels import FewLabelClassifier, Graph
from fewlabels.decision import decide
from fewlabels.drawn import Redrawn
from fewlabels.mean_confidence import bounded, mean_confidence, raised_where_uneven


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
        redrawn = replace(found.spread.redrawn, believable=believable)
        rows = decide(found.spread.scores, found.graph, found.seeds, redrawn=redrawn).probabilities
        return rows.max(axis=1)[y < 0].mean()

    shares = np.bincount(found.labelled.codes) / 1000
    uneven = 1 + (shares * np.log(shares)).sum() / np.log(5)
    before, after = sure(None), sure(np.array([[0.0], [1.0]]))
    assert uneven > 0.1
    assert after - before == pytest.approx(0.6 * 0.8 * uneven * (1 - before), rel=0.3)
