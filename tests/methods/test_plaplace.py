import numpy as np
import oracles
import pytest
import scipy.sparse as sp
from gallery import CONNECTED, GALLERY, ring_of_blobs, some_seeds

from fewlabels import PLaplace, Seeds
from fewlabels.systems import padded_rows


@pytest.mark.parametrize("p", [2.0, 3.0, 10.0])
@pytest.mark.parametrize("name", CONNECTED)
def test_p_laplace_satisfies_its_equation(name, p):
    graph = GALLERY[name]()
    seeds = some_seeds(graph)
    u = PLaplace(p=p, tol=1e-10).scores(graph, seeds)
    W, a = graph.weights.toarray(), 1 / (p - 1)
    for i in np.setdiff1d(np.arange(len(W)), seeds.indices):
        near = u[W[i] > 0]
        mean = W[i] @ u / W[i].sum()
        np.testing.assert_allclose(u[i], a * mean + (1 - a) * (near.min(axis=0) + near.max(axis=0)) / 2, atol=1e-7)
    np.testing.assert_array_equal(u[seeds.indices], seeds.targets)
    if p == 2:
        np.testing.assert_allclose(u, oracles.laplace_learning(W, seeds.indices, seeds.targets), atol=1e-6)


@pytest.mark.usefixtures("compiled_everywhere")
@pytest.mark.parametrize("p", [2.0, 10.0])
def test_compiled_sweeps_end_where_coloured_ones_do(p, monkeypatch):
    graph = ring_of_blobs()
    seeds = some_seeds(graph)
    compiled = PLaplace(p=p, tol=1e-9).scores(graph, seeds)
    monkeypatch.setattr("fewlabels.compiled.PAY_FROM", 10**9)
    np.testing.assert_allclose(compiled, PLaplace(p=p, tol=1e-9).scores(graph, seeds), atol=1e-6)


@pytest.mark.usefixtures("compiled_everywhere")
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


@pytest.mark.usefixtures("compiled_everywhere")
@pytest.mark.parametrize("over", [1.0, 1.2])
def test_a_compiled_sweep_is_gauss_seidel_with_larger_steps(over):
    from fewlabels.methods import plaplace_kernels as kernels

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
    found = kernels.relax(*padded_rows(sp.csr_array(P), 4), free, 1 / 9, over, u)
    np.testing.assert_allclose(u, expected, atol=1e-12)
    assert found == pytest.approx(change)
