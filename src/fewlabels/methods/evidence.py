"""Evidence for an answer that needs no further labels: labels drawn again from it, spread by whatever gave it.

Two things tell how far a contender is to be trusted: how many of the given labels come back, and how many nodes keep
their label. Its weight grows exponentially with both. There are two kinds of contenders, those of the graph alone and
those of the features; as one kind's answers are much alike, a contender counts one over the number of its kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.drawn import Redrawn, nodes_again, shares_returned
from fewlabels.green import green_columns, some_columns
from fewlabels.methods.contenders import DAMPING, Contender, Problem, relabelled
from fewlabels.reach import reach_of
from fewlabels.soft import logarithms, power_to_reach, probabilities, raised, softness
from fewlabels.threads import one_core_each
from fewlabels.volumes import evenness

__all__ = ["HARDLY_ANY", "Evidence", "Weighed", "Weigher", "favour_of_balls"]

Block = NDArray[np.floating[Any]]

SHARPNESS, KEPT_COUNTS = 7.0, 0.5
"""How fast a contender's weight grows with the share of labels that come back, and what the share of nodes that keep
theirs counts beside it."""

FAVOUR, HARDLY_EVEN, EVEN = 5.0, 0.9, 0.95
"""Balls of equal shares suit classes of equal size: where those of Poisson learning's answer have the larger share of
the entropy of equal ones, the contender with balls counts up to so many times as much; with the smaller, no more."""

SOFTNESS = 0.35
"""Differences in scores count in units of so many of their root mean squares."""

DRAWS, MANY_CLASSES, MANY_NODES = 2, 20, 300_000
"""How often labels are drawn again; only once of many classes, since one draw then tells about many labels, and of many
nodes."""

LABELS_DRAWN, ENTRIES_DRAWN = 250, 10_000_000
"""How many labels are drawn again at most, in all classes together, and how many nodes times labels, but at least one
label of each class."""

MANY_LABELS = 5.0
"""Labels per class from which a classifier of features is taken to be as sure as it is stable."""

HARDLY_ANY = 0.05
"""Contenders of less weight are left out while evidence is taken over."""

DRAWN_TOL = 1e-2


@dataclass(frozen=True, eq=False)
class Evidence:
    """What is said for a contender.

    Attributes
    ----------
    name : str
    returned : float
        The share of the given labels that labels drawn again from its answer give back.
    kept : float
        The share of nodes that keep their label then.
    weight : float
        What it counts in the answer; the weights of all contenders sum to one.
    sharpness : float
        The power to which its distributions are raised.
    """

    name: str
    returned: float
    kept: float
    weight: float
    sharpness: float = 1.0

    def __str__(self) -> str:
        return f"{self.name} {self.weight:.0%} ({self.returned:.0%} of labels returned, {self.kept:.0%} of points kept)"


@dataclass(frozen=True, eq=False)
class Weighed:
    """The mean of several answers by the evidence for each, as distributions, and what labels drawn again say.

    `alike` is the share of nodes to which contenders of the features give the class of the mean.
    """

    rows: Block
    chosen: tuple[Evidence, ...]
    redrawn: Redrawn
    alike: float = 1.0


@dataclass(frozen=True, eq=False)
class _Answer:
    contender: Contender
    rows: Block
    codes: NDArray[np.integer[Any]]


class Weigher:
    """Gathers the answers of contenders to one problem, then the evidence for each.

    Attributes
    ----------
    evenness : dict
        How even the class sizes of each contender's answer are, by its name: one if they are equal.
    """

    def __init__(self, given: Problem) -> None:
        self._given, self._reach = given, reach_of(given.graph, given.seeds)
        self._possible = self._reach.possible
        self._answers: list[_Answer] = []
        self.evenness: dict[str, float] = {}

    def add(self, *contenders: Contender, known: Callable[[str], Block | None] = lambda name: None) -> None:
        """Take in contenders; the scores of some may be known, by name."""
        for answer in one_core_each(
            self._given.graph.n_nodes, [partial(self._asked, each, known) for each in contenders]
        ):
            self._take(answer)

    def add_within(self, most: float, contender: Contender) -> None:
        """Take in a contender if it cuts no more than so many times the least of the others."""
        answer = self._asked(contender)
        if self._cut(answer) <= most * min(map(self._cut, self._answers)):
            self._take(answer)

    def _asked(self, contender: Contender, known: Callable[[str], Block | None] = lambda name: None) -> _Answer:
        scores = known(contender.name)
        return self._answer(contender, contender.scores([self._given])[0] if scores is None else scores)

    def _take(self, answer: _Answer) -> None:
        self._answers.append(answer)
        sizes = np.bincount(answer.codes, minlength=answer.rows.shape[1])
        self.evenness[answer.contender.name] = float(evenness(sizes[None], np.array([sizes.size]))[0])

    def weighed(self, favour: Mapping[str, float] | None = None) -> Weighed:
        """Return the mean of all answers by the evidence, times a factor for those in favour."""
        seeds, graph = self._given.seeds, self._given.graph
        draws = 1 if seeds.targets.shape[1] > MANY_CLASSES or graph.n_nodes > MANY_NODES else DRAWS
        drawn = _drawn(self._given, self._answers, draws)
        tasks = [
            partial(self._tell, answer.contender, answer, problems)
            for answer, problems in zip(self._answers, drawn, strict=True)
        ]
        told = one_core_each(graph.n_nodes, tasks[::-1])[::-1]  # those that come last take longest
        value = np.array([each.returned + KEPT_COUNTS * each.kept for each in told])
        weights = np.exp(SHARPNESS * (value - value.max()))
        contenders = [each.answer.contender for each in told]
        kinds = [contender.by_features for contender in contenders]
        weights *= [(favour or {}).get(each.name, 1.0) / kinds.count(each.by_features) for each in contenders]
        weights /= weights.sum()
        sharpness = [self._sharpness(each) for each in told]
        rows, again = np.zeros((2, graph.n_nodes, seeds.targets.shape[1]))
        votes = []
        for each, weight, power in zip(told, weights.tolist(), sharpness, strict=True):
            rows += weight * raised(each.answer.rows, power)
            for found in each.again:
                again += weight / draws * found.rows
                votes.append((weight / draws, found.codes))
        chosen = [
            Evidence(each.answer.contender.name, each.returned, each.kept, weight, power)
            for each, weight, power in zip(told, weights.tolist(), sharpness, strict=True)
        ]
        chosen.sort(key=lambda each: -each.weight)
        returned = sum(weight * each.returned_by for each, weight in zip(told, weights, strict=True))
        redrawn = Redrawn((logarithms(again),), tuple(votes), np.asarray(returned), self._agreed(weights))
        return Weighed(rows, tuple(chosen), redrawn, self._alike(rows.argmax(axis=1)))

    def rows(self, scores: Block, sharpness: float = 1.0) -> Block:
        """Return scores as distributions over the classes that are possible."""
        scale = softness(scores, self._possible, self._reach.components) * SOFTNESS
        return probabilities(scores, scale / sharpness, self._possible)

    def _agreed(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return for each component one less the share of nodes that contenders of the two kinds disagree on.

        A pair counts by its two weights, four times over: disagreement counts in full where both kinds weigh alike, and
        not at all where one of them has no weight, or there is a single kind, or nothing but labels.
        """
        graph, free = self._given.graph, self._reach.nodes.copy()
        free[self._given.seeds.indices] = False
        kinds: tuple[list[tuple[_Answer, float]], list[tuple[_Answer, float]]] = [], []
        for answer, weight in zip(self._answers, weights.tolist(), strict=True):
            kinds[answer.contender.by_features].append((answer, weight))
        count = np.bincount(graph.components[free], minlength=graph.n_components)
        apart = np.zeros(graph.n_components)
        for (one, its), (other, others) in product(*kinds):
            differ = free & (one.codes != other.codes)
            apart += 4.0 * its * others * np.bincount(graph.components[differ], minlength=graph.n_components)
        return np.asarray(1.0 - apart / np.maximum(count, 1))

    def _alike(self, codes: NDArray[np.int64]) -> float:
        """Return the share of nodes to which contenders of the features give these classes, one if there are none."""
        free = self._reach.nodes.copy()
        free[self._given.seeds.indices] = False
        asked = [answer for answer in self._answers if answer.contender.by_features]
        return float(np.mean([(each.codes == codes)[free] for each in asked])) if asked and free.any() else 1.0

    def _cut(self, answer: _Answer) -> float:
        return self._given.graph.normalized_cut(answer.codes, answer.rows.shape[1])

    def _sharpness(self, told: _Told) -> float:
        """Return the power that makes a classifier of features as sure as its answer is stable.

        With one label per class it is left as it is; the more labels it has learnt from, the nearer it comes to that.
        """
        seeds = self._given.seeds
        learnt = (seeds.size / np.unique(seeds.codes).size - 1.0) / (MANY_LABELS - 1.0)
        if not told.answer.contender.by_features or learnt <= 0:
            return 1.0
        power = power_to_reach(told.kept * (1.0 + told.returned) / 2.0, told.answer.rows)
        return float(power ** min(learnt, 1.0))

    def _answer(
        self,
        contender: Contender,
        scores: Block,
        drawn: NDArray[np.int64] | None = None,
        before: _Answer | None = None,
    ) -> _Answer:
        """Return an answer as distributions; nodes whose label was drawn tell nothing new, and are left as before."""
        rows = self.rows(scores)
        if before is not None:
            rows[drawn] = before.rows[drawn]
        return _Answer(contender, rows, rows.argmax(axis=1).astype(np.int32))

    def _tell(self, contender: Contender, answer: _Answer, problems: Sequence[Problem]) -> _Told:
        seeds, free = self._given.seeds, self._reach.nodes.copy()
        free[seeds.indices] = False
        again = [
            self._answer(contender, scores, problem.seeds.indices, answer)
            for scores, problem in zip(contender.scores(problems), problems, strict=True)
        ]
        returned = np.mean([shares_returned(self._given.graph, seeds, found.codes) for found in again], axis=0)
        kept = np.mean([(found.codes == answer.codes)[free].mean() for found in again]) if free.any() else 1.0
        back = np.mean([found.codes[seeds.indices] == seeds.codes for found in again])
        return _Told(answer, again, returned, float(back), float(kept))


def favour_of_balls(evenness: float, classes: int) -> float:
    """Return how many times as much balls of equal shares count; that two classes are about even tells nothing.

    Examples
    --------
    >>> [round(favour_of_balls(evenness, 10), 2) for evenness in (0.5, 0.92, 1.0)], favour_of_balls(1.0, 2)
    ([1.0, 1.67, 3.62], 1.0)
    """
    told = min(max((evenness - HARDLY_EVEN) / (EVEN - HARDLY_EVEN), 0.0), 1.0)
    return float(FAVOUR ** (told * max(1.0 - 2.0 / classes, 0.0)))


@dataclass(frozen=True, eq=False)
class _Told:
    """An answer, what its contender made of labels drawn again from it, and how far these agree."""

    answer: _Answer
    again: Sequence[_Answer]
    returned_by: NDArray[np.float64]
    returned: float
    kept: float


def _drawn(given: Problem, answers: Sequence[_Answer], draws: int) -> list[list[Problem]]:
    """Return for each answer as many labels drawn again from it as were given, several times; columns in one solve.

    Contenders of the features need no columns, and get none.
    """
    graph, seeds = given.graph, given.seeds
    most = max(1, min(LABELS_DRAWN, ENTRIES_DRAWN // graph.n_nodes) // seeds.targets.shape[1])
    chosen, solved_for = [], [np.zeros(0, dtype=np.int64)]
    for answer in answers:
        now = answer.codes.astype(np.int64)
        now[seeds.indices] = seeds.codes
        chosen.append([nodes_again(graph, seeds, now, which, most) for which in range(draws)])
        if not answer.contender.by_features:
            solved_for += [nodes for nodes, _ in chosen[-1]]
    every = np.unique(np.concatenate(solved_for))
    columns = green_columns(graph, every, tol=DRAWN_TOL, damping=DAMPING, single=True).value

    def problem(answer: _Answer, nodes: NDArray[np.int64], codes: NDArray[np.int64]) -> Problem:
        mine = columns[:, :0] if answer.contender.by_features else some_columns(columns, np.searchsorted(every, nodes))
        return Problem(graph, relabelled(seeds, nodes, codes), mine)

    return [
        [problem(answer, nodes, codes) for nodes, codes in each] for answer, each in zip(answers, chosen, strict=True)
    ]
