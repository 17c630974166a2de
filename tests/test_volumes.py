"""Known class sizes: labels keep to them exactly, and lose as little as can be."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from fewlabels.volumes import class_sizes, constrained_codes, size_offsets


@pytest.mark.parametrize("seed", range(8))
def test_labels_have_the_sizes_and_nearly_the_best_sum(seed):
    rng = np.random.default_rng(seed)
    u = rng.normal(size=(120, 4)) * rng.uniform(0.1, 3) + rng.normal(size=4)
    sizes = rng.multinomial(120, rng.dirichlet(np.ones(4)))
    codes, _ = constrained_codes(u, sizes)
    np.testing.assert_array_equal(np.bincount(codes, minlength=4), sizes)
    columns = np.repeat(np.arange(4), sizes)
    rows, chosen = linear_sum_assignment(-u[:, columns])
    best = u[rows, columns[chosen]].sum()
    mine = u[np.arange(120), codes].sum()
    assert best - mine < 2e-2 * np.abs(u).mean() * 120


@pytest.mark.parametrize(
    "u",
    [np.zeros((9, 3)), np.ones((9, 3)) * 1e200, np.eye(3)[np.zeros(9, dtype=int)], np.full((9, 3), -1e-200)],
    ids=["all equal", "huge", "one class", "tiny"],
)
def test_odd_scores_keep_to_the_sizes_too(u):
    codes, offsets = constrained_codes(u, np.array([5, 4, 0]))
    np.testing.assert_array_equal(np.bincount(codes, minlength=3), [5, 4, 0])
    assert np.isfinite(offsets).all()


def test_sizes_are_whole_and_sum_up():
    for n in (1, 7, 100, 1797):
        for prior in ([0.1, 0.2, 0.7], [1.0], [0.5, 0.5], [1e-9, 1.0]):
            sizes = class_sizes(np.array(prior), n)
            assert sizes.sum() == n
            assert (sizes >= 0).all()


def test_offsets_can_start_from_those_of_the_round_before():
    u = np.random.default_rng(0).normal(size=(500, 5))
    sizes = class_sizes(np.array([5.0, 4.0, 3.0, 2.0, 1.0]), 500)
    first = size_offsets(u, sizes)
    again = size_offsets(u, sizes, start=first)
    np.testing.assert_allclose(first - first.mean(), again - again.mean(), atol=0.05)


def test_rows_may_stand_for_several_points():
    rng = np.random.default_rng(0)
    u, counts = rng.normal(size=(300, 3)), rng.integers(1, 6, size=300)
    sizes = class_sizes(np.array([0.5, 0.3, 0.2]), int(counts.sum()))
    together = size_offsets(u, sizes, counts=counts)
    apart = size_offsets(np.repeat(u, counts, axis=0), sizes)
    np.testing.assert_allclose(together - together.mean(), apart - apart.mean(), atol=2e-2)


@pytest.mark.parametrize("start", [None, np.array([5.0, 0.0, 0.0])], ids=["cold", "warm"])
def test_offsets_keep_sizes_as_nearly_as_asked_for(start):
    rng = np.random.default_rng(1)
    u = rng.normal(size=(30_000, 3)) + np.eye(3)[0]
    sizes = class_sizes(np.array([0.2, 0.3, 0.5]), len(u))
    for within in (0.0, 1e-2):
        have = np.bincount((u + size_offsets(u, sizes, start, within=within)).argmax(axis=1), minlength=3)
        assert np.abs(have - sizes).max() <= max(30, 1.1 * within * len(u))


def test_sizes_that_may_be_missed_cost_fewer_steps(monkeypatch):
    u, taken = np.random.default_rng(0).normal(size=(5000, 4)), []
    sizes = class_sizes(np.array([0.4, 0.3, 0.2, 0.1]), len(u))
    solve = np.linalg.lstsq
    monkeypatch.setattr(np.linalg, "lstsq", lambda *a, **k: (taken.append(0), solve(*a, **k))[1])
    size_offsets(u, sizes)
    exact = len(taken)
    size_offsets(u, sizes, within=1e-2)
    assert len(taken) - exact < exact


def test_plateaus_of_scores_do_not_throw_the_offsets_off():
    """Diffused clusters have nearly equal scores each, and nothing in between for Newton's steps to go by."""
    for seed in range(60):
        rng = np.random.default_rng(seed)
        levels = np.sort(rng.uniform(-1, 1, size=3))
        x = levels[rng.choice(3, size=200, p=rng.dirichlet(np.ones(3) * 3))] + 1e-3 * rng.normal(size=200)
        u = np.stack([x, -x], axis=1)
        have = np.bincount((u + size_offsets(u, np.array([100, 100]))).argmax(axis=1), minlength=2)
        assert np.abs(have - 100).max() <= 40


def test_scores_of_very_different_height_are_no_obstacle():
    u = np.random.default_rng(0).normal(size=(1000, 3)) + 1000.0 * np.eye(3)[0]
    sizes = np.array([500, 300, 200])
    have = np.bincount((u + size_offsets(u, sizes)).argmax(axis=1), minlength=3)
    assert np.abs(have - sizes).max() <= 2


@pytest.mark.parametrize("within", [0.02, 0.002])
def test_offsets_that_end_early_still_keep_the_sizes_as_nearly_as_asked(within):
    rng = np.random.default_rng(0)
    scores, sizes = rng.normal(size=(6000, 4)) ** 6, np.array([4500, 1000, 400, 100])
    have = np.bincount((scores + size_offsets(scores, sizes, within=within)).argmax(axis=1), minlength=4)
    assert np.abs(have - sizes).max() <= within * 6000
