"""Solving again: of what was solved before on the same graph only the change is solved for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.graph import Graph
from fewlabels.green import green, green_columns, some_columns
from fewlabels.solvers import Solution, Solver

__all__ = ["columns_again", "green_again"]

Block = NDArray[np.floating[Any]]

ROUGHEST_TOL = 0.5
"""However small a change is, its solve leaves no more than this of it."""


def columns_again(
    graph: Graph,
    nodes: NDArray[np.int64],
    known: NDArray[np.int64],
    columns: NDArray[np.floating[Any]],
    solver: Solver | None = None,
    *,
    damping: float = 0.0,
) -> tuple[NDArray[np.floating[Any]], Solution | None]:
    """Return the Green's columns of some nodes, those of the `known` ones taken over, and the solve for the others.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(2), 1) + np.diag(np.ones(2), -1))
    >>> both = green_columns(path, np.array([0, 2])).value
    >>> found, solve = columns_again(path, np.array([2, 0]), np.array([0, 2]), both)
    >>> bool((found == both[:, ::-1]).all()), solve
    (True, None)
    """
    if known.size == 0:
        new = green_columns(graph, nodes, solver, damping=damping, single=columns.dtype == np.float32)
        return new.value, new
    place = {node: column for column, node in enumerate(known.tolist())}
    places = np.array([place.get(node, 0) for node in nodes.tolist()], dtype=np.int64)
    G, added = some_columns(columns, places), ~np.isin(nodes, known)
    if not added.any():
        return G, None
    new = green_columns(graph, nodes[added], solver, damping=damping, single=columns.dtype == np.float32)
    G[:, added] = new.value
    return G, new


def green_again(
    graph: Graph,
    B: Block,
    before: tuple[Block, Block] | None,
    solver: Solver | None = None,
    *,
    tol: float,
    damping: float = 0.0,
) -> Solution:
    """Return H B from sources and their solution `before`: the change is solved for, the less exactly the smaller.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(2), 1) + np.diag(np.ones(2), -1))
    >>> B = np.array([[1.0], [0.0], [-1.0]])
    >>> X = green(path, B).value
    >>> green_again(path, 2 * B, (B, X), tol=1e-6).value.round(6).ravel().tolist()
    [2.0, 0.0, -2.0]
    """
    if before is None or before[0].shape != B.shape:
        return green(graph, B, solver, tol=tol, damping=damping)
    change = B - before[0]
    found = green(graph, change, solver, tol=min(ROUGHEST_TOL, tol * _times_smaller(change, B)), damping=damping)
    return replace(found, value=found.value + before[1])


def _times_smaller(part: Block, whole: Block) -> float:
    """Return how many times smaller a part is, in steps of a fourth root of two: so much less exactly it is solved."""
    size, of = float(np.linalg.norm(part)), float(np.linalg.norm(whole))
    return float(np.exp2(np.floor(4.0 * np.log2(of / size)) / 4.0)) if 0 < size < of else 1.0
