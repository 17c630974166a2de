"""The map: where the points lie in the plane, better and better."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from fewlabels.graph import Graph

__all__ = ["coordinates"]


def coordinates(graph: Graph) -> Iterator[NDArray[np.float32]]:
    """Yield coordinates in [-1, 1], first rough ones."""
    rng = np.random.default_rng(0)
    yield rng.uniform(-1, 1, size=(graph.n_nodes, 2)).astype(np.float32)
