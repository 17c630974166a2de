"""Ways to solve L X = B: one signature, and every solution says how it went."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.operators import laplacian_of
from fewlabels.progress import track
from fewlabels.solvers.auto import Auto
from fewlabels.solvers.base import Block, Solution, Solver, joined
from fewlabels.solvers.cg import CG
from fewlabels.solvers.chebyshev import Chebyshev, series_coefficients
from fewlabels.solvers.coarse import aggregates_of
from fewlabels.solvers.definite import DefiniteSystem, solve_enlarged
from fewlabels.solvers.diffusion import Diffusion, power_coefficients
from fewlabels.solvers.direct import Direct
from fewlabels.solvers.mixing import mixing_steps
from fewlabels.solvers.multigrid import Multigrid
from fewlabels.solvers.series import Series

__all__ = [
    "CG",
    "SOLVERS",
    "Auto",
    "Chebyshev",
    "DefiniteSystem",
    "Diffusion",
    "Direct",
    "Multigrid",
    "Series",
    "Solution",
    "Solver",
    "aggregates_of",
    "mixing_steps",
    "named_solver",
    "power_coefficients",
    "prepared",
    "series_coefficients",
    "solve",
    "solve_enlarged",
]

COLUMNS_AT_ONCE = 64
"""Wider blocks save no time and cost the iterative solvers several copies each."""

SOLVERS = ("auto", "series", "chebyshev", "cg", "direct", "multigrid")


def named_solver(solver: str | Solver, steps: Callable[[], int]) -> Solver:
    """Return the solver that a name stands for; `steps` is asked for T only by those that need it."""
    if not isinstance(solver, str):
        if not hasattr(solver, "prepare"):
            raise FewlabelsError(f"solver={solver!r} is not a solver; choose one of {', '.join(SOLVERS)}.")
        return solver
    match solver:
        case "auto":
            return Auto()
        case "series":
            return Series(steps())
        case "chebyshev":
            return Chebyshev(steps())
        case "cg":
            return CG()
        case "direct":
            return Direct()
        case "multigrid":
            return Multigrid()
    raise FewlabelsError(f"solver={solver!r} is not known; choose one of {', '.join(SOLVERS)}.")


def prepared(graph: Graph, solver: Solver) -> Any:
    """Return what the solver prepares for the graph, made once and kept with it."""
    if solver not in graph.memo:
        graph.memo[solver] = solver.prepare(laplacian_of(graph))
    return graph.memo[solver]


def solve(graph: Graph, solver: Solver, B: Block) -> Solution:
    """Solve L X = B on a graph; what the solver prepares is kept with the graph.

    Examples
    --------
    >>> import numpy as np
    >>> path = Graph.from_weights(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]))
    >>> solve(path, Direct(), np.array([[1.0], [0.0], [-1.0]])).value.round(6).ravel().tolist()
    [1.0, 0.0, -1.0]
    """
    ready = prepared(graph, solver)
    starts = range(0, max(1, B.shape[1]), COLUMNS_AT_ONCE)
    return joined([ready.solve(B[:, start : start + COLUMNS_AT_ONCE]) for start in track(starts, "solving")])
