import numpy as np
import pytest
from gallery import grid, ring_of_blobs

from fewlabels import FewlabelsError, InterfaceLaplace, Seeds
from fewlabels.solvers import SOLVER_NAMES, named_solver


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
