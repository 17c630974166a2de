import numpy as np
from gallery import disconnected
from oracles import component_projection, laplacian

from fewlabels.solvers.inverse import definite_inverse


def test_a_definite_matrix_is_inverted():
    A = np.random.default_rng(0).normal(size=(30, 30))
    C = A @ A.T + np.eye(30)
    np.testing.assert_allclose(definite_inverse(C), np.linalg.inv(C), atol=1e-10)


def test_a_matrix_that_is_singular_along_components_is_inverted_on_what_sums_to_zero_there():
    graph = disconnected()
    L = laplacian(graph.weights.toarray())
    B = component_projection(graph.components) @ np.random.default_rng(0).normal(size=(graph.n_nodes, 3))
    inverse = definite_inverse(L, graph.components)
    np.testing.assert_allclose(L @ inverse @ B, B, atol=1e-9)
    np.testing.assert_array_equal(inverse, inverse.T)
