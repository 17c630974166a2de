"""What the labels ask of the scores: their targets, about the mean of each component."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fewlabels.graph import Graph
from fewlabels.labels import Seeds

__all__ = ["centred_targets", "component_means", "standard_targets"]

Block = NDArray[np.float64]


def component_means(graph: Graph, seeds: Seeds) -> Block:
    """Return the mean target of the seeds in each component, shape (components, c); zero where there is no seed."""
    components = graph.components[seeds.indices]
    counts = np.bincount(components, minlength=graph.n_components)
    sums = np.zeros((counts.size, seeds.targets.shape[1]))
    np.add.at(sums, components, seeds.targets)
    return np.asarray(sums / np.maximum(counts, 1)[:, None])


def centred_targets(graph: Graph, seeds: Seeds) -> Block:
    """Return y_i - mean(y) for every label, the mean over its component's own labels.

    Examples
    --------
    >>> path = Graph.from_weights(np.array([[0, 1], [1, 0]]))
    >>> centred_targets(path, Seeds.from_values([0, 1], [1.0, 3.0])).ravel().tolist()
    [-1.0, 1.0]
    """
    return np.asarray(seeds.targets - component_means(graph, seeds)[graph.components[seeds.indices]])


def standard_targets(graph: Graph, seeds: Seeds) -> tuple[Block, Block, float]:
    """Return the targets about their mean in each component and scaled to variance one, those means, and the scale.

    One-hot targets stay as they are.
    """
    if not seeds.is_regression:
        return seeds.targets, np.zeros((graph.n_components, seeds.targets.shape[1])), 1.0
    centred = centred_targets(graph, seeds)
    scale = float(np.sqrt(np.mean(centred**2))) or 1.0
    return centred / scale, component_means(graph, seeds), scale
