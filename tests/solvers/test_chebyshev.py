import numpy as np
import pytest
from gallery import columns, ring_of_blobs
from numpy.polynomial.chebyshev import chebval

from fewlabels.solvers import Chebyshev, Series, power_coefficients, resolvent_coefficients, solve
from fewlabels.systems import laplacian_of


@pytest.mark.parametrize("steps", [1, 2, 50, 400])
def test_chebyshev_is_the_series_in_fewer_products(graph, steps):
    B = columns(graph)
    series, chebyshev = (
        solve(laplacian_of(graph), B, Series(steps)),
        solve(laplacian_of(graph), B, Chebyshev(steps, tol=1e-9)),
    )
    np.testing.assert_allclose(chebyshev.value, series.value, atol=1e-7 * max(1, np.abs(series.value).max()))
    assert chebyshev.n_iter < steps or steps == 1


def test_chebyshev_needs_about_the_root_of_the_steps():
    assert solve(laplacian_of(ring_of_blobs()), columns(ring_of_blobs()), Chebyshev(400)).n_iter < 120


def test_long_diffusion_needs_few_products():
    kept = power_coefficients(400, 1e-2)
    assert kept.size < 60
    angles = np.linspace(0, np.pi, 1001)
    found = np.cos(angles[:, None] * np.arange(kept.size)) @ kept
    assert np.abs(found - np.cos(angles) ** 400).max() < 1e-2


@pytest.mark.parametrize("beyond", [1.01, 1.9, 5.0])
@pytest.mark.parametrize("tol", [0.1, 1e-3, 1e-10])
def test_a_resolvent_is_right_within_its_tolerance_in_few_terms(beyond, tol):
    kept, x = resolvent_coefficients(beyond, tol), np.linspace(-1, 1, 1001)
    assert np.abs(chebval(x, kept) - 1.0 / (beyond - x)).max() < tol
    fewer = chebval(x, kept[:-1]) if kept.size > 1 else np.zeros_like(x)
    assert np.abs(fewer - 1.0 / (beyond - x)).max() > 0.1 * tol
