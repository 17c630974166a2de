import numpy as np
import pytest
from gallery import ring

from fewlabels import InterfaceLaplace, Laplace, Poisson, Seeds


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
