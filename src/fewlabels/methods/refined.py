"""Labels refined for known class sizes: short diffusion and thresholding in turn, from what other methods say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.diffusion import diffused
from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.green import harmonic_scores
from fewlabels.kept import Key
from fewlabels.labels import Seeds
from fewlabels.methods.base import Method, Spread, refuse_below
from fewlabels.methods.harmonic import harmonic_extension
from fewlabels.methods.interface_laplace import InterfaceLaplace
from fewlabels.methods.poisson import Poisson
from fewlabels.progress import track
from fewlabels.systems import aggregates_of
from fewlabels.volumes import class_sizes, size_offsets

__all__ = ["Refined", "refined_scores"]

Block = NDArray[np.float64]

WITHIN = 1e-3
"""How nearly a round keeps the sizes by default, as a share of all nodes."""

UNCHANGED = 1e-4
"""Rounds of the last length end when fewer nodes than this share change."""

STEPS = (25, 25, 12, 12, 6, 6)
TRIED, CLEARLY = 2, 0.8
"""Rounds after which labels found from aggregates are compared with those from the scores, and the share of their cut
weight below which they are taken."""

AGGREGATES_PER_CLASS, MOST_AGGREGATES = 16, 5000
"""Fewer are too coarse a picture to find classes in; more, as of a graph in many parts, too large a table."""

TRUST = 0.15
"""How much the beginning counts in a round as long as the first, for each label of a class beyond the first; in others
in proportion to their steps, like a source that is spread with them. With one label the beginning is a poor
guess, best forgotten; with a hundred it is better than the smallest cut (docs/results.md)."""

COLUMNS_PER_CLASS = 8
"""Labels per class up to which there are Green's columns, of which Laplace and Interface Laplace learning are made."""


@dataclass(eq=False)
class Refined(Method):
    """Threshold so that every class has its size, diffuse the classes for a few steps, and again (MBO with volumes).

    u <- P^s (one-hot labels), P a slightly lazy random walk, the given labels held, then labels <- argmax_j (u_j + b_j)
    with offsets that give every class its share of the prior: the one given with the labels, else the share of each
    class among them. Rounds of many steps first move whole regions, rounds of few then straighten their borders.

    Parameters
    ----------
    method : method, optional
        Whose scores to begin with. Without one, rounds begin from v, P^s of the mean of three labellings at the sizes,
        with s the first of the steps: Poisson's, Laplace learning's and Interface Laplace learning's. Where these
        differ, their mean is undecided, and what surrounds a node settles it. (Beyond eight labels per class the last
        is left out, since it takes a column for each.) Every round then adds t v to its u, with t = 0.15 (labels per
        class - 1) in rounds as long as the first and less in shorter ones: the more labels there are, the more v is
        worth beside a small cut.
    steps : sequence of int
        s, the steps of diffusion, of each round; none adds the offsets to the scores (without a method, Poisson's) and
        does no more.
    coarse : bool
        Whether to try the same rounds on aggregates of neighbouring nodes first, where a cluster changes its class at
        once, and to take what comes of it, which then is v, if it cuts clearly less of the graph's weight.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(5), 1) + np.diag(np.ones(5), -1))
    >>> seeds = Seeds.from_classes([0, 5], [0, 1], class_prior=[2 / 3, 1 / 3])
    >>> Refined(steps=()).scores(path, seeds).argmax(axis=1).tolist()
    [0, 0, 0, 0, 1, 1]
    """

    method: Method | None = None
    _: KW_ONLY
    steps: Sequence[int] = STEPS
    coarse: bool = True

    def with_features(self, X: Any) -> Self:
        """Hand the features on."""
        return self if self.method is None else replace(self, method=self.method.with_features(X))

    def _spread(self, graph: Graph, seeds: Seeds) -> Spread:
        if seeds.is_regression:
            raise FewlabelsError("class sizes are for classes; estimate values without refinement.")
        if not isinstance(self.steps, (Sequence, np.ndarray)) or isinstance(self.steps, str):
            raise FewlabelsError(f"steps={self.steps!r} must be a list, with the steps of every round.")
        steps = tuple(self.steps)
        for each in steps:
            refuse_below(1, steps=each)
        begun = self._begun(graph, seeds, steps)
        trust = 0.0 if self.method is not None else TRUST * max(0.0, seeds.size / np.unique(seeds.codes).size - 1.0)
        return Spread(refined_scores(graph, seeds, begun.scores, steps, coarse=self.coarse, trust=trust), begun.solves)

    def _begun(self, graph: Graph, seeds: Seeds, steps: Sequence[int]) -> Spread:
        """Return the scores that the rounds begin with; where there are none, Poisson's alone."""
        first = (self.method or Poisson()).spread(graph, seeds)
        if self.method is not None or not steps:
            return first
        spreads, columns = [first], None
        if seeds.size <= COLUMNS_PER_CLASS * seeds.targets.shape[1]:
            inter = InterfaceLaplace().spread(graph, seeds)
            spreads, columns = [first, inter], inter.columns
        spreads.append(self._laplace(graph, seeds, columns))
        sizes = class_sizes(seeds.prior, graph.n_nodes)
        said = [_one_hot(_at_sizes(each.scores, sizes, WITHIN), sizes.size) for each in spreads]
        solves = tuple(solve for each in spreads for solve in each.solves)
        return Spread(diffused(graph, np.mean(said, axis=0), steps[0]).astype(np.float64), solves)

    def _laplace(self, graph: Graph, seeds: Seeds, columns: Block | None) -> Spread:
        """Return Laplace learning, from the Green's columns of the labels if there are any."""
        if columns is not None:
            raw = Spread(harmonic_scores(graph, seeds, columns), ())
        else:
            raw = Spread(*harmonic_extension(graph, graph.weights, seeds))
        return self._completed(graph, seeds, replace(raw, scores=raw.scores * seeds.class_weights))


def refined_scores(
    graph: Graph,
    seeds: Seeds,
    begun: Block,
    steps: Sequence[int] = STEPS,
    *,
    coarse: bool = True,
    within: float = WITHIN,
    trust: float = 0.0,
) -> Block:
    """Return scores refined from those given, every class at its share of the prior, or `within` so much of it.

    In the first round the beginning counts `trust` times as much as the labels, in others in proportion to their steps.
    """
    sizes = class_sizes(seeds.prior, graph.n_nodes)
    if not steps:
        return np.asarray(begun + size_offsets(begun, sizes))
    memory = _memory(begun, trust / steps[0])
    scores, offsets = _refined(graph, seeds, begun, sizes, steps[:TRIED], within, memory)
    if coarse:
        aggregate = _numbered_aggregates(graph)
        if AGGREGATES_PER_CLASS * sizes.size <= aggregate.max() < MOST_AGGREGATES:
            start = _from_aggregates(graph, aggregate, begun, sizes, steps)
            its_memory = _memory(start, trust / steps[0])
            other, its_offsets = _refined(graph, seeds, start, sizes, steps[:TRIED], within, its_memory)
            if graph.cut_weight(other.argmax(axis=1)) < CLEARLY * graph.cut_weight(scores.argmax(axis=1)):
                scores, offsets, memory = other, its_offsets, its_memory
    return _refined(graph, seeds, scores, sizes, steps[TRIED:], within, memory, offsets)[0]


def _from_aggregates(
    graph: Graph, aggregate: NDArray[np.int64], scores: Block, sizes: NDArray[np.int64], steps: Sequence[int]
) -> Block:
    """Return scores from rounds of the same lengths on the aggregates, where no label is held."""
    walk, counts = _walk_of_aggregates(graph), np.bincount(aggregate)
    u: NDArray[Any] = np.stack([np.bincount(aggregate, weights=column) for column in scores.T], axis=1)
    u /= counts[:, None]
    for s in steps:
        u = _one_hot((u + size_offsets(u, sizes, counts=counts, within=WITHIN)).argmax(axis=1), scores.shape[1])
        for _ in range(s):
            u = walk @ u
    return np.asarray(u[aggregate], dtype=np.float64)


def _refined(
    graph: Graph,
    seeds: Seeds,
    scores: Block,
    sizes: NDArray[np.int64],
    steps: Sequence[int],
    within: float,
    memory: NDArray[np.float32],
    offsets: NDArray[np.float64] | None = None,
) -> tuple[Block, NDArray[np.float64] | None]:
    """Return the scores after some rounds that add `memory` for each of their steps, and the offsets in them.

    `offsets` that are given are in the scores already.
    """
    labels = scores.argmax(axis=1) if offsets is not None else _at_sizes(scores, sizes, within)
    for place, s in enumerate(track(steps, "refining", total=len(steps))):
        u = _one_hot(labels, scores.shape[1])
        u[seeds.indices] = seeds.targets
        u = diffused(graph, u, s) + np.float32(s) * memory
        offsets = size_offsets(u, sizes, offsets, within=within)
        scores = u + offsets
        scores[seeds.indices] = seeds.targets * (1.0 + np.abs(scores).max())
        before, labels = labels, scores.argmax(axis=1)
        if set(steps[place:]) == {s} and np.mean(before != labels) < UNCHANGED:
            break
    return scores, offsets


def _memory(begun: Block, per_step: float) -> NDArray[np.float32]:
    """Return what every step of diffusion adds, in single precision like what it is added to."""
    return np.asarray(per_step * begun, dtype=np.float32)


def _at_sizes(scores: Block, sizes: NDArray[np.int64], within: float) -> NDArray[np.int64]:
    return np.asarray((scores + size_offsets(scores, sizes, within=within)).argmax(axis=1))


def _one_hot(labels: NDArray[np.int64], classes: int) -> NDArray[np.float32]:
    return np.eye(classes, dtype=np.float32)[labels]


WALK_OF_AGGREGATES = Key[NDArray[np.float32]]("walk of aggregates")


def _numbered_aggregates(graph: Graph) -> NDArray[np.int64]:
    """Return the aggregate of each node, numbered without gaps."""
    return np.unique(aggregates_of(graph), return_inverse=True)[1]


def _walk_of_aggregates(graph: Graph) -> NDArray[np.float32]:
    """Return the random walk between aggregates, made once for a graph."""

    def made() -> NDArray[np.float32]:
        aggregate = _numbered_aggregates(graph)
        into = sp.csr_array((np.ones(aggregate.size), (aggregate, np.arange(aggregate.size))))
        W = (into @ graph.weights @ into.T).toarray()
        totals = W.sum(axis=1, keepdims=True)
        return np.asarray(np.divide(W, totals, out=np.eye(len(W)), where=totals > 0), dtype=np.float32)

    return graph.kept.get(WALK_OF_AGGREGATES, made)
