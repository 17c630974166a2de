import numpy as np
import pytest
import scipy.sparse as sp
from gallery import ring_of_blobs

from fewlabels.solvers import Polynomial, power_coefficients, resolvent_coefficients, series_coefficients, solve
from fewlabels.systems import WalkSystem

pytestmark = pytest.mark.usefixtures("compiled_everywhere", "columns_apart_or_rows_shared")


@pytest.mark.parametrize("n_compiled", [1, 10**9], ids=["compiled", "plain"])
@pytest.mark.parametrize("columns", [1, 3, 8])
def test_diffusion_is_repeated_products(columns, n_compiled, monkeypatch):
    monkeypatch.setattr("fewlabels.compiled.PAY_FROM", n_compiled)
    graph = ring_of_blobs()
    walk = graph.weights.toarray() / graph.weights.toarray().sum(axis=1, keepdims=True)
    u = np.random.default_rng(0).normal(size=(graph.n_nodes, columns))
    system = WalkSystem(graph, sp.csr_array(walk))

    def expanded(coefficients):
        return solve(system, u, Polynomial(coefficients, 1e-7)).value

    power = np.linalg.matrix_power(walk, 40) @ u
    np.testing.assert_allclose(expanded(power_coefficients(40, 1e-7)), power, atol=1e-5)
    assert ("compiled walk" in system.kept) == (n_compiled == 1)
    series = sum(np.linalg.matrix_power(walk, i) for i in range(7)) @ u
    np.testing.assert_allclose(expanded(series_coefficients(7, 1e-7)), series, atol=1e-4)


def test_a_walk_among_some_nodes_is_one_of_its_own():
    graph = ring_of_blobs()
    nodes = np.flatnonzero(np.arange(graph.n_nodes) % 3)
    walk = (graph.weights.toarray() / graph.weights.toarray().sum(axis=1, keepdims=True))[np.ix_(nodes, nodes)]
    u = np.random.default_rng(0).normal(size=(nodes.size, 4))
    found = solve(WalkSystem(graph, walk, nodes), u, Polynomial(resolvent_coefficients(1.5, 1e-7), 1e-7)).value
    np.testing.assert_allclose(found, np.linalg.solve(1.5 * np.eye(nodes.size) - walk, u), atol=1e-5)
