import numpy as np
import scipy.sparse as sp
from oracles import laplacian

from fewlabels import Graph
from fewlabels.solvers import CG, Direct, Multigrid, solve
from fewlabels.systems import MatrixSystem


def test_definite_systems_take_the_same_solvers():
    graph = Graph.from_features(np.random.default_rng(0).normal(size=(400, 4)), n_neighbors=8)
    nodes = np.arange(5, 400)
    matrix = sp.csr_array(laplacian(graph.weights.toarray())[np.ix_(nodes, nodes)])
    B = np.random.default_rng(1).normal(size=(nodes.size, 3))
    expected = np.linalg.solve(matrix.toarray(), B)
    for solver in (None, Direct(), CG(1e-10), CG(1e-10, coarse=False), Multigrid(1e-10)):
        found = solve(MatrixSystem(graph, matrix, nodes), B, solver)
        np.testing.assert_allclose(found.value, expected, atol=1e-6 * np.abs(expected).max())
