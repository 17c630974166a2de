"""Many labels: some of them are left out in turn, and tell directly how far an answer is to be trusted.

With so many, Laplace learning is at its best, and asks for as many columns as there are classes. Labels drawn again
would be fewer than the given ones, and look less sure of themselves than they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.drawn import Redrawn, ranks, shares_returned
from fewlabels.graph import Graph
from fewlabels.labels import Seeds
from fewlabels.methods.contenders import AveragedLinear, Contender, Linear, Problem, relabelled
from fewlabels.methods.evidence import HARDLY_ANY, Evidence, Weighed, Weigher
from fewlabels.methods.harmonic import harmonic_extension
from fewlabels.methods.left_out import parts_of_labels, range_of_share
from fewlabels.reach import reach_of
from fewlabels.soft import logarithms

__all__ = ["are_many", "weighed_again", "weighed_by_many"]

MANY, PER_CLASS = 500, 20
"""Labels above which, and labels per class from which, there are many."""

SHARPNESS = 30.0
"""How fast a contender's weight grows with the share of labels left out that it gives back."""

MOST_WORK = 10_000_000
"""Labels times classes times features that a classifier of features learns from at most."""

Block = NDArray[np.floating[Any]]


def are_many(seeds: Seeds) -> bool:
    """Tell whether there are labels enough to leave some out."""
    return bool(seeds.size > max(MANY, PER_CLASS * np.unique(seeds.codes).size))


def weighed_by_many(graph: Graph, seeds: Seeds, features: Any, averaged: NDArray[np.float32] | None) -> Weighed:
    """Return the mean of several answers by what each gives back of labels left out."""
    given = _problem(graph, seeds)
    told = [_Told.of(contender, given) for contender in _contenders(features, averaged)]
    kinds = [each.contender.by_features for each in told]
    share = np.array([each.returned for each in told])
    weights = np.exp(SHARPNESS * (share - share.max())) / [kinds.count(kind) for kind in kinds]
    weights /= weights.sum()
    rows = sum(weight * each.rows for weight, each in zip(weights, told, strict=True))
    again = sum(weight * each.again for weight, each in zip(weights, told, strict=True))
    chosen = [
        Evidence(each.contender.name, each.returned, each.kept, weight)
        for each, weight in zip(told, weights.tolist(), strict=True)
    ]
    votes = [(weight, each.codes) for weight, each in zip(weights.tolist(), told, strict=True)]
    returned = shares_returned(graph, seeds, again.argmax(axis=1))
    redrawn = Redrawn((logarithms(again),), tuple(votes), returned, believable=_believable(graph, seeds, again))
    return Weighed(np.asarray(rows), tuple(sorted(chosen, key=lambda each: -each.weight)), redrawn)


def weighed_again(
    graph: Graph, seeds: Seeds, features: Any, averaged: NDArray[np.float32] | None, chosen: Sequence[Evidence]
) -> Block:
    """Return the mean of the answers to other labels by the weights that there are; the lightest are left out."""
    given, weights = _problem(graph, seeds), {each.name: each.weight for each in chosen if each.weight >= HARDLY_ANY}
    asked = [each for each in _contenders(features, averaged) if each.name in weights]
    total, weigher = sum(weights.values()), Weigher(given)
    return np.asarray(sum(weights[each.name] / total * weigher.rows(_learnt(each, given)) for each in asked))


@dataclass(frozen=True, eq=False)
class _HeldFixed:
    """Laplace learning with the labels held fixed: one solve for all classes."""

    name: str = "laplace"
    by_features: bool = False

    def scores(self, problems: Sequence[Problem]) -> list[Block]:
        return [harmonic_extension(each.graph, each.graph.weights, each.seeds)[0] for each in problems]


@dataclass(frozen=True, eq=False)
class _Told:
    """An answer, the same without some labels, and how far they agree; a label is told of by the others alone."""

    contender: Contender
    rows: Block
    again: Block
    codes: NDArray[np.int32]
    returned: float
    kept: float

    @classmethod
    def of(cls, contender: Contender, given: Problem) -> _Told:
        graph, seeds, weigher = given.graph, given.seeds, Weigher(given)
        part = parts_of_labels(graph, seeds)

        def without(which: int) -> Block:
            rest = part != which
            left = relabelled(seeds, seeds.indices[rest], seeds.codes[rest])
            return weigher.rows(_learnt(contender, _problem(graph, left)))

        again = without(0)
        for which in range(1, int(part.max()) + 1):
            out = seeds.indices[part == which]
            again[out] = without(which)[out]
        rows, codes = weigher.rows(_learnt(contender, given)), again.argmax(axis=1).astype(np.int32)
        free = reach_of(graph, seeds).nodes.copy()
        free[seeds.indices] = False
        kept = float((rows.argmax(axis=1) == codes)[free].mean()) if free.any() else 1.0
        return cls(contender, rows, again, codes, float(np.mean(codes[seeds.indices] == seeds.codes)), kept)


def _contenders(features: Any, averaged: NDArray[np.float32] | None) -> list[Contender]:
    if features is None:
        return [_HeldFixed()]
    return [_HeldFixed(), Linear(features), AveragedLinear(features, averaged)]


def _problem(graph: Graph, seeds: Seeds) -> Problem:
    return Problem(graph, seeds, np.zeros((graph.n_nodes, 0)))


def _learnt(contender: Contender, problem: Problem) -> Block:
    """Return a contender's scores; a classifier of features learns from no more labels than it has time for."""
    seeds = problem.seeds
    if isinstance(contender, (Linear, AveragedLinear)):
        most = max(MANY, MOST_WORK // (contender.features.shape[1] * seeds.targets.shape[1]))
        some = np.sort(np.argsort(ranks(seeds.codes), kind="stable")[:most])
        problem = _problem(problem.graph, relabelled(seeds, seeds.indices[some], seeds.codes[some]))
    return contender.scores([problem])[0]


def _believable(graph: Graph, seeds: Seeds, again: Block) -> NDArray[np.float64]:
    """Return for each component the least and the most mean confidence that labels left out speak for."""
    component, right = graph.components[seeds.indices], again[seeds.indices].argmax(axis=1) == seeds.codes
    total = np.bincount(component, minlength=graph.n_components)
    return range_of_share(np.bincount(component[right], minlength=total.size), total)
