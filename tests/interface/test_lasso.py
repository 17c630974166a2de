import numpy as np
import pytest
from sklearn.linear_model import Lasso as OneColumn

from fewlabels.interface.lasso import Lasso


@pytest.mark.parametrize("nodes", [40, 400])
def test_the_terms_are_those_that_coordinate_descent_finds(nodes):
    rng = np.random.default_rng(0)
    A, Y = rng.normal(size=(6, nodes)), rng.normal(size=(6, 3))
    strongest = (2 / 6) * np.abs(A.T @ Y).max()
    lasso = Lasso(A, Y)
    for part in (0.9, 0.3, 0.05, 0.5):  # one after the other, down and up again
        term = lasso.term(part * strongest)
        # its loss is (1/2m) |A f - y|^2 + alpha |f|
        rival = OneColumn(alpha=part * strongest / 2, fit_intercept=False, tol=1e-12, max_iter=100_000)
        expected = np.stack([rival.fit(A, y).coef_ for y in Y.T], axis=1)
        np.testing.assert_allclose(term, expected, atol=2e-3 * np.abs(expected).max())
        assert 0 < (term != 0).any(axis=1).sum() < nodes
    assert not lasso.term(1.01 * strongest).any()
