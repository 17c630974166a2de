"""What must not move an answer: the order of rows, a constant column, one value out of all bounds."""

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from fewlabels import FewLabelClassifier

ROWS = 3200
"""Enough for compiled kernels, where they are at hand."""


@pytest.fixture(name="hard", scope="module")
def _hard():
    X, truth = make_blobs(ROWS, 10, centers=5, cluster_std=6, random_state=0)
    y = np.full(ROWS, -1)
    for label in range(5):
        y[np.flatnonzero(truth == label)[:2]] = label
    return X, y, FewLabelClassifier().fit(X, y)


def test_the_order_of_rows(hard):
    X, y, straight = hard
    order = np.random.default_rng(1).permutation(ROWS)
    mixed = FewLabelClassifier().fit(X[order], y[order])
    assert (mixed.transduction_ == straight.transduction_[order]).mean() > 0.999
    apart = np.abs(mixed.label_distributions_ - straight.label_distributions_[order])
    assert np.quantile(apart, 0.999) < 0.02
    assert apart.mean() < 1e-3


@pytest.mark.parametrize("value", [1e7, 1.7e9])
def test_a_constant_column_far_from_zero(hard, value):
    X, y, _ = hard
    with_zeros, with_value = (
        FewLabelClassifier().fit(np.column_stack([X, np.full(ROWS, each)]), y) for each in (0.0, value)
    )
    np.testing.assert_array_equal(with_value.transduction_, with_zeros.transduction_)
    np.testing.assert_allclose(with_value.label_distributions_, with_zeros.label_distributions_, atol=1e-3)


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("value", [1e39, 1e100])
@pytest.mark.parametrize("rows", [300, ROWS])
def test_one_value_out_of_all_bounds(hard, value, rows):
    X, y, _ = hard
    X, y = X[:rows].copy(), y[:rows]
    X[9, 0] = value
    model = FewLabelClassifier().fit(X, y)
    np.testing.assert_allclose(model.label_distributions_.sum(axis=1), 1.0, atol=1e-6)


def test_new_rows_far_outside_the_data(hard):
    X, _, model = hard
    new = X[:2].copy()
    new[1] = 1e45
    assert model.predict(new)[0] == model.transduction_[0]


def test_parts_without_a_label_are_not_certain_of_what_features_say():
    rng = np.random.default_rng(0)
    X = np.repeat(rng.normal(size=(60, 3)) * 1e4, 14, axis=0) + rng.normal(size=(840, 3))
    y = np.full(840, -1)
    y[[0, 14, 28]] = 0, 1, 2
    with pytest.warns(UserWarning, match="reach"):
        model = FewLabelClassifier().fit(X, y)
    assert model.label_distributions_[~model.reached_].max(axis=1).mean() <= 2 / 3 + 1e-6
