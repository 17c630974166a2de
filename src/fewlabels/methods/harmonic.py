"""Harmonic functions with the labels held fixed, for any weights on the edges of a graph."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.graph import Graph
from fewlabels.labels import Seeds
from fewlabels.reach import reach_of
from fewlabels.solvers import Solution, solve
from fewlabels.systems import MatrixSystem

__all__ = ["harmonic_extension"]


def harmonic_extension(
    graph: Graph, W: Any, seeds: Seeds, *, shift: float = 0.0, tol: float | None = None
) -> tuple[NDArray[np.float64], tuple[Solution, ...]]:
    """Return u with u = y on the labels and (D' - W + shift) u = 0 elsewhere, for weights W on the edges of the graph.

    Nodes that no label reaches are left at zero. With no other node left there is nothing to solve.
    """
    free = reach_of(graph, seeds).nodes.copy()
    free[seeds.indices] = False
    nodes = np.flatnonzero(free)
    u = np.zeros((graph.n_nodes, seeds.targets.shape[1]))
    u[seeds.indices] = seeds.targets
    if nodes.size == 0:
        return u, ()
    rows = W[nodes]
    matrix = sp.diags_array(np.asarray(W.sum(axis=1)).ravel()[nodes] + shift) - rows[:, nodes]
    pull = np.asarray(rows[:, seeds.indices] @ seeds.targets)
    solution = solve(MatrixSystem(graph, matrix, nodes), pull, tol=tol)
    u[nodes] = solution.value
    return u, (solution,)
