import numpy as np
import pytest
from gallery import disconnected, ring_of_blobs

from fewlabels.again import columns_again, green_again
from fewlabels.green import green, green_columns


@pytest.mark.parametrize("damping", [0.0, 1e-3])
@pytest.mark.parametrize("make", [ring_of_blobs, disconnected])
def test_columns_are_those_of_a_fresh_start(make, damping):
    graph = make()
    old, new = np.array([3, 10, 20]), np.array([20, 7, 3])
    known = green_columns(graph, old, damping=damping).value
    found, solution = columns_again(graph, new, old, known, damping=damping)
    np.testing.assert_allclose(found, green_columns(graph, new, damping=damping).value, atol=1e-9)
    assert solution.value.shape == (graph.n_nodes, 1), "one column was missing"


def test_without_columns_before_all_are_solved_for():
    graph, nodes = ring_of_blobs(), np.array([3, 10])
    found, _ = columns_again(graph, nodes, nodes[:0], np.zeros((graph.n_nodes, 0)))
    np.testing.assert_allclose(found, green_columns(graph, nodes).value, atol=1e-9)


def test_a_change_is_solved_for_the_less_exactly_the_smaller_it_is(monkeypatch):
    graph = ring_of_blobs()
    rng = np.random.default_rng(0)
    B = rng.normal(size=(graph.n_nodes, 2))
    X = green(graph, B).value
    tolerances = []

    def noted(*arguments, tol, **options):
        tolerances.append(tol)
        return green(*arguments, tol=tol, **options)

    monkeypatch.setattr("fewlabels.again.green", noted)
    for share in (1e-9, 1e-2, 10.0):
        changed = B + share * rng.normal(size=B.shape)
        np.testing.assert_allclose(
            green_again(graph, changed, (B, X), tol=1e-3).value, green(graph, changed).value, atol=1e-8
        )
    assert tolerances[0] == 0.5
    assert tolerances[0] > tolerances[1] > tolerances[2] == 1e-3
    green_again(graph, B[:, :1], (B, X), tol=1e-3)
    assert tolerances[-1] == 1e-3, "of another shape nothing is taken over"
