import numpy as np
import pytest
from gallery import SEEDS, TRAIN
from oracles import limit

from fewlabels import FewlabelsError, InterfaceLaplace
from fewlabels.interface import fit_penalised


@pytest.mark.parametrize("penalty", ["l1", "l2", "linf"])
def test_penalised_terms_are_optimal(graph, penalty):
    interface = InterfaceLaplace(hops=1).spread(graph, SEEDS).interface
    A = limit(graph)[np.ix_(TRAIN, interface)]
    strongest = np.linalg.norm((2 / 4) * (A.T @ SEEDS.targets).ravel(), {"l1": np.inf, "l2": 2, "linf": 1}[penalty])
    fit = fit_penalised(A, SEEDS.targets, np.ones(4), penalty, ridge=0.2 * strongest)
    slope = (2 / 4) * A.T @ (A @ fit.term - SEEDS.targets)
    # f minimises loss + lambda |f| if and only if -slope is in lambda times the norm's subgradient at f: its dual norm
    # is lambda, and <-slope, f> = lambda |f|.
    norm, dual = {"l1": (1, np.inf), "l2": (2, 2), "linf": (np.inf, 1)}[penalty]
    assert np.linalg.norm(slope.ravel(), dual) == pytest.approx(0.2 * strongest, rel=1e-4)
    aligned = 0.2 * strongest * np.linalg.norm(fit.term.ravel(), norm)
    assert -np.vdot(slope, fit.term) == pytest.approx(aligned, rel=1e-3)
    assert fit.ridge == pytest.approx(0.2 * strongest, rel=1e-6)
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


def test_a_target_that_no_term_leaves_is_refused():
    A = np.array([[1.0], [1.0]])
    for second in (-1.0, -0.5):  # the term sees nothing of the labels, or too little
        for penalty in ("l1", "l2", "linf"):
            with pytest.raises(FewlabelsError, match="out of reach"):
                fit_penalised(A, np.array([[1.0], [second]]), np.ones(2), penalty, target_mse=0.5)
