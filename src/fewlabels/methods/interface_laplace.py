"""Interface Laplace learning: harmonic inside the classes, with a learned jump term at the interface between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.interface import beyond_hops, fit_ridge, given_positions, gram, interface_term, share_hops
from fewlabels.labels import Seeds
from fewlabels.methods.base import Method, Spread, component_means, green, impulses, solver_for
from fewlabels.operators import Laplacian, laplacian_of
from fewlabels.solvers import Solver, mixing_steps

__all__ = ["InterfaceLaplace", "InterfaceSpread"]

Block = NDArray[np.float64]

ROUNDING = 1e-12
"""Relative accuracy of the Green's columns at best; an interface where they are smaller sees nothing of the labels."""


@dataclass(frozen=True, eq=False, repr=False)
class InterfaceSpread(Spread):
    """Scores with the answers to the paper's three questions.

    Attributes
    ----------
    interface : ndarray of int
        The nodes beyond the hops: where.
    hops : int or None
        The k that was used (of the largest labelled component); None when positions were given.
    term : ndarray, shape (n, c)
        f, the learned Laplacian of the scores: what.
    ridge, mse : float
        lambda and the weighted mean squared error it leaves on the labels: how strong.
    """

    interface: NDArray[np.int64]
    hops: int | None
    term: Block
    ridge: float
    mse: float


@dataclass(eq=False)
class InterfaceLaplace(Method):
    """L u = f on the interface and 0 elsewhere, f learned from the labels by ridge regression.

    f minimises (1/m) sum_i s_i |u(x_i) - y_i|^2 + lambda |f|^2 over terms that vanish off the interface. With the
    Green's columns G = A0 J E of the labels and K = sum over the interface of g_i g_i',
    f = G_I S^1/2 (S^1/2 K S^1/2 + m lambda)^-1 S^1/2 y and u = J A0 f.

    Parameters
    ----------
    hops : int or "auto"
        The interface is the nodes more than this many edges from every label; -1 for every node. "auto" takes the
        number that leaves a share of nodes nearest 0.57.
    target_mse : float or "auto"
        The mean squared error to leave on the labels, which fixes the ridge; "auto" is 0.2. Regression targets are
        scaled to variance one first.
    ridge : float, optional
        lambda itself, instead of a target error.
    positions : "hops", or array-like
        The interface itself, as node numbers or a mask, where it is known.
    zero_mean : bool
        Whether scores have zero mean over the nodes, as the paper prefers.
    solver : {"auto", "series", "chebyshev", "cg", "direct", "multigrid"} or a solver
        "series" does the paper's T steps; "auto" finds what they tend to.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(5), 1) + np.diag(np.ones(5), -1))
    >>> InterfaceLaplace().scores(path, Seeds.from_classes([0, 5], [0, 1])).argmax(axis=1).tolist()
    [0, 0, 0, 1, 1, 1]
    """

    hops: int | str = "auto"
    target_mse: float | str = "auto"
    ridge: float | None = None
    positions: str | ArrayLike = "hops"
    zero_mean: bool = True
    solver: str | Solver = "auto"

    def spread(self, graph: Graph, seeds: Seeds) -> InterfaceSpread:
        """Return the scores with the interface, its term, the ridge and the solves."""
        found = super().spread(graph, seeds)
        assert isinstance(found, InterfaceSpread)
        return found

    def _spread(self, graph: Graph, seeds: Seeds) -> InterfaceSpread:
        if self.ridge is not None and self.target_mse != "auto":
            raise FewlabelsError("give either ridge or target_mse, not both; one follows from the other.")
        laplacian = laplacian_of(graph)
        solver = solver_for(self.solver, graph, seeds)
        interface, hops = self._interface(graph, seeds)
        constant = None if self.zero_mean else mixing_steps(laplacian, seeds.indices)

        E = impulses(graph, seeds)
        columns = green(graph, solver, E if constant else laplacian.centre(E))
        G = columns.value + _constant_mode(laplacian, E, constant)

        middle, scale = _standard(laplacian, seeds)
        targets = (seeds.targets - middle[graph.components[seeds.indices]]) / scale
        noise = ROUNDING**2 * float(np.vdot(G, G))
        fit = fit_ridge(gram(G, interface), targets, seeds.weights, self.ridge, self.target_mse, noise)
        term = interface_term(G, interface, fit.coefficients)

        answer = green(graph, solver, term)
        u = answer.value + _constant_mode(laplacian, term, constant)
        if self.zero_mean:
            u = laplacian.centre(u)
        return InterfaceSpread(
            scores=u * scale + laplacian.spread(middle),
            solves=(columns, answer),
            interface=interface,
            hops=hops,
            term=term,
            ridge=fit.ridge,
            mse=fit.mse,
        )

    def _interface(self, graph: Graph, seeds: Seeds) -> tuple[NDArray[np.int64], int | None]:
        if not isinstance(self.positions, str):
            return given_positions(self.positions, graph.n_nodes), None
        if self.positions != "hops":
            raise FewlabelsError(f"positions={self.positions!r} is not known; use 'hops' or give the nodes.")
        if self.hops == "auto":
            return share_hops(graph, seeds.indices)
        if not isinstance(self.hops, (int, np.integer)) or isinstance(self.hops, bool) or self.hops < -1:
            raise FewlabelsError(f"hops={self.hops!r} must be a whole number of at least -1, or 'auto'.")
        return beyond_hops(graph, seeds.indices, int(self.hops)), int(self.hops)


def _constant_mode(laplacian: Laplacian, B: Block, steps: int | None) -> Block:
    """Return what T steps leave of the constant mode, T 1 (1'B) / (1'd), when the mean is not subtracted."""
    if steps is None:
        return np.zeros((1, B.shape[1]))
    volumes = np.where(laplacian.volumes > 0, laplacian.volumes, np.inf)[:, None]
    return laplacian.spread(steps * laplacian.sums(B) / volumes)


def _standard(laplacian: Laplacian, seeds: Seeds) -> tuple[Block, float]:
    """Return the mean of regression targets in each component and their spread; one-hot targets stay as they are."""
    if not seeds.is_regression:
        return np.zeros((laplacian.graph.n_components, seeds.targets.shape[1])), 1.0
    means = component_means(laplacian, seeds)
    spread = float(np.sqrt(np.mean((seeds.targets - means[laplacian.graph.components[seeds.indices]]) ** 2)))
    return means, spread if spread > 0 else 1.0
