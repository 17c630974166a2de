"""Confidences handed out by tables, against sorting all nodes."""

import numpy as np
import pytest

from fewlabels.distributed.ranking import ranked_levels


def test_confidences_are_handed_out_in_the_order_of_worth():
    rng = np.random.default_rng(0)
    worth, sure = rng.integers(0, 50, 300) / 7.0, rng.uniform(size=300)
    levels, values = ranked_levels(worth, sure, np.ones(300))
    ordered, at = np.sort(sure), np.argsort(worth, kind="stable")
    expected = np.empty(300)
    expected[at] = ordered
    for level, value in zip(levels, values, strict=True):
        assert value == pytest.approx(expected[worth == level].mean())
