"""The compiled way against the plain one and against dense formulas; it must take over only where it agrees."""

import subprocess
import sys

import numpy as np
import oracles
import pytest
import scipy.sparse as sp
from gallery import GALLERY, disconnected, ring_of_blobs, some_seeds

from fewlabels import (
    WNLL,
    Graph,
    InterfaceLaplace,
    InterfaceLaplaceDirichlet,
    PLaplace,
    RandomWalk,
    Seeds,
    SparseLabelPropagation,
    VPoisson,
)
from fewlabels.operators import laplacian_of
from fewlabels.solvers import CG, Diffusion, power_coefficients, prepared, series_coefficients, solve
from fewlabels.solvers.coarse import aggregates_of
from fewlabels.solvers.fused import filled_up
from fewlabels.threads import cores, even_ranges, run_in_threads

pytest.importorskip("numba", reason="the extra 'fast' is not installed")

CONNECTED = [name for name in GALLERY if name not in ("disconnected", "isolated_node", "duplicates", "weights_apart")]


@pytest.fixture(autouse=True)
def _compiled_everywhere(monkeypatch):
    """Take the compiled way on small graphs too, with aggregates of several nodes."""
    for module in ("solvers.cg", "solvers.definite", "solvers.diffusion"):
        monkeypatch.setattr(f"fewlabels.{module}.COMPILED_FROM", 0)
    for method in ("plaplace", "sparse_label_propagation"):
        monkeypatch.setattr(f"fewlabels.methods.{method}.COMPILED_FROM", 0)
    monkeypatch.setattr("fewlabels.solvers.coarse.MOST_AGGREGATES_SMALL", 4)
    monkeypatch.setattr("fewlabels.solvers.auto.SMALL_GRAPH", 0)
    monkeypatch.setattr("fewlabels.solvers.auto.STIFF_DEPTH", 10_000)


@pytest.mark.parametrize("name", GALLERY)
@pytest.mark.parametrize("count", [1, 3, 10])
def test_compiled_solves_equal_the_pseudo_inverse(name, count):
    graph = GALLERY[name]()
    B = np.random.default_rng(1).normal(size=(graph.n_nodes, count))
    expected = np.linalg.pinv(oracles.laplacian(graph.weights.toarray()), rcond=1e-13, hermitian=True) @ B
    solution = solve(graph, CG(1e-11), B)
    assert prepared(graph, CG(1e-11)).fused is not None
    assert solution.residual < 1e-8
    np.testing.assert_allclose(solution.value, expected, atol=1e-6 * np.abs(expected).max())


@pytest.mark.parametrize("name", GALLERY)
def test_single_precision_keeps_its_tolerance(name):
    graph = GALLERY[name]()
    B = np.random.default_rng(1).normal(size=(graph.n_nodes, 5)) * np.array([1e-12, 1.0, 1e12, 0.0, 1.0])
    solution = solve(graph, CG(1e-4), B)
    assert solution.status == "converged"
    assert solution.residual <= 1e-3
    assert not solution.value[:, 3].any()


def test_the_coarse_level_is_deflated():
    rng = np.random.default_rng(0)
    graph = Graph.from_features(rng.normal(size=(3000, 6)), n_neighbors=10)
    B = rng.normal(size=(3000, 4))
    B -= B.mean(axis=0)
    fused = prepared(graph, CG(1e-6)).fused
    left = [B - oracles.laplacian(graph.weights.toarray()) @ fused.solve(B, 0.5, steps)[0] for steps in (0, 3)]
    groups = aggregates_of(graph)
    for R in left:
        assert np.abs([np.bincount(groups, column) for column in R.T]).max() < 1e-3 * np.abs(B).max()


def test_rounding_does_not_feed_the_constant_mode():
    rng = np.random.default_rng(0)
    graph = Graph.from_features(rng.normal(size=(3000, 6)), n_neighbors=10)
    B = laplacian_of(graph).balance(rng.normal(size=(3000, 4)))
    X, _, residual = prepared(graph, CG(1e-6)).fused.solve(B, 1e-12, 300)
    assert residual < 1e-5
    assert np.abs(graph.degrees @ X).max() < 1e-4 * (graph.degrees @ np.abs(X)).max()


@pytest.mark.parametrize("name", CONNECTED)
def test_methods_on_kernels_are_their_formulas(name):
    graph = GALLERY[name]()
    seeds = some_seeds(graph)
    W = graph.weights.toarray()
    for method, expected in (
        (RandomWalk(), oracles.random_walk(W, seeds.indices, seeds.targets)),
        (WNLL(), oracles.wnll(W, seeds.indices, seeds.targets)),
        (VPoisson(), oracles.variance_poisson(W, seeds.indices, seeds.targets, 0.5)),
    ):
        found = method.spread(graph, seeds)
        assert [s.solver for s in found.solves] == ["cg"]
        np.testing.assert_allclose(found.scores, expected, atol=2e-3 * np.abs(expected).max())


@pytest.mark.parametrize("p", [2.0, 10.0])
def test_compiled_sweeps_end_where_coloured_ones_do(p, monkeypatch):
    graph = ring_of_blobs()
    seeds = some_seeds(graph)
    compiled = PLaplace(p=p, tol=1e-9).scores(graph, seeds)
    monkeypatch.setattr("fewlabels.methods.plaplace.COMPILED_FROM", 10**9)
    np.testing.assert_allclose(compiled, PLaplace(p=p, tol=1e-9).scores(graph, seeds), atol=1e-6)


@pytest.mark.parametrize(("tol", "kind"), [(1e-6, np.float32), (1e-9, np.float64)])
@pytest.mark.parametrize("columns", [1, 2, 10, 30])
def test_compiled_sweeps_leave_every_class_in_its_column(tol, kind, columns):
    graph = ring_of_blobs()
    rng = np.random.default_rng(0)
    nodes = rng.choice(graph.n_nodes, size=columns, replace=False)
    found = PLaplace(tol=tol).scores(graph, Seeds.from_classes(nodes, range(columns), n_classes=columns))
    free = np.setdiff1d(np.arange(graph.n_nodes), nodes)
    W = graph.weights.toarray()
    near = [found[W[i] > 0] for i in free]
    middle = np.array([(u.min(axis=0) + u.max(axis=0)) / 2 for u in near])
    mean = (W[free] @ found) / W[free].sum(axis=1, keepdims=True)
    np.testing.assert_allclose(found[free], mean / 9 + 8 / 9 * middle, atol=10 * max(tol, np.finfo(kind).eps))
    np.testing.assert_allclose(found[nodes], np.eye(columns), atol=1e-6)


@pytest.mark.parametrize("over", [1.0, 1.2])
def test_a_compiled_sweep_is_gauss_seidel_with_larger_steps(over):
    from fewlabels.solvers import kernels

    graph = ring_of_blobs()
    W = graph.weights.toarray()
    P = W / W.sum(axis=1, keepdims=True)
    u = np.random.default_rng(0).random((graph.n_nodes, 4))
    free = np.arange(5, graph.n_nodes)
    expected, change = u.copy(), 0.0
    for i in free:
        near = expected[W[i] > 0]
        step = over * (P[i] @ expected / 9 + 8 / 9 * (near.min(axis=0) + near.max(axis=0)) / 2 - expected[i])
        expected[i] += step
        change = max(change, float(np.abs(step).max()))
    found = kernels.relax(*filled_up(sp.csr_array(P), 4), free, 1 / 9, over, u)
    np.testing.assert_allclose(u, expected, atol=1e-12)
    assert found == pytest.approx(change)


@pytest.mark.parametrize("n_compiled", [1, 10**9], ids=["compiled", "plain"])
@pytest.mark.parametrize("columns", [1, 3, 8])
def test_diffusion_is_repeated_products(columns, n_compiled, monkeypatch):
    monkeypatch.setattr("fewlabels.solvers.diffusion.COMPILED_FROM", n_compiled)
    graph = ring_of_blobs()
    walk = graph.weights.toarray() / graph.weights.toarray().sum(axis=1, keepdims=True)
    u = np.random.default_rng(0).normal(size=(graph.n_nodes, columns))
    diffusion = Diffusion(graph, sp.csr_array(walk))
    np.testing.assert_allclose(
        diffusion.apply(power_coefficients(40, 1e-7), u), np.linalg.matrix_power(walk, 40) @ u, atol=1e-5
    )
    series = sum(np.linalg.matrix_power(walk, i) for i in range(7)) @ u
    np.testing.assert_allclose(diffusion.apply(series_coefficients(7, 1e-7), u), series, atol=1e-4)


def test_long_diffusion_needs_few_products():
    kept = power_coefficients(400, 1e-2)
    assert kept.size < 60
    angles = np.linspace(0, np.pi, 1001)
    found = np.cos(angles[:, None] * np.arange(kept.size)) @ kept
    assert np.abs(found - np.cos(angles) ** 400).max() < 1e-2


@pytest.mark.parametrize("method", [InterfaceLaplace(), InterfaceLaplaceDirichlet()], ids=lambda m: type(m).__name__)
def test_labels_do_not_depend_on_the_kernels(method, monkeypatch):
    rng = np.random.default_rng(0)
    truth = rng.integers(4, size=4000)
    graph = Graph.from_features(3 * np.eye(4, 6)[truth] + rng.normal(size=(4000, 6)), n_neighbors=10)
    seeds = Seeds.from_classes([int(np.flatnonzero(truth == j)[0]) for j in range(4)], range(4))
    compiled = method.scores(graph, seeds).argmax(axis=1)
    monkeypatch.setattr("fewlabels.solvers.cg.COMPILED_FROM", 10**9)
    monkeypatch.setattr("fewlabels.solvers.definite.COMPILED_FROM", 10**9)
    plain = method.scores(Graph.from_weights(graph.weights), seeds).argmax(axis=1)
    assert np.mean(compiled == plain) > 0.99


def test_a_weak_link_calls_for_double_precision():
    rng = np.random.default_rng(0)
    blocks = [Graph.from_features(rng.normal(size=(n, 8)), n_neighbors=10).weights for n in (700, 800)]
    W = sp.block_diag(blocks).tolil()
    W[5, 705] = W[705, 5] = 1e-4
    graph = Graph.from_weights(W.tocsr())
    seeds = Seeds.from_classes([0, 1, 5], ["a", "b", "b"])
    exact = InterfaceLaplace(solver="direct").scores(graph, seeds)
    found = InterfaceLaplace(solver="auto").scores(graph, seeds)
    assert np.mean(found.argmax(axis=1) == exact.argmax(axis=1)) > 0.99


def test_components_and_lone_nodes_are_kept_apart():
    graph = Graph.from_weights(sp.block_diag([disconnected().weights, sp.csr_array((3, 3))]))
    B = np.random.default_rng(0).normal(size=(graph.n_nodes, 2))
    value = solve(graph, CG(1e-3), B).value
    for component in range(graph.n_components):
        np.testing.assert_allclose(value[graph.components == component].mean(axis=0), 0, atol=1e-9)
    assert not value[-3:].any()


def test_without_numba_the_plain_way_is_taken():
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "import numpy as np\n"
        "import fewlabels.solvers.cg as cg\n"
        "from fewlabels import Graph, Poisson, Seeds\n"
        "cg.COMPILED_FROM = 0\n"
        "graph = Graph.from_features(np.random.default_rng(0).normal(size=(4000, 8)))\n"
        "print([s.status for s in Poisson().spread(graph, Seeds.from_classes([0, 1], [0, 1])).solves])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "['converged']", done.stderr


def test_importing_the_package_imports_no_compiler():
    code = "import sys, fewlabels; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_work_is_shared_out_in_order(monkeypatch):
    assert run_in_threads([lambda i=i: i * i for i in range(7)]) == [i * i for i in range(7)]
    assert even_ranges(np.ones(10), 3)[0][0] == 0
    assert sum(b - a for a, b in even_ranges(np.ones(10), 3)) == 10
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert cores() == 1


def test_an_error_in_a_shared_task_is_not_lost():
    def fail():
        raise ValueError("lost")

    with pytest.raises(ValueError, match="lost"):
        run_in_threads([fail, lambda: 1])


@pytest.mark.parametrize("name", GALLERY)
@pytest.mark.parametrize("steps", [1, 2, 30])
def test_compiled_primal_dual_steps_are_those_of_the_formula(name, steps):
    graph = GALLERY[name]()
    seeds = some_seeds(graph)
    expected = oracles.sparse_label_propagation(graph.weights.toarray(), seeds.indices, seeds.targets, steps)
    found = SparseLabelPropagation(steps=steps)._spread(graph, seeds).scores
    np.testing.assert_allclose(found, expected, atol=1e-3)
