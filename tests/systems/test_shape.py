import networkx as nx
import numpy as np
import pytest
from gallery import GALLERY, disconnected, grid, isolated_node, path, star

from fewlabels.systems.shape import Shape, shape_of


@pytest.mark.parametrize(
    ("graph", "shape"),
    [
        (path(12), Shape(12, depth=12)),
        (grid(9), Shape(81, depth=17)),
        (star(9), Shape(9, depth=3)),
        (isolated_node(), Shape(7, depth=2)),
    ],
    ids=["path", "grid", "star", "isolated node"],
)
def test_depth_of_graphs_that_can_be_counted_by_hand(graph, shape):
    assert shape_of(graph) == shape


@pytest.mark.parametrize("name", GALLERY)
def test_depth_lies_between_half_the_diameter_and_the_diameter(name):
    graph = GALLERY[name]()
    net = nx.from_scipy_sparse_array(graph.weights)
    largest = net.subgraph(max(nx.connected_components(net), key=len))
    found = shape_of(graph)
    assert found.n_nodes == graph.n_nodes
    assert nx.diameter(largest) / 2 <= found.depth - 1 <= nx.diameter(largest)


def test_the_shape_is_found_once(monkeypatch):
    graph = disconnected()
    first = shape_of(graph)
    monkeypatch.setattr(type(graph), "hops_from", lambda *_: np.zeros(0))
    assert shape_of(graph) is first
