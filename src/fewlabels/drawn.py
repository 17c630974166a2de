"""Labels drawn again: as many as were given, from the nodes they were spread to, and spread anew by Poisson learning.

Of each class, in each component, the first nodes in a random order of all nodes are drawn, so that after one more label
most of what is drawn stays the same. The sums of each class's Green's columns are held; what changed is solved for.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.graph import Graph
from fewlabels.green import green
from fewlabels.kept import ReadOnlyArrays
from fewlabels.labels import Seeds
from fewlabels.marks import order_by_mark
from fewlabels.reach import reach_of
from fewlabels.soft import logarithms
from fewlabels.solvers import Auto

__all__ = ["DRAWN_TOL", "Drawn", "Redrawn", "drawn_again", "nodes_again", "ranks", "shares_returned", "times_drawn"]

FEWEST_DRAWS, MOST_DRAWS, COLUMNS_DRAWN = 2, 5, 50
"""How often labels are drawn again: of many classes less often, since every draw then tells about many labels."""

DRAWN_TOL = 1e-2
"""How exactly labels that were drawn again are spread: whether most nodes keep their label shows early."""

MOST_SAY = 0.5
"""The share of draws above which a label counts as contradicted."""

LOOKED_AT = 64
"""So many times as many nodes as labels are looked at first, in their random order."""

ENTRIES_AT_ONCE = 20_000_000
"""Nodes times columns that are solved for together."""

Sums = NDArray[np.floating[Any]]


@dataclass(frozen=True, eq=False)
class Redrawn(ReadOnlyArrays):
    """What labels drawn again say.

    Attributes
    ----------
    blocks : tuple of ndarray, shape (n, c)
        Scores.
    votes : tuple of (float, ndarray of int, shape (n,))
        The classes that each draw gives all nodes, and what it counts; the counts sum to one.
    returned : ndarray, shape (components,)
        The share of the given labels that come back, in each component; one where there is none.
    agreed : ndarray, shape (components,), or None
        One less the share of nodes on which contenders of the graph and of the features disagree, as far as both have
        weight, where both were asked.
    believable : ndarray, shape (2, components), or None
        The least and the most mean confidence that labels left out speak for, where they were.
    by_features : tuple of (int, float), or None
        How many features a point has, and the share of nodes to which classifiers of them give the class of the answer.
    """

    blocks: tuple[Sums, ...]
    votes: tuple[tuple[float, NDArray[np.integer[Any]]], ...]
    returned: NDArray[np.float64]
    agreed: NDArray[np.float64] | None = None
    believable: NDArray[np.float64] | None = None
    by_features: tuple[int, float] | None = None

    def kept(self, codes: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return for each node how many of the draws give it the class it has."""
        total = np.zeros(codes.size)
        for weight, vote in self.votes:
            total += weight * (vote == codes)
        return total

    def against(self, seeds: Seeds) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the labelled nodes that most draws give one other class, and that class; the clearest first."""
        said = np.zeros(seeds.targets.shape)
        for weight, vote in self.votes:
            said[np.arange(seeds.size), vote[seeds.indices]] += weight
        instead, own = said.argmax(axis=1), seeds.codes
        share = said.max(axis=1)
        places = np.flatnonzero((instead != own) & (share > MOST_SAY))
        places = places[np.argsort(-share[places], kind="stable")]
        return seeds.indices[places], instead[places]

    def with_rows(self, nodes: NDArray[np.bool_], rows: Sums) -> Redrawn:
        """Return the same, but at some nodes what these distributions say."""
        said = logarithms(rows[nodes])
        blocks = [np.array(block) for block in self.blocks]
        votes = [(weight, np.array(vote)) for weight, vote in self.votes]
        for block in blocks:
            block[nodes] = said
        for _, vote in votes:
            vote[nodes] = said.argmax(axis=1)
        return replace(self, blocks=tuple(blocks), votes=tuple(votes))

    def for_classes(self, old: NDArray[Any], new: NDArray[Any]) -> Redrawn:
        """Return the same for other classes, each by its name: of a new one nothing is said."""
        column = _columns_in(old, new)
        here, blocks = column >= 0, []
        for block in self.blocks:
            wider = np.full((len(block), new.size), float(block.min(initial=0.0)))
            wider[:, column[here]] = block[:, here]
            blocks.append(wider)
        said = [(weight, column[vote]) for weight, vote in self.votes]
        votes = [(weight, np.where(vote >= 0, vote, blocks[0].argmax(axis=1))) for weight, vote in said]
        return replace(self, blocks=tuple(blocks), votes=tuple(votes))


@dataclass(frozen=True, eq=False)
class Draw(ReadOnlyArrays):
    """One set of labels: the nodes, the column of each one's class, and each class's sum of Green's columns."""

    nodes: NDArray[np.int64]
    codes: NDArray[np.int64]
    sums: Sums


@dataclass(frozen=True, eq=False)
class Drawn:
    """Labels that were drawn again several times, for the classes named."""

    classes: NDArray[Any]
    draws: tuple[Draw, ...]

    def scores(self, place: int, graph: Graph, seeds: Seeds) -> Sums:
        """Return the scores of Poisson learning from one of the draws."""
        draw = self.draws[place]
        counts = np.zeros((graph.n_components, self.classes.size), dtype=np.float32)
        np.add.at(counts, (graph.components[draw.nodes], draw.codes), 1.0)
        shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1.0)
        total = draw.sums.sum(axis=1, keepdims=True)
        rows = shares[0] if graph.n_components == 1 else shares[graph.components]
        return np.asarray((draw.sums - total * rows) * seeds.class_weights.astype(np.float32))

    def told(self, graph: Graph, seeds: Seeds) -> Redrawn:
        """Return what the draws say together."""
        possible = reach_of(graph, seeds).possible
        scores = (self.scores(place, graph, seeds) for place in range(len(self.draws)))
        blocks = tuple(np.where(possible, each, -np.inf) for each in scores)
        votes = tuple((1.0 / len(blocks), block.argmax(axis=1)) for block in blocks)
        returned = np.mean([shares_returned(graph, seeds, vote) for _, vote in votes], axis=0)
        return Redrawn(blocks, votes, returned)


def shares_returned(graph: Graph, seeds: Seeds, codes: NDArray[np.integer[Any]]) -> NDArray[np.float64]:
    """Return for each component the share of its labels that agree with some classes for all nodes, one without labels.

    Labels that come as they come are a sample of all points, so that each counts alike, whatever its class.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1))
    >>> seeds = Seeds.from_classes([0, 1, 2, 3], ["cat", "cat", "cat", "dog"])
    >>> shares_returned(path, seeds, np.array([0, 1, 0, 1])).tolist()
    [0.75]
    """
    component = graph.components[seeds.indices]
    right = np.bincount(component, codes[seeds.indices] == seeds.codes, graph.n_components)
    labels = np.bincount(component, minlength=graph.n_components)
    return np.divide(right, labels, out=np.ones(graph.n_components), where=labels > 0)


def drawn_again(graph: Graph, seeds: Seeds, codes: NDArray[np.int64], before: Drawn | None = None) -> Drawn:
    """Draw as many labels again as were given, several times, and spread them.

    Parameters
    ----------
    codes : ndarray of int, shape (n,)
        The column of the class that every node has now.
    before : Drawn, optional
        What was drawn for other labels on the same graph.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1))
    >>> seeds = Seeds.from_classes([0, 3], ["cat", "dog"])
    >>> drawn_again(path, seeds, np.array([0, 0, 1, 1])).scores(0, path, seeds).argmax(axis=1).tolist()
    [0, 0, 1, 1]
    """
    assert seeds.classes is not None
    c = seeds.classes.size
    times = times_drawn(c)
    column = None if before is None else _columns_in(before.classes, seeds.classes)
    begun = []
    for place in range(times):
        nodes, classes = nodes_again(graph, seeds, codes, place)
        old = None if before is None or place >= len(before.draws) else before.draws[place]
        begun.append(_Begun(graph.n_nodes, c, nodes, classes, old, column))
    _solve(graph, begun)
    return Drawn(seeds.classes, tuple(Draw(each.nodes, each.codes, each.sums) for each in begun))


def times_drawn(classes: int) -> int:
    """Return how often labels of so many classes are drawn again."""
    return max(FEWEST_DRAWS, min(MOST_DRAWS, COLUMNS_DRAWN // classes))


class _Begun:
    """A draw whose sums are those of an earlier one, and the sources that are missing from them."""

    def __init__(
        self,
        n: int,
        c: int,
        nodes: NDArray[np.int64],
        codes: NDArray[np.int64],
        old: Draw | None,
        column: NDArray[np.int64] | None,
    ) -> None:
        self.nodes, self.codes = nodes, codes
        self.sums = np.zeros((n, c), dtype=np.float32)
        new, known = nodes * c + codes, np.zeros(0, dtype=np.int64)
        if old is not None and column is not None:
            here = column >= 0
            self.sums[:, column[here]] = old.sums[:, here]
            still = here[old.codes]
            known = old.nodes[still] * c + column[old.codes[still]]
        come, gone = np.setdiff1d(new, known), np.setdiff1d(known, new)
        self.at, self.classes = np.divmod(np.concatenate([come, gone]), c)
        self.signs = np.concatenate([np.ones(come.size), -np.ones(gone.size)])
        self.columns, self.places = np.unique(self.classes, return_inverse=True)


def _solve(graph: Graph, begun: list[_Begun]) -> None:
    """Add to the sums of each draw the Green's columns of what is missing, several draws in one block."""
    widest = max(1, ENTRIES_AT_ONCE // graph.n_nodes)
    while begun:
        some = [begun[0]]
        while len(some) < len(begun) and sum(each.columns.size for each in begun[: len(some) + 1]) <= widest:
            some.append(begun[len(some)])
        begun = begun[len(some) :]
        starts = np.cumsum([0, *(each.columns.size for each in some)])
        if starts[-1] == 0:
            continue
        sources = np.zeros((graph.n_nodes, starts[-1]))
        for start, each in zip(starts, some, strict=False):
            np.add.at(sources, (each.at, start + each.places), each.signs)
        found = green(graph, sources, Auto(DRAWN_TOL)).value
        for start, each in zip(starts, some, strict=False):
            each.sums[:, each.columns] += found[:, start : start + each.columns.size]


def _columns_in(old: NDArray[Any], new: NDArray[Any]) -> NDArray[np.int64]:
    """Return the column that each old class has among the new ones, -1 where it has none."""
    place = {name: column for column, name in enumerate(new.tolist())}
    return np.array([place.get(name, -1) for name in old.tolist()], dtype=np.int64)


def nodes_again(
    graph: Graph, seeds: Seeds, codes: NDArray[np.int64], which: int, most: int | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return a node for every given label, of its component and class, and their classes; of each at `most` so many.

    Given labels themselves are drawn only where nothing else has their class.
    """
    c = seeds.targets.shape[1]
    groups, places, wanted = np.unique(
        graph.components[seeds.indices] * c + seeds.codes, return_inverse=True, return_counts=True
    )
    wanted = wanted if most is None else np.minimum(wanted, most)
    given = np.zeros(graph.n_nodes, dtype=bool)
    given[seeds.indices] = True
    order = order_by_mark(graph, which)
    size = min(graph.n_nodes, LOOKED_AT * seeds.size)
    while True:
        some = order[:size][~given[order[:size]]]
        group = graph.components[some] * c + codes[some]
        place = np.minimum(np.searchsorted(groups, group), groups.size - 1)
        some, place = some[groups[place] == group], place[groups[place] == group]
        taken = ranks(place) < wanted[place]
        missing = wanted - np.bincount(place[taken], minlength=groups.size)
        if size == graph.n_nodes or not missing.any():
            break
        size = min(graph.n_nodes, 4 * size)
    spare = ranks(places) < missing[places]
    nodes = np.concatenate([some[taken], seeds.indices[spare]])
    return nodes, np.concatenate([groups[place[taken]], groups[places[spare]]]) % c


def ranks(groups: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the place of every entry among those of its group.

    Examples
    --------
    >>> ranks(np.array([5, 2, 5, 5, 2])).tolist()
    [0, 0, 1, 2, 1]
    """
    order = np.argsort(groups, kind="stable")
    starts = np.searchsorted(groups[order], groups[order])
    ranks = np.empty(groups.size, dtype=np.int64)
    ranks[order] = np.arange(groups.size) - starts
    return ranks
