"""p-conductance learning (Robertson, Holtz, Wan, Mishne and Cloninger, 2025): each class cut off from the others."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.labels import Seeds
from fewlabels.methods.base import Method, Spread, refuse_below
from fewlabels.progress import track
from fewlabels.solvers import Solution, solve
from fewlabels.systems import MatrixSystem, projections_of
from fewlabels.volumes import class_sizes, size_offsets

__all__ = ["PConductance"]

Block = NDArray[np.float64]
Vector = NDArray[np.float64]

BLUNT = 1e-3
"""Differences below this share of their root mean square count as about so large: |t|^p has no second derivative."""

TOL = 1e-2
"""How exactly a Newton step is solved for."""

ENOUGH = 1e-4
"""Newton's method ends when a step promises a gain below this share of the objective."""

HALVINGS = 12


@dataclass(eq=False)
class PConductance(Method):
    """For each class the least sum over edges w_ij |u_i - u_j|^p, mean of u over its labels - over others' = 1.

    The constraint is one number, not a value at every label: only the two distributions are separated. p = 2 is Poisson
    learning for one class against the rest, towards p = 1 the differences gather on few edges, a smallest cut. "Others"
    is the mean over the other classes of the mean over their labels; a component has its own. The scores of a class
    have zero mean by degree, as Poisson's have. A class prior multiplies the columns by s_j, or is kept to exactly
    (`at_sizes`), the paper's way to turn scores into labels.

    Newton's method from the solution of p = 2, with a line search. The paper leaves p to the user.

    Parameters
    ----------
    p : float
        Above 1 and at most 2.
    at_sizes : bool
        Whether offsets give every class its share of the prior.
    steps : int
        Newton steps at most.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1))
    >>> PConductance().scores(path, Seeds.from_classes([0, 3], [0, 1])).argmax(axis=1).tolist()
    [0, 0, 1, 1]
    """

    p: float = 1.5
    _: KW_ONLY
    at_sizes: bool = False
    steps: int = 20

    def _spread(self, graph: Graph, seeds: Seeds) -> Spread:
        if seeds.is_regression:
            raise FewlabelsError("p-conductance learning is for classes; use another method for values.")
        if not isinstance(self.p, (int, float, np.number)) or not 1 < self.p <= 2:
            raise FewlabelsError(f"p={self.p!r} must be a number above 1 and at most 2.")
        refuse_below(1, steps=self.steps)
        sources = _separations(graph, seeds)
        network = _Network(graph, seeds)
        first = network.solved(network.W, sources)
        u = np.array(first.value)
        if self.p < 2:
            for j in track(range(u.shape[1]), "p-conductance, classes"):
                u[:, j] = network.minimised(u[:, j], sources[:, j], float(self.p), self.steps)
        scores = projections_of(graph).centre_by_degree(_scaled(graph, u, sources))
        if self.at_sizes:
            return Spread(scores + size_offsets(scores, class_sizes(seeds.prior, graph.n_nodes)), (first,))
        return Spread(scores * seeds.class_weights, (first,))


def _separations(graph: Graph, seeds: Seeds) -> Block:
    """Return for every class its labels' distribution less the mean of the other classes', in each component."""
    components = graph.components[seeds.indices]
    g = np.zeros((graph.n_nodes, seeds.targets.shape[1]))
    for component in np.unique(components):
        here = np.flatnonzero(components == component)
        counts = seeds.targets[here].sum(axis=0)
        classes = np.flatnonzero(counts)
        if classes.size < 2:
            continue
        shares = seeds.targets[here][:, classes] / counts[classes]
        others = (shares.sum(axis=1, keepdims=True) - shares) / (classes.size - 1)
        g[np.ix_(seeds.indices[here], classes)] = shares - others
    return g


def _scaled(graph: Graph, u: Block, g: Block) -> Block:
    """Return the scores scaled so that they separate the distributions by one, on every component."""
    separation = projections_of(graph).sums(u * g)
    scale = np.divide(1.0, separation, out=np.zeros_like(separation), where=separation > 0)
    return np.asarray(u * projections_of(graph).repeated(scale))


class _Network:
    """The edges of a graph, one node of every component held at zero."""

    def __init__(self, graph: Graph, seeds: Seeds) -> None:
        self._graph, self.W = graph, graph.weights
        _, first = np.unique(graph.components[seeds.indices], return_index=True)
        reached = np.isin(graph.components, graph.components[seeds.indices])
        reached[seeds.indices[first]] = False
        self._free = np.flatnonzero(reached)
        rows = np.repeat(np.arange(graph.n_nodes), np.diff(self.W.indptr))
        self._ends = rows, self.W.indices

    def solved(self, W: sp.csr_array, sources: Block) -> Solution:
        """Return the solution of L' u = sources for the Laplacian L' of some weights, zero where nodes are held."""
        rows = W[self._free]
        matrix = sp.diags_array(np.asarray(W.sum(axis=1)).ravel()[self._free]) - rows[:, self._free]
        tol = None if W is self.W else TOL
        found = solve(MatrixSystem(self._graph, matrix, self._free), sources[self._free], tol=tol)
        u = np.zeros(sources.shape)
        u[self._free] = found.value
        return Solution(u, found.solver, found.status, found.n_iter, found.residual, found.remedy)

    def minimised(self, u: Vector, source: Vector, p: float, steps: int) -> Vector:
        """Return the minimum of sum over edges w |t|^p / p - source'u, from u; t are the differences along edges."""
        t = self._differences(u)
        typical = float(np.sqrt(np.mean(t**2)))
        if typical == 0.0:
            return u
        u = u * self._best_scale(t, u, source, p)
        blunt = (BLUNT * float(np.sqrt(np.mean(self._differences(u) ** 2)))) ** 2
        for _ in range(steps):
            t = self._differences(u)
            value, slope = self._objective(t, u, source, p, blunt), self._slope(t, p, blunt)
            downhill = source - slope
            bend = (t**2 + blunt) ** (p / 2 - 2) * (blunt + (p - 1) * t**2)
            W = sp.csr_array((self.W.data * bend, self.W.indices, self.W.indptr), shape=self.W.shape)
            move = self.solved(W, downhill[:, None]).value[:, 0]
            gain = float(downhill @ move)
            if gain <= ENOUGH * max(abs(value), 1e-300):
                break
            pace = 1.0
            for _ in range(HALVINGS):
                new = u + pace * move
                if self._objective(self._differences(new), new, source, p, blunt) <= value - 1e-4 * pace * gain:
                    break
                pace /= 2
            u = u + pace * move
        return u

    def _differences(self, u: Vector) -> Vector:
        return np.asarray(u[self._ends[0]] - u[self._ends[1]])

    def _objective(self, t: Vector, u: Vector, source: Vector, p: float, blunt: float) -> float:
        """Return the objective; every edge is there in both directions."""
        return float(self.W.data @ (t**2 + blunt) ** (p / 2)) / (2 * p) - float(source @ u)

    def _slope(self, t: Vector, p: float, blunt: float) -> Vector:
        flow = self.W.data * t * (t**2 + blunt) ** (p / 2 - 1)
        return np.asarray(np.add.reduceat(np.append(flow, 0.0), self.W.indptr[:-1])) * (np.diff(self.W.indptr) > 0)

    def _best_scale(self, t: Vector, u: Vector, source: Vector, p: float) -> float:
        """Return the multiple of u with the smallest objective."""
        energy = float(self.W.data @ np.abs(t) ** p) / 2
        return float((source @ u) / energy) ** (1.0 / (p - 1.0)) if energy > 0 and source @ u > 0 else 1.0
