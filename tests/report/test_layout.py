import numpy as np
import pytest
from gallery import blob_points, disconnected, ring_of_blobs

from fewlabels import Graph
from fewlabels.atlas import plane_of
from fewlabels.report.layout import flat_map


def test_points_that_lie_together_are_drawn_together():
    X, truth = blob_points(blobs=3, size=40, noise=0.05)
    rows, places = flat_map(Graph.from_features(X), np.array([100, 7]))
    assert rows[:2].tolist() == [100, 7]
    assert sorted(rows.tolist()) == list(range(120))
    assert places.min() == 0
    assert places.max() == 1
    gaps = np.linalg.norm(places[:, None] - places[None], axis=2) + 9 * np.eye(120)
    assert np.mean(truth[rows][gaps.argmin(axis=1)] == truth[rows]) > 0.98


def test_a_sample_holds_the_labelled_points_and_no_point_twice(monkeypatch):
    monkeypatch.setattr("fewlabels.report.layout.DRAWN_POINTS", 30)
    graph = ring_of_blobs()
    rows, places = flat_map(graph, np.array([159, 3, 80]))
    assert rows[:3].tolist() == [159, 3, 80]
    assert np.unique(rows).size == rows.size == 30
    assert (np.diff(rows[3:]) > 0).all()
    assert places.shape == (30, 2)
    assert flat_map(graph, np.arange(50))[0].tolist() == list(range(30))


def test_the_map_is_the_graphs_own():
    graph = disconnected()
    rows, places = flat_map(graph, np.array([5]), seed=2)
    whole = plane_of(graph, seed=2)[rows]
    for axis in range(2):
        assert np.corrcoef(places[:, axis], whole[:, axis])[0, 1] == pytest.approx(1)


@pytest.mark.parametrize("X", [np.ones((9, 4)), np.arange(3.0)[:, None], np.arange(2.0)[:, None]])
def test_a_few_points_or_equal_ones_are_drawn_apart(X):
    places = flat_map(Graph.from_features(X), np.zeros(0, dtype=int))[1]
    assert np.isfinite(places).all()
    assert np.unique(places.round(3), axis=0).shape[0] == len(X)
