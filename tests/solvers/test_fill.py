import numpy as np
import pytest
import scipy.sparse as sp

from fewlabels import Graph
from fewlabels.solvers.fill import fill_per_node, sparse_lu


def points(n, dimensions):
    return Graph.from_features(np.random.default_rng(0).random((n, dimensions)), n_neighbors=8)


@pytest.mark.parametrize("dimensions", [2, 3, 6])
def test_the_fill_of_a_large_graph_is_about_what_its_parts_tell(dimensions):
    graph = points(7000, dimensions)
    matrix = sp.diags_array(graph.degrees * (1 + 1e-6)) - graph.weights
    true = sparse_lu(sp.csr_array(matrix)).L.nnz / graph.n_nodes
    assert true / 2.5 < fill_per_node(graph) < 2.5 * true


def test_fill_grows_with_the_dimension():
    found = [fill_per_node(points(7000, dimensions)) for dimensions in (1, 2, 4, 8)]
    assert found == sorted(found)
    assert found[-1] > 20 * found[0]


def test_a_factor_solves():
    matrix = sp.csr_array([[2.0, -1.0], [-1.0, 2.0]])
    np.testing.assert_allclose(sparse_lu(matrix).solve(np.array([1.0, 0.0])), [2 / 3, 1 / 3])


def test_graphs_without_edges_have_no_fill():
    assert fill_per_node(Graph.from_weights(np.zeros((4, 4)))) == 1.0
