import numpy as np
import pytest
from scipy.optimize import lsq_linear

from fewlabels.interface.boxed import in_box


def test_a_box_holds_the_least_squares_that_scipy_finds():
    rng = np.random.default_rng(0)
    A, Y = rng.normal(size=(6, 40)), rng.normal(size=(6, 3))
    for level in (1e-3, 0.05, 10.0):
        f, strength = in_box(A, Y, level)
        assert np.abs(f).max() <= level
        best = sum(lsq_linear(A, y, (-level, level), tol=1e-12).cost * 2 / 6 for y in Y.T)
        assert ((A @ f - Y) ** 2).sum() / 6 == pytest.approx(best, abs=1e-4)
        # a higher level gains lambda for each unit of it
        higher = sum(lsq_linear(A, y, (-1.01 * level, 1.01 * level), tol=1e-12).cost * 2 / 6 for y in Y.T)
        assert (best - higher) / (0.01 * level) == pytest.approx(strength, rel=0.05, abs=1e-3)
