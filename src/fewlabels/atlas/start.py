"""Where the map begins: the two slowest modes of every component's groups."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fewlabels.atlas.level import Level
from fewlabels.threads import one_blas_thread

__all__ = ["spectral_places"]

SPREAD = 3.0
"""The deviation of the first places along each axis; about that of a finished map of a few hundred points."""

WOBBLE = 0.05
"""Points that no mode tells apart, such as a star's leaves, are moved apart by this much."""


def spectral_places(level: Level, rng: np.random.Generator) -> NDArray[np.float32]:
    """Return first places: eigenvectors two and three of D^-1 L in each component, in the level's own order.

    Components of fewer than three points start anywhere.
    """
    places = SPREAD * rng.normal(size=(level.n_points, 2))
    counts = np.bincount(level.component)
    by_component = np.argsort(level.component, kind="stable")
    ends = np.cumsum(counts)
    for number in np.flatnonzero(counts >= 3):
        points = by_component[ends[number] - counts[number] : ends[number]]
        modes = _modes(level.weights[points][:, points].toarray())
        places[points] = SPREAD * modes + WOBBLE * rng.normal(size=modes.shape)
    return places.astype(np.float32)


def _modes(W: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return two modes of a connected W, each of deviation one."""
    from scipy.linalg import eigh

    root = 1 / np.sqrt(W.sum(axis=1))
    with one_blas_thread():
        vectors = eigh(-root[:, None] * W * root, subset_by_index=[1, 2])[1]
    modes = vectors * root[:, None]
    modes -= modes.mean(axis=0)
    deviation = modes.std(axis=0)
    return np.asarray(np.divide(modes, deviation, out=np.zeros_like(modes), where=deviation > 0))
