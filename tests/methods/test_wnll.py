import numpy as np

from fewlabels import WNLL, Graph, Seeds
from fewlabels.solvers.auto import Auto
from fewlabels.systems import laplacian_of


def test_conjugate_gradients_solve_definite_systems_of_large_graphs_too(monkeypatch):
    graph = Graph.from_features(np.random.default_rng(0).normal(size=(4000, 8)), n_neighbors=8)
    seeds = Seeds.from_classes([3, 500, 900], [0, 1, 2])
    found = WNLL().spread(graph, seeds)
    assert found.solves[0].solver == "cg"
    monkeypatch.setattr("fewlabels.solvers.auto.SMALL_GRAPH", 10_000)
    assert type(Auto().choose(laplacian_of(graph))).__name__ == "Direct"
    exact = WNLL().spread(graph, seeds)
    assert exact.solves[0].solver == "direct"
    np.testing.assert_allclose(found.scores, exact.scores, atol=1e-3)
