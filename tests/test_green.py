import numpy as np
import oracles
import pytest
from gallery import CONNECTED, GALLERY, ring_of_blobs, some_seeds

from fewlabels import FewlabelsError, InterfaceLaplace, Laplace, Poisson, Seeds
from fewlabels.green import columns_of, green, harmonic_scores, split_columns
from fewlabels.solvers import CG, Direct


def test_more_labels_than_memory_holds_are_refused(monkeypatch):
    monkeypatch.setattr("fewlabels.green.MOST_ENTRIES", 300)
    graph = ring_of_blobs()
    with pytest.raises(FewlabelsError, match=r"2 labels on 160 nodes need a table .* method='poisson'"):
        InterfaceLaplace().scores(graph, Seeds.from_classes([3, 50], [0, 1]))
    assert Poisson().scores(graph, Seeds.from_classes([3, 50], [0, 1])).shape == (160, 2)


def test_methods_on_one_draw_share_its_columns(monkeypatch):
    graph, solves = ring_of_blobs(), []
    problems = [some_seeds(graph, seed=t) for t in range(3)]

    def counted(graph, B, solver):
        solves.append(B.shape[1])
        return green(graph, B, solver)

    monkeypatch.setattr("fewlabels.green.green", counted)
    for method in (Laplace(), InterfaceLaplace(), InterfaceLaplace(hops=1, target_mse=0.3)):
        method.spread_many(graph, problems)
    assert solves == [sum(seeds.size for seeds in problems)]


def test_kept_columns_belong_to_the_solver_that_made_them():
    graph = ring_of_blobs()
    problems = [some_seeds(graph, seed=t) for t in range(2)]
    for solver, name in ((CG(1e-2), "cg"), ("direct", "direct")):
        found = InterfaceLaplace(solver=solver).spread_many(graph, problems)
        assert {spread.solves[0].solver for spread in found} == {name}


@pytest.mark.parametrize("name", CONNECTED)
def test_combined_columns_are_laplace_learning_though_all_are_off_by_one_vector(name):
    graph = GALLERY[name]()
    seeds = some_seeds(graph)
    expected = oracles.laplace_learning(graph.weights.toarray(), seeds.indices, seeds.targets)
    G = oracles.limit_matrix(graph.weights.toarray(), np.eye(graph.n_nodes))[:, seeds.indices]
    off = np.random.default_rng(0).normal(size=(graph.n_nodes, 1)) * np.abs(G).max()
    np.testing.assert_allclose(harmonic_scores(graph, seeds, G), expected, atol=1e-8)
    np.testing.assert_allclose(harmonic_scores(graph, seeds, G + off), expected, atol=1e-8)


def test_columns_of_several_problems_are_told_apart():
    graph = ring_of_blobs()
    group = [some_seeds(graph, per_class=t + 1, seed=t) for t in range(3)]
    A = oracles.limit(graph)
    parts = split_columns(columns_of(graph, group, Direct()), group)
    for seeds, part in zip(group, parts, strict=True):
        np.testing.assert_allclose(part, A[seeds.indices].T, atol=1e-8 * np.abs(A).max())
