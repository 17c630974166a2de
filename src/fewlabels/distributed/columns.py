"""Green's columns in blocks, and what is learned from them: balls around the labels, the interface, its term."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.distributed.right_sides import Labelled, Sources, sums_over
from fewlabels.distributed.rows import BlockGraph
from fewlabels.distributed.scratch import load, load_rows, save
from fewlabels.distributed.solving import ClusterSolver, Solved
from fewlabels.distributed.stages import Found, Made, Stages
from fewlabels.interface.regions import SHARE, TIE
from fewlabels.solvers import USUAL_TOL

__all__ = ["ROWS_AT_ONCE", "Balls", "Columns", "balls_around", "gram_of", "green_columns_of", "in_parts", "term_of"]

ROWS_AT_ONCE = 2**13
"""Rows of a block that are worked on together; what is made of them on the way stays in a core's cache."""

DIGITS = ((21, 2**11), (10, 2**11), (0, 2**10))
"""The bits of a number in single precision, in three parts: how far right each lies, and how many values it has."""

Array = NDArray[Any]


@dataclass(frozen=True)
class Columns:
    """Some columns in blocks, solved in several parts; each part less the mean of every component."""

    graph: BlockGraph
    labelled: Labelled
    parts: tuple[Solved, ...]

    @property
    def width(self) -> int:
        """The number of columns."""
        return sum(part.width for part in self.parts)

    def raw(self, place: int) -> Iterator[tuple[slice, Array, Array]]:
        """Yield some rows of a block at a time: which, their component, and the columns as they were solved for."""
        component = load(self.labelled.folder / f"component-{place}.npy")
        for start in range(0, self.graph.size(place), ROWS_AT_ONCE):
            some = slice(start, min(start + ROWS_AT_ONCE, self.graph.size(place)))
            rows = [load_rows(part.folder / f"x-{place}.npy", some.start, some.stop) for part in self.parts]
            yield some, component[some], np.hstack(rows)

    def rows(self, place: int, *, plain: bool = False) -> Iterator[tuple[slice, Array, Array]]:
        """Yield the same with zero mean over components, by degree or plain; zero where no label reaches."""
        means = np.hstack([part.plain if plain else part.by_degree for part in self.parts])
        means = np.vstack([means, np.zeros((1, self.width))])
        for some, component, raw in self.raw(place):
            found = raw - means[component]
            found[component == self.labelled.count] = 0.0
            yield some, component, found

    def at(self, nodes: NDArray[np.int64], component: NDArray[np.int64], *, plain: bool = False) -> Array:
        """Return the rows of a few nodes, whose components are given."""
        means = np.hstack([part.plain if plain else part.by_degree for part in self.parts])
        blocks = np.searchsorted(self.graph.starts, nodes, side="right") - 1
        found = np.empty((nodes.size, self.width))
        for at, (node, block) in enumerate(zip(nodes.tolist(), blocks.tolist(), strict=True)):
            row = node - self.graph.starts[block]
            parts = [load_rows(part.folder / f"x-{block}.npy", row, row + 1)[0] for part in self.parts]
            found[at] = np.concatenate(parts) - means[component[at]]
        return found


def green_columns_of(
    solver: ClusterSolver, nodes: NDArray[np.int64], component: NDArray[np.int64], what: str = "columns"
) -> Columns:
    """Return the Green's columns H J E of some nodes, as many at a time as there is room for."""
    count = solver.system.labelled.count
    parts = []
    for some in in_parts(nodes.size, solver.width()):
        here, width = nodes[some], some.stop - some.start
        even = np.zeros((count, width))
        even[component[some], np.arange(width)] = 1.0 / solver.sizes[component[some]]
        sources = Sources(width, here, np.arange(width), np.ones(width), even, np.zeros((count, width)))
        parts.append(solver.solve(sources, USUAL_TOL, what))
    return Columns(solver.system.graph, solver.system.labelled, tuple(parts))


def in_parts(count: int, most: int) -> list[slice]:
    """Cut so many columns into parts of about one width.

    Examples
    --------
    >>> in_parts(5, 2)
    [slice(0, 1, None), slice(1, 3, None), slice(3, 5, None)]
    """
    parts = max(1, -(-count // most))
    return [slice(count * place // parts, count * (place + 1) // parts) for place in range(parts)]


def _in_order(values: NDArray[np.float32]) -> NDArray[np.uint32]:
    """Return whole numbers that sort as the numbers in single precision do.

    Examples
    --------
    >>> _in_order(np.array([-1.0, -0.5, 0.0, 2.0], dtype=np.float32)).argsort().tolist()
    [0, 1, 2, 3]
    """
    bits = np.ascontiguousarray(values, dtype=np.float32).view(np.uint32)
    return np.where(bits >> 31, ~bits, bits | np.uint32(0x80000000))


def _from_order(numbers: NDArray[np.uint32]) -> NDArray[np.float32]:
    back = np.where(numbers >> 31, numbers & np.uint32(0x7FFFFFFF), ~numbers).astype(np.uint32)
    return back.view(np.float32)


@dataclass(frozen=True)
class Balls:
    """The value from which on a node is in the ball of each label, as solved for, and whether the rim is in it."""

    component: Array
    rims: Array
    inside: Array

    def beyond(self, place: int, some: slice, component: Array, raw: Array) -> NDArray[np.bool_]:
        """Tell which of some rows of a block are in no ball."""
        balls = np.where(self.inside, raw >= self.rims, raw > self.rims) & (component[:, None] == self.component)
        return np.asarray(~balls.any(axis=1))


def balls_around(
    stages: Stages, columns: Columns, component: NDArray[np.int64], weights: NDArray[np.float64], sizes: Array
) -> Balls:
    """Return the balls around the labels.

    They are as in :func:`fewlabels.interface.regions.outside_balls`. The value at the rim is found digit by digit.
    """
    graph = columns.graph
    total = np.zeros(columns.labelled.count)
    np.add.at(total, component, weights)
    wanted = ((1.0 - SHARE) * sizes[component] * weights / total[component] + 1e-9).astype(np.int64)
    prefix, left = np.zeros(component.size, dtype=np.int64), np.maximum(wanted, 1)
    low, high = np.full(component.size, np.inf), np.full(component.size, -np.inf)
    for shift, values in DIGITS:
        made = stages.run("balls", _counts, graph.count, columns, component, prefix, shift, values)
        low, high = np.min([low, *made.all("low")], axis=0), np.max([high, *made.all("high")], axis=0)
        above = np.cumsum(made.sum("counts")[:, ::-1], axis=1)
        from_top = (above < left[:, None]).sum(axis=1)
        before = np.where(from_top > 0, above[np.arange(len(above)), np.maximum(from_top, 1) - 1], 0)
        left, prefix = left - before, prefix * values + (values - 1 - from_top)
    rim, slack = _from_order(prefix.astype(np.uint32)).astype(np.float64), TIE * (high - low)
    inside = stages.run("balls", _at_least, graph.count, columns, component, rim - slack).sum("counts") <= wanted
    rim = np.where(inside, rim - slack, rim + slack)
    return Balls(component, np.where(wanted > 0, rim, np.inf), inside)


def _counts(
    folder: Path, place: int, columns: Columns, component: Array, prefix: Array, shift: int, values: int
) -> Found:
    """Count the next digit of those values of each column whose digits so far are as given; tell their range."""
    counts = np.zeros((component.size, values), dtype=np.int64)
    low, high = np.full(component.size, np.inf), np.full(component.size, -np.inf)
    for _, mine, raw in columns.raw(place):
        by_column, members = np.ascontiguousarray(raw.T), _members(mine, component)
        for column, own in enumerate(component.tolist()):
            some = by_column[column] if members[own] is None else by_column[column][members[own]]
            if not some.size:
                continue
            digits = _in_order(some) >> np.uint32(shift)
            if (1 << 32) > values << shift:
                digits = digits[digits // np.uint32(values) == prefix[column]]
            counts[column] += np.bincount(digits % np.uint32(values), minlength=values)
            low[column], high[column] = min(low[column], some.min()), max(high[column], some.max())
    return {"counts": counts, "low": low, "high": high}


def _members(mine: Array, component: Array) -> dict[int, Array | None]:
    """Return which rows are in each component; None where all are."""
    found = {own: mine == own for own in np.unique(component).tolist()}
    return {own: None if here.all() else here for own, here in found.items()}


def _at_least(folder: Path, place: int, columns: Columns, component: Array, rim: Array) -> Found:
    counts = np.zeros(component.size, dtype=np.int64)
    for _, mine, raw in columns.raw(place):
        counts += ((raw >= rim) & (mine[:, None] == component)).sum(axis=0)
    return {"counts": counts}


def gram_of(stages: Stages, columns: Columns, region: Any) -> Made:
    """Write which nodes are the interface; tell K, the columns' squares and the interface's size in components.

    `region` tells which nodes lie beyond the labels: :class:`Balls`, or the shells of hops.py.
    """
    return stages.run("interface", _interface, columns.graph.count, columns, region)


def _interface(folder: Path, place: int, columns: Columns, region: Any) -> Found:
    m, count = columns.width, columns.labelled.count
    K, squares, sizes = np.zeros((m, m)), np.zeros(m), np.zeros(count, dtype=np.int64)
    interface = np.zeros(columns.graph.size(place), dtype=bool)
    for (some, mine, raw), (_, _, G) in zip(columns.raw(place), columns.rows(place), strict=True):
        chosen = region.beyond(place, some, mine, raw) & (mine < count)
        interface[some] = chosen
        K += G[chosen].T @ G[chosen]
        squares += np.einsum("ij,ij->j", G, G)
        sizes += np.bincount(mine[chosen], minlength=count)
    save(folder / f"interface-{place}.npy", interface)
    return {"K": K, "squares": squares, "sizes": sizes}


def term_of(stages: Stages, columns: Columns, interface: Path, coefficients: Array) -> Made:
    """Write f = G alpha on the interface, zero elsewhere; tell its sums over components."""
    return stages.run("term", _term, columns.graph.count, columns, interface, coefficients)


def _term(folder: Path, place: int, columns: Columns, interface: Path, coefficients: Array) -> Found:
    chosen, count = load(interface / f"interface-{place}.npy"), columns.labelled.count
    f = np.zeros((chosen.size, coefficients.shape[1]), dtype=np.float32)
    sums = np.zeros((count, coefficients.shape[1]))
    for some, mine, G in columns.rows(place):
        f[some] = np.where(chosen[some, None], G @ coefficients, 0.0)
        sums += sums_over(mine, f[some], count)
    save(folder / f"term-{place}.npy", f)
    return {"sums": sums}
