"""Candidates: the points that may be asked about next, and their Green's columns, held from one question to the next.

Only typical points are candidates, those with many neighbours: labels of typical points spread well, labels of outliers
and of points between classes do harm on hard data. The window of points that are compared moves on with the number of
labels, so that a few columns are solved for each time and all are new after some labels.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fewlabels.graph import Graph
from fewlabels.green import green, impulses
from fewlabels.kept import Key
from fewlabels.marks import order_by_mark
from fewlabels.systems import projections_of

__all__ = ["Candidates", "candidates_of"]

POOL = 4
"""One in so many points is typical: of random ones, those with most neighbours."""

BLOCK = 512
"""Random points that are compared by their number of neighbours."""

MOVED_ON = 8
"""Candidates that are replaced for every label."""

MOST_ENTRIES = 40_000_000
"""Rows times columns that are held; of larger graphs only a random part of the rows."""

FIRST_ORDER = 1000
"""Random orders from this one on are for candidates."""

TOL = 2e-2

Columns = NDArray[np.float32]


class Candidates:
    """The typical nodes of a graph in a random order, and the Green's columns of those compared last."""

    def __init__(self, graph: Graph, random_state: int, damping: float = 0.0) -> None:
        self._graph, self._mixed = graph, order_by_mark(graph, FIRST_ORDER + random_state)
        self._damping = damping
        counts = graph.neighbor_counts[self._mixed]
        block = np.arange(counts.size) // BLOCK
        by_count = np.lexsort((-counts, block))
        tier = np.empty(counts.size, dtype=np.int64)
        tier[by_count] = (np.arange(counts.size) % BLOCK) * POOL // np.bincount(block)[block]
        self.order = self._mixed[np.lexsort((block, tier))]
        self._nodes, self._columns = np.zeros(0, dtype=np.int64), np.zeros((0, 0), dtype=np.float32)
        self._inner = np.zeros((0, 0))

    def window(self, allowed: NDArray[np.bool_], labels: int, most: int) -> NDArray[np.int64]:
        """Return so many of the nodes that are allowed, those whose turn it is after so many labels."""
        order = self.order[allowed[self.order]]
        start = MOVED_ON * labels % max(order.size - most, 1)
        return order[start : start + most]

    def rows(self, most: int) -> NDArray[np.int64]:
        """Return the nodes at which columns are held: all, or of large graphs the first in random order."""
        count = max(most, MOST_ENTRIES // most)
        return np.sort(self._mixed[:count])

    def columns(self, nodes: NDArray[np.int64]) -> tuple[Columns, NDArray[np.float64]]:
        """Return the Green's columns of some nodes at :meth:`rows`, a row each, and their inner products.

        Those held are neither solved for nor multiplied with one another again.
        """
        rows = self.rows(nodes.size)
        if self._columns.shape[1] != rows.size:
            self._nodes, self._columns = nodes[:0], np.zeros((0, rows.size), dtype=np.float32)
        place = {node: column for column, node in enumerate(self._nodes.tolist())}
        known = np.isin(nodes, self._nodes)
        held = [place[node] for node in nodes[known].tolist()]
        columns = np.empty((nodes.size, rows.size), dtype=np.float32)
        columns[known] = self._columns[held]
        inner = np.empty((nodes.size, nodes.size))
        inner[np.ix_(known, known)] = self._inner[np.ix_(held, held)]
        if not known.all():
            columns[~known] = self._solved(nodes[~known])[rows].T
            inner[~known] = columns[~known] @ columns.T
            inner[:, ~known] = inner[~known].T
        self._nodes, self._columns, self._inner = nodes, columns, inner
        return columns, inner

    def _solved(self, nodes: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the columns of J H J, which is symmetric and has no negative eigenvalue, as a covariance must be."""
        projections = projections_of(self._graph)
        E = impulses(self._graph, nodes, centred=True)
        return projections.centre(green(self._graph, E, tol=TOL, damping=self._damping).value)


CANDIDATES = Key[Candidates]("candidates")


def candidates_of(graph: Graph, random_state: int, damping: float = 0.0) -> Candidates:
    """Return the candidates of a graph for a seed, with the columns that are held, damped or not.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1))
    >>> sorted(candidates_of(path, 0).window(np.ones(4, dtype=bool), labels=0, most=2).tolist())
    [1, 2]
    """
    return graph.kept.get(CANDIDATES, lambda: Candidates(graph, random_state, damping), random_state, damping)
