"""Components side by side: each gets a square as large as it has points, and no two squares overlap."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["Packing", "packed_squares"]

MOST_APART = 100
"""Components that get a square of their own size; the others share a grid of equal squares."""

FILLED = 0.94
"""How much of its square's side a component takes; the rest is the gap to its neighbours."""

HEIGHTS = (1.0, 1.1, 1.25, 1.5)
"""Heights that are tried, in sides of a square of the same area; the best is the one that is least wide or high."""


NOTHING = 1e-9
"""Overlaps up to this are rounding errors; the smallest square has side one."""


class Packing:
    """Squares for the components of a graph, found once, so that a map that gets better does not jump.

    The largest components have a square each, the other ones a grid of equal squares, nodes without an edge another
    grid in the order of their numbers.

    Parameters
    ----------
    component : ndarray of int, shape (n,)

    Examples
    --------
    >>> Packing(np.array([0, 0, 1])).packed(np.array([[0.0, 0], [5, 5], [3, 3]])).tolist()[-1][0]
    1.0
    """

    def __init__(self, component: NDArray[np.int64]) -> None:
        counts = np.bincount(component)
        self._component = component
        self._order = np.argsort(component, kind="stable")
        self._starts = np.cumsum(counts) - counts
        largest = np.argsort(-counts, kind="stable")
        several = int((counts > 1).sum())
        apart, few, single = np.split(largest, [min(MOST_APART, several), several])
        blocks = [(numbers, *_grid(counts[numbers])) for numbers in (few, single) if numbers.size]
        sides = np.concatenate([np.sqrt(counts[apart]), [side for _, _, _, side in blocks]])
        corners = packed_squares(sides)
        self._side = np.empty(counts.size)
        self._centre = np.empty((counts.size, 2))
        self._side[apart] = sides[: apart.size]
        self._centre[apart] = corners[: apart.size] + sides[: apart.size, None] / 2
        for (numbers, cells, cell, _), corner in zip(blocks, corners[apart.size :], strict=True):
            self._side[numbers] = cell
            self._centre[numbers] = corner + cells * cell + cell / 2

    def packed(self, places: NDArray[np.floating]) -> NDArray[np.float32]:
        """Return the places with every component in its square, scaled to [-1, 1]."""
        along = np.asarray(places, dtype=np.float64)[self._order]
        low = np.minimum.reduceat(along, self._starts)
        high = np.maximum.reduceat(along, self._starts)
        extent = (high - low).max(axis=1)
        scale = np.divide(FILLED * self._side, extent, out=np.zeros_like(extent), where=extent > 0)
        own = self._component
        found = (places - ((low + high) / 2)[own]) * scale[own, None] + self._centre[own]
        found -= (found.min(axis=0) + found.max(axis=0)) / 2
        largest = abs(found).max()
        return np.asarray(np.clip(found / (largest if largest > 0 else 1.0), -1, 1), dtype=np.float32)


def packed_squares(sides: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a corner for each square, so that none overlap and all together fill about a square.

    Examples
    --------
    >>> packed_squares(np.array([2.0, 1.0, 1.0])).tolist()
    [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0]]
    """
    whole = float(np.sqrt((sides**2).sum()))
    tried = [_on_strip(sides, max(height * whole, sides.max())) for height in HEIGHTS]
    return min(tried, key=lambda corners: float((corners + sides[:, None]).max()))


def _grid(counts: NDArray[np.int64]) -> tuple[NDArray[np.int64], float, float]:
    """Return column and row of each component in a grid, the side of its cells and its own."""
    columns = int(np.ceil(np.sqrt(counts.size)))
    cell = float(np.sqrt(counts.max()))
    cells = np.arange(counts.size)
    return np.column_stack([cells % columns, cells // columns]), cell, columns * cell


def _on_strip(sides: NDArray[np.float64], height: float) -> NDArray[np.float64]:
    """Push squares one by one into a strip from its right, large ones first: each as far left as it goes, then low."""
    corners = np.empty((sides.size, 2))
    low, high, right = np.empty((3, 0))
    for square in np.argsort(-sides, kind="stable"):
        side = sides[square]
        starts = np.unique(np.concatenate([[0.0], low, high]))
        starts = starts[starts + side <= height + NOTHING]
        in_the_way = (low < starts[:, None] + side - NOTHING) & (high > starts[:, None] + NOTHING)
        lefts = np.where(in_the_way, right, 0.0).max(axis=1, initial=0.0)
        best = int(lefts.argmin())
        corners[square] = lefts[best], starts[best]
        low, high = np.append(low, starts[best]), np.append(high, starts[best] + side)
        right = np.append(right, lefts[best] + side)
    return corners
