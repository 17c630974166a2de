"""Marks: a random number for every node that stays with it when rows come in another order.

It is made from the node's degree and those of its neighbours, so what is chosen at random by it (labels that are drawn
again, points that may be asked about) is the same choice of points however the rows of a file are sorted. Other values
of `random_state` give other choices, likewise.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.kept import Key

__all__ = ["marks_of_draw", "mixed", "order_by_mark", "own_marks", "seed_of", "with_random_state"]

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


def with_random_state(graph: Graph, random_state: int) -> Graph:
    """Return the same graph with other random numbers at its nodes; 0 is what every graph begins with."""
    if random_state == graph.random_state:
        return graph
    return Graph(graph.weights, graph.lengths, random_state)


def seed_of(random_state: Any) -> int:
    """Return a whole number for what scikit-learn takes as `random_state`; None is 0, so that every fit repeats.

    Examples
    --------
    >>> seed_of(None), seed_of(7), seed_of(np.random.RandomState(0)) == seed_of(np.random.RandomState(0))
    (0, 7, True)
    """
    if random_state is None:
        return 0
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    if not isinstance(random_state, (int, np.integer)) or not 0 <= random_state < 2**32:
        raise FewlabelsError(
            f"random_state={random_state!r} must be None, a whole number from 0 to 2**32 - 1, or a RandomState."
        )
    return int(random_state)


def _marks(graph: Graph) -> NDArray[np.uint64]:
    def made() -> NDArray[np.uint64]:
        own = own_marks(graph.degrees)
        marks = mixed(own + graph.sums_over_neighbors(mixed(own)))
        if graph.random_state == 0:
            return marks
        return mixed(marks ^ mixed(np.array([graph.random_state], dtype=np.uint64)))

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
