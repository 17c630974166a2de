"""How many steps a random walk from the seeds needs to forget where it began: the paper's T."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fewlabels.operators import Laplacian

__all__ = ["FEWEST_STEPS", "MOST_STEPS", "mixing_steps"]

FEWEST_STEPS = 100
MOST_STEPS = 1000


def mixing_steps(
    laplacian: Laplacian, seeds: NDArray[np.int64], fewest: int = FEWEST_STEPS, most: int = MOST_STEPS
) -> int:
    """Return the first T with max |p_T - p_inf| <= 1/n, where p_(t+1) = W D^-1 p_t and p_0 is uniform on the seeds.

    On a graph of several components the walk stays in those it starts from, and p_inf is their invariant measure.
    """
    n = laplacian.graph.n_nodes
    p = np.zeros(n)
    p[seeds] = 1.0 / seeds.size
    mass = laplacian.sums(p[:, None])
    volumes = np.where(laplacian.volumes > 0, laplacian.volumes, 1.0)[:, None]
    invariant = (laplacian.degrees[:, None] * laplacian.spread(mass / volumes)).ravel()
    alone = laplacian.degrees == 0
    steps = 0
    while steps < most and (steps < fewest or np.abs(p - invariant)[~alone].max(initial=0.0) > 1.0 / n):
        p = laplacian.graph.weights @ (laplacian.inverse_degrees * p)
        steps += 1
    return steps
