import numpy as np
import pytest
from gallery import GALLERY, grid, path, ring_of_blobs
from oracles import component_projection, laplacian, mixing_time, series_matrix

from fewlabels import FewlabelsError, Graph, Poisson, Seeds
from fewlabels.errors import SolveWarning
from fewlabels.solvers import CG, Auto, Chebyshev, Direct, Multigrid, Series, mixing_steps, named_solver, solve
from fewlabels.systems import laplacian_of, shape_of
from fewlabels.systems.coarse import aggregates

TIGHT = [Auto(), Direct(), CG(1e-11), CG(1e-11, coarse=False), Multigrid(1e-11)]


@pytest.fixture(params=GALLERY, name="graph")
def _graph(request):
    return GALLERY[request.param]()


def columns(graph, k=3):
    return np.random.default_rng(1).normal(size=(graph.n_nodes, k))


@pytest.mark.parametrize("solver", TIGHT, ids=str)
def test_solves_equal_the_pseudo_inverse(graph, solver):
    B = columns(graph)
    expected = np.linalg.pinv(laplacian(graph.weights.toarray()), rcond=1e-13, hermitian=True) @ B
    solution = solve(laplacian_of(graph), B, solver)
    assert solution.status == "converged"
    assert solution.residual < 1e-8
    np.testing.assert_allclose(solution.value, expected, atol=1e-6 * np.abs(expected).max())


@pytest.mark.parametrize("steps", [1, 7, 40])
def test_series_is_the_papers_sum(graph, steps):
    W = graph.weights.toarray()
    J = component_projection(graph.components)
    B = J @ columns(graph)
    solution = solve(laplacian_of(graph), B, Series(steps))
    assert (solution.status, solution.n_iter) == ("truncated", steps)
    np.testing.assert_allclose(solution.value, series_matrix(W, J, steps) @ B, atol=1e-9)


@pytest.mark.parametrize("steps", [1, 2, 50, 400])
def test_chebyshev_is_the_series_in_fewer_products(graph, steps):
    B = columns(graph)
    series, chebyshev = (
        solve(laplacian_of(graph), B, Series(steps)),
        solve(laplacian_of(graph), B, Chebyshev(steps, tol=1e-9)),
    )
    np.testing.assert_allclose(chebyshev.value, series.value, atol=1e-7 * max(1, np.abs(series.value).max()))
    assert chebyshev.n_iter < steps or steps == 1


def test_chebyshev_needs_about_the_root_of_the_steps():
    assert solve(laplacian_of(ring_of_blobs()), columns(ring_of_blobs()), Chebyshev(400)).n_iter < 120


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


def test_the_coarse_level_saves_steps():
    rng = np.random.default_rng(0)
    blobs = 2.5 * rng.normal(size=(12, 6))[rng.integers(12, size=6000)]
    graph = Graph.from_features(blobs + rng.normal(size=(6000, 6)), n_neighbors=10)
    B = columns(graph)
    plain, coarse = solve(laplacian_of(graph), B, CG(1e-6, coarse=False)), solve(laplacian_of(graph), B, CG(1e-6))
    assert coarse.n_iter < 0.6 * plain.n_iter
    np.testing.assert_allclose(coarse.value, plain.value, atol=1e-4 * np.abs(plain.value).max())


def test_aggregates_are_connected_and_few():
    graph = Graph.from_features(np.random.default_rng(0).normal(size=(3000, 3)), n_neighbors=8)
    aggregate = aggregates(graph.weights, 500)
    assert len(np.unique(aggregate)) <= 500
    for number in np.unique(aggregate)[:40]:
        members = np.flatnonzero(aggregate == number)
        inside = graph.weights[members][:, members].toarray() + np.eye(members.size)
        assert (np.linalg.matrix_power(inside, members.size) > 0).all()


def test_auto_reads_the_choice_off_the_graph():
    rng = np.random.default_rng(0)
    ball = Graph.from_features(rng.normal(size=(5000, 12)), n_neighbors=10)
    square = Graph.from_features(rng.random((5000, 2)), n_neighbors=10)
    assert isinstance(Auto().choose(laplacian_of(ball)), CG)
    assert isinstance(Auto().choose(laplacian_of(square)), Direct)
    assert isinstance(Auto().choose(laplacian_of(path())), Direct)
    thick = Graph.from_features(rng.random((60000, 3)) * [30, 1, 1], n_neighbors=6)
    assert shape_of(thick).depth > 30


def test_auto_takes_multigrid_where_a_factor_would_be_too_wide(monkeypatch):
    monkeypatch.setattr("fewlabels.solvers.auto.NARROW_WIDTH", 50)
    square = Graph.from_features(np.random.default_rng(0).random((5000, 2)), n_neighbors=10)
    assert isinstance(Auto().choose(laplacian_of(square)), Multigrid)
    B = columns(square)
    fine, exact = solve(laplacian_of(square), B, Auto()), solve(laplacian_of(square), B, Direct())
    assert fine.solver == "multigrid"
    np.testing.assert_allclose(fine.value, exact.value, atol=1e-3 * np.abs(exact.value).max())


def test_mixing_time_follows_the_papers_loop():
    graph = ring_of_blobs()
    nodes = np.array([0, 50, 90])
    expected = mixing_time(graph.weights.toarray(), nodes, fewest=1)
    assert 1 < expected < 1000
    assert mixing_steps(graph, nodes, fewest=1) == expected
    assert mixing_steps(graph, nodes) == max(100, expected)
    assert mixing_steps(path(), np.array([0])) == 1000


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


def test_what_a_solver_prepares_is_kept_with_the_graph():
    graph = grid()
    Poisson().scores(graph, Seeds.from_classes([0, 80], [0, 1]))
    kept = sorted(graph.kept)
    assert "factorisation" in kept
    Poisson().scores(graph, Seeds.from_classes([1, 70], [0, 1]))
    assert sorted(graph.kept) == kept


def test_an_unknown_solver_names_the_known_ones():
    with pytest.raises(FewlabelsError, match="choose one of auto, series"):
        named_solver("cholesky", grid(), np.array([0]))
