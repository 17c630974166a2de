"""The map, from coarse to fine: groups of nodes first, then the nodes, each level starting where the last one ended."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from fewlabels.atlas.forces import RANDOM_OTHERS, moved
from fewlabels.atlas.level import Level, level_of
from fewlabels.atlas.packing import Packing
from fewlabels.atlas.start import spectral_places
from fewlabels.compiled import PAY_FROM, kernels_pay
from fewlabels.graph import Graph
from fewlabels.progress import say
from fewlabels.systems import aggregates_of

__all__ = ["drawing", "plane_of"]

Groups = NDArray[np.int64]
Places = NDArray[np.float32]

STEPS = 800
STEPS_OF_GROUPS = 300
STEPS_IF_LARGE = 160
LARGE = 200_000
"""Nodes from which fewer steps must do."""

STEPS_IF_SMALL = 400
"""Where the nodes are too few for compiled kernels to pay, see fewlabels.compiled."""

STEPS_IF_PLAIN = 150
"""Where the kernels would pay but are missing."""

FASTEST = 40.0
"""The rate of the first step."""

SHOWN_EVERY = 20
"""Steps between one map and the next."""

WOBBLE = 0.05
"""Nodes of one group that have the same neighbours are moved apart by this much."""


def drawing(graph: Graph, seed: int = 0) -> Iterator[Places]:
    """Yield maps of the graph that get better: places of all nodes, n x 2, in [-1, 1], each a new array.

    The first comes soon, from groups of neighbouring nodes. The caller may stop at any time. The same seed gives the
    same maps, however many threads there are.

    Examples
    --------
    >>> ring = Graph.from_weights(np.roll(np.eye(8), 1, axis=1) + np.roll(np.eye(8), -1, axis=1))
    >>> [places.shape for places in drawing(ring)][-1]
    (8, 2)
    """
    rng = np.random.default_rng(seed)
    packing = Packing(graph.components)
    places = None
    for group in _groupings(graph):
        level = level_of(graph, group, rng)
        start = spectral_places(level, rng) if places is None else places
        rates = _rates(level.n_points, groups=group is not None)
        for Y in _settled(level, start, rates, SHOWN_EVERY if group is None else len(rates), rng):
            places = Y if group is None else _placed_by_neighbors(graph, Y[group], rng)
            yield packing.packed(places)


def plane_of(graph: Graph, seed: int = 0) -> Places:
    """Return the finished map of a graph: the place of every node, n x 2, in [-1, 1].

    Examples
    --------
    >>> pair = Graph.from_weights(np.array([[0, 1], [1, 0]]))
    >>> float(abs(plane_of(pair)).max())
    1.0
    """
    say(f"drawing a map of {graph.n_nodes:,} points")
    *_, last = drawing(graph, seed)
    return last


def _groupings(graph: Graph) -> list[Groups | None]:
    """Return the group of each node at every level, coarse to fine; None for the nodes themselves."""
    group = np.unique(aggregates_of(graph), return_inverse=True)[1]
    return [group, None] if group.max() + 1 < graph.n_nodes else [None]


def _rates(n: int, *, groups: bool) -> NDArray[np.float64]:
    """Return the rate of every step of a level of n points, falling to zero, faster at first than at the end."""
    if n < PAY_FROM:
        steps = STEPS_OF_GROUPS if groups else STEPS_IF_SMALL
    elif not kernels_pay(n):
        steps = STEPS_IF_PLAIN
    else:
        steps = STEPS_IF_LARGE if n >= LARGE else STEPS_OF_GROUPS if groups else STEPS
    return FASTEST * (np.arange(steps, 0, -1) / steps) ** 1.5


def _settled(
    level: Level, start: Places, rates: NDArray[np.float64], every: int, rng: np.random.Generator
) -> Iterator[Places]:
    """Yield the places of a level's points, in their own order, every so many steps and at the end."""
    Y = start[level.order]
    for t, rate in enumerate(rates, start=1):
        Y = moved(level, Y, float(rate), rng.random(RANDOM_OTHERS))
        if t % every == 0 or t == len(rates):
            own = np.empty_like(Y)
            own[level.order] = Y
            yield own


def _placed_by_neighbors(graph: Graph, places: Places, rng: np.random.Generator) -> Places:
    """Return for nodes at their group's place the mean of that and of their neighbours', a little apart."""
    degrees = np.where(graph.degrees > 0, graph.degrees, 1.0)[:, None]
    around = graph.weights @ places.astype(np.float64) / degrees
    return np.asarray((places + around) / 2 + rng.normal(scale=WOBBLE, size=places.shape), dtype=np.float32)
