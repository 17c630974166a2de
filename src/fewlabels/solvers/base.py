"""Operator, solver and solution are three things: a solver prepares an operator once and solves often."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from fewlabels.operators import Laplacian

__all__ = ["CONVERGED", "STOPPED", "TRUNCATED", "Block", "Prepared", "Solution", "Solver", "joined", "measured"]

Block = NDArray[np.float64]

CONVERGED = "converged"
TRUNCATED = "truncated"
"""The steps that were asked for are done; more would change the answer, and that is intended."""
STOPPED = "stopped"
"""The step limit came before the tolerance."""


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


def measured(
    laplacian: Laplacian, X: Block, B: Block, solver: str, status: str, n_iter: int, remedy: str = ""
) -> Solution:
    """Centre the value, measure its residual and wrap both up; `B` is centred."""
    value = laplacian.centre(X)
    size = np.linalg.norm(B, axis=0)
    left = np.linalg.norm(B - laplacian.apply(value), axis=0)
    ratio = np.divide(left, size, out=np.zeros_like(left), where=size > 0)
    return Solution(value, solver, status, n_iter, float(ratio.max(initial=0.0)), remedy)
