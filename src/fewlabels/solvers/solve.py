"""The one door to a solution: every system, every solver, every block of columns goes through here."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from fewlabels.errors import SolveWarning
from fewlabels.progress import track
from fewlabels.solvers.auto import Auto
from fewlabels.solvers.base import CONVERGED, STOPPED, TRUNCATED, Solution, Solver, joined
from fewlabels.systems import Block, System, WalkSystem

__all__ = ["columns_at_once", "solve", "solve_parts"]

COLUMNS_AT_ONCE = 64
"""Wider blocks save no time and cost the iterative solvers several copies each."""

ENTRIES_AT_ONCE = 20_000_000
"""Rows times columns of a block on large systems, which a few columns keep busy: the memory of a solve is a few of
these, however many columns there are."""

MISSED = 10.0
"""A residual so many times above the tolerance is told."""


def solve(system: System | WalkSystem, B: Block, solver: Solver | None = None, *, tol: float | None = None) -> Solution:
    """Solve A X = B; what the solver prepares is kept with the system.

    Parameters
    ----------
    system : System
    B : ndarray, shape (n, columns)
        What of it has no solution is left out. In single precision, so is the value.
    solver : Solver, optional
        By default what suits the system.
    tol : float, optional
        The relative residual to reach, unless the solver has its own.

    Examples
    --------
    >>> from fewlabels import Graph
    >>> from fewlabels.systems import laplacian_of
    >>> path = Graph.from_weights(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]))
    >>> solve(laplacian_of(path), np.array([[1.0], [0.0], [-1.0]])).value.round(6).ravel().tolist()
    [1.0, 0.0, -1.0]
    """
    return solve_parts(system, B.shape, lambda some: B[:, some], solver, tol=tol)


def solve_parts(
    system: System | WalkSystem,
    shape: tuple[int, ...],
    part: Callable[[slice], Block],
    solver: Solver | None = None,
    *,
    tol: float | None = None,
) -> Solution:
    """Solve A X = B for a B of this shape of which there need never be more than `part` of its columns at once."""
    way = Auto() if solver is None else solver
    blocks = _blocks(shape)
    if len(blocks) == 1:
        return _solve_block(system, part(blocks[0]), way, tol)
    value, solved = np.empty(0), list[Solution]()
    for some in track(blocks, "solving"):
        found = _solve_block(system, part(some), way, tol)
        if not solved:
            value = np.empty(shape, dtype=found.value.dtype)
        value[:, some] = found.value
        solved.append(replace(found, value=value[:, some]))
    return joined(solved, value)


def columns_at_once(rows: int) -> int:
    """Return how many columns of so many rows are solved together at most."""
    return max(1, min(COLUMNS_AT_ONCE, ENTRIES_AT_ONCE // max(1, rows)))


def _blocks(shape: tuple[int, ...]) -> list[slice]:
    """Return blocks of columns, all of about one width.

    Examples
    --------
    >>> _blocks((100, 65)), _blocks((ENTRIES_AT_ONCE, 2))
    ([slice(0, 32, None), slice(32, 65, None)], [slice(0, 1, None), slice(1, 2, None)])
    """
    rows, columns = shape
    count = max(1, -(-columns // columns_at_once(rows)))
    return [slice(columns * place // count, columns * (place + 1) // count) for place in range(count)]


def _solve_block(system: Any, B: Block, solver: Solver, tol: float | None) -> Solution:
    if isinstance(system, WalkSystem):
        found = solver.attempt(system, B, tol)
        return Solution(found.value, found.solver, TRUNCATED, found.n_iter, float(found.residual or 0.0))
    found = solver.attempt(system, B, tol)
    X = found.value
    if not found.is_meant:
        system.choose(X)
    residual = _relative(system, X, B) if found.residual is None else found.residual
    X = X.astype(np.float32, copy=False) if getattr(B, "dtype", None) == np.float32 else X
    if found.tol is None:
        return Solution(X, found.solver, TRUNCATED, found.n_iter, residual)
    if residual <= MISSED * found.tol:
        return Solution(X, found.solver, CONVERGED, found.n_iter, residual)
    solution = Solution(X, found.solver, STOPPED, found.n_iter, residual, found.remedy)
    warnings.warn(str(solution), SolveWarning, stacklevel=4)
    return solution


def _relative(system: System, X: Block, B: Block) -> float:
    """Return the largest |B - A X| / |B| over the columns, of what of B has a solution; zero columns are left out."""
    B = system.solvable(B)
    left = B - system.apply(X)
    size, rest = np.sqrt(system.dot(B, B)), np.sqrt(system.dot(left, left))
    return float(np.divide(rest, size, out=np.zeros_like(rest), where=size > 0).max(initial=0.0))
