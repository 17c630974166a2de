from contextlib import contextmanager

import numpy as np
import pytest
from gallery import disconnected, ring_of_blobs, some_seeds

from fewlabels import InterfaceLaplace, Laplace, Poisson, Seeds
from fewlabels.answer import answer
from fewlabels.decision import decide
from fewlabels.methods import METHODS
from fewlabels.volumes import class_sizes


def test_the_decision_is_made_from_the_scores_of_the_method():
    graph = ring_of_blobs()
    seeds = some_seeds(graph)
    found = answer(graph, seeds, Poisson())
    np.testing.assert_array_equal(found.spread.scores, Poisson().scores(graph, seeds))
    expected = decide(found.spread.scores, graph, seeds)
    np.testing.assert_array_equal(found.labelled.labels, expected.labels)
    np.testing.assert_array_equal(found.labelled.probabilities, expected.probabilities)


def test_sizes_are_kept_only_if_asked_for():
    graph = ring_of_blobs()
    prior = np.array([0.7, 0.2, 0.1])
    seeds = Seeds.from_classes([3, 50, 90], [0, 1, 2], class_prior=prior)
    sizes = [np.bincount(answer(graph, seeds, Poisson(), keep_sizes=keep).labelled.codes) for keep in (True, False)]
    np.testing.assert_array_equal(sizes[0], class_sizes(prior, graph.n_nodes))
    assert (sizes[1] != sizes[0]).any()


def test_a_regression_has_values_the_given_ones_among_them_and_no_decision():
    graph = disconnected()
    seeds = Seeds.from_values([5, 15, 40], [1.0, 3.0, 8.0])
    found = answer(graph, seeds, InterfaceLaplace())
    assert found.decision is None
    others = np.setdiff1d(np.arange(graph.n_nodes), seeds.indices)
    assert found.values[seeds.indices].tolist() == [1.0, 3.0, 8.0]
    np.testing.assert_array_equal(found.values[others], found.spread.scores[others, 0])
    np.testing.assert_array_equal(found.reached, np.arange(90) < 60)


@pytest.mark.parametrize("method", [InterfaceLaplace(), Laplace()], ids=str)
def test_an_answer_before_changes_the_work_and_not_what_is_found(method):
    graph = ring_of_blobs()
    few, more = Seeds.from_classes([3, 50], [0, 1]), Seeds.from_classes([3, 50, 51, 20], [0, 1, 1, 0])
    fresh = answer(graph, more, method)
    again = answer(graph, more, method, before=answer(graph, few, method))
    scale = np.abs(fresh.spread.scores).max()
    np.testing.assert_allclose(again.spread.scores, fresh.spread.scores, atol=1e-8 * scale)
    np.testing.assert_array_equal(again.labelled.labels, fresh.labelled.labels)


def test_what_to_label_next_is_asked_of_this_answer():
    graph = disconnected()
    seeds = Seeds.from_classes([5, 15, 40], [0, 1, 0])
    found = answer(graph, seeds, Poisson()).suggest(3)
    assert len(set(found.tolist()) - set(seeds.indices.tolist())) == 3
    assert graph.components[found[0]] == graph.components[70], "the part without a label comes first"


@pytest.mark.parametrize("name", ["interface-laplace", "plaplace", "mbo"])
def test_where_every_node_is_labelled_nothing_is_solved(name):
    graph = ring_of_blobs()
    order = np.random.default_rng(0).permutation(graph.n_nodes)
    seeds = Seeds.from_classes(order, order % 3)
    found = answer(graph, seeds, METHODS[name]())
    assert found.spread.solves == ()
    assert list(graph.kept) == []
    np.testing.assert_array_equal(found.labelled.labels, np.arange(graph.n_nodes) % 3)
    np.testing.assert_array_equal(found.labelled.confidence, 1.0)
    values = answer(graph, Seeds.from_values(order, order / 7), METHODS["laplace"]()).values
    np.testing.assert_allclose(values, np.arange(graph.n_nodes) / 7)


@pytest.mark.parametrize("name", ["auto", "poisson"])
def test_a_label_that_the_rest_contradicts_is_found(name):
    graph = ring_of_blobs()
    truth = answer(graph, some_seeds(graph), Poisson()).labelled.codes
    nodes = np.concatenate([np.flatnonzero(truth == code)[5:9] for code in np.unique(truth)])
    codes = truth[nodes].copy()
    codes[0] = truth[nodes[-1]]
    found = answer(graph, Seeds.from_classes(nodes, codes), METHODS[name]())
    wrong, instead = found.contradicted()
    assert (wrong[0], instead[0]) == (nodes[0], truth[nodes[0]])
    assert len(wrong) < len(nodes) / 3


def test_where_every_node_is_labelled_nothing_is_contradicted():
    graph = ring_of_blobs()
    seeds = Seeds.from_classes(np.arange(graph.n_nodes), np.arange(graph.n_nodes) % 3)
    assert answer(graph, seeds, Poisson()).contradicted()[0].size == 0


def test_blas_is_held_to_one_thread_while_labels_are_spread_and_asked_for(monkeypatch):
    held, seen = [], []

    @contextmanager
    def holding():
        held.append(1)
        yield
        held.pop()

    class Watched(Poisson):
        def _spread(self, graph, seeds):
            seen.append(len(held))
            return super()._spread(graph, seeds)

    monkeypatch.setattr("fewlabels.answer.one_blas_thread", holding)
    monkeypatch.setattr("fewlabels.active.one_blas_thread", lambda: (seen.append("asked"), holding())[1])
    graph = ring_of_blobs()
    answer(graph, some_seeds(graph), Watched()).suggest(1)
    assert seen == [1, "asked"]
