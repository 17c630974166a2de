"""Which points a page draws, and where: a sample of the graph's map."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fewlabels.atlas import plane_of
from fewlabels.graph import Graph

__all__ = ["flat_map"]

DRAWN_POINTS = 2000


def flat_map(graph: Graph, always: NDArray[np.int64], seed: int = 0) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return at most 2,000 nodes (those in `always` first) and a place in the unit square for each.

    The map is of the whole graph, whatever part of it is drawn. It is for looking at only: no label depends on it.
    """
    always = always[:DRAWN_POINTS]
    others = np.setdiff1d(np.arange(graph.n_nodes), always)
    rest = np.random.default_rng(seed).permutation(others)[: max(0, DRAWN_POINTS - always.size)]
    rows = np.concatenate([always, np.sort(rest)])
    places = plane_of(graph, seed)[rows].astype(np.float64)
    low, span = places.min(axis=0), np.ptp(places, axis=0)
    return rows, np.asarray((places - low) / np.where(span > 0, span, 1.0), dtype=np.float64)
