"""Method: parameters in, scores for every node out; and what all methods owe to nodes and classes without labels."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Self, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.kept import ReadOnlyArrays
from fewlabels.labels import Seeds
from fewlabels.reach import Reach, reach_of
from fewlabels.solvers import Solution

__all__ = ["Method", "Spread", "refuse_below"]

Block = NDArray[np.float64]
S = TypeVar("S", bound="Spread")


@dataclass(frozen=True, eq=False, repr=False)
class Spread(ReadOnlyArrays):
    """Labels spread over a graph; its arrays are read-only.

    Attributes
    ----------
    scores : ndarray, shape (n, c)
        The larger, the more a node belongs to the class; for regression, one column of values.
    solves : tuple of Solution
        Every linear solve on the way, with its status, steps and residual.
    """

    scores: Block
    solves: tuple[Solution, ...]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.scores.shape[0]:,} nodes, {'; '.join(map(str, self.solves))})"


class Method(ABC):
    """A way to spread labels. Subclasses are dataclasses whose fields are the parameters."""

    def scores(self, graph: Graph, seeds: Seeds) -> Block:
        """Return the scores of every node, shape (nodes, classes), always finite.

        A class without a label in a node's component scores below all that have one. A node that no label can reach
        scores the class prior (for regression, the mean of the labels).
        """
        return self.spread(graph, seeds).scores

    def spread(self, graph: Graph, seeds: Seeds) -> Spread:
        """Return the scores and what was found on the way to them."""
        seeds.check_fits(graph.n_nodes)
        return self._completed(graph, seeds, self._spread(graph, seeds))

    def spread_many(self, graph: Graph, problems: Sequence[Seeds]) -> Sequence[Spread]:
        """Spread several sets of labels over one graph, one after the other where a method has no better way."""
        return [self.spread(graph, seeds) for seeds in problems]

    def spread_again(self, graph: Graph, seeds: Seeds, before: Spread, seeds_before: Seeds) -> Spread:
        """Spread labels of which some were spread before, from the start where a method has no better way."""
        return self.spread(graph, seeds)

    def spread_at_a_glance(self, graph: Graph, seeds: Seeds, before: Spread, seeds_before: Seeds) -> Spread | None:
        """Spread labels more roughly than :meth:`spread_again`, where that takes longer; None where it does not."""
        return None

    def with_features(self, X: Any) -> Self:
        """Return the method as it is to be used on a graph of the rows of `X`; most need the graph alone."""
        return self

    @abstractmethod
    def _spread(self, graph: Graph, seeds: Seeds) -> Spread:
        """Return scores as the method's formula gives them, each component on its own."""

    def _completed(self, graph: Graph, seeds: Seeds, raw: S) -> S:
        """Give nodes and classes without labels what all methods owe them."""
        reach = reach_of(graph, seeds)
        scores = (
            _with_values(raw.scores, seeds, reach) if seeds.is_regression else _with_classes(raw.scores, seeds, reach)
        )
        if not np.isfinite(scores).all():
            raise FewlabelsError("the solve overflowed; bring the edge weights closer together.")
        return replace(raw, scores=scores)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name, as scikit-learn's tools ask for them."""
        return {field.name: getattr(self, field.name) for field in fields(cast(Any, self))}

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name, as scikit-learn's tools do."""
        known = self.get_params()
        for name, value in params.items():
            if name not in known:
                raise FewlabelsError(f"{type(self).__name__} has no parameter {name!r}; it has {', '.join(known)}.")
            setattr(self, name, value)
        return self


def refuse_below(least: int, **numbers: object) -> None:
    """Refuse parameters that are no whole numbers of at least `least`."""
    for name, value in numbers.items():
        if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value < least:
            raise FewlabelsError(f"{name}={value!r} must be a whole number of at least {least}.")


def _with_values(scores: Block, seeds: Seeds, reach: Reach) -> Block:
    return np.where(reach.nodes[:, None], scores, seeds.targets.mean())


def _with_classes(scores: Block, seeds: Seeds, reach: Reach) -> Block:
    """Lower classes that have no label in a component below those that have, and give unreached nodes the prior."""
    if reach.is_complete:
        return scores
    possible = reach.possible
    lowest = np.where(possible, scores, np.inf)
    highest = np.where(possible, scores, -np.inf)
    low, high = np.full(reach.columns.shape[0], np.inf), np.full(reach.columns.shape[0], -np.inf)
    np.minimum.at(low, reach.components, lowest.min(axis=1))
    np.maximum.at(high, reach.components, highest.max(axis=1))
    labelled = reach.columns.any(axis=1)
    floor = np.zeros_like(low)
    floor[labelled] = 2 * low[labelled] - high[labelled] - 1.0
    known = np.where(possible, scores, floor[reach.components][:, None])
    return np.where(reach.nodes[:, None], known, seeds.prior)
