"""Active learning, or what to label next: points that are uncertain, and whose label would tell most about the others.

The Green's function of the graph is taken as the covariance of a Gaussian field. Knowing a node lowers the variance of
all others by |g|^2 / (g_xx + noise), g its column given what is labelled already. That counts far-off, unexplored parts
of the data; times the uncertainty of the present label it asks where the answer is open as well. After each choice the
columns are conditioned on it, so that a batch does not ask the same thing twice. Only typical points are asked about:
those with many neighbours. And classes take turns: what a point is worth is divided by the number of labels its class
has, those just asked for counted as what they are labelled with now.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fewlabels.decision import Decision
from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.green import green, impulses
from fewlabels.labels import Seeds
from fewlabels.reach import reach_of
from fewlabels.systems import projections_of

__all__ = ["STRATEGIES", "suggested"]

STRATEGIES = ("mixed", "margin", "random")
CANDIDATES, POOL = 128, 4
"""Nodes that are compared, and of how many times as many random ones they are those with most neighbours: labels of
typical points spread well, labels of outliers and of points between classes do harm on hard data."""

NOISE = 0.1
"""Of a label, as a share of the mean variance of the candidates."""

MOST_LABELS = 500
"""Labels that the field is conditioned on; more would need a column each, and change little."""

LEAST_DOUBT = 1e-3
"""Where no label is in doubt, as with one class so far, the variance alone decides."""

TOL = 2e-2


def suggested(
    graph: Graph, seeds: Seeds, decision: Decision, n: int, *, strategy: str = "mixed", random_state: int = 0
) -> NDArray[np.int64]:
    """Return up to n unlabelled nodes, the most useful first.

    A component without labels comes before all others: nothing can be said about its nodes yet.

    Parameters
    ----------
    strategy : {"mixed", "margin", "random"}
        "mixed" is uncertainty times variance reduction, "margin" the least difference between the two most probable
        classes, "random" a random order.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(6), 1) + np.diag(np.ones(6), -1))
    >>> seeds = Seeds.from_classes([0, 6], [0, 1])
    >>> from fewlabels.decision import decide
    >>> scores = np.c_[np.linspace(1, -1, 7), np.linspace(-1, 1, 7)]
    >>> suggested(path, seeds, decide(scores, path, seeds), 1).tolist()
    [3]
    """
    if not isinstance(n, (int, np.integer)) or n < 1:
        raise FewlabelsError(f"{n} points to suggest; give a whole number of at least 1.")
    if strategy not in STRATEGIES:
        raise FewlabelsError(f"strategy={strategy!r} is not known; choose one of {', '.join(STRATEGIES)}.")
    if not isinstance(random_state, (int, np.integer)) or random_state < 0:
        raise FewlabelsError(f"random_state={random_state!r} must be a whole number, zero or more.")
    rng = np.random.default_rng(random_state)
    free = np.ones(graph.n_nodes, dtype=bool)
    free[seeds.indices] = False
    order = rng.permutation(np.flatnonzero(free))
    if strategy == "random":
        return order[:n]
    if strategy == "margin":
        rows = decision.probabilities
        top = np.partition(rows, -2, axis=1) if rows.shape[1] > 1 else np.zeros((len(rows), 2))
        return order[np.argsort((top[:, -1] - top[:, -2])[order], kind="stable")][:n]
    first = _unreached(graph, seeds, order)[:n]
    candidates = _typical(graph, order[reach_of(graph, seeds).nodes[order]], max(CANDIDATES, 2 * int(n)))
    chosen = np.concatenate([first, _informative(graph, seeds, candidates, decision, int(n) - first.size)])
    rest = order[~np.isin(order, chosen)]
    return np.concatenate([chosen, rest[: int(n) - chosen.size]])


def _typical(graph: Graph, order: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """Return the nodes that have most neighbours among the first few times as many as are wanted."""
    pool = order[: POOL * most]
    return pool[np.argsort(-graph.neighbor_counts[pool], kind="stable")][:most]


def _unreached(graph: Graph, seeds: Seeds, order: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return one node of each component without labels, the largest component first."""
    lost = order[~reach_of(graph, seeds).nodes[order]]
    nodes = lost[np.unique(graph.components[lost], return_index=True)[1]]
    sizes = np.bincount(graph.components)[graph.components[nodes]]
    return nodes[np.argsort(-sizes, kind="stable")]


def _informative(
    graph: Graph,
    seeds: Seeds,
    candidates: NDArray[np.int64],
    decision: Decision,
    n: int,
) -> NDArray[np.int64]:
    if n <= 0 or candidates.size == 0:
        return np.zeros(0, dtype=np.int64)
    labelled = seeds.indices[:MOST_LABELS]
    E = impulses(graph, np.concatenate([labelled, candidates]))
    columns = green(graph, projections_of(graph).centre(E), tol=TOL).value
    known, C = columns[:, : labelled.size], columns[:, labelled.size :].copy()
    places = np.arange(candidates.size)
    noise = NOISE * max(float(C[candidates, places].mean()), 1e-300)
    K = (known[labelled] + known[labelled].T) / 2
    C -= known @ np.linalg.solve(K + noise * np.eye(labelled.size), C[labelled])
    codes, doubt = decision.codes[candidates], np.maximum(decision.doubt[candidates], LEAST_DOUBT)
    labels = np.bincount(seeds.codes, minlength=seeds.targets.shape[1])
    chosen: list[int] = []
    for _ in range(min(n, candidates.size)):
        variance = np.maximum(C[candidates, places], 0.0)
        worth = np.einsum("ij,ij->j", C, C) / (variance + noise) * doubt
        worth /= np.maximum(labels[codes], 1)
        worth[chosen] = -1.0
        best = int(worth.argmax())
        chosen.append(best)
        labels[codes[best]] += 1
        C -= np.outer(C[:, best], C[candidates[best]] / (variance[best] + noise))
    return candidates[chosen]
