import numpy as np
import pytest
from gallery import columns, grid, path, ring_of_blobs
from oracles import component_projection, laplacian

from fewlabels.errors import SolveWarning
from fewlabels.solvers import CG, Auto, Direct, Multigrid, Series, columns_at_once, solve, solve_parts
from fewlabels.systems import laplacian_of

TIGHT = [Auto(), Direct(), CG(1e-11), CG(1e-11, coarse=False), Multigrid(1e-11)]


@pytest.mark.parametrize("solver", TIGHT, ids=str)
def test_solves_equal_the_pseudo_inverse(graph, solver):
    B = columns(graph)
    expected = np.linalg.pinv(laplacian(graph.weights.toarray()), rcond=1e-13, hermitian=True) @ B
    solution = solve(laplacian_of(graph), B, solver)
    assert solution.status == "converged"
    assert solution.residual < 1e-8
    np.testing.assert_allclose(solution.value, expected, atol=1e-6 * np.abs(expected).max())


def test_residual_is_measured_not_assumed():
    graph, B = grid(), columns(grid())
    solution = solve(laplacian_of(graph), B, Series(5))
    J = component_projection(graph.components)
    left = J @ B - laplacian(graph.weights.toarray()) @ solution.value
    expected = (np.linalg.norm(left, axis=0) / np.linalg.norm(J @ B, axis=0)).max()
    assert solution.residual == pytest.approx(expected)


def test_a_solve_that_stops_early_says_what_to_do():
    graph = path(200)
    with pytest.warns(SolveWarning, match="allow more than 3 steps"):
        solution = solve(laplacian_of(graph), columns(graph), CG(1e-10, max_iter=3, coarse=False))
    assert solution.status == "stopped"
    assert np.isfinite(solution.value).all()


def test_many_columns_are_solved_in_blocks():
    graph = ring_of_blobs()
    B = columns(graph, 150)
    together, parts = (
        solve(laplacian_of(graph), B, CG(1e-9)),
        [solve(laplacian_of(graph), B[:, i : i + 1], CG(1e-9)) for i in (0, 70, 149)],
    )
    assert together.value.shape == B.shape
    np.testing.assert_allclose(together.value[:, [0, 70, 149]], np.hstack([p.value for p in parts]), atol=1e-6)
    assert together.n_iter >= max(part.n_iter for part in parts)


def test_a_block_of_a_large_system_has_few_columns_and_what_is_solved_is_asked_for_block_by_block(entries_at_once):
    graph, asked = ring_of_blobs(), []
    B = columns(graph, 5)
    entries_at_once(2 * graph.n_nodes)

    def part(some):
        asked.append((some.start, some.stop))
        return B[:, some]

    found = solve_parts(laplacian_of(graph), B.shape, part, Direct())
    assert asked == [(0, 1), (1, 3), (3, 5)]
    expected = np.linalg.pinv(laplacian(graph.weights.toarray()), hermitian=True) @ B
    np.testing.assert_allclose(found.value, expected, atol=1e-8 * np.abs(expected).max())
    assert not found.value.flags.writeable
    entries_at_once(0)
    assert columns_at_once(graph.n_nodes) == 1
