import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from gallery import ring_of_blobs

from fewlabels import FewlabelsError, Graph
from fewlabels.marks import order_by_mark, seed_of, with_random_state


def test_the_same_points_come_first_however_rows_are_sorted():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    shuffled = rng.permutation(300)
    one, other = Graph.from_features(X), Graph.from_features(X[shuffled])
    for which in (0, 1, 7):
        np.testing.assert_array_equal(order_by_mark(one, which), shuffled[order_by_mark(other, which)])


def test_orders_differ_and_each_has_every_node_once():
    graph = ring_of_blobs()
    orders = [order_by_mark(graph, which) for which in range(4)]
    for order in orders:
        assert sorted(order.tolist()) == list(range(graph.n_nodes))
    assert len({tuple(order[:5].tolist()) for order in orders}) == 4


def test_an_order_is_as_random_as_a_permutation():
    """The first half of the order holds about half of every part of the nodes."""
    rng = np.random.default_rng(1)
    graph = Graph.from_features(rng.normal(size=(4000, 3)))
    first = np.zeros(4000, dtype=bool)
    first[order_by_mark(graph, 2)[:2000]] = True
    by_degree = np.argsort(graph.degrees)
    for part in np.split(by_degree, 8):
        assert 190 < first[part].sum() < 310


def test_nodes_without_edges_and_equal_nodes_have_a_place():
    graph = Graph.from_weights(sp.csr_array((6, 6)))
    assert sorted(order_by_mark(graph, 0).tolist()) == list(range(6))


def test_another_random_state_gives_other_orders_that_do_not_depend_on_the_order_of_rows_either():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    shuffled = rng.permutation(300)
    plain = Graph.from_features(X)
    one, other = with_random_state(plain, 5), with_random_state(Graph.from_features(X[shuffled]), 5)
    np.testing.assert_array_equal(order_by_mark(one, 2), shuffled[order_by_mark(other, 2)])
    assert (order_by_mark(one, 2) != order_by_mark(plain, 2)).any()
    assert with_random_state(plain, 0) is plain
    assert pickle.loads(pickle.dumps(one)).random_state == 5


@pytest.mark.parametrize("state", [-1, 2**32, 1.5, "seven"])
def test_a_random_state_that_cannot_be_meant_is_refused(state):
    with pytest.raises(FewlabelsError, match="must be None, a whole number"):
        seed_of(state)
