import numpy as np
import pytest
from scipy.stats import binomtest

from fewlabels.web.checking import random_order, wilson


@pytest.mark.parametrize(("right", "checked"), [(0, 1), (1, 1), (9, 10), (50, 100), (0, 40), (999, 1000)])
def test_the_interval_is_wilsons(right, checked):
    truth = binomtest(right, checked).proportion_ci(0.95, method="wilson")
    assert np.allclose(wilson(right, checked), (truth.low, truth.high), atol=1e-12)


def test_the_order_belongs_to_the_data():
    first, again, other = (random_order(500, checksum * 8) for checksum in ("c0ffee", "c0ffee", "decade"))
    assert (first == again).all()
    assert (first != other).any()
    assert sorted(first.tolist()) == list(range(500))
