"""Poisson-reweighted Laplace learning (Miller and Calder, 2023): edges weigh more the nearer they are to labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.labels import Seeds
from fewlabels.methods.base import Method, Spread
from fewlabels.methods.harmonic import harmonic_extension
from fewlabels.solvers import solve
from fewlabels.systems import laplacian_of

__all__ = ["PoissonReweighted"]

FLOOR = 1e-5
"""The least factor of a node, as a share of their range over its component."""

TIGHT = 1e-9
"""Weights of many sizes magnify what a solve leaves."""


@dataclass(eq=False)
class PoissonReweighted(Method):
    """(L' + tau) u = 0 off the labels, u = y on them, L' the Laplacian of the weights g_i g_j w_ij (PWLL).

    L g is one at the labels less its mean: g is high at the labels and falls with distance from them, so that u is
    held where the labels are and does not spike. g is moved up to be positive on every component; the authors add 1e-5,
    here that is a share of the range, so that the scale of the weights does not matter. A class prior multiplies the
    columns by s_j.

    Parameters
    ----------
    tau : float
        Draws the scores to zero far from labels, in units of the mean degree of the reweighted graph. The authors use
        it to look for points that no label explains and let it fall to zero, which is the default.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1))
    >>> PoissonReweighted().scores(path, Seeds.from_classes([0, 3], [0, 1])).argmax(axis=1).tolist()
    [0, 0, 1, 1]
    """

    tau: float = 0.0

    def _spread(self, graph: Graph, seeds: Seeds) -> Spread:
        if not isinstance(self.tau, (int, float, np.number)) or not 0 <= self.tau < np.inf:
            raise FewlabelsError(f"tau={self.tau!r} must be a number of at least 0.")
        counts = np.zeros((graph.n_nodes, 1))
        counts[seeds.indices] = 1.0
        factors = solve(laplacian_of(graph), counts)
        g = sp.diags_array(_positive(graph, factors.value[:, 0]))
        W = sp.csr_array(g @ graph.weights @ g)
        shift = self.tau * float(W.sum()) / graph.n_nodes
        u, solves = harmonic_extension(graph, W, seeds, shift=shift, tol=TIGHT)
        return Spread(u if seeds.is_regression else u * seeds.class_weights, (factors, *solves))


def _positive(graph: Graph, g: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the factors moved and scaled to lie between FLOOR and one, about, on every component."""
    least, most = np.full(graph.n_components, np.inf), np.full(graph.n_components, -np.inf)
    np.minimum.at(least, graph.components, g)
    np.maximum.at(most, graph.components, g)
    span = np.where(most > least, most - least, 1.0)
    return np.asarray((g - least[graph.components]) / span[graph.components] + FLOOR)
