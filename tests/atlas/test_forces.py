import numpy as np
import pytest
from gallery import GALLERY, ring_of_blobs, two_cliques

from fewlabels.atlas import forces
from fewlabels.atlas.forces import moved
from fewlabels.atlas.level import level_of


def by_the_formula(level, Y, rate, shifts):
    """Move point by point, in double precision."""
    out = np.empty(Y.shape)
    for i, here in enumerate(Y):
        pull, total, push = np.zeros(2), 0.0, np.zeros(2)
        for e in range(level.indptr[i], level.indptr[i + 1]):
            gap = Y[level.indices[e]] - here
            a = level.strength[e] / (1 + gap @ gap)
            pull, total = pull + a * gap, total + a
        low, size = int(level.low[i]), int(level.size[i])
        for shift in shifts:
            gap = here - Y[low + (i - low + 1 + int(shift * (size - 1))) % size]
            push += gap / ((forces.SOFT + gap @ gap) * (1 + gap @ gap)) / len(shifts)
        step = rate * (pull + forces.PUSH * push) / (1 + 2 * rate * total)
        out[i] = here + step * min(1, forces.FARTHEST / max(np.linalg.norm(step), 1e-300))
    return out


@pytest.fixture(params=["plain", "compiled"])
def way(request):
    if request.param == "compiled":
        request.getfixturevalue("compiled_everywhere")


@pytest.mark.parametrize("name", GALLERY)
def test_a_step_is_that_of_the_formula(name, way):
    rng = np.random.default_rng(0)
    level = level_of(GALLERY[name](), None, rng)
    Y = (2 * rng.normal(size=(level.n_points, 2))).astype(np.float32)
    for rate in (0.1, 20.0):
        shifts = rng.random(5)
        expected = by_the_formula(level, Y.astype(np.float64), rate, shifts)
        np.testing.assert_allclose(moved(level, Y, rate, shifts), expected, atol=2e-5)


def test_the_others_are_of_the_same_component_and_never_oneself(way):
    """Points of a component see one another only: moving another component far away changes nothing."""
    graph = GALLERY["disconnected"]()
    level = level_of(graph, None, np.random.default_rng(0))
    Y = np.random.default_rng(1).normal(size=(level.n_points, 2)).astype(np.float32)
    first = level.component[level.order] == 0
    shifts = np.array([0.0, 0.5, 1 - 1e-12])
    away = Y + np.where(first, 0, 1e4).astype(np.float32)[:, None]
    np.testing.assert_array_equal(moved(level, Y, 1.0, shifts)[first], moved(level, away, 1.0, shifts)[first])


def test_two_linked_points_come_to_rest_at_the_distance_of_balance(way):
    level = level_of(two_cliques(1), None, np.random.default_rng(0))
    Y = np.array([[0, 0], [9, 0]], dtype=np.float32)
    for _ in range(300):
        Y = moved(level, Y, 2.0, np.array([0.3]))
    assert np.linalg.norm(Y[0] - Y[1]) == pytest.approx(np.sqrt(forces.PUSH - forces.SOFT), rel=1e-3)


def test_a_large_rate_is_stable(way):
    level = level_of(ring_of_blobs(), None, np.random.default_rng(0))
    rng = np.random.default_rng(0)
    Y = rng.normal(size=(level.n_points, 2)).astype(np.float32)
    for _ in range(300):
        Y = moved(level, Y, 1e4, rng.random(6))
    assert abs(Y).max() < 100
