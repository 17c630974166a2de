"""How many steps a random walk from the seeds needs to forget where it began: the paper's T."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fewlabels.graph import Graph
from fewlabels.kept import Key
from fewlabels.systems import laplacian_of, projections_of

__all__ = ["FEWEST_STEPS", "MOST_STEPS", "mixing_steps"]

FEWEST_STEPS = 100
MOST_STEPS = 1000
MIXING_STEPS = Key[int]("mixing steps")


def mixing_steps(graph: Graph, seeds: NDArray[np.int64], *, fewest: int = FEWEST_STEPS, most: int = MOST_STEPS) -> int:
    """Return the first T with max |p_T - p_inf| <= 1/n, where p_(t+1) = W D^-1 p_t and p_0 is uniform on the seeds.

    On a graph of several components the walk stays in those it starts from, and p_inf is their invariant measure. T is
    kept with the graph.
    """
    return graph.kept.get(MIXING_STEPS, lambda: _counted(graph, seeds, fewest, most), seeds.tobytes(), fewest, most)


def _counted(graph: Graph, seeds: NDArray[np.int64], fewest: int, most: int) -> int:
    """Walk until the walk has forgotten."""
    laplacian, projections = laplacian_of(graph), projections_of(graph)
    p = np.zeros(graph.n_nodes)
    p[seeds] = 1.0 / seeds.size
    volumes = np.where(projections.volumes > 0, projections.volumes, 1.0)[:, None]
    shares = projections.repeated(projections.sums(p[:, None]) / volumes)
    invariant = (graph.degrees[:, None] * shares).ravel()
    alone = graph.degrees == 0
    steps = 0
    while steps < most and (steps < fewest or np.abs(p - invariant)[~alone].max(initial=0.0) > 1.0 / graph.n_nodes):
        p = laplacian.walk_back(p)
        steps += 1
    return steps
