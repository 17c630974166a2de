"""Columns in different units are told of; principal components and empty or constant columns are not."""

from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

from fewlabels.tabular import FeatureFile, units_sentence

rng = np.random.default_rng(0)
TABLE = rng.normal(size=(200, 6))


def said(X, names=()):
    return units_sentence(FeatureFile(Path("table.csv"), X, names=list(names)))


def test_the_widest_column_is_named():
    X = TABLE * [1, 1, 1, 1, 1, 1000]
    assert said(X, ["a", "b", "c", "d", "e", "income"]).startswith("column 'income' is ")
    assert said(X).startswith("column 5 is ")


@pytest.mark.parametrize(
    "X",
    [
        TABLE,
        TABLE * [20, 9, 5, 2, 1, 1],
        TABLE * [0, 0, 0, 0, 0, 1000],
        np.zeros((5, 4)),
        TABLE[:, :2] * [1, 1000],
        sp.csr_array(TABLE * [1, 1, 1, 1, 1, 1000]),
    ],
    ids=["equal", "falling", "the rest constant", "nothing", "two columns", "sparse"],
)
def test_nothing_is_said_where_there_is_nothing_to_say(X):
    assert said(X) is None
