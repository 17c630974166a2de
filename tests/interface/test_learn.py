import numpy as np
import oracles
import pytest
from gallery import disconnected, grid

from fewlabels import FewlabelsError, InterfaceLaplace, Seeds
from fewlabels.interface.learn import Learner, learn_by_products
from fewlabels.solvers import Direct


def test_cross_entropy_is_refused_for_values():
    with pytest.raises(FewlabelsError, match="cross-entropy is for classes"):
        InterfaceLaplace(loss="cross-entropy").scores(grid(), Seeds.from_values([0, 80], [0.0, 1.0]))


def test_cross_entropy_takes_a_ridge_from_the_target_error_that_holds_it_back_as_much():
    seeds = Seeds.from_classes([0, 40, 80], [0, 1, 2])
    by_squares = InterfaceLaplace(hops=2, target_mse=0.3).spread(grid(), seeds)
    found = InterfaceLaplace(hops=2, target_mse=0.3, loss="cross-entropy").spread(grid(), seeds)
    given = InterfaceLaplace(hops=2, ridge=found.ridge, loss="cross-entropy").spread(grid(), seeds)
    assert found.ridge == pytest.approx(by_squares.ridge / 6)
    np.testing.assert_allclose(found.scores, given.scores)


PLAIN = Learner("mse", "l2-squared", 0.3, "auto")


def two_parts():
    """Labels in two of three components, with the dense columns of the labels."""
    graph = disconnected()
    seeds = Seeds.from_classes([5, 15, 25, 40, 50], [0, 1, 0, 1, 0])
    return graph, seeds, oracles.limit(graph)


def test_each_component_is_learned_as_if_it_were_alone():
    graph, seeds, A = two_parts()
    interface = np.array([0, 1, 2, 10, 11, 33, 34, 35, 58])
    expected = np.zeros((graph.n_nodes, 2))
    for labels, nodes in ((np.arange(3), interface[:5]), (np.arange(3, 5), interface[5:])):
        expected += oracles.interface_laplace(A, seeds.indices[labels], seeds.targets[labels], nodes, 0.3)[1]
    found = PLAIN.learn(graph, seeds, A[seeds.indices].T, interface)
    np.testing.assert_allclose(found.values, expected, atol=1e-10 * np.abs(expected).max())
    u = A @ found.values
    assert found.mse == pytest.approx(((u[seeds.indices] - seeds.targets) ** 2).sum() / 5)
    assert found.ridge == 0.3


def test_labels_that_see_no_interface_keep_their_whole_error():
    graph, seeds, A = two_parts()
    found = PLAIN.learn(graph, seeds, A[seeds.indices].T, np.array([0, 1, 2]))
    u = A @ found.values
    np.testing.assert_allclose(u[seeds.indices[3:]], 0, atol=1e-12)
    assert found.mse == pytest.approx(((u[seeds.indices] - seeds.targets) ** 2).sum() / 5)


def test_products_alone_learn_the_same_term():
    graph, seeds, A = two_parts()
    interface = np.array([0, 1, 2, 10, 11, 33, 34, 35, 58])
    table = PLAIN.learn(graph, seeds, A[seeds.indices].T, interface)
    found, solves = learn_by_products(graph, seeds, interface, Direct(), ridge=0.3, target_mse="auto")
    np.testing.assert_allclose(found.values, table.values, atol=1e-6 * np.abs(table.values).max())
    assert found.mse == pytest.approx(table.mse, rel=1e-6)
    assert solves
    assert {solution.solver for solution in solves} == {"direct"}


def test_what_does_not_go_together_is_refused_in_one_sentence():
    seeds = Seeds.from_classes([0, 1], [0, 1])
    for learner, sentence in (
        (Learner("mse", "l2-squared", 1.0, 0.2), "either ridge or target_mse"),
        (Learner("hinge", "l2-squared", None, "auto"), "choose one of mse, cross-entropy"),
        (Learner("mse", "l3", None, "auto"), "choose one of l2-squared"),
        (Learner("cross-entropy", "l1", None, "auto"), "goes with penalty='l2-squared'"),
    ):
        with pytest.raises(FewlabelsError, match=sentence):
            learner.check(seeds)
    PLAIN.check(seeds)
    assert PLAIN.is_plain_ridge
    assert not Learner("mse", "l1", None, "auto").is_plain_ridge
