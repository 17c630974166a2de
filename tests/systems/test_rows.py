import numpy as np
import scipy.sparse as sp

from fewlabels.systems import padded_rows


def test_rows_are_padded_with_what_changes_nothing():
    matrix = sp.random_array((30, 30), density=0.2, rng=np.random.default_rng(0), format="csr")
    indptr, indices, data = padded_rows(matrix, 4)
    assert (np.diff(indptr) % 4 == 0).all()
    again = sp.csr_array((data, indices.astype(np.int64), indptr), shape=(30, 30))
    np.testing.assert_allclose(again.toarray(), matrix.toarray())
