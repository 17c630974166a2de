"""Methods whose scores are linear in sources at the labels: the sources of several draws are columns of one block."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fewlabels.graph import Graph
from fewlabels.labels import Seeds
from fewlabels.methods.base import Method, Spread
from fewlabels.methods.groups import in_blocks
from fewlabels.solvers import Solution, Solver, columns_at_once, shared_solver
from fewlabels.systems import projections_of
from fewlabels.targets import centred_targets, component_means

__all__ = ["SourceMethod", "poisson_scores", "poisson_source", "solver_of"]

Block = NDArray[np.float64]


class SourceMethod(Method):
    """A method that solves one system, the same for all labels, for sources made from them."""

    @abstractmethod
    def _sources(self, graph: Graph, seeds: Seeds) -> Block:
        """Return the right-hand side that stands for the labels."""

    @abstractmethod
    def _solved(self, graph: Graph, group: Sequence[Seeds], sources: Block) -> Solution:
        """Return the solution for the sources of some sets of labels, side by side."""

    @abstractmethod
    def _scored(self, graph: Graph, seeds: Seeds, solution: Solution) -> Spread:
        """Return the scores that a solution stands for."""

    def _spread(self, graph: Graph, seeds: Seeds) -> Spread:
        return self._scored(graph, seeds, self._solved(graph, [seeds], self._sources(graph, seeds)))

    def spread_many(self, graph: Graph, problems: Sequence[Seeds]) -> list[Spread]:
        """Spread several sets of labels over one graph; their columns are solved together."""
        for seeds in problems:
            seeds.check_fits(graph.n_nodes)
        blocks = in_blocks([seeds.targets.shape[1] for seeds in problems], columns_at_once(graph.n_nodes))
        return [spread for block in blocks for spread in self._spread_group(graph, problems[block])]

    def _spread_group(self, graph: Graph, group: Sequence[Seeds]) -> list[Spread]:
        """Spread several sets of labels, their sources side by side in one block."""
        sources = np.hstack([self._sources(graph, seeds) for seeds in group])
        solution = self._solved(graph, group, sources)
        ends = np.cumsum([seeds.targets.shape[1] for seeds in group])[:-1]
        parts = [replace(solution, value=value) for value in np.split(solution.value, ends, axis=1)]
        return [
            self._completed(graph, seeds, self._scored(graph, seeds, part))
            for seeds, part in zip(group, parts, strict=True)
        ]


def solver_of(solver: str | Solver, graph: Graph, group: Sequence[Seeds]) -> Solver:
    """Return the solver for the sources of some sets of labels, side by side."""
    widths = [seeds.targets.shape[1] for seeds in group]
    return shared_solver(solver, graph, [seeds.indices for seeds in group], widths)


def poisson_source(graph: Graph, seeds: Seeds) -> Block:
    """Return b: y_i - mean(y) at the labelled nodes, the mean over each component's own labels, and 0 elsewhere."""
    source = np.zeros((graph.n_nodes, seeds.targets.shape[1]))
    source[seeds.indices] = centred_targets(graph, seeds)
    return source


def poisson_scores(graph: Graph, seeds: Seeds, solution: Solution) -> Spread:
    """Return the scores of a solution for Poisson learning's source: by class weights, or about the labels' means."""
    if seeds.is_regression:
        means = projections_of(graph).repeated(component_means(graph, seeds))
        return Spread(solution.value + means, (solution,))
    even = bool((seeds.class_weights == 1.0).all())
    return Spread(solution.value if even else solution.value * seeds.class_weights, (solution,))
