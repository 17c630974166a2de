import numpy as np
import pytest
import scipy.sparse as sp

from fewlabels import FewlabelsError
from fewlabels.neighbors.checks import checked_features, stored_like


@pytest.mark.parametrize(
    ("given", "kept"),
    [("f4", "f4"), ("f8", "f8"), ("f2", "f4"), ("i8", "f8"), ("?", "f8"), ("u1", "f8")],
)
def test_numbers_keep_single_or_double_precision(given, kept):
    X = np.array([[0, 1], [1, 0], [1, 1]], dtype=given)
    found = checked_features(X)
    assert found.dtype == np.dtype(kept)
    np.testing.assert_array_equal(found, X.astype(kept))


def test_a_sparse_matrix_that_is_not_finite_names_the_row_even_after_empty_ones():
    X = np.zeros((6, 3))
    X[0, 1], X[4, 2] = 1.0, np.nan
    with pytest.raises(FewlabelsError, match="row 4 contain NaN"):
        checked_features(sp.csr_array(X))


def test_one_row_is_enough_where_one_is_allowed():
    assert checked_features([[1, 2]], min_rows=1).shape == (1, 2)
    with pytest.raises(FewlabelsError, match="at least two points"):
        checked_features([[1, 2]])


def test_new_rows_are_stored_as_the_data_is():
    dense, sparse = np.eye(3), sp.csr_array(np.eye(3))
    for example in (dense, sparse):
        for matrix in (dense, sparse):
            found = stored_like(example, matrix)
            assert sp.issparse(found) == sp.issparse(example)
            np.testing.assert_array_equal(found.toarray() if sp.issparse(found) else found, np.eye(3))
