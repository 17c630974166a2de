import numpy as np
import oracles
import pytest
from gallery import CONNECTED, GALLERY, ring_of_blobs, some_seeds

from fewlabels import FewlabelsError, InterfaceLaplace, Laplace, Poisson, Seeds
from fewlabels.green import columns_of, green_columns, harmonic_scores, impulses, split_columns
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

    def counted(graph, nodes, solver):
        solves.append(nodes.size)
        return green_columns(graph, nodes, solver)

    monkeypatch.setattr("fewlabels.green.green_columns", counted)
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


@pytest.mark.parametrize("centred", [True, False])
def test_the_sources_of_a_table_are_made_for_a_few_columns_at_a_time(monkeypatch, entries_at_once, centred):
    graph, widths = ring_of_blobs(), []
    nodes = np.arange(0, 70, 10)
    entries_at_once(3 * graph.n_nodes)

    def watched(graph, some, **options):
        widths.append(some.size)
        return impulses(graph, some, **options)

    monkeypatch.setattr("fewlabels.green.impulses", watched)
    found = green_columns(graph, nodes, Direct(), centred=centred).value
    E = np.eye(graph.n_nodes)[:, nodes] - (1.0 / graph.n_nodes if centred else 0.0)
    H = oracles.limit_matrix(graph.weights.toarray(), np.eye(graph.n_nodes))
    np.testing.assert_allclose(found, H @ E, atol=1e-8 * np.abs(H).max())
    assert widths == [2, 2, 3]
    assert not found.flags.writeable


def test_columns_of_several_problems_are_told_apart():
    graph = ring_of_blobs()
    group = [some_seeds(graph, per_class=t + 1, seed=t) for t in range(3)]
    A = oracles.limit(graph)
    parts = split_columns(columns_of(graph, group, Direct()), group)
    for seeds, part in zip(group, parts, strict=True):
        np.testing.assert_allclose(part, A[seeds.indices].T, atol=1e-8 * np.abs(A).max())
