"""Which solver suits a system, read off its shape, and how exact an answer has to be there."""

from __future__ import annotations

from dataclasses import dataclass

from fewlabels.solvers.base import Attempt, Solver
from fewlabels.solvers.cg import CG
from fewlabels.solvers.direct import Direct
from fewlabels.solvers.gap import rough_gap
from fewlabels.solvers.multigrid import Multigrid
from fewlabels.systems import Block, Laplacian, MatrixSystem, System

__all__ = ["SMOOTH_TOL", "USUAL_TOL", "Auto"]

SMALL_GRAPH = 3000
STIFF_DEPTH = 30
NARROW_WIDTH = 2000
WEAK_GAP = 1e-4
"""Graphs of real data have gaps of 1e-3 and more; less means parts that hang together by a thread."""

USUAL_TOL = 3e-3
"""Keeps 99.4% or more of the labels of the converged solution (benchmarks/tolerance.py)."""

SMOOTH_TOL = 5e-2
"""The same for sources that are smooth, as the learned term is: what is left of them is rough, and labels do not see
it."""

DEFINITE_TOL = 2e-5
"""For systems with nodes held fixed: few of them leave a slow mode, as a weak link does."""

WEAK_TOL = 1e-5
"""Across a weak link a small error in the energy may hide a large one in the labels."""

STIFF_TOL = 1e-6
"""On a stiff graph a small residual may hide a large error, so it has to be smaller."""


@dataclass(frozen=True)
class Auto:
    """Factorise small and narrow graphs, multigrid for deep and wide ones, conjugate gradients for the rest.

    `tol` is the relative residual to reach; without it, what the caller of the solve asks for. Weak links and stiff
    graphs lower it.
    """

    tol: float | None = None

    def attempt(self, system: System, B: Block, tol: float | None) -> Attempt:
        """Choose, then solve."""
        return self.choose(system, tol).attempt(system, B, None)

    def choose(self, system: System, tol: float | None = None) -> Solver:
        """Return the solver that suits the system, for a tolerance that is wanted."""
        own = self.tol if self.tol is not None else tol
        wanted = own if own is not None else USUAL_TOL if system.is_singular else DEFINITE_TOL
        plain = isinstance(system, MatrixSystem) and system.shift == 1.0
        if plain and system.shape.n_nodes <= SMALL_GRAPH:
            return Direct()
        if not plain or system.shape.depth < STIFF_DEPTH:
            return CG(min(wanted, WEAK_TOL) if plain and _hangs_by_a_thread(system) else wanted)
        if system.shape.width <= NARROW_WIDTH:
            return Direct()
        return Multigrid(min(wanted, STIFF_TOL)) if system.is_singular else CG(wanted)


def _hangs_by_a_thread(system: System) -> bool:
    return isinstance(system, Laplacian) and rough_gap(system.graph) < WEAK_GAP
