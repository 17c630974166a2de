"""Ways to solve A X = B: one door, and every solution says how it went."""

from fewlabels.solvers.auto import SMOOTH_TOL, USUAL_TOL, Auto
from fewlabels.solvers.base import Solution, Solver
from fewlabels.solvers.cg import CG
from fewlabels.solvers.chebyshev import (
    Chebyshev,
    Polynomial,
    power_coefficients,
    resolvent_coefficients,
    series_coefficients,
)
from fewlabels.solvers.direct import Direct
from fewlabels.solvers.gap import spectral_gap
from fewlabels.solvers.mixing import mixing_steps
from fewlabels.solvers.multigrid import Multigrid
from fewlabels.solvers.named import SOLVER_NAMES, named_solver, shared_solver, takes_t_steps
from fewlabels.solvers.series import Series
from fewlabels.solvers.slow_modes import keep_slow_modes
from fewlabels.solvers.solve import columns_at_once, solve, solve_parts

__all__ = [
    "CG",
    "SMOOTH_TOL",
    "SOLVER_NAMES",
    "USUAL_TOL",
    "Auto",
    "Chebyshev",
    "Direct",
    "Multigrid",
    "Polynomial",
    "Series",
    "Solution",
    "Solver",
    "columns_at_once",
    "keep_slow_modes",
    "mixing_steps",
    "named_solver",
    "power_coefficients",
    "resolvent_coefficients",
    "series_coefficients",
    "shared_solver",
    "solve",
    "solve_parts",
    "spectral_gap",
    "takes_t_steps",
]
