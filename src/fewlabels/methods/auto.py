"""The default: several answers, weighed by what the labels themselves say for each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.again import columns_again
from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.green import TABLE_ENTRIES, green_columns
from fewlabels.kept import read_only
from fewlabels.labels import Seeds
from fewlabels.linear import doubtful_probabilities
from fewlabels.methods.base import Method, Spread
from fewlabels.methods.contenders import (
    DAMPING,
    AveragedLinear,
    Contender,
    EqualSizes,
    Harmonic,
    Interface,
    Linear,
    Problem,
    Sources,
    averaged_features,
    solved_terms,
)
from fewlabels.methods.evidence import HARDLY_ANY, Evidence, Weigher, favour_of_balls
from fewlabels.methods.interface_laplace import InterfaceLaplace
from fewlabels.methods.left_out import believable_range
from fewlabels.methods.many_labels import are_many, weighed_again, weighed_by_many
from fewlabels.methods.weighed import Averaged, Columns, WeighedSpread, gathered_quickly, has_enough_for_laplace
from fewlabels.reach import reach_of
from fewlabels.soft import logarithms
from fewlabels.solvers import Solution

__all__ = ["Auto"]

BALLS = "interface-laplace"

SIZES_FROM, SIZES_UP_TO = 20, 200_000
"""Nodes per class from which, and nodes times classes up to which, refinement at equal sizes is among the contenders;
it takes several times as long as the others."""

ABOUT_EQUAL, CUTS_MORE = 0.9, 1.25
"""It is tried only if the sizes of some other answer have this share of the entropy of equal ones, and is among the
contenders only if it cuts no more than so many times as much as the best of them."""


@dataclass(eq=False)
class Auto(Method):
    """Interface Laplace learning with its interface outside balls and everywhere, Poisson learning and others, weighed.

    The others are Laplace learning from two labels per class on, logistic regression on the features and on features
    averaged over the graph where there are any, and refinement at equal class sizes on graphs of moderate size, if it
    cuts about as little as they do. Labels are
    drawn again from each one's answer and spread by it: the more of the given labels come back, and the more nodes keep
    theirs, the more it counts.

    Parameters
    ----------
    features : array-like or sparse matrix, shape (n, d), optional
        The rows that the graph was made of.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(5), 1) + np.diag(np.ones(5), -1))
    >>> Auto().scores(path, Seeds.from_classes([0, 5], [0, 1])).argmax(axis=1).tolist()
    [0, 0, 0, 1, 1, 1]
    """

    features: Any = field(default=None, repr=False)

    def with_features(self, X: Any) -> Self:
        """Return the method with logistic regression on these features among its contenders."""
        return replace(self, features=sp.csr_array(X) if sp.issparse(X) else np.asarray(X))

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Come back from a pickle with features that cannot be written to."""
        self.__dict__.update(state)
        read_only(self.features)

    def _spread(self, graph: Graph, seeds: Seeds) -> Spread:
        if seeds.is_regression:
            raise FewlabelsError("method='auto' is for classes; estimate values by 'interface-laplace' or 'laplace'.")
        if are_many(seeds):
            return self._spread_many(graph, seeds)
        if not _fit_a_table(graph, seeds):
            return InterfaceLaplace()._spread(graph, seeds)
        solution = green_columns(graph, seeds.indices, damping=DAMPING, single=True)
        return self._gathered(graph, seeds, solution.value, (solution,), averaged_features(graph, self.features, seeds))

    def _spread_many(self, graph: Graph, seeds: Seeds) -> WeighedSpread:
        """Weigh contenders that need no table by labels that are left out."""
        averaged = averaged_features(graph, self.features, seeds)
        found = weighed_by_many(graph, _of_one_size(seeds), self.features, averaged)
        return WeighedSpread(
            scores=logarithms(found.rows) + _log_shares(seeds),
            solves=(),
            chosen=found.chosen,
            redrawn=found.redrawn,
            columns=None,
            beyond=self._beyond(graph, seeds, found.chosen),
            gathered=seeds.size,
            solved=None,
            averaged=averaged,
        )

    def _gathered(
        self, graph: Graph, seeds: Seeds, columns: Columns, solves: tuple[Solution, ...], averaged: Averaged
    ) -> WeighedSpread:
        """Ask all contenders, gather the evidence for each, and join them."""
        given = Problem(graph, _of_one_size(seeds), columns)
        contenders = self._contenders(seeds, averaged)
        solved = solved_terms(given, [each for each in contenders if isinstance(each, Interface)])
        weigher = Weigher(given)
        weigher.add(*contenders, known=partial(solved.scores, graph))
        classes = seeds.targets.shape[1]
        if (
            SIZES_FROM * classes <= graph.n_nodes <= SIZES_UP_TO / classes
            and max(weigher.evenness.values()) >= ABOUT_EQUAL
        ):
            weigher.add_within(CUTS_MORE, EqualSizes())
        found = weigher.weighed({BALLS: favour_of_balls(weigher.evenness[Sources.name], classes)})
        return WeighedSpread(
            scores=logarithms(found.rows) + _log_shares(seeds),
            solves=solves,
            chosen=found.chosen,
            redrawn=replace(
                found.redrawn,
                believable=believable_range(given, self.features, found.rows.argmax(axis=1)),
                by_features=None if self.features is None else (self.features.shape[1], found.alike),
            ),
            columns=columns,
            beyond=self._beyond(graph, seeds, found.chosen),
            gathered=seeds.size,
            solved=solved,
            averaged=averaged,
        )

    def spread_again(self, graph: Graph, seeds: Seeds, before: Spread, seeds_before: Seeds) -> Spread:
        """Spread labels of which most were spread before: the evidence is taken over until a quarter more are known.

        Green's columns of old labels and the solutions for their terms are taken over as well; contenders of hardly any
        weight are left out. Where the evidence has to be gathered anew, the columns are still taken over.
        """
        seeds.check_fits(graph.n_nodes)
        if (
            isinstance(before, WeighedSpread)
            and are_many(seeds)
            and _evidence_serves(before, graph, seeds, seeds_before)
        ):
            rows = weighed_again(graph, _of_one_size(seeds), self.features, before.averaged, before.chosen)
            return self._joined(graph, seeds, rows, before, seeds_before)
        if not (isinstance(before, WeighedSpread) and _columns_serve(before, graph, seeds)):
            return self.spread(graph, seeds)
        columns, solves = self._columns_again(graph, seeds, before, seeds_before)
        if _same_classes(seeds, seeds_before) and before.holds_for(graph, seeds, seeds_before):
            return self._taken_over(graph, seeds, columns, solves, before, seeds_before)
        averaged = before.averaged
        if averaged is None:
            averaged = averaged_features(graph, self.features, seeds)
        return self._completed(graph, seeds, self._gathered(graph, seeds, columns, solves, averaged))

    def spread_at_a_glance(self, graph: Graph, seeds: Seeds, before: Spread, seeds_before: Seeds) -> Spread | None:
        """Spread other labels by the evidence that there is, where it would have to be gathered anew.

        Of a class that is new, labels drawn again know nothing yet.
        """
        assert seeds.classes is not None
        if not (isinstance(before, WeighedSpread) and _columns_serve(before, graph, seeds)):
            return None
        same = _same_classes(seeds, seeds_before)
        if gathered_quickly(graph, seeds) or (same and before.holds_for(graph, seeds, seeds_before)):
            return None
        assert seeds_before.classes is not None
        columns, solves = self._columns_again(graph, seeds, before, seeds_before)
        known = before.redrawn.for_classes(seeds_before.classes, seeds.classes)
        last = replace(before, redrawn=known, gathered=0, solved=before.solved if same else None)
        return self._taken_over(graph, seeds, columns, solves, last, seeds_before)

    def _columns_again(
        self, graph: Graph, seeds: Seeds, before: WeighedSpread, seeds_before: Seeds
    ) -> tuple[Columns, tuple[Solution, ...]]:
        assert before.columns is not None
        columns, solution = columns_again(graph, seeds.indices, seeds_before.indices, before.columns, damping=DAMPING)
        return columns, before.solves if solution is None else (solution,)

    def _taken_over(
        self,
        graph: Graph,
        seeds: Seeds,
        columns: Columns,
        solves: tuple[Solution, ...],
        before: WeighedSpread,
        seeds_before: Seeds,
    ) -> WeighedSpread:
        """Join the contenders by the weights that they had."""
        given = Problem(graph, _of_one_size(seeds), columns)
        told = {each.name: each for each in before.chosen}
        asked = [each for each in [*self._contenders(seeds, before.averaged), EqualSizes()] if each.name in told]
        contenders = [each for each in asked if told[each.name].weight >= HARDLY_ANY] or asked
        learning = [each for each in contenders if isinstance(each, Interface)]
        solved = solved_terms(given, learning, before.solved) if learning else None
        weigher, rows = Weigher(given), np.zeros((graph.n_nodes, seeds.targets.shape[1]))
        total = sum(told[each.name].weight for each in contenders)
        for contender in contenders:
            its, known = told[contender.name], None if solved is None else solved.scores(graph, contender.name)
            scores = contender.scores([given])[0] if known is None else known
            rows += its.weight / total * weigher.rows(scores, its.sharpness)
        before = replace(before, solves=solves, columns=columns, solved=solved)
        return self._joined(graph, seeds, rows, before, seeds_before)

    def _joined(
        self, graph: Graph, seeds: Seeds, rows: NDArray[np.floating[Any]], before: WeighedSpread, seeds_before: Seeds
    ) -> WeighedSpread:
        """Return an answer of other distributions by the evidence that there is."""
        new = reach_of(graph, seeds).nodes & ~reach_of(graph, seeds_before).nodes
        redrawn = before.redrawn.with_rows(new, rows) if new.any() else before.redrawn
        found = replace(
            before,
            redrawn=redrawn,
            scores=logarithms(rows) + _log_shares(seeds),
            beyond=self._beyond(graph, seeds, before.chosen),
        )
        return self._completed(graph, seeds, found)

    def _beyond(self, graph: Graph, seeds: Seeds, chosen: Sequence[Evidence]) -> NDArray[np.float64] | None:
        """Return what features alone say, as far as they are to be trusted, and the prior otherwise."""
        far = ~reach_of(graph, seeds).nodes
        if self.features is None or not far.any():
            return None
        trust = next(each.returned * each.kept for each in chosen if each.name == Linear.name)
        return np.asarray(trust * doubtful_probabilities(self.features, seeds, far) + (1.0 - trust) * seeds.prior)

    def _contenders(self, seeds: Seeds, averaged: Averaged) -> list[Contender]:
        found: list[Contender] = [
            Interface(BALLS, "balls", by_labels=True),
            Interface("interface-laplace, every node", "all", by_labels=False),
            Sources(),
        ]
        if has_enough_for_laplace(seeds):
            found.append(Harmonic())
        if self.features is not None:
            found += [Linear(self.features), AveragedLinear(self.features, averaged)]
        return found


def _fit_a_table(graph: Graph, seeds: Seeds) -> bool:
    """Tell whether a table of Green's columns has room for the labels."""
    return graph.n_nodes * seeds.size <= TABLE_ENTRIES


def _columns_serve(before: WeighedSpread, graph: Graph, seeds: Seeds) -> bool:
    """Tell whether the Green's columns of an answer are of use for other labels."""
    few = seeds.size < graph.n_nodes and not are_many(seeds) and _fit_a_table(graph, seeds)
    return few and before.columns is not None


def _evidence_serves(before: WeighedSpread, graph: Graph, seeds: Seeds, seeds_before: Seeds) -> bool:
    """Tell whether the weights of an answer to many labels may be taken over for others."""
    of_many = before.columns is None and are_many(seeds) and seeds.size < graph.n_nodes
    return of_many and _same_classes(seeds, seeds_before) and before.holds_for(graph, seeds, seeds_before)


def _same_classes(one: Seeds, other: Seeds) -> bool:
    return np.array_equal(np.asarray(one.classes), np.asarray(other.classes))


def _of_one_size(seeds: Seeds) -> Seeds:
    """Return labels that count as if the classes were of one size where a prior is known: contenders do not see it."""
    if (seeds.class_weights == 1.0).all():
        return seeds
    shares = seeds.targets.mean(axis=0)
    prior = (shares > 0) / np.count_nonzero(shares)
    weights = np.divide(prior, shares, out=np.zeros_like(shares), where=shares > 0)
    return replace(seeds, prior=prior, class_weights=weights)


def _log_shares(seeds: Seeds) -> NDArray[np.float64]:
    """Return what a known prior adds to the logarithms: that of each class's share, times the number of classes."""
    if (seeds.class_weights == 1.0).all():
        return np.zeros(seeds.prior.size)
    return np.asarray(np.log(np.maximum(seeds.prior * np.count_nonzero(seeds.prior), 1e-12)))
