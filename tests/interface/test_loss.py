import numpy as np
import pytest
from gallery import SEEDS, TRAIN
from oracles import limit
from scipy.special import softmax

from fewlabels import InterfaceLaplace
from fewlabels.interface import fit_cross_entropy
from fewlabels.interface.loss import ridge_as_for_squares


def test_cross_entropy_is_stationary_in_the_term(graph):
    found = InterfaceLaplace(hops=1, loss="cross-entropy", ridge=0.5).spread(graph, SEEDS)
    A = limit(graph)[np.ix_(TRAIN, found.interface)]
    f = found.term[found.interface]
    slope = A.T @ (softmax(A @ f, axis=1) - SEEDS.targets) / 4 + 2 * 0.5 * f
    np.testing.assert_allclose(slope, 0, atol=1e-6)
    assert (np.delete(found.term, found.interface, axis=0) == 0).all()


def test_cross_entropy_has_one_minimiser_from_any_start(graph):
    G = InterfaceLaplace(hops=1).spread(graph, SEEDS).solves[0].value
    K, weights = G.T @ G, np.array([1.0, 2.0, 0.5, 1.0])
    first = fit_cross_entropy(K, SEEDS.targets, weights, 0.1)
    for seed in range(3):
        start = np.random.default_rng(seed).uniform(-0.5, 0.5, size=(4, 4)) * 10
        again = fit_cross_entropy(K, SEEDS.targets, weights, 0.1, start)
        np.testing.assert_allclose(K @ again, K @ first, atol=1e-4)


@pytest.mark.parametrize("classes", [2, 5])
def test_near_equal_scores_cross_entropy_is_held_back_as_squared_error_is(classes):
    rng = np.random.default_rng(0)
    B, weights = rng.normal(size=(9, 9)), rng.uniform(0.5, 2.0, 9)
    K, Y = 1e-2 * B @ B.T / 9, np.eye(classes)[rng.integers(classes, size=9)]
    by_squares = np.linalg.solve(K + 9 * 0.1 * np.diag(1 / weights), Y - 1 / classes)
    found = fit_cross_entropy(K, Y, weights, ridge_as_for_squares(0.1, classes))
    scale = np.abs(K @ by_squares).max()
    np.testing.assert_allclose(K @ found / classes, K @ by_squares, atol=4e-3 * scale)
    unbent = np.diag(weights) @ (Y - 1 / classes) / (9 * 0.1)
    assert np.abs(K @ (unbent - by_squares)).max() > 2e-2 * scale, "else any ridge of that size would do"
