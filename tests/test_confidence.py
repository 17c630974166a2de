import numpy as np
import pytest
from gallery import blob_points, ring_of_blobs, some_seeds
from oracles import one_hot

from fewlabels import Graph, InterfaceLaplace, Poisson, Seeds
from fewlabels.confidence import _in_order_of, trusted_rows, with_confidence
from fewlabels.decision import decide
from fewlabels.drawn import Redrawn
from fewlabels.labels import draw
from fewlabels.reach import reach_of


def test_confidence_is_high_where_labels_are_stable_and_low_where_they_are_not():
    sure = {}
    for noise in (0.2, 3.0):
        X, truth = blob_points(noise=noise, size=80)
        graph = Graph.from_features(X, n_neighbors=8)
        nodes = np.array([int(np.flatnonzero(truth == j)[0]) for j in range(4)])
        seeds = Seeds.from_classes(nodes, range(4))
        sure[noise] = decide(InterfaceLaplace().scores(graph, seeds), graph, seeds).confidence.mean()
    assert sure[0.2] > 0.95
    assert sure[3.0] < 0.8


def test_of_equal_margins_the_label_that_redrawn_ones_give_is_surer(monkeypatch):
    graph = ring_of_blobs()
    seeds = some_seeds(graph)
    codes = InterfaceLaplace().scores(graph, seeds).argmax(axis=1)
    scores = one_hot(codes, seeds.targets.shape[1])
    backed = np.arange(graph.n_nodes) % 2 == 0
    again = np.where(backed[:, None], scores, np.roll(scores, 1, axis=1))
    monkeypatch.setattr("fewlabels.drawn.Drawn.scores", lambda *_: again)
    sure = decide(scores, graph, seeds).confidence
    free = np.setdiff1d(np.arange(graph.n_nodes), seeds.indices)
    assert sure[free][backed[free]].min() > sure[free][~backed[free]].max()


def test_confidence_is_handed_out_in_the_order_of_what_labels_are_worth():
    graph = ring_of_blobs()
    rng = np.random.default_rng(0)
    worth, sure = rng.integers(5, size=graph.n_nodes).astype(float), rng.random(graph.n_nodes)
    free = rng.random(graph.n_nodes) < 0.8
    found = _in_order_of(worth, sure, graph, free)
    np.testing.assert_array_equal(found[~free], sure[~free])
    assert found[free].sum() == pytest.approx(sure[free].sum())
    levels = [found[free & (worth == level)] for level in range(5)]
    assert all(np.ptp(level) < 1e-12 for level in levels)
    assert (np.diff([level[0] for level in levels]) > 0).all()


def test_rows_have_the_confidence_asked_for_and_their_class_on_top():
    rng = np.random.default_rng(0)
    rows, codes = rng.dirichlet(np.ones(5), size=400), rng.integers(5, size=400)
    possible = np.ones(rows.shape, dtype=bool)
    possible[:100, 4] = False
    codes[:100] %= 4
    rows[:100, 4] = 0.0
    sure = rng.uniform(0.27, 1.0, size=400)
    found = with_confidence(rows, codes, sure, possible)
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    np.testing.assert_allclose(found[np.arange(400), codes], sure, atol=1e-4)
    np.testing.assert_array_equal(found.argmax(axis=1), codes)
    assert (found[:100, 4] == 0).all()


def test_the_surest_half_is_right_at_least_as_often_as_by_the_margin():
    from sklearn.datasets import load_digits

    X, truth = load_digits(return_X_y=True)
    graph = Graph.from_features(X)
    gain = []
    for t in range(6):
        seeds = draw(truth, 2, random_state=t)
        scores = InterfaceLaplace().scores(graph, seeds)
        decision = decide(scores, graph, seeds)
        right = decision.codes == truth
        top = np.sort(scores, axis=1)
        half = truth.size // 2
        by = [np.argsort(-value, kind="stable")[:half] for value in (decision.confidence, top[:, -1] - top[:, -2])]
        gain.append(right[by[0]].mean() - right[by[1]].mean())
    assert np.mean(gain) >= -0.001


@pytest.mark.parametrize("rival", [0.0, 1e-310, 5e-324])
def test_rows_without_a_rival_share_out_what_is_left_evenly(rival):
    rows, possible = np.array([[1.0, rival, rival]]), np.ones((1, 3), dtype=bool)
    found = with_confidence(rows, np.array([0]), np.array([0.8]), possible)
    np.testing.assert_allclose(found, [[0.8, 0.1, 0.1]])


@pytest.mark.parametrize(("returned", "sure"), [(1.0, 1.0), (1 / 3, 0.75)])
def test_labels_that_come_back_no_more_often_than_by_chance_cost_a_quarter(returned, sure):
    graph = ring_of_blobs()
    seeds = some_seeds(graph)
    scores = Poisson().scores(graph, seeds)
    codes = scores.argmax(axis=1)
    redrawn = Redrawn((scores,), ((1.0, codes),), np.array([returned]))
    rows, _ = trusted_rows(scores, graph, seeds, codes, reach_of(graph, seeds), redrawn)
    others = np.setdiff1d(np.arange(graph.n_nodes), seeds.indices)
    classes, powers = np.unique(seeds.codes).size, seeds.size**4
    few = 1 / classes + (sure - 1 / classes) * powers / (powers + 3)
    assert rows[others, codes[others]].mean() == pytest.approx(few, abs=0.01)


def test_two_labels_of_two_classes_are_never_very_sure():
    blobs = np.repeat([[0.0], [9.0]], 40, axis=0) + np.random.default_rng(0).normal(size=(80, 1))
    graph = Graph.from_features(np.vstack([blobs, [[4.5]]]), n_neighbors=40)
    assert graph.n_components == 1
    mean = []
    for count in (1, 10):
        nodes = np.concatenate([np.arange(count), 40 + np.arange(count)])
        seeds = Seeds.from_classes(nodes, np.repeat([0, 1], count))
        mean.append(decide(Poisson().scores(graph, seeds), graph, seeds).confidence[20:40].mean())
    assert 0.8 < mean[0] < 0.93
    assert mean[1] > 0.95
