import numpy as np
import pytest
from gallery import columns, ring_of_blobs

from fewlabels.solvers import Chebyshev, Series, power_coefficients, solve
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
