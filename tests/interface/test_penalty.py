import numpy as np
import pytest
from gallery import SEEDS, TRAIN
from oracles import limit

from fewlabels import InterfaceLaplace
from fewlabels.interface import fit_penalised
from fewlabels.interface.penalty import SHRINKS


@pytest.mark.parametrize(("name", "norm"), [("l1", 1), ("l2", 2), ("linf", np.inf)])
def test_proximal_maps_minimise_what_they_should(name, norm):
    rng = np.random.default_rng(0)
    for t in (0.1, 1.0, 5.0, 100.0):
        f = rng.normal(size=12) * 3

        def cost(x, f=f, t=t):
            return 0.5 * ((x - f) ** 2).sum() + t * np.linalg.norm(x, norm)

        best = SHRINKS[name](f, t)
        for size in (1e-1, 1e-3, 1e-5):
            trials = best + size * rng.normal(size=(200, 12))
            assert min(cost(x) for x in trials) >= cost(best) - 1e-12
        assert cost(best) <= min(cost(f), cost(0 * f)) + 1e-12


@pytest.mark.parametrize("penalty", ["l1", "l2", "linf"])
def test_penalised_terms_are_optimal(graph, penalty):
    interface = InterfaceLaplace(hops=1).spread(graph, SEEDS).interface
    A = limit(graph)[np.ix_(TRAIN, interface)]
    strongest = np.linalg.norm((2 / 4) * (A.T @ SEEDS.targets).ravel(), {"l1": np.inf, "l2": 2, "linf": 1}[penalty])
    fit = fit_penalised(A, SEEDS.targets, np.ones(4), penalty, ridge=0.2 * strongest)
    slope = (2 / 4) * A.T @ (A @ fit.term - SEEDS.targets)
    pace = 4 / (2 * np.linalg.norm(A, 2) ** 2)
    moved = SHRINKS[penalty](fit.term - pace * slope, pace * 0.2 * strongest)
    np.testing.assert_allclose(moved, fit.term, atol=1e-4 * np.abs(fit.term).max())
    assert np.abs(fit.term).max() > 0
    silent = fit_penalised(A, SEEDS.targets, np.ones(4), penalty, ridge=1.01 * strongest)
    assert np.abs(silent.term).max() == 0


@pytest.mark.parametrize("penalty", ["l1", "l2", "linf"])
def test_penalties_leave_the_target_error(graph, penalty):
    found = InterfaceLaplace(hops=1, penalty=penalty, target_mse=0.3).spread(graph, SEEDS)
    u = limit(graph) @ found.term
    assert ((u[TRAIN] - SEEDS.targets) ** 2).sum() / 4 == pytest.approx(0.3, rel=0.02)
    np.testing.assert_allclose(found.scores, u, atol=1e-6 * np.abs(u).max())


def test_the_plain_l2_norm_retraces_the_ridge(graph):
    squared = InterfaceLaplace(hops=1, target_mse=0.3).spread(graph, SEEDS)
    strength = 2 * squared.ridge * np.linalg.norm(squared.term)
    plain = InterfaceLaplace(hops=1, penalty="l2", ridge=strength).spread(graph, SEEDS)
    np.testing.assert_allclose(plain.term, squared.term, atol=1e-3 * np.abs(squared.term).max())
