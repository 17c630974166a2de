"""Active learning, or what to label next: points that are uncertain, and whose label would tell most about the others.

The Green's function of the graph, J H J, is taken as the covariance of a Gaussian field. Knowing a node lowers the
variance of all others by |g|^2 / (g_xx + noise), g its column given what is labelled already. That counts far-off,
unexplored parts of the data; times the uncertainty of the present label it asks where the answer is open as well. After
each choice the columns are conditioned on it, so that a batch does not ask the same thing twice; their inner products
are enough for that. Only typical points are asked about (candidates.py). And classes take turns: what a point is worth
is divided by the number of labels its class has, those just asked for counted as what they are labelled with now.

Most of a node's variance in that field is its own, so that a label hardly tells about the group it lies in, and a long
group would be asked about again and again. The field smoothed once more, of covariance (J H J)^2, is alike all over a
group; how many candidates are still like a point in it counts as well, and the more the fewer labels a class has.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.candidates import Candidates, candidates_of
from fewlabels.decision import Decision
from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.green import green, impulses
from fewlabels.labels import Seeds
from fewlabels.reach import reach_of
from fewlabels.spelling import known_names
from fewlabels.systems import projections_of
from fewlabels.threads import one_blas_thread

__all__ = ["STRATEGIES", "check_request", "suggested"]

STRATEGIES = ("mixed", "margin", "random")
CANDIDATES = 128
"""Nodes that are compared."""

NOISE = 0.1
"""Of a label, as a share of the mean variance of the candidates."""

MOST_LABELS, MOST_SOLVED = 500, 100
"""Labels that the field is conditioned on, and how many where their columns have to be solved for; more would need a
column each, and change little."""

LEAST_DOUBT = 1e-3
"""Where no label is in doubt, as with one class so far, the variance alone decides."""

TOL = 2e-2

Block = NDArray[np.float64]


def suggested(
    graph: Graph,
    seeds: Seeds | None,
    decision: Decision | None,
    n: int,
    *,
    strategy: str = "mixed",
    random_state: int = 0,
    columns: NDArray[np.floating[Any]] | None = None,
    damping: float = 0.0,
) -> NDArray[np.int64]:
    """Return up to n unlabelled nodes, the most useful first.

    A component without labels comes before all others: nothing can be said about its nodes yet. Where there are no
    labels at all, the nodes that tell most about the others are asked about.

    Parameters
    ----------
    strategy : {"mixed", "margin", "random"}
        "mixed" is uncertainty times variance reduction, "margin" the least difference between the two most probable
        classes, "random" a random order.
    columns : ndarray, shape (n, m), optional
        The Green's columns of the labels, where they are known.
    damping : float
        That of the columns, and of those that are solved for.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(6), 1) + np.diag(np.ones(6), -1))
    >>> seeds = Seeds.from_classes([0, 6], [0, 1])
    >>> from fewlabels.decision import decide
    >>> scores = np.c_[np.linspace(1, -1, 7), np.linspace(-1, 1, 7)]
    >>> suggested(path, seeds, decide(scores, path, seeds), 1).tolist()
    [3]
    """
    check_request(n, strategy, random_state)
    with one_blas_thread():
        return _suggested(graph, seeds, decision, n, strategy, random_state, columns, damping)


def _suggested(
    graph: Graph,
    seeds: Seeds | None,
    decision: Decision | None,
    n: int,
    strategy: str,
    random_state: int,
    columns: NDArray[np.floating[Any]] | None,
    damping: float,
) -> NDArray[np.int64]:
    rng = np.random.default_rng(random_state)
    free = np.ones(graph.n_nodes, dtype=bool)
    if seeds is not None:
        free[seeds.indices] = False
    order = rng.permutation(np.flatnonzero(free))
    if strategy == "random":
        return order[:n]
    if seeds is None or decision is None:
        chosen = _informative(candidates_of(graph, random_state, damping), None, free, n)
        return np.concatenate([chosen, order[~np.isin(order, chosen)][: n - chosen.size]])
    if strategy == "margin":
        rows = decision.probabilities
        top = np.partition(rows, -2, axis=1) if rows.shape[1] > 1 else np.zeros((len(rows), 2))
        return order[np.argsort((top[:, -1] - top[:, -2])[order], kind="stable")][:n]
    first = _unreached(graph, seeds, order)[:n]
    labels = _Labels(graph, seeds, decision, columns, damping)
    free &= reach_of(graph, seeds).nodes
    chosen = np.concatenate(
        [first, _informative(candidates_of(graph, random_state, damping), labels, free, n - first.size)]
    )
    return np.concatenate([chosen, order[~np.isin(order, chosen)][: n - chosen.size]])


def check_request(n: int, strategy: str, random_state: int) -> None:
    """Refuse a number, a strategy or a seed that cannot be meant."""
    if not isinstance(n, (int, np.integer)) or n < 1:
        raise FewlabelsError(f"{n} points to suggest; give a whole number of at least 1.")
    if strategy not in STRATEGIES:
        raise FewlabelsError(f"strategy={strategy!r} is not known; {known_names(strategy, STRATEGIES)}.")
    if not isinstance(random_state, (int, np.integer)) or random_state < 0:
        raise FewlabelsError(f"random_state={random_state!r} must be a whole number, zero or more.")


def _unreached(graph: Graph, seeds: Seeds, order: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return one node of each component without labels, the largest component first."""
    lost = order[~reach_of(graph, seeds).nodes[order]]
    nodes = lost[np.unique(graph.components[lost], return_index=True)[1]]
    sizes = np.bincount(graph.components)[graph.components[nodes]]
    return nodes[np.argsort(-sizes, kind="stable")]


def _informative(
    candidates: Candidates, labels: _Labels | None, allowed: NDArray[np.bool_], n: int
) -> NDArray[np.int64]:
    """Return the candidates that lower the variance of all nodes most, given what is labelled."""
    if n <= 0 or not allowed.any():
        return np.zeros(0, dtype=np.int64)
    nodes = candidates.window(allowed, 0 if labels is None else labels.seeds.size, max(CANDIDATES, 2 * n))
    (C, inner), rows = candidates.columns(nodes), candidates.rows(nodes.size)
    among = C[:, np.searchsorted(rows, nodes)].astype(np.float64)
    among = (among + among.T) / 2
    noise = NOISE * max(float(among.diagonal().mean()), 1e-300)
    alike, exploring = _correlations(inner), 0.5
    doubt, codes, counts = np.ones(nodes.size), np.zeros(nodes.size, dtype=np.int64), np.zeros(1, dtype=np.int64)
    if labels is not None:
        among, inner, alike = labels.conditioned(among, inner, C, nodes, rows, noise)
        doubt, codes = np.maximum(labels.decision.doubt[nodes], LEAST_DOUBT), labels.decision.codes[nodes]
        counts = np.bincount(labels.seeds.codes, minlength=labels.seeds.targets.shape[1])
        exploring = 0.5 * (np.count_nonzero(counts) / labels.seeds.size) ** 2
    chosen: list[int] = []
    for _ in range(min(n, nodes.size)):
        variance, own = np.maximum(among.diagonal(), 0.0), np.maximum(alike.diagonal(), 0.0)
        explained = np.maximum(inner.diagonal(), 0.0) / (variance + noise)
        discovered = (alike**2).sum(axis=0) / (own + NOISE)
        worth = discovered**exploring * explained ** (1.0 - exploring) * doubt
        if labels is not None:
            worth /= np.maximum(counts[codes], 1)
        worth[chosen] = -1.0
        best = int(worth.argmax())
        chosen.append(best)
        counts[codes[best]] += 1
        share = among[[best]] / (variance[best] + noise)
        among = among - among[:, [best]] @ share
        inner = _less(inner, inner[[best]], inner[[best]][:, [best]], share)
        alike = alike - alike[:, [best]] @ alike[[best]] / (own[best] + NOISE)
    return nodes[chosen]


def _correlations(inner: Block) -> Block:
    """Return inner products of columns of length one.

    Examples
    --------
    >>> _correlations(np.array([[4.0, 1.0], [1.0, 1.0]])).tolist()
    [[1.0, 0.5], [0.5, 1.0]]
    """
    size = np.sqrt(np.maximum(inner.diagonal(), 1e-300))
    return np.asarray(inner / np.outer(size, size))


@dataclass(frozen=True, eq=False)
class _Labels:
    """What is labelled: the field is conditioned on it, and its answer tells where a label is in doubt."""

    graph: Graph
    seeds: Seeds
    decision: Decision
    columns: NDArray[np.floating[Any]] | None
    damping: float

    def conditioned(
        self,
        among: Block,
        inner: Block,
        C: NDArray[np.float32],
        nodes: NDArray[np.int64],
        rows: NDArray[np.int64],
        noise: float,
    ) -> tuple[Block, Block, Block]:
        """Return the candidates' Green's values, inner products and correlations among themselves, given the labels."""
        known = self.columns
        labelled = self.seeds.indices[: MOST_SOLVED if known is None else MOST_LABELS]
        if known is None:
            E = impulses(self.graph, labelled, centred=True)
            known = green(self.graph, E, tol=TOL, damping=self.damping).value
        known, projections = known[:, : labelled.size], projections_of(self.graph)
        means = projections.sums(np.asarray(known, dtype=np.float64)) / projections.sizes[:, None]

        def centred(some: NDArray[np.int64], kind: Any = np.float64) -> NDArray[Any]:
            return np.asarray(known[some].astype(kind) - means.astype(kind)[self.graph.components[some]])

        K, across_to = centred(labelled), centred(nodes)
        share = np.linalg.solve((K + K.T) / 2 + noise * np.eye(labelled.size), across_to.T)
        of_labels = centred(rows, np.float32)
        across, own = (C @ of_labels).T.astype(np.float64), (of_labels.T @ of_labels).astype(np.float64)
        both = _correlations(np.block([[own, across], [across.T, inner]]))
        alike = _given(both, labelled.size)
        inner = _less(inner, across, own, np.asarray(share))
        return among - across_to @ share, inner, alike


def _given(correlations: Block, known: int) -> Block:
    """Return the covariance of all but the first few, given these with some noise.

    Examples
    --------
    >>> _given(np.array([[1.0, 0.5], [0.5, 1.0]]), 1).round(3).tolist()
    [[0.773]]
    """
    among, across = correlations[:known, :known], correlations[:known, known:]
    share = np.linalg.solve(among + NOISE * np.eye(known), across)
    return np.asarray(correlations[known:, known:] - across.T @ share)


def _less(inner: Block, across: Block, own: Block, share: Block) -> Block:
    """Return the inner products of C - K share, from those of C, of K with C, and of K."""
    mixed = share.T @ across
    return np.asarray(inner - mixed - mixed.T + share.T @ own @ share)
