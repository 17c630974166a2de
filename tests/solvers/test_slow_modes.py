import numpy as np
import oracles
import pytest
import scipy.sparse as sp
from gallery import GALLERY, columns, disconnected, path, ring_of_blobs

from fewlabels import Graph
from fewlabels.solvers import Chebyshev, Series, keep_slow_modes, slow_modes, solve
from fewlabels.systems import green_system, laplacian_of, projections_of


@pytest.fixture(params=[4, 9], name="few")
def _few(request, monkeypatch):
    """Keep so few modes that the expansion has something left to do."""
    monkeypatch.setattr(slow_modes, "COUNT", request.param)
    return request.param


def literal(graph, B, steps, fraction=0.0):
    """Return the sum over i < T of (P + v (I - mean))^i D^-1 B for a balanced B, power by power, and v."""
    d = graph.degrees
    inverse = np.divide(1.0, d, out=np.zeros_like(d), where=d > 0)
    gaps = np.linalg.eigvalsh(oracles.normal_laplacian(graph.weights.toarray())[np.ix_(d > 0, d > 0)])
    v = fraction * min(1.0, gaps[gaps > 1e-9][0])
    source = inverse[:, None] * B
    term, total = source, source
    for _ in range(steps - 1):
        moved = projections_of(graph).centre_by_degree(v * term)
        term = inverse[:, None] * (graph.weights @ term) + moved
        total = total + term
    return projections_of(graph).centre_by_degree(total), v


@pytest.mark.parametrize("steps", [2, 30, 300])
def test_t_steps_on_slow_modes_and_the_others_are_the_series(graph, steps, few):
    modes = keep_slow_modes(graph)
    B = projections_of(graph).balance(columns(graph))
    expected, _ = literal(graph, B, steps)
    found = solve(green_system(graph), B, Chebyshev(steps, tol=1e-9))
    np.testing.assert_allclose(found.value, expected, atol=1e-7 * max(1.0, np.abs(expected).max()))
    assert modes.values.size == min(few, graph.n_nodes)


@pytest.mark.parametrize("name", [name for name in GALLERY if name != "weights_apart"])
@pytest.mark.parametrize("with_modes", [False, True])
def test_a_shift_is_taken_along(name, with_modes, few):
    graph = GALLERY[name]()
    B = projections_of(graph).balance(columns(graph))
    expected, v = literal(graph, B, 120, 0.5)
    if with_modes:
        keep_slow_modes(graph)
    found = solve(green_system(graph, shift=1.0 - v), B, Chebyshev(120, tol=1e-9)).value
    np.testing.assert_allclose(found, expected, atol=1e-6 * max(1.0, np.abs(expected).max()))


@pytest.mark.usefixtures("compiled_everywhere", "columns_apart_or_rows_shared")
@pytest.mark.parametrize("name", [name for name in GALLERY if name != "weights_apart"])
@pytest.mark.parametrize(("with_modes", "fraction"), [(False, 0.0), (False, 0.5), (True, 0.0), (True, 0.5)])
def test_compiled_steps_are_the_series_too(name, with_modes, fraction, few):
    graph = GALLERY[name]()
    B = projections_of(graph).balance(columns(graph, 6))
    expected, v = literal(graph, B, 120, fraction)
    if with_modes:
        keep_slow_modes(graph)
    found = solve(green_system(graph, shift=1.0 - v), B, Chebyshev(120)).value
    np.testing.assert_allclose(found, expected, atol=1e-3 * max(1.0, np.abs(expected).max()))


@pytest.mark.parametrize("kind", [Series, Chebyshev])
@pytest.mark.parametrize("with_modes", [False, True])
def test_every_column_may_take_its_own_number_of_steps(kind, with_modes, few):
    graph = ring_of_blobs()
    B = projections_of(graph).balance(columns(graph))
    if with_modes:
        keep_slow_modes(graph)
    found = solve(green_system(graph), B, kind((7, 150, 40)))
    for column, steps in enumerate([7, 150, 40]):
        alone = solve(green_system(graph), B[:, column : column + 1], Series(steps)).value
        np.testing.assert_allclose(found.value[:, column : column + 1], alone, atol=2e-4)


def test_slow_modes_save_products_and_tell_the_residual(few):
    graph = ring_of_blobs()
    B = projections_of(graph).balance(columns(graph))
    before = solve(green_system(graph), B, Chebyshev(400))
    keep_slow_modes(graph)
    after = solve(green_system(graph), B, Chebyshev(400))
    assert after.n_iter < 0.75 * before.n_iter
    assert after.residual == pytest.approx(before.residual, rel=1e-2)


def test_the_others_lie_where_they_are_said_to(few):
    graph = ring_of_blobs()
    modes, values = keep_slow_modes(graph), np.linalg.eigvalsh(oracles.normal_laplacian(graph.weights.toarray()))
    np.testing.assert_allclose(modes.values, 1.0 - values[:few], atol=1e-6)
    assert modes.low <= 1.0 - values[-1] <= modes.low + 0.01
    assert modes.high - 0.01 <= 1.0 - values[few] <= modes.high


def test_a_pair_on_its_own_swings_and_is_still_right(monkeypatch, few):
    """An eigenvalue of -1 on two nodes of many, where a random start hardly looks."""
    monkeypatch.setattr("fewlabels.spectrum.DENSE_UP_TO", 10)
    monkeypatch.setattr(slow_modes, "DENSE_UP_TO", 10)
    pair = np.array([[0.0, 1.0], [1.0, 0.0]])
    graph = Graph.from_weights(sp.block_diag([ring_of_blobs().weights, pair], format="csr"))
    B = projections_of(graph).balance(columns(graph))
    assert keep_slow_modes(graph).low == -1.0
    for steps in (300, 301):
        expected, _ = literal(graph, B, steps)
        found = solve(green_system(graph), B, Chebyshev(steps, tol=1e-9)).value
        np.testing.assert_allclose(found, expected, atol=1e-5 * np.abs(expected).max())


@pytest.mark.parametrize("make", [disconnected, path])
def test_more_components_than_modes_or_modes_missed_are_still_right(make, monkeypatch):
    monkeypatch.setattr(slow_modes, "COUNT", 2)
    graph = make()
    B = projections_of(graph).balance(columns(graph))
    values, vectors = slow_modes.lowest_modes(graph, 5)
    monkeypatch.setattr(slow_modes, "lowest_modes", lambda graph, count: (values[[0, 3]], vectors[:, [0, 3]]))
    keep_slow_modes(graph)
    expected, _ = literal(graph, B, 200)
    found = solve(green_system(graph), B, Chebyshev(200, tol=1e-9)).value
    np.testing.assert_allclose(found, expected, atol=1e-6 * np.abs(expected).max())


def test_a_wrong_mode_would_be_seen(few):
    """The correction is not idle: with modes of the wrong size the answer is wrong."""
    graph = ring_of_blobs()
    B = projections_of(graph).balance(columns(graph))
    modes = keep_slow_modes(graph)
    expected, _ = literal(graph, B, 300)
    graph.kept.forget(slow_modes.SLOW_MODES)
    wrong = slow_modes.SlowModes(modes.values, 0.5 * modes.vectors, modes.squares, modes.low, modes.high)
    graph.kept.get(slow_modes.SLOW_MODES, lambda: wrong)
    found = solve(green_system(graph), B, Chebyshev(300)).value
    assert np.abs(found - expected).max() > 100 * 1e-4


def test_without_modes_kept_none_are_looked_for():
    graph = ring_of_blobs()
    solve(laplacian_of(graph), columns(graph), Chebyshev(50))
    assert "slow modes" not in graph.kept
