"""The default: several answers, weighed by what the labels themselves say for each of them.

Labels are drawn again from a contender's answer and spread by the same contender. Two things tell how far to trust it:
how many of the given labels come back, and how many nodes keep their label. Its weight grows exponentially with both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from fewlabels.drawn import nodes_again
from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.green import TABLE_ENTRIES, green, impulses
from fewlabels.labels import Seeds
from fewlabels.methods.base import Method, Spread
from fewlabels.methods.contenders import DAMPING, Contender, EqualSizes, Interface, Linear, Problem, Sources
from fewlabels.methods.interface_laplace import InterfaceLaplace
from fewlabels.reach import Reach, reach_of
from fewlabels.soft import probabilities, softness
from fewlabels.solvers import Solution
from fewlabels.systems import projections_of

__all__ = ["Auto", "Evidence", "WeighedSpread"]

Block = NDArray[np.floating[Any]]

SHARPNESS = 7.0
"""How fast a contender's weight grows with the share of labels that come back and of nodes that keep theirs."""

SOFTNESS = 1.0
"""Differences in scores count in units of so many of their root mean squares."""

DRAWS, DRAWS_OF_MANY, MANY_CLASSES = 2, 1, 20
"""How often labels are drawn again: of many classes once, since one draw then tells about many labels."""

LABELS_DRAWN = 100
"""How many labels are drawn again at most, in all classes together, but at least one of each."""

SIZES_UP_TO = 20_000
"""Nodes up to which refinement at equal sizes is among the contenders: it takes several times as long as the others."""

CUTS_MORE = 1.25
"""It is among them only if it cuts no more than so many times as much as the best of the others."""

DRAWN_TOL = 1e-2


@dataclass(frozen=True, eq=False)
class Evidence:
    """What is said for a contender.

    Attributes
    ----------
    name : str
    returned : float
        The share of the given labels that labels drawn again from its answer give back, the mean over classes.
    kept : float
        The share of nodes that keep their label then.
    weight : float
        What it counts in the answer; the weights of all contenders sum to one.
    """

    name: str
    returned: float
    kept: float
    weight: float

    def __str__(self) -> str:
        return f"{self.name} {self.weight:.0%} (labels returned {self.returned:.0%}, nodes that keep theirs {self.kept:.0%})"


@dataclass(frozen=True, eq=False, repr=False)
class WeighedSpread(Spread):
    """The weighed mean of several answers, as distributions.

    Attributes
    ----------
    chosen : tuple of Evidence
        Every contender, the one with most weight first.
    again : ndarray, shape (n, c)
        What labels drawn again say, in the same weights.
    columns : ndarray, shape (n, m)
        The damped Green's columns of the labels.
    """

    chosen: tuple[Evidence, ...]
    again: Block
    columns: Block

    @property
    def returned(self) -> float:
        """The share of the given labels that come back, over all contenders by weight."""
        return sum(each.weight * each.returned for each in self.chosen)


@dataclass(eq=False)
class Auto(Method):
    """Interface Laplace learning with its interface outside balls and everywhere, Poisson learning and others, weighed.

    The others are logistic regression where there are features, and refinement at equal class sizes on graphs of up to
    20,000 nodes, where it cuts no more than they do.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(5), 1) + np.diag(np.ones(5), -1))
    >>> Auto().scores(path, Seeds.from_classes([0, 5], [0, 1])).argmax(axis=1).tolist()
    [0, 0, 0, 1, 1, 1]
    """

    features: Any = field(default=None, repr=False)

    def with_features(self, X: Any) -> Self:
        """Return the method with logistic regression on these features among its contenders."""
        return replace(self, features=X if hasattr(X, "shape") else np.asarray(X))

    def _spread(self, graph: Graph, seeds: Seeds) -> Spread:
        if seeds.is_regression:
            raise FewlabelsError("method='auto' is for classes; estimate values by 'interface-laplace' or 'laplace'.")
        if graph.n_nodes * seeds.size > TABLE_ENTRIES:
            return InterfaceLaplace()._spread(graph, seeds)
        given, solution = _problem(graph, seeds)
        weigher = _Weigher(given, reach_of(graph, seeds))
        for contender in self._contenders():
            weigher.add(contender)
        if graph.n_nodes <= SIZES_UP_TO:
            weigher.add(EqualSizes(), within=CUTS_MORE)
        return weigher.weighed(solution)

    def _contenders(self) -> list[Contender]:
        found: list[Contender] = [
            Interface("interface-laplace", "balls"),
            Interface("interface-laplace, every node", "all"),
            Sources(),
        ]
        return found if self.features is None else [*found, Linear(self.features)]


@dataclass(frozen=True, eq=False)
class _Weighing:
    contender: Contender
    rows: Block
    codes: NDArray[np.int64]


class _Weigher:
    """Gathers the answers of contenders to one problem, then the evidence for each."""

    def __init__(self, given: Problem, reach: Reach) -> None:
        self._given, self._reach = given, reach
        self._found: list[_Weighing] = []
        self._cut = np.inf

    def add(self, contender: Contender, within: float | None = None) -> None:
        """Take in a contender; with `within`, only if it cuts no more than so many times the least of the others."""
        scores = contender.scores([self._given])[0]
        weighing = self._weighing(contender, scores)
        cut = self._given.graph.normalized_cut(weighing.codes, scores.shape[1])
        if within is None or cut <= within * self._cut:
            self._found.append(weighing)
        self._cut = min(self._cut, cut)

    def weighed(self, solution: Solution) -> WeighedSpread:
        """Return the mean of all answers by the evidence for each."""
        seeds, graph = self._given.seeds, self._given.graph
        many = seeds.targets.shape[1] > MANY_CLASSES
        draws = DRAWS_OF_MANY if many else DRAWS
        drawn = _drawn(self._given, [each.codes for each in self._found], draws)
        free = self._reach.nodes.copy()
        free[seeds.indices] = False
        told = []
        for each, problems in zip(self._found, drawn, strict=True):
            again = [self._weighing(each.contender, scores) for scores in each.contender.scores(problems)]
            told.append(_Told(each, again, seeds, free))
        value = np.array([each.returned + each.kept for each in told])
        weights = np.exp(SHARPNESS * (value - value.max()))
        weights /= weights.sum()
        scores, rows = np.zeros((graph.n_nodes, seeds.targets.shape[1])), np.zeros((graph.n_nodes, seeds.targets.shape[1]))
        for each, weight in zip(told, weights, strict=True):
            scores += weight * each.answer.rows
            for again in each.again:
                rows += weight / draws * again.rows
        evidence = [
            Evidence(each.answer.contender.name, each.returned, each.kept, float(weight))
            for each, weight in zip(told, weights, strict=True)
        ]
        evidence.sort(key=lambda each: -each.weight)
        return WeighedSpread(scores, (solution,), tuple(evidence), rows, self._given.columns)

    def _weighing(self, contender: Contender, scores: Block) -> _Weighing:
        reach = self._reach
        scale = softness(scores, reach.possible, reach.components) * SOFTNESS
        rows = probabilities(scores, scale, reach.possible)
        return _Weighing(contender, rows, np.asarray(rows.argmax(axis=1)))


class _Told:
    """An answer, what its contender made of labels drawn again from it, and how far these agree."""

    def __init__(self, answer: _Weighing, again: Sequence[_Weighing], seeds: Seeds, free: NDArray[np.bool_]) -> None:
        self.answer, self.again = answer, again
        counts = np.bincount(seeds.codes, minlength=seeds.targets.shape[1])
        each = 1.0 / counts[seeds.codes]
        right = np.mean([found.codes[seeds.indices] == seeds.codes for found in again], axis=0)
        self.returned = float((right * each).sum() / each.sum())
        self.kept = float(np.mean([(found.codes == answer.codes)[free].mean() for found in again])) if free.any() else 1.0


def _problem(graph: Graph, seeds: Seeds) -> tuple[Problem, Solution]:
    E = projections_of(graph).centre(impulses(graph, seeds.indices))
    solution = green(graph, E, damping=DAMPING)
    return Problem(graph, seeds, solution.value), solution


def _drawn(given: Problem, answers: Sequence[NDArray[np.int64]], draws: int) -> list[list[Problem]]:
    """Return for each answer as many labels drawn again from it as were given, several times; columns in one solve."""
    graph, seeds = given.graph, given.seeds
    c = seeds.targets.shape[1]
    most = max(1, LABELS_DRAWN // c)
    chosen = []
    for codes in answers:
        now = codes.copy()
        now[seeds.indices] = seeds.codes
        chosen.append([nodes_again(graph, seeds, now, which, most) for which in range(draws)])
    every = np.unique(np.concatenate([nodes for each in chosen for nodes, _ in each]))
    E = projections_of(graph).centre(impulses(graph, every))
    columns = green(graph, E, tol=DRAWN_TOL, damping=DAMPING).value.astype(np.float32)
    return [
        [
            Problem(graph, _as_seeds(seeds, nodes, codes), columns[:, np.searchsorted(every, nodes)])
            for nodes, codes in each
        ]
        for each in chosen
    ]


def _as_seeds(seeds: Seeds, nodes: NDArray[np.int64], codes: NDArray[np.int64]) -> Seeds:
    """Return labels that count as the given ones do, class by class."""
    targets = np.eye(seeds.targets.shape[1])[codes]
    shares = targets.mean(axis=0)
    plain = bool((seeds.class_weights == 1.0).all())
    weights = np.ones(shares.size)
    if not plain:
        weights = np.divide(seeds.prior, shares, out=np.zeros_like(shares), where=shares > 0)
    return replace(seeds, indices=nodes, targets=targets, class_weights=weights)
