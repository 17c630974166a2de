"""Parts of a graph by where its labels are: beyond some hops, outside balls, farthest, least decided."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse.csgraph import dijkstra

from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.systems import laplacian_of
from fewlabels.threads import run_in_threads

__all__ = [
    "beyond_hops",
    "farthest",
    "hops_interface",
    "least_decided",
    "nonzero_laplacian",
    "outside_balls",
    "share_hops",
]

SHARE = 0.57
"""The share of nodes that makes a good interface: the paper's tuned k leaves about this much."""


TIE = 1e-9
"""Green's values closer than this share of their range are equal but for rounding."""


def beyond_hops(graph: Graph, seeds: NDArray[np.int64], hops: int) -> NDArray[np.int64]:
    """Return the nodes more than `hops` edges from every seed; -1 means every node a seed can reach.

    In a component whose nodes all lie within `hops` while other components keep an interface, the farthest shell stays.
    """
    distance = graph.hops_from(seeds)
    interface = distance > hops
    if not interface.any():
        farthest = int(distance.max())
        raise FewlabelsError(
            f"hops={hops} leaves no interface: every node is within {farthest} hops of a label; "
            f"use hops={farthest - 1} or less, or hops='auto'."
        )
    for component in _labelled_components(graph, seeds):
        members = graph.components == component
        if not interface[members].any():
            interface |= members & (distance == distance[members].max())
    return np.flatnonzero(interface)


def share_hops(graph: Graph, seeds: NDArray[np.int64], share: float = SHARE) -> tuple[NDArray[np.int64], int]:
    """Return the interface whose share of the nodes is nearest `share`, and its number of hops.

    Every component that has a seed gets its own number, since distances in one say nothing of another; the number
    returned is that of the largest such component.
    """
    distance = graph.hops_from(seeds)
    interface = np.zeros(graph.n_nodes, dtype=bool)
    chosen, largest = -1, 0
    for component in _labelled_components(graph, seeds):
        members = graph.components == component
        sizes = np.bincount(distance[members])
        shares = 1.0 - np.concatenate([[0.0], np.cumsum(sizes)[:-1]]) / members.sum()
        hops = int(np.abs(shares - share).argmin()) - 1
        interface |= members & (distance > hops)
        if members.sum() > largest:
            chosen, largest = hops, int(members.sum())
    return np.flatnonzero(interface), chosen


def outside_balls(
    graph: Graph,
    seeds: NDArray[np.int64],
    G: NDArray[np.floating[Any]],
    share: float = SHARE,
    weights: NDArray[np.float64] | None = None,
) -> NDArray[np.int64]:
    """Return the nodes outside a ball around every seed: those whose Green's value for it, `G`, is largest.

    The balls of a component have together 1 - `share` of its nodes, in proportion to their `weights`, by default all
    the same, however dense their surroundings; nodes that tie at the rim of a ball stay outside.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(5), 1) + np.diag(np.ones(5), -1))
    >>> G = np.array([[5, 0], [4, 1], [3, 2], [2, 3], [1, 4], [0, 5]])
    >>> outside_balls(path, np.array([0, 5]), G, 1 / 3).tolist()
    [2, 3]
    """
    interface = np.zeros(graph.n_nodes, dtype=bool)
    for component in _labelled_components(graph, seeds):
        members = np.flatnonzero(graph.components == component)
        here = np.flatnonzero(graph.components[seeds] == component)
        parts = np.ones(here.size) if weights is None else weights[here]
        sizes = ((1.0 - share) * members.size * parts / parts.sum() + 1e-9).astype(np.int64)
        interface[members] = True

        def leave_out(column: int, size: int, members: NDArray[np.int64] = members) -> None:
            values = G[members, column]
            rim, slack = np.partition(values, -size)[-size], TIE * np.ptp(values)
            ball = values >= rim - slack
            interface[members[ball if ball.sum() <= size else values > rim + slack]] = False

        balls = zip(here[sizes > 0].tolist(), sizes[sizes > 0].tolist(), strict=True)
        run_in_threads([partial(leave_out, column, size) for column, size in balls])
    return np.flatnonzero(interface)


def hops_interface(
    graph: Graph, seeds: NDArray[np.int64], hops: int | str, least: int = -1
) -> tuple[NDArray[np.int64], int]:
    """Return the interface that a method's `hops` stand for, a number of at least `least` or "auto", and the number."""
    if isinstance(hops, str) and hops == "auto":
        return share_hops(graph, seeds)
    if not isinstance(hops, (int, np.integer)) or isinstance(hops, bool) or hops < least:
        raise FewlabelsError(f"hops={hops!r} must be a whole number of at least {least}, or 'auto'.")
    return beyond_hops(graph, seeds, int(hops)), int(hops)


def least_decided(scores: NDArray[np.float64], among: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Return the `size` nodes among those given whose scores vary least between classes.

    Examples
    --------
    >>> least_decided(np.array([[1.0, 0.0], [0.6, 0.4], [0.0, 1.0]]), np.arange(3), 1).tolist()
    [1]
    """
    order = np.argsort(scores[among].var(axis=1), kind="stable")
    return np.sort(among[order[:size]])


def farthest(graph: Graph, seeds: NDArray[np.int64], among: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Return the `size` nodes among those given that lie farthest from every seed, along edges as long as they are."""
    hops = graph.lengths is None
    edges = graph.weights if hops else graph.lengths
    distance = dijkstra(edges, indices=seeds, unweighted=hops, min_only=True)
    order = np.argsort(-distance[among], kind="stable")
    return np.sort(among[order[:size]])


def nonzero_laplacian(graph: Graph, labels: ArrayLike) -> NDArray[np.int64]:
    """Return the true interface of known labels: the nodes where the Laplacian of their indicators is not zero.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1))
    >>> nonzero_laplacian(path, ["a", "a", "b", "b"]).tolist()
    [1, 2]
    """
    codes = np.unique(np.asarray(labels), return_inverse=True)[1]
    indicators = np.zeros((graph.n_nodes, int(codes.max()) + 1))
    indicators[np.arange(graph.n_nodes), codes] = 1.0
    jump = np.abs(laplacian_of(graph).apply(indicators)).max(axis=1)
    return np.flatnonzero(jump > 1e-9 * np.maximum(graph.degrees, 1e-300))


def _labelled_components(graph: Graph, seeds: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.unique(graph.components[seeds])
