"""Multiclass MBO (Garcia-Cardona, Merkurjev, Bertozzi, Flenner and Percus, 2014): diffuse, threshold, repeat."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

import numpy as np

from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.labels import Seeds
from fewlabels.methods.base import Method, Spread
from fewlabels.spectrum import lowest_modes

__all__ = ["MBO"]


@dataclass(eq=False)
class MBO(Method):
    """Rounds of spectral diffusion with a pull to the labels, each followed by a threshold to one-hot.

    u <- X (I + (dt/s) Lambda)^-1 X' [u - (dt/s) mu M (u - Y)], s steps a round, (X, Lambda) the lowest eigenpairs of
    L_sym and M the label mask. The start is a random one-hot with the labels set.

    At few labels the result depends on the start more than on the labels (compare values of `random_state`), so that
    differences of many points from another implementation, either way, may be a different random start and no more.

    Parameters
    ----------
    modes, rounds, steps, dt, mu
        50, 10, 6, 0.15 and 50 give the paper's column.
    random_state : int
        Seed of the random start.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1))
    >>> MBO(modes=3).scores(path, Seeds.from_classes([0, 3], [0, 1]))[[0, 3]].tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

    modes: int = 50
    _: KW_ONLY
    rounds: int = 10
    steps: int = 6
    dt: float = 0.15
    mu: float = 50.0
    random_state: int = 0

    def _spread(self, graph: Graph, seeds: Seeds) -> Spread:
        if seeds.is_regression:
            raise FewlabelsError("MBO thresholds to classes and cannot estimate values; use another method.")
        values, X = lowest_modes(graph, self.modes)
        n, c = graph.n_nodes, seeds.targets.shape[1]
        present = np.unique(seeds.codes)
        codes = np.random.default_rng(self.random_state).choice(present, size=n)
        codes[seeds.indices] = seeds.codes
        pace = self.dt / self.steps
        damped = 1.0 / (1.0 + pace * values)[:, None]
        at_labels, every = X[seeds.indices], np.eye(c)
        sums = X.T @ every[codes]
        for _ in range(self.rounds):
            # X'X = I: after the first product the steps need the labels' rows alone.
            modes, held = sums, every[codes[seeds.indices]]
            for _ in range(self.steps):
                modes = damped * (modes - pace * self.mu * at_labels.T @ (held - seeds.targets))
                held = at_labels @ modes
            before, codes = codes, (X @ modes).argmax(axis=1)
            moved = np.flatnonzero(codes != before)
            if moved.size == 0:
                break
            sums = sums + X[moved].T @ (every[codes[moved]] - every[before[moved]])
        u = every[codes]
        u[seeds.indices] = seeds.targets
        return Spread(u, ())
