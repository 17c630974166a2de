from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_digits

from fewlabels import Graph, Seeds
from fewlabels.labels import draw
from fewlabels.methods import Auto
from fewlabels.methods.weighed import has_enough_for_laplace


@pytest.fixture(name="known", scope="module")
def _known():
    X, truth = load_digits(return_X_y=True)
    graph, seeds = Graph.from_features(X), draw(truth, 3, random_state=0)
    return graph, truth, seeds, Auto().spread(graph, seeds)


def with_more(truth, seeds, count):
    others = np.setdiff1d(np.arange(truth.size), seeds.indices)[:count]
    nodes = np.concatenate([seeds.indices, others])
    return Seeds.from_classes(nodes, truth[nodes])


def test_evidence_holds_for_a_few_more_labels_on_a_large_graph_alone(known, monkeypatch):
    graph, truth, seeds, spread = known
    assert not spread.holds_for(graph, with_more(truth, seeds, 1), seeds)
    monkeypatch.setattr("fewlabels.methods.weighed.QUICK", 0)
    assert spread.holds_for(graph, with_more(truth, seeds, 1), seeds)
    assert not spread.holds_for(graph, with_more(truth, seeds, 9), seeds)


def test_evidence_does_not_hold_where_laplace_learning_joins(known, monkeypatch):
    graph, truth, _, _ = known
    monkeypatch.setattr("fewlabels.methods.weighed.QUICK", 0)
    nodes = draw(truth, 2, random_state=0).indices
    few, more = (Seeds.from_classes(some, truth[some]) for some in (nodes[:-1], nodes))
    assert (has_enough_for_laplace(few), has_enough_for_laplace(more)) == (False, True)
    assert not Auto().spread(graph, few).holds_for(graph, more, few)


def test_a_label_in_a_part_that_had_none_is_taken_in_without_gathering_anew(monkeypatch):
    monkeypatch.setattr("fewlabels.methods.weighed.QUICK", 0)
    rng = np.random.default_rng(0)
    X = np.vstack(
        [rng.normal(size=(60, 2)) + 50 * place for place in np.eye(2)[[0, 1]]] + [rng.normal(size=(60, 2)) - 90]
    )
    graph, nodes = Graph.from_features(X, n_neighbors=5), np.array([0, 1, 2, 3, 60, 61, 62, 63])
    assert graph.n_components == 3
    method, few = Auto(), Seeds.from_classes(nodes, [0, 1, 0, 1, 1, 0, 1, 0])
    more = Seeds.from_classes(np.append(nodes, 120), [0, 1, 0, 1, 1, 0, 1, 0, 1])
    before = method.spread(graph, few)
    found = method.spread_again(graph, more, before, few)
    assert found.gathered == before.gathered
    assert (found.scores[120:].argmax(axis=1) == 1).all()
    assert (found.redrawn.kept(np.ones(180, dtype=np.int64))[120:] > 0.999).all()
    assert not before.holds_for(graph, few, more)


def test_a_glance_has_an_answer_where_the_contender_that_counted_is_gone(known, monkeypatch):
    graph, truth, seeds, spread = known
    monkeypatch.setattr("fewlabels.methods.weighed.QUICK", 0)
    alone = [replace(each, weight=1.0 if each.name == "laplace" else 1e-4) for each in spread.chosen]
    few = Seeds.from_classes(seeds.indices[::3], truth[seeds.indices[::3]])
    assert not has_enough_for_laplace(few)
    found = Auto().spread_at_a_glance(graph, few, replace(spread, chosen=tuple(alone)), seeds)
    assert np.isfinite(found.scores).all()
    assert np.mean(found.scores.argmax(axis=1) == truth) > 0.7
