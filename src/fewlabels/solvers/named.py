"""Solvers by name, as methods take them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.solvers.auto import Auto
from fewlabels.solvers.base import Solver
from fewlabels.solvers.cg import CG
from fewlabels.solvers.chebyshev import Chebyshev
from fewlabels.solvers.direct import Direct
from fewlabels.solvers.mixing import mixing_steps
from fewlabels.solvers.multigrid import Multigrid
from fewlabels.solvers.series import Series

__all__ = ["SOLVER_NAMES", "named_solver", "shared_solver", "takes_t_steps"]

T_STEPS: dict[str, Callable[[int | tuple[int, ...]], Solver]] = {"series": Series, "chebyshev": Chebyshev}
"""Solvers that do the paper's T steps; T depends on the labels."""

SOLVERS: dict[str, Callable[[], Solver]] = {"auto": Auto, "cg": CG, "direct": Direct, "multigrid": Multigrid}


SOLVER_NAMES = ("auto", *T_STEPS, *(name for name in SOLVERS if name != "auto"))


def takes_t_steps(solver: str | Solver) -> bool:
    """Tell whether a solver's name stands for the paper's T steps."""
    return isinstance(solver, str) and solver in T_STEPS


def named_solver(solver: str | Solver, graph: Graph, labelled: NDArray[np.int64]) -> Solver:
    """Return the solver that a name stands for; a solver is returned as it is.

    Examples
    --------
    >>> path = Graph.from_weights(np.array([[0, 1], [1, 0]]))
    >>> named_solver("series", path, np.array([0]))
    Series(steps=100)
    """
    if not isinstance(solver, str):
        if not hasattr(solver, "attempt"):
            raise FewlabelsError(f"solver={solver!r} is not a solver; choose one of {', '.join(SOLVER_NAMES)}.")
        return solver
    if solver in T_STEPS:
        return T_STEPS[solver](mixing_steps(graph, labelled))
    if solver in SOLVERS:
        return SOLVERS[solver]()
    raise FewlabelsError(f"solver={solver!r} is not known; choose one of {', '.join(SOLVER_NAMES)}.")


def shared_solver(
    solver: str | Solver, graph: Graph, group: Sequence[NDArray[np.int64]], widths: Sequence[int]
) -> Solver:
    """Return the solver that a name stands for when several sets of labels have so many columns each in one block.

    By T steps every column takes as many as the labels that it belongs to.
    """
    if len(group) > 1 and isinstance(solver, str) and solver in T_STEPS:
        steps = [mixing_steps(graph, labelled) for labelled in group]
        return T_STEPS[solver](tuple(np.repeat(steps, widths).tolist()))
    return named_solver(solver, graph, group[0])
