"""Laplace learning (Zhu, Ghahramani and Lafferty, ICML 2003): harmonic off the labels, equal to them on them."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass

import numpy as np
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsWarning
from fewlabels.graph import Graph
from fewlabels.green import TABLE_ENTRIES, columns_of, harmonic_scores, impulses, split_columns
from fewlabels.labels import Seeds
from fewlabels.methods.base import Method, Spread, refuse_below
from fewlabels.methods.groups import spread_in_groups
from fewlabels.methods.harmonic import harmonic_extension
from fewlabels.solvers import Solution, Solver, named_solver, solve, takes_t_steps
from fewlabels.systems import laplacian_of, projections_of

__all__ = ["Laplace"]

TIGHT = 1e-9
Block = NDArray[np.float64]


@dataclass(eq=False)
class Laplace(Method):
    """L u = 0 off the labels, u = y on them, from the Green's columns of the labels, L^+ E.

    A class prior multiplies the columns by s_j.

    Parameters
    ----------
    order : int
        m of L^m u = 0 off the labels (Zhou and Belkin, 2011); orders above one do not spike at few labels.
    mean_shift : bool
        Whether the mean of every class's column over the nodes is subtracted, which undoes most of the bias towards one
        class at few labels.
    solver : {"auto", "series", "chebyshev", "cg", "direct", "multigrid"} or a solver

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1))
    >>> seeds = Seeds.from_values([0, 3], [0.0, 3.0])
    >>> (Laplace().scores(path, seeds).ravel().round(6) + 0.0).tolist()
    [0.0, 1.0, 2.0, 3.0]
    >>> (Laplace(order=2).scores(path, seeds).ravel().round(6) + 0.0).tolist()
    [0.0, 0.9, 2.1, 3.0]
    """

    order: int = 1
    _: KW_ONLY
    mean_shift: bool = False
    solver: str | Solver = "auto"

    def spread_many(self, graph: Graph, problems: Sequence[Seeds]) -> list[Spread]:
        """Spread several sets of labels over one graph; Green's columns are solved together and kept for others."""
        if self.order != 1 or takes_t_steps(self.solver):
            return [self.spread(graph, seeds) for seeds in problems]
        return spread_in_groups(graph, problems, self.spread, self._spread_group)

    def _spread_group(self, graph: Graph, group: Sequence[Seeds]) -> list[Spread]:
        columns = columns_of(graph, group, named_solver(self.solver, graph, group[0].indices))
        found = []
        for seeds, G in zip(group, split_columns(columns, group), strict=True):
            raw = self._scored(graph, seeds, self._matched(graph, seeds, G), (columns,))
            found.append(self._completed(graph, seeds, raw))
        return found

    def _spread(self, graph: Graph, seeds: Seeds) -> Spread:
        refuse_below(1, order=self.order)
        solves: list[Solution] = []
        solver = named_solver(self.solver, graph, seeds.indices)
        tol = TIGHT if self.order > 1 else None  # every further order magnifies what a solve leaves
        if graph.n_nodes * seeds.size > TABLE_ENTRIES and self.order == 1:
            scores, held = harmonic_extension(graph, graph.weights, seeds)
            return self._scored(graph, seeds, scores, (*solves, *held))
        columns = impulses(graph, seeds.indices)
        for _ in range(self.order):
            solves.append(solve(laplacian_of(graph), columns, solver, tol=tol))
            columns = solves[-1].value
        return self._scored(graph, seeds, self._matched(graph, seeds, columns), tuple(solves))

    def _matched(self, graph: Graph, seeds: Seeds, columns: Block) -> Block:
        """Return the combination of the columns that matches the labels; warn if it does not."""
        scores = harmonic_scores(graph, seeds, columns)
        missed = np.abs(scores[seeds.indices] - seeds.targets).max() / (np.ptp(seeds.targets) or 1.0)
        if missed > 0.05:
            warnings.warn(
                f"Laplace learning of order {self.order} misses a given label by {missed:.0%} of their range: the "
                "weights span too many orders of magnitude; lower the order or bring the weights closer together.",
                FewlabelsWarning,
                stacklevel=5,
            )
        return scores

    def _scored(self, graph: Graph, seeds: Seeds, scores: Block, solves: tuple[Solution, ...]) -> Spread:
        if self.mean_shift:
            scores = projections_of(graph).centre(scores)
        return Spread(scores if seeds.is_regression else scores * seeds.class_weights, solves)
