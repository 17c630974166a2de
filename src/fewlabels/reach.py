"""What labels can reach: a component without a label stays unknown, and so does a class without a label in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fewlabels.graph import Graph
from fewlabels.kept import ReadOnlyArrays
from fewlabels.labels import Seeds

__all__ = ["Reach", "reach_of", "unreached_sentence"]


@dataclass(frozen=True, eq=False)
class Reach(ReadOnlyArrays):
    """Which nodes have a path to a label, and which labels.

    Attributes
    ----------
    nodes : ndarray of bool, shape (n,)
        Whether any label lies in the node's component.
    columns : ndarray of bool, shape (components, c)
        Which classes are labelled in each component.
    components : ndarray of int, shape (n,)
    """

    nodes: NDArray[np.bool_]
    columns: NDArray[np.bool_]
    components: NDArray[np.int64]

    @property
    def is_complete(self) -> bool:
        """Whether every class is labelled in every component."""
        return bool(self.columns.all())

    @property
    def possible(self) -> NDArray[np.bool_]:
        """Which classes each node can have, shape (n, c); not to be written to."""
        if len(self.columns) == 1:
            return np.broadcast_to(self.columns, (self.components.size, self.columns.shape[1]))
        return np.asarray(self.columns[self.components])


def reach_of(graph: Graph, seeds: Seeds) -> Reach:
    """Find what the seeds can reach.

    Examples
    --------
    >>> graph = Graph.from_features([[0.0], [0.1], [5.0], [5.1]], n_neighbors=1)
    >>> reach_of(graph, Seeds.from_classes([0], [1], n_classes=2)).nodes.tolist()
    [True, True, False, False]
    """
    columns = np.zeros((graph.n_components, seeds.targets.shape[1]), dtype=bool)
    columns[graph.components[seeds.indices], 0 if seeds.is_regression else seeds.codes] = True
    labelled = np.asarray(columns.any(axis=1))
    return Reach(labelled[graph.components], columns, graph.components)


def unreached_sentence(
    graph: Graph,
    reached: NDArray[np.bool_],
    setting: str,
    got: str = "got the prior",
    named: Callable[[int], str] = "row {}".format,
) -> str:
    """Say how many points no label reaches, in how many parts, and which label would reach most of them.

    Examples
    --------
    >>> graph = Graph.from_features([[0.0], [0.1], [5.0], [5.1]], n_neighbors=1)
    >>> unreached_sentence(graph, np.array([True, True, False, False]), "n_neighbors")
    '2 of 4 points lie in 1 part of the graph without any label and got the prior; a label on row 2 would reach 2 of
    them, a larger n_neighbors may join the parts.'
    """
    sizes = np.bincount(graph.components[~reached])
    node = int(np.flatnonzero(~reached & (graph.components == sizes.argmax()))[0])
    parts = int((sizes > 0).sum())
    count, most = int((~reached).sum()), int(sizes.max())
    return (
        f"{count:,} of {reached.size:,} points lie in {parts:,} part{'s' * (parts > 1)} of the graph without any label "
        f"and {got}; a label on {named(node)} would reach {most:,} of them, "
        f"a larger {setting} may join the parts."
    )
