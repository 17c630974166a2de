"""Operator, solver and solution are three things: a solver prepares an operator once and solves often."""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from fewlabels.errors import SolveWarning
from fewlabels.operators import Laplacian

__all__ = [
    "CONVERGED",
    "STOPPED",
    "TRUNCATED",
    "WIDE_WEIGHTS",
    "Block",
    "Prepared",
    "Solution",
    "Solver",
    "graded",
    "joined",
    "truncated",
]

Block = NDArray[np.float64]

CONVERGED = "converged"
TRUNCATED = "truncated"
"""The steps that were asked for are done; more would change the answer, and that is intended."""
STOPPED = "stopped"
"""The step limit came before the tolerance."""

WIDE_WEIGHTS = "the weights span too many orders of magnitude; bring them closer together"


@dataclass(frozen=True, eq=False)
class Solution:
    """What a solve found and how well.

    Attributes
    ----------
    value : ndarray, shape (n, columns)
        L^+ B, with zero mean over every component.
    solver : str
        The solver that did the work.
    status : {"converged", "truncated", "stopped"}
    n_iter : int
        Steps; one step costs one product with the graph (two more and the coarse levels for multigrid).
    residual : float
        The largest |B - L X| / |B| over the columns, measured after the fact.
    remedy : str
        What to do about a solve that stopped early; empty otherwise.
    """

    value: Block
    solver: str
    status: str
    n_iter: int
    residual: float
    remedy: str = ""

    def __str__(self) -> str:
        said = f"{self.solver}: {self.status} after {self.n_iter} steps, relative residual {self.residual:.1e}"
        return f"{said}; {self.remedy}" if self.remedy else said


class Prepared(Protocol):
    """A solver that knows its operator."""

    def solve(self, B: Block) -> Solution:
        """Return L^+ B; what of B cannot be balanced within a component is removed first."""
        ...


class Solver(Hashable, Protocol):
    """How to solve L X = B; a hashable value, so that what it prepares can be kept with the graph."""

    def prepare(self, laplacian: Laplacian) -> Prepared:
        """Do the work that does not depend on the right-hand side."""
        ...


def joined(parts: Sequence[Solution]) -> Solution:
    """Put the solutions of blocks of columns side by side; the worst of them speaks for all."""
    if len(parts) == 1:
        return parts[0]
    worst = max(parts, key=lambda part: (part.status == STOPPED, part.residual))
    most = max(part.n_iter for part in parts)
    value = np.hstack([part.value for part in parts])
    return replace(worst, value=value, n_iter=most, residual=max(part.residual for part in parts))


def graded(X: Block, left: Block, B: Block, solver: str, n_iter: int, tol: float, remedy: str) -> Solution:
    """Wrap up a value that leaves the residual `left` of `B`; warn, with the remedy, if that is far above `tol`."""
    residual = _relative(left, B)
    if residual <= 10 * tol:
        return Solution(X, solver, CONVERGED, n_iter, residual)
    solution = Solution(X, solver, STOPPED, n_iter, residual, remedy)
    warnings.warn(str(solution), SolveWarning, stacklevel=3)
    return solution


def _relative(left: Block, B: Block) -> float:
    """Return the largest ratio of the columns' lengths, zero columns of `B` left out."""
    size, rest = np.linalg.norm(B, axis=0), np.linalg.norm(left, axis=0)
    return float(np.divide(rest, size, out=np.zeros_like(rest), where=size > 0).max(initial=0.0))


def truncated(laplacian: Laplacian, X: Block, B: Block, solver: str, n_iter: int) -> Solution:
    """Centre the value of a solve that does a given number of steps, and measure what it leaves of the centred `B`."""
    value = laplacian.centre(X)
    return Solution(value, solver, TRUNCATED, n_iter, _relative(B - laplacian.apply(value), B))
