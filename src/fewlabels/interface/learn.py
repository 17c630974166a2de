"""The term of an interface, learned from the labels of each component on its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.green import green
from fewlabels.interface.lanczos import fit_ridge_by_products
from fewlabels.interface.loss import fit_cross_entropy, ridge_as_for_squares
from fewlabels.interface.penalty import PENALTIES, fit_penalised
from fewlabels.interface.ridge import AUTO_TARGET, fit_ridge
from fewlabels.interface.term import gram, interface_term
from fewlabels.labels import Seeds
from fewlabels.solvers import Solution, Solver
from fewlabels.systems import projections_of
from fewlabels.targets import standard_targets

__all__ = ["LOSSES", "Learner", "Term", "learn_by_products", "refuse_both"]

Block = NDArray[np.float64]
Columns = NDArray[np.floating[Any]]

LOSSES = ("mse", "cross-entropy")
ROUNDING = 1e-12
"""Relative accuracy of the Green's columns at best; an interface where they are smaller sees nothing of the labels."""


@dataclass(frozen=True, eq=False)
class Term:
    """A learned term, the strength of its penalty, and the mean squared error that it leaves on the labels.

    The values are those of all nodes, or, of a part of the graph, those on its interface.
    """

    values: Block
    ridge: float
    mse: float


def refuse_both(ridge: float | None, target_mse: float | str) -> None:
    """Refuse a ridge beside a target error."""
    if ridge is not None and target_mse != "auto":
        raise FewlabelsError("give either ridge or target_mse, not both; one follows from the other.")


@dataclass(frozen=True)
class Learner:
    """How a term is learned: what it minimises on the labels, and what holds it back.

    With `by_labels`, the target "auto" is what the labels of classes say of each other; without, the usual one.
    """

    loss: str
    penalty: str
    ridge: float | None
    target_mse: float | str
    by_labels: bool = True

    def check(self, seeds: Seeds) -> None:
        """Refuse what does not go together."""
        refuse_both(self.ridge, self.target_mse)
        if self.loss not in LOSSES:
            raise FewlabelsError(f"loss={self.loss!r} is not known; choose one of {', '.join(LOSSES)}.")
        if self.penalty not in PENALTIES:
            raise FewlabelsError(f"penalty={self.penalty!r} is not known; choose one of {', '.join(PENALTIES)}.")
        if self.loss == "cross-entropy" and (seeds.is_regression or self.penalty != "l2-squared"):
            raise FewlabelsError("cross-entropy is for classes and goes with penalty='l2-squared'; use loss='mse'.")

    @property
    def is_plain_ridge(self) -> bool:
        """Whether products with K are enough to learn the term."""
        return self.loss == "mse" and self.penalty == "l2-squared"

    def learn(self, graph: Graph, seeds: Seeds, G: Columns, interface: NDArray[np.int64]) -> Term:
        """Return the term on all nodes; the ridge told is that of the largest component.

        `G` are the Green's columns of the labels.
        """
        targets, _, _ = standard_targets(graph, seeds)
        total, squares = _Sum(graph, seeds, targets.shape[1]), np.einsum("ij,ij->j", G, G, dtype=np.float64)
        for part in _parts(graph, seeds, interface):
            if part.nodes.size == 0:
                left = float((seeds.weights[part.labels, None] * targets[part.labels] ** 2).sum()) / part.labels.size
                total.add_error(part, left)
                continue
            noise = ROUNDING**2 * float(squares[part.labels].sum())
            total.add(part, self._learn_part(G, part, targets[part.labels], seeds.weights[part.labels], noise))
        return total.term()

    def _learn_part(self, G: Columns, part: _Part, targets: Block, weights: NDArray[np.float64], noise: float) -> Term:
        interface, labels = part.nodes, None if part.labels.size == G.shape[1] else part.labels
        if self.penalty != "l2-squared":
            goal = AUTO_TARGET if isinstance(self.target_mse, str) else self.target_mse
            seen = np.asarray(G[np.ix_(interface, part.labels)].T, dtype=np.float64)
            found = fit_penalised(seen, targets, weights, self.penalty, self.ridge, goal)
            return Term(found.term, found.ridge, found.mse)
        K = gram(G, interface, labels)
        by_labels = self.by_labels and targets.shape[1] > 1 and self.loss == "mse"
        fit = fit_ridge(K, targets, weights, self.ridge, self.target_mse, noise, by_labels)
        ridge, coefficients, mse = fit.ridge, fit.coefficients, fit.mse
        if self.loss == "cross-entropy":
            ridge = ridge_as_for_squares(ridge, targets.shape[1]) if self.ridge is None else ridge
            coefficients = fit_cross_entropy(K, targets, weights, ridge)
            mse = float((weights[:, None] * (K @ coefficients - targets) ** 2).sum() / len(targets))
        return Term(interface_term(G, interface, coefficients, labels), ridge, mse)


def learn_by_products(
    graph: Graph,
    seeds: Seeds,
    interface: NDArray[np.int64],
    solver: Solver,
    *,
    ridge: float | None,
    target_mse: float | str,
) -> tuple[Term, list[Solution]]:
    """Do the same for very many labels: K is multiplied by two solves and never formed."""
    centre, solves = projections_of(graph).centre, []
    targets, _, _ = standard_targets(graph, seeds)
    total = _Sum(graph, seeds, targets.shape[1])

    def solved(B: Block) -> Block:
        """Return H B; how the solve went is kept, not what it found."""
        found = green(graph, B, solver)
        solves.append(replace(found, value=np.empty((0, B.shape[1]))))
        return found.value

    for part in _parts(graph, seeds, interface):
        nodes = seeds.indices[part.labels]
        inside = np.zeros((graph.n_nodes, 1))
        inside[part.nodes] = 1.0

        def seen(alpha: Block, nodes: NDArray[np.int64] = nodes, inside: Block = inside) -> Block:
            """Return M G alpha: what coefficients of the labels put on the interface."""
            sources = np.zeros((graph.n_nodes, alpha.shape[1]))
            sources[nodes] = alpha
            return np.asarray(inside * solved(centre(sources)))

        def multiply(alpha: Block, nodes: NDArray[np.int64] = nodes, seen: Callable[[Block], Block] = seen) -> Block:
            return np.asarray(centre(solved(seen(alpha)))[nodes])

        fit = fit_ridge_by_products(multiply, targets[part.labels], seeds.weights[part.labels], ridge, target_mse)
        total.add(part, Term(seen(fit.coefficients)[part.nodes], fit.ridge, fit.mse))
    return total.term(), solves


@dataclass(frozen=True, eq=False)
class _Part:
    """A component with labels: their places among all labels, the interface in it, and its number of nodes."""

    labels: NDArray[np.int64]
    nodes: NDArray[np.int64]
    size: int


def _parts(graph: Graph, seeds: Seeds, interface: NDArray[np.int64]) -> Iterator[_Part]:
    labelled, sizes = graph.components[seeds.indices], np.bincount(graph.components)
    for component in np.unique(labelled):
        nodes = interface[graph.components[interface] == component]
        yield _Part(np.flatnonzero(labelled == component), nodes, int(sizes[component]))


class _Sum:
    """The terms of all components together."""

    def __init__(self, graph: Graph, seeds: Seeds, columns: int) -> None:
        self._values, self._labels = np.zeros((graph.n_nodes, columns)), seeds.size
        self._ridge, self._largest, self._mse = 1.0, -1, 0.0

    def add(self, part: _Part, term: Term) -> None:
        self._values[part.nodes] = term.values
        self.add_error(part, term.mse)
        if part.size > self._largest:
            self._ridge, self._largest = term.ridge, part.size

    def add_error(self, part: _Part, mse: float) -> None:
        self._mse += mse * part.labels.size / self._labels

    def term(self) -> Term:
        return Term(self._values, self._ridge, self._mse)
