import numpy as np
import pytest
import scipy.sparse as sp
from gallery import points

from fewlabels import FewlabelsError
from fewlabels.neighbors.ranking import exact_distances, exact_distances_sparse, ranked


def test_the_nearest_candidates_come_first_without_the_point_itself(monkeypatch):
    monkeypatch.setattr("fewlabels.neighbors.ranking.ROWS_AT_ONCE", 7)
    X = points(40, 3)
    rng = np.random.default_rng(1)
    proposed = np.array([rng.permutation(40)[:12] for _ in range(40)])
    proposed[:, 0] = np.arange(40)
    proposed[::5, 5:8] = -1
    indices, distances = ranked(lambda block: proposed[block], X, X, 3, np.arange(40), exact_distances)
    for i in range(40):
        allowed = sorted(set(proposed[i].tolist()) - {-1, i}, key=lambda j: np.linalg.norm(X[i] - X[j]))[:3]
        assert indices[i].tolist() == allowed
        np.testing.assert_allclose(distances[i], np.linalg.norm(X[allowed] - X[i], axis=1))


def test_ties_go_to_the_smaller_number_and_lacking_candidates_are_infinitely_far():
    X = np.zeros((4, 2))
    proposed = np.array([[3, 1, 2], [-1, -1, 0]])
    indices, distances = ranked(lambda block: proposed[block], X[:2], X, 2, None, exact_distances)
    assert indices[0].tolist() == [1, 2]
    assert distances.tolist() == [[0.0, 0.0], [0.0, np.inf]]


def test_distances_lose_no_digits_far_from_zero_and_sparse_rows_have_the_same():
    X, Q = points(30, 4), points(5, 4, seed=1)
    at = np.arange(20).reshape(5, 4)
    plain = np.linalg.norm(X[at] - Q[:, None], axis=2)
    np.testing.assert_allclose(exact_distances(Q, X, at), plain, rtol=1e-12)
    np.testing.assert_allclose(exact_distances_sparse(sp.csr_array(Q), sp.csr_array(X), at), plain, rtol=1e-12)
    np.testing.assert_allclose(exact_distances(1e200 * Q, 1e200 * X, at), 1e200 * plain, rtol=1e-12)
    with pytest.raises(FewlabelsError, match="rescale the features"):
        exact_distances(np.full((1, 1), -1.7e308), np.full((1, 1), 1.7e308), np.array([[0]]))
