"""Contenders: the answers among which the default weighs, from the Green's columns that they share.

All of them damp what is slower than a thousand steps of a walk, as the paper's steps do: parts that hang together by a
thread then do not drown the rest, and every graph is solved in a few steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.again import green_again
from fewlabels.diffusion import averaged_rows, diffused
from fewlabels.graph import Graph
from fewlabels.green import green, harmonic_scores
from fewlabels.interface import Learner, Place, find_interface
from fewlabels.kept import ReadOnlyArrays
from fewlabels.labels import Seeds
from fewlabels.linear import linear_probabilities
from fewlabels.methods.refined import refined_scores
from fewlabels.soft import SINGLE_HOLDS, logarithms
from fewlabels.solvers import SMOOTH_TOL
from fewlabels.systems import projections_of
from fewlabels.targets import centred_targets
from fewlabels.threads import in_blocks_of_rows

__all__ = [
    "DAMPING",
    "AveragedLinear",
    "Contender",
    "EqualSizes",
    "Harmonic",
    "Interface",
    "Linear",
    "Problem",
    "Solved",
    "Sources",
    "averaged_features",
    "relabelled",
    "solved_terms",
]

Block = NDArray[np.floating[Any]]

DAMPING = 1e-3
ROUNDS = (25, 12, 6)
"""Steps of diffusion in each round of refinement: half as many rounds as where it is asked for."""
ABOUT = 5e-3
"""How nearly these rounds keep the sizes: that classes are of equal size is a guess."""
AVERAGED, FEW_TIMES = 8, 2
"""Steps of the walk that averages features, and how many times wider than labels and classes together these may be for
their average to be formed."""


@dataclass(frozen=True, eq=False)
class Problem:
    """Labels on a graph, and the damped Green's column of each; contenders of the features need none."""

    graph: Graph
    seeds: Seeds
    columns: Block


class Contender(Protocol):
    """A way from labels to scores; the larger a score, the more a node belongs to the class."""

    @property
    def name(self) -> str:
        """What it is called where its weight is told."""
        ...

    @property
    def by_features(self) -> bool:
        """Whether it learns from the features; the others, from the graph alone, are of another kind."""
        ...

    def scores(self, problems: Sequence[Problem]) -> list[Block]:
        """Return the scores of all nodes for each of some sets of labels on one graph."""
        ...


@dataclass(frozen=True)
class Sources:
    """Poisson learning: labels are sources and sinks."""

    name: str = "poisson"
    by_features: bool = False

    def scores(self, problems: Sequence[Problem]) -> list[Block]:
        """Return combinations of the Green's columns."""
        return [_poisson(problem) for problem in problems]


@dataclass(frozen=True)
class Interface:
    """Interface Laplace learning, with its interface in some position."""

    name: str
    positions: str
    by_labels: bool
    by_features: bool = False

    def scores(self, problems: Sequence[Problem]) -> list[Block]:
        """Learn a term for each set of labels, and solve for all of them together."""
        graph, terms = problems[0].graph, [self.term(each) for each in problems]
        found = green(graph, np.hstack(terms, dtype=np.float32), tol=SMOOTH_TOL, damping=DAMPING).value
        ends = np.cumsum([term.shape[1] for term in terms])[:-1]
        return list(np.split(projections_of(graph).centre(found), ends, axis=1))

    def term(self, problem: Problem) -> NDArray[np.float64]:
        """Return the term that the labels teach."""
        graph, seeds, columns = problem.graph, problem.seeds, problem.columns
        place = find_interface(self.positions, Place(graph, seeds, columns, "auto", 0))
        learner = Learner("mse", "l2-squared", None, "auto", self.by_labels)
        return learner.learn(graph, seeds, columns, place.nodes).values


@dataclass(frozen=True, eq=False)
class Solved(ReadOnlyArrays):
    """The terms of some contenders and the solutions for them, side by side, in single precision."""

    names: tuple[str, ...]
    terms: NDArray[np.float32]
    values: NDArray[np.float32]

    def scores(self, graph: Graph, name: str) -> Block | None:
        """Return the scores of a contender, None if it is not among them."""
        if name not in self.names:
            return None
        found = self.values[:, self._columns([name])].astype(np.float64)
        projections_of(graph).centre_in_place(found)
        return found

    def of(self, names: tuple[str, ...]) -> tuple[Block, Block] | None:
        """Return the terms of these contenders and their solutions, None if not all are among them."""
        if names == self.names:
            return self.terms, self.values
        if not set(names) <= set(self.names):
            return None
        columns = self._columns(names)
        return self.terms[:, columns], self.values[:, columns]

    def _columns(self, names: Sequence[str]) -> Any:
        c = self.terms.shape[1] // len(self.names)
        starts = [c * self.names.index(name) for name in names]
        return slice(starts[0], starts[0] + c) if len(names) == 1 else np.add.outer(starts, np.arange(c)).ravel()


def solved_terms(problem: Problem, contenders: Sequence[Interface], before: Solved | None = None) -> Solved:
    """Return the terms of some contenders and their solutions, in one solve.

    From those for other labels `before`, only the change is solved for.
    """
    names = tuple(each.name for each in contenders)
    terms = np.empty((problem.graph.n_nodes, len(names) * problem.seeds.targets.shape[1]), dtype=np.float32)
    for place, term in zip(np.split(terms, len(names), axis=1), contenders, strict=True):
        place[:] = term.term(problem)
    known = None if before is None else before.of(names)
    found = green_again(problem.graph, terms, known, tol=SMOOTH_TOL, damping=DAMPING).value
    return Solved(names, terms, found)


@dataclass(frozen=True)
class Harmonic:
    """Laplace learning: labels are matched, and every other node is the mean of its neighbours."""

    name: str = "laplace"
    by_features: bool = False

    def scores(self, problems: Sequence[Problem]) -> list[Block]:
        """Return combinations of the Green's columns and a constant."""
        return [harmonic_scores(each.graph, each.seeds, each.columns) for each in problems]


@dataclass(frozen=True)
class EqualSizes:
    """Poisson learning refined by diffusion and thresholding, every class at its share of the prior."""

    name: str = "equal sizes"
    by_features: bool = False

    def scores(self, problems: Sequence[Problem]) -> list[Block]:
        """Refine one set of labels after the other."""
        return [
            refined_scores(each.graph, each.seeds, _poisson(each), ROUNDS, coarse=False, within=ABOUT)
            for each in problems
        ]


@dataclass(frozen=True, eq=False)
class Linear:
    """Logistic regression on the features of the labelled points, which knows nothing of the graph."""

    features: Any
    name: str = "logistic regression"
    by_features: bool = True

    def scores(self, problems: Sequence[Problem]) -> list[Block]:
        """Return log-probabilities."""
        return [logarithms(linear_probabilities(self.features, each.seeds)) for each in problems]


@dataclass(frozen=True, eq=False)
class AveragedLinear:
    """Logistic regression on features that are averaged over each point's surroundings in the graph.

    Where the features are wider than there are labels and classes, their average is never formed.
    """

    features: Any
    averaged: NDArray[np.float32] | None = None
    name: str = "logistic regression on averaged features"
    by_features: bool = True

    def scores(self, problems: Sequence[Problem]) -> list[Block]:
        """Return log-probabilities."""
        return [self._scores(each.graph, each.seeds) for each in problems]

    def _scores(self, graph: Graph, seeds: Seeds) -> Block:
        if self.averaged is not None:
            known = self.averaged[seeds.indices].astype(np.float64)
            return logarithms(linear_probabilities(self.averaged, seeds, known=known))
        known = averaged_rows(graph, self.features, seeds.indices, AVERAGED)
        averaged = partial(diffused, graph, steps=AVERAGED)
        return logarithms(linear_probabilities(self.features, seeds, known=known, averaged=averaged))


def relabelled(seeds: Seeds, nodes: NDArray[np.int64], codes: NDArray[np.int64]) -> Seeds:
    """Return labels that count as the given ones do, class by class."""
    targets = np.eye(seeds.targets.shape[1])[codes]
    weights = np.ones(targets.shape[1])
    if not (seeds.class_weights == 1.0).all():
        shares = targets.mean(axis=0)
        weights = np.divide(seeds.prior, shares, out=np.zeros_like(shares), where=shares > 0)
    return replace(seeds, indices=nodes, targets=targets, class_weights=weights)


def averaged_features(graph: Graph, features: Any, seeds: Seeds) -> NDArray[np.float32] | None:
    """Return the features averaged over the graph if they are dense and no wider than labels and classes together.

    It is worth it then, since labels are drawn again twice: each time one column is walked for each of them. They are
    taken about their mean, which the intercepts of a classifier make up for.
    """
    if features is None or sp.issparse(features) or features.shape[1] > FEW_TIMES * sum(seeds.targets.shape):
        return None
    middle, about_it = features.mean(axis=0, dtype=np.float64), np.empty(features.shape, dtype=np.float32)

    def centre(some: slice) -> None:
        about_it[some] = np.clip(features[some] - middle, -SINGLE_HOLDS, SINGLE_HOLDS)

    in_blocks_of_rows(len(about_it), centre)
    return np.asarray(diffused(graph, about_it, AVERAGED), dtype=np.float32)


def _poisson(problem: Problem) -> NDArray[np.float64]:
    targets = centred_targets(problem.graph, problem.seeds) * problem.seeds.class_weights
    return np.asarray(problem.columns @ targets.astype(problem.columns.dtype), dtype=np.float64)
