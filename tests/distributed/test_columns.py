"""Columns in blocks: the order of their values, digit by digit."""

import numpy as np

from fewlabels.distributed.columns import _from_order, _in_order


def test_numbers_in_single_precision_sort_as_whole_numbers_do():
    values = np.random.default_rng(0).normal(size=1000).astype(np.float32) * 1e-3
    np.testing.assert_array_equal(np.argsort(_in_order(values)), np.argsort(values))
    np.testing.assert_array_equal(_from_order(_in_order(values)), values)
