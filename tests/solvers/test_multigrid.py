import numpy as np
from gallery import columns, grid

from fewlabels.solvers import CG, Multigrid, solve
from fewlabels.solvers.multigrid import _VCycle
from fewlabels.systems import laplacian_of


def test_steps_hardly_grow_with_the_graph():
    steps = {}
    for side in (30, 90):
        graph = grid(side)
        solvers = (Multigrid(1e-8), CG(1e-8, coarse=False))
        steps[side] = [solve(laplacian_of(graph), columns(graph), solver).n_iter for solver in solvers]
    assert steps[90][0] < 2 * steps[30][0]
    assert steps[90][0] < 0.2 * steps[90][1]


def test_a_cycle_is_symmetric_and_positive_as_conjugate_gradients_need_it():
    graph = grid(30)
    cycle = _VCycle(laplacian_of(graph))
    B = columns(graph, 6)
    B -= B.mean(axis=0)
    products = B.T @ cycle(B)
    np.testing.assert_allclose(products, products.T, atol=1e-9 * np.abs(products).max())
    assert (np.linalg.eigvalsh(products) > 0).all()
