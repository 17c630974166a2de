"""Contenders: the answers among which the default weighs, from the Green's columns that they share.

All of them damp what is slower than a thousand steps of a walk, as the paper's steps do: parts that hang together by a
thread then do not drown the rest, and every graph is solved in a few steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from fewlabels.again import green_again
from fewlabels.graph import Graph
from fewlabels.green import green, harmonic_scores
from fewlabels.interface import Learner, Place, find_interface
from fewlabels.labels import Seeds
from fewlabels.linear import linear_probabilities
from fewlabels.methods.refined import refined_scores
from fewlabels.solvers import SMOOTH_TOL
from fewlabels.systems import projections_of
from fewlabels.targets import centred_targets

__all__ = ["DAMPING", "Contender", "EqualSizes", "Harmonic", "Interface", "Linear", "Problem", "Solved", "Sources"]

Block = NDArray[np.floating[Any]]

DAMPING = 1e-3
ROUNDS = (25, 12, 6)
"""Steps of diffusion in each round of refinement: half as many rounds as where it is asked for."""
Solved = tuple[NDArray[np.float64], NDArray[np.float64]]
"""A term, and the solution for it."""


@dataclass(frozen=True, eq=False)
class Problem:
    """Labels on a graph, and the damped Green's column of each."""

    graph: Graph
    seeds: Seeds
    columns: Block


class Contender(Protocol):
    """A way from labels to scores; the larger a score, the more a node belongs to the class."""

    @property
    def name(self) -> str:
        """What it is called where its weight is told."""
        ...

    def scores(self, problems: Sequence[Problem]) -> list[Block]:
        """Return the scores of all nodes for each of some sets of labels on one graph."""
        ...


@dataclass(frozen=True)
class Sources:
    """Poisson learning: labels are sources and sinks."""

    name: str = "poisson"

    def scores(self, problems: Sequence[Problem]) -> list[Block]:
        """Return combinations of the Green's columns."""
        return [_poisson(problem) for problem in problems]


@dataclass(frozen=True)
class Interface:
    """Interface Laplace learning, with its interface in some position."""

    name: str
    positions: str
    by_labels: bool

    def scores(self, problems: Sequence[Problem]) -> list[Block]:
        """Learn a term for each set of labels, and solve for all of them together."""
        graph, terms = problems[0].graph, [self._term(each) for each in problems]
        found = green(graph, np.hstack(terms), tol=SMOOTH_TOL, damping=DAMPING).value
        ends = np.cumsum([term.shape[1] for term in terms])[:-1]
        return list(np.split(projections_of(graph).centre(found), ends, axis=1))

    def solved(self, problem: Problem, before: Solved | None = None) -> Solved:
        """Return the term and its solution; from those for other labels, only the change is solved for."""
        term = self._term(problem)
        return term, green_again(problem.graph, term, before, tol=SMOOTH_TOL, damping=DAMPING).value

    def _term(self, problem: Problem) -> NDArray[np.float64]:
        graph, seeds, columns = problem.graph, problem.seeds, np.asarray(problem.columns, dtype=np.float64)
        place = find_interface(self.positions, Place(graph, seeds, columns, "auto", 0))
        return (
            Learner("mse", "l2-squared", None, "auto", self.by_labels).learn(graph, seeds, columns, place.nodes).values
        )


@dataclass(frozen=True)
class Harmonic:
    """Laplace learning: labels are matched, and every other node is the mean of its neighbours."""

    name: str = "laplace"

    def scores(self, problems: Sequence[Problem]) -> list[Block]:
        """Return combinations of the Green's columns and a constant."""
        return [
            harmonic_scores(each.graph, each.seeds, np.asarray(each.columns, dtype=np.float64)) for each in problems
        ]


@dataclass(frozen=True)
class EqualSizes:
    """Poisson learning refined by diffusion and thresholding, every class at its share of the prior."""

    name: str = "equal sizes"

    def scores(self, problems: Sequence[Problem]) -> list[Block]:
        """Refine one set of labels after the other."""
        return [refined_scores(each.graph, each.seeds, _poisson(each), ROUNDS, coarse=False) for each in problems]


@dataclass(frozen=True, eq=False)
class Linear:
    """Logistic regression on the features of the labelled points, which knows nothing of the graph."""

    features: Any
    name: str = "logistic regression"

    def scores(self, problems: Sequence[Problem]) -> list[Block]:
        """Return log-probabilities."""
        return [np.log(np.maximum(linear_probabilities(self.features, each.seeds), 1e-12)) for each in problems]


def _poisson(problem: Problem) -> NDArray[np.float64]:
    targets = centred_targets(problem.graph, problem.seeds) * problem.seeds.class_weights
    return np.asarray(problem.columns @ targets.astype(problem.columns.dtype), dtype=np.float64)
