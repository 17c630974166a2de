import numpy as np
import pytest
from gallery import disconnected, isolated_node, ring_of_blobs, star

from fewlabels.atlas.level import level_of


def test_strengths_are_the_mean_of_the_shares_of_both_ends():
    graph = ring_of_blobs()
    level = level_of(graph, None, np.random.default_rng(0))
    W, d = graph.weights.toarray(), graph.degrees
    expected = (W / d[:, None] + W / d) / 2
    found = np.zeros_like(W)
    for place, node in enumerate(level.order):
        for e in range(level.indptr[place], level.indptr[place + 1]):
            found[node, level.order[level.indices[e]]] = level.strength[e]
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_a_leaf_is_held_as_strongly_as_any_node():
    level = level_of(star(9), None, np.random.default_rng(0))
    sums = np.add.reduceat(level.strength, level.indptr[:-1])
    assert sums.min() >= 0.5


@pytest.mark.parametrize("make", [disconnected, isolated_node])
def test_places_of_a_component_lie_together(make):
    graph = make()
    level = level_of(graph, None, np.random.default_rng(0))
    along = graph.components[level.order]
    for place in range(level.n_points):
        first, size = level.low[place], level.size[place]
        assert (along[first : first + size] == along[place]).all()
        assert size == (along == along[place]).sum()


def test_groups_are_linked_by_all_edges_between_them():
    graph = disconnected()
    group = 2 * graph.components + np.arange(graph.n_nodes) % 2
    level = level_of(graph, group, np.random.default_rng(0))
    onto = np.eye(group.max() + 1)[group]
    between = onto.T @ graph.weights.toarray() @ onto
    np.testing.assert_allclose(level.weights.toarray(), between - np.diag(np.diag(between)))
    np.testing.assert_array_equal(level.component, np.arange(group.max() + 1) // 2)
