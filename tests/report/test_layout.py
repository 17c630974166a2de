import numpy as np
import pytest
import scipy.sparse as sp
from gallery import blob_points

from fewlabels.report.layout import flat_map


@pytest.mark.parametrize("dress", [np.asarray, sp.csr_array], ids=["dense", "sparse"])
def test_points_that_lie_together_are_drawn_together(dress):
    X, truth = blob_points(blobs=3, size=40, noise=0.05)
    X = np.hstack([X, np.random.default_rng(0).normal(scale=0.05, size=(120, 3))])
    rows, places = flat_map(dress(X), np.array([100, 7]))
    assert rows[:2].tolist() == [100, 7]
    assert sorted(rows.tolist()) == list(range(120))
    assert places.min() == 0
    assert places.max() == 1
    gaps = np.linalg.norm(places[:, None] - places[None], axis=2) + 9 * np.eye(120)
    assert np.mean(truth[rows][gaps.argmin(axis=1)] == truth[rows]) > 0.98


def test_a_sample_holds_the_labelled_points_and_no_point_twice(monkeypatch):
    monkeypatch.setattr("fewlabels.report.layout.DRAWN_POINTS", 30)
    X, _ = blob_points()
    labelled = np.array([159, 3, 80])
    rows, places = flat_map(X, labelled)
    assert rows[:3].tolist() == [159, 3, 80]
    assert np.unique(rows).size == rows.size == 30
    assert (np.diff(rows[3:]) > 0).all()
    assert places.shape == (30, 2)
    assert flat_map(X, np.arange(50))[0].tolist() == list(range(30))


@pytest.mark.parametrize("X", [np.ones((9, 4)), np.arange(3.0)[:, None]], ids=["equal points", "three points"])
def test_too_little_for_a_map_is_drawn_as_a_row(X):
    places = flat_map(X, np.zeros(0, dtype=int))[1]
    np.testing.assert_allclose(places[:, 0], np.linspace(0, 1, len(X)))
    assert not places[:, 1].any()
