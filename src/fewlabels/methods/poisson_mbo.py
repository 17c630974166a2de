"""Poisson MBO (Calder, Cook, Thorpe and Slepcev, ICML 2020): Poisson learning, then diffusion at known sizes."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

import numpy as np
import scipy.sparse as sp

from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.green import green
from fewlabels.labels import Seeds
from fewlabels.methods.base import Method, Spread, refuse_below
from fewlabels.methods.sources import poisson_source
from fewlabels.progress import track
from fewlabels.solvers import Polynomial, power_coefficients, series_coefficients, solve
from fewlabels.systems import WalkSystem
from fewlabels.volumes import class_sizes, size_offsets

__all__ = ["PoissonMBO"]

TOL = 1e-4
"""How exactly the steps of a round are done."""


@dataclass(eq=False)
class PoissonMBO(Method):
    """From the Poisson solution: u <- u - dt (L u - mu b) some steps, then one-hot at the known class sizes; repeat.

    b is the source of Poisson learning and dt = 1 / (largest degree). The sizes are those of the class prior, or of the
    classes among the labels.

    Parameters
    ----------
    rounds, steps, mu
        20, 40 and 1 are the paper's.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(5), 1) + np.diag(np.ones(5), -1))
    >>> PoissonMBO().scores(path, Seeds.from_classes([0, 5], [0, 1])).argmax(axis=1).tolist()
    [0, 0, 0, 1, 1, 1]
    """

    rounds: int = 20
    _: KW_ONLY
    steps: int = 40
    mu: float = 1.0

    def _spread(self, graph: Graph, seeds: Seeds) -> Spread:
        if seeds.is_regression:
            raise FewlabelsError("Poisson MBO thresholds to classes and cannot estimate values; use another method.")
        refuse_below(1, steps=self.steps)
        refuse_below(0, rounds=self.rounds)
        source = poisson_source(graph, seeds)
        solution = green(graph, source)
        sizes = class_sizes(seeds.prior, graph.n_nodes)
        pace = 1.0 / max(float(graph.degrees.max()), 1e-300)
        stay = sp.diags_array(1.0 - pace * graph.degrees)
        step = WalkSystem(graph, stay + pace * graph.weights)
        whole_round = Polynomial(power_coefficients(self.steps, TOL), TOL)
        pull = Polynomial(series_coefficients(self.steps, TOL), TOL)
        pulled = solve(step, pace * self.mu * source, pull).value
        u = solution.value
        offsets = size_offsets(u, sizes)
        winners = np.full(graph.n_nodes, -1)
        for _ in track(range(self.rounds), "Poisson MBO"):
            before, winners = winners, (u + offsets).argmax(axis=1)
            if (winners == before).all():  # and so all further rounds are the last one again
                break
            w = np.zeros(u.shape)
            w[np.arange(winners.size), winners] = 1.0
            u = (solve(step, w, whole_round).value + pulled).astype(np.float64)
            offsets = size_offsets(u, sizes)
        return Spread(u + offsets, (solution,))
