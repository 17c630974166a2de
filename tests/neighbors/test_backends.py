import scipy.sparse as sp
from gallery import points

from fewlabels.neighbors import find_neighbors


def test_approximate_search_is_for_many_dense_points(monkeypatch):
    X = points(3000, 8)
    assert find_neighbors(X, 5, search="approximate", recall=0.3).recall < 1
    assert find_neighbors(X[:900], 5, search="approximate", recall=0.3).recall == 1
    assert find_neighbors(sp.csr_array(X), 5, search="approximate", recall=0.3).recall == 1
    assert find_neighbors(X, 5, recall=0.3).recall == 1
    monkeypatch.setattr("fewlabels.neighbors.backends.EXACT_UP_TO", 2000)
    assert find_neighbors(X, 5, recall=0.3).recall < 1
    assert find_neighbors(X, 5, search="exact", recall=0.3).recall == 1
