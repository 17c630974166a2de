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
from fewlabels.solvers import Solution

__all__ = ["SourceMethod"]

Block = NDArray[np.float64]


class SourceMethod(Method):
    """A method that solves one system, the same for all labels, for sources made from them."""

    @abstractmethod
    def _sources(self, graph: Graph, seeds: Seeds) -> Block:
        """Return the right-hand side that stands for the labels."""

    @abstractmethod
    def _solved(self, graph: Graph, seeds: Seeds, sources: Block) -> Solution:
        """Return the solution for some sources; `seeds` are the labels of the first of them."""

    @abstractmethod
    def _scored(self, graph: Graph, seeds: Seeds, solution: Solution) -> Spread:
        """Return the scores that a solution stands for."""

    def _spread(self, graph: Graph, seeds: Seeds) -> Spread:
        return self._scored(graph, seeds, self._solved(graph, seeds, self._sources(graph, seeds)))

    def spread_many(self, graph: Graph, problems: Sequence[Seeds]) -> list[Spread]:
        """Spread several sets of labels over one graph; their columns are solved together."""
        if not problems or getattr(self, "solver", "auto") in ("series", "chebyshev"):
            return [self.spread(graph, seeds) for seeds in problems]
        for seeds in problems:
            seeds.check_fits(graph.n_nodes)
        sources = [self._sources(graph, seeds) for seeds in problems]
        solution = self._solved(graph, problems[0], np.hstack(sources))
        ends = np.cumsum([source.shape[1] for source in sources])[:-1]
        parts = [replace(solution, value=value) for value in np.split(solution.value, ends, axis=1)]
        return [
            self._settled(graph, seeds, self._scored(graph, seeds, part))
            for seeds, part in zip(problems, parts, strict=True)
        ]
