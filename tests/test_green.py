import pytest
from gallery import ring_of_blobs, some_seeds

from fewlabels import FewlabelsError, InterfaceLaplace, Laplace, Poisson, Seeds
from fewlabels.green import green
from fewlabels.solvers import CG


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
