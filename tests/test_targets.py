import numpy as np
import pytest
from gallery import disconnected, ring

from fewlabels import InterfaceLaplace, Laplace, Poisson, Seeds
from fewlabels.targets import centred_targets, standard_targets


@pytest.mark.parametrize("method", [InterfaceLaplace(hops=1), Laplace()], ids=str)
def test_regression_follows_shift_and_scale(method):
    graph, nodes, values = ring(), [0, 4, 9], np.array([1.0, -2.0, 0.5])
    base = method.scores(graph, Seeds.from_values(nodes, values))
    moved = method.scores(graph, Seeds.from_values(nodes, 1000.0 + 1e-3 * values))
    np.testing.assert_allclose(moved, 1000.0 + 1e-3 * base, atol=1e-9)


@pytest.mark.parametrize("method", [InterfaceLaplace(), Laplace(), Poisson()], ids=str)
def test_equal_regression_targets_give_that_value_everywhere(method):
    graph = ring()
    np.testing.assert_allclose(method.scores(graph, Seeds.from_values([2], [7.5])), 7.5)
    np.testing.assert_allclose(method.scores(graph, Seeds.from_values([2, 9], [7.5, 7.5])), 7.5, atol=1e-9)


def test_standard_targets_have_mean_zero_in_each_component_and_variance_one_in_all():
    graph = disconnected()
    values = np.array([1.0, 3.0, 8.0, 40.0, 44.0])
    seeds = Seeds.from_values([5, 15, 25, 40, 50], values)
    found, means, scale = standard_targets(graph, seeds)
    np.testing.assert_allclose(means.ravel(), [4.0, 42.0, 0.0])
    np.testing.assert_allclose([found[:3].sum(), found[3:].sum()], 0, atol=1e-12)
    assert np.mean(found**2) == pytest.approx(1.0)
    np.testing.assert_allclose(scale * found.ravel() + means.ravel()[[0, 0, 0, 1, 1]], values)


def test_classes_are_left_as_they_are_and_centred_on_request():
    graph = disconnected()
    seeds = Seeds.from_classes([5, 15, 25, 40], [0, 1, 1, 1])
    found, means, scale = standard_targets(graph, seeds)
    np.testing.assert_array_equal(found, seeds.targets)
    assert scale == 1.0
    assert not means.any()
    third = 1 / 3
    expected = [[2 * third, -2 * third], [-third, third], [-third, third], [0, 0]]
    np.testing.assert_allclose(centred_targets(graph, seeds), expected, atol=1e-12)
