"""MBO with class sizes (Jacobs, Merkurjev and Esedoglu, J. Comput. Phys. 2018), begun from the nearest labels."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

from fewlabels.graph import Graph
from fewlabels.labels import Seeds
from fewlabels.methods.base import Method, Spread, refuse_below
from fewlabels.methods.nearest_neighbor import NearestNeighbor
from fewlabels.methods.refined import Refined

__all__ = ["VolumeMBO"]


@dataclass(eq=False)
class VolumeMBO(Method):
    """Diffuse the classes for a few steps and threshold at the known sizes, from the nearest label of every node.

    Parameters
    ----------
    rounds, steps
        At most so many rounds of so many steps of diffusion.

    Examples
    --------
    >>> import numpy as np
    >>> path = Graph.from_weights(np.diag(np.ones(5), 1) + np.diag(np.ones(5), -1))
    >>> VolumeMBO().scores(path, Seeds.from_classes([0, 5], [0, 1])).argmax(axis=1).tolist()
    [0, 0, 0, 1, 1, 1]
    """

    rounds: int = 50
    _: KW_ONLY
    steps: int = 15

    def _spread(self, graph: Graph, seeds: Seeds) -> Spread:
        refuse_below(1, steps=self.steps)
        refuse_below(0, rounds=self.rounds)
        return Refined(NearestNeighbor(), steps=(self.steps,) * self.rounds, coarse=False).spread(graph, seeds)
