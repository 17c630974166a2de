"""Method: parameters in, scores for every node out; and what all methods owe to nodes and classes without labels."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.labels import Seeds
from fewlabels.operators import Laplacian, laplacian_of
from fewlabels.reach import Reach, reach_of
from fewlabels.solvers import DefiniteSystem, Solution, Solver, mixing_steps, named_solver, solve

__all__ = [
    "InterfaceSpread",
    "Method",
    "Spread",
    "component_means",
    "green",
    "harmonic_extension",
    "harmonic_scores",
    "impulses",
    "poisson_scores",
    "poisson_source",
    "refuse_below",
    "refuse_both",
    "solver_for",
    "standard_targets",
]

Block = NDArray[np.float64]

MOST_ENTRIES = 500_000_000


@dataclass(frozen=True, eq=False, repr=False)
class Spread:
    """Labels spread over a graph.

    Attributes
    ----------
    scores : ndarray, shape (n, c)
        The larger, the more a node belongs to the class; for regression, one column of values.
    solves : tuple of Solution
        Every linear solve on the way, with its status, steps and residual.
    """

    scores: Block
    solves: tuple[Solution, ...]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.scores.shape[0]:,} nodes, {'; '.join(map(str, self.solves))})"


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
    columns : ndarray, shape (n, m)
        The Green's columns of the labels; empty where they were not kept.
    """

    interface: NDArray[np.int64]
    hops: int | None
    term: Block
    ridge: float
    mse: float
    columns: Block = field(default_factory=lambda: np.zeros((0, 0)))


class Method(ABC):
    """A way to spread labels. Subclasses are dataclasses whose fields are the parameters."""

    def scores(self, graph: Graph, seeds: Seeds) -> Block:
        """Return the scores of every node, shape (nodes, classes), always finite.

        A class without a label in a node's component scores below all that have one. A node that no label can reach
        scores the class prior (for regression, the mean of the labels).
        """
        return self.spread(graph, seeds).scores

    def spread(self, graph: Graph, seeds: Seeds) -> Spread:
        """Return the scores and what was found on the way to them."""
        seeds.check_fits(graph.n_nodes)
        return self._settled(graph, seeds, self._spread(graph, seeds))

    def spread_many(self, graph: Graph, problems: Sequence[Seeds]) -> Sequence[Spread]:
        """Spread several sets of labels over one graph, one after the other where a method has no better way."""
        return [self.spread(graph, seeds) for seeds in problems]

    def _settled(self, graph: Graph, seeds: Seeds, raw: Spread) -> Spread:
        """Give nodes and classes without labels what all methods owe them."""
        reach = reach_of(graph, seeds)
        scores = (
            _with_values(raw.scores, seeds, reach) if seeds.is_regression else _with_classes(raw.scores, seeds, reach)
        )
        if not np.isfinite(scores).all():
            raise FewlabelsError("the solve overflowed; bring the edge weights closer together.")
        return replace(raw, scores=scores)

    def with_features(self, X: Any) -> Self:
        """Return the method as it is to be used on a graph of the rows of `X`; most need the graph alone."""
        return self

    @abstractmethod
    def _spread(self, graph: Graph, seeds: Seeds) -> Spread:
        """Return scores as the method's formula gives them, each component on its own."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name, as scikit-learn's tools ask for them."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name, as scikit-learn's tools do."""
        known = self.get_params()
        for name, value in params.items():
            if name not in known:
                raise FewlabelsError(f"{type(self).__name__} has no parameter {name!r}; it has {', '.join(known)}.")
            setattr(self, name, value)
        return self


def solver_for(name: str | Solver, graph: Graph, seeds: Seeds) -> Solver:
    """Return the solver a method's parameter names; the paper's T is computed only for those that need it."""
    return named_solver(name, lambda: mixing_steps(laplacian_of(graph), seeds.indices))


def green(graph: Graph, solver: Solver, B: Block) -> Solution:
    """Return H B, H = D^-1/2 (I - S)^+ D^-1/2: what the paper's steps tend to, up to their constant mode.

    L H B = B - d (1'B)/(1'd) and d' H B = 0 on every component. H is symmetric and H d = 0.
    """
    laplacian = laplacian_of(graph)
    solution = solve(graph, solver, laplacian.balance(B))
    laplacian.centre_by_degree_in_place(solution.value)
    return solution


def impulses(graph: Graph, seeds: Seeds) -> Block:
    """Return E, one indicator column per label; refuse more labels than the Green's columns of all would fit in memory.

    Examples
    --------
    >>> path = Graph.from_weights(np.array([[0, 1], [1, 0]]))
    >>> impulses(path, Seeds.from_classes([1], ["a"])).tolist()
    [[0.0], [1.0]]
    """
    if graph.n_nodes * seeds.size > MOST_ENTRIES:
        gigabytes = graph.n_nodes * seeds.size * 8 / 1e9
        raise FewlabelsError(
            f"{seeds.size:,} labels on {graph.n_nodes:,} nodes need a table of {gigabytes:.0f} GB; use fewer labels, "
            "or method='poisson', which does without the table."
        )
    E = np.zeros((graph.n_nodes, seeds.size))
    E[seeds.indices, np.arange(seeds.size)] = 1.0
    return E


def harmonic_scores(graph: Graph, seeds: Seeds, G: Block) -> Block:
    """Return Laplace learning from the Green's columns: a combination of them and a constant that matches the labels.

    u = G a + b solves L u = 0 off the labels when the entries of a sum to zero over each component; matching the
    labels then fixes a and b:  [G_ll  1; 1'  0] [a; b] = [y; 0], for every component on its own. Columns may all be off
    by one and the same vector, as those of H J E are: it drops out of G a, and b is read off the labels.
    """
    u = np.zeros((graph.n_nodes, seeds.targets.shape[1]))
    for component in np.unique(graph.components[seeds.indices]):
        here = np.flatnonzero(graph.components[seeds.indices] == component)
        nodes = slice(None) if graph.n_components == 1 else np.flatnonzero(graph.components == component)
        at_seeds = G[np.ix_(seeds.indices[here], here)]
        size = float(np.abs(at_seeds).max()) or 1.0
        saddle = np.ones((here.size + 1, here.size + 1))
        saddle[:-1, :-1] = (at_seeds + at_seeds.T) / (2 * size)
        saddle[-1, -1] = 0.0
        wanted = np.vstack([seeds.targets[here], np.zeros((1, u.shape[1]))])
        a = np.linalg.lstsq(saddle, wanted, rcond=None)[0][:-1] / size
        b = (seeds.targets[here] - at_seeds @ a).mean(axis=0)
        u[nodes] = G[nodes][:, here] @ a + b
    return u


def standard_targets(graph: Graph, seeds: Seeds) -> tuple[Block, Block, float]:
    """Return the targets about their mean in each component and scaled to variance one, those means, and the scale.

    One-hot targets stay as they are.
    """
    if not seeds.is_regression:
        return seeds.targets, np.zeros((graph.n_components, seeds.targets.shape[1])), 1.0
    means = component_means(laplacian_of(graph), seeds)
    centred = seeds.targets - means[graph.components[seeds.indices]]
    scale = float(np.sqrt(np.mean(centred**2)))
    scale = scale if scale > 0 else 1.0
    return centred / scale, means, scale


def refuse_below(least: int, **numbers: object) -> None:
    """Refuse parameters that are no whole numbers of at least `least`."""
    for name, value in numbers.items():
        if not isinstance(value, (int, np.integer)) or value < least:
            raise FewlabelsError(f"{name}={value!r} must be a whole number of at least {least}.")


def refuse_both(ridge: float | None, target_mse: float | str) -> None:
    """Refuse a ridge beside a target error."""
    if ridge is not None and target_mse != "auto":
        raise FewlabelsError("give either ridge or target_mse, not both; one follows from the other.")


def poisson_source(graph: Graph, seeds: Seeds) -> Block:
    """Return b: y_i - mean(y) at the labelled nodes, the mean over each component's own labels, and 0 elsewhere."""
    means = component_means(laplacian_of(graph), seeds)
    source = np.zeros((graph.n_nodes, seeds.targets.shape[1]))
    source[seeds.indices] = seeds.targets - means[graph.components[seeds.indices]]
    return source


def poisson_scores(graph: Graph, seeds: Seeds, solution: Solution) -> Spread:
    """Return the scores of a solution for Poisson learning's source: by class weights, or about the labels' means."""
    laplacian = laplacian_of(graph)
    if seeds.is_regression:
        return Spread(solution.value + laplacian.spread(component_means(laplacian, seeds)), (solution,))
    return Spread(solution.value * seeds.class_weights, (solution,))


def harmonic_extension(graph: Graph, W: Any, seeds: Seeds) -> tuple[Block, Solution]:
    """Return u with u = y on the labels and (D' - W) u = 0 elsewhere, for weights W on the edges of the graph.

    Nodes that no label reaches are left at zero.
    """
    free = reach_of(graph, seeds).nodes.copy()
    free[seeds.indices] = False
    nodes = np.flatnonzero(free)
    u = np.zeros((graph.n_nodes, seeds.targets.shape[1]))
    u[seeds.indices] = seeds.targets
    if nodes.size == 0:
        return u, Solution(u, "direct", "converged", 0, 0.0)
    rows = W[nodes]
    matrix = sp.diags_array(np.asarray(W.sum(axis=1)).ravel()[nodes]) - rows[:, nodes]
    solution = DefiniteSystem(graph, matrix, nodes).solve(np.asarray(rows[:, seeds.indices] @ seeds.targets))
    u[nodes] = solution.value
    return u, solution


def component_means(laplacian: Laplacian, seeds: Seeds) -> Block:
    """Return the mean target of the seeds in each component, shape (components, c); zero where there is no seed."""
    components = laplacian.graph.components[seeds.indices]
    counts = np.bincount(components, minlength=laplacian.graph.n_components)
    sums = np.zeros((counts.size, seeds.targets.shape[1]))
    np.add.at(sums, components, seeds.targets)
    return np.asarray(sums / np.maximum(counts, 1)[:, None])


def _with_values(scores: Block, seeds: Seeds, reach: Reach) -> Block:
    return np.where(reach.nodes[:, None], scores, seeds.targets.mean())


def _with_classes(scores: Block, seeds: Seeds, reach: Reach) -> Block:
    """Lower classes that have no label in a component below those that have, and give unreached nodes the prior."""
    if reach.is_complete:
        return scores
    possible = reach.possible
    lowest = np.where(possible, scores, np.inf)
    highest = np.where(possible, scores, -np.inf)
    low, high = np.full(reach.columns.shape[0], np.inf), np.full(reach.columns.shape[0], -np.inf)
    np.minimum.at(low, reach.components, lowest.min(axis=1))
    np.maximum.at(high, reach.components, highest.max(axis=1))
    labelled = reach.columns.any(axis=1)
    floor = np.zeros_like(low)
    floor[labelled] = 2 * low[labelled] - high[labelled] - 1.0
    settled = np.where(possible, scores, floor[reach.components][:, None])
    return np.where(reach.nodes[:, None], settled, seeds.prior)
