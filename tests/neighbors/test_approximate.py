import numpy as np
import pytest

from fewlabels.neighbors import find_neighbors, recall_of


@pytest.mark.parametrize("recall", [0.8, 0.95, 0.999])
def test_approximate_search_reaches_the_recall_it_states(recall):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 16))[rng.integers(40, size=12_000)] + 0.6 * rng.normal(size=(12_000, 16))
    exact = find_neighbors(X, 10, search="exact")
    found = find_neighbors(X, 10, search="approximate", recall=recall)
    assert found.recall >= recall
    assert recall_of(found, exact) >= recall - 0.02
    assert not (found.indices == np.arange(12_000)[:, None]).any()
    assert np.isfinite(found.distances).all()


def test_approximate_search_fills_up_rows_whose_cells_are_too_small():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(2000, 3)), 50 + rng.normal(size=(3, 3))])
    found = find_neighbors(X, 12, search="approximate", recall=0.5)
    exact = find_neighbors(X, 12, search="exact")
    assert (found.indices >= 0).all()
    np.testing.assert_allclose(found.distances[-3:], exact.distances[-3:])
