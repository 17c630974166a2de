"""Where: the nodes at which the Laplacian of the labelling function may differ from zero, by name or as given.

POSITIONS is the registry. A name is used as it is or refused; only "auto" chooses.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.green import harmonic_scores
from fewlabels.interface.regions import farthest, hops_interface, least_decided, outside_balls
from fewlabels.labels import Seeds
from fewlabels.reach import reach_of
from fewlabels.systems import projections_of
from fewlabels.targets import centred_targets

__all__ = ["POSITIONS", "Interface", "Place", "Position", "find_interface", "needs_columns"]

Block = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Interface:
    """The nodes where the term may differ from zero and, where hops alone made them, their number."""

    nodes: NDArray[np.int64]
    hops: int | None = None


@dataclass(frozen=True, eq=False)
class Place:
    """What a position may look at.

    Attributes
    ----------
    graph : Graph
    seeds : Seeds
    columns : ndarray, shape (n, m), or None
        The Green's columns of the labels, where there is a table of them.
    hops : int or "auto"
    random_state : int
    """

    graph: Graph
    seeds: Seeds
    columns: NDArray[np.floating[Any]] | None
    hops: int | str
    random_state: int

    @property
    def reached(self) -> NDArray[np.int64]:
        """The nodes that a label reaches."""
        return np.flatnonzero(reach_of(self.graph, self.seeds).nodes)

    def by_hops(self) -> Interface:
        """Return the nodes beyond the hops."""
        return Interface(*hops_interface(self.graph, self.seeds.indices, self.hops))


@dataclass(frozen=True)
class Position:
    """How a named interface is found, and whether it needs the Green's columns."""

    find: Callable[[Place], Interface]
    needs_columns: bool = False


def _auto(place: Place) -> Interface:
    return _balls(place) if place.hops == "auto" and place.columns is not None else place.by_hops()


def _balls(place: Place) -> Interface:
    assert place.columns is not None
    return Interface(outside_balls(place.graph, place.seeds.indices, place.columns, weights=place.seeds.weights))


def _random(place: Place) -> Interface:
    """Choose among the nodes without a label: where some labels are chosen too, these drown the others."""
    free = np.setdiff1d(place.reached, place.seeds.indices)
    size = min(free.size, place.by_hops().nodes.size)
    return Interface(np.sort(np.random.default_rng(place.random_state).choice(free, size=size, replace=False)))


def _laplace(place: Place) -> Interface:
    return _least_decided(place, harmonic_scores(place.graph, place.seeds, _columns(place)))


def _poisson(place: Place) -> Interface:
    return _least_decided(place, _columns(place) @ centred_targets(place.graph, place.seeds))


def _least_decided(place: Place, scores: Block) -> Interface:
    base = projections_of(place.graph).centre(scores)
    return Interface(least_decided(base, place.reached, place.by_hops().nodes.size))


def _geodesic(place: Place) -> Interface:
    return Interface(farthest(place.graph, place.seeds.indices, place.reached, place.by_hops().nodes.size))


def _columns(place: Place) -> Block:
    assert place.columns is not None
    return np.asarray(place.columns, dtype=np.float64)


POSITIONS: dict[str, Position] = {
    "auto": Position(_auto),
    "hops": Position(Place.by_hops),
    "balls": Position(_balls, needs_columns=True),
    "training": Position(lambda place: Interface(np.sort(place.seeds.indices))),
    "all": Position(lambda place: Interface(place.reached)),
    "random": Position(_random),
    "laplace": Position(_laplace, needs_columns=True),
    "poisson": Position(_poisson, needs_columns=True),
    "geodesic": Position(_geodesic),
}


def needs_columns(positions: str | ArrayLike) -> bool:
    """Tell whether the positions can only be found with a table of Green's columns."""
    return isinstance(positions, str) and _named(positions).needs_columns


def find_interface(positions: str | ArrayLike, place: Place) -> Interface:
    """Return the interface that a method's `positions` stand for: a name of POSITIONS, node numbers or a mask.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(5), 1) + np.diag(np.ones(5), -1))
    >>> place = Place(path, Seeds.from_classes([0, 5], [0, 1]), None, hops=1, random_state=0)
    >>> find_interface("hops", place).nodes.tolist(), find_interface([2], place).nodes.tolist()
    ([2, 3], [2])
    """
    if isinstance(positions, str):
        return _named(positions).find(place)
    given = _given(positions, place.graph.n_nodes)
    if not reach_of(place.graph, place.seeds).nodes[given].any():
        raise FewlabelsError("positions lie only where no label reaches; give nodes connected with the labels.")
    return Interface(given)


def _named(positions: str) -> Position:
    if positions not in POSITIONS:
        raise FewlabelsError(
            f"positions={positions!r} is not known; choose one of {', '.join(POSITIONS)}, or give the nodes."
        )
    return POSITIONS[positions]


def _given(positions: Any, n_nodes: int) -> NDArray[np.int64]:
    """Check a user's own interface: node numbers, or a mask over the nodes."""
    nodes = np.asarray(positions)
    if nodes.dtype == bool and nodes.shape == (n_nodes,):
        nodes = np.flatnonzero(nodes)
    if nodes.ndim != 1 or nodes.size == 0 or nodes.dtype.kind not in "iu":
        raise FewlabelsError("positions must list at least one node number, or be a mask over all nodes.")
    if nodes.min() < 0 or nodes.max() >= n_nodes:
        raise FewlabelsError(f"positions name node {nodes.max()}; the graph has nodes 0 to {n_nodes - 1}.")
    return np.unique(nodes).astype(np.int64)
