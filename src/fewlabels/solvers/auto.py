"""Which solver suits a graph, read off its shape.

Breadth-first levels from a node at the rim tell both things that matter. Their number (the depth) says how far
information must travel: conjugate gradients need several times as many steps. The largest of them (the width) bounds
the separators, and so the cost of a factorisation, which grows like its cube.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from fewlabels.graph import Graph
from fewlabels.operators import Laplacian
from fewlabels.solvers.base import Prepared, Solver
from fewlabels.solvers.cg import CG
from fewlabels.solvers.direct import Direct
from fewlabels.solvers.multigrid import Multigrid

__all__ = ["Auto", "Shape", "shape_of"]

SMALL_GRAPH = 3000
STIFF_DEPTH = 30
NARROW_WIDTH = 2000
TOL_GAP = 1e-2
ROUGHEST = 0.3
WEAK_GAP = 1e-4
"""Graphs of real data have gaps of 1e-3 and more; less means parts that hang together by a thread."""


@dataclass(frozen=True)
class Shape:
    """Depth and width of a graph's largest component."""

    depth: int
    width: int


@dataclass(frozen=True)
class Auto:
    """Factorise small and narrow graphs, multigrid for deep and wide ones, conjugate gradients for the rest."""

    tol: float = 3e-3
    """Keeps 99.4% or more of the labels of the converged solution (benchmarks/tolerance.py)."""

    tol_smooth: float = 5e-2
    """The same for sources that are smooth, as the learned term is: what is left of them is rough, and labels do not
    see it."""

    tol_weak: float = 1e-5
    """Across a weak link a small error in the energy may hide a large one in the labels."""

    tol_stiff: float = 1e-6
    """On a stiff graph a small residual may hide a large error, so it has to be smaller."""

    def for_smooth_sources(self) -> Auto:
        """Return the solver for sources that vary little from node to node."""
        return replace(self, tol=self.tol_smooth)

    def for_part(self, size: float, whole: float) -> Auto:
        """Return the solver for a part of a source: the smaller it is, the fewer digits it needs."""
        spare = np.exp2(np.floor(np.log2(whole / size))) if 0 < size < whole else 1.0
        return replace(self, tol=min(ROUGHEST, self.tol * float(spare)))

    def prepare(self, laplacian: Laplacian) -> Prepared:
        """Choose, then prepare the choice."""
        solver = self.choose(laplacian.graph)
        if isinstance(solver, CG):
            memo = laplacian.graph.memo
            if "gap" not in memo:
                memo["gap"] = CG(TOL_GAP).prepare(laplacian).gap()
            return (solver if memo["gap"] >= WEAK_GAP else CG(self.tol_weak)).prepare(laplacian)
        return solver.prepare(laplacian)

    def choose(self, graph: Graph) -> Solver:
        """Return the solver that suits the graph."""
        if graph.n_nodes <= SMALL_GRAPH:
            return Direct()
        shape = shape_of(graph)
        if shape.depth < STIFF_DEPTH:
            return CG(self.tol)
        return Direct() if shape.width <= NARROW_WIDTH else Multigrid(self.tol_stiff)


def shape_of(graph: Graph) -> Shape:
    """Measure the largest component by breadth-first levels from a node at its rim.

    Examples
    --------
    >>> shape_of(Graph.from_weights(np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1)))
    Shape(depth=4, width=1)
    """
    largest = np.bincount(graph.components).argmax()
    start = np.flatnonzero(graph.components == largest)[:1]
    rim = graph.hops_from(start).argmax()
    levels = graph.hops_from(np.array([rim]))
    sizes = np.bincount(levels[levels >= 0])
    return Shape(int(sizes.size), int(sizes.max()))
