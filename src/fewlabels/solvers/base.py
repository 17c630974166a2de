"""Solver and solution: how to solve a system, and what came of it."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from fewlabels.kept import ReadOnlyArrays
from fewlabels.systems import Block

__all__ = ["CONVERGED", "STOPPED", "TRUNCATED", "WIDE_WEIGHTS", "Attempt", "Solution", "Solver", "joined"]

CONVERGED = "converged"
TRUNCATED = "truncated"
"""The steps that were asked for are done; more would change the answer, and that is intended."""
STOPPED = "stopped"
"""The step limit came before the tolerance."""

WIDE_WEIGHTS = "the weights span too many orders of magnitude; bring them closer together"


@dataclass(frozen=True, eq=False)
class Solution(ReadOnlyArrays):
    """What a solve found and how well.

    Attributes
    ----------
    value : ndarray, shape (n, columns)
        The solution, read-only.
    solver : str
        The solver that did the work.
    status : {"converged", "truncated", "stopped"}
    n_iter : int
        Steps; one step costs one product with the graph (two more and the coarse levels for multigrid).
    residual : float
        The largest |B - A X| / |B| over the columns, measured after the fact, or by the recurrences where rounding
        cannot move it above the tolerance; for a polynomial of a walk, the most that cutting its expansion can change.
    remedy : str
        What to do about a solve that stopped early; empty otherwise.
    """

    value: Block
    solver: str
    status: str
    n_iter: int
    residual: float
    remedy: str = ""

    @property
    def nbytes(self) -> int:
        """The memory of the value."""
        return int(self.value.nbytes)

    def __str__(self) -> str:
        said = f"{self.solver}: {self.status} after {self.n_iter} steps, relative residual {self.residual:.1e}"
        return f"{said}; {self.remedy}" if self.remedy else said


@dataclass(eq=False)
class Attempt:
    """What a solver brings back: a value that may still lack the right constant, and what it knows about it.

    Attributes
    ----------
    value : Block
    solver : str
    n_iter : int
    tol : float or None
        The relative residual that was aimed at; None for a given number of steps.
    residual : float, optional
        The relative residual, where the solver knows it.
    remedy : str
        What to do if the residual is far above the tolerance.
    is_meant : bool
        Whether the value has the right constant already.
    """

    value: Block
    solver: str
    n_iter: int
    tol: float | None
    residual: float | None = None
    remedy: str = ""
    is_meant: bool = False


class Solver(Hashable, Protocol):
    """A way to solve a system; a value that holds settings and no state.

    What a solver prepares it keeps with the system. A tolerance set on the solver itself wins over the one that the
    caller of a solve asks for.
    """

    def attempt(self, system: Any, B: Block, tol: float | None) -> Attempt:
        """Solve for what of a right-hand side has a solution."""
        ...


def joined(parts: Sequence[Solution], value: Block) -> Solution:
    """Return the solution of which these are blocks of columns; the worst of them speaks for all."""
    worst = max(parts, key=lambda part: (part.status == STOPPED, part.residual))
    most = max(part.n_iter for part in parts)
    return replace(worst, value=value, n_iter=most, residual=max(part.residual for part in parts))
