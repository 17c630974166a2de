"""Interface Laplace learning with the term as the output of a small network (the paper's appendix A.2)."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.green import green, green_columns
from fewlabels.interface import fit_network, fit_ridge, gram, hops_interface, interface_term, refuse_both
from fewlabels.labels import Seeds
from fewlabels.methods.base import Method
from fewlabels.methods.interface_spread import InterfaceSpread
from fewlabels.solvers import Solver, named_solver
from fewlabels.systems import projections_of
from fewlabels.targets import standard_targets

__all__ = ["InterfaceLaplaceNetwork"]


@dataclass(eq=False)
class InterfaceLaplaceNetwork(Method):
    """L u = f on the interface and 0 elsewhere, f = a 2-layer ReLU network of the features, trained on the labels.

    The loss is (1/m) sum_i s_i |u(x_i) - y_i|^2 + lambda |f|^2, with one lambda for all labels together. The network's
    output is in units of the term that is free at every node and minimises the same, so that the scale of the weights
    does not matter to its steps. In the paper it is a point behind that term.

    Parameters
    ----------
    features : array-like, shape (n, d), optional
        What the network sees of each node. The estimators fill in their own X.
    hops
        The interface is the nodes beyond so many hops; "auto" looks for a moderate share of them.
    target_mse : float or "auto"
        The error to leave on the labels; "auto" is 0.2 of what there is.
    ridge, solver
        As in InterfaceLaplace.
    hidden, rate, epochs
        Width, Adam's step size and number of steps; 64, 0.01 and 1,000 are the paper's.
    random_state : int
        Seed of the first weights.
    """

    features: Any = None
    _: KW_ONLY
    hops: int | str = "auto"
    target_mse: float | str = "auto"
    ridge: float | None = None
    hidden: int = 64
    rate: float = 0.01
    epochs: int = 1000
    solver: str | Solver = "auto"
    random_state: int = 0

    def with_features(self, X: Any) -> Self:
        """Return the method with features, unless it has its own."""
        return self if self.features is not None else replace(self, features=X)

    def _spread(self, graph: Graph, seeds: Seeds) -> InterfaceSpread:
        refuse_both(self.ridge, self.target_mse)
        whole = all(isinstance(count, (int, np.integer)) and count >= 1 for count in (self.hidden, self.epochs))
        if not whole or not isinstance(self.rate, (int, float)) or not 0 < self.rate < np.inf:
            raise FewlabelsError("hidden and epochs must be whole numbers of at least 1, and rate a number above zero.")
        X = self._checked_features(graph.n_nodes)
        projections = projections_of(graph)
        solver = named_solver(self.solver, graph, seeds.indices)
        interface, hops = hops_interface(graph, seeds.indices, self.hops)
        columns = green_columns(graph, seeds.indices, solver)
        targets, middle, scale = standard_targets(graph, seeds)
        told = fit_ridge(gram(columns.value, interface), targets, seeds.weights, self.ridge, self.target_mse)
        free = interface_term(columns.value, interface, told.coefficients)
        unit = float(np.sqrt(np.mean(free**2))) or 1.0
        term = np.zeros((graph.n_nodes, targets.shape[1]))
        seen = columns.value[interface].T
        term[interface] = unit * fit_network(
            seen * unit,
            X[interface],
            targets,
            seeds.weights,
            told.ridge * unit**2,
            self.hidden,
            self.rate,
            self.epochs,
            self.random_state,
        )
        left = seen @ term[interface] - targets
        answer = green(graph, term, solver)
        return InterfaceSpread(
            scores=projections.centre(answer.value) * scale + projections.repeated(middle),
            solves=(columns, answer),
            interface=interface,
            hops=hops,
            term=term,
            ridge=told.ridge,
            mse=float((seeds.weights[:, None] * left**2).sum() / seeds.size),
        )

    def _checked_features(self, n_nodes: int) -> NDArray[np.float64]:
        if self.features is None:
            raise FewlabelsError("the network needs the nodes' features; give features=X, one row per node.")
        dense = self.features.toarray() if sp.issparse(self.features) else self.features
        try:
            X = np.asarray(dense, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise FewlabelsError(f"features must be one table of numbers ({error}).") from None
        if X.ndim != 2 or X.shape[0] != n_nodes or X.size == 0 or not (np.abs(X) < 1e150).all():
            raise FewlabelsError(f"features must have one row of finite numbers for each of the {n_nodes} nodes.")
        return X
