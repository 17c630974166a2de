"""The compiled way against dense formulas; it must take over only where it agrees."""

import numpy as np
import oracles
import pytest
import scipy.sparse as sp
from gallery import GALLERY, disconnected

from fewlabels import Graph
from fewlabels.solvers import CG, Direct, solve
from fewlabels.solvers.fused import FusedSystem
from fewlabels.systems import aggregates_of, green_system, laplacian_of, projections_of

pytestmark = pytest.mark.usefixtures("compiled_everywhere", "columns_apart_or_rows_shared")


@pytest.mark.parametrize("name", GALLERY)
@pytest.mark.parametrize("count", [1, 3, 10])
def test_compiled_solves_equal_the_pseudo_inverse(name, count):
    graph = GALLERY[name]()
    B = np.random.default_rng(1).normal(size=(graph.n_nodes, count))
    expected = np.linalg.pinv(oracles.laplacian(graph.weights.toarray()), rcond=1e-13, hermitian=True) @ B
    solution = solve(laplacian_of(graph), B, CG(1e-11))
    assert "compiled" in graph.kept
    assert solution.residual < 1e-8
    np.testing.assert_allclose(solution.value, expected, atol=1e-6 * np.abs(expected).max())


@pytest.mark.parametrize("name", GALLERY)
def test_single_precision_keeps_its_tolerance(name):
    graph = GALLERY[name]()
    B = np.random.default_rng(1).normal(size=(graph.n_nodes, 5)) * np.array([1e-12, 1.0, 1e12, 0.0, 1.0])
    solution = solve(laplacian_of(graph), B, CG(1e-4))
    assert solution.status == "converged"
    assert solution.residual <= 1e-3
    assert not solution.value[:, 3].any()


def test_the_coarse_level_is_deflated():
    rng = np.random.default_rng(0)
    graph = Graph.from_features(rng.normal(size=(3000, 6)), n_neighbors=10)
    B = rng.normal(size=(3000, 4))
    B -= B.mean(axis=0)
    fused = FusedSystem(laplacian_of(graph))
    left = [B - oracles.laplacian(graph.weights.toarray()) @ fused.solve(B, 0.5, steps)[0] for steps in (0, 3)]
    groups = aggregates_of(graph)
    for R in left:
        assert np.abs([np.bincount(groups, column) for column in R.T]).max() < 1e-3 * np.abs(B).max()


def test_rounding_does_not_feed_the_constant_mode():
    rng = np.random.default_rng(0)
    graph = Graph.from_features(rng.normal(size=(3000, 6)), n_neighbors=10)
    B = projections_of(graph).balance(rng.normal(size=(3000, 4)))
    X, _, residual = FusedSystem(laplacian_of(graph)).solve(B, 1e-12, 300)
    assert residual < 1e-5
    assert np.abs(graph.degrees @ X).max() < 1e-4 * (graph.degrees @ np.abs(X)).max()


def test_components_and_lone_nodes_are_kept_apart():
    graph = Graph.from_weights(sp.block_diag([disconnected().weights, sp.csr_array((3, 3))]))
    B = np.random.default_rng(0).normal(size=(graph.n_nodes, 2))
    value = solve(laplacian_of(graph), B, CG(1e-3)).value
    for component in range(graph.n_components):
        np.testing.assert_allclose(value[graph.components == component].mean(axis=0), 0, atol=1e-9)
    assert not value[-3:].any()


@pytest.mark.parametrize("name", ["ring_of_blobs", "disconnected"])
def test_one_system_serves_both_precisions_though_it_keeps_one_at_a_time(name):
    graph = GALLERY[name]()
    B = projections_of(graph).centre(np.random.default_rng(1).normal(size=(graph.n_nodes, 3)))
    expected = np.linalg.pinv(oracles.laplacian(graph.weights.toarray()), rcond=1e-13, hermitian=True) @ B
    for first, second in ((True, False), (False, True)):
        fused = FusedSystem(laplacian_of(graph))
        for single in (first, second):
            X = projections_of(graph).centre(fused.solve(B, 1e-4 if single else 1e-10, 500, single=single)[0])
            np.testing.assert_allclose(X, expected, atol=(1e-2 if single else 1e-6) * np.abs(expected).max())


def test_the_passes_for_one_column_are_those_for_many():
    from fewlabels.solvers import kernels

    rng = np.random.default_rng(0)
    n, groups = 30, 4
    starts = np.array([0, 7, 8, 20, n])
    root = rng.random(n)
    length, share, shift = rng.random(1), rng.random(1), 1.3
    rows = sp.csr_array(sp.random_array((n, n), density=0.3, rng=rng))
    image = sp.csr_array(sp.random_array((n, groups), density=0.8, rng=rng))
    for many, one, matrix, times in (
        (kernels.multiply, kernels.multiply_one, rows, 4),
        (kernels.advance, kernels.advance_one, image, 2),
    ):
        starts_at, indices, data = _with_multiples_of(times, matrix)
        X, R, P, AP = rng.normal(size=(4, n, 1))
        lift, drop = rng.normal(size=(2, groups, 1))
        found = []
        for kernel in (many, one):
            blocks = [block.copy() for block in (X, R, P, AP)]
            sums, squares = np.empty((groups, 1)), np.zeros(1)
            fixed = (0, groups, starts, starts_at, indices, data)
            if matrix is rows:
                kernel(*fixed, shift, root, share, blocks[1], blocks[3], sums, squares)
            else:
                kernel(*fixed, root, length, share, lift, drop, *blocks, sums, squares)
            found.append([*blocks, sums, squares])
        for left, right in zip(*found, strict=True):
            np.testing.assert_allclose(left, right, atol=1e-12)


def test_the_first_passes_are_their_formulas():
    from fewlabels.solvers import kernels

    rng = np.random.default_rng(0)
    n, groups = 30, 4
    starts, order = np.array([0, 7, 8, 20, n]), rng.permutation(n)
    scale, root, unit, B = rng.random(n), rng.random(n), rng.random(3), rng.normal(size=(n, 3))
    R, sums = np.full((n, 4), np.nan), np.empty((groups, 4))
    kernels.take_in(0, groups, starts, order, scale, root, unit, B, R, sums)
    Z = root[:, None] * np.repeat(np.eye(groups), np.diff(starts), axis=0)
    np.testing.assert_allclose(R, np.pad(scale[:, None] * unit * B[order], ((0, 0), (0, 1))))
    np.testing.assert_allclose(sums, Z.T @ R)
    image = sp.csr_array(sp.random_array((n, groups), density=0.8, rng=rng))
    lift, drop = rng.normal(size=(2, groups, 4))
    balanced = R - Z @ drop
    left, X, squares = R.copy(), np.empty((n, 4)), np.zeros((3, 4))
    kernels.lift_off(0, groups, starts, *_with_multiples_of(2, image), root, lift, drop, X, left, sums, squares)
    np.testing.assert_allclose(X, Z @ lift)
    np.testing.assert_allclose(left, balanced - image @ lift)
    np.testing.assert_allclose(sums, Z.T @ left)
    for found, of in zip(squares, (left, balanced, root[:, None] * balanced), strict=True):
        np.testing.assert_allclose(found, (of**2).sum(axis=0))


@pytest.mark.parametrize("name", ["ring_of_blobs", "disconnected"])
@pytest.mark.parametrize("share", [0.0, 1.0, 1e5])
def test_what_has_no_solution_is_left_out_however_large_it_is(name, share):
    graph = GALLERY[name]()
    B = np.random.default_rng(1).normal(size=(graph.n_nodes, 3)) + share * graph.degrees[:, None]
    expected = oracles.limit_matrix(graph.weights.toarray(), np.eye(graph.n_nodes)) @ B
    solution = solve(green_system(graph), B, CG(1e-3))
    assert solution.status == "converged"
    np.testing.assert_allclose(solution.value, expected, atol=0.002 * np.abs(expected).max())


def _grid(side):
    line = sp.diags_array([np.ones(side - 1)] * 2, offsets=[-1, 1])
    return sp.kron(line, sp.eye_array(side)) + sp.kron(sp.eye_array(side), line)


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("small", [sp.csr_array((3, 3)), sp.csr_array(1.0 - np.eye(4))], ids=["lone nodes", "clique"])
@pytest.mark.parametrize("shift", [1.0, 1.001])
def test_small_components_beside_a_large_one_keep_their_own_constants(first, small, shift):
    """Aggregation takes neither nodes without edges nor, once it has shrunk to one, a small component."""
    parts = [small, small, _grid(40)]
    graph = Graph.from_weights(sp.csr_array(sp.block_diag(parts if first else parts[::-1])))
    B = np.random.default_rng(0).normal(size=(graph.n_nodes, 3))
    exact = solve(green_system(graph, shift=shift), B, Direct()).value
    found = solve(green_system(graph, shift=shift), B, CG(1e-4))
    np.testing.assert_allclose(found.value, exact, atol=5e-3 * np.abs(exact).max())


def test_one_compiled_system_serves_both_kinds_of_sink():
    graph = GALLERY["ring_of_blobs"]()
    B = np.random.default_rng(1).normal(size=(graph.n_nodes, 3))
    solve(laplacian_of(graph), B, CG(1e-3))
    expected = oracles.limit_matrix(graph.weights.toarray(), np.eye(graph.n_nodes)) @ B
    found = solve(green_system(graph), B + 1e5 * graph.degrees[:, None], CG(1e-3)).value
    np.testing.assert_allclose(found, expected, atol=0.002 * np.abs(expected).max())


def _with_multiples_of(times, matrix):
    """Return a matrix in CSR form whose rows are filled up with zeros in the first column."""
    counts = -(-np.diff(matrix.indptr) // times) * times
    starts = np.append(0, np.cumsum(counts))
    indices, data = np.zeros(starts[-1], dtype=np.int32), np.zeros(starts[-1])
    for row, (first, last) in enumerate(zip(matrix.indptr, matrix.indptr[1:], strict=False)):
        some = slice(starts[row], starts[row] + last - first)
        indices[some], data[some] = matrix.indices[first:last], matrix.data[first:last]
    return starts, indices, data
