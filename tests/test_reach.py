import networkx as nx
import numpy as np
import pytest
from gallery import GALLERY, disconnected, some_seeds

from fewlabels import Seeds
from fewlabels.reach import reach_of, unreached_sentence


@pytest.mark.parametrize("name", GALLERY)
def test_a_node_can_have_the_classes_of_the_labels_it_has_a_path_to(name):
    graph = GALLERY[name]()
    seeds = some_seeds(graph, n_classes=2, per_class=1)
    net = nx.from_scipy_sparse_array(graph.weights)
    possible = np.zeros((graph.n_nodes, 2), dtype=bool)
    for node, code in zip(seeds.indices.tolist(), seeds.codes, strict=True):
        possible[list(nx.node_connected_component(net, node)), code] = True
    found = reach_of(graph, seeds)
    np.testing.assert_array_equal(found.possible, possible)
    np.testing.assert_array_equal(found.nodes, possible.any(axis=1))
    assert found.is_complete == possible.all()


def test_values_reach_the_components_that_have_one():
    assert reach_of(disconnected(), Seeds.from_values([5, 70], [1.0, 2.0])).columns.ravel().tolist() == [1, 0, 1]


def test_the_sentence_names_the_largest_part_and_its_first_node():
    graph = GALLERY["isolated_node"]()
    reached = np.array([False] * 7)
    said = unreached_sentence(graph, reached, "k", named="point {}".format)
    assert said.startswith("7 of 7 points lie in 2 parts of the graph")
    assert "a label on point 0 would reach 6 of them, a larger k may join the parts" in said
