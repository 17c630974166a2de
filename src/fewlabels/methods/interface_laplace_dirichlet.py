"""Interface Laplace learning with the term as boundary values (the paper's appendix A.1)."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.interface import fit_ridge, hops_interface, refuse_both
from fewlabels.labels import Seeds
from fewlabels.methods.base import Method
from fewlabels.methods.interface_spread import InterfaceSpread
from fewlabels.solvers import solve
from fewlabels.systems import MatrixSystem, laplacian_of, projections_of
from fewlabels.targets import standard_targets

__all__ = ["InterfaceLaplaceDirichlet"]


@dataclass(eq=False)
class InterfaceLaplaceDirichlet(Method):
    """u = f on the interface and L u = 0 off it, f learned from the labels by ridge regression.

    With K the nodes off the interface, u_K = L_K^-1 W_KI f. Only the rows at the labels are needed to learn f, so one
    solve has a column per label and the second one per class. Where no label sees the interface, f would be zero and
    every class the same; there u is harmonic too.

    Parameters
    ----------
    hops, target_mse, ridge
        As in InterfaceLaplace. The labelled nodes must lie off the interface, so hops is at least 0.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(5), 1) + np.diag(np.ones(5), -1))
    >>> seeds = Seeds.from_classes([0, 5], [0, 1])
    >>> InterfaceLaplaceDirichlet(hops=1).scores(path, seeds).argmax(axis=1).tolist()
    [0, 0, 0, 1, 1, 1]
    """

    hops: int | str = "auto"
    _: KW_ONLY
    target_mse: float | str = "auto"
    ridge: float | None = None

    def _spread(self, graph: Graph, seeds: Seeds) -> InterfaceSpread:
        refuse_both(self.ridge, self.target_mse)
        interface, hops = hops_interface(graph, seeds.indices, self.hops, least=0)
        held = np.zeros(graph.n_nodes, dtype=bool)
        held[interface] = True
        if held[seeds.indices].any():
            raise FewlabelsError(
                "the interface covers labelled nodes, whose values it would replace; use hops of 0 or more."
            )
        inside = np.flatnonzero(~held & np.isin(graph.components, graph.components[interface]))
        place = np.full(graph.n_nodes, -1)
        place[inside] = np.arange(inside.size)
        at = place[seeds.indices]

        matrix, across = _cut(graph, inside, interface)
        system = MatrixSystem(graph, matrix, inside)
        impulses = np.zeros((inside.size, seeds.size))
        impulses[at[at >= 0], np.flatnonzero(at >= 0)] = 1.0
        rows = solve(system, impulses)
        seen = np.asarray(across.T @ rows.value)
        targets, middle, scale = standard_targets(graph, seeds)
        fit = fit_ridge(seen.T @ seen, targets, seeds.weights, self.ridge, self.target_mse)
        term = np.zeros((graph.n_nodes, targets.shape[1]))
        term[interface] = seen @ fit.coefficients
        rim = interface[seen.any(axis=1)]
        if rim.size < interface.size:
            inside = np.sort(np.concatenate([inside, np.setdiff1d(interface, rim)]))
            matrix, across = _cut(graph, inside, rim)
            system = MatrixSystem(graph, matrix, inside)
        answer = solve(system, np.asarray(across @ term[rim]))
        u = term.copy()
        u[inside] = answer.value
        return InterfaceSpread(
            scores=u * scale + projections_of(graph).repeated(middle),
            solves=(rows, answer),
            interface=interface,
            hops=hops,
            term=term,
            ridge=fit.ridge,
            mse=fit.mse,
        )


def _cut(graph: Graph, inside: NDArray[np.int64], border: NDArray[np.int64]) -> tuple[Any, Any]:
    """Return L on the nodes inside, and the weights between them and the border."""
    L = laplacian_of(graph).matrix[inside]
    return L[:, inside], sp.csr_array(-L[:, border])
