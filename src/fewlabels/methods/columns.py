"""Green's columns of the labels, H E: solved together for several draws, and shared by the methods that use them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from fewlabels.graph import Graph
from fewlabels.labels import Seeds
from fewlabels.methods.base import Spread, green, impulses
from fewlabels.operators import laplacian_of
from fewlabels.solvers import Solution, Solver

__all__ = ["TABLE_ENTRIES", "columns_of", "in_blocks", "split", "spread_in_groups"]

S = TypeVar("S", bound=Spread)

TABLE_ENTRIES = 30_000_000
"""Nodes times labels above which the Green's columns are not kept but multiplied, or done without."""

COLUMNS_TOGETHER = 40
"""Columns of several problems that are solved in one block, as of four of ten classes; wider ones leave the cache."""

KEPT_ENTRIES = 15_000_000
"""Entries of Green's columns that are kept while several methods run on the same draws."""


def spread_in_groups(
    graph: Graph,
    problems: Sequence[Seeds],
    alone: Callable[[Graph, Seeds], S],
    grouped: Callable[[Graph, Sequence[Seeds]], list[S]],
) -> list[S]:
    """Spread problems in groups whose columns are solved together, and those without room for a table alone."""
    found: list[S] = []
    most = min(COLUMNS_TOGETHER, TABLE_ENTRIES // graph.n_nodes)
    for block in in_blocks([seeds.size for seeds in problems], most):
        group = problems[block]
        for seeds in group:
            seeds.check_fits(graph.n_nodes)
        if graph.n_nodes * group[0].size > TABLE_ENTRIES:
            found.append(alone(graph, group[0]))
        else:
            found += grouped(graph, group)
    return found


def in_blocks(widths: Sequence[int], most: int = COLUMNS_TOGETHER) -> Iterator[slice]:
    """Yield places in a row of blocks of these widths that are solved together; one that is wide by itself is alone.

    Examples
    --------
    >>> list(in_blocks([10, 10, 10, 10, 50], 32))
    [slice(0, 3, None), slice(3, 4, None), slice(4, 5, None)]
    """
    start = 0
    while start < len(widths):
        stop, total = start + 1, widths[start]
        while stop < len(widths) and total + widths[stop] <= most:
            total += widths[stop]
            stop += 1
        yield slice(start, stop)
        start = stop


def columns_of(graph: Graph, solver: Solver, group: Sequence[Seeds]) -> Solution:
    """Return the Green's columns of some sets of labels; those of the last few are kept for the next method."""
    kept: dict[Any, Solution] = graph.memo.setdefault("columns", {})
    key = (solver, *(seeds.indices.tobytes() for seeds in group))
    if key in kept:
        return kept[key]
    E = np.hstack([impulses(graph, seeds) for seeds in group])
    columns = green(graph, solver, laplacian_of(graph).centre(E))
    while kept and sum(each.value.size for each in kept.values()) + E.size > KEPT_ENTRIES:
        kept.pop(next(iter(kept)))
    if E.size <= KEPT_ENTRIES:
        kept[key] = columns
    return columns


def split(columns: Solution, group: Sequence[Seeds]) -> list[NDArray[np.float64]]:
    """Return every problem's own columns."""
    return np.split(columns.value, np.cumsum([seeds.size for seeds in group])[:-1], axis=1)
