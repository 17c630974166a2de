import numpy as np
from gallery import SEEDS, TRAIN
from oracles import limit
from scipy.special import softmax

from fewlabels import InterfaceLaplace
from fewlabels.interface import fit_cross_entropy


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
