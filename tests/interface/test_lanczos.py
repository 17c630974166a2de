import numpy as np
import pytest
from gallery import GALLERY

from fewlabels import InterfaceLaplace, Laplace, Seeds


@pytest.mark.parametrize("name", ["ring_of_blobs", "disconnected", "grid"])
@pytest.mark.parametrize("regression", [False, True])
def test_very_many_labels_need_no_table_of_green_columns(name, regression, monkeypatch):
    graph = GALLERY[name]()
    nodes = np.arange(0, graph.n_nodes, 4)
    rng = np.random.default_rng(0)
    if regression:
        seeds = Seeds.from_values(nodes, rng.normal(size=nodes.size))
    else:
        seeds = Seeds.from_classes(nodes, rng.integers(3, size=nodes.size), class_prior=[0.5, 0.3, 0.2])
    methods = (InterfaceLaplace(hops=0, target_mse=0.2), Laplace())
    tables = [method.scores(graph, seeds) for method in methods]
    monkeypatch.setattr("fewlabels.methods.interface_laplace.TABLE_ENTRIES", 0)
    monkeypatch.setattr("fewlabels.methods.laplace.TABLE_ENTRIES", 0)
    monkeypatch.setattr("fewlabels.interface.lanczos.ENOUGH", 1e-9)
    for method, expected in zip(methods, tables, strict=True):
        np.testing.assert_allclose(method.scores(graph, seeds), expected, atol=1e-5 * np.abs(expected).max())


def test_of_the_solves_on_the_way_only_the_last_keeps_its_value(monkeypatch):
    graph = GALLERY["ring_of_blobs"]()
    monkeypatch.setattr("fewlabels.methods.interface_laplace.TABLE_ENTRIES", 0)
    found = InterfaceLaplace(hops=1).spread(graph, Seeds.from_classes([3, 50, 90], [0, 1, 2]))
    *before, last = found.solves
    assert before
    assert all(solve.value.size == 0 and solve.status == "converged" for solve in before)
    assert last.value.shape == found.scores.shape
