import numpy as np
import pytest
from gallery import columns
from oracles import component_projection, series_matrix

from fewlabels.solvers import Series, solve
from fewlabels.systems import laplacian_of


@pytest.mark.parametrize("steps", [1, 7, 40])
def test_series_is_the_papers_sum(graph, steps):
    W = graph.weights.toarray()
    J = component_projection(graph.components)
    B = J @ columns(graph)
    solution = solve(laplacian_of(graph), B, Series(steps))
    assert (solution.status, solution.n_iter) == ("truncated", steps)
    np.testing.assert_allclose(solution.value, series_matrix(W, J, steps) @ B, atol=1e-9)
