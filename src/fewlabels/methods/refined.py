"""Another method's scores, refined for known class sizes: short diffusion and thresholding in turn."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.labels import Seeds
from fewlabels.methods.base import Method, Spread
from fewlabels.methods.poisson import Poisson
from fewlabels.operators import laplacian_of
from fewlabels.progress import track
from fewlabels.solvers import Diffusion
from fewlabels.volumes import class_sizes, size_offsets

__all__ = ["Refined"]

Block = NDArray[np.float64]

LAZY = 0.15
"""How much stays in place in a step, relative to what moves; without it a graph of two sides would swap them."""

SETTLED = 1e-4
"""The rounds end when fewer nodes than this share change."""


@dataclass(eq=False)
class Refined(Method):
    """Threshold so that every class has its size, diffuse the classes for a few steps, and again (MBO with volumes).

    u <- P^s (one-hot labels), P a slightly lazy random walk, the given labels held, then labels <- argmax_j (u_j + b_j)
    with offsets that give every class its share of the prior: the one given with the labels, else the share of each
    class among them.

    Parameters
    ----------
    method : method
        Whose scores to begin with. Poisson's, thresholded at the sizes, are a better beginning than those of Interface
        Laplace, though their own labels are worse.
    rounds : int
        At most; 0 adds the offsets to the scores and does no more.
    steps : int
        s, the steps of diffusion in a round.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(5), 1) + np.diag(np.ones(5), -1))
    >>> seeds = Seeds.from_classes([0, 5], [0, 1], class_prior=[2 / 3, 1 / 3])
    >>> Refined(rounds=0).scores(path, seeds).argmax(axis=1).tolist()
    [0, 0, 0, 0, 1, 1]
    """

    method: Method = field(default_factory=Poisson)
    rounds: int = 10
    steps: int = 15

    def with_features(self, X: Any) -> Self:
        """Hand the features on."""
        return replace(self, method=self.method.with_features(X))

    def _spread(self, graph: Graph, seeds: Seeds) -> Spread:
        if seeds.is_regression:
            raise FewlabelsError("class sizes are for classes; estimate values without refinement.")
        for name, value in (("rounds", self.rounds), ("steps", self.steps)):
            if not isinstance(value, (int, np.integer)) or value < 0:
                raise FewlabelsError(f"{name}={value!r} must be a whole number, zero or more.")
        begun = self.method.spread(graph, seeds)
        sizes = class_sizes(seeds.prior, graph.n_nodes)
        scores = begun.scores + size_offsets(begun.scores, sizes)
        walk = _lazy_walk(graph)
        nobody, nothing = seeds.indices[:0], seeds.targets[:0]
        labels, offsets = scores.argmax(axis=1), None
        for _ in track(range(self.rounds), "refining"):
            u = np.zeros(scores.shape, dtype=np.float32)
            u[np.arange(labels.size), labels] = 1.0
            u[seeds.indices] = seeds.targets
            u = walk.run(u, self.steps, nobody, nothing)
            offsets = size_offsets(u.astype(np.float64), sizes, start=offsets)
            scores = u + offsets
            scores[seeds.indices] = seeds.targets * (1.0 + np.abs(scores).max())
            before, labels = labels, scores.argmax(axis=1)
            if np.mean(before != labels) < SETTLED:
                break
        return Spread(scores, begun.solves)


def _lazy_walk(graph: Graph) -> Diffusion:
    """Return the walk of the diffusion, made once for a graph."""
    if "lazy walk" not in graph.memo:
        walk = sp.diags_array(laplacian_of(graph).inverse_degrees) @ graph.weights
        graph.memo["lazy walk"] = Diffusion(graph, (walk + LAZY * sp.eye_array(graph.n_nodes)) / (1.0 + LAZY))
    return graph.memo["lazy walk"]  # type: ignore[no-any-return]
