"""What to label next."""

from dataclasses import replace

import numpy as np
import oracles
import pytest
from gallery import disconnected, ring_of_blobs, some_seeds
from sklearn.datasets import load_digits

from fewlabels import FewLabelClassifier, Graph, InterfaceLaplace, LabelingLoop, Laplace, Seeds, active
from fewlabels.active import STRATEGIES, suggested
from fewlabels.decision import decide
from fewlabels.green import green


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


@pytest.mark.parametrize("labelled", [5, 300])
def test_what_is_asked_follows_a_covariance_that_never_overflows(labelled):
    X, y = load_digits(return_X_y=True)
    graph = Graph.from_features(X[:800])
    nodes = np.random.default_rng(0).permutation(800)[:labelled]
    loop = LabelingLoop(graph)
    loop.label(nodes, y[nodes])
    with np.errstate(all="raise", under="ignore"):
        asked = loop.suggest(30)
    assert np.unique(asked).size == 30
    assert not set(asked.tolist()) & set(nodes.tolist())


def test_a_long_group_of_one_class_is_not_asked_about_again_and_again(shared_graph, shared_labels):
    truth, loop = shared_labels("mnist"), LabelingLoop(shared_graph("mnist"), "poisson")
    for _ in range(5):
        row = loop.suggest(1)
        loop.label(row, truth[row])
    assert len(set(loop.labels.values())) >= 4


def test_no_more_columns_are_solved_for_than_there_is_time_for(monkeypatch):
    graph = Graph.from_features(np.random.default_rng(0).normal(size=(300, 3)))
    seeds = Seeds.from_classes(np.arange(150), np.arange(150) % 2)
    decision, widths = decide(Laplace().scores(graph, seeds), graph, seeds), []

    def watched(graph, B, **options):
        widths.append(B.shape[1])
        return green(graph, B, **options)

    monkeypatch.setattr(active, "green", watched)
    assert suggested(graph, seeds, decision, 3).min() >= 150
    assert widths == [active.MOST_SOLVED]
