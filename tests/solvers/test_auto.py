import numpy as np
import pytest
import scipy.sparse as sp
from gallery import columns, path

from fewlabels import Graph, InterfaceLaplace, Seeds
from fewlabels.solvers import CG, Auto, Direct, solve
from fewlabels.systems import laplacian_of, shape_of


def test_auto_reads_the_choice_off_the_graph():
    rng = np.random.default_rng(0)
    ball = Graph.from_features(rng.normal(size=(5000, 12)), n_neighbors=10)
    square = Graph.from_features(rng.random((5000, 2)), n_neighbors=10)
    assert isinstance(Auto().choose(laplacian_of(ball)), CG)
    assert isinstance(Auto().choose(laplacian_of(square)), Direct)
    assert isinstance(Auto().choose(laplacian_of(path())), Direct)
    thick = Graph.from_features(rng.random((60000, 3)) * [30, 1, 1], n_neighbors=6)
    assert shape_of(thick).depth > 30


def test_deep_graphs_of_much_fill_are_left_to_conjugate_gradients(monkeypatch):
    square = Graph.from_features(np.random.default_rng(0).random((5000, 2)), n_neighbors=10)
    assert isinstance(Auto().choose(laplacian_of(square)), Direct)
    monkeypatch.setattr("fewlabels.solvers.auto.STEPS_PER_LEVEL", 0.0)
    assert isinstance(Auto().choose(laplacian_of(square)), CG)
    B = columns(square)
    fine, exact = solve(laplacian_of(square), B, Auto()), solve(laplacian_of(square), B, Direct())
    assert fine.solver == "cg"
    np.testing.assert_allclose(fine.value, exact.value, atol=1e-2 * np.abs(exact.value).max())


def test_a_small_gap_lowers_the_tolerance():
    from fewlabels.solvers.auto import lowered

    assert [lowered(1e-2, gap) for gap in (1e-1, 1e-4, 1e-9)] == pytest.approx([1e-2, 1e-3, 1e-5])
    assert lowered(1e-7, 1e-9) == 1e-7


@pytest.mark.usefixtures("compiled_everywhere")
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
