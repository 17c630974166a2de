"""Marks: a random number for every node that stays with it when rows come in another order.

It is made from the node's degree and those of its neighbours, so what is chosen at random by it (labels that are drawn
again, points that may be asked about) is the same choice of points however the rows of a file are sorted.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fewlabels.graph import Graph
from fewlabels.kept import Key

__all__ = ["marks_of_draw", "mixed", "order_by_mark", "own_marks"]

DIGITS = 1e3
"""Degrees count up to one part in so many: more would be the rounding errors of single precision."""

STEP = np.uint64(0x9E3779B97F4A7C15)

MARKS = Key[NDArray[np.uint64]]("marks")
ORDER = Key[NDArray[np.int64]]("order by mark")


def order_by_mark(graph: Graph, which: int) -> NDArray[np.int64]:
    """Return the nodes in a random order, one of many; the same nodes come first however they are numbered.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.arange(1.0, 5.0), 1) + np.diag(np.arange(1.0, 5.0), -1))
    >>> back = Graph.from_weights(path.weights.toarray()[::-1, ::-1])
    >>> (order_by_mark(path, 3) == 4 - order_by_mark(back, 3)).tolist()
    [True, True, True, True, True]
    """

    def ordered() -> NDArray[np.int64]:
        return np.argsort(marks_of_draw(_marks(graph), which), kind="stable")

    return graph.kept.get(ORDER, ordered, which)


def _marks(graph: Graph) -> NDArray[np.uint64]:
    def made() -> NDArray[np.uint64]:
        own = own_marks(graph.degrees)
        return mixed(own + graph.sums_over_neighbors(mixed(own)))

    return graph.kept.get(MARKS, made)


def own_marks(degrees: NDArray[np.float64]) -> NDArray[np.uint64]:
    """Return what nodes of these degrees add to the marks of their neighbours and their own."""
    logarithms = np.log(np.where(degrees > 0, degrees, 1.0))
    return mixed(np.round(logarithms * DIGITS).astype(np.int64).view(np.uint64))


def marks_of_draw(marks: NDArray[np.uint64], which: int) -> NDArray[np.uint64]:
    """Return the numbers that sort nodes into one of many random orders."""
    with np.errstate(over="ignore"):
        return mixed(marks + STEP * np.uint64(which))


def mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return numbers whose every bit depends on all bits of the given ones (SplitMix64)."""
    with np.errstate(over="ignore"):
        z = numbers + STEP
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return np.asarray(z ^ (z >> np.uint64(31)))
