import numpy as np
from gallery import grid

from fewlabels import Poisson, Seeds
from fewlabels.solvers.direct import _is_small


def test_what_a_solver_prepares_is_kept_with_the_graph():
    graph = grid()
    Poisson().scores(graph, Seeds.from_classes([0, 80], [0, 1]))
    kept = sorted(graph.kept)
    assert "factorisation" in kept
    Poisson().scores(graph, Seeds.from_classes([1, 70], [0, 1]))
    assert sorted(graph.kept) == kept


def test_a_second_solve_is_left_out_only_where_nothing_is_left():
    assert _is_small(np.array([1e-24]), np.ones(1))
    assert not _is_small(np.array([1e-24, 1e-20]), np.ones(2))
