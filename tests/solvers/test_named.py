import numpy as np
import pytest
from gallery import grid, ring_of_blobs

from fewlabels import FewlabelsError, InterfaceLaplace, Poisson, Seeds, VPoisson
from fewlabels.solvers import SOLVER_NAMES, Series, keep_slow_modes, named, named_solver


@pytest.mark.parametrize("solver", SOLVER_NAMES)
def test_every_named_solver_gives_the_same_labels(solver):
    graph = ring_of_blobs()
    seeds = Seeds.from_classes([3, 50, 90, 130], [0, 1, 2, 3])
    expected = InterfaceLaplace(hops=1).scores(graph, seeds).argmax(axis=1)
    found = InterfaceLaplace(hops=1, solver=solver).spread(graph, seeds)
    assert (found.scores.argmax(axis=1) == expected).mean() > 0.97
    assert all(solve.status in ("converged", "truncated") and solve.n_iter > 0 for solve in found.solves)


def test_an_unknown_solver_names_the_known_ones():
    with pytest.raises(FewlabelsError, match="choose one of auto, series"):
        named_solver("cholesky", grid(), np.array([0]))


@pytest.mark.parametrize("solver", ["series", "chebyshev"])
@pytest.mark.parametrize("method", [Poisson, VPoisson, InterfaceLaplace])
def test_draws_in_one_block_each_take_their_own_steps(method, solver, monkeypatch):
    graph = ring_of_blobs()
    draws = [Seeds.from_classes([3 + k, 50, 90 - k, 130], [0, 1, 2, 3]) for k in range(3)]
    steps = {draw.indices.tobytes(): T for draw, T in zip(draws, (20, 300, 120), strict=True)}
    monkeypatch.setattr(named, "mixing_steps", lambda graph, labelled: steps[labelled.tobytes()])
    keep_slow_modes(graph)
    for draw, found in zip(draws, method(solver=solver).spread_many(graph, draws), strict=True):
        alone = method(solver=Series(steps[draw.indices.tobytes()])).scores(graph, draw)
        np.testing.assert_allclose(found.scores, alone, atol=1e-3 * np.abs(alone).max())
