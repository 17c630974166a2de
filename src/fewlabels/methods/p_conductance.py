"""p-conductance learning (Robertson, Holtz, Wan, Mishne and Cloninger, 2025): each class cut off from the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.compiled import kernels_pay
from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.labels import Seeds
from fewlabels.methods.base import Method, Spread, refuse_below
from fewlabels.progress import track
from fewlabels.solvers import solve
from fewlabels.systems import laplacian_of, projections_of
from fewlabels.volumes import class_sizes, size_offsets

__all__ = ["PConductance"]

Block = NDArray[np.float64]

TOL = 0.1
"""How exactly the change of a step is solved for; what is left of it is solved for in the next."""

SETTLED = 1e-4
"""Steps end when scores change by less than this share of their size."""

EDGES_AT_ONCE = 100_000
"""Edges whose differences are looked at together."""

NEWTON_STEPS = 5
"""For one edge, from above; each about doubles the digits."""


@dataclass(eq=False)
class PConductance(Method):
    """For each class the least sum over edges w_ij |u_i - u_j|^p, mean of u over its labels - over others' = 1.

    The constraint is one number, not a value at every label: only the two distributions are separated. p = 2 is Poisson
    learning for one class against the rest, towards p = 1 the differences gather on few edges, a smallest cut. "Others"
    is the mean over the other classes of the mean over their labels; a component has its own. The scores of a class
    have zero mean by degree, as Poisson's have. A class prior multiplies the columns by s_j, or is kept to exactly
    (`at_sizes`), the paper's way to turn scores into labels.

    ADMM splits the differences along edges from u, so that every step solves with the graph's own Laplacian for all
    classes at once, and with one equation for each edge. (The paper has a semismooth Newton method. It leaves p open.)

    Parameters
    ----------
    p : float
        Above 1 and at most 2.
    at_sizes : bool
        Whether offsets give every class its share of the prior.
    steps : int
        Steps at most.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1))
    >>> PConductance().scores(path, Seeds.from_classes([0, 3], [0, 1])).argmax(axis=1).tolist()
    [0, 0, 1, 1]
    """

    p: float = 1.5
    _: KW_ONLY
    at_sizes: bool = False
    steps: int = 40

    def _spread(self, graph: Graph, seeds: Seeds) -> Spread:
        if seeds.is_regression:
            raise FewlabelsError("p-conductance learning is for classes; use another method for values.")
        if not isinstance(self.p, (int, float, np.number)) or not 1 < self.p <= 2:
            raise FewlabelsError(f"p={self.p!r} must be a number above 1 and at most 2.")
        refuse_below(1, steps=self.steps)
        sources = _separations(graph, seeds)
        first = solve(laplacian_of(graph), sources)
        u = first.value if self.p == 2 else _minimised(graph, sources, first.value, float(self.p), self.steps)
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


def _minimised(graph: Graph, g: Block, u: Block, p: float, steps: int) -> Block:
    """Return the minimum of sum over edges w |z|^p / p - g'u, z the differences of u along edges, up to its scale.

    `u` is that of p = 2. The scale of g, which is free, makes its largest differences about one.
    """
    one_way = sp.coo_array(sp.triu(graph.weights, 1))
    row, column = one_way.coords
    scale = np.zeros(u.shape[1])
    for start in range(0, row.size, EDGES_AT_ONCE):
        some = slice(start, start + EDGES_AT_ONCE)
        scale = np.maximum(scale, np.abs(u[row[some]] - u[column[some]]).max(axis=0))
    scale[scale == 0] = 1.0
    u, g, system = u / scale, g / scale, laplacian_of(graph)
    y: Block = np.zeros((row.size, u.shape[1]))
    pulled = _by_kernel(one_way) if p == 1.5 and kernels_pay(graph.n_nodes) else _by_products(one_way, p)
    for _ in track(range(steps), "p-conductance"):
        change = solve(system, pulled(u, y, g) - system.apply(u), tol=TOL).value
        u = u + change
        if np.linalg.norm(change) < SETTLED * np.linalg.norm(u):
            break
    return u


Pulled = Callable[[Block, Block, Block], Block]
"""From u and y, which it moves on, to g and what the edges add to it."""


def _by_kernel(one_way: Any) -> Pulled:
    row, column = one_way.coords

    def pulled(u: Block, y: Block, g: Block) -> Block:
        from fewlabels.methods import p_conductance_kernels as kernels

        pull = g.copy()
        kernels.split(row, column, one_way.data, u, y, pull)
        return pull

    return pulled


def _by_products(one_way: Any, p: float) -> Pulled:
    edges = np.arange(one_way.nnz)
    signs, ends = np.repeat([1.0, -1.0], edges.size), np.concatenate(one_way.coords)
    B = sp.csr_array((signs, (np.tile(edges, 2), ends)), shape=(edges.size, one_way.shape[0]))
    back = sp.csr_array(B.T * one_way.data)

    def pulled(u: Block, y: Block, g: Block) -> Block:
        v = B @ u + y
        z = _shrunk(v, p)
        y[:] = v - z
        return np.asarray(g + back @ (z - y))

    return pulled


def _shrunk(v: Block, p: float) -> Block:
    """Return z with |z|^(p-1) sign z + z = v: the least |z|^p / p + (v - z)^2 / 2.

    Examples
    --------
    >>> _shrunk(np.array([2.0, -2.0, 0.0]), 1.5).round(6).tolist()
    [1.0, -1.0, 0.0]
    """
    size = np.abs(v)
    if p == 1.5:  # s + s^2 = v
        return np.asarray(np.sign(v) * (2.0 * size / (1.0 + np.sqrt(1.0 + 4.0 * size))) ** 2)
    # With s = z^(p-1): s + s^(1/(p-1)) = v, convex in s, so that Newton's steps from above stay above.
    power = 1.0 / (p - 1.0)
    s = np.minimum(size, size ** (p - 1.0))
    for _ in range(NEWTON_STEPS):
        higher = s ** (power - 1.0)
        s -= (s + higher * s - size) / (1.0 + power * higher)
    return np.asarray(np.sign(v) * np.maximum(s, 0.0) ** power)
