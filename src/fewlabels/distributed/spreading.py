"""The methods that a cluster offers, from labelled nodes to scores in blocks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.distributed.columns import Columns, balls_around, gram_of, green_columns_of, in_parts, term_of
from fewlabels.distributed.hops import beyond_hops
from fewlabels.distributed.right_sides import Labelled, Sources, sums_over
from fewlabels.distributed.rows import BlockGraph, Pictured
from fewlabels.distributed.scratch import load, load_rows, save
from fewlabels.distributed.solving import ClusterSolver
from fewlabels.distributed.stages import Found, Stages
from fewlabels.errors import FewlabelsError
from fewlabels.green import harmonic_coefficients
from fewlabels.interface.learn import ROUNDING
from fewlabels.interface.ridge import fit_ridge
from fewlabels.labels import Seeds
from fewlabels.methods.interface_laplace import SMOOTH_FROM
from fewlabels.solvers import SMOOTH_TOL, USUAL_TOL

__all__ = ["METHODS", "Placed", "Scores", "placed", "spread"]

MOST_LABELS = 5000
"""Labels at most: what is learned from them is a matrix of so many rows and columns in one place."""

Array = NDArray[Any]


@dataclass(frozen=True)
class Placed:
    """Labels at the nodes of a graph in blocks, and the components that they reach.

    Attributes
    ----------
    nodes : ndarray of int, shape (m,)
    component : ndarray of int, shape (m,)
        The component of each label, among those that have labels.
    sizes, volumes : ndarray
        Nodes and sum of degrees of these components.
    possible : ndarray of bool, shape (components, c)
        Which classes are labelled in each.
    """

    seeds: Seeds
    nodes: NDArray[np.int64]
    component: NDArray[np.int64]
    labelled: Labelled
    sizes: NDArray[np.float64]
    volumes: NDArray[np.float64]
    possible: NDArray[np.bool_]


def placed(stages: Stages, graph: BlockGraph, pictured: Pictured, seeds: Seeds, nodes: NDArray[np.int64]) -> Placed:
    """Find which components the labels at some nodes reach."""
    if seeds.is_regression:
        raise FewlabelsError("values are not offered on a cluster, classes are; use one machine for regression.")
    if seeds.size > MOST_LABELS:
        raise FewlabelsError(f"{seeds.size:,} labels; a cluster takes up to {MOST_LABELS:,}, draw some of them.")
    blocks = np.searchsorted(graph.starts, nodes, side="right") - 1
    part = [
        int(
            load_rows(graph.around / f"part-{block}.npy", node - graph.starts[block], node - graph.starts[block] + 1)[0]
        )
        for node, block in zip(nodes.tolist(), blocks.tolist(), strict=True)
    ]
    names, component = np.unique(pictured.component[part], return_inverse=True)
    table = np.full(int(pictured.component.max()) + 1, names.size, dtype=np.int32)
    table[names] = np.arange(names.size)
    made = stages.run("components", _components, graph.count, graph, table[pictured.component], names.size)
    possible = np.zeros((names.size, seeds.targets.shape[1]), dtype=bool)
    possible[component, seeds.codes] = True
    labelled = Labelled(made.folder, names.size)
    return Placed(seeds, nodes, component, labelled, made.sum("sizes"), made.sum("volumes"), possible)


def _components(folder: Path, place: int, graph: BlockGraph, table: Array, count: int) -> Found:
    component = table[load(graph.around / f"part-{place}.npy")]
    save(folder / f"component-{place}.npy", component)
    own, degrees = component[: graph.size(place)], load(graph.rows / f"degrees-{place}.npy")
    known = np.stack([np.ones(own.size), degrees], axis=1)
    sums = sums_over(own, known, count)
    return {"sizes": sums[:, 0], "volumes": sums[:, 1]}


@dataclass(frozen=True)
class Scores:
    """Scores in blocks, `scores-b.npy`, and what classes and nodes without labels get in their place.

    Attributes
    ----------
    floors : ndarray, shape (components,)
        What a class scores where no label of it reaches.
    """

    folder: Path
    graph: BlockGraph
    labelled: Labelled
    possible: NDArray[np.bool_]
    floors: NDArray[np.float64]
    prior: NDArray[np.float64]

    def possible_in(self, place: int) -> tuple[Array, Array]:
        """Return the component of each row of a block, and which classes it can have."""
        component = load(self.labelled.folder / f"component-{place}.npy")[: self.graph.size(place)]
        return component, np.vstack([self.possible, np.zeros((1, self.prior.size), dtype=bool)])[component]

    def block(self, place: int) -> tuple[Array, Array, Array]:
        """Return the component of each row of a block, which classes it can have, and its scores."""
        component, possible = self.possible_in(place)
        scores = load(self.folder / f"scores-{place}.npy").astype(np.float64)
        if not self.possible.all():
            scores = np.where(possible, scores, np.append(self.floors, 0.0)[component][:, None])
        scores[component == self.labelled.count] = self.prior
        return component, possible, scores


def spread(stages: Stages, solver: ClusterSolver, where: Placed, method: str, hops: int | str = "auto") -> Scores:
    """Spread labels by one of METHODS; an interface lies beyond so many hops, or by default outside balls."""
    columns, plain, coefficients, constants, weights = METHODS[method](stages, solver, where, hops)
    arguments = (columns, plain, coefficients, constants, weights, where.possible)
    made = stages.run("scores", _scores, columns.graph.count, *arguments)
    low, high = np.min(made.all("low"), axis=0), np.max(made.all("high"), axis=0)
    if not (np.isfinite(low).all() and np.isfinite(high).all()):
        raise FewlabelsError("the solve overflowed; bring the features closer together.")
    return Scores(made.folder, columns.graph, where.labelled, where.possible, 2 * low - high - 1.0, where.seeds.prior)


def _scores(
    folder: Path,
    place: int,
    columns: Columns,
    plain: bool,
    coefficients: Array | None,
    constants: Array,
    weights: Array,
    possible: Array,
) -> Found:
    """Write a block's scores, and tell the lowest and highest in each component among classes that have labels."""
    count, c = possible.shape
    found = np.zeros((columns.graph.size(place), c), dtype=np.float32)
    low, high = np.full(count + 1, np.inf), np.full(count + 1, -np.inf)
    mine = np.vstack([possible, np.zeros((1, c), dtype=bool)])
    constants = np.vstack([constants, np.zeros((1, c))])
    for some, component, rows in columns.rows(place, plain=plain):
        u = rows if coefficients is None else rows @ coefficients
        u = (u + constants[component]) * weights
        found[some] = u
        np.minimum.at(low, component, np.where(mine[component], u, np.inf).min(axis=1))
        np.maximum.at(high, component, np.where(mine[component], u, -np.inf).max(axis=1))
    save(folder / f"scores-{place}.npy", found)
    return {"low": low[:count], "high": high[:count]}


Linear = tuple[Columns, bool, Array | None, Array, Array]
"""Scores are (columns @ coefficients + constants of components) * weights of classes, plainly centred or by degree."""


def _interface_laplace(stages: Stages, solver: ClusterSolver, where: Placed, hops: int | str) -> Linear:
    seeds, count = where.seeds, where.labelled.count
    columns = green_columns_of(solver, where.nodes, where.component)
    region: Any
    if isinstance(hops, str):
        region = balls_around(stages, columns, where.component, seeds.weights, where.sizes)
    else:
        region = beyond_hops(stages, columns.graph, columns.labelled, where.nodes, hops)
    made = gram_of(stages, columns, region)
    K, squares, sizes = made.sum("K"), made.sum("squares"), made.sum("sizes")
    c = seeds.targets.shape[1]
    coefficients = np.zeros((seeds.size, c))
    for component in np.flatnonzero(sizes):
        here = np.flatnonzero(where.component == component)
        noise = ROUNDING**2 * float(squares[here].sum())
        fit = fit_ridge(K[np.ix_(here, here)], seeds.targets[here], seeds.weights[here], noise=noise, by_labels=c > 1)
        coefficients[here] = fit.coefficients
    term = term_of(stages, columns, made.folder, coefficients)
    by_degree = term.sum("sums") / np.where(where.volumes > 0, where.volumes, 1.0)[:, None]
    wide = SMOOTH_FROM * int(sizes.sum()) >= solver.system.graph.n_nodes
    nothing, parts = np.zeros(0, dtype=np.int64), []
    for some in in_parts(c, solver.width()):
        width = some.stop - some.start
        sources = Sources(
            width, nothing, nothing, np.zeros(0), np.zeros((count, width)), by_degree[:, some], term.folder, some.start
        )
        parts.append(solver.solve(sources, SMOOTH_TOL if wide else USUAL_TOL, "scores solve"))
    answer = Columns(columns.graph, columns.labelled, tuple(parts))
    return answer, True, None, np.zeros((count, c)), np.ones(c)


def _poisson(stages: Stages, solver: ClusterSolver, where: Placed, hops: int | str) -> Linear:
    seeds, count, c = where.seeds, where.labelled.count, where.seeds.targets.shape[1]
    means = np.zeros((count, c))
    np.add.at(means, where.component, seeds.targets)
    means /= np.bincount(where.component, minlength=count)[:, None]
    columns = sources_solved(solver, where, where.nodes, seeds.targets - means[where.component], USUAL_TOL, "columns")
    return columns, False, None, np.zeros((count, c)), seeds.class_weights


def sources_solved(
    solver: ClusterSolver, where: Placed, nodes: NDArray[np.int64], values: Array, tol: float, what: str,
    component: NDArray[np.int64] | None = None,
) -> Columns:  # fmt: skip
    """Return H B for rows of values at some nodes and zero elsewhere; what cannot be balanced sinks by degree."""
    count, width = where.labelled.count, values.shape[1]
    sums = np.zeros((count, width))
    np.add.at(sums, where.component if component is None else component, values)
    by_degree, parts = sums / np.where(where.volumes > 0, where.volumes, 1.0)[:, None], []
    for some in in_parts(width, solver.width()):
        at, column = np.nonzero(values[:, some])
        parts.append(
            solver.solve(
                Sources(
                    some.stop - some.start, nodes[at], column, values[:, some][at, column],
                    np.zeros((count, some.stop - some.start)), by_degree[:, some],
                ),
                tol, what,
            )
        )  # fmt: skip
    return Columns(solver.system.graph, where.labelled, tuple(parts))


def _laplace(stages: Stages, solver: ClusterSolver, where: Placed, hops: int | str) -> Linear:
    seeds = where.seeds
    columns = green_columns_of(solver, where.nodes, where.component)
    at_seeds = columns.at(where.nodes, where.component)
    at_seeds = np.where(where.component[:, None] == where.component, at_seeds, 0.0)
    a, b = harmonic_coefficients(at_seeds, seeds.targets, where.component)
    constants = np.zeros((where.labelled.count, seeds.targets.shape[1]))
    constants[where.component] = b
    return columns, False, a, constants, seeds.class_weights


METHODS = {"interface-laplace": _interface_laplace, "poisson": _poisson, "laplace": _laplace}
"""What a cluster offers, by name."""
