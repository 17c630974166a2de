"""Several problems on one graph, taken in groups whose columns are solved together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from fewlabels.graph import Graph
from fewlabels.green import TABLE_ENTRIES
from fewlabels.labels import Seeds
from fewlabels.solvers import columns_at_once

__all__ = ["in_blocks", "spread_in_groups"]

T = TypeVar("T")

COLUMNS_TOGETHER = 40
"""Columns of several problems that are solved in one block, as of four of ten classes; wider ones leave the cache."""


def spread_in_groups(
    graph: Graph,
    problems: Sequence[Seeds],
    alone: Callable[[Graph, Seeds], T],
    grouped: Callable[[Graph, Sequence[Seeds]], Sequence[T]],
) -> list[T]:
    """Return what comes of each problem: in groups, or alone where there is no room for a table of its columns."""
    found: list[T] = []
    most = min(COLUMNS_TOGETHER, TABLE_ENTRIES // graph.n_nodes, columns_at_once(graph.n_nodes))
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
