"""What the default answers: the mean of several distributions by weight, and how long the evidence for them holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.drawn import Redrawn
from fewlabels.graph import Graph
from fewlabels.labels import Seeds
from fewlabels.methods.base import Spread
from fewlabels.methods.contenders import Solved
from fewlabels.methods.evidence import Evidence

__all__ = ["Averaged", "Columns", "WeighedSpread", "gathered_quickly", "has_enough_for_laplace"]

Columns = NDArray[np.floating[Any]]
Averaged = NDArray[np.float32] | None

MORE_LABELS = 1.25
"""Evidence is gathered anew when there are so many times as many labels, or fewer."""

QUICK, MANY_LABELS = 100_000, 100
"""Up to so many nodes times classes that takes a moment, and is done for every label, as long as there are no more than
so many; with more of them the evidence hardly moves."""

HARMONIC_FROM = 2
"""Labels per class from which Laplace learning is among the contenders: with fewer, nearly all nodes get one class."""


@dataclass(frozen=True, eq=False, repr=False)
class WeighedSpread(Spread):
    """The logarithm of the weighed mean of several distributions.

    Attributes
    ----------
    chosen : tuple of Evidence
        Every contender, the one with most weight first.
    redrawn : Redrawn
        What labels drawn again say, in the same weights.
    columns : ndarray, shape (n, m), or None
        The damped Green's columns of the labels, in single precision; none of many labels.
    beyond : ndarray, shape (n, c), or None
        Distributions for the nodes that no label reaches along the graph, from their features alone.
    gathered : int
        How many labels there were when the evidence was gathered.
    solved : Solved or None
        The terms of Interface Laplace learning and their solutions.
    averaged : ndarray, shape (n, d), or None
        The features averaged over the graph, where that was worth it.
    """

    chosen: tuple[Evidence, ...]
    redrawn: Redrawn
    columns: Columns | None
    beyond: NDArray[np.float64] | None
    gathered: int
    solved: Solved | None
    averaged: Averaged

    def holds_for(self, graph: Graph, seeds: Seeds, seeds_before: Seeds) -> bool:
        """Tell whether the evidence may be taken over for other labels on the graph.

        They may reach parts of it that the labels before did not, but none less.
        """
        few = seeds.size <= MORE_LABELS * self.gathered and self.gathered <= MORE_LABELS * seeds.size
        few = few and has_enough_for_laplace(seeds) == has_enough_for_laplace(seeds_before)
        few = few and not gathered_quickly(graph, seeds)
        known = np.isin(seeds.indices, seeds_before.indices)
        reached = np.isin(graph.components[seeds_before.indices], graph.components[seeds.indices])
        return bool(few and known.any() and reached.all())


def gathered_quickly(graph: Graph, seeds: Seeds) -> bool:
    """Tell whether evidence is gathered in a moment, so that there is no need to take any over."""
    return bool(graph.n_nodes * seeds.targets.shape[1] <= QUICK and seeds.size <= MANY_LABELS)


def has_enough_for_laplace(seeds: Seeds) -> bool:
    """Tell whether there are labels enough for Laplace learning."""
    return bool(seeds.size >= HARMONIC_FROM * np.unique(seeds.codes).size)
