"""Green's columns: what a unit source at each label does to the whole graph; several methods are made of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.kept import Key
from fewlabels.labels import Seeds
from fewlabels.solvers import Solution, Solver, solve, solve_parts
from fewlabels.systems import green_system, projections_of
from fewlabels.threads import in_blocks_of_rows

__all__ = [
    "TABLE_ENTRIES",
    "columns_of",
    "green",
    "green_columns",
    "harmonic_coefficients",
    "harmonic_scores",
    "impulses",
    "some_columns",
    "split_columns",
]

Block = NDArray[np.float64]

TABLE_ENTRIES = 100_000_000
"""Nodes times labels above which methods that can do without a table of Green's columns do without."""

MOST_ENTRIES = 500_000_000
"""Nodes times labels above which there is no table for any method."""


def green(
    graph: Graph, B: NDArray[Any], solver: Solver | None = None, *, tol: float | None = None, damping: float = 0.0
) -> Solution:
    """Return H B, H = D^-1/2 (I - S)^+ D^-1/2: what the paper's steps tend to, up to their constant mode.

    L H B = B - d (1'B)/(1'd) and d' H B = 0 on every component. H is symmetric and H d = 0. With `damping`, L gives way
    to L + damping D: modes slower than one over it no longer grow, much as after so many of the paper's steps.
    """
    return solve(green_system(graph, shift=1.0 + damping), B, solver, tol=tol)


def impulses(graph: Graph, nodes: NDArray[np.int64], *, centred: bool = False, single: bool = False) -> NDArray[Any]:
    """Return E, one indicator column per node, or J E; more than a table of Green's columns can have are refused.

    With `single`, in single precision.

    Examples
    --------
    >>> path = Graph.from_weights(np.array([[0, 1], [1, 0]]))
    >>> impulses(path, np.array([1])).tolist()
    [[0.0], [1.0]]
    """
    _refuse_too_many(graph, nodes)
    kind: Any = np.float32 if single else np.float64
    if centred and graph.n_components == 1:
        E = np.full((graph.n_nodes, nodes.size), -1.0 / graph.n_nodes, dtype=kind)
    else:
        E = np.zeros((graph.n_nodes, nodes.size), dtype=kind)
    E[nodes, np.arange(nodes.size)] += 1.0
    if centred and graph.n_components > 1:
        projections_of(graph).centre_in_place(E)
    return E


def green_columns(
    graph: Graph,
    nodes: NDArray[np.int64],
    solver: Solver | None = None,
    *,
    centred: bool = True,
    tol: float | None = None,
    damping: float = 0.0,
    single: bool = False,
) -> Solution:
    """Return the Green's columns H J E of some nodes, or H E; E is made for the columns being solved alone.

    With `single`, in single precision, which is more than the usual tolerance asks for.
    """
    _refuse_too_many(graph, nodes)

    def part(some: slice) -> Block:
        return impulses(graph, nodes[some], centred=centred, single=single)

    system = green_system(graph, shift=1.0 + damping)
    return solve_parts(system, (graph.n_nodes, nodes.size), part, solver, tol=tol)


def _refuse_too_many(graph: Graph, nodes: NDArray[np.int64]) -> None:
    if graph.n_nodes * nodes.size > MOST_ENTRIES:
        gigabytes = graph.n_nodes * nodes.size * 8 / 1e9
        raise FewlabelsError(
            f"{nodes.size:,} labels on {graph.n_nodes:,} nodes need a table of {gigabytes:.0f} GB; use fewer labels, "
            "or method='poisson', which does without the table."
        )


COLUMNS = Key[Solution]("green columns")


def columns_of(graph: Graph, group: Sequence[Seeds], solver: Solver) -> Solution:
    """Return the Green's columns H J E of some sets of labels, kept for the next method that uses them."""

    def solved() -> Solution:
        return green_columns(graph, np.concatenate([seeds.indices for seeds in group]), solver)

    return graph.kept.get(COLUMNS, solved, solver, *(seeds.indices.tobytes() for seeds in group))


def some_columns(columns: NDArray[Any], places: NDArray[np.int64]) -> NDArray[Any]:
    """Return a copy of some columns, row by row in memory, made on all cores.

    Examples
    --------
    >>> some_columns(np.array([[1, 2, 3], [4, 5, 6]]), np.array([2, 0])).tolist()
    [[3, 1], [6, 4]]
    """
    found = np.empty((len(columns), places.size), dtype=columns.dtype)

    def copy(some: slice) -> None:
        found[some] = columns[some].take(places, axis=1)

    in_blocks_of_rows(len(columns), copy)
    return found


def split_columns(columns: Solution, group: Sequence[Seeds]) -> list[Block]:
    """Return every problem's own columns."""
    return np.split(columns.value, np.cumsum([seeds.size for seeds in group])[:-1], axis=1)


def harmonic_scores(graph: Graph, seeds: Seeds, G: NDArray[np.floating[Any]]) -> Block:
    """Return Laplace learning from the Green's columns: a combination of them and a constant that matches the labels.

    u = G a + b solves L u = 0 off the labels when the entries of a sum to zero over each component; matching the
    labels then fixes a and b:  [G_ll  1; 1'  0] [a; b] = [y; 0], for every component on its own. Columns may all be off
    by one and the same vector, as those of H J E are: it drops out of G a, and b is read off the labels. A column is
    zero outside the component of its label, so that one product serves all components.
    """
    classes = seeds.targets.shape[1]
    a, constants = harmonic_coefficients(G[seeds.indices], seeds.targets, graph.components[seeds.indices])
    b = np.zeros((graph.n_components, classes))
    b[graph.components[seeds.indices]] = constants
    u = np.empty((graph.n_nodes, classes))

    def combine(some: slice) -> None:
        u[some] = G[some] @ a + b[graph.components[some]]

    in_blocks_of_rows(graph.n_nodes, combine)
    return u


def harmonic_coefficients(at_seeds: NDArray[Any], targets: Block, components: NDArray[np.int64]) -> tuple[Block, Block]:
    """Return a, the coefficients of Green's columns that match the labels, and for each label its component's b.

    Parameters
    ----------
    at_seeds : ndarray, shape (m, m)
        The rows of the Green's columns at the labels.
    targets : ndarray, shape (m, c)
    components : ndarray of int, shape (m,)
        The component of each label.
    """
    a, b = np.zeros(targets.shape), np.zeros(targets.shape)
    for component in np.unique(components):
        here = np.flatnonzero(components == component)
        G = np.asarray(at_seeds[np.ix_(here, here)], dtype=np.float64)
        size = float(np.abs(G).max()) or 1.0
        saddle = np.ones((here.size + 1, here.size + 1))
        saddle[:-1, :-1] = (G + G.T) / (2 * size)
        saddle[-1, -1] = 0.0
        wanted = np.vstack([targets[here], np.zeros((1, targets.shape[1]))])
        a[here] = np.linalg.lstsq(saddle, wanted, rcond=None)[0][:-1] / size
        b[here] = (targets[here] - G @ a[here]).mean(axis=0)
    return a, b
