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

__all__ = ["TABLE_ENTRIES", "columns_of", "split", "spread_in_groups"]

S = TypeVar("S", bound=Spread)

TABLE_ENTRIES = 30_000_000
"""Nodes times labels above which the Green's columns are not kept but multiplied, or done without."""

COLUMNS_TOGETHER = 32
"""Columns of several problems that are solved in one block; wider ones leave the cache."""

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
    for group in _together(graph, problems):
        for seeds in group:
            seeds.check_fits(graph.n_nodes)
        if graph.n_nodes * group[0].size > TABLE_ENTRIES:
            found.append(alone(graph, group[0]))
        else:
            found += grouped(graph, group)
    return found


def _together(graph: Graph, problems: Sequence[Seeds]) -> Iterator[Sequence[Seeds]]:
    """Yield the problems in groups whose columns are solved together; one with too many labels for a table is alone."""
    start = 0
    while start < len(problems):
        size, stop = problems[start].size, start + 1
        most = max(COLUMNS_TOGETHER, size)
        while stop < len(problems) and size + problems[stop].size <= most and graph.n_nodes * size <= TABLE_ENTRIES:
            size += problems[stop].size
            stop += 1
        yield problems[start:stop]
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
