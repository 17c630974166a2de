"""Which solver suits a system, and how exact an answer has to be there.

The number of breadth-first levels of a graph, its depth, says how far information must travel: conjugate gradients need
several times as many steps. A factorisation costs as much for every column as so many steps as a row of the factor has
entries, its fill. So deep graphs of little fill, those of low dimension, are factorised, and small ones anyway.
"""

from __future__ import annotations

from dataclasses import dataclass

from fewlabels.solvers.base import Attempt, Solver
from fewlabels.solvers.cg import CG
from fewlabels.solvers.direct import Direct
from fewlabels.solvers.fill import fill_per_node
from fewlabels.solvers.gap import coarse_gap
from fewlabels.systems import Block, Laplacian, MatrixSystem, System

__all__ = ["SMOOTH_TOL", "USUAL_TOL", "Auto", "lowered"]

SMALL_GRAPH = 3000
STIFF_DEPTH = 30
STEPS_PER_LEVEL = 3.0
"""Steps of conjugate gradients that a level of depth costs, at least."""

USUAL_TOL = 3e-3
"""Keeps 99.4% or more of the labels of the converged solution on graphs with a gap (benchmarks/tolerance.py)."""

SMOOTH_TOL = 0.15
"""The same for sources that are smooth, as the learned term is: what is left of them is rough, and labels do not see
it."""

DEFINITE_TOL = 2e-5
"""For systems with nodes held fixed: few of them leave a slow mode, as a weak link does."""

SMALL_GAP, TIGHTER = 1e-2, 0.1
"""Below this gap of the spectrum a small residual may hide a larger error, so it has to be smaller by so much."""

NO_GAP, WEAK_TOL = 1e-6, 1e-5
"""Below this gap parts of the graph hang together by a thread; a small error in the energy may hide a large one in the
labels."""


@dataclass(frozen=True)
class Auto:
    """Factorise small graphs and those of low dimension, conjugate gradients for the rest.

    `tol` is the relative residual to reach; without it, what the caller of the solve asks for. A small spectral gap
    lowers it.
    """

    tol: float | None = None

    def attempt(self, system: System, B: Block, tol: float | None) -> Attempt:
        """Choose, then solve."""
        return self.choose(system, tol).attempt(system, B, None)

    def choose(self, system: System, tol: float | None = None) -> Solver:
        """Return the solver that suits the system, for a tolerance that is wanted."""
        own = self.tol if self.tol is not None else tol
        wanted = own if own is not None else USUAL_TOL if system.is_singular else DEFINITE_TOL
        if not isinstance(system, MatrixSystem) or system.shift < 1.0:
            return CG(wanted)
        if _factorises_well(system):
            return Direct()
        if isinstance(system, Laplacian) and system.shift == 1.0:
            return CG(lowered(wanted, coarse_gap(system.graph)))
        return CG(wanted)


def _factorises_well(system: MatrixSystem) -> bool:
    shape = system.shape
    if shape.n_nodes <= SMALL_GRAPH:
        return True
    return shape.depth >= STIFF_DEPTH and fill_per_node(system.graph) <= STEPS_PER_LEVEL * shape.depth


def lowered(tol: float, gap: float) -> float:
    """Return the tolerance that a graph with this gap of the spectrum needs in place of one.

    Examples
    --------
    >>> lowered(3e-3, 0.5), lowered(3e-3, 1e-9)
    (0.003, 1e-05)
    """
    if gap < NO_GAP:
        return min(tol, WEAK_TOL)
    return tol if gap >= SMALL_GAP else TIGHTER * tol
