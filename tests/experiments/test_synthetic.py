import numpy as np

from fewlabels.experiments.synthetic import disc, grid


def test_the_disc_is_sampled_evenly_and_cut_into_halves_of_a_quarter_circle_each():
    X, y = disc(40_000)
    radius, left = np.linalg.norm(X, axis=1), X[:, 0] < 0
    assert radius.max() <= 1
    assert abs(np.mean(radius < 0.5) - 0.25) < 0.01
    assert abs(np.mean(left) - 0.5) < 0.01
    assert abs(np.mean(y) - 0.5) < 0.01
    assert abs(np.mean(y[left]) - 0.25) < 0.01, "half a circle of radius one half, in half a disc"
    assert set(y[np.linalg.norm(X - [-0.2, 0.5], axis=1) < 0.2]) == {1}
    assert set(y[np.linalg.norm(X - [0.2, -0.5], axis=1) < 0.2]) == {0}


def test_the_disc_follows_its_seed():
    assert (disc(50, seed=1)[0] == disc(50, seed=1)[0]).all()
    assert (disc(50, seed=1)[0] != disc(50, seed=2)[0]).all()


def test_the_grid_has_a_cosine_and_two_labels_on_its_middle_line():
    X, target, seeds = grid()
    assert X.shape == (2500, 2)
    assert np.unique(X[:, 0]).size == np.unique(X[:, 1]).size == 50
    np.testing.assert_allclose([X.min(), X.max()], [0, np.pi])
    np.testing.assert_allclose(target, np.cos(X[:, 0]))
    half = np.pi / 49 / 2
    np.testing.assert_allclose(X[seeds.indices], [[np.pi / 4, np.pi / 2], [3 * np.pi / 4, np.pi / 2]], atol=half)
    np.testing.assert_allclose(seeds.targets.ravel(), [np.sqrt(0.5), -np.sqrt(0.5)])
