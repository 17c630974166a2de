import numpy as np
import pytest
from scipy.optimize import minimize

pytest.importorskip("numba", reason="needs the extra 'fast'")

from fewlabels.linear_kernels import least_loss, loss_at


def mean_loss(rows, codes, W):
    """The formula, row by row."""
    total = 0.0
    for row, code in zip(rows, codes, strict=True):
        scores = row @ W[:-1] + W[-1]
        if scores.size == 1:
            scores = np.array([0.0, scores[0]])
        total += np.log(np.exp(scores - scores.max()).sum()) + scores.max() - scores[code]
    return total / len(rows) + 0.5 * (W[:-1] ** 2).sum() / len(rows)


@pytest.mark.parametrize("classes", [2, 5])
def test_the_loss_and_its_slope_are_those_of_the_formula(classes):
    rng = np.random.default_rng(classes)
    rows, codes = 3 * rng.normal(size=(17, 4)), rng.integers(classes, size=17)
    W = rng.normal(size=(5, classes if classes > 2 else 1))
    slope = np.empty_like(W)
    assert loss_at(rows, codes, W, slope) == pytest.approx(mean_loss(rows, codes, W))
    for place in np.ndindex(W.shape):
        off = np.zeros_like(W)
        off[place] = 1e-6
        rise = mean_loss(rows, codes, W + off) - mean_loss(rows, codes, W - off)
        assert slope[place] == pytest.approx(rise / 2e-6, abs=1e-7)


@pytest.mark.parametrize("classes", [2, 5])
@pytest.mark.parametrize("scale", [0.01, 1.0, 100.0])
def test_the_least_loss_is_as_low_as_another_method_finds(classes, scale):
    rng = np.random.default_rng(classes)
    rows, codes, width = scale * rng.normal(size=(23, 6)), np.arange(23) % classes, classes if classes > 2 else 1
    found = least_loss(rows, codes, width, 1e-8, 1000)
    wanted = minimize(
        lambda flat: mean_loss(rows, codes, flat.reshape(7, width)), np.zeros(7 * width), method="BFGS", tol=1e-9
    )
    assert mean_loss(rows, codes, found) <= wanted.fun * (1 + 1e-5)


def test_steps_end_where_they_are_told_to():
    rng = np.random.default_rng(0)
    rows, codes = rng.normal(size=(20, 3)), np.arange(20) % 3
    slope = np.empty((4, 3))
    loss_at(rows, codes, least_loss(rows, codes, 3, 1e-3, 100), slope)
    assert np.abs(slope).max() <= 1e-3
    loss_at(rows, codes, least_loss(rows, codes, 3, 1e-3, 1), slope)
    assert np.abs(slope).max() > 1e-3
