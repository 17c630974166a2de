import numpy as np
import pytest

from fewlabels.atlas import packing
from fewlabels.atlas.packing import Packing, packed_squares


def components_of(sizes):
    return np.random.default_rng(0).permutation(np.repeat(np.arange(len(sizes)), sizes))


def no_two_overlap(low, high):
    apart = (low[:, None] >= high[None] - 1e-7).any(axis=2) | (low[None] >= high[:, None] - 1e-7).any(axis=2)
    return (apart | np.eye(len(low), dtype=bool)).all()


@pytest.mark.parametrize("seed", range(8))
def test_squares_do_not_overlap_and_leave_little_empty(seed):
    rng = np.random.default_rng(seed)
    sides = np.sqrt(np.ceil(rng.pareto(0.7, size=60) * 20 + 1))
    corners = packed_squares(sides)
    assert corners.min() >= 0
    assert no_two_overlap(corners, corners + sides[:, None])
    whole = (corners + sides[:, None]).max()
    assert (sides**2).sum() > 0.5 * whole**2


SIZES = {
    "one": [50],
    "giant and crumbs": [2000, 7, 5, 4, 3, 3, 2, 2, 1, 1, 1],
    "equal": [20] * 9,
    "hundreds of pairs": [2] * 400,
    "single nodes alone": [1] * 37,
    "all kinds": [900, 300, *([8] * 150), *([2] * 90), *([1] * 200)],
}


@pytest.mark.parametrize("name", SIZES)
def test_components_do_not_overlap_whatever_their_shapes(name):
    component = components_of(SIZES[name])
    places = np.random.default_rng(1).standard_t(2, size=(component.size, 2)) * [30.0, 1.0] + 1e3
    found = Packing(component).packed(places)
    assert abs(found).max() == 1
    each = [found[component == c] for c in range(len(SIZES[name]))]
    low, high = (np.array([edge(part, axis=0) for part in each]) for edge in (np.min, np.max))
    assert no_two_overlap(low, high)


def test_a_component_keeps_its_shape():
    component = components_of([40, 30])
    places = np.random.default_rng(1).normal(size=(70, 2))
    found = Packing(component).packed(places)
    for c in range(2):
        here, there = places[component == c], found[component == c]
        ratio = np.linalg.norm(there - there[0], axis=1)[1:] / np.linalg.norm(here - here[0], axis=1)[1:]
        np.testing.assert_allclose(ratio, ratio[0], rtol=1e-4)


def test_single_nodes_stand_in_rows_in_their_order():
    component = np.arange(9)
    found = Packing(component).packed(np.random.default_rng(0).normal(size=(9, 2)))
    np.testing.assert_allclose(found, np.array([[x, y] for y in (-1, 0, 1) for x in (-1, 0, 1)]), atol=1e-6)


def test_squares_do_not_depend_on_the_places():
    component = components_of([40, 30, 10, 1])
    one, other = (np.random.default_rng(s).uniform(size=(81, 2)) for s in (0, 1))
    both = [Packing(component).packed(np.vstack([places])) for places in (one, other)]
    centres = [[found[component == c].mean(axis=0) for c in range(4)] for found in both]
    np.testing.assert_allclose(centres[0], centres[1], atol=0.15)


def test_many_components_of_one_size_fill_a_grid(monkeypatch):
    monkeypatch.setattr(packing, "MOST_APART", 3)
    component = components_of([9] * 3 + [2] * 16)
    found = Packing(component).packed(np.random.default_rng(0).normal(size=(component.size, 2)))
    pairs = [found[component == c] for c in range(3, 19)]
    centres = np.array([(pair.min(axis=0) + pair.max(axis=0)) / 2 for pair in pairs])
    assert len(np.unique(centres[:, 0].round(4))) == 4
    assert len(np.unique(centres[:, 1].round(4))) == 4
