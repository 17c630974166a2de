import numpy as np
from gallery import disconnected
from oracles import component_projection

from fewlabels.systems import projections_of


def test_the_three_projections_work_on_each_component():
    graph = disconnected()
    X, d = np.random.default_rng(0).normal(size=(graph.n_nodes, 2)), graph.degrees
    found = projections_of(graph)
    np.testing.assert_allclose(found.centre(X), component_projection(graph.components) @ X, atol=1e-12)
    for component in range(graph.n_components):
        here = graph.components == component
        np.testing.assert_allclose(found.balance(X)[here].sum(axis=0), 0, atol=1e-10)
        np.testing.assert_allclose(d[here] @ found.centre_by_degree(X)[here], 0, atol=1e-10)
    again = X.copy()
    found.centre_by_degree_in_place(again)
    np.testing.assert_allclose(again, found.centre_by_degree(X))
